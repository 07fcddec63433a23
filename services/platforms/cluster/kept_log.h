// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/platform.h"

namespace platforms {

/// One stream of a trial's log, kept in a folder of this computer: files `N` of one fixed size each, of which the first and the latest
/// stay, and `position`, which says what the end of them is. The position of a log is that of its bytes if none had been left out, with
/// the notices that stand for gaps. Written by appending alone, and `position` before the bytes that it is about: after a kill at any
/// instant it continues behind the last byte that was written. A loss of power may cost bytes, which show as a gap.
/// Blocks on the disk; used on one thread.
class KeptLog
{
public:
    /// Files that are kept of a log, each an eighth of its limit.
    static constexpr int mostFiles = 8;
    static constexpr qint64 smallestFile = 256; ///< bytes: longer than a notice

    /// `limit`: of a new log, bytes; one that is there keeps its own.
    KeptLog(QString folder, qint64 limit);

    /// What comes twice is not written twice; what is missing before `offset` (of the run's stream) is noted. After an error, what was
    /// written is known: the same call again writes the rest. `run`: [0-9a-f]{1,16}; another one begins at 0 again.
    [[nodiscard]] Result<> append(const QByteArray& run, qint64 offset, QByteArrayView bytes);
    /// As Platform::readLog() has it, without `follow`. An offset in what was left out is moved to the notice about it. Kind::not_found
    /// does not occur: a log that is not there is empty. `ended`: no more will be appended.
    [[nodiscard]] Result<Bytes> read(const ReadRange& range, bool ended);

    /// What stands in a log for bytes that did not come, and with 0 for a new start of the trial.
    [[nodiscard]] static QByteArray gapNotice(qint64 bytes);
    /// What stands in a log for bytes that were left out above the limit.
    [[nodiscard]] static QByteArray limitNotice(qint64 bytes);

private:
    /// At `at` of the log stands a notice (noNotice: none), and behind it the bytes of the run's stream from `offset`.
    struct Position
    {
        qint64 at = 0;
        qint64 notice = noNotice;
        qint64 offset = 0;
        QByteArray run;
    };
    static constexpr qint64 noNotice = -1;

    [[nodiscard]] Result<> load();
    [[nodiscard]] Result<> begin(Position position);
    [[nodiscard]] Result<> write(QByteArrayView bytes);
    [[nodiscard]] Result<> finishNotice();
    [[nodiscard]] qint64 noticeSize() const;
    [[nodiscard]] QByteArray file(qint64 index) const;
    [[nodiscard]] tl::unexpected<Error> failed(int number) const;

    QString m_folder;
    qint64 m_fileSize;
    bool m_isLoaded = false;
    Position m_position;
    qint64 m_end = 0; ///< of the log
};

} // namespace platforms
