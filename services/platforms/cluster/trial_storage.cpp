// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_storage.h"

#include "in_turns.h"
#include "trial_log.h"

#include "services/platforms/commands/command_folder.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

QString ownArchitecture()
{
    return QSysInfo::currentCpuArchitecture() == "arm64"_L1 ? u"aarch64"_s : QSysInfo::currentCpuArchitecture();
}

// Names of folders and files of PieceLog (app/trialkeeper/pod/piece_log.h).
constexpr int runDigits = 4;
constexpr int pieceDigits = 16;

QString numberOf(qint64 number, int digits)
{
    return QString::number(number).rightJustified(digits, u'0');
}

ScriptText scriptText(const QByteArray& bytes, const QString& file)
{
    return {bytes, bytes.size() > maxInlineText ? file : QString()};
}

} // namespace

QString TrialStorage::rootIn(const QString& folder, const QString& serviceId)
{
    return QDir::cleanPath(folder) + u"/trialdeck/"_s + serviceId;
}

TrialStorage::TrialStorage(CommandHost* host, const QString& folder, const QString& nodeFolder, Context context)
    : m_host(host)
    , m_context(std::move(context))
    , m_top(QDir::cleanPath(folder))
    , m_nodeTop(QDir::cleanPath(nodeFolder))
    , m_nodeRoot(rootIn(nodeFolder, m_context.serviceId))
    , m_folder(std::make_unique<CommandFolder>(host, rootIn(folder, m_context.serviceId), m_context.clock))
    , m_architecture(ownArchitecture())
{
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &TrialStorage::logsGrew);
}

void TrialStorage::setFolder(std::unique_ptr<SharedFolder> folder)
{
    m_folder = std::move(folder);
    m_keeper.clear();
    m_codesThere.clear();
}

Task<> TrialStorage::close()
{
    co_await m_folder->close();
}

QString TrialStorage::folderOf(const ExperimentId& experiment, const TrialId& trial)
{
    return u"trials/%1/%2"_s.arg(experiment.value, trial.value);
}

QString TrialStorage::folderText(const TrialRef& trial) const
{
    return pathOf(folderOf(trial.experiment, trial.trial));
}

// -------------------------------------------------------------------------------------------------------- what trials need

Task<Result<FolderSpace>> TrialStorage::prepare()
{
    auto preparing = m_folder->prepare();
    co_return co_await preparing;
}

/// A folder of this computer as nodes have it; empty: they do not see it.
QString TrialStorage::nodeFolderOf(const QString& folder) const
{
    QString clean = QDir::cleanPath(folder);
    if (m_top == m_nodeTop)
        return clean;
    return clean == m_top || clean.startsWith(m_top + u'/') ? m_nodeTop + clean.mid(m_top.size()) : QString();
}

Message TrialStorage::spaceText(const FolderSpace& space) const
{
    if (m_folder->isObjectStore())
        return u"%1 can be written"_m.arg(m_folder->root());
    return u"%1 GB free in %2"_m.arg(space.freeBytes / 1'000'000'000).arg(m_folder->root());
}

Task<Result<>> TrialStorage::putKeeper()
{
    QString source = QFileInfo(m_context.keeperPath).absolutePath() + u"/trialkeeper-pod"_s;
    if (m_architecture != ownArchitecture())
        source += u'-' + m_architecture;
    QFile file(source);
    if (!file.open(QIODevice::ReadOnly))
        co_return fail(Kind::invalid,
            u"There is no trialkeeper-pod for %1 (%2): reinstall Trialdeck."_m.arg(m_architecture, source));
    const QByteArray hash = QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex().left(16);
    const QString path = u"bin/trialkeeper-pod-%1"_s.arg(QString::fromLatin1(hash));
    auto putting = m_folder->putCopy(path, source, true);
    const Result<> put = co_await putting;
    if (put)
        m_keeper = path;
    co_return put;
}

Task<Result<>> TrialStorage::putCode(CodeSource code)
{
    if (code.kind == CodeSource::Kind::none || m_codesThere.contains(code.sha))
        co_return Result<>{};
    if (code.kind == CodeSource::Kind::inPlace && m_folder->isObjectStore())
        co_return fail(
            Kind::invalid, u"Code in place needs a storage that is mounted here; this platform needs a snapshot."_m);
    if (code.kind == CodeSource::Kind::inPlace && !m_host->isHere())
        co_return fail(Kind::invalid, u"Code in place runs only on this computer; this platform needs a snapshot."_m);
    if (code.kind == CodeSource::Kind::inPlace && nodeFolderOf(code.folder).isEmpty())
        co_return fail(Kind::invalid,
            u"The cluster's nodes do not see %1: code in place must lie in %2. Use a snapshot, or move it there."_m.arg(
                code.folder, m_top));
    if (code.kind == CodeSource::Kind::inPlace)
        co_return Result<>{};
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

Task<> TrialStorage::removalIsOver()
{
    while (m_isRemoving) {
        const OneShot<bool> over;
        m_afterRemoval.push_back(over);
        co_await over.wait();
    }
}

Task<Result<TrialStorage::Use>> TrialStorage::use(CodeSource code)
{
    auto removing = removalIsOver();
    co_await removing;
    const Use held = m_use;
    if (isLocal() && !m_keeper.isEmpty()) {
        auto looking = m_folder->read({FolderRead{m_keeper, 0, 0, {}}}, 0);
        const Result<QList<FolderBytes>> there = co_await looking;
        if (there && there->value(0).state == FolderBytes::State::missing) { // it was deleted on the file system
            m_keeper.clear();
            m_codesThere.clear();
        }
    }
    if (m_keeper.isEmpty()) {
        auto putting = putKeeper();
        const Result<> put = co_await putting;
        if (!put)
            co_return fail(put);
    }
    auto putting = putCode(std::move(code));
    const Result<> put = co_await putting;
    if (!put)
        co_return fail(put);
    co_return held;
}

TrialScript TrialStorage::scriptOf(const TrialSpec& spec, const QString& folder) const
{
    TrialScript script;
    script.trialId = spec.id.value;
    script.folder = nodePathOf(folder);
    script.keeper = nodePathOf(m_keeper);
    const QString code = nodePathOf(u"code/"_s + spec.code.sha);
    if (spec.code.kind == CodeSource::Kind::snapshot)
        script.codeFolder = code;
    else if (spec.code.kind == CodeSource::Kind::inPlace)
        script.codeFolder = nodeFolderOf(spec.code.folder);
    if (m_folder->isObjectStore()) {
        script.store =
            TrialScript::ObjectStore{script.keeper, {}, script.folder + u"/output"_s, script.folder + u"/log"_s};
        if (spec.code.kind == CodeSource::Kind::snapshot)
            script.store->codeArchive = SharedFolder::archiveOf(code);
        script.folder = u"trial"_s;
        script.keeper = u"./trialkeeper-pod"_s;
        script.codeFolder = script.store->codeArchive.isEmpty() ? QString() : u"code"_s;
        script.shared = false;
    }
    script.gpus = spec.gpuNumber;
    script.environment = spec.environment;
    script.environment.insert(u"NNI_PLATFORM"_s, u"local"_s); // NNI's SDK writes .nni/metrics for it
    script.environment.insert(u"NNI_EXP_ID"_s, spec.experimentId.value);
    script.environment.insert(u"NNI_TRIAL_JOB_ID"_s, spec.jobId);
    script.environment.insert(u"NNI_TRIAL_SEQ_ID"_s, QString::number(spec.sequenceId));
    const QByteArray command =
        spec.setup.isEmpty() ? spec.command.toUtf8() : spec.setup.toUtf8() + '\n' + spec.command.toUtf8();
    const QString given = nodePathOf(folder);
    script.command = scriptText(command, given + u"/command"_s);
    script.parameters = scriptText(spec.parameters, given + u"/given.json"_s);
    if (!spec.parameterCfg.isEmpty())
        script.parameterCfg = scriptText(spec.parameterCfg, given + u"/given.cfg"_s);
    script.graceSeconds = std::max(1, spec.graceMs / 1'000);
    return script;
}

Task<Result<>> TrialStorage::putTexts(TrialScript script, QString folder, QList<FolderFile> more)
{
    for (const auto& text : {std::optional(script.command), std::optional(script.parameters), script.parameterCfg})
        if (text && !text->file.isEmpty())
            more.append({folder + u'/' + QFileInfo(text->file).fileName(), text->bytes, false});
    auto putting = m_folder->put(std::move(more));
    co_return co_await putting;
}

// -------------------------------------------------------------------------------------------------------------------- logs

void TrialStorage::watch(const QStringList& logs)
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

/// The newest keeper's log in an object store: its files, one behind the other. `left`: bytes that may still be read, of all that share it.
Task<Result<LogPart>> TrialStorage::readPieces(LogWish wish, qint64 limit, std::shared_ptr<qint64> left)
{
    constexpr qint64 longestPiece = 1024 * 1024; // the keeper writes no more than a quarter of it
    const QString log = folderOf(wish.trial.experiment, wish.trial.trial) + u"/log"_s;
    LogPart part{.trial = wish.trial.trial, .part = wish.part, .identity = wish.identity};
    if (part.identity.isEmpty()) {
        auto listing = m_folder->folders(log);
        const Result<QStringList> runs = co_await listing;
        if (!runs)
            co_return fail(runs);
        for (const QString& run : *runs)
            if (run == numberOf(run.toInt(), runDigits)) // not a name that a keeper makes
                part.identity = std::max(part.identity, run.toLatin1());
        if (part.identity.isEmpty())
            co_return part; // missing
    }
    part.state = LogPart::State::read;
    const QString folder = log + u'/' + QString::fromLatin1(part.identity) + u'/';
    while (!part.isEnd && part.bytes.size() < limit && *left > 0) {
        const QString name = numberOf(wish.offset + part.bytes.size(), pieceDigits);
        auto reading = m_folder->read({FolderRead{folder + name, 0, longestPiece, {}}}, longestPiece);
        const Result<QList<FolderBytes>> read = co_await reading;
        if (!read)
            co_return fail(read);
        const FolderBytes piece = read->value(0);
        if (piece.size > piece.bytes.size()) {
            part.state = LogPart::State::unreadable;
            part.message = u"A piece of the trial's log (%1) is longer than any that its keeper writes."_m.arg(name);
            co_return part;
        }
        part.isEnd = piece.bytes.isEmpty(); // not there, or made and not written yet
        part.bytes += piece.bytes;
        *left -= piece.bytes.size();
    }
    if (!part.isEnd || !part.bytes.isEmpty())
        co_return part;
    const QString next = numberOf(part.identity.toLongLong() + 1, runDigits);
    const QString first = log + u'/' + next + u'/' + numberOf(0, pieceDigits);
    auto looking = m_folder->read({FolderRead{first, 0, 1, {}}}, 1);
    const Result<QList<FolderBytes>> later = co_await looking;
    if (!later)
        co_return fail(later);
    if (later->value(0).size > 0)
        part.state = LogPart::State::another;
    co_return part;
}

Task<Result<QList<LogPart>>> TrialStorage::readLogs(QList<LogWish> wishes)
{
    if (m_folder->isObjectStore()) {
        constexpr int atOnce = 8;
        constexpr qint64 all = 8 * 1024 * 1024;
        const auto left = std::make_shared<qint64>(all);
        const qint64 share = std::max<qint64>(1, all / std::max<qsizetype>(1, wishes.size()));
        // Each pass starts with another wish, so that every log is read in time although one pass reads no more than `all` bytes.
        const qsizetype begin = wishes.isEmpty() ? 0 : m_readBegin++ % wishes.size();
        std::rotate(wishes.begin(), wishes.begin() + begin, wishes.end());
        const std::function<Task<Result<LogPart>>(LogWish)> one = [this, share, left](LogWish wish) {
            return readPieces(std::move(wish), share, left);
        };
        auto reading = inTurns<Result<LogPart>>(std::move(wishes), atOnce, one);
        const std::vector<Result<LogPart>> read = co_await reading;
        QList<LogPart> parts;
        for (const Result<LogPart>& part : read) {
            if (!part)
                co_return fail(part);
            parts.append(*part);
        }
        co_return parts;
    }
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
            logs.append(pathOf(reads.at(i).path));
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
    if (isLocal())
        watch(logs);
    co_return parts;
}

Task<Result<std::optional<Observation>>> TrialStorage::endOf(TrialRef trial)
{
    constexpr qint64 most = 64 * 1024;
    QByteArray bytes;
    QByteArray identity;
    if (m_folder->isObjectStore()) {
        auto reading = readPieces(LogWish{trial}, most, std::make_shared<qint64>(most));
        const Result<LogPart> part = co_await reading;
        if (!part)
            co_return fail(part);
        bytes = part->bytes;
        identity = part->identity;
    } else {
        const QString file = folderOf(trial.experiment, trial.trial) + u"/log"_s;
        auto reading = m_folder->read({FolderRead{file, 0, most, {}}}, most);
        const Result<QList<FolderBytes>> read = co_await reading;
        if (!read)
            co_return fail(read);
        bytes = read->value(0).bytes;
        identity = read->value(0).identity;
    }
    TrialLog log(trial.trial, {}, StdoutWatch::none);
    JobRuns runs;
    const TrialLog::Taken taken = log.take(bytes, identity, 0, runs);
    std::optional<Observation> end;
    for (const Observation& event : taken.events)
        if (isFinal(event.status))
            end = event;
    co_return end;
}

Task<Result<bool>> TrialStorage::hasLog(TrialRef trial)
{
    const QString log = folderOf(trial.experiment, trial.trial) + u"/log"_s;
    if (m_folder->isObjectStore()) {
        auto listing = m_folder->folders(log);
        const Result<QStringList> runs = co_await listing;
        co_return runs ? Result<bool>(!runs->isEmpty()) : fail(runs);
    }
    auto measuring = m_folder->read({FolderRead{log, 0, 0, {}}}, 0);
    const Result<QList<FolderBytes>> measured = co_await measuring;
    co_return measured ? Result<bool>(measured->value(0).size > 0) : fail(measured);
}

Task<Result<QStringList>> TrialStorage::logNames(TrialRef trial)
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

Task<Result<Bytes>> TrialStorage::readFile(TrialRef trial, QString name, qint64 offset, qint64 limit)
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

Task<Result<FileList>> TrialStorage::listFiles(TrialRef trial, QString after, qint64 limit)
{
    auto listing = m_folder->list(folderOf(trial.experiment, trial.trial) + u"/output"_s, after, limit);
    co_return co_await listing;
}

// ----------------------------------------------------------------------------------------------------------------- removal

Task<Result<>> TrialStorage::removeUnused(ExperimentId experiment)
{
    const QString own = u"trials/"_s + experiment.value;
    auto removed = removalIsOver(); // another one that runs may have seen the trials that this one has just removed
    co_await removed;
    if (m_use.use_count() > 1)
        co_return Result<>{}; // the removal of the trial that uses it does it
    m_isRemoving = true;
    auto listing = m_folder->folders(own);
    const Result<QStringList> trials = co_await listing;
    Result<> all = trials ? Result<>{} : Result<>(fail(trials));
    QStringList paths;
    if (trials && trials->isEmpty()) {
        paths.append(own);
        auto looking = m_folder->folders(u"trials"_s);
        const Result<QStringList> experiments = co_await looking;
        if (experiments && (experiments->isEmpty() || *experiments == QStringList{experiment.value})) {
            paths = {u"trials"_s, u"code"_s, u"bin"_s};
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

Task<Result<>> TrialStorage::remove(ExperimentId experiment, QList<TrialRef> trials)
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

Task<Result<>> TrialStorage::removeAlone(TrialRef trial)
{
    auto removing = m_folder->remove({folderOf(trial.experiment, trial.trial)});
    const Result<> removed = co_await removing;
    if (!removed)
        co_return removed;
    const QString own = u"trials/"_s + trial.experiment.value;
    auto listing = m_folder->folders(own);
    const Result<QStringList> others = co_await listing;
    if (!others || !others->isEmpty())
        co_return others ? Result<>{} : fail(others);
    auto cleaning = m_folder->remove({own});
    co_return co_await cleaning;
}

Task<Result<QList<TrialRef>>> TrialStorage::strays(ExperimentId experiment, QSet<TrialId> known)
{
    auto listing = m_folder->folders(u"trials/"_s + experiment.value);
    const Result<QStringList> there = co_await listing;
    if (!there)
        co_return fail(there);
    QList<TrialRef> strays;
    for (const QString& name : *there)
        if (!known.contains(TrialId(name)))
            strays.append(TrialRef{.trial = TrialId(name), .experiment = experiment});
    co_return strays;
}

Task<Result<int>> removeStrays(ClusterWire* wire, TrialStorage* storage, ExperimentId experiment, QSet<TrialId> known)
{
    auto looking = storage->strays(experiment, std::move(known));
    const Result<QList<TrialRef>> strays = co_await looking;
    if (!strays)
        co_return fail(strays);
    if (strays->isEmpty())
        co_return 0;
    auto cancelling = wire->cancel(*strays);
    const Result<> cancelled = co_await cancelling;
    if (!cancelled)
        co_return fail(cancelled);
    auto removing = storage->remove(experiment, *strays);
    const Result<> removed = co_await removing;
    if (!removed)
        co_return fail(removed);
    co_return int(strays->size());
}

} // namespace platforms
