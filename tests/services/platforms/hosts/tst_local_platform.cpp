// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite, and faults, against the real agent.
#include "host_subject.h"

#include "services/platforms/hosts/local_platform.h"
#include "tests/fakes/fake_clock.h"

#include <QDateTime>
#include <QTimer>

using namespace Qt::StringLiterals;
using namespace platform_test;

namespace {

/// Of a service whose time stands still while it has no turn: a test that is kept waiting does not lose its agent.
class LocalSubject : public HostSubject
{
public:
    LocalSubject()
    {
        setOwn(path(u"agent/svc/local/"_s));
        m_turns.callOnTimeout([this] { m_time.advance(10); });
        m_turns.start(10);
    }
    std::unique_ptr<platforms::Platform> make() override { return std::make_unique<LocalPlatform>(); }
    Context context(Sink* sink) override
    {
        Context context = HostSubject::context(sink);
        context.clock = &m_time;
        return context;
    }

private:
    fakes::FakeClock m_time{QDateTime::currentMSecsSinceEpoch()};
    QTimer m_turns;
};

} // namespace

class TestLocalPlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<LocalSubject>(); }

protected:
    QByteArray parameterOf(const TrialId& trial, int index) override
    {
        return contents(local().folder(trial) + u"/parameter_%1.cfg"_s.arg(index));
    }
    LocalSubject& local() { return *static_cast<LocalSubject*>(m_subject.get()); }
    SubmitOutcome submitSpec(const TrialSpec& spec)
    {
        const QList<TrialSpec> specs{spec};
        return QCoro::waitFor(m_platform->submit(specs)).value(0);
    }

private slots:
    void machineFacts();
    void fakeGpus();
    void gpuVariables_data();
    void gpuVariables();
    void codeIsThere();
    void agentKilledInMidTrial();
    void agentKilledWhileStarting();
    void agentThatStaysAway();
    void keeperKilledInMidTrial();
    void sdkLinesOnly();
    void brokenSettings_data();
    void brokenSettings();
    void limitsChangeInPlace();
    void openFailsWithoutAgent();
    void checkOpen();
    void asksWhatIsThere();
    void checkUnsaved();
    void checksAtOnce();
    void checkEndsWithTheService();
    void folderDeletedByHand();
};

void TestLocalPlatform::machineFacts()
{
    QTRY_VERIFY_WITH_TIMEOUT(
        !m_sink->machineLists.isEmpty() && !m_sink->machineLists.last().value(0).gpuMessage.isEmpty(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->machineLists.last().value(0).diskFree > 0, patience);
    const Machine machine = m_sink->machineLists.last().value(0);
    QCOMPARE(m_sink->machineLists.last().size(), 1);
    QCOMPARE(machine.id.value, u"local"_s);
    QCOMPARE(machine.platformId.value, u"local"_s);
    QCOMPARE(machine.state, MachineState::ready);
    QVERIFY(machine.cpuCount > 0);
    QVERIFY(machine.memoryTotal > machine.memoryUsed && machine.memoryUsed > 0);
    QVERIFY(machine.lastContact > 0);
    QVERIFY(!machine.address.isEmpty());
    if (machine.gpus.isEmpty() && machine.gpuMessage.startsWith(u"no NVIDIA GPU"))
        QVERIFY2(machine.gpuMessage.contains(QString::number(machine.cpuCount)), qPrintable(machine.gpuMessage));
}

void TestLocalPlatform::fakeGpus()
{
    const QString tool = local().path(u"nvidia-smi"_s);
    writeFile(tool,
        "#!/bin/sh\ncat <<END\n<?xml version=\"1.0\" ?>\n<nvidia_smi_log><attached_gpus>2</attached_gpus>"
        "<gpu id=\"00000000:01:00.0\"><product_name>Test A</product_name><uuid>GPU-aaa</uuid>"
        "<fb_memory_usage><total>1000 MiB</total><used>10 MiB</used><free>990 MiB</free></fb_memory_usage>"
        "<utilization><gpu_util>7 %</gpu_util></utilization><temperature><gpu_temp>40 C</gpu_temp></temperature>"
        "<processes></processes></gpu>"
        "<gpu id=\"00000000:02:00.0\"><product_name>Test B</product_name><uuid>GPU-bbb</uuid>"
        "<fb_memory_usage><total>2000 MiB</total><used>20 MiB</used><free>1980 MiB</free></fb_memory_usage>"
        "<utilization><gpu_util>N/A</gpu_util></utilization><temperature><gpu_temp>N/A</gpu_temp></temperature>"
        "<processes></processes></gpu></nvidia_smi_log>\nEND\n");
    QFile::setPermissions(tool, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    closePlatform();
    const auto before = std::move(m_sink);
    qputenv("TRIALDECK_NVIDIA_SMI", tool.toLocal8Bit());
    open();
    qunsetenv("TRIALDECK_NVIDIA_SMI");
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->machineLists.last().value(0).gpus.size() == 2, patience);
    const Machine machine = m_sink->machineLists.last().value(0);
    QCOMPARE(machine.gpuMessage, QString());
    QCOMPARE(machine.gpus[1].uuid, u"GPU-bbb"_s);
    QCOMPARE(machine.gpus[0].utilization, 7);
    const auto choices = QCoro::waitFor(m_platform->choices(u"gpuIndices"_s, Json::object(), {}));
    QVERIFY(choices);
    QCOMPARE(*choices, (QStringList{u"0"_s, u"1"_s}));

    TrialSpec spec = local().command(t1,
        u"echo \"$CUDA_VISIBLE_DEVICES\"; %1"_s.arg(
            u"while [ ! -e '%1' ]; do sleep 0.02; done"_s.arg(local().path(u"release.t1"_s))));
    spec.gpuNumber = 1;
    spec.gpuIndices = {1};
    QVERIFY(!submitSpec(spec).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).stream(Stream::stdout_lines), QByteArray("1\n"), patience);
    m_subject->release(t1);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QVERIFY(contents(local().folder(t1) + u"/spec.json"_s).contains("GPU-bbb"));
}

void TestLocalPlatform::gpuVariables_data()
{
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("absent") << -1 << QByteArray("unset\n");
    QTest::newRow("none") << 0 << QByteArray("-1\n");
}

void TestLocalPlatform::gpuVariables()
{
    QFETCH(int, gpus);
    QFETCH(QByteArray, shown);
    TrialSpec spec = local().command(t1, u"echo \"${CUDA_VISIBLE_DEVICES-unset}\""_s);
    if (gpus >= 0)
        spec.gpuNumber = gpus;
    QVERIFY(!submitSpec(spec).error);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines), shown);

    TrialSpec noPlace = local().command(t2, u"true"_s);
    noPlace.gpuNumber = 2;
    const auto refused = submitSpec(noPlace);
    QVERIFY(refused.error);
    QCOMPARE(refused.error->kind, Kind::invalid);
    QCOMPARE(m_subject->starts(t2), 0);
}

void TestLocalPlatform::codeIsThere()
{
    QDir().mkpath(local().path(u"code"_s));
    writeFile(local().path(u"code/hello.txt"_s), "from the code\n");
    TrialSpec spec = local().command(t1,
        u"cat hello.txt; echo \"$NNI_PLATFORM $NNI_TRIAL_JOB_ID $NNI_EXP_ID $NNI_TRIAL_SEQ_ID\"; cat \"$NNI_SYS_DIR/parameter.cfg\""_s);
    spec.code.kind = CodeSource::Kind::snapshot;
    spec.code.sha = QString(64, u'a');
    spec.code.folder = local().path(u"code"_s);
    spec.sequenceId = 7;
    spec.jobId = u"job-1"_s;
    spec.parameterCfg = "{\"parameters\": {\"x\": NaN}}";
    QVERIFY(!submitSpec(spec).error);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines),
        QByteArray("from the code\nlocal job-1 e1 7\n{\"parameters\": {\"x\": NaN}}"));
    QCOMPARE(facts(t1).observations.last().workingDirectory, local().folder(t1));
    QCOMPARE(facts(t1).observations.last().url, u"file://"_s + local().folder(t1));
    QVERIFY(facts(t1).observations.last().usage.has_value());
}

void TestLocalPlatform::agentKilledInMidTrial()
{
    const TrialSpec spec = local().command(t1,
        u"mkdir -p \"$NNI_SYS_DIR/.nni\"; for i in $(seq 1 3000); do echo \"line $i\"; echo \"{\\\"metric\\\": $i}\" "
        u">> \"$TRIALDECK_METRICS_FILE\"; echo \"n $i\" >> \"$NNI_SYS_DIR/.nni/metrics\"; "
        u"while [ $i = 1500 ] && [ ! -e '%1' ]; do sleep 0.02; done; done"_s.arg(local().path(u"release.t1"_s)));
    QVERIFY(!submitSpec(spec).error);
    int kills = 0;
    while (!facts(t1).ended() && kills < 4) {
        // Each time after something new has come.
        const qint64 seen = m_sink->recordBytes;
        QTRY_VERIFY_WITH_TIMEOUT(m_sink->recordBytes > seen || facts(t1).ended(), patience);
        qint64 agent = 0; // also while the next one writes its file
        QTRY_VERIFY_WITH_TIMEOUT((agent = local().agentPid()) > 0, patience);
        if (!facts(t1).ended() && kill(pid_t(agent), SIGKILL) == 0)
            ++kills;
        m_subject->release(t1); // it cannot have ended before the first kill
        QTRY_VERIFY_WITH_TIMEOUT(local().agentPid() != agent || facts(t1).ended(), patience);
    }
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QVERIFY(kills > 0);
    QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
    QCOMPARE(m_sink->losses.size(), 0);
    QByteArray lines;
    QByteArray metrics;
    QByteArray nni;
    for (int i = 1; i <= 3'000; ++i) {
        lines += "line " + QByteArray::number(i) + '\n';
        metrics += "{\"metric\": " + QByteArray::number(i) + "}\n";
        nni += "n " + QByteArray::number(i) + '\n';
    }
    QVERIFY(facts(t1).stream(Stream::stdout_lines) == lines);
    QVERIFY(facts(t1).stream(Stream::file) == metrics);
    QVERIFY(facts(t1).stream(Stream::nni) == nni);
    QVERIFY(!facts(t1).recordsAfterEnd);
    QCOMPARE(m_subject->starts(t1), 1);
}

void TestLocalPlatform::agentKilledWhileStarting()
{
    QList<TrialSpec> specs;
    QList<TrialId> ids;
    for (int i = 0; i < 60; ++i) {
        ids.append(TrialId(u"k%1"_s.arg(100 + i)));
        specs.append(local().spec(ids.last(), Job::quick));
    }
    auto submitting = m_platform->submit(specs);
    // In the middle of it: some run, some are prepared, some were never heard of.
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->trials.size() >= 5, patience);
    const qint64 agent = local().agentPid();
    QCOMPARE(kill(pid_t(agent), SIGKILL), 0);
    const auto outcomes = QCoro::waitFor(submitting);
    QCOMPARE(outcomes.size(), 60);
    for (const SubmitOutcome& outcome : outcomes)
        QVERIFY2(!outcome.error && !outcome.unknown, qPrintable(outcome.trial.value));
    for (const TrialId& id : ids) {
        QTRY_VERIFY_WITH_TIMEOUT(facts(id).ended(), patience);
        QCOMPARE(facts(id).status(), TrialStatus::succeeded);
        QCOMPARE(m_subject->starts(id), 1);
    }
}

void TestLocalPlatform::agentThatStaysAway()
{
    (void)submit(t1, Job::waits);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\n"), patience);
    QVERIFY(QFile::remove(local().keeperPath()));
    QCOMPARE(kill(pid_t(local().agentPid()), SIGKILL), 0);
    QTRY_COMPARE_WITH_TIMEOUT(m_sink->losses.size(), 1, patience);
    QCOMPARE(m_sink->losses.first().value, u"local"_s);
    QCOMPARE(m_sink->machineLists.last().first().state, MachineState::silent);
    QCOMPARE(m_sink->states.last(), PlatformState::silent);
    QVERIFY(!facts(t1).ended()); // silence is not failure
    const auto refused = submit(t2, Job::quick);
    QVERIFY(refused.error && !refused.unknown);
    QVERIFY(!read(t1, u"stdout"_s));
    QVERIFY(QFile::link(QStringLiteral(TRIALDECK_BIN_DIR "/trialkeeper"), local().keeperPath()));
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).count(TrialStatus::running), 2, patience);
    QCOMPARE(m_sink->states.last(), PlatformState::ready);
    m_subject->release(t1);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\nend\n"));
    QCOMPARE(m_sink->losses.size(), 1);
}

void TestLocalPlatform::keeperKilledInMidTrial()
{
    (void)submit(t1, Job::waits);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\n"), patience);
    const qint64 keeper = local().keeperPid(t1);
    QVERIFY(keeper > 0);
    QCOMPARE(kill(pid_t(keeper), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(local().keeperPid(t1) != keeper, patience); // a new one took over
    QVERIFY(m_subject->lives(t1));
    m_subject->release(t1);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
    QCOMPARE(facts(t1).observations.last().exitCode, 0);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\nend\n"));
    QCOMPARE(m_subject->starts(t1), 1);
}

void TestLocalPlatform::sdkLinesOnly()
{
    m_sink->contiguous = false;
    TrialSpec spec =
        local().command(t1, u"echo noise; echo \"NNISDK_MEb'one'\"; echo more; echo \"NNISDK_MEb'two'\""_s);
    spec.stdoutWatch = StdoutWatch::sdk;
    QVERIFY(!submitSpec(spec).error);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("NNISDK_MEb'one'\nNNISDK_MEb'two'\n"));
    QCOMPARE(facts(t1).first[size_t(Stream::stdout_lines)], 6);
    spec = local().command(t2, u"echo \"NNISDK_MEb'one'\""_s);
    spec.stdoutWatch = StdoutWatch::none;
    QVERIFY(!submitSpec(spec).error);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t2).ended(), patience);
    QCOMPARE(facts(t2).stream(Stream::stdout_lines), QByteArray());
}

void TestLocalPlatform::brokenSettings_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("named");
    QTest::newRow("unknown") << u"{\"maxTrialsPerGpu\": 2}"_s << u"maxTrialsPerGpu"_s;
    QTest::newRow("zero") << u"{\"maxTrialNumberPerGpu\": 0}"_s << u"maxTrialNumberPerGpu"_s;
    QTest::newRow("relative") << u"{\"scratchDir\": \"here\"}"_s << u"scratchDir"_s;
    QTest::newRow("placement") << u"{\"placement\": \"scatter\"}"_s << u"placement must be one of: pack, spread"_s;
    QTest::newRow("type") << u"{\"useActiveGpu\": 1}"_s << u"useActiveGpu"_s;
}

void TestLocalPlatform::brokenSettings()
{
    QFETCH(QString, settings);
    QFETCH(QString, named);
    RecordingSink sink;
    LocalPlatform platform;
    const auto opened = QCoro::waitFor(platform.open(*parseJson(settings.toUtf8()), m_subject->context(&sink)));
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, Kind::invalid);
    QVERIFY2(opened.error().message.contains(named), qPrintable(opened.error().message));
    QVERIFY(sink.states.isEmpty());
}

void TestLocalPlatform::openFailsWithoutAgent()
{
    RecordingSink sink;
    LocalPlatform platform;
    Context context = m_subject->context(&sink);
    context.keeperPath = local().path(u"nothing"_s);
    const auto opened = QCoro::waitFor(platform.open(Json::object(), context));
    QVERIFY(!opened);
    QVERIFY2(opened.error().message.contains(context.keeperPath), qPrintable(opened.error().message));
    // It can be tried again.
    context.keeperPath = local().keeperPath();
    context.dataDir = local().path(u"other"_s);
    QVERIFY(QCoro::waitFor(platform.open(Json::object(), context)));
    QCoro::waitFor(platform.close());
}

void TestLocalPlatform::checkOpen()
{
    (void)submit(t1, Job::waits);
    const auto checked = QCoro::waitFor(m_platform->check(
        OperationId(u"r1"_s), Json::object(), {}, CheckExtent::whole, m_subject->context(m_sink.get())));
    QVERIFY2(checked, checked ? "" : qPrintable(checked.error().message));
    QVERIFY(m_sink->findings.size() >= 3);
    for (const CheckStep& step : m_sink->findings)
        QVERIFY(!step.id.isEmpty() && !step.title.isEmpty()
            && QStringList({u"ok"_s, u"warn"_s, u"fail"_s}).contains(step.state.word()));
    m_subject->release(t1);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    const auto unknown = QCoro::waitFor(m_platform->check(OperationId(u"r1"_s), Json::object(), MachineId(u"other"_s),
        CheckExtent::whole, m_subject->context(m_sink.get())));
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().kind, Kind::not_found);
}

void TestLocalPlatform::asksWhatIsThere()
{
    RecordingSink sink;
    const auto asked = QCoro::waitFor(
        m_platform->check(OperationId(u"r1"_s), Json::object(), {}, CheckExtent::look, m_subject->context(&sink)));
    QVERIFY2(asked, asked ? "" : qPrintable(asked.error().message));
    QVERIFY(!sink.findings.isEmpty());
    for (const CheckStep& step : std::as_const(sink.findings))
        QVERIFY2(step.id != u"trial"_s && !step.machineId.isEmpty(), qPrintable(step.id));
}

void TestLocalPlatform::checkUnsaved()
{
    (void)submit(t1, Job::waits); // of the open one, which must not be disturbed
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    const qint64 agent = local().agentPid();
    RecordingSink sink;
    LocalPlatform other;
    const Json settings{{"useActiveGpu", true}};
    QVERIFY(
        QCoro::waitFor(other.check(OperationId(u"r1"_s), settings, {}, CheckExtent::whole, m_subject->context(&sink))));
    QCOMPARE(sink.findings.value(0).id, u"agent"_s);
    QCOMPARE(sink.findings.value(0).state.word(), u"running"_s);
    QCOMPARE(sink.findings.value(1).state.word(), u"ok"_s);
    QVERIFY(sink.findings.size() > 3);
    QCOMPARE(local().agentPid(), agent);
    QCOMPARE(
        QDir(local().path(u"agent/svc"_s)).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{u"local"_s});
    QVERIFY(m_sink->losses.isEmpty());

    sink.findings.clear();
    const auto broken = QCoro::waitFor(
        other.check(OperationId(u"r2"_s), Json{{"x", 1}}, {}, CheckExtent::whole, m_subject->context(&sink)));
    QVERIFY(!broken);
    QCOMPARE(broken.error().kind, Kind::invalid);
}

/// Two checks of one computer: neither ends the other's agent.
void TestLocalPlatform::checksAtOnce()
{
    RecordingSink sinks[3];
    LocalPlatform others[3];
    std::vector<Task<Result<>>> checks;
    for (int i = 0; i < 3; ++i)
        checks.push_back(others[i].check(
            OperationId(u"r%1"_s.arg(i)), Json::object(), {}, CheckExtent::whole, m_subject->context(&sinks[i])));
    for (auto& check : checks) {
        const auto checked = QCoro::waitFor(check);
        QVERIFY2(checked, checked ? "" : qPrintable(checked.error().message));
    }
    for (const RecordingSink& sink : sinks) {
        QCOMPARE(sink.findings.value(1).state.word(), u"ok"_s);
        QCOMPARE(sink.findings.last().id, u"trial"_s);
    }
    QCOMPARE(
        QDir(local().path(u"agent/svc"_s)).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{u"local"_s});
}

void TestLocalPlatform::checkEndsWithTheService()
{
    for (const int steps : {1, 2, 4}) { // the agent is being started, has answered, is at work
        RecordingSink sink;
        LocalPlatform other;
        std::stop_source service;
        Context context = m_subject->context(&sink);
        context.stop = service.get_token();
        Scope scope;
        Result<> checked;
        scope.spawn([&]() -> Task<> {
            checked = co_await other.check(OperationId(u"r"_s), Json::object(), {}, CheckExtent::whole, context);
        });
        QTRY_VERIFY_WITH_TIMEOUT(sink.findings.size() >= steps, patience);
        service.request_stop();
        QTRY_COMPARE_WITH_TIMEOUT(scope.running(), 0, patience);
        if (steps == 1)
            QVERIFY(!checked && checked.error().kind == Kind::cancelled);
    }
}

void TestLocalPlatform::limitsChangeInPlace()
{
    QVERIFY(!submit(t1, Job::waits).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    const qint64 agent = local().agentPid();
    Json settings = m_subject->settings();
    settings["maxTrialNumberPerGpu"] = 3;
    settings["gpuIndices"] = Json::array({1});
    const Result<bool> can = m_platform->canReconfigure(settings);
    QVERIFY(can && *can);
    QVERIFY(QCoro::waitFor(m_platform->reconfigure(settings)).isEmpty());
    const Machine machine = m_sink->machineLists.last().value(0);
    QCOMPARE(machine.maxTrialsPerGpu, 3);
    QCOMPARE(machine.usableGpus.value_or(QList<int>()), QList<int>{1});
    QCOMPARE(machine.state, MachineState::ready);
    QCOMPARE(local().agentPid(), agent);
    // Another folder is another agent, and not for this one; a wrong one is for none.
    settings["scratchDir"] = "/elsewhere";
    const Result<bool> elsewhere = m_platform->canReconfigure(settings);
    QVERIFY(elsewhere && !*elsewhere);
    settings["scratchDir"] = "elsewhere";
    QVERIFY(!m_platform->canReconfigure(settings));
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(facts(t1).count(TrialStatus::running), 1);
}

void TestLocalPlatform::folderDeletedByHand()
{
    (void)submit(t1, Job::waits);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\n"), patience);
    const Cursors cursors = m_sink->cursors[t1];
    closePlatform();
    const auto before = std::move(m_sink);
    const qint64 keeper = local().keeperPid(t1);
    QVERIFY(keeper > 0);
    m_subject->release(t1);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(local().folder(t1) + u"/exit"_s), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!processLives(keeper), patience); // it would make the folder anew
    QTRY_VERIFY_WITH_TIMEOUT(QDir(local().folder(t1)).removeRecursively(), patience);
    open();
    const QList<TrialRef> refs{ref(t1, cursors)};
    QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::failed, patience);
    QCOMPARE(facts(t1).observations.last().failureClass.word(), u"trialFolderLost"_s);
}

QTEST_GUILESS_MAIN(TestLocalPlatform)
#include "tst_local_platform.moc"
