// SPDX-License-Identifier: GPL-3.0-or-later
// What can happen to a machine behind SSH, and what its trials then are. Needs root: namespaces stand for other machines.
#include "remote_subject.h"

#include <QProcess>
#include <QRandomGenerator>

#include <sched.h>
#include <unistd.h>

using namespace platform_test;

class TestRemoteFaults : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();

    void hostWithoutProc();
    void machineRestarted();
    void diskFullForTheAgent();
    void diskFullForTheCode();
    void diskFilledByATrial();
    void servicesWithTwoBuildsOfTheAgent();
    void blackholeAndBack(); // the last one: it leaves the network of this process

private:
    /// The machine from its next start on: `script` (sh) runs in a mount namespace of its own before sshd.
    bool startInside(const QByteArray& script);
    QString openOnSmallDisk(int kib);
    void open(const Json& settings);
    SubmitOutcome submitSpec(const TrialSpec& spec)
    {
        const QList<TrialSpec> specs{spec};
        return QCoro::waitFor(m_platform->submit(specs)).value(0);
    }
    const RecordingSink::TrialFacts& facts(const TrialId& trial) { return m_sink->of(trial); }
    static Machine lastMachine(const RecordingSink& sink)
    {
        return sink.machineLists.isEmpty() ? Machine() : sink.machineLists.last().value(0);
    }
    Machine machineNow() { return lastMachine(*m_sink); }
    /// Trials are placed on machines that are ready; one that is still connecting after 3 s refuses them.
    bool isReady()
    {
        return QTest::qWaitFor([this] { return machineNow().state == MachineState::ready; }, patience);
    }

    static constexpr int patience = 120'000; ///< milliseconds, for what comes
    const TrialId t1{u"t1"_s};
    std::unique_ptr<RemoteSubject> m_subject;
    std::unique_ptr<RecordingSink> m_sink;
    std::unique_ptr<platforms::Platform> m_platform;
};

void TestRemoteFaults::init()
{
    if (getuid() != 0 || QProcess::execute(u"unshare"_s, {u"-mn"_s, u"true"_s}) != 0)
        QSKIP("namespaces need root");
    m_subject = std::make_unique<RemoteSubject>();
}

void TestRemoteFaults::cleanup()
{
    if (m_platform) {
        QCoro::waitFor(m_platform->close());
        m_sink->closed = true;
    }
    m_platform.reset();
    m_subject.reset();
}

bool TestRemoteFaults::startInside(const QByteArray& script)
{
    TestSshd& sshd = m_subject->sshd();
    const QString file = sshd.folder() + u"/inside"_s;
    TestSshd::writeFile(file, "mount --make-rprivate / && " + script + " && exec \"$@\"\n");
    sshd.setWrapper({u"unshare"_s, u"-m"_s, u"sh"_s, file});
    sshd.stopListening();
    return sshd.start();
}

void TestRemoteFaults::open(const Json& settings)
{
    m_sink = std::make_unique<RecordingSink>();
    m_platform = m_subject->make();
    const auto opened = QCoro::waitFor(m_platform->open(settings, m_subject->context(m_sink.get())));
    QVERIFY2(opened, opened ? "" : qPrintable(opened.error().message));
}

void TestRemoteFaults::hostWithoutProc()
{
    QVERIFY(startInside("mount -t tmpfs none /proc"));
    const auto platform = m_subject->make();
    RecordingSink sink;
    const Result<> checked = QCoro::waitFor(platform->check(
        OperationId(u"r1"_s), m_subject->settings(), MachineId(), CheckExtent::whole, m_subject->context(&sink)));
    QStringList told;
    for (const CheckStep& step : std::as_const(sink.findings)) {
        if (step.state == CheckState::fail)
            told += u"%1: %2 / %3"_s.arg(step.id, step.detail, step.remedy);
    }
    QVERIFY2(checked, checked ? "" : qPrintable(checked.error().message));
    QVERIFY2(told.size() == 1 && told[0].startsWith(u"proc: /proc is not mounted"_s)
            && told[0].endsWith(u"mount -t proc proc /proc"_s),
        qPrintable(told.join(u'\n')));
    open(m_subject->settings());
    QVERIFY(isReady());
    const SubmitOutcome outcome = submitSpec(m_subject->spec(t1, Job::quick));
    QVERIFY(outcome.error && !outcome.unknown);
    QVERIFY2(outcome.error->message.contains(u"/proc is not mounted"_s), qPrintable(outcome.error->message));
}

void TestRemoteFaults::machineRestarted()
{
    TestSshd& sshd = m_subject->sshd();
    const QByteArray bootId = sshd.folder().toUtf8() + "/boot_id";
    const auto boot = [&](const QByteArray& digit) {
        TestSshd::writeFile(QString::fromUtf8(bootId), digit.repeated(8) + "-0000-4000-8000-000000000000\n");
        return startInside("mount --bind " + bootId + " /proc/sys/kernel/random/boot_id");
    };
    QVERIFY(boot("1"));
    open(m_subject->settings());
    QVERIFY(isReady());
    const TrialId t2(u"t2"_s);
    QVERIFY(!submitSpec(m_subject->spec(t1, Job::waits)).error);
    QVERIFY(!submitSpec(m_subject->spec(t2, Job::quick)).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\n"), patience);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t2).ended(), patience);
    sshd.powerOff();
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->losses.contains(m_subject->machine()), patience);
    QVERIFY(!facts(t1).ended()); // silence is no end
    QVERIFY(boot("2"));
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    const Observation end = facts(t1).observations.last();
    QCOMPARE(end.status, TrialStatus::failed);
    QCOMPARE(end.failureClass.word(), u"machineRestarted"_s);
    QVERIFY2(end.reason.contains(u"restart"_s), qPrintable(end.reason));
    QCOMPARE(facts(t2).status(), TrialStatus::succeeded);
    QCOMPARE(m_subject->starts(t1), 1);
    // It is a machine like any other again.
    const TrialId t3(u"t3"_s);
    QVERIFY(!submitSpec(m_subject->spec(t3, Job::quick)).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t3).status(), TrialStatus::succeeded, patience);
}

void TestRemoteFaults::diskFullForTheAgent()
{
    const QString full = m_subject->sshd().folder() + u"/full"_s;
    QDir().mkpath(full);
    QVERIFY(startInside("mount -t tmpfs -o mode=0700,size=128k none " + full.toUtf8()));
    Json machine = m_subject->machineJson();
    machine["scratchDir"] = full;
    open(Json{{"machineList", Json::array({machine})}});
    QTRY_VERIFY_WITH_TIMEOUT(machineNow().message.contains(u"the disk may be full"_s), patience);
    QVERIFY2(machineNow().message.contains(full), qPrintable(machineNow().message));
}

/// Opens the platform with the scratch folder on a disk that has room for the agent and so many KiB more; returns that folder,
/// empty when the disk cannot be mounted.
QString TestRemoteFaults::openOnSmallDisk(int kib)
{
    const QString base = m_subject->sshd().folder() + u"/small"_s;
    QDir().mkpath(base);
    const qint64 room = QFileInfo(QStringLiteral(TRIALDECK_BIN_DIR "/trialkeeper")).size() / 1024 + kib;
    if (!startInside("mount -t tmpfs -o mode=0700,size=" + QByteArray::number(room) + "k none " + base.toUtf8()))
        return {};
    Json machine = m_subject->machineJson();
    machine["scratchDir"] = base;
    m_subject->setBase(base);
    open(Json{{"machineList", Json::array({machine})}});
    return base;
}

void TestRemoteFaults::diskFullForTheCode()
{
    QVERIFY(!openOnSmallDisk(2'000).isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(machineNow().state, MachineState::ready, patience);

    QDir().mkpath(m_subject->path(u"code"_s));
    QByteArray noise(4'000'000, Qt::Uninitialized);
    QRandomGenerator random(1);
    for (char& byte : noise)
        byte = char(random.bounded(256));
    writeFile(m_subject->path(u"code/noise"_s), noise);
    TrialSpec spec = m_subject->spec(t1, Job::quick);
    spec.code.kind = CodeSource::Kind::snapshot;
    spec.code.sha = QString(64, u'c');
    spec.code.folder = m_subject->path(u"code"_s);
    const SubmitOutcome outcome = submitSpec(spec);
    QVERIFY(outcome.error && !outcome.unknown);
    QCOMPARE(outcome.error->kind, Kind::resource);
    QVERIFY2(outcome.error->message.contains(u"disk is full"_s), qPrintable(outcome.error->message));
    // What had arrived is gone again, so that a trial without it runs.
    QTRY_COMPARE_WITH_TIMEOUT(machineNow().message, QString(), patience);
    QCOMPARE(machineNow().state, MachineState::ready);
    const TrialId t2(u"t2"_s);
    QVERIFY(!submitSpec(m_subject->spec(t2, Job::quick)).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::succeeded, patience);
}

/// The machine says so while it lasts, and the trial that met it says so for good.
void TestRemoteFaults::diskFilledByATrial()
{
    const QString base = openOnSmallDisk(4'000);
    QVERIFY(!base.isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(machineNow().state, MachineState::ready, patience);
    QCOMPARE(machineNow().message, QString());
    TrialSpec spec = m_subject->spec(t1, Job::quick);
    spec.command = u"cat /dev/zero > big; code=$?; exit $code"_s;
    QVERIFY(!submitSpec(spec).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::failed, patience);
    const Observation end = facts(t1).observations.last();
    QCOMPARE(end.exitCode, std::optional(1));
    QVERIFY2(end.reason.contains(u"exit code 1"_s), qPrintable(end.reason));
    QVERIFY2(end.reason.contains(u"disk of its folder was full"_s), qPrintable(end.reason));
    QTRY_VERIFY2_WITH_TIMEOUT(
        machineNow().message.contains(u"disk of %1 is full"_s.arg(base)), qPrintable(machineNow().message), patience);
    QCOMPARE(machineNow().state, MachineState::ready);
    // Gone with what filled it.
    const QList<TrialRef> refs{TrialRef{.trial = t1, .experiment = spec.experimentId, .cursors = {}}};
    const Result<> removed = QCoro::waitFor(m_platform->remove(spec.experimentId, refs));
    QVERIFY2(removed.has_value(), removed ? "" : qPrintable(removed.error().message));
    QTRY_COMPARE_WITH_TIMEOUT(machineNow().message, QString(), patience);
}

void TestRemoteFaults::servicesWithTwoBuildsOfTheAgent()
{
    // A second service, whose agent is another file, comes to the same account while the first one's trial runs.
    open(m_subject->settings());
    QVERIFY(isReady());
    QVERIFY(!submitSpec(m_subject->spec(t1, Job::waits)).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\n"), patience);
    const QString other = m_subject->path(u"other/trialkeeper"_s);
    QDir().mkpath(m_subject->path(u"other"_s));
    writeFile(other, contents(m_subject->keeperPath()) + "another build");
    QFile::setPermissions(other, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    RecordingSink sink;
    Context context = m_subject->context(&sink);
    context.serviceId = u"svc2"_s;
    context.keeperPath = other;
    const auto second = m_subject->make();
    QVERIFY(QCoro::waitFor(second->open(m_subject->settings(), context)));
    QTRY_COMPARE_WITH_TIMEOUT(lastMachine(sink).state, MachineState::ready, patience);
    const TrialId t2(u"t2"_s);
    const QList<TrialSpec> specs{m_subject->spec(t2, Job::quick)};
    const SubmitOutcome submitted = QCoro::waitFor(second->submit(specs)).value(0);
    QVERIFY2(!submitted.error, submitted.error ? qPrintable(submitted.error->message + submitted.error->detail) : "");
    QTRY_COMPARE_WITH_TIMEOUT(sink.of(t2).status(), TrialStatus::succeeded, patience);
    QCoro::waitFor(second->close());
    const QDir bin(m_subject->sshd().home() + u"/.local/share/trialdeck-agent/bin"_s);
    QCOMPARE(bin.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 2);

    // The first one is updated: its new agent takes over what the old one's keeper watches.
    QCoro::waitFor(m_platform->close());
    m_sink->closed = true;
    m_sink = std::make_unique<RecordingSink>();
    context = m_subject->context(m_sink.get());
    context.keeperPath = other;
    m_platform = m_subject->make();
    QVERIFY(QCoro::waitFor(m_platform->open(m_subject->settings(), context)));
    QVERIFY(isReady());
    const QList<TrialRef> refs{TrialRef{t1, ExperimentId(u"e1"_s), {}, t1.value, {}, StdoutWatch::all}};
    QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\nend\n"));
    QCOMPARE(m_subject->starts(t1), 1);
}

void TestRemoteFaults::blackholeAndBack()
{
    // A network of our own, which can be taken away without a message to either end.
    m_subject.reset();
    const auto link = [](const QString& state) {
        return QProcess::execute(u"ip"_s, {u"link"_s, u"set"_s, u"lo"_s, state}) == 0;
    };
    if (::unshare(CLONE_NEWNET) != 0 || !link(u"up"_s))
        QSKIP("network namespaces cannot be had");
    m_subject = std::make_unique<RemoteSubject>(QByteArray(), transport::SshSilence{500, 8'000});
    open(m_subject->settings());
    QVERIFY(isReady());
    QVERIFY(!submitSpec(m_subject->spec(t1, Job::waits)).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\n"), patience);
    const int running = facts(t1).count(TrialStatus::running);
    QVERIFY(link(u"down"_s));
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->losses.contains(m_subject->machine()), patience);
    QCOMPARE(machineNow().state, MachineState::silent);
    QVERIFY(!facts(t1).ended());
    m_subject->release(t1); // it ends while there is no contact
    QTRY_VERIFY_WITH_TIMEOUT(!m_subject->lives(t1), patience);
    QVERIFY(link(u"up"_s));
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), 2 * patience);
    QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
    QVERIFY(facts(t1).count(TrialStatus::running) >= running);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\nend\n"));
    QCOMPARE(m_subject->starts(t1), 1);
    QCOMPARE(machineNow().state, MachineState::ready);
}

QTEST_GUILESS_MAIN(TestRemoteFaults)
#include "tst_remote_faults.moc"
