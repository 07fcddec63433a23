// SPDX-License-Identifier: GPL-3.0-or-later
// 200 trials report ten values a second each while a person looks at them: the window's thread never stalls, and its memory stays.
//   TRIALDECK_LIVE_SECONDS=300 tst_window_live      for so long; 15 s otherwise
#include "watched_application.h"

#include "tests/fakes/fake_curves.h"
#include "tests/fakes/window_test.h"
#include "ui/charts/metric_chart.h"

#include <QEventLoop>
#include <QFile>
#include <QTest>
#include <QTimer>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace core;

namespace {

constexpr int trials = 200;
constexpr int framesASecond = 60;
constexpr int valuesASecond = 10;

/// Processor time of this thread.
double ownMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

double residentMiB()
{
    QFile file(u"/proc/self/statm"_s);
    return file.open(QIODevice::ReadOnly) ? double(file.readAll().split(' ').value(1).toLongLong()) * 4096 / 1048576
                                          : 0;
}

/// The changes of a search with many running trials, frame by frame, from a thread of its own.
class Search
{
public:
    explicit Search(fakes::FakeCurves& curves)
        : m_curves(curves)
    {
        api::Change change;
        for (int i = 0; i < trials; ++i) {
            for (int step = 0; step < 100; ++step)
                m_curves.append(i, valueAt(i, step));
            change.trials.append(fakes::shared(trialAt(i, 100)));
        }
        m_curves.port.publish(change);
    }
    ~Search() { stop(); }
    void start()
    {
        m_thread = std::thread([this] {
            constexpr int aFrame = trials * valuesASecond / framesASecond;
            std::vector<int> steps(trials, 100);
            for (int next = 0; !m_isEnding;) {
                api::Change change;
                for (int i = 0; i < aFrame; ++i, next = (next + 1) % trials) {
                    const int step = steps[size_t(next)]++;
                    m_curves.append(next, valueAt(next, step));
                    change.trials.append(fakes::shared(trialAt(next, step + 1)));
                    ++m_reported;
                }
                m_curves.port.publish(std::move(change));
                std::this_thread::sleep_for(std::chrono::milliseconds(1000 / framesASecond));
            }
        });
    }
    void stop()
    {
        m_isEnding = true;
        if (m_thread.joinable())
            m_thread.join();
    }
    [[nodiscard]] qint64 reported() const { return m_reported; }

private:
    static double valueAt(int trial, int step)
    {
        return 1 - std::exp(-(step + 1) / (40.0 + trial)) + 0.02 * std::sin(step * 0.7 + trial);
    }
    Trial trialAt(int number, int values) const
    {
        Trial trial = fakes::sampleTrial(number);
        trial.id = m_curves.id(number);
        trial.status = TrialStatus::running;
        trial.startTime = trial.submitTime + 10;
        trial.reason.clear();
        trial.metricCount = values;
        const double value = valueAt(number, values - 1);
        trial.bestMetric = value;
        trial.latestMetric =
            MetricSummary{values - 1, values, {MetricValue::Kind::number, value, {}}, trial.submitTime + values};
        return trial;
    }

    fakes::FakeCurves& m_curves;
    std::thread m_thread;
    std::atomic<bool> m_isEnding{false};
    std::atomic<qint64> m_reported{0};
};

} // namespace

class TstWindowLive : public QObject
{
    Q_OBJECT
private slots:
    void aStallIsSeen();
    void noStallAndFlatMemory();
};

void TstWindowLive::aStallIsSeen()
{
    StallWatch watch(20);
    auto& application = static_cast<WatchedApplication&>(*QCoreApplication::instance());
    application.watch = &watch;
    QTimer::singleShot(0, &application, [&watch] {
        const double begun = ownMs();
        while (ownMs() - begun < 200 || !watch.isCaught()) { }
    });
    QTRY_VERIFY_WITH_TIMEOUT(watch.longestMs() > 150, 30'000);
    application.watch = nullptr;
    QVERIFY(!watch.culprit().isEmpty());
}

void TstWindowLive::noStallAndFlatMemory()
{
    ui::Theme theme;
    fakes::useTestLook(theme);
    fakes::FakeCurves curves(trials);
    Search search(curves);
    models::EngineMirror mirror(curves.client);
    fakes::FakeEnvironment host;
    ui::MainWindow window(mirror, theme, host);
    window.setAsksBeforeClosing(false);
    window.resize(1440, 900);
    window.show();
    curves.client.start();
    QTRY_VERIFY_WITH_TIMEOUT(mirror.state().trials().size() >= trials, 30'000);
    const QStringList pages{u"trials"_s, u"overview"_s, u"charts"_s};
    for (const QString& page : pages) { // What is made when a page is first seen is not part of this.
        window.openPage(page);
        QTest::qWait(200);
    }
    auto* chart = window.page()->findChild<ui::charts::MetricChart*>();
    QTRY_VERIFY_WITH_TIMEOUT(chart->data() && chart->data()->curves.size() == size_t(trials), 30'000);

    const int seconds = std::max(3, qEnvironmentVariableIntValue("TRIALDECK_LIVE_SECONDS"));
    const bool isShort = !qEnvironmentVariableIsSet("TRIALDECK_LIVE_SECONDS");
    const qint64 wholeMs = (isShort ? 15 : seconds) * 1000LL;
    search.start();
    StallWatch watch(barMs);
    auto& application = static_cast<WatchedApplication&>(*QCoreApplication::instance());
    application.watch = &watch;
    double before = 0;
    for (qsizetype i = 0; i < 2 * pages.size() || watch.events() <= 1'000; ++i) { // until enough was measured
        // Charts stay for most of the time: they have the most to do.
        const QString& page = pages[i % pages.size()];
        // A loop that sleeps when there is nothing to do, as the program's own; coming to a page is a turn of it.
        QEventLoop loop;
        QTimer::singleShot(0, &window, [&] { window.openPage(page); });
        QTimer::singleShot(int(wholeMs / (page == u"charts"_s ? 3 : 12)), &loop, &QEventLoop::quit);
        loop.exec();
        if (i == pages.size() - 1)
            before = residentMiB(); // half of the time is over: pages, caches and pools are what they will be
    }
    const double grown = residentMiB() - before;
    search.stop();
    application.watch = nullptr;
    qInfo("%lld values; %d events of the window's thread, %d over the bar, the longest %.1f ms (%.1f computing); "
          "memory %+.1f MiB",
        search.reported(), watch.events(), watch.overBar(), watch.longestMs(), watch.longestCpuMs(), grown);
    QVERIFY2(watch.longestMs() <= barMs,
        ("the window is busy for " + QByteArray::number(watch.longestMs()) + " ms:" + watch.culprit()).constData());
    // A sanitizer's shadow and pools count too, and differ with what else the machine does.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    QVERIFY2(grown < (seconds > 60 ? 24 : 12), qPrintable(QString::number(grown)));
#endif
    QVERIFY(watch.longestMs() > 1); // opening a page is more than nothing: it is measured at all
    // What came last is shown.
    QTRY_VERIFY_WITH_TIMEOUT(chart->data()->curves[0].total > 100, 30'000);
}

int main(int argc, char** argv)
{
    qputenv("QTEST_FUNCTION_TIMEOUT", "900000"); // Qt Test's own patience ends with the five minutes of the night.
    WatchedApplication application(argc, argv);
    TstWindowLive test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_window_live.moc"
