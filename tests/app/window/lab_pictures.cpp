// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the pictures of the README, light and dark, from a real run on loopback: machines on their way in, 200 trials on them, their
// curves, whose GPU is it, and the plug pulled.
//   lab_pictures FOLDER [SILENT_SECONDS]
#include "lab.h"

#include "app/window/pull_plug.h"
#include "models/machines/add_machines_model.h"
#include "ui/charts/parallel_coordinates.h"
#include "ui/machines/add_machines.h"
#include "ui/machines/machine_boxes.h"
#include "ui/start/plug_dialog.h"

#include <QAbstractButton>
#include <QRandomGenerator>
#include <QTest>
#include <QTranslator>

#include <cmath>
#include <cstdio>

using namespace Qt::StringLiterals;
using models::AddMachinesModel;
using Verdict = AddMachinesModel::Verdict;

namespace {

constexpr int patience = 120'000;
QString folder;

void need(bool good, const char* what)
{
    if (!good)
        qFatal("%s", what);
}

/// The widget once it holds still: curves are fetched, and painted by workers. What shows live values may never, and is taken as it is.
QImage still(Lab& lab, QWidget& widget)
{
    QImage image = widget.grab().toImage();
    for (int i = 0; i < 40; ++i) {
        QTest::qWait(200);
        if (lab.mirror->pendingCommands() > 0)
            continue;
        const QImage next = widget.grab().toImage();
        if (next == image)
            break;
        image = next;
    }
    return image;
}

void draw(Lab& lab, const QString& name, QWidget* widget = nullptr)
{
    for (const auto scheme : {ui::Theme::Scheme::dark, ui::Theme::Scheme::light}) {
        lab.theme.setScheme(scheme);
        const QString file =
            u"%1/%2-%3.png"_s.arg(folder, name, scheme == ui::Theme::Scheme::dark ? u"dark"_s : u"light"_s);
        need(still(lab, widget ? *widget : *lab.window).save(file), "a picture cannot be written");
        std::printf("%s\n", qPrintable(file));
        std::fflush(stdout);
    }
}

QByteArray smi(int count, const char* model, int memory, const QByteArray& foreign)
{
    return "#!/bin/sh\nexec python3 -B " TRIALDECK_SOURCE_DIR "/tests/app/window/lab_smi.py "
        + QByteArray::number(count) + " '" + model + "' " + QByteArray::number(memory) + ' ' + foreign + " \"$@\"\n";
}

core::Json post(Lab& lab, const QString& path, const core::Json& body)
{
    const auto answer = lab.service.post(path, body);
    if (answer.status / 100 != 2)
        qFatal("%s: %d %s", qPrintable(path), answer.status, answer.body.constData());
    return answer.json();
}

QString machineOf(int lab)
{
    return u"lab.lab%1"_s.arg(lab);
}

qint64 countOf(Lab& lab, core::TrialStatus status)
{
    return lab.mirror->state().counts()[size_t(status)];
}

/// A search of 200 trials: 172 that end, seven that a person or an assessor stops, twelve that run, nine that wait.
void searchInTheLab(Lab& lab)
{
    constexpr int quick = 172;
    constexpr int stopped = 7;
    const QString code = lab.service.folder() + u"/code"_s;
    QDir().mkpath(code);
    TestSshd::writeFile(code + u"/train.py"_s,
        TestSshd::readFile(QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/app/window/lab_train.py")));
    lab.service.request(
        "PUT", u"/api/v1/machines/"_s + machineOf(1) + u"/gpus/1/reservation"_s, "{\"note\": \"a talk\"}");
    const core::Json experiment = post(lab, u"/api/v1/experiments"_s,
        {{"name", "cifar10-resnet18"}, {"platformId", "lab"},
            {"trialCommand",
                "python3 -B train.py --lr {lr} --batch {batch} --dropout {dropout} --slow-from "
                    + std::to_string(quick)},
            {"codeDir", code}, {"gpuNumber", 1}, {"trialConcurrency", 24}, {"maxTrialNumber", 200},
            {"objective", {{"metric", "accuracy"}, {"direction", "maximize"}}}});
    const QString id = experiment["id"].get<QString>();
    const QString trials = u"/api/v1/experiments/"_s + id + u"/trials"_s;

    QRandomGenerator chance(7);
    const auto rounded = [](double value) { return QString::number(value, 'g', 2).toDouble(); };
    const auto parameters = [&]() -> core::Json {
        const double lr = std::pow(10, -4 + 3 * chance.generateDouble());
        return {{"lr", rounded(lr)}, {"batch", 32 << chance.bounded(4)},
            {"dropout", rounded(0.5 * chance.generateDouble())}};
    };
    const auto submit = [&](int count) {
        core::Json list = core::Json::array();
        for (int i = 0; i < count; ++i)
            list.push_back({{"parameters", parameters()}});
        return post(lab, trials, {{"trials", list}})["trials"];
    };
    const auto pinned = [&](const QString& machine, int gpus, const core::Json& with) {
        core::Json trial = {{"parameters", with}, {"gpuNumber", gpus}};
        if (!machine.isEmpty())
            trial["machineId"] = machine;
        post(lab, trials, trial);
    };
    const auto running = [&](qint64 count) {
        return QTest::qWaitFor([&] { return countOf(lab, core::TrialStatus::running) == count; }, patience);
    };

    submit(quick);
    const auto ended = [&] {
        return countOf(lab, core::TrialStatus::succeeded) + countOf(lab, core::TrialStatus::failed) == quick;
    };
    need(QTest::qWaitFor(ended, patience), "trials did not end");
    const core::Json some = submit(stopped);
    need(running(stopped), "trials do not run");
    for (int i = 0; i < stopped; ++i)
        post(lab, u"/api/v1/trials/"_s + some[size_t(i)]["id"].get<QString>() + u"/cancel"_s,
            {{"isEarlyStopped", i >= 3}});
    need(running(0), "trials were not stopped");
    int number = quick + stopped;
    for (const auto& [machine, count] : {std::pair(1, 1), {2, 2}, {3, 3}, {4, 6}})
        for (int i = 0; i < count; ++i, ++number)
            pinned(machineOf(machine), 1,
                number == 183 ? core::Json{{"lr", 0.0079}, {"batch", 128}, {"dropout", 0.15}} : parameters());
    need(running(12), "trials do not run");
    pinned({}, 4, parameters());
    for (int i = 0; i < 8; ++i)
        pinned(machineOf(3), 1, parameters());
    need(
        QTest::qWaitFor([&] { return countOf(lab, core::TrialStatus::waiting) == 9; }, patience), "trials do not wait");
}

/// The morning after: the best trial chosen.
void drawTrials(Lab& lab)
{
    lab.window->openPage(u"trials"_s);
    lab.window->showBest();
    draw(lab, u"morning"_s);
}

/// 200 trials, one answer: good ones brushed.
void drawCharts(Lab& lab)
{
    lab.window->openPage(u"charts"_s);
    auto* parallel = lab.window->findChild<ui::charts::ParallelCoordinates*>();
    need(QTest::qWaitFor([&] { return parallel->axes().size() == 4; }, patience), "there are no axes");
    const auto brush = [&](int x, double low, double high) {
        const auto at = [&](double place) {
            return QPoint(x, parallel->height() - 10 - int(place * (parallel->height() - 38)));
        };
        QTest::mousePress(parallel, Qt::LeftButton, {}, at(low));
        QTest::mouseMove(parallel, at((low + high) / 2));
        QTest::mouseMove(parallel, at(high));
        QTest::mouseRelease(parallel, Qt::LeftButton, {}, at(high));
    };
    brush(48, 0.55, 0.75);
    brush(parallel->width() - 56, 0.9, 1);
    draw(lab, u"one-answer"_s);
}

/// The proof that the help menu offers.
void drawPullPlug(Lab& lab)
{
    ui::PlugRun* run = nullptr;
    ui::PlugDialog dialog(
        [&run] {
            auto made = std::make_unique<app::PullPlug>(QStringLiteral(TRIALDECK_BIN_DIR "/trialdeckd"));
            run = made.get();
            return made;
        },
        lab.window.get());
    dialog.resize(1200, 820);
    dialog.show();
    need(
        QTest::qWaitFor([&] { return run->isFinished(); }, patience) && run->proof().isGood(), "the proof is not good");
    draw(lab, u"pull-the-plug"_s, &dialog);
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    if (argc < 2) {
        std::fprintf(stderr, "usage: lab_pictures FOLDER [SILENT_SECONDS]\n");
        return 2;
    }
    folder = QString::fromLocal8Bit(argv[1]);
    QTranslator plurals;
    if (plurals.load(QStringLiteral(TRIALDECK_BIN_DIR "/../app/translations/trialdeck_en.qm")))
        QApplication::installTranslator(&plurals);
    const int silentFor = argc > 2 ? QByteArray(argv[2]).toInt() : 240;
    // Somebody else's program, in the tables of two machines.
    QProcess other;
    TestSshd::writeFile(u"/tmp/pretrain.py"_s, "import time\ntime.sleep(3600)\n");
    QFile::setPermissions(u"/tmp/pretrain.py"_s, QFile::ReadOwner | QFile::ReadOther | QFile::ReadGroup);
    other.start(u"setpriv"_s,
        {u"--reuid=nobody"_s, u"--clear-groups"_s, u"/usr/bin/python3"_s, u"-B"_s, u"/tmp/pretrain.py"_s, u"--size"_s,
            u"xl"_s});
    need(other.waitForStarted() && !other.waitForFinished(500), "no process of another user");
    const QByteArray pid = QByteArray::number(other.processId());

    Lab lab;
    lab.addHost(u"lab1"_s, smi(2, "NVIDIA GeForce RTX 4090", 24'564, "-"));
    TestSshd& silent = lab.addHost(u"lab2"_s, smi(4, "NVIDIA A100-PCIE-40GB", 40'960, "-"));
    lab.addHost(u"lab3"_s, smi(4, "NVIDIA A100-PCIE-40GB", 40'960, "3=" + pid + ":31744"));
    lab.addHost(u"lab4"_s, smi(8, "NVIDIA H100 80GB HBM3", 81'559, "6=" + pid + ":60416"), false);
    lab.addHost(u"lab5"_s, "#!/bin/sh\necho 'Failed to initialize NVML: Driver/library version mismatch'\nexit 18\n");
    lab.nameHost(u"gate"_s, "  HostName gate.invalid\n");
    lab.nameHost(u"github.com"_s, "  User git\n");
    need(lab.start(false), "no service");
    lab.window->resize(1440, 900);

    // Picture 4: three are ready, one has a question, one a driver that does not fit.
    lab.window->openPage(u"machines"_s);
    lab.window->page()->showRecord({});
    auto* adding = lab.window->findChild<ui::AddMachines*>();
    AddMachinesModel& intake = adding->intake();
    need(QTest::qWaitFor([&] { return intake.rowCount() == 7; }, patience), "hosts were not read");
    for (int row = 0; row < 5; ++row)
        intake.setChosen(row, true);
    const auto settled = [&](int from, int to) {
        for (int row = from; row < to; ++row)
            if (intake.verdict(row) == Verdict::checking)
                return false;
        return true;
    };
    need(QTest::qWaitFor([&] { return settled(0, 5); }, patience), "checks did not end");
    draw(lab, u"add-machines"_s);
    lab.window->resize(1280, 720);
    draw(lab, u"add-machines-small"_s);
    lab.window->resize(1440, 900);
    const auto prompts = intake.prompts();
    need(prompts.size() == 1, "there is no question");
    core::PromptAnswer yes;
    yes.accept = true;
    lab.mirror->execute(api::AnswerPrompt{prompts.first().second->id, yes});
    need(QTest::qWaitFor([&] { return intake.verdict(3) != Verdict::question && settled(3, 4); }, patience),
        "no answer");
    intake.setChosen(4, false);
    bool added = false;
    intake.add(u"lab"_s, [&](const core::Result<int>& number) { added = number.has_value(); });
    const auto ready = [&] {
        int count = 0;
        for (const auto& machine : lab.mirror->state().machines().list())
            count += machine->state == core::MachineState::ready && !machine->gpus.isEmpty() ? 1 : 0;
        return count == 4;
    };
    need(QTest::qWaitFor(ready, patience) && added, "machines are not ready");

    // 200 trials: most have ended, twelve run, nine wait, and one of the machines falls silent.
    searchInTheLab(lab);
    silent.stopListening(); // else the service would come in again beside its silent connection
    silent.freeze(true);
    const auto isSilent = [&] {
        const auto machine = lab.mirror->state().machines().find(core::MachineId(machineOf(2)));
        return machine && machine->state == core::MachineState::silent
            && QDateTime::currentMSecsSinceEpoch() - machine->lastContact > silentFor * 1'000;
    };
    need(QTest::qWaitFor(isSilent, patience + silentFor * 2'000), "the machine is not silent");
    drawTrials(lab);
    drawCharts(lab);
    lab.window->openPage(u"machines"_s);
    for (auto* button : adding->findChildren<QAbstractButton*>())
        if (button->text() == u"Cancel"_s)
            button->click();
    lab.window->findChild<ui::MachineBoxes*>()->showMachine(core::MachineId(machineOf(3)), true);
    draw(lab, u"whose-gpu"_s);
    lab.window->resize(1280, 720);
    draw(lab, u"whose-gpu-small"_s);
    lab.window->resize(1440, 900);
    for (const auto& machine : lab.mirror->state().machines().list())
        lab.mirror->execute(api::ActOnMachine{machine->id, api::MachineAction::check, {}});
    lab.window->page()->showRecord(machineOf(4));
    const auto examined = [&] {
        const auto& requests = lab.mirror->state().requests().list();
        return std::any_of(requests.begin(), requests.end(), [&](const core::OperationPtr& request) {
            return request->kind == u"doctor"_s && request->subject == machineOf(4)
                && request->state != core::OperationState::running;
        });
    };
    need(QTest::qWaitFor(examined, patience), "the machine was not examined");
    draw(lab, u"doctor"_s);
    drawPullPlug(lab);
    other.kill();
    other.waitForFinished();
    return 0;
}
