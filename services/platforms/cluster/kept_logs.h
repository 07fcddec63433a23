// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kept_log.h"

#include "services/core/strand.h"
#include "services/wire/pod_log_reader.h"

#include <map>

namespace platforms {

/// Bytes of one log of a trial, of one run of it. Without bytes it says how far the log is known to go.
struct KeptPiece
{
    QString log; ///< its name, as in KeptLogs
    QByteArray run;
    qint64 offset = 0;
    QByteArray bytes;
};

/// What of these pieces is kept, in their order. `run`: that of the reader's cursor before it made them. `part`: of the trial, which wrote
/// them; empty: the one that decides.
[[nodiscard]] QList<KeptPiece> keptPieces(
    const std::vector<trialkeeper::PodLogPiece>& pieces, const std::string& run, const QString& part = {});

/// The logs of a platform's trials as they came, `<folder>/<trial>/stdout` and `stderr`, and of other parts of a trial `worker-1` and
/// `worker-1.stderr`: for as long as the trials are, and when the cluster has forgotten theirs. Lives on the service thread; files are
/// used on a thread of its own. Pending calls may outlive it.
class KeptLogs
{
public:
    static constexpr qint64 usualLimit = qint64(64) * 1024 * 1024;

    /// `limit`: bytes of one trial's stdout and stderr together, half each; each log of another part has an eighth of it. See KeptLog for
    /// what is left out.
    explicit KeptLogs(QString folder, qint64 limit = usualLimit);
    ~KeptLogs();
    KeptLogs(const KeptLogs&) = delete;
    KeptLogs& operator=(const KeptLogs&) = delete;

    /// Whether all of it is kept; after an error (a full disk: isOutOfSpace()) the same call again keeps the rest.
    [[nodiscard]] Task<Result<>> append(TrialId trial, QList<KeptPiece> pieces);
    /// KeptLog::read(). A log that is not there is empty.
    [[nodiscard]] Task<Result<Bytes>> read(TrialId trial, QString log, ReadRange range, bool ended);
    /// What is kept of the trial: the trial's own first, then by part.
    [[nodiscard]] Task<QStringList> names(TrialId trial);
    /// Removes the logs of these trials.
    [[nodiscard]] Task<Result<>> remove(QList<TrialId> trials);

private:
    class Files; ///< used on the strand alone

    std::shared_ptr<Files> m_files;
    std::shared_ptr<Strand> m_strand;
};

} // namespace platforms
