// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/command.h"
#include "services/core/strand.h"
#include "services/engine/platforms/platform_manager.h"

namespace engine {

/// Keeps a snapshot of code from being removed as long as it lives.
using CodeClaim = std::shared_ptr<const QString>; ///< its hash

/// The code of experiments in the data directory: `code/HASH`, a folder each, shared by all experiments with the same content, and
/// `uploads/HASH.tar.gz`. What an experiment names, or is being taken for one, is never removed. Service thread only; the work is done on a
/// thread of its own, one piece after the other.
class CodeSnapshots
{
public:
    CodeSnapshots(EngineState& state, const EngineConfig& config, std::stop_token stop);

    /// The folder as an absolute path, if it is one that can be taken: it is looked at as a whole, within the limits of snapshots.
    [[nodiscard]] Task<Result<QString>> examined(QString folder, bool inPlace);
    /// Sees to it that the code of that experiment is there: what is there by its hash, what was uploaded, or a snapshot of its folder as it is
    /// now.
    [[nodiscard]] Task<Result<CodeClaim>> take(ExperimentSpec spec);
    /// Whether it is there, or was uploaded.
    [[nodiscard]] Task<bool> has(QString hash);
    /// Whether it is there, so that a trial can start with it.
    [[nodiscard]] Task<bool> isTaken(QString hash);
    /// Keeps what has this hash, also if it is not there yet.
    [[nodiscard]] CodeClaim claim(const QString& hash);
    /// Keeps an upload, by moving the file.
    [[nodiscard]] Task<Result<>> keep(QString hash, QString file);
    /// Removes the code of an experiment that does not need it any more, unless another one does.
    [[nodiscard]] Task<> removeUnused(ExperimentId id);

private:
    [[nodiscard]] bool isUsed(const QString& hash, const ExperimentId& except) const;

    EngineState& m_state;
    const QString m_folder;
    const QString m_uploads;
    const QStringList m_ownFolders;
    const std::stop_token m_stop;
    QHash<QString, std::weak_ptr<const QString>> m_claims;
    Strand m_strand{QStringLiteral("packing")};
};

} // namespace engine
