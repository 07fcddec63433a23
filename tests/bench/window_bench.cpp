// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the table of trials and the charts: one JSON object a line. Means something in an optimised build only.
//   window_bench [--check] [table|charts] [rows]      --check: 1 when a figure is beyond its bar in each of three tries
#include "models/selection.h"
#include "models/trials/spark_cache.h"
#include "models/trials/trial_model.h"
#include "services/client/local_engine_client.h"
#include "tests/fakes/fake_curves.h"
#include "ui/charts/metric_chart.h"
#include "ui/kit/style.h"
#include "ui/kit/theme.h"
#include "ui/trials/trial_table_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QRandomGenerator>
#include <QScrollBar>

#include <malloc.h>

#include <cmath>
#include <cstdio>
#include <functional>

using namespace Qt::StringLiterals;
using namespace core;

namespace {

void row(const char* name, const QByteArray& figures)
{
    std::printf("{\"name\": \"%s\", %s}\n", name, figures.constData());
    std::fflush(stdout);
}

/// The figures of one try that are beyond their bars.
QByteArrayList beyond;

/// `bar` is what design and users expect of it; 0: reported only.
QByteArray figure(const char* name, double value, double bar = 0)
{
    if (bar > 0 && value > bar)
        beyond.append(name + QByteArray(" ") + QByteArray::number(value, 'f', 1) + " > " + QByteArray::number(bar));
    return '"' + QByteArray(name) + "\": " + QByteArray::number(value, 'f', 2);
}

double p99(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[std::min(values.size() - 1, values.size() * 99 / 100)];
}

/// Milliseconds that a call takes.
template <typename Call>
double timed(Call call)
{
    QElapsedTimer clock;
    clock.start();
    call();
    return double(clock.nsecsElapsed()) / 1e6;
}

double residentMiB()
{
    QFile file(u"/proc/self/statm"_s);
    return file.open(QIODevice::ReadOnly) ? double(file.readAll().split(' ').value(1).toLongLong()) * 4096 / 1048576
                                          : 0;
}

/// What the program holds, without what the allocator keeps for later.
double heapMiB()
{
    const struct mallinfo2 info = mallinfo2();
    return double(info.uordblks + info.hblkhd) / 1048576;
}

TrialPtr made(int number)
{
    Trial trial;
    trial.id = TrialId(u"t%1"_s.arg(number, 14, 10, QLatin1Char('0')));
    trial.experimentId = ExperimentId(u"e1"_s);
    trial.platformId = PlatformId(u"local"_s);
    trial.sequenceId = number;
    trial.status = allTrialStatuses[size_t(number) % trialStatusCount];
    trial.submitTime = 1'750'000'000'000 + number;
    trial.startTime = trial.submitTime + 1000;
    trial.endTime = trial.submitTime + 60'000;
    const double spread = double(quint32(number) * 2654435761U) / 4294967296.0;
    trial.parameters = "{\"lr\":" + QByteArray::number(std::pow(10, -4 + 3 * spread), 'g', 8) + ",\"batch\":"
        + QByteArray::number(32 << (number % 4)) + ",\"optimizer\":\"" + (number % 3 ? "adam" : "sgd") + "\"}";
    trial.machineId = MachineId(u"lab%1"_s.arg(number % 17));
    trial.bestMetric = 0.9 + 0.09 * spread;
    trial.latestMetric = MetricSummary{59, 60, {MetricValue::Kind::number, *trial.bestMetric, {}}, trial.submitTime};
    return std::make_shared<const Trial>(std::move(trial));
}

/// What using the table cost, in milliseconds.
struct Uses
{
    double sortNumber = 0;
    double sortWords = 0;
    double slowest = 0; ///< of the keystrokes in the filter, those of an expression apart
    QByteArray slowestText;
    double expression = 0; ///< the slowest /regex/
    std::vector<double> updates;
    std::vector<double> sorted;
};

void sortAll(models::TrialModel& model, Uses& uses)
{
    uses.sortNumber =
        std::max(uses.sortNumber, timed([&] { model.sort(int(models::TrialColumn::best), Qt::DescendingOrder); }));
    for (const int column : {model.table().parameterColumn(u"optimizer"_s), int(models::TrialColumn::machine)})
        uses.sortWords = std::max(uses.sortWords, timed([&] { model.sort(column, Qt::AscendingOrder); }));
    model.sort(int(models::TrialColumn::number), Qt::DescendingOrder);
}

void filterAll(models::TrialModel& model, Uses& uses)
{
    for (const char* text : {"l", "lr", "lr>", "lr>0", "lr>0.0", "lr>0.01", "lr>0.01 state:failed", "lab3",
             "optimizer:adam", "optimizer:adam sgd", "nowhere", "!lab3", "/lab1.$/", "/batch.*sgd/", "/lab1|lab2/"}) {
        const auto filter = models::TrialFilter::parse(QString::fromLatin1(text));
        if (!filter)
            continue;
        const double took = timed([&] {
            model.setFilter(*filter);
            QApplication::processEvents();
        });
        if (text[0] == '/') {
            uses.expression = std::max(uses.expression, took);
        } else if (took > uses.slowest) {
            uses.slowest = took;
            uses.slowestText = text;
        }
    }
    model.setFilter({});
    QApplication::processEvents();
}

void changeSome(models::TrialModel& model, api::Mirror& mirror, int count, int rounds, std::vector<double>& took)
{
    QRandomGenerator random(1);
    for (int round = 0; round < rounds; ++round) {
        api::Change change;
        for (int i = 0; i < 100; ++i) {
            Trial trial = *made(int(random.bounded(count)));
            trial.bestMetric = 0.9 + 0.09 * random.bounded(1.0);
            change.trials.append(std::make_shared<const Trial>(trial));
        }
        mirror.apply(change);
        took.push_back(timed([&] { model.apply(mirror, change); }));
    }
}

void table(ui::Theme& theme, int count)
{
    const double before = residentMiB();
    const double heapBefore = heapMiB();
    fakes::FakeEnginePort port;
    client::LocalEngineClient client(port);
    api::Mirror mirror;
    api::Change full;
    full.full = true;
    Experiment experiment;
    experiment.id = ExperimentId(u"e1"_s);
    full.experiments = {std::make_shared<const Experiment>(experiment)};
    for (int i = 0; i < count; ++i)
        full.trials.append(made(i));
    mirror.apply(full);
    full = {};
    const double heapOfRecords = heapMiB() - heapBefore;

    models::TrialModel model;
    models::SparkCache sparks(client);
    models::Selection selection;
    ui::TrialTableView view(theme, model, sparks, selection);
    view.resize(1000, 640);
    const double first = timed([&] {
        model.load(mirror, experiment.id);
        view.show();
        QApplication::processEvents();
        view.grab();
    });
    double longestSlice = 0;
    const double indexing = timed([&] {
        while (!model.isIndexed())
            longestSlice = std::max(longestSlice, timed([] { QApplication::processEvents(); }));
    });
    Uses uses;
    const auto use = [&](int rounds) {
        sortAll(model, uses);
        filterAll(model, uses);
        // A hundred of all change: their cost, not that of the table.
        changeSome(model, mirror, count, rounds, uses.updates);
        model.sort(int(models::TrialColumn::best), Qt::DescendingOrder);
        changeSome(model, mirror, count, rounds, uses.sorted);
    };
    use(50);
    const double data = heapOfRecords;
    const double held = heapMiB() - heapBefore;
    use(10);
    use(10);
    const double grown = heapMiB() - heapBefore - held;
    std::vector<double> frames;
    QScrollBar* bar = view.rows()->verticalScrollBar();
    for (int frame = 0; frame < 200; ++frame) {
        bar->setValue(int(qint64(bar->maximum()) * frame / 200));
        frames.push_back(timed([&] { view.rows()->viewport()->repaint(); }));
    }
    row("table",
        figure("rows", count) + ", " + figure("first_paint_ms", first, count > 100'000 ? 0 : 1000) + ", "
            + figure("sort_number_ms", uses.sortNumber, 500) + ", " + figure("sort_words_ms", uses.sortWords, 500)
            + ", " + figure("slowest_keystroke_ms", uses.slowest, 100) + ", \"slowest_keystroke\": \""
            + uses.slowestText + "\", " + figure("slowest_expression_ms", uses.expression, count > 100'000 ? 0 : 100)
            + ", " + figure("indexing_ms", indexing) + ", " + figure("indexing_slice_ms", longestSlice, 16) + ", "
            + figure("index_mib", double(model.textIndex().textBytes()) / 1048576) + ", "
            + figure("update_100_p99_ms", p99(uses.updates), 16) + ", "
            + figure("update_100_sorted_p99_ms", p99(uses.sorted), 50) + ", "
            + figure("scroll_frame_p99_ms", p99(frames), 16) + ", " + figure("resident_mib", residentMiB() - before)
            + ", " + figure("held_mib", held) + ", " + figure("data_mib", data)
            + ", "
            // The records are the data; what the table adds stays small beside them, and does not grow by use.
            + figure("table_mib", held - data, data / 4) + ", "
            + figure("grown_mib", grown, std::max(1.0, (held - data) / 20)));
}

void chart(ui::Theme& theme, const char* name, int curveCount, int points, bool isElsewhere = false)
{
    fakes::FakeCurves curves(curveCount, isElsewhere);
    QRandomGenerator random(3);
    for (int c = 0; c < curveCount; ++c) {
        double value = 0;
        for (int i = 0; i < points; ++i) {
            value += random.bounded(2.0) - 1;
            curves.append(c, i == points / 3 ? -5000.0 : value);
        }
    }
    ui::charts::MetricChart view(theme, curves.client);
    view.resize(900, 420);
    std::vector<double> frames;
    std::vector<double> sharp;
    // Every turn of the loop is a frame; a turn that waits for the worker costs nothing.
    const auto untilReady = [&] {
        bool isReady = false;
        const auto connection = QObject::connect(&view, &ui::charts::MetricChart::ready, [&] { isReady = true; });
        QElapsedTimer whole;
        whole.start();
        while (!isReady && whole.elapsed() < 20'000) {
            QElapsedTimer wait;
            wait.start();
            QApplication::processEvents(QEventLoop::AllEvents);
            frames.push_back(double(wait.nsecsElapsed()) / 1e6);
            if (!isReady)
                QThread::usleep(200);
        }
        QObject::disconnect(connection);
        return double(whole.nsecsElapsed()) / 1e6;
    };
    view.setTrials(curves.ids());
    view.show();
    sharp.push_back(untilReady());
    for (int i = 0; i < 6; ++i) {
        view.zoom(0.6);
        sharp.push_back(untilReady());
    }
    view.showAll();
    sharp.push_back(untilReady());
    double lowest = 0;
    for (const models::SeriesCurve& curve : view.data()->curves)
        for (const models::SeriesColumn& column : curve.columns)
            lowest = std::min(lowest, column.min);
    row(name,
        figure("curves", curveCount) + ", " + figure("points", points) + ", " + figure("first_image_ms", sharp.front())
            + ", " + figure("sharp_image_p99_ms", p99({sharp.begin() + 1, sharp.end()}), isElsewhere ? 0 : 150) + ", "
            + figure("gui_frame_p99_ms", p99(frames), 16) + ", "
            + figure("gui_frame_max_ms", *std::max_element(frames.begin(), frames.end()), 50)
            + ", \"extreme_kept\": " + (lowest == -5000 ? "true" : "false"));
    if (lowest != -5000)
        beyond.append("extreme_kept");
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    ui::Theme theme;
    theme.setScheme(ui::Theme::Scheme::light);
    QApplication::setStyle(new ui::Style(theme));
    QStringList arguments = app.arguments();
    const bool isCheck = arguments.removeAll(u"--check"_s) > 0;
    const QString what = arguments.value(1);
    // A machine that does something else meanwhile is no slower program: one good try of three is one.
    QByteArrayList failed;
    const auto run = [&](const std::function<void()>& measure) {
        for (int tries = 0; tries < (isCheck ? 3 : 1); ++tries) {
            beyond.clear();
            measure();
            if (beyond.isEmpty())
                return;
        }
        failed += beyond;
    };
    if (what.isEmpty() || what == u"table") {
        const int rows = arguments.value(2).toInt();
        for (const int count : rows > 0 ? std::vector<int>{rows} : std::vector<int>{100'000, 1'000'000})
            run([&] { table(theme, count); });
    }
    if (what.isEmpty() || what == u"charts") {
        run([&] { chart(theme, "one curve", 1, 1'000'000); });
        run([&] { chart(theme, "many curves", 100, 10'000); });
        run([&] { chart(theme, "many long curves", 100, 100'000); });
        run([&] { chart(theme, "very many curves", 2'000, 200); });
        run([&] { chart(theme, "many curves, another process", 100, 10'000, true); });
    }
    if (isCheck && !failed.isEmpty()) {
        std::fprintf(stderr, "beyond the bar: %s\n", failed.join(", ").constData());
        return 1;
    }
    return 0;
}
