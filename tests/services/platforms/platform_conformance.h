// SPDX-License-Identifier: GPL-3.0-or-later
// What every platform must do, whatever it is: one suite, run against each of them. A subject knows how to make the platform and
// how to let a trial of it do what a test needs; the tests know nothing but the contract.
#pragma once

#include "recording_sink.h"

#include <QCoroTask>
#include <QTest>

#include <memory>

namespace platform_test {

/// What a trial does.
enum class Job {
    quick,   ///< nothing; exit code 0
    failing, ///< exit code 3
    waits,   ///< prints `begin` and a line break, waits to be released, prints `end`, exit code 0
    streams, ///< writes expectedStream() to all three streams, then exit code 0
    files,   ///< writes output/a.txt ("alpha"), output/deep/b.bin, output/trial.log ("log\n")
    ignores, ///< like waits, but ends only when it is killed
};

[[nodiscard]] inline QByteArray expectedStream(Stream stream)
{
    QByteArray out;
    for (int i = 0; i < 2'000; ++i) {
        switch (stream) {
        case Stream::nni:
            out += QByteArray("ME000020{\"n\":") + QByteArray::number(10'000'000 + i) + "}\n";
            break;
        case Stream::file:
            out += QByteArray("{\"metric\": ") + QByteArray::number(i) + ", \"step\": " + QByteArray::number(i) + "}\n";
            break;
        case Stream::stdout_lines:
            out += QByteArray("line ") + QByteArray::number(i) + "\n";
            break;
        }
    }
    return out;
}

class Subject
{
public:
    virtual ~Subject() = default;
    /// A platform that is not open. A second one stands for the next life of the service on the same machine.
    virtual std::unique_ptr<Platform> make() = 0;
    virtual Json settings() { return Json::object(); }
    virtual Context context(Sink* sink) = 0;
    virtual TrialSpec spec(const TrialId& trial, Job job) = 0;
    virtual void release(const TrialId& trial) = 0;
    /// How often its command really began.
    virtual int starts(const TrialId& trial) = 0;
    /// Whether anything of the trial is left on the machine.
    virtual bool leftovers(const TrialId& trial) = 0;
    /// A process of the trial still lives.
    virtual bool lives(const TrialId& trial) = 0;
};

class ConformanceTest : public QObject
{
    Q_OBJECT
public:
    virtual std::unique_ptr<Subject> makeSubject() = 0;

protected:
    [[nodiscard]] TrialRef ref(const TrialId& trial, const Cursors& cursors = {}) const
    {
        return TrialRef{trial, ExperimentId(QStringLiteral("e1")), {}, trial.value, cursors, StdoutWatch::all};
    }
    /// Waits until it takes trials.
    void open()
    {
        m_sink = std::make_unique<RecordingSink>();
        m_platform = m_subject->make();
        const auto opened = QCoro::waitFor(m_platform->open(m_subject->settings(), m_subject->context(m_sink.get())));
        QVERIFY2(opened, opened ? "" : qPrintable(opened.error().message));
        QVERIFY(m_sink->states.contains(PlatformState::ready));
        QTRY_VERIFY_WITH_TIMEOUT(isReady(), patience);
    }
    void closePlatform()
    {
        if (m_platform) {
            QCoro::waitFor(m_platform->close());
            m_sink->closed = true;
        }
    }
    SubmitOutcome submit(const TrialId& trial, Job job)
    {
        const QList<TrialSpec> specs{m_subject->spec(trial, job)};
        const auto outcomes = QCoro::waitFor(m_platform->submit(specs));
        return outcomes.value(0);
    }
    Result<> cancel(const TrialId& trial, CancelIntent intent)
    {
        const QList<TrialRef> refs{ref(trial)};
        return QCoro::waitFor(m_platform->cancel(refs, intent));
    }
    const RecordingSink::TrialFacts& facts(const TrialId& trial) { return m_sink->of(trial); }
    /// For trials. Of a platform that is open.
    [[nodiscard]] virtual bool isReady() const { return true; }
    Result<Bytes> read(const TrialId& trial, const QString& name, ReadRange range = {})
    {
        return QCoro::waitFor(m_platform->readLog(ref(trial), name, range));
    }

    int patience = 120'000; ///< milliseconds, for what comes: beside other tests a cluster takes its time
    [[nodiscard]] PlatformCapabilities can() const { return m_platform->describe().capabilities; }
    const TrialId t1{QStringLiteral("t1")};
    const TrialId t2{QStringLiteral("t2")};
    std::unique_ptr<Subject> m_subject;
    std::unique_ptr<RecordingSink> m_sink;
    std::unique_ptr<Platform> m_platform;

private slots:
    void init()
    {
        m_subject = makeSubject();
        open();
    }

    void cleanup()
    {
        for (const TrialId& trial : {t1, t2})
            m_subject->release(trial);
        closePlatform();
        m_platform.reset();
        m_subject.reset();
    }

    void runsATrial()
    {
        const auto outcome = submit(t1, Job::quick);
        QVERIFY(!outcome.error && !outcome.unknown);
        QCOMPARE(outcome.trial, t1);
        QVERIFY(!outcome.handle.isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        const Observation last = facts(t1).observations.last();
        QCOMPARE(last.status, TrialStatus::succeeded);
        QCOMPARE(last.exitCode, 0);
        QVERIFY(last.endTime.has_value());
        QVERIFY(!last.workingDirectory.isEmpty());
        QCOMPARE(facts(t1).begins(), 1);
        QCOMPARE(facts(t1).observations.first().status, TrialStatus::running);
        QVERIFY(facts(t1).observations.first().startTime.has_value());
        QCOMPARE(m_subject->starts(t1), 1);
    }

    void failureHasItsReason()
    {
        (void)submit(t1, Job::failing);
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        const Observation last = facts(t1).observations.last();
        QCOMPARE(last.status, TrialStatus::failed);
        QCOMPARE(last.exitCode, 3);
        QCOMPARE(last.failureClass.word(), QStringLiteral("exitCode"));
        QVERIFY(!last.reason.isEmpty());
        QVERIFY2(last.reason.hasKey(), qPrintable(last.reason.text())); // it can be said in another language
    }

    void submittedTwiceRunsOnce()
    {
        const QList<TrialSpec> specs{m_subject->spec(t1, Job::waits), m_subject->spec(t2, Job::waits)};
        auto first = m_platform->submit(specs);
        auto second = m_platform->submit(specs);
        for (auto* task : {&first, &second}) {
            const auto outcomes = QCoro::waitFor(*task);
            QCOMPARE(outcomes.size(), 2);
            QVERIFY(!outcomes[0].error && !outcomes[1].error);
        }
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
        const auto again = submit(t1, Job::waits);
        QVERIFY(!again.error && !again.unknown);
        m_subject->release(t1);
        m_subject->release(t2);
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended() && facts(t2).ended(), patience);
        QCOMPARE(m_subject->starts(t1), 1);
        QCOMPARE(m_subject->starts(t2), 1);
        QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
        QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\nend\n"));
    }

    void unknownTrials()
    {
        const QList<TrialRef> refs{ref(t1)};
        QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::failed, patience);
        QCOMPARE(facts(t1).observations.last().failureClass.word(),
            can().placement ? QStringLiteral("trialFolderLost") : QStringLiteral("neverStarted"));
        QVERIFY(!facts(t1).observations.last().reason.isEmpty());
        // The wish is fulfilled: nothing of it runs.
        QVERIFY(cancel(t2, CancelIntent::user));
        QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::user_canceled, patience);
        const auto log = read(t2, QStringLiteral("stdout"));
        QVERIFY(!log);
        QCOMPARE(log.error().kind, Kind::not_found);
        const auto names = QCoro::waitFor(m_platform->logNames(ref(t2)));
        QVERIFY(!names);
        QCOMPARE(names.error().kind, Kind::not_found);
        QVERIFY(!QCoro::waitFor(m_platform->sendParameter(ref(t2), 1, "{}")));
        QVERIFY(QCoro::waitFor(m_platform->remove(ExperimentId(QStringLiteral("e1")), QList<TrialRef>{ref(t2)})));
    }

    void cancelOfAFinishedTrialChangesNothing()
    {
        (void)submit(t1, Job::quick);
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        QVERIFY(cancel(t1, CancelIntent::user));
        (void)submit(t2, Job::quick); // what happens after the cancel was handled
        QTRY_VERIFY_WITH_TIMEOUT(facts(t2).ended(), patience);
        QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
    }

    void cancelOfARunningTrial_data()
    {
        QTest::addColumn<CancelIntent>("intent");
        QTest::addColumn<TrialStatus>("status");
        QTest::newRow("user") << CancelIntent::user << TrialStatus::user_canceled;
        QTest::newRow("early") << CancelIntent::early << TrialStatus::early_stopped;
        QTest::newRow("system") << CancelIntent::system << TrialStatus::sys_canceled;
    }

    void cancelOfARunningTrial()
    {
        QFETCH(CancelIntent, intent);
        QFETCH(TrialStatus, status);
        (void)submit(t1, Job::waits);
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
        QVERIFY(cancel(t1, intent));
        QVERIFY(cancel(t1, CancelIntent::user)); // the first intent stands
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        QCOMPARE(facts(t1).status(), status);
        QVERIFY(!m_subject->lives(t1)); // reported after the last process is dead
        QCOMPARE(facts(t1).observations.last().endTime.has_value(), true);
    }

    void cancelOfOneThatIgnoresIt()
    {
        (void)submit(t1, Job::ignores);
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\n"), patience);
        QVERIFY(cancel(t1, CancelIntent::user));
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        QCOMPARE(facts(t1).status(), TrialStatus::user_canceled);
        QVERIFY(!m_subject->lives(t1));
    }

    void cancelRightBehindTheSubmit()
    {
        const QList<TrialSpec> specs{m_subject->spec(t1, Job::waits)};
        auto submitting = m_platform->submit(specs);
        const QList<TrialRef> refs{ref(t1)};
        QVERIFY(QCoro::waitFor(m_platform->cancel(refs, CancelIntent::user)));
        const auto outcomes = QCoro::waitFor(submitting);
        QCOMPARE(outcomes.size(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        QCOMPARE(facts(t1).status(), TrialStatus::user_canceled);
        QVERIFY(!m_subject->lives(t1));
    }

    void threeStreamsAreWhole()
    {
        (void)submit(t1, Job::streams);
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        for (const Stream stream : {Stream::nni, Stream::file, Stream::stdout_lines}) {
            QCOMPARE(facts(t1).first[size_t(stream)], 0);
            QCOMPARE(facts(t1).stream(stream), expectedStream(stream));
        }
        QVERIFY(!facts(t1).recordsAfterEnd); // the end is reported last
    }

    void logsAreRead()
    {
        (void)submit(t1, Job::waits);
        const auto first = read(t1, QStringLiteral("stdout"), ReadRange{.follow = true});
        QVERIFY2(first, first ? "" : qPrintable(first.error().message));
        QCOMPARE(first->bytes, QByteArray("begin\n"));
        QCOMPARE(first->offset, 0);
        QVERIFY(!first->end);
        const auto tail = read(t1, QStringLiteral("stdout"), ReadRange{.tail = 3});
        QVERIFY(tail);
        QCOMPARE(tail->bytes, QByteArray("in\n"));
        QCOMPARE(tail->offset, 3);
        QCOMPARE(tail->size, 6);
        const auto part = read(t1, QStringLiteral("stdout"), ReadRange{.offset = 1, .limit = 2});
        QVERIFY(part);
        QCOMPARE(part->bytes, QByteArray("eg"));
        // Following waits until something comes.
        auto following = m_platform->readLog(ref(t1), QStringLiteral("stdout"), ReadRange{.offset = 6, .follow = true});
        m_subject->release(t1);
        const auto rest = QCoro::waitFor(following);
        QVERIFY(rest);
        QCOMPARE(rest->bytes, QByteArray("end\n"));
        QCOMPARE(rest->offset, 6);
        const auto end = read(t1, QStringLiteral("stdout"), ReadRange{.offset = 10, .follow = true});
        QVERIFY(end);
        QVERIFY(end->bytes.isEmpty() && end->end);
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        const auto whole = read(t1, QStringLiteral("stdout"));
        QVERIFY(whole);
        QCOMPARE(whole->bytes, QByteArray("begin\nend\n"));
        QVERIFY(whole->end);
        const auto nothing = read(t1, QStringLiteral("stderr"));
        QVERIFY(nothing);
        QCOMPARE(nothing->size, 0);
    }

    void filesAreListedAndRead()
    {
        (void)submit(t1, Job::files);
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        const auto files = QCoro::waitFor(m_platform->listFiles(ref(t1), {}, 10'000));
        if (!can().files) { // it says why, and where else they could be
            QVERIFY(!files);
            QCOMPARE(files.error().kind, Kind::not_found);
            QVERIFY(files.error().message.text().size() > 40);
            return;
        }
        QVERIFY(files);
        QMap<QString, qint64> sizes;
        QVERIFY(files->next.isEmpty());
        for (const FileEntry& file : files->files) {
            if (file.type == u"file")
                sizes.insert(file.path, file.size);
        }
        QCOMPARE(sizes.value(QStringLiteral("a.txt"), -1), 5);
        QCOMPARE(sizes.value(QStringLiteral("deep/b.bin"), -1), 200'000);
        // In pieces of one entry: the same.
        QStringList pieces;
        QString after;
        do {
            const auto piece = QCoro::waitFor(m_platform->listFiles(ref(t1), after, 1));
            QVERIFY(piece && piece->files.size() == 1);
            pieces.append(piece->files[0].path);
            after = piece->next;
        } while (!after.isEmpty() && pieces.size() <= files->files.size());
        QCOMPARE(pieces.size(), files->files.size());
        for (qsizetype i = 0; i < pieces.size(); ++i)
            QCOMPARE(pieces[i], files->files[i].path);
        const auto text = read(t1, QStringLiteral("output/a.txt"));
        QVERIFY(text);
        QCOMPARE(text->bytes, QByteArray("alpha"));
        const auto binary = read(t1, QStringLiteral("output/deep/b.bin"), ReadRange{.limit = 1'000'000});
        QVERIFY(binary);
        QCOMPARE(binary->bytes.size(), 200'000);
        const auto names = QCoro::waitFor(m_platform->logNames(ref(t1)));
        QVERIFY(names);
        QVERIFY(names->contains(QStringLiteral("stdout")) && names->contains(QStringLiteral("stderr")));
        QVERIFY(names->contains(QStringLiteral("trial.log")));
        QCOMPARE(read(t1, QStringLiteral("trial.log"))->bytes, QByteArray("log\n"));
        const auto missing = read(t1, QStringLiteral("output/none"));
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, Kind::not_found);
    }

    void pathsThatLeaveAreRefused_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"../t1/stdout", "output/../stdout", "/etc/passwd", "output//etc/passwd", "output/..",
                 "", "output/", "spec.json", "output/a/../../spec.json", "stdout/../spec.json"})
            QTest::newRow(name) << QString::fromLatin1(name);
        QTest::newRow("nul") << QString(QStringLiteral("output/a") + QChar(0) + QStringLiteral("b"));
    }

    void pathsThatLeaveAreRefused()
    {
        QFETCH(QString, name);
        (void)submit(t1, Job::files);
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        for (const bool follow : {false, true}) {
            const auto got = read(t1, name, ReadRange{.follow = follow});
            QVERIFY(!got);
            QVERIFY(got.error().kind == Kind::invalid || got.error().kind == Kind::not_found);
        }
    }

    void parametersArrive()
    {
        if (!can().parameters) {
            (void)submit(t1, Job::waits);
            QVERIFY(!QCoro::waitFor(m_platform->sendParameter(ref(t1), 1, "{}"))); // and says so
            return;
        }
        (void)submit(t1, Job::waits);
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
        QVERIFY(QCoro::waitFor(m_platform->sendParameter(ref(t1), 1, "{\"parameter_id\": 1}")));
        QCOMPARE(parameterOf(t1, 1), QByteArray("{\"parameter_id\": 1}"));
    }

    void adoptedByTheNextLife_data()
    {
        QTest::addColumn<bool>("endsBetween");
        QTest::newRow("still running") << false;
        QTest::newRow("ended meanwhile") << true;
    }

    void adoptedByTheNextLife()
    {
        QFETCH(bool, endsBetween);
        (void)submit(t1, Job::waits);
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\n"), patience);
        const Cursors cursors = m_sink->cursors[t1];
        QCOMPARE(cursors.stdoutLines, 6);
        closePlatform();
        QVERIFY(!facts(t1).ended());
        const auto before = std::move(m_sink); // stays alive: it must not be called any more
        if (endsBetween)
            m_subject->release(t1);
        if (endsBetween)
            QTRY_VERIFY_WITH_TIMEOUT(!m_subject->lives(t1), patience);
        open();
        const QList<TrialRef> refs{ref(t1, cursors)};
        QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
        if (!endsBetween) {
            QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
            m_subject->release(t1);
        }
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
        QCOMPARE(facts(t1).first[size_t(Stream::stdout_lines)], 6);
        QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("end\n"));
        QCOMPARE(m_subject->starts(t1), 1);
    }

    void resubmittedByTheNextLife()
    {
        // The service died before it could write down that the trial was started.
        (void)submit(t1, Job::waits);
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
        closePlatform();
        const auto before = std::move(m_sink);
        open();
        const auto outcome = submit(t1, Job::waits);
        QVERIFY(!outcome.error && !outcome.unknown);
        m_subject->release(t1);
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
        QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\nend\n"));
        QCOMPARE(m_subject->starts(t1), 1);
    }

    void strangersAreTold()
    {
        (void)submit(t1, Job::waits);
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
        closePlatform();
        const auto before = std::move(m_sink);
        open();
        QVERIFY(QCoro::waitFor(m_platform->adopt(QList<TrialRef>())));
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
        QVERIFY(cancel(t1, CancelIntent::system));
        m_sink->contiguous = false; // taken up a second time from where it stands now: what was on its way comes twice
        const QList<TrialRef> refs{ref(t1)};
        QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::sys_canceled, patience);
    }

    void closedWhileBusy()
    {
        (void)submit(t1, Job::waits);
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
        auto following = m_platform->readLog(ref(t1), QStringLiteral("stdout"), ReadRange{.offset = 6, .follow = true});
        const QList<TrialSpec> specs{m_subject->spec(t2, Job::waits)};
        auto submitting = m_platform->submit(specs);
        closePlatform();
        // Everything that was open has an answer, and the platform can go.
        const auto outcomes = QCoro::waitFor(submitting);
        QCOMPARE(outcomes.size(), 1);
        QVERIFY(!QCoro::waitFor(following));
        const auto late = submit(TrialId(QStringLiteral("t3")), Job::quick);
        QVERIFY(late.error.has_value());
        QVERIFY(!cancel(t1, CancelIntent::user));
        m_platform.reset();
        QTRY_VERIFY_WITH_TIMEOUT(m_subject->lives(t1), patience); // trials go on
        // What became of the second is found out by asking again, not by guessing.
        const auto before = std::move(m_sink);
        open();
        const auto again = submit(t2, Job::waits);
        QVERIFY(!again.error);
        m_subject->release(t2);
        QTRY_VERIFY_WITH_TIMEOUT(facts(t2).ended(), patience);
        QCOMPARE(m_subject->starts(t2), 1);
    }

    void removalLeavesNothing()
    {
        const ExperimentId experiment(QStringLiteral("e1"));
        (void)submit(t1, Job::files);
        (void)submit(t2, Job::waits);
        QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended() && facts(t2).status() == TrialStatus::running, patience);
        QVERIFY(m_subject->leftovers(t1));
        QVERIFY(QCoro::waitFor(m_platform->remove(experiment, QList<TrialRef>{ref(t1)})));
        QVERIFY(!m_subject->leftovers(t1));
        const auto running = QCoro::waitFor(m_platform->remove(experiment, QList<TrialRef>{ref(t2)}));
        QVERIFY(!running);
        QCOMPARE(running.error().kind, Kind::conflict);
        QTRY_VERIFY_WITH_TIMEOUT(m_subject->lives(t2), patience);
        const auto files = QCoro::waitFor(m_platform->listFiles(ref(t1), {}, 10'000));
        QVERIFY(!files);
        QCOMPARE(files.error().kind, Kind::not_found);
    }

    void describesItself()
    {
        const KindDescription description = m_platform->describe();
        QVERIFY(!description.kind.isEmpty() && !description.title.isEmpty());
        for (const Field& field : description.fields)
            QVERIFY(!field.name.isEmpty() && !field.type.isEmpty());
    }

protected:
    /// The text of the n-th parameter as the trial finds it.
    virtual QByteArray parameterOf(const TrialId& trial, int index) = 0;
};

} // namespace platform_test
