// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the pictures of a lab, light and dark, from a real run on loopback: machines on their way in, and whose GPU is it.
//   lab_pictures FOLDER [SILENT_SECONDS]
#include "lab.h"

#include "models/machine_intake.h"
#include "ui/add_machines.h"
#include "ui/machine_boxes.h"

#include <QAbstractButton>
#include <QListView>
#include <QTableView>
#include <QTest>
#include <QTranslator>

#include <cstdio>

using namespace Qt::StringLiterals;
using models::MachineIntake;
using Verdict = MachineIntake::Verdict;

namespace {

constexpr int patience = 120'000;
QString folder;

void need(bool good, const char* what)
{
    if (!good)
        qFatal("%s", what);
}

/// Until it looks twice the same: fonts, layouts and late figures are there.
bool waitUntilStill(QWidget& window)
{
    QImage last;
    return QTest::qWaitFor(
        [&] {
            const QImage before = std::exchange(last, window.grab().toImage());
            return before == last;
        },
        patience);
}

void draw(Lab& lab, const QString& name)
{
    for (const auto scheme : {ui::Theme::Scheme::dark, ui::Theme::Scheme::light}) {
        lab.theme.setScheme(scheme);
        need(waitUntilStill(*lab.window), "the window does not come to rest");
        const QString file =
            u"%1/%2-%3.png"_s.arg(folder, name, scheme == ui::Theme::Scheme::dark ? u"dark"_s : u"light"_s);
        need(lab.window->grab().save(file), "a picture cannot be written");
        std::printf("%s\n", qPrintable(file));
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
    MachineIntake& intake = adding->intake();
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
    lab.mirror->execute(engine::AnswerPrompt{prompts.first().second->id, yes});
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

    // Picture 2: trials on most GPUs, one GPU taken out by a person, one machine silent, one trial that needs more than there is.
    QDir().mkpath(lab.service.folder() + u"/code"_s);
    TestSshd::writeFile(lab.service.folder() + u"/code/train.py"_s,
        "import time, os\nfor step in range(3600):\n"
        "    open(os.environ['TRIALDECK_METRICS_FILE'], 'a').write('{\"metric\": %f}\\n' % (1 - 0.9 / (1 + step / "
        "40)))\n"
        "    time.sleep(1)\n");
    const auto machineOf = [](int lab) { return u"lab.lab%1"_s.arg(lab); };
    lab.service.request(
        "PUT", u"/api/v1/machines/"_s + machineOf(1) + u"/gpus/1/reservation"_s, "{\"note\": \"a talk\"}");
    const core::Json experiment = post(lab, u"/api/v1/experiments"_s,
        {{"name", "cifar10-resnet18"}, {"platformId", "lab"},
            {"trialCommand", "python3 -B train.py --lr {lr} --batch {batch}"},
            {"codeDir", lab.service.folder() + u"/code"_s}, {"gpuNumber", 1}, {"trialConcurrency", 24}});
    const QString trials = u"/api/v1/experiments/"_s + experiment["id"].get<QString>() + u"/trials"_s;
    const auto submit = [&](const QString& machine, int gpus, double lr) {
        core::Json trial = {{"parameters", {{"lr", lr}, {"batch", 64}}}, {"gpuNumber", gpus}};
        if (!machine.isEmpty())
            trial["machineId"] = machine;
        post(lab, trials, trial);
    };
    int number = 0;
    for (const auto& [machine, count] : {std::pair(1, 1), {2, 2}, {3, 3}, {4, 6}})
        for (int i = 0; i < count; ++i)
            submit(machineOf(machine), 1, ++number / 1'000.0);
    const auto running = [&](qint64 count) {
        return QTest::qWaitFor(
            [&] { return lab.mirror->state().counts()[size_t(core::TrialStatus::running)] == count; }, patience);
    };
    need(running(12), "trials do not run");
    submit({}, 4, 0.02);
    for (int i = 0; i < 8; ++i)
        submit(machineOf(3), 1, (30 + i) / 1'000.0);
    silent.stopListening(); // else the service would come in again beside its silent connection
    silent.freeze(true);
    const auto isSilent = [&] {
        const auto machine = lab.mirror->state().machines().find(core::MachineId(machineOf(2)));
        return machine && machine->state == core::MachineState::silent
            && QDateTime::currentMSecsSinceEpoch() - machine->lastContact > silentFor * 1'000;
    };
    need(QTest::qWaitFor(isSilent, patience + silentFor * 2'000), "the machine is not silent");
    for (auto* button : adding->findChildren<QAbstractButton*>())
        if (button->text() == u"Cancel"_s)
            button->click();
    auto* boxes = lab.window->findChild<ui::MachineBoxes*>();
    boxes->showMachine(core::MachineId(machineOf(3)), true);
    draw(lab, u"whose-gpu"_s);
    lab.window->resize(1280, 720);
    draw(lab, u"whose-gpu-small"_s);
    lab.window->resize(1440, 900);
    for (const auto& machine : lab.mirror->state().machines().list())
        lab.mirror->execute(engine::ActOnMachine{machine->id, engine::MachineAction::check, {}});
    lab.window->page()->showRecord(machineOf(4));
    const auto examined = [&] {
        const auto& requests = lab.mirror->state().requests().list();
        return std::any_of(requests.begin(), requests.end(), [&](const core::RequestPtr& request) {
            return request->kind == u"doctor"_s && request->subject == machineOf(4) && request->state != u"running"_s;
        });
    };
    need(QTest::qWaitFor(examined, patience), "the machine was not examined");
    draw(lab, u"doctor"_s);
    other.kill();
    other.waitForFinished();
    return 0;
}
