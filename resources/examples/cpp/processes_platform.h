// SPDX-License-Identifier: GPL-3.0-or-later
// A training service of one's own in C++, inside the tree: trials as processes of this computer. The folder of such a kind is services/platforms/KIND,
// and app/service/composition.cpp adds it to the registry with one line:
//
//     kinds.add([] { return std::make_unique<platforms::ProcessesPlatform>(); });
//
// The cluster base (services/platforms/cluster) does the rest: code, exactly one start, metrics, logs, files, what comes after a crash. A program in
// another language needs no build of Trialdeck: resources/api/external-platform.md.
#pragma once

#include "services/platforms/cluster/cluster_platform.h"
#include "services/platforms/cluster/job_name.h"
#include "services/platforms/cluster/storage_wire.h"

#include <QDir>
#include <QProcess>

#include <csignal>

namespace platforms {

/// A job is a folder, JOBS/NAME, with `pid` once it has begun and `exit` once it has ended: they outlive the service.
class ProcessesWire : public StorageWire
{
public:
    ProcessesWire(const Json& settings, const Context& context)
        : StorageWire(settings, context)
        , m_jobs(context.dataDir + QStringLiteral("/platforms/") + context.id.value + QStringLiteral("/jobs"))
    {
    }

    Task<Result<>> open() override { return openStorage(); }
    Task<> close() override { return closeStorage(); }
    QString name() const override { return QStringLiteral("Processes"); }
    Task<Result<QList<JobFact>>> jobs() override
    {
        QList<JobFact> facts;
        for (const QString& job : QDir(m_jobs).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            if (const TrialId trial = trialOf(context().serviceId, job); !trial.isEmpty())
                if (const std::optional<JobFact> fact = factOf(trial))
                    facts.append(*fact);
        co_return facts;
    }
    Task<Result<QList<JobFact>>> endedJobs(QList<TrialRef>) override { co_return QList<JobFact>(); } // jobs() has them
    Task<Result<QList<Machine>>> machines() override { co_return QList<Machine>(); }
    Task<Result<>> check(OperationId request, CheckExtent, Sink* sink) override
    {
        sink->finding(request, CheckStep{QStringLiteral("bash"), QStringLiteral("bash"), CheckState::ok, {}, {}, {}});
        co_return Result<>{};
    }
    Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials) override
    {
        for (const TrialRef& ref : trials) {
            m_shells.remove(ref.trial);
            QDir(m_jobs + u'/' + handleOf(ref.trial)).removeRecursively();
        }
        auto removing = StorageWire::remove(experiment, trials);
        co_return co_await removing;
    }

protected:
    Result<JobDocument> documentOf(const TrialSpec&, const QString& script) const override
    {
        return JobDocument{script.toUtf8(), {}};
    }
    /// A service that is killed may have started a shell already, or not. The next one starts another: the first that links `pid` goes on.
    Task<SubmitReply> handOver(TrialId trial, QByteArray script) override
    {
        const QString job = m_jobs + u'/' + handleOf(trial);
        if (!hasBegun(trial)) {
            QDir().mkpath(job);
            QProcess process;
            process.setProgram(QStringLiteral("setsid"));
            process.setArguments({QStringLiteral("bash"), QStringLiteral("-c"),
                QStringLiteral("cd \"$1\" && echo $$ >pid.$$ && ln pid.$$ pid || exit; "
                               "setsid bash -c \"$3\" job \"$2\"; echo $? >new; mv new exit"),
                QStringLiteral("job"), job, QString::fromUtf8(script),
                // In a session of its own, which a SIGTERM ends without the shell above. Its number is there before it looks whether it
                // was cancelled, and a cancel does it the other way round: one of the two sees the other.
                QStringLiteral("echo $$ >group; [ ! -e cancelled ] || exit 143; exec bash \"$1\"")});
            // Those of the service would stay open as long as the job runs.
            process.setStandardOutputFile(QProcess::nullDevice());
            process.setStandardErrorFile(QProcess::nullDevice());
            if (!process.startDetached(&m_shells[trial]))
                co_return SubmitReply{
                    SubmitReply::Outcome::later, Error{Kind::platform, Message(process.errorString()), {}}, {}};
        }
        co_return SubmitReply{SubmitReply::Outcome::accepted, {}, {}};
    }
    Task<bool> has(TrialId trial) override { co_return hasBegun(trial); }
    QString handleOf(const TrialId& trial) const override { return jobName(context().serviceId, trial); }
    Task<Result<>> cancelOne(TrialRef ref) override
    {
        QFile(m_jobs + u'/' + handleOf(ref.trial) + QStringLiteral("/cancelled")).open(QIODevice::WriteOnly);
        if (const int group = numberIn(ref.trial, "group").value_or(0); group > 1 && !numberIn(ref.trial, "exit"))
            ::kill(-group, SIGTERM); // repeated until the end is seen
        co_return Result<>{};
    }
    Task<Result<QList<JobFact>>> endOf(TrialId trial) override
    {
        const std::optional<JobFact> fact = factOf(trial);
        co_return fact ? QList<JobFact>{*fact} : QList<JobFact>();
    }

private:
    /// Nothing as long as the file is missing, or empty: the shell makes it before it writes.
    std::optional<int> numberIn(const TrialId& trial, const char* file) const
    {
        QFile found(m_jobs + u'/' + handleOf(trial) + u'/' + QLatin1StringView(file));
        bool written = false;
        const int number = found.open(QIODevice::ReadOnly) ? found.readAll().trimmed().toInt(&written) : 0;
        return written ? std::optional(number) : std::nullopt;
    }
    bool hasBegun(const TrialId& trial) const { return numberIn(trial, "pid").has_value(); }
    bool lives(const TrialId& trial) const
    {
        const qint64 pid = numberIn(trial, "pid").value_or(m_shells.value(trial));
        return pid > 1 && ::kill(pid_t(pid), 0) == 0;
    }
    /// Nothing of one that has not begun and is not about to.
    std::optional<JobFact> factOf(const TrialId& trial) const
    {
        JobFact fact{.trial = trial, .handle = handleOf(trial), .phase = JobFact::Phase::running};
        const bool alive = lives(trial); // looked at first: a process that ends in between has written its exit code
        if (!alive && !hasBegun(trial))
            return std::nullopt;
        if (const std::optional<int> exit = numberIn(trial, "exit")) {
            fact.phase = JobFact::Phase::ended;
            if (*exit > 128) // as a shell says it of a signal
                fact.signal = *exit - 128;
            else
                fact.exitCode = exit;
            fact.end = *exit == 0 ? TrialStatus::succeeded : TrialStatus::failed;
        } else if (!alive) {
            fact.phase = JobFact::Phase::ended;
            fact.failureClass = FailureClass::platform;
            fact.reason = QStringLiteral("its process is gone, and nobody knows how");
        }
        return fact;
    }

    const QString m_jobs;
    QHash<TrialId, qint64> m_shells; ///< of this life: pids
};

/// Kind `processes`.
class ProcessesPlatform : public ClusterPlatform
{
public:
    using ClusterPlatform::ClusterPlatform;

    KindDescription describe() const override
    {
        KindDescription kind;
        kind.kind = QStringLiteral("processes");
        kind.title = QStringLiteral("Processes");
        kind.fields = {Field{.name = QStringLiteral("pollInterval"),
            .type = QStringLiteral("integer"),
            .defaultValue = 1,
            .title = QStringLiteral("Seconds between two looks"),
            .minimum = 1}};
        kind.capabilities.logs = kind.capabilities.files = true;
        return kind;
    }
    Task<Result<QStringList>> choices(QString, Json, Context) override { co_return QStringList(); }

protected:
    Result<std::unique_ptr<ClusterWire>> makeWire(const Json& settings, const Context& context) const override
    {
        Json whole = settings;
        whole["localStorageMountPoint"] = context.dataDir; // where trials are, here and on nodes
        whole["containerStorageMountPoint"] = context.dataDir;
        return std::make_unique<ProcessesWire>(whole, context);
    }
};

} // namespace platforms
