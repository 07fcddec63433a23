// SPDX-License-Identifier: GPL-3.0-or-later
// The mechanism that all clusters share, over a wire of the test: how often it asks, and what it makes of answers that fail, come late,
// or name somebody else's trial.
#include "tests/fakes/fake_clock.h"
#include "tests/services/platforms/recording_sink.h"

#include "services/platforms/cluster/cluster_platform.h"

#include <QCoroTask>
#include <QDir>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace platform_test;

namespace {

constexpr qint64 minuteMs = 60'000;

class FakeWire : public ClusterWire
{
public:
    Task<Result<>> open() override
    {
        ++busy;
        isBusy = true;
        if (refuses)
            co_return fail(Kind::network, u"nobody answers"_m);
        co_return Result<>{};
    }
    Task<> close() override
    {
        busy -= std::exchange(isBusy, false); // it may be closed twice
        co_return;
    }
    QString name() const override { return u"lab"_s; }
    Task<QList<SubmitOutcome>> submit(QList<TrialSpec> specs) override
    {
        if (gate) {
            const OneShot<bool> opened = *gate;
            co_await opened.wait();
        }
        QList<SubmitOutcome> outcomes;
        for (const TrialSpec& spec : specs) {
            ++submitted;
            SubmitOutcome outcome{.trial = spec.id};
            if (noAnswer) {
                outcome.unknown = true;
                outcome.error = Error{Kind::timeout, u"no answer"_m, {}};
            } else {
                outcome.handle = QString::number(submitted);
            }
            if (takes)
                put(spec.id, JobFact::Phase::waiting);
            outcomes.append(outcome);
        }
        co_return outcomes;
    }
    Task<Result<QList<JobFact>>> jobs() override
    {
        ++questions;
        if (isDown)
            co_return fail(Kind::network, u"the controller does not answer"_m);
        QList<JobFact> list;
        for (const auto& [id, fact] : facts)
            list.append(fact);
        co_return list;
    }
    Task<Result<QList<JobFact>>> endedJobs(QList<TrialRef>) override { co_return QList<JobFact>(); }
    Task<Result<>> cancel(QList<TrialRef> trials) override
    {
        for (const TrialRef& ref : trials) {
            cancelled.append(ref.trial.value);
            if (const auto it = facts.find(ref.trial); it != facts.end()) {
                it->second.phase = JobFact::Phase::ended;
                it->second.end = TrialStatus::sys_canceled;
                it->second.isDecisive = true;
            }
        }
        co_return Result<>{};
    }
    Task<Result<QList<LogPart>>> readLogs(QList<LogWish> wishes) override
    {
        ++reads;
        QList<LogPart> parts;
        for (const LogWish& wish : wishes) {
            LogPart part{.trial = wish.trial.trial, .part = wish.part};
            const auto& all = wish.part.isEmpty() ? logs : partLogs[wish.part];
            const auto log = all.find(wish.trial.trial);
            if (log != all.end()) {
                part.state = LogPart::State::read;
                part.bytes = QByteArray::fromStdString(log->second).mid(wish.offset);
                part.identity = "i";
                part.isEnd = wish.part.isEmpty() || !partsRun;
            }
            parts.append(part);
        }
        co_return parts;
    }
    QStringList logParts(const TrialId&) const override
    {
        QStringList names;
        for (const auto& [name, byTrial] : partLogs)
            names.append(name);
        return names;
    }
    Task<Result<QList<Machine>>> machines() override
    {
        ++questions;
        if (isDown)
            co_return fail(Kind::network, u"the controller does not answer"_m);
        co_return QList<Machine>();
    }
    Task<Result<QStringList>> logNames(TrialRef) override { co_return QStringList(); }
    Task<Result<Bytes>> readFile(TrialRef, QString, qint64, qint64) override { co_return Bytes(); }
    Task<Result<FileList>> listFiles(TrialRef, QString, qint64) override { co_return FileList(); }
    MachineId machineOf(const QString& node) const override { return MachineId(u"lab."_s + node); }
    QString folderText(const TrialRef&) const override { return u"/shared"_s; }
    bool showsResults() const override { return true; }
    Task<std::vector<Result<>>> showResults(QList<TrialResult> results) override
    {
        if (gate) {
            const OneShot<bool> opened = *gate;
            co_await opened.wait();
        }
        std::vector<Result<>> outcomes;
        for (const TrialResult& result : results) {
            shown.append(u"%1 %2=%3"_s.arg(result.trial.trial.value, result.metric).arg(result.value));
            outcomes.push_back(result.value < 0 ? fail(Kind::invalid, u"no more than 50"_m) : Result<>{});
        }
        shown.append(u"."_s);
        co_return outcomes;
    }
    Task<Result<>> remove(ExperimentId, QList<TrialRef>) override { co_return Result<>{}; }
    Task<Result<int>> removeUnknown(ExperimentId, QSet<TrialId>) override { co_return 0; }
    Task<Result<>> check(OperationId, CheckExtent, Sink*) override { co_return Result<>{}; }
    qint64 listIntervalMs() const override { return 10'000; }
    qint64 logIntervalMs() const override { return 1'000; }
    int mostJobs() const override { return most; }
    bool looksForLogs() const override { return true; }
    bool forgetsLogs() const override { return forgets; }
    bool hearsOfChanges() const override { return hears; }

    void put(const TrialId& trial, JobFact::Phase phase)
    {
        JobFact& fact = facts[trial];
        fact.trial = trial;
        fact.phase = phase;
    }

    inline static bool forgets = false; ///< of the next one that is opened
    inline static bool hears = false;
    inline static bool refuses = false; ///< likewise
    bool isBusy = false;
    inline static int busy = 0; ///< wires that were opened, or tried to, and not closed
    std::map<TrialId, std::string> logs;
    std::map<QString, std::map<TrialId, std::string>> partLogs;
    bool partsRun = false;
    std::map<TrialId, JobFact> facts;
    std::optional<OneShot<bool>> gate; ///< submissions wait for it
    QStringList cancelled;
    QStringList shown; ///< results, and a dot behind each call
    int questions = 0; ///< of the controller
    int reads = 0;     ///< of logs
    int submitted = 0;
    int most = 0;
    bool isDown = false;
    bool noAnswer = false;
    bool takes = true; ///< what is submitted is there
};

class FakeCluster : public ClusterPlatform
{
public:
    KindDescription describe() const override { return {.kind = u"fake"_s, .title = u"Fake"_m}; }
    Task<Result<QStringList>> choices(QString, Json, Context) override { co_return QStringList(); }
    [[nodiscard]] FakeWire& fake() const { return *static_cast<FakeWire*>(wire()); }

    inline static std::optional<qint64> adoptedMs; ///< of the next one that is opened

protected:
    JobPatience patience() const override { return {.adoptedMs = adoptedMs}; }
    Result<std::unique_ptr<ClusterWire>> makeWire(const Json&, const Context&) const override
    {
        return std::unique_ptr<ClusterWire>(std::make_unique<FakeWire>());
    }
};

TrialSpec specOf(const TrialId& id)
{
    TrialSpec spec;
    spec.id = id;
    spec.experimentId = ExperimentId(u"e1"_s);
    return spec;
}

/// What the keeper of a trial's only run writes to its log for this output, which begins at `offset` of it.
std::string framesOf(
    const QByteArray& output, qint64 offset = 0, trialkeeper::PodStream stream = trialkeeper::PodStream::standardOutput)
{
    std::string text;
    trialkeeper::PodFrameWriter("t1", "7f").addBytes(text, stream, std::uint64_t(offset), output.toStdString());
    return text;
}

} // namespace

class TestClusterPlatform : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void atMostOneQuestionInTenSeconds();
    void aClusterThatDoesNotAnswer();
    void silentWithoutJobs();
    void anAnswerThatNeverCame();
    void anAnswerThatNeverCameOfATakenJob();
    void oneThatWasNeverHandedOver_data();
    void oneThatWasNeverHandedOver();
    void aCancelWhileItIsSubmitted();
    void aCancelOfOneThatHasEnded();
    void listedAfterItsEnd();
    void fullQueue();
    void somebodyElsesTrial();
    void closed();
    void aLogThatGrewIsReadAtOnce();
    void logsOutliveTheirJobs();
    void oneThatDoesNotOpenIsClosed();
    void aReadThatIsBeingKeptIsNotOvertaken();
    void aLogThatCannotBeKept();
    void otherPartsHaveLogs();
    void partsThatNeverEnd();
    void resultsAreShownTogether();
    void resultsOfAClosedPlatform();

private:
    void showResult(const TrialId& id, double value)
    {
        TrialResult result;
        result.trial.trial = id;
        result.metric = u"acc"_s;
        result.value = value;
        m_platform->showResult(result);
    }
    void open(bool forgetsLogs);
    [[nodiscard]] Result<Bytes> read(const QString& name, const ReadRange& range = {})
    {
        const TrialRef ref{.trial = t1, .experiment = ExperimentId(u"e1"_s)};
        return QCoro::waitFor(m_platform->readLog(ref, name, range));
    }
    [[nodiscard]] FakeWire& wire() const { return m_platform->fake(); }
    SubmitOutcome submit(const TrialId& id)
    {
        const QList<TrialSpec> specs{specOf(id)};
        return QCoro::waitFor(m_platform->submit(specs)).value(0);
    }
    void cancel(const TrialId& id)
    {
        const QList<TrialRef> refs{TrialRef{.trial = id, .experiment = ExperimentId(u"e1"_s)}};
        QVERIFY(QCoro::waitFor(m_platform->cancel(refs, CancelIntent::user)));
    }
    /// Writes a line and the end of a success to its log.
    void endInLog(const TrialId& id)
    {
        wire().logs[id] = framesOf("done\n");
        QVERIFY(trialkeeper::PodFrameWriter(id.value.toStdString(), "7f")
                    .addWhole(wire().logs[id], 'x', 0,
                        "5 0 0 0 " + std::string(R"({"type":"exited","final":true,"success":true,"exitCode":0})")));
    }
    /// A second later.
    [[nodiscard]] bool hasEnded(const TrialId& id)
    {
        m_clock.advance(1'000);
        return !m_sink.of(id).observations.isEmpty() && isFinal(last(id).status);
    }
    [[nodiscard]] const Observation& last(const TrialId& id) { return m_sink.of(id).observations.last(); }

    const TrialId t1{u"t1"_s};
    QTemporaryDir m_folder;
    fakes::FakeClock m_clock;
    RecordingSink m_sink;
    std::unique_ptr<FakeCluster> m_platform;
};

void TestClusterPlatform::init()
{
    open(false);
}

void TestClusterPlatform::open(bool forgetsLogs)
{
    FakeWire::forgets = forgetsLogs;
    m_sink = RecordingSink();
    m_platform = std::make_unique<FakeCluster>();
    Context context;
    context.id = PlatformId(u"lab"_s);
    context.sink = &m_sink;
    context.clock = &m_clock;
    context.dataDir = m_folder.path();
    QVERIFY(QCoro::waitFor(m_platform->open(Json::object(), context)));
    m_clock.advance(1);
}

void TestClusterPlatform::cleanup()
{
    QCoro::waitFor(m_platform->close());
    m_platform.reset();
    QCOMPARE(FakeWire::busy, 0);
}

/// The engine drops a platform whose open() failed, and makes another one.
void TestClusterPlatform::oneThatDoesNotOpenIsClosed()
{
    FakeWire::refuses = true;
    FakeCluster other;
    Context context;
    context.id = PlatformId(u"other"_s);
    context.sink = &m_sink;
    context.clock = &m_clock;
    context.dataDir = m_folder.path();
    const auto opened = QCoro::waitFor(other.open(Json::object(), context));
    FakeWire::refuses = false;
    QVERIFY(!opened);
    QCOMPARE(FakeWire::busy, 1);   // m_platform's
    QCoro::waitFor(other.close()); // harmless
}

void TestClusterPlatform::atMostOneQuestionInTenSeconds()
{
    for (int i = 0; i < 1'000; ++i)
        (void)submit(TrialId(u"t%1"_s.arg(i)));
    const int before = wire().questions;
    constexpr int minutes = 30;
    for (int second = 0; second < minutes * 60; ++second) {
        m_clock.advance(1'000);
        if (second % 3 == 0) // a person who is in a hurry
            cancel(TrialId(u"t%1"_s.arg(second / 3)));
        if (second % 7 == 0)
            (void)submit(TrialId(u"more%1"_s.arg(second)));
        if (second % 60 == 0)
            (void)QCoro::waitFor(m_platform->adopt({}));
    }
    const int asked = wire().questions - before;
    qInfo("%d questions in %d minutes with 1,000 jobs", asked, minutes);
    QVERIFY2(asked <= minutes * 6, qPrintable(QString::number(asked)));
    QVERIFY(asked >= minutes * 4); // and is not forgotten
    QVERIFY(last(TrialId(u"t0"_s)).status == TrialStatus::user_canceled);
}

void TestClusterPlatform::aClusterThatDoesNotAnswer()
{
    (void)submit(t1);
    wire().put(t1, JobFact::Phase::running);
    m_clock.advance(12'000);
    QCOMPARE(last(t1).status, TrialStatus::running);
    QVERIFY(last(t1).startTime); // the cluster did not say one
    wire().isDown = true;
    const int before = wire().questions;
    m_clock.advance(5 * minuteMs);
    QCOMPARE(m_sink.states.last(), PlatformState::silent);
    QCOMPARE(m_sink.losses.size(), 1); // once
    QVERIFY2(
        wire().questions - before <= 6, qPrintable(QString::number(wire().questions - before))); // gentler: 30 without
    QVERIFY(last(t1).status == TrialStatus::running); // silence says nothing about a trial
    wire().isDown = false;
    m_clock.advance(3 * minuteMs);
    QCOMPARE(m_sink.states.last(), PlatformState::ready);
    QCOMPARE(last(t1).status, TrialStatus::running); // said again: it was UNKNOWN meanwhile
    QCOMPARE(m_sink.of(t1).count(TrialStatus::running), 2);
}

/// Its last job has ended, by its log, before the next list: nothing but that it is silent needs a question.
void TestClusterPlatform::silentWithoutJobs()
{
    wire().isDown = true;
    m_clock.advance(3 * minuteMs);
    QCOMPARE(m_sink.states.last(), PlatformState::silent);
    wire().isDown = false;
    QVERIFY(!submit(t1).handle.isEmpty());
    endInLog(t1);
    wire().facts.clear();
    QTRY_VERIFY(hasEnded(t1));
    m_clock.advance(22'000); // an interval, doubled for one failure
    QCOMPARE(m_sink.states.last(), PlatformState::ready);
    // Without anything that is submitted: as long as it takes with jobs.
    wire().isDown = true;
    m_clock.advance(15 * minuteMs);
    QCOMPARE(m_sink.states.last(), PlatformState::silent);
    const int before = wire().questions;
    m_clock.advance(10 * minuteMs);
    QVERIFY2(wire().questions - before <= 5, qPrintable(QString::number(wire().questions - before)));
    wire().isDown = false;
    m_clock.advance(132'000);
    QCOMPARE(m_sink.states.last(), PlatformState::ready);
}

void TestClusterPlatform::anAnswerThatNeverCame()
{
    wire().noAnswer = true;
    wire().takes = false;
    const SubmitOutcome outcome = submit(t1);
    QVERIFY(outcome.unknown);
    m_clock.advance(40'000);
    QVERIFY(m_sink.of(t1).observations.isEmpty()); // it may come late
    m_clock.advance(minuteMs);
    QVERIFY(last(t1).failureClass == FailureClass::neverStarted);
    wire().noAnswer = false;
    wire().takes = true;
    QVERIFY(!submit(t1).handle.isEmpty()); // the next is a new one
}

void TestClusterPlatform::anAnswerThatNeverCameOfATakenJob()
{
    wire().noAnswer = true;
    QVERIFY(submit(t1).unknown);
    wire().noAnswer = false;
    wire().facts[t1].handle = u"17"_s;
    m_clock.advance(12'000);
    const SubmitOutcome again = submit(t1);
    QCOMPARE(again.handle, u"17"_s);
    QVERIFY(!again.unknown);
    QCOMPARE(wire().submitted, 1);
}

void TestClusterPlatform::oneThatWasNeverHandedOver_data()
{
    QTest::addColumn<bool>("hears");
    QTest::addColumn<qint64>("adoptedMs");
    QTest::addColumn<bool>("isCancelled");
    QTest::addColumn<qint64>("leastMs");
    QTest::addColumn<qint64>("mostMs");
    QTest::newRow("changes are pushed") << true << 3'000LL << false << 3'000LL << 4'000LL;
    QTest::newRow("no tighter than its interval") << false << 3'000LL << false << 10'000LL << 21'000LL;
    QTest::newRow("it may come late") << true << 0LL << false << minuteMs << 61'000LL;
    QTest::newRow("its end was requested") << true << 3'000LL << true << minuteMs << 61'000LL;
}

/// The service was killed before it handed the trial over, or just behind it: the next one finds out.
void TestClusterPlatform::oneThatWasNeverHandedOver()
{
    QFETCH(bool, hears);
    QFETCH(qint64, adoptedMs);
    QFETCH(bool, isCancelled);
    QFETCH(qint64, leastMs);
    QFETCH(qint64, mostMs);
    cleanup();
    FakeWire::hears = hears;
    FakeCluster::adoptedMs = adoptedMs > 0 ? std::optional(adoptedMs) : std::nullopt;
    open(false);
    const QList<TrialRef> refs{TrialRef{.trial = t1, .experiment = ExperimentId(u"e1"_s)}};
    QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
    if (isCancelled)
        cancel(t1);
    qint64 passed = 0;
    for (; m_sink.of(t1).observations.isEmpty() && passed < 2 * minuteMs; passed += 100)
        m_clock.advance(100);
    FakeWire::hears = false;
    FakeCluster::adoptedMs.reset();
    QCOMPARE(last(t1).status, isCancelled ? TrialStatus::user_canceled : TrialStatus::failed);
    QVERIFY2(passed >= leastMs && passed <= mostMs, qPrintable(QString::number(passed)));
    // It is asked no more than that.
    const int before = wire().questions;
    m_clock.advance(5 * minuteMs);
    QVERIFY2(wire().questions <= before + 6, qPrintable(QString::number(wire().questions - before)));
}

void TestClusterPlatform::aCancelWhileItIsSubmitted()
{
    wire().gate.emplace();
    const QList<TrialSpec> specs{specOf(t1)};
    auto submitting = m_platform->submit(specs);
    auto twice = m_platform->submit(specs);
    cancel(t1);
    QVERIFY(wire().cancelled.isEmpty());
    wire().gate->set(true);
    QCOMPARE(QCoro::waitFor(submitting).value(0).handle, u"1"_s);
    QCOMPARE(QCoro::waitFor(twice).value(0).handle, u"1"_s);
    QCOMPARE(wire().cancelled, QStringList{u"t1"_s});
    m_clock.advance(minuteMs);
    QCOMPARE(last(t1).status, TrialStatus::user_canceled);
}

/// Its job may be there still, and run: what the cluster says of it then is not reported.
void TestClusterPlatform::aCancelOfOneThatHasEnded()
{
    (void)submit(t1);
    wire().put(t1, JobFact::Phase::running);
    endInLog(t1);
    QTRY_VERIFY(hasEnded(t1));
    QCOMPARE(last(t1).status, TrialStatus::succeeded);
    const qsizetype reported = m_sink.of(t1).observations.size();
    cancel(t1);
    QCOMPARE(wire().cancelled, QStringList{u"t1"_s});
    for (int i = 0; i < 10; ++i) {
        m_clock.advance(30'000);
        QCoreApplication::processEvents();
    }
    QCOMPARE(m_sink.of(t1).observations.size(), reported);
    QCOMPARE(last(t1).status, TrialStatus::succeeded);
}

/// The keeper's word of an end is faster than the cluster's, also of a trial that is taken up.
void TestClusterPlatform::listedAfterItsEnd()
{
    wire().isDown = true;
    endInLog(t1);
    const QList<TrialRef> refs{TrialRef{.trial = t1, .experiment = ExperimentId(u"e1"_s), .handle = u"7"_s}};
    QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
    QTRY_VERIFY(hasEnded(t1));
    wire().isDown = false;
    wire().put(t1, JobFact::Phase::running);
    const int before = wire().questions;
    const auto isListed = [&] {
        m_clock.advance(10'000);
        return wire().questions >= before + 3; // for machines, too
    };
    QTRY_VERIFY(isListed());
    QCOMPARE(last(t1).status, TrialStatus::succeeded);
}

void TestClusterPlatform::fullQueue()
{
    wire().most = 2;
    QVERIFY(!submit(t1).later);
    QVERIFY(!submit(TrialId(u"t2"_s)).later);
    const SubmitOutcome third = submit(TrialId(u"t3"_s));
    QVERIFY(third.later && third.later->reason.text().contains(u"2 jobs"));
    QVERIFY(!submit(t1).later); // one that is there
    cancel(t1);
    m_clock.advance(minuteMs);
    QVERIFY(!submit(TrialId(u"t3"_s)).later);
}

void TestClusterPlatform::somebodyElsesTrial()
{
    const TrialId other(u"other"_s);
    (void)submit(t1);
    wire().put(other, JobFact::Phase::running);
    m_clock.advance(minuteMs);
    QVERIFY(m_sink.of(other).observations.isEmpty());
    // Asked for what is there, it is said once; the engine knows whether it should be.
    (void)QCoro::waitFor(m_platform->adopt({}));
    m_clock.advance(minuteMs);
    QCOMPARE(m_sink.of(other).observations.size(), 1);
}

void TestClusterPlatform::closed()
{
    (void)submit(t1);
    QCoro::waitFor(m_platform->close());
    m_sink.closed = true;
    m_clock.advance(minuteMs);
    QVERIFY(submit(TrialId(u"t2"_s)).error.has_value());
    const QList<TrialRef> refs{TrialRef{.trial = t1}};
    QVERIFY(!QCoro::waitFor(m_platform->cancel(refs, CancelIntent::user)));
    QVERIFY(!QCoro::waitFor(m_platform->readLog(refs[0], u"stdout"_s, {})));
}

void TestClusterPlatform::aLogThatGrewIsReadAtOnce()
{
    (void)submit(t1);
    wire().put(t1, JobFact::Phase::running);
    m_clock.advance(12'000);
    int before = wire().reads;
    for (int i = 0; i < 200 && wire().reads == before; ++i) // behind one of the reads of each second
        m_clock.advance(10);
    before = wire().reads;
    emit wire().logsGrew();
    m_clock.advance(150);
    QCOMPARE(wire().reads, before + 1);
    // Something that writes all the time neither puts the reads off nor adds one for each word.
    const int busy = wire().reads;
    for (int i = 0; i < 200; ++i) {
        emit wire().logsGrew();
        m_clock.advance(10);
    }
    const int read = wire().reads - busy;
    QVERIFY2(read >= 15 && read <= 21, qPrintable(QString::number(read)));
}

void TestClusterPlatform::logsOutliveTheirJobs()
{
    cleanup();
    open(true);
    (void)submit(t1);
    wire().put(t1, JobFact::Phase::running);
    wire().logs[t1] = framesOf("hello\n");
    const auto says = [this](const QString& name, const QByteArray& words) {
        const Result<Bytes> bytes = read(name);
        return bytes && bytes->bytes == words;
    };
    m_clock.advance(12'000);
    QTRY_VERIFY(says(u"stdout"_s, "hello\n"));
    QVERIFY(says(u"stderr"_s, {}));
    ReadRange tail;
    tail.tail = 3;
    QCOMPARE(read(u"stdout"_s, tail)->bytes, QByteArray("lo\n"));
    QVERIFY(!read(u"stdout"_s)->end); // more may come
    wire().logs[t1] += framesOf("bye\n", 6);
    const auto moreCame = [&] {
        m_clock.advance(1'000);
        return says(u"stdout"_s, "hello\nbye\n");
    };
    QTRY_VERIFY(moreCame());
    // The cluster forgets it, and the next service finds what was kept.
    wire().facts[t1].phase = JobFact::Phase::ended;
    wire().facts[t1].end = TrialStatus::succeeded;
    const auto hasEnded = [&] {
        m_clock.advance(10'000);
        return isFinal(last(t1).status);
    };
    QTRY_VERIFY(hasEnded());
    wire().logs.clear();
    wire().facts.clear();
    cleanup();
    open(true);
    QVERIFY(says(u"stdout"_s, "hello\nbye\n"));
    QVERIFY(read(u"stdout"_s)->end);
    const TrialRef ref{.trial = t1, .experiment = ExperimentId(u"e1"_s)};
    QCOMPARE(*QCoro::waitFor(m_platform->logNames(ref)), (QStringList{u"stdout"_s, u"stderr"_s}));
    QVERIFY(QCoro::waitFor(m_platform->remove(ref.experiment, {ref})));
    QVERIFY(says(u"stdout"_s, {}));
    QVERIFY(QDir(m_folder.filePath(u"logs/lab"_s)).isEmpty());
}

/// What was read is reported once it is kept, which takes a while; what is read behind it must not be reported before.
void TestClusterPlatform::aReadThatIsBeingKeptIsNotOvertaken()
{
    cleanup();
    open(true);
    (void)submit(t1);
    wire().put(t1, JobFact::Phase::running);
    m_clock.advance(12'000);
    QByteArray metrics;
    qint64 output = 0;
    for (int i = 0; i < 50; ++i) {
        const QByteArray metric = "metric " + QByteArray::number(i) + '\n';
        std::string& log = wire().logs[t1];
        trialkeeper::PodFrameWriter("t1", "7f")
            .addBytes(log, trialkeeper::PodStream::file, std::uint64_t(metrics.size()), metric.toStdString());
        metrics += metric;
        if (i % 2 == 0) // beside these there is something to keep
            log += framesOf("x\n", std::exchange(output, output + 2));
        emit wire().logsGrew();
        m_clock.advance(150); // no event of the thread that keeps comes in between
    }
    const auto isRead = [&] {
        m_clock.advance(1'000);
        return m_sink.of(t1).stream(Stream::file).size() >= metrics.size();
    };
    QTRY_VERIFY(isRead());
    QCOMPARE(m_sink.of(t1).stream(Stream::file), metrics);
}

/// They are kept by name, report nothing, and are read on to their end when the trial is over.
void TestClusterPlatform::otherPartsHaveLogs()
{
    cleanup();
    open(true);
    (void)submit(t1);
    wire().put(t1, JobFact::Phase::running);
    wire().logs[t1] = framesOf("leader\n");
    wire().partsRun = true;
    wire().partLogs[u"worker-10"_s][t1] = framesOf("ten\n");
    std::string& worker = wire().partLogs[u"worker-9"_s][t1];
    worker = framesOf("helper\n") + framesOf("9.5", 0, trialkeeper::PodStream::file)
        + framesOf("oops\n", 0, trialkeeper::PodStream::standardError);
    const auto says = [this](const QString& name, const QByteArray& words) {
        m_clock.advance(1'000);
        const Result<Bytes> bytes = read(name);
        return bytes && bytes->bytes == words;
    };
    m_clock.advance(12'000);
    QTRY_VERIFY(says(u"worker-9"_s, "helper\n"));
    QTRY_VERIFY(says(u"worker-9.stderr"_s, "oops\n"));
    QTRY_VERIFY(says(u"worker-10"_s, "ten\n"));
    QVERIFY(!read(u"worker-9"_s)->end);
    const QStringList names{u"stdout"_s, u"stderr"_s, u"worker-9"_s, u"worker-9.stderr"_s, u"worker-10"_s};
    const TrialRef ref{.trial = t1, .experiment = ExperimentId(u"e1"_s)};
    QCOMPARE(*QCoro::waitFor(m_platform->logNames(ref)), names);
    QVERIFY(m_sink.of(t1).stream(Stream::file).isEmpty());
    // The trial is over; the others write their last words.
    wire().facts[t1].phase = JobFact::Phase::ended;
    wire().facts[t1].end = TrialStatus::succeeded;
    const auto hasEnded = [&] {
        m_clock.advance(10'000);
        return isFinal(last(t1).status);
    };
    QTRY_VERIFY(hasEnded());
    QVERIFY(read(u"stdout"_s)->end);
    QVERIFY(!read(u"worker-9"_s)->end);
    worker += framesOf("bye\n", 7);
    wire().partsRun = false;
    QTRY_VERIFY(says(u"worker-9"_s, "helper\nbye\n"));
    const auto isOver = [&] {
        m_clock.advance(1'000);
        return read(u"worker-9"_s)->end;
    };
    QTRY_VERIFY(isOver());
    const int reads = wire().reads;
    m_clock.advance(20'000);
    QCOMPARE(wire().reads, reads); // nobody is read any more
    QVERIFY(QCoro::waitFor(m_platform->remove(ref.experiment, {ref})));
    QVERIFY(QDir(m_folder.filePath(u"logs/lab"_s)).isEmpty());
}

/// What was kept by one service comes again to the next; and one that has no end is given up a while after the trial's.
void TestClusterPlatform::partsThatNeverEnd()
{
    cleanup();
    open(true);
    (void)submit(t1);
    wire().put(t1, JobFact::Phase::running);
    wire().logs[t1] = {};
    wire().partLogs[u"ps-0"_s][t1] = framesOf("serves\n");
    wire().partsRun = true;
    const auto says = [this](const QByteArray& words) {
        m_clock.advance(1'000);
        const Result<Bytes> bytes = read(u"ps-0"_s);
        return bytes && bytes->bytes == words;
    };
    m_clock.advance(12'000);
    QTRY_VERIFY(says("serves\n"));
    cleanup();
    open(true);
    wire().put(t1, JobFact::Phase::running);
    wire().logs[t1] = {};
    wire().partLogs[u"ps-0"_s][t1] = framesOf("serves\n") + framesOf("on\n", 7);
    wire().partsRun = true;
    const QList<TrialRef> refs{TrialRef{.trial = t1, .experiment = ExperimentId(u"e1"_s), .handle = u"1"_s}};
    QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
    QTRY_VERIFY(says("serves\non\n"));
    wire().facts[t1].phase = JobFact::Phase::ended;
    wire().facts[t1].end = TrialStatus::succeeded;
    const auto hasEnded = [&] {
        m_clock.advance(10'000);
        return isFinal(last(t1).status);
    };
    QTRY_VERIFY(hasEnded());
    QVERIFY(!read(u"ps-0"_s)->end);
    const auto isOver = [&] {
        m_clock.advance(10'000);
        return read(u"ps-0"_s)->end;
    };
    QTRY_VERIFY(isOver());
    QVERIFY(says("serves\non\n"));
}

void TestClusterPlatform::aLogThatCannotBeKept()
{
    cleanup();
    open(true);
    QFile inTheWay(m_folder.filePath(u"logs"_s));
    QDir(inTheWay.fileName()).removeRecursively();
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    (void)submit(t1);
    wire().put(t1, JobFact::Phase::running);
    wire().logs[t1] = framesOf("hello\n");
    const auto isSaid = [&] {
        m_clock.advance(12'000);
        return !m_sink.notes.isEmpty();
    };
    QTRY_VERIFY(isSaid());
    wire().logs[t1] += framesOf("bye\n", 6);
    m_clock.advance(60'000);
    QCOMPARE(m_sink.notes.size(), 1); // once
    QCOMPARE(last(t1).status, TrialStatus::running);
    inTheWay.remove();
}

/// What comes while some are on their way goes with the next call; one that is refused holds up no other.
void TestClusterPlatform::resultsAreShownTogether()
{
    wire().gate.emplace();
    showResult(t1, 0.5);
    for (const double value : {1.0, -1.0, 2.0})
        showResult(TrialId(u"t2"_s), value);
    QVERIFY(wire().shown.isEmpty());
    wire().gate->set(true);
    const QStringList all{u"t1 acc=0.5"_s, u"."_s, u"t2 acc=1"_s, u"t2 acc=-1"_s, u"t2 acc=2"_s, u"."_s};
    QTRY_COMPARE(wire().shown, all);
    QTRY_COMPARE(m_sink.notes, QStringList{u"Its page of lab does not show its final value: no more than 50"_s});
    wire().gate.reset();
    showResult(t1, 3);
    QTRY_COMPARE(wire().shown, all + QStringList({u"t1 acc=3"_s, u"."_s}));
}

void TestClusterPlatform::resultsOfAClosedPlatform()
{
    OneShot<bool> gate = wire().gate.emplace();
    showResult(t1, -1);
    showResult(t1, 2);
    auto closing = m_platform->close();
    gate.set(true);
    QCoro::waitFor(std::move(closing));
    showResult(t1, 3);
    QCOMPARE(m_sink.notes, QStringList());
}

QTEST_GUILESS_MAIN(TestClusterPlatform)
#include "tst_cluster_platform.moc"
