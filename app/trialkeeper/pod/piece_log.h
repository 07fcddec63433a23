// SPDX-License-Identifier: GPL-3.0-or-later
// A log as files of one folder, for storages that show a file only once it is closed (blobfuse):
//
//     FOLDER/0000/0000000000000000    of the first keeper, from its first byte on
//     FOLDER/0000/0000000000004711    from byte 4711 on, where the file before it ends
//     FOLDER/0001/0000000000000000    of a keeper that was started later, because the cluster started the container again
//
// A reader that has 4,711 bytes knows the name of the next file. Each file holds whole lines. It is immutable once it is not empty: after a write
// that failed the same bytes are written again. Two keepers of one trial, of which one was given up for lost, never write the same file.
#pragma once

#include "app/trialkeeper/base/io.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace trialkeeper {

/// Writes such files. One thread; it blocks as long as the storage does.
class PieceLog
{
public:
    static constexpr std::size_t mostBytes = 256 * 1024; ///< of a file

    /// Makes the folder, and in it one of its own. False: `message` is a sentence.
    [[nodiscard]] bool open(const std::string& folder, std::string& message);
    [[nodiscard]] std::size_t room() const { return mostBytes - std::min(mostBytes, m_pending.size()); }
    /// At most room() bytes.
    void add(std::string_view bytes);
    /// Nothing is added any more: what is left is due at once, and a line that broke off is ended.
    void end();
    /// When write() is due, steadyMs(); 0: there is no whole line to write. Files are one second apart in the first 20 seconds, then a twentieth of
    /// the log's age, at most 15 seconds; one that is full is due at once.
    [[nodiscard]] std::int64_t dueAt() const;
    /// Writes the next file. False: errno; its bytes are kept and due again after a pause, which doubles from 1 to 30 seconds.
    bool write();
    [[nodiscard]] bool isEmpty() const { return m_pending.empty(); }
    [[nodiscard]] bool isFailing() const { return m_retryAt > 0; }

private:
    Fd m_folder;
    std::string m_pending;
    std::size_t m_lines = 0; ///< bytes of m_pending up to the end of its last line
    std::size_t m_tried = 0; ///< bytes of m_pending in a file whose write failed; 0: none did
    std::uint64_t m_offset = 0;
    std::int64_t m_beganAt = 0, m_pendingAt = 0;
    std::int64_t m_retryAt = 0; ///< 0: the last file was written
    int m_pauseMs = 0;
    bool m_hasEnded = false;
};

/// Writes what `keeper`, a child process, prints into `pipe`, until both have ended and all is written, or ten minutes after their end. Signals are
/// passed on to the child; they are blocked (blockPodSignals()). A write that fails is reported on standard error, once until one succeeds. The
/// child's exit code, or 128 + its signal.
[[nodiscard]] int relayPieces(PieceLog& log, Fd pipe, pid_t keeper);

} // namespace trialkeeper
