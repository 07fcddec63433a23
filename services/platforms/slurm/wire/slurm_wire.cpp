// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_wire.h"

#include "slurm_facts.h"

#include "services/platforms/check_steps.h"
#include "services/platforms/cluster/in_turns.h"
#include "services/platforms/cluster/test_job.h"
#include "services/platforms/slurm/slurm_options.h"
#include "services/platforms/slurm/slurm_values.h"

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

constexpr int testJobSeconds = 60;

/// Sets what sbatch's answer means: accepted, refused for good, to be repeated later, or of unknown outcome.
void setError(SubmitOutcome& outcome, const SubmitAnswer& answer)
{
    switch (answer.outcome) {
    case SubmitAnswer::Outcome::accepted:
        outcome.handle = QString::number(answer.id);
        break;
    case SubmitAnswer::Outcome::refused:
        outcome.error = answer.error;
        break;
    case SubmitAnswer::Outcome::later:
    case SubmitAnswer::Outcome::none:
        outcome.later = trial::SubmitLater{answer.error.message, {}};
        break;
    case SubmitAnswer::Outcome::unknown:
        outcome.unknown = true;
        outcome.error = answer.error;
        break;
    }
}

} // namespace

SlurmWire::SlurmWire(
    Json settings, Context context, std::unique_ptr<CommandHost> host, std::unique_ptr<SlurmCalls> calls)
    : m_settings(std::move(settings))
    , m_context(std::move(context))
    , m_host(std::move(host))
    , m_calls(std::move(calls))
    , m_storage(m_host.get(), textOf(m_settings, "workingDirectory"), textOf(m_settings, "workingDirectory"), m_context)
{
    connect(m_host.get(), &CommandHost::connected, this, &ClusterWire::connected);
    connect(m_host.get(), &CommandHost::lost, this, &ClusterWire::lost);
    connect(&m_storage, &TrialStorage::logsGrew, this, &ClusterWire::logsGrew);
}

SlurmWire::~SlurmWire() = default;

QString SlurmWire::name() const
{
    return m_host->isHere() ? u"Slurm"_s : m_host->name().text();
}

qint64 SlurmWire::listIntervalMs() const
{
    const Json* seconds = memberOf(m_settings, "pollInterval"); // at least 10: the field's minimum
    return std::max<qint64>(1, seconds && seconds->is_number_integer() ? seconds->get<qint64>() : 10) * 1'000;
}

qint64 SlurmWire::logIntervalMs() const
{
    return m_host->isHere() ? 1'000 : 5'000;
}

/// The nodes are taken to have the processor of the computer with Slurm's commands.
Task<Result<>> SlurmWire::findArchitecture()
{
    auto asking = m_host->run({.words = {u"uname"_s, u"-m"_s}}, m_context.stop);
    const Result<CommandOutput> machine = co_await asking;
    if (!machine)
        co_return fail(machine);
    m_storage.setArchitecture(QString::fromLatin1(machine->output.trimmed()));
    co_return Result<>{};
}

Task<Result<>> SlurmWire::open()
{
    auto connecting = m_host->open();
    const Result<> connected = co_await connecting;
    if (!connected)
        co_return fail(connected);
    auto asking = m_calls->version();
    const Result<SlurmVersion> version = co_await asking;
    if (!version)
        co_return fail(version);
    auto preparing = m_storage.prepare();
    const Result<FolderSpace> space = co_await preparing;
    if (!space)
        co_return fail(space, u"The working directory cannot be used"_m);
    auto finding = findArchitecture();
    const Result<> found = co_await finding;
    if (!found)
        co_return fail(found);
    auto putting = m_storage.use({});
    const Result<TrialStorage::Use> put = co_await putting;
    co_return put ? Result<>{} : fail(put);
}

int SlurmWire::mostJobs() const
{
    const Json* most = memberOf(m_settings, "maxSubmit");
    return most && most->is_number_integer() ? int(std::clamp<qint64>(most->get<qint64>(), 0, 1'000'000)) : 0;
}

Task<> SlurmWire::close()
{
    co_await m_calls->close();
    co_await m_host->close();
}

// -------------------------------------------------------------------------------------------------------------- submission

Result<ScriptValues> SlurmWire::valuesOf(const TrialSpec& spec, const QString& folder) const
{
    ScriptValues values;
    static_cast<TrialScript&>(values) = m_storage.scriptOf(spec, folder);
    if (const Result<> applied = applyOptions(values, m_settings, spec.platformOptions); !applied)
        return fail(applied);
    values.name = jobName(m_context.serviceId, spec.id);
    values.log = values.folder + u"/log"_s;
    values.mounts = {textOf(m_settings, "workingDirectory")};
    return values;
}

Task<SubmitOutcome> SlurmWire::submitScript(ScriptValues values, QString folder)
{
    SubmitOutcome outcome;
    const Result<QByteArray> script = batchScript(values);
    if (!script) {
        outcome.error = script.error();
        co_return outcome;
    }
    // Also where no text needs a file: Slurm fails a job whose folder is not there.
    QList<FolderFile> files;
    files.append({folder + u"/job.sh"_s, *script, false});
    auto putting = m_storage.putTexts(values, folder, files);
    const Result<> put = co_await putting;
    if (!put) {
        outcome.later = trial::SubmitLater{put.error().message, {}};
        co_return outcome;
    }
    auto submitting = m_calls->submit(values, *script);
    const SubmitAnswer answer = co_await submitting;
    setError(outcome, answer);
    co_return outcome;
}

Task<SubmitOutcome> SlurmWire::submitOne(TrialSpec spec)
{
    SubmitOutcome outcome{.trial = spec.id};
    if (const auto id = m_ids.constFind(spec.id); id != m_ids.constEnd()) {
        outcome.handle = QString::number(*id);
        co_return outcome;
    }
    auto sharing = m_storage.use(spec.code);
    const Result<TrialStorage::Use> shared = co_await sharing;
    const QString folder = TrialStorage::folderOf(spec.experimentId, spec.id);
    const Result<ScriptValues> values = valuesOf(spec, folder);
    if (!values) {
        outcome.error = values.error();
    } else if (!shared && (shared.error().kind == Kind::invalid || shared.error().kind == Kind::not_found)) {
        outcome.error = shared.error();
    } else if (!shared) {
        outcome.later = trial::SubmitLater{shared.error().message, {}};
    } else {
        auto submitting = submitScript(*values, folder);
        outcome = co_await submitting;
        outcome.trial = spec.id;
        if (const auto id = slurmNumber(outcome.handle))
            m_ids.insert(spec.id, *id);
    }
    co_return outcome;
}

Task<QList<SubmitOutcome>> SlurmWire::submit(QList<TrialSpec> specs)
{
    constexpr int atOnce = 8; // each is a process, and a call of the controller
    if (!m_isListed) {        // an earlier life may have submitted some without writing it down
        auto listing = jobs();
        const Result<QList<JobFact>> facts = co_await listing;
        if (!facts) {
            QList<SubmitOutcome> outcomes;
            for (const TrialSpec& spec : specs)
                outcomes.append({.trial = spec.id, .later = trial::SubmitLater{facts.error().message, {}}});
            co_return outcomes;
        }
    }
    const std::function<Task<SubmitOutcome>(TrialSpec)> one = [this](TrialSpec spec) {
        return submitOne(std::move(spec));
    };
    auto submitting = inTurns<SubmitOutcome>(std::move(specs), atOnce, one);
    const std::vector<SubmitOutcome> outcomes = co_await submitting;
    co_return QList<SubmitOutcome>(outcomes.begin(), outcomes.end());
}

// -------------------------------------------------------------------------------------------------------------- questions

QList<JobFact> SlurmWire::factsOf(const QList<SlurmJob>& jobs) const
{
    QList<JobFact> facts;
    const qint64 now = m_context.clock->nowMs();
    for (const SlurmJob& job : jobs)
        if (const TrialId trial = trialOf(m_context.serviceId, job.name); !trial.isEmpty())
            facts.append(factOf(job, trial, m_context.id, m_partitions, now));
    return bestOfEach(std::move(facts));
}

Task<Result<QList<JobFact>>> SlurmWire::jobs()
{
    auto asking = m_calls->queue();
    const Result<QList<SlurmJob>> jobs = co_await asking;
    if (!jobs)
        co_return fail(jobs);
    QHash<TrialId, int> counts;
    for (const SlurmJob& job : *jobs)
        ++counts[trialOf(m_context.serviceId, job.name)];
    const QList<JobFact> facts = factsOf(*jobs);
    m_ids.clear();
    for (const JobFact& fact : facts)
        if (const auto id = slurmNumber(fact.handle);
            id && counts.value(fact.trial) == 1) // of two, both are cancelled by the name
            m_ids.insert(fact.trial, *id);
    m_isListed = true;
    co_return facts;
}

Task<Result<QList<JobFact>>> SlurmWire::endedJobs(QList<TrialRef> trials)
{
    QList<qint64> ids;
    for (const TrialRef& ref : trials)
        if (const auto id = slurmNumber(ref.handle))
            ids.append(*id);
    if (ids.isEmpty() || !m_keepsAccounting)
        co_return QList<JobFact>();
    auto asking = m_calls->accounting(ids);
    const Result<Accounting> accounting = co_await asking;
    if (!accounting)
        co_return fail(accounting);
    m_keepsAccounting = accounting->kept;
    co_return factsOf(accounting->jobs);
}

Task<Result<>> SlurmWire::cancel(QList<TrialRef> trials)
{
    QList<qint64> ids;
    QStringList names;
    for (const TrialRef& ref : trials) {
        // A handle of an earlier life may by now be the id of another job.
        if (const auto id = m_ids.constFind(ref.trial); id != m_ids.constEnd())
            ids.append(*id);
        else
            names.append(jobName(m_context.serviceId, ref.trial));
    }
    auto cancelling = m_calls->cancel(ids, names);
    co_return co_await cancelling;
}

Task<Result<>> SlurmWire::askPartitions()
{
    auto asking = m_calls->partitions();
    const Result<QList<SlurmPartition>> partitions = co_await asking;
    if (!partitions)
        co_return fail(partitions);
    m_partitions = *partitions;
    m_partitionsAt = m_context.clock->steadyMs();
    co_return Result<>{};
}

Task<Result<QList<Machine>>> SlurmWire::machines()
{
    constexpr qint64 partitionsEveryMs = 600'000; // they change when the cluster is set up anew
    if (!m_partitionsAt || m_context.clock->steadyMs() - *m_partitionsAt >= partitionsEveryMs) {
        auto asking = askPartitions();
        co_await asking; // without them a reason says less
    }
    auto listing = m_calls->nodes();
    const Result<QList<SlurmNode>> nodes = co_await listing;
    if (!nodes)
        co_return fail(nodes);
    m_queues = queuesOf(m_partitions, *nodes);
    QList<Machine> machines;
    for (const SlurmNode& node : *nodes)
        machines.append(slurm::machineOf(node, m_context.id, m_context.clock->nowMs()));
    co_return machines;
}

// ------------------------------------------------------------------------------------------------------------------ files

Task<Result<QList<LogPart>>> SlurmWire::readLogs(QList<LogWish> wishes)
{
    return m_storage.readLogs(std::move(wishes));
}

Task<Result<QStringList>> SlurmWire::logNames(TrialRef trial)
{
    return m_storage.logNames(std::move(trial));
}

MachineId SlurmWire::machineOf(const QString& node) const
{
    return machineIdOf(m_context.id, node);
}

QString SlurmWire::folderText(const TrialRef& trial) const
{
    return m_storage.folderText(trial);
}

Task<Result<Bytes>> SlurmWire::readFile(TrialRef trial, QString name, qint64 offset, qint64 limit)
{
    return m_storage.readFile(std::move(trial), std::move(name), offset, limit);
}

Task<Result<FileList>> SlurmWire::listFiles(TrialRef trial, QString after, qint64 limit)
{
    return m_storage.listFiles(std::move(trial), std::move(after), limit);
}

Task<Result<>> SlurmWire::remove(ExperimentId experiment, QList<TrialRef> trials)
{
    return m_storage.remove(std::move(experiment), std::move(trials));
}

Task<Result<int>> SlurmWire::removeUnknown(ExperimentId experiment, QSet<TrialId> known)
{
    return removeStrays(this, &m_storage, std::move(experiment), std::move(known));
}

// ------------------------------------------------------------------------------------------------------------------ check

Task<Result<QStringList>> SlurmWire::partitionNames()
{
    auto connecting = m_host->open();
    const Result<> connected = co_await connecting;
    if (!connected)
        co_return fail(connected);
    auto asking = askPartitions();
    const Result<> asked = co_await asking;
    if (!asked)
        co_return fail(asked);
    QStringList names;
    for (const SlurmPartition& partition : m_partitions)
        names.append(partition.name);
    co_return names;
}

Task<Result<QStringList>> SlurmWire::gpuTypes()
{
    auto connecting = m_host->open();
    const Result<> connected = co_await connecting;
    if (!connected)
        co_return fail(connected);
    auto asking = m_calls->nodes();
    const Result<QList<SlurmNode>> nodes = co_await asking;
    if (!nodes)
        co_return fail(nodes);
    QStringList types;
    for (const SlurmNode& node : *nodes)
        for (const SlurmGres& gres : node.gres)
            if (gres.name == "gpu"_L1 && !gres.type.isEmpty() && !types.contains(gres.type))
                types.append(gres.type);
    types.sort();
    co_return types;
}

Task<Result<>> SlurmWire::check(OperationId request, CheckExtent extent, Sink* sink)
{
    CheckSteps step(std::move(request), sink);
    if (!m_host->isHere()) {
        auto connecting = m_host->open();
        const Result<> connected = co_await connecting;
        step(u"login"_s, u"Log in"_m, connected ? Result<Message>(m_host->name()) : Result<Message>(fail(connected)),
            u"Check host, user and key; `ssh` from a terminal must work."_m);
        if (!connected)
            co_return step.all();
    }
    auto asking = m_calls->version();
    const Result<SlurmVersion> version = co_await asking;
    step(u"commands"_s, m_calls->title(),
        version ? Result<Message>(u"Slurm %1"_m.arg(version->text())) : Result<Message>(fail(version)),
        m_calls->remedy());
    if (!version)
        co_return step.all();
    auto partitioning = askPartitions();
    const Result<> partitions = co_await partitioning;
    step(u"controller"_s, u"Controller"_m,
        partitions ? Result<Message>(u"it answers; partitions: %1"_m.arg(m_partitions.size()))
                   : Result<Message>(fail(partitions)),
        u"Ask the cluster's administrators whether slurmctld and munge run (`scontrol ping`)."_m);
    if (partitions) {
        const QString wanted = textOf(m_settings, "partition");
        QStringList names;
        bool isThere = wanted.isEmpty();
        for (const SlurmPartition& partition : m_partitions) {
            names.append(partition.name);
            isThere = isThere || partition.name == wanted;
        }
        if (!wanted.isEmpty())
            step(u"partition"_s, u"Partition"_m,
                isThere ? Result<Message>(Message(wanted))
                        : Result<Message>(fail(Kind::invalid, u"The cluster has no partition \"%1\"."_m.arg(wanted))),
                u"Choose one of %1."_m.arg(names.join(u", "_s)));
    }
    auto preparing = m_storage.prepare();
    const Result<FolderSpace> space = co_await preparing;
    step(u"folder"_s, u"Working directory"_m,
        space ? Result<Message>(m_storage.spaceText(*space)) : Result<Message>(fail(space)),
        u"Name a folder on a file system that this computer and all nodes share, in which you may write."_m);
    if (!step.all() || extent == CheckExtent::look)
        co_return step.all();
    TestJob job{this, &m_storage, &m_context, Json::object({{"trialMemorySize", "50 MB"}}), testJobSeconds,
        u"Look at the job with `sacct` or `scontrol show job`; the folder must be on a file system that the nodes share."_m};
    auto testing = runTestJob(std::move(job), &step);
    co_await testing;
    co_return step.all();
}

} // namespace platforms::slurm
