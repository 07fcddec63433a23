// SPDX-License-Identifier: GPL-3.0-or-later
// One fault at one message on the wire to a real agent, for each message of a fixed scenario: what the service sees of its trials,
// and what the machine did, is each time what it is without a fault.
#include "host_subject.h"

#include "services/core/scope.h"
#include "services/platforms/hosts/local_platform.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/frame_relay.h"

#include <QCryptographicHash>
#include <QElapsedTimer>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace platform_test;
using fakes::WireFault;
using Fault = WireFault::Kind;
using Way = WireFault::Way;

namespace {

constexpr int runsAtOnce = 6;
constexpr qint64 quietMs = 60;           ///< real time without a message, after which a held one may go on
constexpr qint64 heldFakeMs = 15'000;    ///< more than the service's own deadlines: 3 s for a contact, 10 s for a hello
constexpr qint64 idleMs = 1'000;         ///< real time without a message, after which the service's clock goes on
constexpr qint64 longestRunMs = 300'000; ///< real time; about 1.5 s on an idle machine
constexpr int mostTries = 10;

const QList<TrialId> trialsOfRun{
    TrialId(u"reports"_s), TrialId(u"fails"_s), TrialId(u"cancelled"_s), TrialId(u"takenBack"_s)};
const TrialId reports = trialsOfRun[0];
const TrialId fails = trialsOfRun[1];
const TrialId cancelled = trialsOfRun[2];
const TrialId takenBack = trialsOfRun[3];

const std::pair<Fault, const char*> faultNames[] = {{Fault::cutBefore, "cut before"}, {Fault::cutInside, "cut inside"},
    {Fault::cutBehind, "cut behind"}, {Fault::silence, "silence from"}, {Fault::delayed, "delayed"},
    {Fault::doubled, "doubled"}, {Fault::swapped, "swapped"}};

QString digest(const QByteArray& bytes)
{
    const QByteArray hash = QCryptographicHash::hash(bytes, QCryptographicHash::Md5).toHex();
    return u"%1 bytes %2"_s.arg(bytes.size()).arg(QString::fromLatin1(hash.left(8)));
}

QString wayName(Way way)
{
    return way == Way::toAgent ? u"to the agent"_s : u"from the agent"_s;
}

struct Point
{
    Fault fault = Fault::none;
    WireFault::Point at;

    [[nodiscard]] QString text() const
    {
        const auto name = std::find_if(
            std::begin(faultNames), std::end(faultNames), [this](const auto& each) { return each.first == fault; });
        return u"%1 message %2 #%3 %4"_s.arg(
            QString::fromLatin1(name == std::end(faultNames) ? "no fault at" : name->second),
            QString::fromUtf8(at.message), QString::number(at.number), wayName(at.way));
    }
};

/// The machine of this computer, but its code is sent, as to one elsewhere.
class RelayedPlatform : public LocalPlatform
{
public:
    explicit RelayedPlatform(WireFault& fault)
        : m_fault(fault)
    {
    }

protected:
    [[nodiscard]] Result<QList<HostSetup>> hosts(const Json& settings, const Context& context) const override
    {
        auto setups = LocalPlatform::hosts(settings, context);
        for (HostSetup& setup : *setups) {
            setup.link = m_fault.links(context.keeperPath, context.dataDir + u"/agent"_s);
            setup.sharesFiles = false;
        }
        return setups;
    }

private:
    WireFault& m_fault;
};

/// Notes what no platform may say.
class StrictSink : public RecordingSink
{
public:
    StrictSink() { contiguous = false; }
    void records(const RecordBytes& bytes) override
    {
        const TrialFacts& facts = trials[bytes.trial];
        const qint64 expected = std::max<qint64>(facts.next[size_t(bytes.stream)], 0);
        if (bytes.offset != expected)
            problems.append(u"%1: stream %2 goes on at %3, not at %4"_s.arg(bytes.trial.value)
                                .arg(int(bytes.stream))
                                .arg(bytes.offset)
                                .arg(expected));
        if (facts.ended())
            problems.append(u"%1: records after its end"_s.arg(bytes.trial.value));
        RecordingSink::records(bytes);
        ++told;
    }
    void observed(const Observation& observation) override
    {
        if (trials[observation.trial].ended())
            problems.append(u"%1: %2 after its end"_s.arg(observation.trial.value, statusName(observation.status)));
        RecordingSink::observed(observation);
        ++told;
    }
    QStringList problems;
    qint64 told = 0;
};

class FourTrials : public HostSubject
{
public:
    FourTrials() { setOwn(path(u"agent/svc/local/"_s)); }
    std::unique_ptr<platforms::Platform> make() override { return {}; }
    QString dir() const { return m_dir.path(); }
};

/// Files that all runs read.
struct Shared
{
    QTemporaryDir dir;

    Shared()
    {
        QDir().mkpath(dir.filePath(u"code"_s));
        QByteArray bytes;
        for (quint32 i = 0, x = 1; i < 100'000; ++i, x = x * 1'664'525 + 1'013'904'223)
            bytes += char(x >> 24);
        writeFile(dir.filePath(u"code/data.bin"_s), bytes); // does not shrink: it travels in several frames
        for (const Stream stream : {Stream::nni, Stream::file, Stream::stdout_lines})
            writeFile(dir.filePath(u"stream%1"_s.arg(int(stream))), expectedStream(stream));
    }
};

/// One run of the scenario with one fault.
class Run
{
public:
    Run(Point at, const Shared& shared)
        : point(std::move(at))
        , m_shared(shared)
        , m_fault(point.fault, point.at)
        , m_platform(m_fault)
    {
        m_fault.onMessage = [this](Way way, const QByteArray& message) {
            if (way == Way::toAgent && message == "start")
                m_startsLeft = true;
        };
        m_time.start();
        m_quiet.start();
        m_scope.spawn([this] { return play(); });
    }

    /// Lets time pass. True: it is over.
    bool tick()
    {
        if (m_scope.running() == 0)
            return true;
        for (Wait& wait : std::exchange(m_waits, {})) {
            if (!m_givenUp && !wait.met())
                m_waits.push_back(wait);
            else
                OneShot<bool>(wait.shot).set(true);
        }
        if (m_startsLeft && !m_cancelsEarly) {
            m_cancelsEarly = true; // right behind its start
            m_scope.spawn([this] { return cancel(takenBack); });
        }
        const qint64 moves = m_fault.frames() + m_sink.told;
        if (moves != std::exchange(m_moves, moves))
            m_quiet.start();
        if (m_fault.isHolding() && m_quiet.hasExpired(quietMs)) {
            const bool waits = point.fault == Fault::delayed || point.fault == Fault::silence;
            if (waits && m_held < heldFakeMs) {
                m_held += 100;
                m_clock.advance(100);
            } else {
                m_fault.release();
            }
        } else if (m_fault.openLinks() == 0 || m_closing) {
            m_clock.advance(100);
        } else if (m_quiet.hasExpired(idleMs)) {
            m_quiet.start();
            m_clock.advance(100);
            ++m_idles;
        }
        if (!m_givenUp && m_time.hasExpired(longestRunMs)) {
            m_givenUp = true;
            problems.append(u"stuck at: %1, after %2 s without a message"_s.arg(m_step).arg(m_idles));
            problems += m_sink.problems;
            for (const TrialId& trial : trialsOfRun) {
                problems.append(u"%1 is %2, started %3 times, %4"_s.arg(trial.value, statusName(facts(trial).status()))
                                    .arg(m_subject.starts(trial))
                                    .arg(QString::fromUtf8(facts(trial).stream(Stream::stdout_lines).left(40))));
                m_subject.release(trial);
            }
            m_scope.spawn([this]() -> Task<> { co_await m_platform.close(); });
        }
        return false;
    }

    [[nodiscard]] const WireFault& fault() const { return m_fault; }
    [[nodiscard]] qint64 elapsedMs() const { return m_time.elapsed(); }

    const Point point;
    QStringList outcome;
    QStringList problems;

private:
    struct Wait
    {
        std::function<bool()> met;
        OneShot<bool> shot;
    };
    /// Also returns when the run is given up.
    Task<> until(std::function<bool()> met)
    {
        if (m_givenUp || met())
            co_return;
        OneShot<bool> shot;
        m_waits.push_back(Wait{std::move(met), shot});
        co_await shot.wait();
    }
    Task<> until(QString step, std::function<bool()> met)
    {
        m_step = step;
        co_await until(std::move(met));
    }
    bool isOpen(const Result<>& result)
    {
        if (!result && !m_givenUp)
            problems.append(u"%1: %2"_s.arg(m_step, result.error().message));
        return result && !m_givenUp;
    }
    [[nodiscard]] static TrialRef ref(TrialId trial)
    {
        return TrialRef{trial, ExperimentId(u"e1"_s), {}, trial.value, {}, StdoutWatch::all};
    }
    const RecordingSink::TrialFacts& facts(const TrialId& trial) { return m_sink.of(trial); }

    TrialSpec spec(const TrialId& trial)
    {
        const QString wait = u"while [ ! -e \"$DIR/release.%1\" ]; do sleep 0.02; done"_s.arg(trial.value);
        TrialSpec spec;
        if (trial == reports) {
            spec = m_subject.command(trial,
                u"mkdir -p \"$NNI_SYS_DIR/.nni\"; N=\"$NNI_SYS_DIR/.nni/metrics\" F=\"$TRIALDECK_METRICS_FILE\"; "
                "echo begin; head -n 20 $S/stream0 >> $N; head -n 20 $S/stream1 >> $F; cksum < data.bin; %1; "
                "tail -n +21 $S/stream0 >> $N; tail -n +21 $S/stream1 >> $F; cat $S/stream2 $S/stream2 $S/stream2 $S/stream2"_s
                    .arg(wait));
            spec.code.kind = CodeSource::Kind::snapshot;
            spec.code.sha = QString(64, u'a');
            spec.code.folder = m_shared.dir.filePath(u"code"_s);
        } else if (trial == fails) {
            spec = m_subject.command(trial, u"echo '{\"metric\": 0.25}' >> \"$TRIALDECK_METRICS_FILE\"; exit 3"_s);
        } else {
            spec = m_subject.command(trial, u"echo begin; %1"_s.arg(wait));
        }
        spec.environment.insert(u"S"_s, m_shared.dir.path());
        return spec;
    }

    /// As the engine does it: what the link swallowed is submitted again.
    Task<> submit(TrialId trial)
    {
        for (int i = 0; i < mostTries; ++i) {
            const QList<TrialSpec> specs{spec(trial)};
            const auto outcomes = co_await m_platform.submit(specs);
            const SubmitOutcome one = outcomes.value(0);
            if (!one.error || one.unknown || m_givenUp || facts(trial).ended())
                co_return;
            if (trial == takenBack && one.error->kind == Kind::cancelled)
                co_return;
            m_retries.append(one.error->message);
            // A moment later, when there is an agent.
            co_await until([this, isFirst = true]() mutable {
                return !std::exchange(isFirst, false) && m_fault.openLinks() > 0
                    && m_fault.count(Way::fromAgent, "hello") >= m_fault.linksMade();
            });
        }
        problems.append(u"%1 is not started: %2"_s.arg(trial.value, m_retries.value(0)));
    }
    Task<> cancel(TrialId trial)
    {
        Result<> done;
        for (int i = 0; i < mostTries && !m_givenUp; ++i) {
            const QList<TrialRef> refs{ref(trial)};
            done = co_await m_platform.cancel(refs, CancelIntent::user);
            if (done)
                co_return;
        }
        if (!m_givenUp)
            problems.append(u"cancel of %1: %2"_s.arg(trial.value, done.error().message));
    }

    Task<> play()
    {
        m_step = u"open"_s;
        Context context = m_subject.context(&m_sink);
        context.clock = &m_clock;
        const Result<> opened = co_await m_platform.open(Json::object(), context);
        if (!isOpen(opened))
            co_return;
        for (const TrialId& trial : trialsOfRun)
            m_scope.spawn([this, trial] { return submit(trial); });
        co_await until(u"one that runs until it is cancelled"_s,
            [this] { return facts(cancelled).stream(Stream::stdout_lines) == "begin\n"; });
        m_scope.spawn([this] { return cancel(cancelled); });
        co_await until(u"the first half of the reports"_s, [this] {
            return facts(reports).stream(Stream::file).count('\n') == 20
                && facts(reports).stream(Stream::nni).count('\n') == 20
                && facts(reports).stream(Stream::stdout_lines).count('\n') == 2;
        });
        m_step = u"a parameter"_s;
        Result<> sent = fail(Kind::network, u"not sent"_s);
        for (int i = 0; i < mostTries && !sent && !m_givenUp; ++i)
            sent = co_await m_platform.sendParameter(ref(reports), 1, "{\"parameter_id\": 1}");
        if (!isOpen(sent))
            co_return;
        m_step = u"a followed log"_s;
        ReadRange follow;
        follow.follow = true;
        const Result<Bytes> begin = co_await m_platform.readLog(ref(reports), u"stdout"_s, follow);
        if (!isOpen(begin ? Result<>() : Result<>(fail(begin))))
            co_return;
        outcome.append(u"followed at %1 %2"_s.arg(begin->offset).arg(digest(begin->bytes)));
        m_subject.release(reports);
        co_await until(u"all ends"_s, [this] {
            return std::all_of(
                trialsOfRun.begin(), trialsOfRun.end(), [this](const TrialId& t) { return facts(t).ended(); });
        });
        m_step = u"the log"_s;
        ReadRange whole;
        whole.limit = 4'000'000;
        const Result<Bytes> log = co_await m_platform.readLog(ref(reports), u"stdout"_s, whole);
        if (!isOpen(log ? Result<>() : Result<>(fail(log))))
            co_return;
        outcome.append(u"log at %1 %2"_s.arg(log->offset).arg(digest(log->bytes)));
        m_step = u"the last of the log"_s;
        ReadRange last;
        last.tail = 100'000;
        const Result<Bytes> tail = co_await m_platform.readLog(ref(reports), u"stdout"_s, last);
        if (!isOpen(tail ? Result<>() : Result<>(fail(tail))))
            co_return;
        outcome.append(u"tail at %1 %2"_s.arg(tail->offset).arg(digest(tail->bytes)));
        m_step = u"the list of files"_s;
        const Result<FileList> files = co_await m_platform.listFiles(ref(reports), {}, 100);
        if (!isOpen(files ? Result<>() : Result<>(fail(files))))
            co_return;
        outcome.append(u"%1 files"_s.arg(files->files.size()));
        outcome.append(
            u"parameter %1"_s.arg(QString::fromUtf8(contents(m_subject.folder(reports) + u"/parameter_1.cfg"_s))));
        m_step = u"removal"_s;
        QList<TrialRef> refs;
        for (const TrialId& trial : trialsOfRun)
            refs.append(ref(trial));
        const Result<> removed = co_await m_platform.remove(ExperimentId(u"e1"_s), refs);
        if (!isOpen(removed))
            co_return;
        for (const QString& folder : {m_subject.own() + u"trials"_s, m_subject.path(u"agent/code"_s)})
            for (const QString& left : QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot))
                outcome.append(u"left in %1: %2"_s.arg(QDir(folder).dirName(), left));
        m_step = u"close"_s;
        m_closing = true;
        co_await m_platform.close();
        m_sink.closed = true;
        tell();
    }

    void tell()
    {
        problems += m_sink.problems;
        for (const TrialId& trial : trialsOfRun) {
            const RecordingSink::TrialFacts& seen = facts(trial);
            const Observation end = seen.observations.isEmpty() ? Observation() : seen.observations.last();
            QString text = trial.value + u' ' + statusName(seen.status());
            if (trial != takenBack) { // where its cancel met it is a matter of luck
                text += u" exit %1 %2 started %3 times"_s.arg(end.exitCode.value_or(-1))
                            .arg(end.failureClass.word())
                            .arg(m_subject.starts(trial));
                for (const Stream stream : {Stream::nni, Stream::file, Stream::stdout_lines})
                    text += u", "_s + digest(seen.stream(stream));
            } else if (m_subject.starts(trial) > 1) {
                text += u" started %1 times"_s.arg(m_subject.starts(trial));
            }
            if (m_subject.lives(trial))
                text += u" and still lives"_s;
            outcome.append(text);
        }
    }

    const Shared& m_shared;
    FourTrials m_subject;
    fakes::FakeClock m_clock;
    WireFault m_fault;
    StrictSink m_sink;
    RelayedPlatform m_platform;
    Scope m_scope;
    QElapsedTimer m_time;
    QElapsedTimer m_quiet;
    QString m_step;
    QStringList m_retries;
    std::vector<Wait> m_waits;
    qint64 m_moves = 0;
    qint64 m_held = 0;
    int m_idles = 0; ///< times that the clock went on because nothing came
    bool m_startsLeft = false;
    bool m_cancelsEarly = false;
    bool m_closing = false;
    bool m_givenUp = false;
};

/// Runs the scenario with each of the faults, some at once; `seen` gets each when it is over.
void runAll(const QList<Point>& points, const Shared& shared, const std::function<void(Run&)>& seen)
{
    std::vector<std::unique_ptr<Run>> running;
    qsizetype next = 0;
    while (next < points.size() || !running.empty()) {
        while (next < points.size() && running.size() < runsAtOnce)
            running.push_back(std::make_unique<Run>(points[next++], shared));
        QTest::qWait(2);
        for (auto run = running.begin(); run != running.end();) {
            if (!(*run)->tick()) {
                ++run;
                continue;
            }
            seen(**run);
            run = running.erase(run);
        }
    }
}

} // namespace

class TestWireFaults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void eachMessage_data();
    void eachMessage();
    void cleanupTestCase();

private:
    std::unique_ptr<Shared> m_shared;
    QStringList m_expected;             ///< what the run without a fault came to
    QList<WireFault::Point> m_messages; ///< all of that run
    QSet<QByteArray> m_hit;
    int m_points = 0;
};

void TestWireFaults::initTestCase()
{
    m_shared = std::make_unique<Shared>();
    runAll({Point()}, *m_shared, [&](Run& run) {
        QVERIFY2(run.problems.isEmpty(), qPrintable(run.problems.join(u'\n')));
        m_expected = run.outcome;
        for (const auto& [message, count] : run.fault().counts())
            for (int i = 1; i <= count; ++i)
                m_messages.append(WireFault::Point{message.first, message.second, i});
    });
    qInfo().noquote() << m_messages.size() << "messages;" << m_expected.join(u"; ");
    const auto has = [this](const QString& text) {
        return std::any_of(
            m_expected.begin(), m_expected.end(), [&](const QString& line) { return line.contains(text); });
    };
    QVERIFY(has(u"reports SUCCEEDED exit 0  started 1 times"_s)
        && has(u"fails FAILED exit 3 exitCode started 1 times"_s) && has(u"cancelled USER_CANCELED"_s)
        && has(u"takenBack USER_CANCELED"_s) && !has(u"left in"_s));
    QVERIFY(has(digest(expectedStream(Stream::nni)) + u", "_s + digest(expectedStream(Stream::file))));
}

void TestWireFaults::eachMessage_data()
{
    QTest::addColumn<int>("fault");
    for (size_t i = 0; i < std::size(faultNames); ++i)
        QTest::newRow(faultNames[i].second) << int(i);
}

void TestWireFaults::eachMessage()
{
    QFETCH(int, fault);
    // By day every third message, another third with each fault, so that each message meets several.
    const int stride = qEnvironmentVariableIsSet("TRIALDECK_NIGHTLY") ? 1 : 3;
    const QString only =
        qEnvironmentVariable("TRIALDECK_WIRE_FAULT"); // part of a point's text: these alone, to look into them
    QList<Point> points;
    for (qsizetype i = 0; i < m_messages.size(); ++i) {
        const Point point{faultNames[fault].first, m_messages[i]};
        if (only.isEmpty() ? (i + fault) % stride == 0 : point.text().contains(only))
            points.append(point);
    }
    int hit = 0;
    int failed = 0;
    runAll(points, *m_shared, [&](Run& run) {
        // How the bytes of a stream are cut into messages differs from run to run: the last of them may be missing.
        if (run.fault().wasHit()) {
            ++hit;
            m_hit.insert(run.point.at.message);
        }
        if (run.problems.isEmpty() && run.outcome == m_expected)
            return;
        ++failed;
        QStringList lines = run.problems;
        for (const QString& line : std::as_const(run.outcome))
            if (!m_expected.contains(line))
                lines.append(u"it came to: %1"_s.arg(line));
        for (const QString& line : std::as_const(m_expected))
            if (!run.outcome.contains(line))
                lines.append(u"without a fault: %1"_s.arg(line));
        qWarning().noquote() << run.point.text() + u":\n    "_s + lines.join(u"\n    "_s);
    });
    qInfo() << points.size() << "points," << hit << "hit," << failed << "failed";
    m_points += hit;
    QVERIFY(hit > 0 || !only.isEmpty());
    QCOMPARE(failed, 0);
}

void TestWireFaults::cleanupTestCase()
{
    qInfo() << m_points << "points in all";
    if (QTest::currentTestFailed() || qEnvironmentVariableIsSet("TRIALDECK_WIRE_FAULT"))
        return;
    for (const char* name : {"hello", "has", "put", "start", "cancel", "parameter", "read", "readStop", "list",
             "remove", "putAck", "putDone", "started", "cancelled", "parameterDone", "data", "files", "removed",
             "records nni", "records file", "records stdout", "event running", "event cancelling", "event exited"})
        QVERIFY2(m_hit.contains(name), name);
}

QTEST_GUILESS_MAIN(TestWireFaults)
#include "tst_wire_faults.moc"
