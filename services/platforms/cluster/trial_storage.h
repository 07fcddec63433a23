// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cluster_wire.h"
#include "services/platforms/commands/command_host.h"
#include "services/platforms/commands/shared_folder.h"

#include "services/core/one_shot.h"
#include "services/platforms/keeper/packed_codes.h"
#include "services/platforms/trial_script.h"

#include <QFileSystemWatcher>

namespace platforms {

/// What the trials of a service have on a file system that their cluster's nodes share:
///
///     ROOT = FOLDER/trialdeck/SERVICE; gone with the last experiment
///     ROOT/bin/trialkeeper-pod-HASH           the keeper of trials
///     ROOT/code/SHA/                          a snapshot
///     ROOT/trials/EXPERIMENT/TRIAL/           a trial's folder (services/wire/protocol.h, 4), and `log`, its keeper's frames
///
/// In an object store a snapshot is ROOT/code/SHA.tar.gz, a trial works in /tmp of its container, and of its folder there are what it was
/// given, `output`, and `log` in pieces (app/trialkeeper/pod/piece_log.h).
///
/// The functions of ClusterWire that are about files are those of this class. Lives on the service thread; pending calls must have
/// returned before it is destroyed.
class TrialStorage : public QObject
{
    Q_OBJECT
public:
    /// Keeps what trials share from being removed.
    using Use = std::shared_ptr<const bool>;

    /// `folder` as the host has it, `nodeFolder` as nodes do. `host`, which others open and close, is not owned.
    TrialStorage(CommandHost* host, const QString& folder, const QString& nodeFolder, Context context);
    /// Instead of a folder that the host has: `folder` is what nodes have as rootIn() of their folder. Before anything else, or after close().
    void setFolder(std::unique_ptr<SharedFolder> folder);
    /// Of a folder that others share.
    [[nodiscard]] static QString rootIn(const QString& folder, const QString& serviceId);
    [[nodiscard]] Task<> close();

    /// Makes the folder where it is not there, and writes to it.
    [[nodiscard]] Task<Result<FolderSpace>> prepare();
    [[nodiscard]] Message spaceText(const FolderSpace& space) const;
    /// The processor of nodes, as `uname -m` names it; by default that of this computer. Before use().
    void setArchitecture(const QString& machine) { m_architecture = machine; }
    /// Puts there what a trial with this code needs: the keeper, and the snapshot. Code in place must lie on the file system, unless
    /// nodes have the same paths as this computer.
    [[nodiscard]] Task<Result<Use>> use(CodeSource code);

    [[nodiscard]] static QString folderOf(const ExperimentId& experiment, const TrialId& trial);
    /// A path of the folder, as the host has it, and as nodes do.
    [[nodiscard]] QString pathOf(const QString& path) const { return m_folder->root() + u'/' + path; }
    [[nodiscard]] QString nodePathOf(const QString& path) const { return m_nodeRoot + u'/' + path; }
    [[nodiscard]] SharedFolder& folder() { return *m_folder; }
    [[nodiscard]] const SharedFolder& folder() const { return *m_folder; }
    /// How a node starts this trial in `folder` (relative). While a Use is held.
    [[nodiscard]] TrialScript scriptOf(const TrialSpec& spec, const QString& folder) const;
    /// Writes the texts that the script has in files, and `more`.
    [[nodiscard]] Task<Result<>> putTexts(TrialScript script, QString folder, QList<FolderFile> more);

    [[nodiscard]] Task<Result<QList<LogPart>>> readLogs(QList<LogWish> wishes);
    /// Whether its keeper, or the shell that was to start it, has written anything.
    [[nodiscard]] Task<Result<bool>> hasLog(TrialRef trial);
    /// What the keeper wrote of its trial's end: nothing while there is none.
    [[nodiscard]] Task<Result<std::optional<Observation>>> endOf(TrialRef trial);
    [[nodiscard]] Task<Result<QStringList>> logNames(TrialRef trial);
    [[nodiscard]] Task<Result<Bytes>> readFile(TrialRef trial, QString name, qint64 offset, qint64 limit);
    [[nodiscard]] Task<Result<FileList>> listFiles(TrialRef trial, QString after, qint64 limit);
    [[nodiscard]] QString folderText(const TrialRef& trial) const;
    /// Removes the folders of ended trials, and what they shared with others that are gone, too.
    [[nodiscard]] Task<Result<>> remove(ExperimentId experiment, QList<TrialRef> trials);
    /// Removes the folder of an ended trial, and that of its experiment where it was the last; never what trials share, which may be in use by
    /// another object on the same file system.
    [[nodiscard]] Task<Result<>> removeAlone(TrialRef trial);
    /// Those of the experiment that have a folder, and are none of these.
    [[nodiscard]] Task<Result<QList<TrialRef>>> strays(ExperimentId experiment, QSet<TrialId> known);

signals:
    /// A log that was read has grown. Local writes only (inotify): writes of other computers to a network file system emit nothing.
    void logsGrew();

private:
    [[nodiscard]] QString nodeFolderOf(const QString& folder) const;
    [[nodiscard]] Task<Result<>> putKeeper();
    [[nodiscard]] Task<Result<>> putCode(CodeSource code);
    [[nodiscard]] bool isLocal() const { return m_host->isHere() && !m_folder->isObjectStore(); }
    [[nodiscard]] Task<Result<LogPart>> readPieces(LogWish wish, qint64 limit, std::shared_ptr<qint64> left);
    [[nodiscard]] Task<Result<>> removeUnused(ExperimentId experiment);
    /// Waits while removeUnused() runs.
    [[nodiscard]] Task<> removalIsOver();
    void watch(const QStringList& logs);

    CommandHost* m_host;
    const Context m_context;
    const QString m_top, m_nodeTop; ///< the file system, as the host has it, and as nodes do
    const QString m_nodeRoot;
    std::unique_ptr<SharedFolder> m_folder;
    QFileSystemWatcher m_watcher;
    PackedCodes m_codes;
    QString m_architecture;
    QString m_keeper; ///< relative to the folder; empty: not put there yet
    QSet<QString> m_codesThere;
    qsizetype m_readBegin = 0;                      ///< of the wishes for pieces
    Use m_use = std::make_shared<const bool>(true); ///< copies of it are held
    bool m_isRemoving = false;                      ///< what is shared
    std::vector<OneShot<bool>> m_afterRemoval;
};

/// Ends and removes the strays() of an experiment, for ClusterWire::removeUnknown(). Neither is owned.
[[nodiscard]] Task<Result<int>> removeStrays(
    ClusterWire* wire, TrialStorage* storage, ExperimentId experiment, QSet<TrialId> known);

} // namespace platforms
