// SPDX-License-Identifier: GPL-3.0-or-later
// A platform on a stand-in server, for tests of faults.
#pragma once

#include "job_subject.h"

#include "tests/fakes/stand_in.h"

#include <QCoroTask>
#include <QLoggingCategory>

namespace platform_test {

/// Does what the engine would do with the platform of a subject, keeps all that is said, and finds secrets in it.
template <typename StandInSubject>
class StandInFixture
{
protected:
    static constexpr int patience = 90'000; ///< milliseconds: beside builds and other tests all of this is slow
    const TrialId t1{QStringLiteral("t1")};
    const TrialId t2{QStringLiteral("t2")};
    std::unique_ptr<StandInSubject> m_subject;
    std::unique_ptr<RecordingSink> m_sink;
    std::unique_ptr<platforms::Platform> m_platform;

    void begin()
    {
        s_logged.clear();
        QLoggingCategory::setFilterRules(QStringLiteral("app.*=true"));
        s_earlier = qInstallMessageHandler(keepLog);
        m_subject = std::make_unique<StandInSubject>();
        m_sink = std::make_unique<RecordingSink>();
    }
    /// All that a person may have seen, to look for secrets in.
    [[nodiscard]] QString said() const
    {
        QString text = s_logged + s_said + m_sink->remark + m_sink->notes.join(u'\n');
        for (const auto& [trial, known] : m_sink->trials)
            for (const Observation& one : known.observations)
                text += one.reason.text() + one.workingDirectory;
        for (const auto& [trial, texts] : m_sink->progresses)
            text += texts.join(u'\n');
        for (const CheckStep& step : m_sink->findings)
            text += step.detail.text() + step.remedy.text();
        return text;
    }
    void end()
    {
        if (m_platform) {
            QCoro::waitFor(m_platform->close());
            m_sink->closed = true;
        }
        qInstallMessageHandler(s_earlier);
        QLoggingCategory::setFilterRules({});
        s_said.clear();
        m_platform.reset();
        m_subject.reset();
    }

    Result<> tryOpen(const Json& more)
    {
        Json settings = m_subject->settings();
        settings.update(more);
        m_platform = m_subject->make();
        return keep(QCoro::waitFor(m_platform->open(settings, m_subject->context(m_sink.get()))));
    }
    void open(const Json& more = Json::object())
    {
        const Result<> opened = tryOpen(more);
        QVERIFY2(opened, opened ? "" : qPrintable(opened.error().message));
    }
    SubmitOutcome submit(const TrialSpec& spec)
    {
        const QList<TrialSpec> specs{spec};
        SubmitOutcome outcome = QCoro::waitFor(m_platform->submit(specs)).value(0);
        if (outcome.error)
            s_said += outcome.error->message.text() + outcome.error->detail;
        if (outcome.later)
            s_said += outcome.later->reason.text();
        return outcome;
    }
    SubmitOutcome submit(const TrialId& trial, Job job) { return submit(m_subject->spec(trial, job)); }
    /// Until its command has begun and its log is read: a cluster calls a job running before that.
    void awaitBegin(const TrialId& trial)
    {
        QTRY_COMPARE_WITH_TIMEOUT(facts(trial).status(), TrialStatus::running, patience);
        QTRY_COMPARE_WITH_TIMEOUT(facts(trial).stream(Stream::stdout_lines), QByteArray("begin\n"), patience);
    }
    /// Submits one that waits for its release, and returns when it has begun.
    void start(const TrialId& trial)
    {
        const SubmitOutcome outcome = submit(trial, Job::waits);
        QVERIFY2(!outcome.error && !outcome.later && !outcome.unknown,
            outcome.error ? qPrintable(outcome.error->message.text()) : "");
        awaitBegin(trial);
    }
    Result<> cancel(const TrialId& trial, CancelIntent intent = CancelIntent::user)
    {
        const QList<TrialRef> refs{TrialRef{.trial = trial, .experiment = ExperimentId(QStringLiteral("e1"))}};
        return keep(QCoro::waitFor(m_platform->cancel(refs, intent)));
    }
    /// A trial whose script is not where its container looks for it. `isLogThere`: the cluster gives the job's log.
    void failBeforeTheKeeper(const QString& folderOfOthers, bool isLogThere)
    {
        QVERIFY(QDir().mkpath(folderOfOthers));
        open({{"localStorageMountPoint", folderOfOthers.toStdString()}});
        QVERIFY(!submit(t1, Job::quick).error);
        QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::failed, patience);
        const Message& reason = last(t1).reason;
        const QString printed = QStringLiteral("No such file or directory");
        QVERIFY2(reason.text().contains(printed) == isLogThere, qPrintable(reason));
        const TrialRef ref{.trial = t1, .experiment = ExperimentId(QStringLiteral("e1"))};
        const Result<QStringList> names = QCoro::waitFor(m_platform->logNames(ref));
        QVERIFY(names && names->contains(QStringLiteral("job")));
        ReadRange end;
        end.tail = 20;
        const Result<Bytes> log = QCoro::waitFor(m_platform->readLog(ref, QStringLiteral("job"), end));
        QVERIFY2(log.has_value() == isLogThere, log ? log->bytes.constData() : qPrintable(log.error().message));
        if (!log)
            return;
        QCOMPARE(log->bytes, QByteArray("h file or directory\n"));
        QCOMPARE(log->offset + log->bytes.size(), log->size);
        QVERIFY(log->end);
    }
    /// Likewise many, whose ends are seen in one list, while the cluster does not answer who asks for their logs, below `logs`: a few requests
    /// for them hang, and the ends of the others are not held up. `lists`: the path of its lists.
    void failManyWhoseLogsHang(const QString& folderOfOthers, const QString& logs, const QString& lists)
    {
        constexpr int count = 50;
        QVERIFY(QDir().mkpath(folderOfOthers));
        open({{"localStorageMountPoint", folderOfOthers.toStdString()}});
        fault({{"kind", "delay"}, {"seconds", 3600}, {"path", logs.toStdString() + "$"}});
        Json hidden{{"share", 1}, {"method", "GET"}, {"path", lists.toStdString() + "$"},
            {"kinds", {{{"kind", "status"}, {"status", 503}}}}};
        control(QStringLiteral("random"), hidden);
        for (int i = 0; i < count; ++i)
            QVERIFY(!submit(TrialId(QStringLiteral("h%1").arg(i)), Job::quick).error);
        const auto ended = [&] {
            const Json jobs = m_subject->server.get(QStringLiteral("jobs"));
            return std::count_if(jobs.begin(), jobs.end(), [](const Json& job) { return !job["exitCode"].is_null(); });
        };
        QTRY_COMPARE_WITH_TIMEOUT(ended(), count, patience);
        hidden["share"] = 0;
        control(QStringLiteral("random"), hidden);
        const auto failed = [&] {
            return std::count_if(m_sink->trials.begin(), m_sink->trials.end(),
                [](const auto& trial) { return trial.second.status() == TrialStatus::failed; });
        };
        QTRY_COMPARE_WITH_TIMEOUT(failed(), count, patience);
        QVERIFY(requests(QStringLiteral("path=") + logs) <= count / 2);
    }
    const RecordingSink::TrialFacts& facts(const TrialId& trial) { return m_sink->of(trial); }
    Observation last(const TrialId& trial)
    {
        return facts(trial).observations.value(facts(trial).observations.size() - 1);
    }

    int jobsThere() { return int(m_subject->server.get(QStringLiteral("jobs")).size()); }
    int requests(const QString& query)
    {
        return int(m_subject->server.get(QStringLiteral("requests?") + query)["requests"].size());
    }
    void control(const QString& what, const Json& how) { QVERIFY(!m_subject->server.post(what, how).is_null()); }
    void fault(const Json& how) { control(QStringLiteral("fault"), how); }
    void clearFaults() { control(QStringLiteral("clear"), Json::object()); }
    void act(const QString& action, const TrialId& trial, Json more = Json::object())
    {
        more["action"] = action.toStdString();
        more["job"] = StandInSubject::job(trial).toStdString();
        control(QStringLiteral("job"), more);
    }

private:
    static Result<> keep(Result<> result)
    {
        if (!result)
            s_said += result.error().message.text() + result.error().detail;
        return result;
    }
    static void keepLog(QtMsgType type, const QMessageLogContext& context, const QString& text)
    {
        s_logged += text + u'\n';
        if (s_earlier)
            s_earlier(type, context, text);
    }

    static inline QString s_logged; ///< all that this process logged
    static inline QString s_said;   ///< errors of calls
    static inline QtMessageHandler s_earlier = nullptr;
};

} // namespace platform_test
