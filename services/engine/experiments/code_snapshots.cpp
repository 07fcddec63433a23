// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_snapshots.h"

#include "services/package/archive.h"
#include "services/package/file_walk.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace engine {

static package::WalkOptions walkOptions(const QStringList& ownFolders)
{
    package::WalkOptions options;
    options.ownFolders = ownFolders;
    return options;
}

CodeSnapshots::CodeSnapshots(EngineState& state, const EngineConfig& config, std::stop_token stop)
    : m_state(state)
    , m_folder(config.dataDir + u"/code"_s)
    , m_uploads(config.dataDir + u"/uploads"_s)
    , m_ownFolders(config.ownFolders())
    , m_stop(std::move(stop))
{
}

Task<Result<QString>> CodeSnapshots::examined(QString folder, bool inPlace)
{
    // It may lie on a network file system that hangs.
    auto looking =
        m_strand.run([folder, inPlace, options = walkOptions(m_ownFolders), stop = m_stop]() -> Result<QString> {
            const QFileInfo info(folder);
            if (info.isRelative())
                return fail(Kind::invalid,
                    u"codeDir must be an absolute path on the computer of the service: \"%1\"."_m.arg(folder));
            if (!info.exists())
                return fail(Kind::invalid, u"The code directory \"%1\" does not exist."_m.arg(folder));
            if (!info.isDir())
                return fail(Kind::invalid, u"The code directory \"%1\" is a file, not a folder."_m.arg(folder));
            if (!info.isReadable())
                return fail(Kind::invalid, u"The code directory \"%1\" cannot be read."_m.arg(folder));
            const auto files =
                inPlace ? package::FileList() : package::walkCode(info.absoluteFilePath(), options, stop);
            if (!files)
                return fail(files);
            return info.absoluteFilePath();
        });
    const Result<QString> path = co_await looking;
    co_return path;
}

Task<Result<CodeClaim>> CodeSnapshots::take(ExperimentSpec spec)
{
    const CodeClaim known = spec.codeHash.isEmpty() ? nullptr : claim(spec.codeHash);
    auto taking = m_strand.run([spec, folder = m_folder, uploads = m_uploads, options = walkOptions(m_ownFolders),
                                   stop = m_stop]() -> Result<QString> {
        if (!QDir().mkpath(folder))
            return fail(Kind::resource, u"The folder %1 cannot be made."_m.arg(folder));
        const QString target = folder + u'/' + spec.codeHash;
        const QString upload = uploads + u'/' + spec.codeHash + u".tar.gz"_s;
        if (!spec.codeHash.isEmpty() && QDir(target).exists())
            return spec.codeHash;
        if (!spec.codeHash.isEmpty() && (spec.codeDir.isEmpty() || QFile::exists(upload))) {
            const auto unpacked = package::unpackArchive(upload, target);
            if (!unpacked)
                return fail(unpacked, u"The uploaded code cannot be unpacked"_m);
            return spec.codeHash;
        }
        const auto snapshot = package::takeCode(spec.codeDir, options, stop,
            [&](const package::FileList& files) { return package::snapshotByContent(files, folder, stop); });
        if (!snapshot)
            return fail(snapshot, u"The code directory cannot be copied"_m);
        return snapshot->hash;
    });
    const Result<QString> hash = co_await taking;
    if (!hash)
        co_return fail(hash);
    co_return claim(*hash);
}

Task<bool> CodeSnapshots::has(QString hash)
{
    auto looking = m_strand.run([upload = m_uploads + u'/' + hash + u".tar.gz"_s, folder = m_folder + u'/' + hash] {
        return QFile::exists(upload) || QDir(folder).exists();
    });
    const bool there = co_await looking;
    co_return there;
}

Task<bool> CodeSnapshots::isTaken(QString hash)
{
    auto looking = m_strand.run([folder = m_folder + u'/' + hash] { return QDir(folder).exists(); });
    const bool there = co_await looking;
    co_return there;
}

Task<Result<>> CodeSnapshots::keep(QString hash, QString file)
{
    auto storing = m_strand.run([hash, file, uploads = m_uploads]() -> Result<> {
        QDir().mkpath(uploads);
        const QString target = uploads + u'/' + hash + u".tar.gz"_s;
        QFile::remove(target);
        if (!QFile::rename(file, target))
            return fail(Kind::resource, u"The upload cannot be kept in %1."_m.arg(uploads));
        return {};
    });
    const Result<> stored = co_await storing;
    co_return stored;
}

Task<> CodeSnapshots::removeUnused(ExperimentId id)
{
    const ExperimentPtr experiment = m_state.experiment(id);
    const QString hash = experiment ? experiment->spec.codeHash : QString();
    if (hash.isEmpty())
        co_return;
    // Whoever began before us to take code that is not known by its hash yet has claimed it then; whoever begins later takes
    // it anew, after the removal.
    auto earlier = m_strand.run([] {});
    co_await earlier;
    if (isUsed(hash, id))
        co_return;
    auto removing = m_strand.run([folder = m_folder + u'/' + hash] {
        QDir(folder).removeRecursively();
        QFile::remove(folder + u".tar.gz"_s); // as it was sent to other machines
    });
    co_await removing;
}

CodeClaim CodeSnapshots::claim(const QString& hash)
{
    m_claims.removeIf([](const auto& each) { return each.value().expired(); });
    if (CodeClaim held = m_claims.value(hash).lock())
        return held;
    auto claim = std::make_shared<const QString>(hash);
    m_claims.insert(hash, claim);
    return claim;
}

bool CodeSnapshots::isUsed(const QString& hash, const ExperimentId& except) const
{
    const auto& all = m_state.experimentOrder();
    return !m_claims.value(hash).expired() || std::any_of(all.begin(), all.end(), [&](const ExperimentId& other) {
        return other != except && m_state.experiment(other)->spec.codeHash == hash;
    });
}

} // namespace engine
