// SPDX-License-Identifier: GPL-3.0-or-later
// What a program of another's does to its platform, and what must not come of it.
#include "external_subject.h"

#include "tests/services/platforms/stand_in_fixture.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

namespace {

class FaultySubject : public ExternalSubject
{
public:
    FaultySubject()
        : ExternalSubject(
            {u"python3"_s, QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/services/platforms/external/faulty_program.py")})
    {
        QDir(m_dir.path()).mkdir(u"lab"_s);
        program.command.append(lab());
    }
    QString lab(const QString& name = {}) const { return path(name.isEmpty() ? u"lab"_s : u"lab/"_s + name); }
    Json settings() override
    {
        Json settings = ExternalSubject::settings();
        settings.update({{"lab", lab().toStdString()}, {"password", "hunter22"}});
        return settings;
    }
    /// At the next such call.
    void order(const QString& call, const QByteArray& fault) { writeFile(lab(call + u".fault"_s), fault); }
    QByteArrayList calls() const { return contents(lab(u"calls"_s)).split('\n'); }
    qint64 pid() const { return contents(lab(u"program.pid"_s)).toLongLong(); }
};

} // namespace

class TestExternalFaults : public QObject, StandInFixture<FaultySubject>
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup();
    void startsBadly_data();
    void startsBadly();
    void greetsLate();
    void opensSlowly();
    void misbehaves_data();
    void misbehaves();
    void isKilled();
    void losesAJob();
    void refusesATrial();
    void hasWaitATrial();
    void takesBackNothing();
    void endsWithThePlatform();
    void checks();
    void choicesOfTheForm();
    void machinesAreShown();
    void optionsReachTheProgram();

private:
    /// Until it runs, as the engine does it: what is not known, or is for later, comes again.
    void startAnyhow(const TrialId& trial);
};

void TestExternalFaults::startAnyhow(const TrialId& trial)
{
    const TrialSpec spec = m_subject->spec(trial, Job::waits);
    SubmitOutcome outcome = submit(spec);
    QElapsedTimer time;
    time.start();
    while ((outcome.later || outcome.unknown || outcome.error) && time.elapsed() < patience) {
        QVERIFY2(
            !outcome.error || outcome.unknown, qPrintable(outcome.error ? outcome.error->message.text() : QString()));
        QTest::qWait(500);
        outcome = submit(spec);
    }
    QVERIFY(!outcome.later && !outcome.error && !outcome.unknown);
    awaitBegin(trial);
}

void TestExternalFaults::cleanup()
{
    const qint64 pid = m_subject->pid();
    QVERIFY2(!said().contains(u"hunter22"_s), "a secret was said");
    end();
    QTRY_VERIFY_WITH_TIMEOUT(!processLives(pid), 30'000);
}

void TestExternalFaults::startsBadly_data()
{
    QTest::addColumn<QByteArray>("greeting");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("word");
    QTest::newRow("dies") << QByteArray("die") << Kind::platform << u"exit code 3: ImportError: no module named lab"_s;
    QTest::newRow("another protocol") << QByteArray("other protocol") << Kind::invalid << u"version 2"_s;
    QTest::newRow("silent") << QByteArray("silent") << Kind::timeout << u"said nothing for 20 s"_s;
}

void TestExternalFaults::startsBadly()
{
    QFETCH(QByteArray, greeting);
    QFETCH(Kind, kind);
    QFETCH(QString, word);
    m_subject->order(u"greeting"_s, greeting);
    const Result<> opened = tryOpen(Json::object());
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, kind);
    QVERIFY2(opened.error().message.contains(word), qPrintable(opened.error().message));
    QVERIFY(opened.error().message.hasKey());
    QCoro::waitFor(m_platform->close());
    open(); // it can be tried again
    m_subject->program.command = {u"no-such-program"_s};
    QCoro::waitFor(m_platform->close());
    const Result<> missing = tryOpen(Json::object());
    QVERIFY(!missing && missing.error().kind == Kind::invalid);
    QVERIFY2(missing.error().message.contains(u"no-such-program"_s), qPrintable(missing.error().message));
}

void TestExternalFaults::greetsLate()
{
    m_subject->order(u"greeting"_s, "late"); // and with a line that is no message before it
    open();
    start(t1);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

void TestExternalFaults::opensSlowly()
{
    m_subject->callMs = 5'000;
    m_subject->order(u"open"_s, "slow"); // longer than an ordinary call may take
    open();
    QCOMPARE(m_subject->calls().count("open"), 1);
}

void TestExternalFaults::misbehaves_data()
{
    QTest::addColumn<QString>("call");
    QTest::addColumn<QByteArray>("fault");
    for (const char* call : {"submit", "jobs", "machines"})
        for (const char* fault : {"die", "before die", "half", "never", "hang", "answer and die", "garbage", "twice",
                 "stray", "long", "wrong"})
            QTest::addRow("%s: %s", call, fault) << QString::fromLatin1(call) << QByteArray(fault);
    QTest::newRow("cancel: die") << u"cancel"_s << QByteArray("before die");
    QTest::newRow("forget: die") << u"forget"_s << QByteArray("die");
    QTest::newRow("jobs: none") << u"jobs"_s << QByteArray(R"({"jobs": []})");
    QTest::newRow("jobs: refused") << u"jobs"_s << QByteArray(R"({"error": {"kind": "platform", "message": "no"}})");
}

/// Whatever happened: the trial ran once, and all of it is known.
void TestExternalFaults::misbehaves()
{
    QFETCH(QString, call);
    QFETCH(QByteArray, fault);
    if (fault == "never" || fault == "hang")
        m_subject->callMs = 5'000;
    open();
    m_subject->order(call, fault);
    startAnyhow(t1);
    if (call == u"cancel") {
        QTRY_VERIFY_WITH_TIMEOUT(cancel(t1), patience); // it is repeated until it is heard
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::user_canceled, patience);
        return;
    }
    if (call != u"machines")
        QTRY_VERIFY_WITH_TIMEOUT(call == u"forget" || !QFileInfo::exists(m_subject->lab(call + u".fault"_s)), patience);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(m_subject->starts(t1), 1);
    QCOMPARE(facts(t1).begins(), 1);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\nend\n"));
    QList<TrialRef> refs{TrialRef{.trial = t1, .experiment = ExperimentId(u"e1"_s)}};
    QVERIFY(QCoro::waitFor(m_platform->remove(ExperimentId(u"e1"_s), refs)));
    QVERIFY(!m_subject->leftovers(t1));
}

void TestExternalFaults::isKilled()
{
    open();
    start(t1);
    const qint64 before = m_subject->pid();
    QCOMPARE(::kill(pid_t(before), SIGKILL), 0);
    startAnyhow(t2); // the program is started for it
    QVERIFY(m_subject->pid() != before);
    m_subject->release(t1);
    m_subject->release(t2);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::succeeded, patience);
    QCOMPARE(m_subject->starts(t1) + m_subject->starts(t2), 2);
    QCOMPARE(m_subject->calls().count("open"), 2);
}

void TestExternalFaults::losesAJob()
{
    open();
    start(t1);
    QVERIFY(QDir(m_subject->lab(u"jobs"_s)).rename(u"td-s1-t1"_s, u"somebody's"_s));
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::unknown, patience);
    m_subject->release(t1); // the end is read from the log in its folder
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(m_subject->starts(t1), 1);
}

void TestExternalFaults::refusesATrial()
{
    open();
    m_subject->order(u"submit"_s, R"(before {"error": {"kind": "invalid", "message": "No queue takes that."}})");
    const SubmitOutcome outcome = submit(t1, Job::quick);
    QVERIFY(outcome.error && !outcome.unknown);
    QCOMPARE(outcome.error->message.text(), u"No queue takes that."_s);
}

void TestExternalFaults::hasWaitATrial()
{
    open();
    m_subject->order(u"submit"_s, R"({"later": "The queue is full.", "afterSeconds": 7})");
    const SubmitOutcome outcome = submit(t1, Job::quick);
    QVERIFY(outcome.later);
    QCOMPARE(outcome.later->reason.text(), u"The queue is full."_s);
}

/// A job that is listed as waiting again is not a second run.
void TestExternalFaults::takesBackNothing()
{
    open();
    start(t1);
    m_subject->order(u"jobs"_s, R"({"jobs": [{"name": "td-s1-t1", "state": "waiting"}]})");
    QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(m_subject->lab(u"jobs.fault"_s)), patience);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(facts(t1).begins(), 1);
}

void TestExternalFaults::endsWithThePlatform()
{
    open();
    start(t1);
    const qint64 pid = m_subject->pid();
    QVERIFY(processLives(pid));
    const QByteArray words = contents(u"/proc/%1/cmdline"_s.arg(pid)) + contents(u"/proc/%1/environ"_s.arg(pid));
    QVERIFY(!words.contains("hunter22"));
    QVERIFY(contents(m_subject->lab(u"opened"_s)).contains("hunter22")); // it is in the call `open`
    QElapsedTimer closing;
    closing.start();
    QCoro::waitFor(m_platform->close());
    QTRY_VERIFY_WITH_TIMEOUT(!processLives(pid), 30'000);
    QVERIFY(m_subject->lives(t1));
    if (closing.elapsed() < 5'000) // later it is ended by force
        QCOMPARE(m_subject->calls().count("close"), 1);
    m_subject->release(t1);
    QTRY_VERIFY_WITH_TIMEOUT(!m_subject->lives(t1), patience);
}

void TestExternalFaults::checks()
{
    const auto check = [&](const Json& more) {
        m_sink->findings.clear();
        Json settings = m_subject->settings();
        settings.update(more);
        const auto platform = m_subject->make();
        return QCoro::waitFor(
            platform->check(OperationId(u"r"_s), settings, {}, CheckExtent::whole, m_subject->context(m_sink.get())));
    };
    const auto steps = [&](std::optional<CheckState> state) {
        QStringList names;
        for (const CheckStep& step : m_sink->findings)
            if (!state || step.state == *state)
                names.append(step.id);
        return names.join(u' ');
    };
    const Result<> good = check(Json::object());
    QVERIFY2(good, good ? "" : qPrintable(good.error().message));
    QCOMPARE(steps({}), u"program program.queue open folder job"_s);
    QCOMPARE(steps(CheckState::ok), steps({}));
    QVERIFY(!check({{"queue", "bad"}}));
    QCOMPARE(steps(CheckState::fail), u"program.queue"_s);
    QCOMPARE(m_sink->findings.last().remedy.text(), u"Choose main."_s);
    QVERIFY(!check({{"queue", "none"}}));
    QCOMPARE(steps(CheckState::fail), u"open"_s);
    QVERIFY(!check({{"folder", "/proc/nowhere"}}));
    QCOMPARE(steps(CheckState::fail), u"folder"_s);
    m_subject->order(u"check"_s, "die");
    QVERIFY(!check(Json::object()));
    QCOMPARE(steps(CheckState::fail), u"check"_s);
    m_subject->order(u"greeting"_s, "die");
    QVERIFY(!check(Json::object()));
    QCOMPARE(steps(CheckState::fail), u"program"_s);
    m_subject->order(u"describe"_s, R"({"title": ""})");
    QVERIFY(!check(Json::object()));
    QCOMPARE(steps(CheckState::fail), u"program"_s);
    QVERIFY(!check({{"nodeFolder", "/elsewhere"}})); // nodes do not see it there
    QCOMPARE(steps(CheckState::fail), u"job"_s);
}

void TestExternalFaults::choicesOfTheForm()
{
    const auto choices = [&](const QString& field) {
        const auto platform = m_subject->make();
        return QCoro::waitFor(platform->choices(field, Json::object(), m_subject->context(m_sink.get())));
    };
    QCOMPARE(choices(u"queue"_s).value_or(QStringList()), (QStringList{u"main"_s, u"night"_s}));
    QVERIFY(choices(u"lab"_s).value_or(QStringList{u"?"_s}).isEmpty());
    m_subject->order(u"choices"_s, "die");
    QVERIFY(!choices(u"queue"_s));
}

void TestExternalFaults::machinesAreShown()
{
    open();
    QTRY_VERIFY_WITH_TIMEOUT(!m_sink->machineLists.isEmpty(), patience);
    const QList<Machine> machines = m_sink->machineLists.last();
    QCOMPARE(machines.size(), 1);
    QCOMPARE(machines[0].id, MachineId(u"own.node1"_s));
    QCOMPARE(machines[0].gpus.size(), 2);
    start(t1);
    QTRY_COMPARE_WITH_TIMEOUT(last(t1).machine, machines[0].id, patience);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

void TestExternalFaults::optionsReachTheProgram()
{
    open();
    TrialSpec spec = m_subject->spec(t1, Job::quick);
    spec.platformOptions = {{"priority", 3}};
    spec.gpuNumber = 2;
    QVERIFY(!submit(spec).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    const Json told = parseJson(contents(m_subject->lab(u"submits"_s)).trimmed()).value_or(Json());
    QCOMPARE(told["options"]["priority"].get<int>(), 3);
    QCOMPARE(told["gpus"].get<int>(), 2);
    QCOMPARE(told["name"].get<QString>(), u"td-s1-t1"_s);
    QVERIFY(told["script"].get<QString>().startsWith(told["folder"].get<QString>()));
}

QTEST_GUILESS_MAIN(TestExternalFaults)
#include "tst_external_faults.moc"
