// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite, and faults, over a real sshd.
#include "remote_subject.h"

#include "tests/fakes/cutting_relay.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QRegularExpression>

using namespace platform_test;

class TestRemotePlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<RemoteSubject>(); }

protected:
    QByteArray parameterOf(const TrialId& trial, int index) override
    {
        return contents(remote().folder(trial) + u"/parameter_%1.cfg"_s.arg(index));
    }
    /// One that is still connecting after 3 s refuses trials.
    bool isReady() const override { return m_sink->machineLists.last().value(0).state == MachineState::ready; }
    RemoteSubject& remote() { return *static_cast<RemoteSubject*>(m_subject.get()); }
    MachineState stateNow() { return m_sink->machineLists.last().value(0).state; }
    SubmitOutcome submitSpec(const TrialSpec& spec)
    {
        const QList<TrialSpec> specs{spec};
        return QCoro::waitFor(m_platform->submit(specs)).value(0);
    }
    /// Writes so many lines into each stream; those after `gate` only when it is released.
    TrialSpec counting(int lines, int gate = 0)
    {
        return remote().command(t1,
            u"mkdir -p \"$NNI_SYS_DIR/.nni\"; for i in $(seq 1 %1); do echo \"line $i\"; echo \"{\\\"metric\\\": $i}\" "
            u">> \"$TRIALDECK_METRICS_FILE\"; echo \"n $i\" >> \"$NNI_SYS_DIR/.nni/metrics\"; "
            u"while [ $i = %2 ] && [ ! -e '%3' ]; do sleep 0.02; done; done"_s.arg(lines)
                .arg(gate)
                .arg(remote().path(u"release."_s + t1.value)));
    }
    void verifyCounted(int lines)
    {
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
        QCOMPARE(m_subject->starts(t1), 1);
        QCOMPARE(facts(t1).stream(Stream::file).count('\n'), lines);
        QCOMPARE(facts(t1).stream(Stream::nni).count('\n'), lines);
        QCOMPARE(facts(t1).stream(Stream::stdout_lines).count('\n'), lines);
        QVERIFY(!facts(t1).recordsAfterEnd);
    }

private slots:
    void connectionCutInMidTrial();
    void agentKilledInMidTrial();
    void machineAwayAndBack();
    void codeTravelsOnce();
    void trialsHaveTheAccountNotTheLogin();
    void uploadIsShown();
    void settingsRefused_data();
    void settingsRefused();
    void checkUnsaved();
    void asksWithoutALogin();
    void failedCheckSaysItOnce_data();
    void failedCheckSaysItOnce();
    void checkEndsTheWait_data();
    void checkEndsTheWait();
    void changedHostKeyIsTrusted();
    void linkCutAtRandomBytes_data();
    void linkCutAtRandomBytes();
};

void TestRemotePlatform::connectionCutInMidTrial()
{
    QVERIFY(!submitSpec(counting(3000, 1500)).error);
    int cuts = 0;
    while (!facts(t1).ended() && cuts < 4) {
        const qint64 seen = m_sink->recordBytes;
        QTRY_VERIFY_WITH_TIMEOUT(m_sink->recordBytes > seen || facts(t1).ended(), patience);
        if (!facts(t1).ended()) {
            remote().sshd().cut();
            m_subject->release(t1); // it cannot have ended before the first cut
            ++cuts;
        }
    }
    verifyCounted(3000);
    QVERIFY(cuts > 0);
}

void TestRemotePlatform::agentKilledInMidTrial()
{
    QVERIFY(!submitSpec(counting(2000)).error);
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->recordBytes > 0, patience);
    const qint64 agent = remote().agentPid();
    QVERIFY(agent > 0);
    kill(pid_t(agent), SIGKILL);
    verifyCounted(2000);
}

void TestRemotePlatform::machineAwayAndBack()
{
    QVERIFY(!submit(t1, Job::waits).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    remote().sshd().stopListening();
    remote().sshd().cut();
    // Silence is reported, and changes nothing on the machine.
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->losses.contains(remote().machine()), patience);
    QCOMPARE(stateNow(), MachineState::silent);
    QVERIFY(m_subject->lives(t1));
    QVERIFY(submit(t2, Job::quick).error);
    const int runningBefore = facts(t1).count(TrialStatus::running);
    QVERIFY(remote().sshd().start());
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), MachineState::ready, patience);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).count(TrialStatus::running), runningBefore + 1, patience);
    m_subject->release(t1);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
    QCOMPARE(m_subject->starts(t1), 1);
    QCOMPARE(m_subject->starts(t2), 0);
}

void TestRemotePlatform::codeTravelsOnce()
{
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), MachineState::ready, patience);
    QDir().mkpath(remote().path(u"code/deep"_s));
    writeFile(remote().path(u"code/deep/hello.txt"_s), "from the code\n");
    for (const TrialId& trial : {t1, t2}) {
        TrialSpec spec = remote().command(trial, u"cat deep/hello.txt; echo $NNI_PLATFORM"_s);
        spec.code.kind = CodeSource::Kind::snapshot;
        spec.code.sha = QString(64, u'a');
        spec.code.folder = remote().path(u"code"_s);
        QVERIFY(!submitSpec(spec).error);
        QTRY_VERIFY_WITH_TIMEOUT(facts(trial).ended(), patience);
        QCOMPARE(facts(trial).stream(Stream::stdout_lines), QByteArray("from the code\nremote\n"));
    }
    const QDir code(remote().sshd().home() + u"/.local/share/trialdeck-agent/code"_s);
    QCOMPARE(code.entryList({u"?????????*"_s}, QDir::Dirs | QDir::NoDotAndDotDot)
                 .filter(QRegularExpression(u"^[0-9a-f]{64}$"_s))
                 .size(),
        1);
}

/// The umask is the account's. What ~/.bashrc prints is not a trial's: bash reads it where SSH_CLIENT says that it serves a login.
void TestRemotePlatform::trialsHaveTheAccountNotTheLogin()
{
    writeFile(remote().sshd().home() + u"/.bashrc"_s, "echo acc=9.99\n");
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), MachineState::ready, patience);
    TrialSpec spec = remote().command(t1, u"umask; env | grep ^SSH_ || echo no login"_s);
    spec.stdoutWatch = StdoutWatch::all;
    QVERIFY(!submitSpec(spec).error);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("0022\nno login\n")); // sshd's own, at least
}

void TestRemotePlatform::uploadIsShown()
{
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), MachineState::ready, patience);
    QDir().mkpath(remote().path(u"code"_s));
    QByteArray noise(3'000'000, Qt::Uninitialized);
    QRandomGenerator random(1);
    for (char& byte : noise)
        byte = char(random.bounded(256));
    writeFile(remote().path(u"code/noise"_s), noise);
    QList<TrialSpec> specs;
    for (const TrialId& trial : {t1, t2}) {
        TrialSpec spec = remote().command(trial, u"true"_s);
        spec.code.kind = CodeSource::Kind::snapshot;
        spec.code.sha = QString(64, u'a');
        spec.code.folder = remote().path(u"code"_s);
        specs.append(spec);
    }
    for (const SubmitOutcome& outcome : QCoro::waitFor(m_platform->submit(specs)))
        QVERIFY(!outcome.error);
    // One upload, and both that wait for it see how far it is.
    for (const TrialId& trial : {t1, t2}) {
        const QStringList told = m_sink->progresses[trial];
        QVERIFY(told.size() > 5);
        QVERIFY2(told.first().contains(u"% of 3.0 MB"_s), qPrintable(told.first()));
        QVERIFY2(told.last().startsWith(u"It is being started on "_s), qPrintable(told.last()));
        QTRY_VERIFY_WITH_TIMEOUT(facts(trial).ended(), patience);
    }
}

void TestRemotePlatform::settingsRefused_data()
{
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<QString>("named");
    QTest::newRow("none") << QByteArray("{}") << u"machineList"_s;
    QTest::newRow("empty") << QByteArray(R"({"machineList": []})") << u"machineList"_s;
    QTest::newRow("no host") << QByteArray(R"({"machineList": [{"user": "a"}]})") << u"machineList[0].host"_s;
    QTest::newRow("option as host") << QByteArray(R"({"machineList": [{"host": "-oProxyCommand=x"}]})")
                                    << u"machineList[0].host"_s;
    QTest::newRow("a command as user") << QByteArray(R"({"machineList": [{"host": "a", "user": "x$(id)y"}]})")
                                       << u"machineList[0].user: The user `x$(id)y` must not hold `$`"_s;
    QTest::newRow("a command as host") << QByteArray(R"({"machineList": [{"host": "a`id`"}]})")
                                       << u"machineList[0].host: The host `a`id`` must not hold"_s;
    QTest::newRow("a port that wraps") << QByteArray(R"({"machineList": [{"host": "a", "port": 4294967318}]})")
                                       << u"machineList[0].port"_s;
    QTest::newRow("port") << QByteArray(R"({"machineList": [{"host": "a", "port": 70000}]})")
                          << u"machineList[0].port"_s;
    QTest::newRow("relative folder") << QByteArray(R"({"machineList": [{"host": "b", "scratchDir": "x"}]})")
                                     << u"machineList[0].scratchDir"_s;
    QTest::newRow("two wrong ones") << QByteArray(
        R"({"machineList": [{"host": "a", "port": 0}, {"host": "b", "scratchDir": "x"}]})")
                                    << u"machineList[0].port"_s;
    QTest::newRow("placement") << QByteArray(R"({"machineList": [{"host": "a"}], "placement": "scatter"})")
                               << u"placement must be one of: pack, spread"_s;
    QTest::newRow("placement of a machine")
        << QByteArray(R"({"machineList": [{"host": "a", "placement": "spread"}]})") << u"machineList[0].placement"_s;
    QTest::newRow("trials a GPU") << QByteArray(R"({"machineList": [{"host": "a", "maxTrialNumberPerGpu": 0}]})")
                                  << u"machineList[0].maxTrialNumberPerGpu"_s;
}

void TestRemotePlatform::settingsRefused()
{
    QFETCH(QByteArray, settings);
    QFETCH(QString, named);
    const auto other = m_subject->make();
    RecordingSink sink;
    const auto opened = QCoro::waitFor(other->open(*parseJson(settings), m_subject->context(&sink)));
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, Kind::invalid);
    QVERIFY2(opened.error().message.contains(named), qPrintable(opened.error().message));
}

void TestRemotePlatform::checkUnsaved()
{
    const auto other = m_subject->make();
    RecordingSink sink;
    const auto checked = QCoro::waitFor(other->check(
        OperationId(u"r1"_s), m_subject->settings(), MachineId(), CheckExtent::whole, m_subject->context(&sink)));
    QVERIFY2(checked, checked ? "" : qPrintable(checked.error().message));
    QStringList states;
    for (const CheckStep& step : std::as_const(sink.findings)) {
        QCOMPARE(step.machineId, remote().machine());
        states += step.id + u'=' + step.state.word();
    }
    for (const QString& wanted :
        {u"login=ok"_s, u"hostKey=ok"_s, u"cleanShell=ok"_s, u"shell=ok"_s, u"process=ok"_s, u"trial=ok"_s})
        QVERIFY2(states.contains(wanted), qPrintable(states.join(u' ')));
    // Nothing of it is left but the agent itself, which the open platform uses.
    const QStringList machines = QDir(remote().sshd().home() + u"/.local/share/trialdeck-agent/svc"_s)
                                     .entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(machines, QStringList{remote().machine().value});
}

/// What is reached is asked over the way that is open: no login, no trial.
void TestRemotePlatform::asksWithoutALogin()
{
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), MachineState::ready, patience);
    remote().sshd().stopListening(); // the link stays, and no new login is possible
    const auto ask = [this](const MachineId& machine, RecordingSink& sink) {
        return QCoro::waitFor(m_platform->check(
            OperationId(u"r1"_s), Json::object(), machine, CheckExtent::look, m_subject->context(&sink)));
    };
    RecordingSink sink;
    const Result<> asked = ask({}, sink);
    QVERIFY2(asked, asked ? "" : qPrintable(asked.error().message));
    QStringList ids;
    for (const CheckStep& step : std::as_const(sink.findings)) {
        QCOMPARE(step.machineId, remote().machine());
        ids += step.id;
    }
    QVERIFY2(ids.contains(u"gpu"_s), qPrintable(ids.join(u' ')));
    QVERIFY2(!ids.contains(u"login"_s) && !ids.contains(u"trial"_s), qPrintable(ids.join(u' ')));
    QCOMPARE(ask(MachineId(u"other"_s), sink).error().kind, Kind::not_found);
    // Once it is gone, that is what is reported of it.
    remote().sshd().cut();
    QTRY_VERIFY_WITH_TIMEOUT(stateNow() != MachineState::ready, patience);
    RecordingSink later;
    QVERIFY(!ask({}, later));
    QCOMPARE(later.findings.size(), 1);
    QCOMPARE(later.findings[0].machineId, remote().machine());
    QCOMPARE(later.findings[0].state.word(), u"fail"_s);
}

void TestRemotePlatform::failedCheckSaysItOnce_data()
{
    QTest::addColumn<QString>("trouble");
    QTest::addColumn<QString>("step");
    QTest::addColumn<QString>("remedy");
    QTest::newRow("login refused") << u"key"_s << u"login"_s << u"ssh-copy-id -p "_s;
    QTest::newRow("nobody listens") << u"away"_s << u"login"_s << u" true"_s;
    QTest::newRow("nobody listens, by the program ssh") << u"program"_s << u"login"_s << u" true"_s;
    QTest::newRow("another host key") << u"hostKey"_s << u"hostKey"_s << u"Compare the fingerprint"_s;
    QTest::newRow("folder cannot be written") << u"folder"_s << u"agent"_s << u"scratchDir"_s;
    QTest::newRow("preCommand fails") << u"setup"_s << u"agent"_s << u"preCommand"_s;
}

void TestRemotePlatform::failedCheckSaysItOnce()
{
    QFETCH(QString, trouble);
    QFETCH(QString, step);
    QFETCH(QString, remedy);
    Json machine = remote().machineJson();
    if (trouble == u"key") {
        TestSshd::writeFile(remote().sshd().folder() + u"/authorized_keys"_s, {});
    } else if (trouble == u"folder") {
        machine["scratchDir"] = "/proc/nothing";
    } else if (trouble == u"setup") {
        machine["preCommand"] = "(exit 3)";
    } else {
        QTRY_COMPARE_WITH_TIMEOUT(stateNow(), MachineState::ready, patience); // it knows the first key
        remote().sshd().stopListening();
        remote().sshd().newHostKey();
        if (trouble == u"hostKey")
            QVERIFY(remote().sshd().start());
        else if (trouble == u"program")
            machine["useSshProgram"] = true;
    }
    const auto other = m_subject->make();
    RecordingSink sink;
    const auto checked = QCoro::waitFor(other->check(OperationId(u"r1"_s),
        Json{{"machineList", Json::array({machine})}}, {}, CheckExtent::whole, m_subject->context(&sink)));
    QVERIFY(!checked);
    QList<CheckStep> failed = sink.findings;
    failed.removeIf([](const CheckStep& each) { return each.state != CheckState::fail; });
    QCOMPARE(failed.size(), 1);
    QCOMPARE(failed[0].id, step);
    QCOMPARE(failed[0].detail, checked.error().message);
    if (trouble == u"away" || trouble == u"program")
        QVERIFY2(failed[0].detail.contains(u"refused the connection"_s), qPrintable(failed[0].detail));
    QVERIFY2(failed[0].remedy.contains(remedy), qPrintable(failed[0].remedy));
    QVERIFY(!failed[0].detail.contains(failed[0].remedy.text()) && failed[0].remedy != checked.error().detail);
    // Callers that wait for the agent get the error.
    const auto agent = std::find_if(
        sink.findings.crbegin(), sink.findings.crend(), [](const CheckStep& each) { return each.id == u"agent"; });
    QVERIFY(agent != sink.findings.crend() && agent->state != CheckState::running);
}

void TestRemotePlatform::checkEndsTheWait_data()
{
    QTest::addColumn<bool>("whole");
    QTest::newRow("ask now") << false;
    QTest::newRow("check") << true;
}

/// A machine that refused the login is tried again after a long time; a person who checks it has mended it, perhaps.
void TestRemotePlatform::checkEndsTheWait()
{
    QFETCH(bool, whole);
    closePlatform();
    const QString keys = remote().sshd().folder() + u"/authorized_keys"_s;
    const QByteArray text = contents(keys);
    TestSshd::writeFile(keys, {});
    remote().reconnect.personMs = 3'600'000;
    m_sink = std::make_unique<RecordingSink>();
    m_platform = m_subject->make();
    QVERIFY(QCoro::waitFor(m_platform->open(m_subject->settings(), m_subject->context(m_sink.get()))));
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), MachineState::failed, patience);
    TestSshd::writeFile(keys, text);
    RecordingSink sink;
    const Result<> checked = QCoro::waitFor(m_platform->check(OperationId(u"r1"_s), m_subject->settings(),
        remote().machine(), whole ? CheckExtent::whole : CheckExtent::look, m_subject->context(&sink)));
    QCOMPARE(bool(checked), whole); // the one asks for what is there, which is nothing yet
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), MachineState::ready, patience);
}

void TestRemotePlatform::changedHostKeyIsTrusted()
{
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), MachineState::ready, patience);
    remote().sshd().stopListening();
    remote().sshd().newHostKey();
    remote().sshd().cut();
    QVERIFY(remote().sshd().start());
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), MachineState::failed, patience);
    const QString message = m_sink->machineLists.last().value(0).message;
    const QRegularExpressionMatch shown = QRegularExpression(u"shown was (SHA256:[^.]+)\\."_s).match(message);
    QVERIFY2(shown.hasMatch(), qPrintable(message));
    QVERIFY(!QCoro::waitFor(m_platform->trust(remote().machine(), u"SHA256:other"_s)));
    QVERIFY(QCoro::waitFor(m_platform->trust(remote().machine(), shown.captured(1))));
    QTRY_COMPARE_WITH_TIMEOUT(stateNow(), MachineState::ready, patience);
}

void TestRemotePlatform::linkCutAtRandomBytes_data()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 1; seed <= 4; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestRemotePlatform::linkCutAtRandomBytes()
{
    QFETCH(quint32, seed);
    closePlatform();
    QVERIFY(QDir(remote().sshd().home() + u"/.local"_s).removeRecursively()); // the agent travels once more
    // The login takes some thousand bytes, the agent a million, the code and what comes back the rest.
    QRandomGenerator random(seed);
    QList<qint64> budgets;
    for (const int most : {8'000, 900'000, 1'500'000, 1'200'000})
        budgets += random.bounded(1'000, most);
    CuttingRelay relay(remote().sshd().port(), budgets);
    QByteArray known = remote().sshd().knownHostsLine();
    known += known;
    known.replace(known.size() / 2, known.size() / 2,
        known.left(known.size() / 2)
            .replace(QByteArray::number(remote().sshd().port()), QByteArray::number(relay.port())));
    writeFile(remote().path(u"known_hosts"_s), known);
    remote().setOwn(
        u"%1/.local/share/trialdeck-agent/svc/lab.127.0.0.1-%2/"_s.arg(remote().sshd().home()).arg(relay.port()));
    Json machine = remote().machineJson();
    machine["port"] = relay.port();
    m_sink = std::make_unique<RecordingSink>();
    m_platform = m_subject->make();
    QVERIFY(QCoro::waitFor(
        m_platform->open(Json{{"machineList", Json::array({machine})}}, m_subject->context(m_sink.get()))));

    QDir().mkpath(remote().path(u"code"_s));
    QByteArray noise(400'000, Qt::Uninitialized);
    for (char& byte : noise)
        byte = char(random.bounded(256));
    writeFile(remote().path(u"code/noise"_s), noise);
    TrialSpec spec = counting(300);
    spec.code.kind = CodeSource::Kind::snapshot;
    spec.code.sha = QString(64, u'b');
    spec.code.folder = remote().path(u"code"_s);
    // As the engine does: again while it is known that nothing was started, and never when that is not known.
    QElapsedTimer timer;
    const auto submitAsTheEngine = [&](const TrialSpec& wanted) {
        timer.start();
        SubmitOutcome outcome;
        do {
            outcome = submitSpec(wanted);
            if (outcome.error && !outcome.unknown)
                QTest::qWait(100);
        } while (outcome.error && !outcome.unknown && retryable(outcome.error->kind) && timer.elapsed() < 240'000);
        QVERIFY2(!outcome.error || outcome.unknown, outcome.error ? qPrintable(outcome.error->message) : "");
    };
    submitAsTheEngine(spec);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    verifyCounted(300);
    // The same for one that is cancelled: it ends once, by us.
    submitAsTheEngine(m_subject->spec(t2, Job::waits));
    QTRY_VERIFY_WITH_TIMEOUT(facts(t2).stream(Stream::stdout_lines).contains("begin"), patience);
    timer.start();
    while (!cancel(t2, CancelIntent::user) && timer.elapsed() < 240'000)
        QTest::qWait(100);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t2).ended(), patience);
    QCOMPARE(facts(t2).status(), TrialStatus::user_canceled);
    QCOMPARE(m_subject->starts(t2), 1);
    QVERIFY(relay.cuts() >= 2);
}

QTEST_GUILESS_MAIN(TestRemotePlatform)
#include "tst_remote_platform.moc"
