// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_wire.h"

#include "slurm_facts.h"

#include "services/platforms/cluster/in_turns.h"
#include "services/platforms/cluster/trial_log.h"
#include "services/platforms/slurm/slurm_options.h"
#include "services/platforms/slurm/slurm_values.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

QString rootOf(const Json& settings, const QString& serviceId)
{
    return QDir::cleanPath(jsonText(settings, "workingDirectory")) + u"/trialdeck/"_s + serviceId;
}

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
{
    m_folder = std::make_unique<SharedFolder>(m_host.get(), rootOf(m_settings, m_context.serviceId), m_context.clock);
    connect(m_host.get(), &CommandHost::connected, this, &ClusterWire::connected);
    connect(m_host.get(), &CommandHost::lost, this, &ClusterWire::lost);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &ClusterWire::logsGrew);
}

SlurmWire::~SlurmWire() = default;

QString SlurmWire::name() const
{
    return m_host->isHere() ? u"Slurm"_s : m_host->name().text();
}

qint64 SlurmWire::listIntervalMs() const
{
    const Json* seconds = jsonMember(m_settings, "pollInterval"); // at least 10: the field's minimum
    return std::max<qint64>(1, seconds && seconds->is_number_integer() ? seconds->get<qint64>() : 10) * 1'000;
}

qint64 SlurmWire::logIntervalMs() const
{
    return m_host->isHere() ? 1'000 : 5'000;
}

Task<Result<>> SlurmWire::putKeeper()
{
    // The nodes are taken to have the processor of the computer with Slurm's commands.
    auto asking = m_host->run({.words = {u"uname"_s, u"-m"_s}}, m_context.stop);
    const Result<CommandOutput> machine = co_await asking;
    if (!machine)
        co_return fail(machine);
    const QString arch = QString::fromLatin1(machine->output.trimmed());
    const QString ownArch =
        QSysInfo::currentCpuArchitecture() == "arm64"_L1 ? u"aarch64"_s : QSysInfo::currentCpuArchitecture();
    QString source = QFileInfo(m_context.keeperPath).absolutePath() + u"/trialkeeper-pod"_s;
    if (arch != ownArch)
        source += u'-' + arch;
    QFile file(source);
    if (!file.open(QIODevice::ReadOnly))
        co_return fail(
            Kind::invalid, u"There is no trialkeeper-pod for %1 (%2): reinstall Trialdeck."_m.arg(arch, source));
    const QByteArray hash = QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex().left(16);
    const QString path = u"bin/trialkeeper-pod-%1"_s.arg(QString::fromLatin1(hash));
    auto putting = m_folder->putCopy(path, source, true);
    const Result<> put = co_await putting;
    if (put)
        m_keeper = path;
    co_return put;
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
    auto preparing = m_folder->prepare();
    const Result<FolderSpace> space = co_await preparing;
    if (!space)
        co_return fail(space, u"The working directory cannot be used"_m);
    auto putting = putKeeper();
    co_return co_await putting;
}

int SlurmWire::mostJobs() const
{
    const Json* most = jsonMember(m_settings, "maxSubmit");
    return most && most->is_number_integer() ? int(std::clamp<qint64>(most->get<qint64>(), 0, 1'000'000)) : 0;
}

Task<> SlurmWire::close()
{
    co_await m_calls->close();
    co_await m_host->close();
}

// -------------------------------------------------------------------------------------------------------------- submission

QString SlurmWire::folderOf(const ExperimentId& experiment, const TrialId& trial)
{
    return u"trials/%1/%2"_s.arg(experiment.value, trial.value);
}

Task<Result<>> SlurmWire::putCode(CodeSource code)
{
    if (code.kind == CodeSource::Kind::none || m_codesThere.contains(code.sha))
        co_return Result<>{};
    if (code.kind == CodeSource::Kind::inPlace && m_host->isHere())
        co_return Result<>{};
    if (code.kind == CodeSource::Kind::inPlace)
        co_return fail(Kind::invalid, u"Code in place runs only on this computer; this platform needs a snapshot."_m);
    auto packing = m_codes.packed(code, m_context.stop);
    const Result<package::PackedCode> packed = co_await packing;
    if (!packed)
        co_return fail(packed);
    auto putting = m_folder->putArchive(u"code/"_s + code.sha, packed->path);
    const Result<> put = co_await putting;
    if (put)
        m_codesThere.insert(code.sha);
    co_return put;
}

Result<ScriptValues> SlurmWire::valuesOf(const TrialSpec& spec) const
{
    ScriptValues values;
    if (const Result<> applied = applyOptions(values, m_settings, spec.platformOptions); !applied)
        return fail(applied);
    const QString root = m_folder->root();
    values.name = jobName(m_context.serviceId, spec.id);
    values.folder = root + u'/' + folderOf(spec.experimentId, spec.id);
    values.log = values.folder + u"/log"_s;
    values.gpus = spec.gpuNumber;
    values.mounts = {jsonText(m_settings, "workingDirectory")};
    values.environment = spec.environment;
    values.environment.insert(u"NNI_PLATFORM"_s, u"local"_s); // NNI's SDK writes .nni/metrics for it
    values.environment.insert(u"NNI_EXP_ID"_s, spec.experimentId.value);
    values.environment.insert(u"NNI_TRIAL_JOB_ID"_s, spec.jobId);
    values.environment.insert(u"NNI_TRIAL_SEQ_ID"_s, QString::number(spec.sequenceId));
    values.keeper = root + u'/' + m_keeper;
    values.trialId = spec.id.value;
    if (spec.code.kind == CodeSource::Kind::snapshot)
        values.codeFolder = root + u"/code/"_s + spec.code.sha;
    else if (spec.code.kind == CodeSource::Kind::inPlace)
        values.codeFolder = spec.code.folder;
    const QByteArray command =
        spec.setup.isEmpty() ? spec.command.toUtf8() : spec.setup.toUtf8() + '\n' + spec.command.toUtf8();
    values.command = {command, command.size() > maxInlineText ? values.folder + u"/command"_s : QString()};
    values.parameters = {
        spec.parameters, spec.parameters.size() > maxInlineText ? values.folder + u"/given.json"_s : QString()};
    if (!spec.parameterCfg.isEmpty())
        values.parameterCfg = ScriptText{
            spec.parameterCfg, spec.parameterCfg.size() > maxInlineText ? values.folder + u"/given.cfg"_s : QString()};
    values.graceSeconds = std::max(1, spec.graceMs / 1'000);
    return values;
}

Task<Result<>> SlurmWire::putShared(CodeSource code)
{
    while (m_isRemoving) {
        const OneShot<bool> over;
        m_afterRemoval.push_back(over);
        co_await over.wait();
    }
    ++m_submitting;
    Result<> put;
    if (m_keeper.isEmpty()) {
        auto putting = putKeeper();
        put = co_await putting;
    }
    if (put) {
        auto putting = putCode(std::move(code));
        put = co_await putting;
    }
    co_return put;
}

Task<SubmitOutcome> SlurmWire::submitScript(ScriptValues values, QString folder, QList<FolderFile> files)
{
    SubmitOutcome outcome;
    const Result<QByteArray> script = batchScript(values);
    if (!script) {
        outcome.error = script.error();
        co_return outcome;
    }
    // Also where no text needs a file: Slurm fails a job whose folder is not there.
    files.append({folder + u"/job.sh"_s, *script, false});
    for (const auto& text : {std::optional(values.command), std::optional(values.parameters), values.parameterCfg})
        if (text && !text->file.isEmpty())
            files.append({folder + u'/' + QFileInfo(text->file).fileName(), text->bytes, false});
    auto putting = m_folder->put(files);
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
    auto sharing = putShared(spec.code);
    const Result<> shared = co_await sharing;
    const Result<ScriptValues> values = valuesOf(spec);
    if (!values) {
        outcome.error = values.error();
    } else if (!shared && (shared.error().kind == Kind::invalid || shared.error().kind == Kind::not_found)) {
        outcome.error = shared.error();
    } else if (!shared) {
        outcome.later = trial::SubmitLater{shared.error().message, {}};
    } else {
        auto submitting = submitScript(*values, folderOf(spec.experimentId, spec.id), {});
        outcome = co_await submitting;
        outcome.trial = spec.id;
        if (const auto id = slurmNumber(outcome.handle))
            m_ids.insert(spec.id, *id);
    }
    --m_submitting;
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

void SlurmWire::watch(const QStringList& logs)
{
    constexpr qsizetype most = 1'000; // a user has 8,192 watches on older kernels, for all programs
    const QStringList before = m_watcher.files();
    const QSet<QString> wanted(logs.begin(), logs.begin() + std::min(most, logs.size()));
    const QSet<QString> there(before.begin(), before.end());
    if (const QSet<QString> gone = there - wanted; !gone.isEmpty())
        m_watcher.removePaths(gone.values());
    if (const QSet<QString> fresh = wanted - there; !fresh.isEmpty())
        m_watcher.addPaths(fresh.values());
}

Task<Result<QList<LogPart>>> SlurmWire::readLogs(QList<LogWish> wishes)
{
    constexpr qint64 most = 256 * 1024; // bytes of one log
    constexpr qint64 total = 8 * 1024 * 1024;
    QList<FolderRead> reads;
    for (const LogWish& wish : wishes)
        reads.append({folderOf(wish.trial.experiment, wish.trial.trial) + u"/log"_s, wish.offset, most, wish.identity});
    auto reading = m_folder->read(reads, total);
    const Result<QList<FolderBytes>> read = co_await reading;
    if (!read)
        co_return fail(read);
    QList<LogPart> parts;
    QStringList logs;
    for (qsizetype i = 0; i < std::min(read->size(), wishes.size()); ++i) {
        const FolderBytes& bytes = read->at(i);
        if (bytes.state == FolderBytes::State::read)
            logs.append(m_folder->root() + u'/' + reads.at(i).path);
        LogPart part{.trial = wishes.at(i).trial.trial,
            .bytes = bytes.bytes,
            .identity = bytes.identity,
            .message = bytes.message};
        using State = FolderBytes::State;
        part.state = bytes.state == State::read                              ? LogPart::State::read
            : bytes.state == State::missing                                  ? LogPart::State::missing
            : bytes.state == State::replaced || bytes.state == State::shrank ? LogPart::State::another
                                                                             : LogPart::State::unreadable;
        part.isEnd = wishes.at(i).offset + bytes.bytes.size() >= bytes.size;
        parts.append(part);
    }
    if (m_host->isHere())
        watch(logs);
    co_return parts;
}

Task<Result<QStringList>> SlurmWire::logNames(TrialRef trial)
{
    const QString folder = folderOf(trial.experiment, trial.trial);
    auto listing = m_folder->list(folder + u"/output"_s, {}, 1'000);
    const Result<FileList> files = co_await listing;
    QStringList names{u"stdout"_s, u"stderr"_s};
    if (!files) { // before its start; or there is no such trial
        auto looking = m_folder->list(folder, {}, 1);
        const Result<FileList> own = co_await looking;
        if (!own)
            co_return fail(own);
        co_return names;
    }
    for (const FileEntry& file : files->files) {
        if (file.path == u"trial.log"_s)
            names.insert(2, file.path);
        else if (file.type == u"file"_s && !file.path.contains(u'/') && file.path.endsWith(u".log"_s))
            names.append(u"output/"_s + file.path);
    }
    co_return names;
}

MachineId SlurmWire::machineOf(const QString& node) const
{
    return machineIdOf(m_context.id, node);
}

QString SlurmWire::folderText(const TrialRef& trial) const
{
    return m_folder->root() + u'/' + folderOf(trial.experiment, trial.trial);
}

Task<Result<Bytes>> SlurmWire::readFile(TrialRef trial, QString name, qint64 offset, qint64 limit)
{
    const QString path = name == u"trial.log"_s ? u"output/trial.log"_s : name;
    if (path != u"stdout"_s && path != u"stderr"_s && !(path.startsWith(u"output/"_s) && isFolderPath(path)))
        co_return fail(Kind::not_found,
            u"There is no log \"%1\"; there are stdout, stderr, trial.log and output/PATH."_m.arg(name));
    const QString file = folderOf(trial.experiment, trial.trial) + u'/' + path;
    if (offset < 0) { // so many bytes from the end
        auto measuring = m_folder->read({FolderRead{file, 0, 0, {}}}, 0);
        const Result<QList<FolderBytes>> measured = co_await measuring;
        if (!measured)
            co_return fail(measured);
        offset = std::max<qint64>(0, measured->value(0).size + offset);
    }
    auto reading = m_folder->read({FolderRead{file, offset, limit, {}}}, limit);
    const Result<QList<FolderBytes>> read = co_await reading;
    if (!read)
        co_return fail(read);
    const FolderBytes bytes = read->value(0);
    if (bytes.state == FolderBytes::State::missing)
        co_return fail(Kind::not_found, u"The trial has not written %1 yet."_m.arg(name));
    if (bytes.state == FolderBytes::State::unreadable)
        co_return fail(Kind::platform, bytes.message);
    co_return Bytes{.bytes = bytes.bytes, .offset = std::min(offset, bytes.size), .size = bytes.size};
}

Task<Result<FileList>> SlurmWire::listFiles(TrialRef trial, QString after, qint64 limit)
{
    auto listing = m_folder->list(folderOf(trial.experiment, trial.trial) + u"/output"_s, after, limit);
    co_return co_await listing;
}

Task<Result<QStringList>> SlurmWire::foldersIn(QString folder)
{
    QStringList names;
    QString after;
    do {
        auto listing = m_folder->list(folder, after, 10'000);
        const Result<FileList> list = co_await listing;
        if (!list && list.error().kind == Kind::not_found)
            break;
        if (!list)
            co_return fail(list);
        for (const FileEntry& entry : list->files)
            if (entry.type == u"folder"_s && !entry.path.contains(u'/'))
                names.append(entry.path);
        after = list->next;
    } while (!after.isEmpty());
    co_return names;
}

Task<Result<>> SlurmWire::removeUnused(ExperimentId experiment)
{
    const QString own = u"trials/"_s + experiment.value;
    if (m_submitting > 0 || m_isRemoving)
        co_return Result<>{}; // the next removal does it
    m_isRemoving = true;
    auto listing = foldersIn(own);
    const Result<QStringList> trials = co_await listing;
    Result<> all = trials ? Result<>{} : Result<>(fail(trials));
    QStringList paths;
    if (trials && trials->isEmpty()) {
        paths.append(own);
        auto looking = foldersIn(u"trials"_s);
        const Result<QStringList> experiments = co_await looking;
        if (experiments && (experiments->isEmpty() || *experiments == QStringList{experiment.value})) {
            paths = {u"trials"_s, u"code"_s, u"bin"_s, u"check"_s};
            m_codesThere.clear();
            m_keeper.clear();
        }
        auto removing = m_folder->remove(paths);
        all = co_await removing;
    }
    m_isRemoving = false;
    for (OneShot<bool>& waiting : std::exchange(m_afterRemoval, {}))
        waiting.set(true);
    co_return all;
}

Task<Result<>> SlurmWire::remove(ExperimentId experiment, QList<TrialRef> trials)
{
    QStringList paths;
    for (const TrialRef& ref : trials)
        paths.append(folderOf(experiment, ref.trial));
    auto removing = m_folder->remove(paths);
    const Result<> removed = co_await removing;
    if (!removed)
        co_return removed;
    auto cleaning = removeUnused(experiment);
    co_return co_await cleaning;
}

Task<Result<int>> SlurmWire::removeUnknown(ExperimentId experiment, QSet<TrialId> known)
{
    auto listing = foldersIn(u"trials/"_s + experiment.value);
    const Result<QStringList> there = co_await listing;
    if (!there)
        co_return fail(there);
    QList<TrialRef> strays;
    for (const QString& name : *there)
        if (!known.contains(TrialId(name)))
            strays.append(TrialRef{.trial = TrialId(name), .experiment = experiment});
    if (strays.isEmpty())
        co_return 0;
    auto cancelling = cancel(strays);
    const Result<> cancelled = co_await cancelling;
    if (!cancelled)
        co_return fail(cancelled);
    auto removing = remove(experiment, strays);
    const Result<> removed = co_await removing;
    if (!removed)
        co_return fail(removed);
    co_return int(strays.size());
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

/// Whether a node finds the folder, and can run the keeper there.
Task<Result<Message>> SlurmWire::runTestJob()
{
    constexpr int patienceSeconds = 60;
    const QString id = u"check-%1"_s.arg(QRandomGenerator::system()->generate64(), 16, 16, QLatin1Char('0'));
    const TrialId trial(id);
    const QString folder = u"check/"_s + id;
    auto sharing = putShared({});
    const Result<> shared = co_await sharing;
    --m_submitting;
    if (!shared)
        co_return fail(shared);
    TrialSpec spec;
    spec.id = trial;
    spec.jobId = id;
    spec.gpuNumber = 0;
    spec.command = u"exit 0"_s;
    spec.platformOptions = Json::object({{"trialMemorySize", "50 MB"}});
    Result<ScriptValues> values = valuesOf(spec);
    if (!values)
        co_return fail(values);
    values->folder = m_folder->root() + u'/' + folder;
    values->log = values->folder + u"/log"_s;
    auto submitting = submitScript(*values, folder, {});
    const SubmitOutcome outcome = co_await submitting;
    Result<Message> said = u"a job ran on a node and wrote into the folder"_m;
    if (outcome.error || outcome.later)
        said = outcome.error ? Result<Message>(tl::unexpected(*outcome.error))
                             : fail(Kind::platform, outcome.later->reason);
    bool isDone = !said;
    for (int second = 0; !isDone && second < patienceSeconds; ++second) {
        OneShot<bool> later;
        const auto timer = m_context.clock->after(1'000, [later]() mutable { later.set(true); });
        co_await later.wait();
        auto reading = m_folder->read({FolderRead{folder + u"/log"_s, 0, 64 * 1024, {}}}, 64 * 1024);
        const Result<QList<FolderBytes>> read = co_await reading;
        if (!read) {
            said = fail(read);
            break;
        }
        TrialLog log(trial, {}, StdoutWatch::none);
        JobRuns runs;
        const TrialLog::Taken taken = log.take(read->value(0).bytes, read->value(0).identity, 0, runs);
        for (const Observation& event : taken.events) {
            isDone = isDone || isFinal(event.status);
            if (event.status == TrialStatus::failed)
                said = fail(Kind::platform, event.reason);
        }
    }
    if (said && !isDone) {
        auto listing = jobs();
        const Result<QList<JobFact>> facts = co_await listing;
        Message why = u"its job left no word in the folder: do the nodes see it at the same path?"_m;
        for (const JobFact& fact : facts.value_or(QList<JobFact>()))
            if (fact.trial == trial && fact.phase == JobFact::Phase::waiting)
                why = u"its job still waits after %1 s: %2"_m.arg(patienceSeconds).arg(fact.reason);
            else if (fact.trial == trial && !fact.reason.isEmpty())
                why = fact.reason;
        said = fail(Kind::timeout, why);
    }
    auto cancelling = cancel({TrialRef{.trial = trial, .handle = outcome.handle}});
    co_await cancelling;
    auto removing = m_folder->remove({folder});
    co_await removing;
    co_return said;
}

Task<Result<>> SlurmWire::check(OperationId request, CheckExtent extent, Sink* sink)
{
    Result<> all;
    const auto step = [&](const QString& id, const Message& title, const Result<Message>& said, const Message& remedy) {
        CheckStep one{id, title, said ? CheckState::ok : CheckState::fail, said ? *said : said.error().message,
            said ? Message() : remedy, {}};
        sink->finding(request, one);
        if (!said && all)
            all = fail(said);
    };
    if (!m_host->isHere()) {
        auto connecting = m_host->open();
        const Result<> connected = co_await connecting;
        step(u"login"_s, u"Log in"_m, connected ? Result<Message>(m_host->name()) : Result<Message>(fail(connected)),
            u"Check host, user and key; `ssh` from a terminal must work."_m);
        if (!connected)
            co_return all;
    }
    auto asking = m_calls->version();
    const Result<SlurmVersion> version = co_await asking;
    step(u"commands"_s, m_calls->title(),
        version ? Result<Message>(u"Slurm %1"_m.arg(version->text())) : Result<Message>(fail(version)),
        m_calls->remedy());
    if (!version)
        co_return all;
    auto partitioning = askPartitions();
    const Result<> partitions = co_await partitioning;
    step(u"controller"_s, u"Controller"_m,
        partitions ? Result<Message>(u"it answers; partitions: %1"_m.arg(m_partitions.size()))
                   : Result<Message>(fail(partitions)),
        u"Ask the cluster's administrators whether slurmctld and munge run (`scontrol ping`)."_m);
    if (partitions) {
        const QString wanted = jsonText(m_settings, "partition");
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
    auto preparing = m_folder->prepare();
    const Result<FolderSpace> space = co_await preparing;
    step(u"folder"_s, u"Working directory"_m,
        space ? Result<Message>(u"%1: %2 GB free"_m.arg(m_folder->root(), space->freeBytes / 1'000'000'000))
              : Result<Message>(fail(space)),
        u"Name a folder on a file system that this computer and all nodes share, in which you may write."_m);
    if (!all || extent == CheckExtent::look)
        co_return all;
    auto testing = runTestJob();
    const Result<Message> tested = co_await testing;
    step(u"job"_s, u"Test job"_m, tested,
        u"Look at the job with `sacct` or `scontrol show job`; the folder must be on a file system that the nodes share."_m);
    co_return all;
}

} // namespace platforms::slurm
