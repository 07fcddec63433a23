// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage_wire.h"

#include "in_turns.h"
#include "services/platforms/commands/local_command_host.h"

#include "services/core/printable.h"
#include "services/platforms/container_script.h"
#include "services/platforms/json_members.h"

using namespace Qt::StringLiterals;

namespace platforms {

/// What a person would look at first; empty: nothing was printed but what each job begins with.
static QString lastLine(const QByteArray& log)
{
    constexpr qsizetype longestTail = 16 * 1024; ///< bytes
    constexpr qsizetype longestLine = 300;       ///< characters
    const QList<QByteArray> lines = log.right(longestTail).trimmed().split('\n');
    const QByteArray& last = lines.last();
    return last.startsWith(scriptBegins) ? QString() : core::printable(QString::fromUtf8(last).trimmed(), longestLine);
}

/// Jobs that are asked for by themselves in one turn: OpenPAI answers 600 requests a minute for each address, whoever else is behind it.
static constexpr qsizetype mostAsked = 50;

static constexpr QLatin1StringView jobLogName("job");

StorageWire::StorageWire(Json settings, Context context)
    : m_settings(std::move(settings))
    , m_context(std::move(context))
    , m_host(std::make_unique<LocalCommandHost>(m_context.clock))
    , m_storage(m_host.get(), textOf(m_settings, "localStorageMountPoint"),
          textOf(m_settings, "containerStorageMountPoint"), m_context)
{
    connect(&m_storage, &TrialStorage::logsGrew, this, &ClusterWire::logsGrew);
}

StorageWire::~StorageWire() = default;

qint64 StorageWire::listIntervalMs() const
{
    return std::max<qint64>(1, wholeOf(m_settings, "pollInterval").value_or(10)) * 1'000;
}

int StorageWire::mostJobs() const
{
    return int(std::clamp<qint64>(wholeOf(m_settings, "maxJobs").value_or(0), 0, 1'000'000));
}

bool StorageWire::isStorageElsewhere() const
{
    return textOf(m_settings, "localStorageMountPoint").trimmed().isEmpty();
}

Task<Result<>> StorageWire::openStorage()
{
    if (isStorageElsewhere() && !isStore())
        co_return fail(
            Kind::invalid, u"localStorageMountPoint: mount the storage on this computer, and name the folder."_m);
    auto preparing = m_storage.prepare();
    const Result<FolderSpace> space = co_await preparing;
    if (!space)
        co_return fail(space,
            isStore() ? u"The storage cannot be used from here"_m
                      : u"The storage cannot be used here (localStorageMountPoint)"_m);
    auto putting = m_storage.use({});
    const Result<TrialStorage::Use> put = co_await putting;
    co_return put ? Result<>{} : fail(put);
}

Task<> StorageWire::closeStorage()
{
    co_await m_storage.close();
    co_await m_host->close();
}

void StorageWire::forgetEnded(const QList<JobFact>& facts)
{
    for (const JobFact& fact : facts)
        if (fact.phase == JobFact::Phase::ended)
            m_accepted.remove(fact.trial);
}

// -------------------------------------------------------------------------------------------------------------- submission

Task<SubmitOutcome> StorageWire::submitScript(TrialSpec spec, JobDocument document, QString folder)
{
    SubmitOutcome outcome{.trial = spec.id};
    TrialScript values = m_storage.scriptOf(spec, folder);
    if (!document.command.isEmpty())
        values.command = {document.command.toUtf8(),
            document.command.size() > maxInlineText ? m_storage.nodePathOf(folder) + u"/command"_s : QString()};
    const Result<QByteArray> script = containerScript(values, nodeVariable());
    if (!script) {
        outcome.error = script.error();
        co_return outcome;
    }
    QList<FolderFile> files;
    files.append({folder + u"/job.sh"_s, *script, false});
    auto putting = m_storage.putTexts(values, folder, files);
    const Result<> put = co_await putting;
    if (!put) {
        outcome.later = trial::SubmitLater{put.error().message, {}};
        co_return outcome;
    }
    auto handing = handOver(spec.id, document.bytes);
    const SubmitReply reply = co_await handing;
    bool isThere = reply.outcome == SubmitReply::Outcome::accepted;
    if (reply.outcome == SubmitReply::Outcome::refused) {
        outcome.error = reply.error;
    } else if (reply.outcome == SubmitReply::Outcome::later) {
        outcome.later = trial::SubmitLater{reply.error.message, reply.retryAfterMs};
    } else if (!isThere) {
        auto looking = has(spec.id);
        isThere = co_await looking;
        if (!isThere) { // which says little: what was sent may still be under way
            outcome.unknown = true;
            outcome.error = reply.error;
        }
    }
    if (isThere)
        m_accepted.insert(spec.id);
    if (isThere || outcome.unknown)
        outcome.handle = handleOf(spec.id);
    co_return outcome;
}

Task<SubmitOutcome> StorageWire::submitOne(TrialSpec spec)
{
    SubmitOutcome outcome{.trial = spec.id};
    if (m_accepted.contains(spec.id)) {
        outcome.handle = handleOf(spec.id);
        co_return outcome;
    }
    const QString folder = TrialStorage::folderOf(spec.experimentId, spec.id);
    const Result<JobDocument> document = documentOf(spec, m_storage.nodePathOf(folder) + u"/job.sh"_s);
    if (!document) {
        outcome.error = document.error();
        co_return outcome;
    }
    auto sharing = m_storage.use(spec.code);
    const Result<TrialStorage::Use> shared = co_await sharing; // held until the job is handed over
    if (!shared && (shared.error().kind == Kind::invalid || shared.error().kind == Kind::not_found)) {
        outcome.error = shared.error();
    } else if (!shared) {
        outcome.later = trial::SubmitLater{shared.error().message, {}};
    } else {
        auto submitting = submitScript(spec, *document, folder);
        outcome = co_await submitting;
    }
    co_return outcome;
}

Task<QList<SubmitOutcome>> StorageWire::submit(QList<TrialSpec> specs)
{
    const std::function<Task<SubmitOutcome>(TrialSpec)> one = [this](TrialSpec spec) {
        return submitOne(std::move(spec));
    };
    auto submitting = inTurns<SubmitOutcome>(std::move(specs), callsAtOnce, one);
    const std::vector<SubmitOutcome> outcomes = co_await submitting;
    co_return QList<SubmitOutcome>(outcomes.begin(), outcomes.end());
}

Task<Result<QByteArray>> StorageWire::jobLog(TrialId)
{
    co_return fail(Kind::not_found, u"The cluster keeps no logs of jobs."_m);
}

Task<Result<QByteArray>> StorageWire::recentJobLog(TrialId trial)
{
    const qint64 now = m_context.clock->steadyMs();
    std::erase_if(m_jobLogs, [&](const auto& kept) { return now - kept.second.at >= listIntervalMs(); });
    const auto kept = m_jobLogs.find(trial);
    if (kept != m_jobLogs.end() && m_accepted.contains(trial))
        co_return Result<QByteArray>(kept->second.text);
    auto reading = jobLog(trial);
    const Result<QByteArray> text = co_await reading;
    m_jobLogs.insert_or_assign(trial, KeptJobLog{text, m_context.clock->steadyMs()});
    co_return text;
}

Task<Result<QList<JobFact>>> StorageWire::explainedEnd(TrialRef ref, std::shared_ptr<bool> readsLogs)
{
    auto asking = endOf(ref.trial);
    Result<QList<JobFact>> facts = co_await asking;
    const JobFact fact = facts ? facts->value(0) : JobFact();
    const bool isUnexplained =
        fact.phase == JobFact::Phase::ended && fact.end == TrialStatus::failed && !fact.isDecisive;
    if (!isUnexplained || !keepsJobLogs() || !*readsLogs)
        co_return facts;
    auto looking = m_storage.hasLog(ref);
    const Result<bool> has = co_await looking;
    if (!has || *has)
        co_return facts;
    auto reading = jobLog(ref.trial);
    const Result<QByteArray> log = co_await reading;
    if (!log && log.error().kind != Kind::not_found)
        *readsLogs = false;
    if (const QString line = log ? lastLine(*log) : QString(); !line.isEmpty())
        facts->first().reason = fact.reason.isEmpty() ? u"its job printed last: %1"_m.arg(line)
                                                      : u"%1; its job printed last: %2"_m.arg(fact.reason, line);
    co_return facts;
}

Task<QList<JobFact>> StorageWire::endsOf(QList<TrialRef> refs)
{
    QHash<TrialId, TrialRef> known;
    for (const TrialRef& ref : std::as_const(refs))
        known.insert(ref.trial, ref);
    QList<TrialId> trials = known.keys();
    const QList<TrialId> asked = nextInTurn(trials, m_askedLast, mostAsked);
    const auto readsLogs = std::make_shared<bool>(true);
    const std::function<Task<Result<QList<JobFact>>>(TrialId)> one = [this, known, readsLogs](const TrialId& trial) {
        return explainedEnd(known.value(trial), readsLogs);
    };
    auto asking = inTurns<Result<QList<JobFact>>>(asked, callsAtOnce, one);
    const std::vector<Result<QList<JobFact>>> ends = co_await asking;
    QList<JobFact> facts;
    for (size_t i = 0; i < ends.size(); ++i)
        facts += ends[i].value_or(QList<JobFact>{JobFact{.trial = asked.at(qsizetype(i))}});
    for (const TrialId& trial : std::as_const(trials))
        facts.append(JobFact{.trial = trial});
    co_return facts;
}

Task<Result<>> StorageWire::cancel(QList<TrialRef> trials)
{
    const std::function<Task<Result<>>(TrialRef)> one = [this](TrialRef ref) { return cancelOne(std::move(ref)); };
    auto cancelling = inTurns<Result<>>(std::move(trials), callsAtOnce, one);
    const std::vector<Result<>> all = co_await cancelling;
    for (const Result<>& done : all)
        if (!done)
            co_return fail(done);
    co_return Result<>{};
}

// ------------------------------------------------------------------------------------------------------------------- files

Task<Result<QList<LogPart>>> StorageWire::readLogs(QList<LogWish> wishes)
{
    return m_storage.readLogs(std::move(wishes));
}

Task<Result<QStringList>> StorageWire::logNames(TrialRef trial)
{
    auto asking = m_storage.logNames(std::move(trial));
    Result<QStringList> names = co_await asking;
    if (names && keepsJobLogs())
        names->append(jobLogName);
    co_return names;
}

Task<Result<Bytes>> StorageWire::readFile(TrialRef trial, QString name, qint64 offset, qint64 limit)
{
    if (name != jobLogName || !keepsJobLogs()) {
        auto reading = m_storage.readFile(std::move(trial), std::move(name), offset, limit);
        co_return co_await reading;
    }
    auto reading = recentJobLog(trial.trial);
    const Result<QByteArray> log = co_await reading;
    if (!log)
        co_return fail(log);
    const qint64 from = std::clamp<qint64>(offset < 0 ? log->size() + offset : offset, 0, log->size());
    co_return Bytes{.bytes = log->mid(from, limit), .offset = from, .size = log->size()};
}

Task<Result<FileList>> StorageWire::listFiles(TrialRef trial, QString after, qint64 limit)
{
    return m_storage.listFiles(std::move(trial), std::move(after), limit);
}

QString StorageWire::folderText(const TrialRef& trial) const
{
    return m_storage.folderText(trial);
}

Task<Result<>> StorageWire::remove(ExperimentId experiment, QList<TrialRef> trials)
{
    return m_storage.remove(std::move(experiment), std::move(trials));
}

Task<Result<int>> StorageWire::removeUnknown(ExperimentId experiment, QSet<TrialId> known)
{
    return removeStrays(this, &m_storage, std::move(experiment), std::move(known));
}

MachineId StorageWire::machineOf(const QString&) const
{
    return {};
}

} // namespace platforms
