// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "job_course.h"
#include "kept_logs.h"

#include "services/platforms/platform.h"
#include "services/wire/pod_log_reader.h"

namespace platforms {

/// Reads the log in which a trial's keeper writes (services/wire/pod_frame.h) from the beginning, or from where an earlier service had
/// stored everything. Pure.
class TrialLog
{
public:
    struct Taken
    {
        std::vector<RecordBytes> records;
        std::vector<Observation> events; ///< `running` and ends, in the order of the log
        std::vector<Message> notes;      ///< for the trial's journal
        QList<KeptPiece> kept;           ///< of its standard output and error, where they are kept
    };

    /// `cursors.platform`: of cursor(), or empty; a damaged one counts as empty, and then all comes again, which does no harm.
    /// `isKept`: its standard output and error are wanted, too; `part`: as what they are kept (keptPieces()).
    TrialLog(
        const TrialId& trial, const Cursors& cursors, StdoutWatch watch, bool isKept = false, const QString& part = {});

    /// Where the next bytes are wanted from, in the log.
    [[nodiscard]] qint64 offset() const { return m_offset; }
    /// The file that `offset` is of (FolderBytes::identity); empty: any.
    [[nodiscard]] const QByteArray& identity() const { return m_identity; }
    /// Bytes from offset() on. Runs that begin in them, and their numbers, are noted in `runs`.
    [[nodiscard]] Taken take(const QByteArray& bytes, const QByteArray& identity, qint64 now, JobRuns& runs);
    /// The log is another one now, or shorter: it is read from its beginning.
    void restart();
    /// To be made durable with what was taken (RecordBytes::platformCursor).
    [[nodiscard]] QByteArray cursor(const JobRuns& runs) const;
    /// Where its newest run began, in the cluster's words; empty: it did not say.
    [[nodiscard]] const QString& node() const { return m_node; }
    /// What cursor() was given as `runs`.
    [[nodiscard]] const JobRuns& runs() const { return m_runs; }

private:
    TrialId m_trial;
    StdoutWatch m_watch;
    bool m_isKept;
    QString m_part;
    trialkeeper::PodLogReader m_reader;
    qint64 m_offset = 0;
    qint64 m_lineStart = 0; ///< of the last line, which may be unfinished
    QByteArray m_identity;
    JobRuns m_runs; ///< as stored
    QString m_node;
    bool m_saidDamage = false;
};

} // namespace platforms
