// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kept_log.h"

#include "services/core/strand.h"
#include "services/wire/pod_log_reader.h"

#include <map>

namespace platforms {

enum class KeptStream : quint8 { standardOutput, standardError };

/// Bytes of a stream of one run of a trial. Without bytes it says how far the stream is known to go.
struct KeptPiece
{
    KeptStream stream = KeptStream::standardOutput;
    QByteArray run;
    qint64 offset = 0;
    QByteArray bytes;
};

/// What of these pieces is kept, in their order. `run`: that of the reader's cursor before it made them.
[[nodiscard]] QList<KeptPiece> keptPieces(const std::vector<trialkeeper::PodLogPiece>& pieces, const std::string& run);

/// The logs of a platform's trials as they came, `<folder>/<trial>/stdout` and `stderr`: for as long as the trials are, and when the
/// cluster has forgotten theirs. Lives on the service thread; files are used on a thread of its own. Pending calls may outlive it.
class KeptLogs
{
public:
    static constexpr qint64 usualLimit = qint64(64) * 1024 * 1024;

    /// `limit`: bytes of one trial, both streams together; see KeptLog for what is left out.
    explicit KeptLogs(QString folder, qint64 limit = usualLimit);
    ~KeptLogs();
    KeptLogs(const KeptLogs&) = delete;
    KeptLogs& operator=(const KeptLogs&) = delete;

    /// Whether all of it is kept; after an error (a full disk: isOutOfSpace()) the same call again keeps the rest.
    [[nodiscard]] Task<Result<>> append(TrialId trial, QList<KeptPiece> pieces);
    /// KeptLog::read(). A log that is not there is empty.
    [[nodiscard]] Task<Result<Bytes>> read(TrialId trial, KeptStream stream, ReadRange range, bool ended);
    /// Whether anything is kept of the trial.
    [[nodiscard]] Task<bool> has(TrialId trial);
    /// Removes the logs of these trials.
    [[nodiscard]] Task<Result<>> remove(QList<TrialId> trials);

private:
    class Files; ///< used on the strand alone

    std::shared_ptr<Files> m_files;
    std::shared_ptr<Strand> m_strand;
};

} // namespace platforms
