// SPDX-License-Identifier: GPL-3.0-or-later
// A log as files of one folder, for storages that show a file only once it is closed (blobfuse):
//
//     FOLDER/0000000000000000    from its first byte on
//     FOLDER/0000000000004711    from byte 4711 on, where the file before it ends
//
// Who has read so many bytes knows the name of the next file. A file has its bytes once it is there: one whose closing failed is written again
// with the same bytes.
#pragma once

#include "app/trialkeeper/base/io.h"

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

    /// Makes the folder. What an earlier run left there stays, and this one goes on behind it. False: `message` is a sentence.
    [[nodiscard]] bool open(const std::string& folder, std::string& message);
    [[nodiscard]] std::size_t room() const { return mostBytes - m_pending.size(); }
    /// At most room() bytes.
    void add(std::string_view bytes);
    /// Nothing is added any more: what is left is due at once.
    void end() { m_hasEnded = true; }
    /// When write() is due, steadyMs(); 0: there is nothing to write. A log that grows slowly has a file a second in its first minute, then
    /// ever fewer, at last one each 15 seconds.
    [[nodiscard]] std::int64_t dueAt() const;
    /// Writes the next file. False: errno; what it was to hold is kept, and due again a little later, each time longer, up to half a minute.
    bool write();
    [[nodiscard]] bool isEmpty() const { return m_pending.empty(); }

private:
    Fd m_folder;
    std::string m_pending;
    std::size_t m_tried = 0; ///< bytes of m_pending that were in a file that failed; 0: none was
    std::uint64_t m_offset = 0;
    std::int64_t m_beganAt = 0, m_pendingAt = 0;
    std::int64_t m_retryAt = 0; ///< 0: the last file was written
    int m_pauseMs = 0;
    bool m_hasEnded = false;
};

/// Which offset a file of this name has; -1: it is none of them.
[[nodiscard]] std::int64_t pieceOffset(std::string_view name);

/// Takes over the standard output of the process `keeper`, a child of this one, that comes from `pipe`, until both have ended and all is written,
/// or could not be for ten minutes. Signals to end go to the child; they are blocked (blockPodSignals()). The child's exit code as a shell has it.
[[nodiscard]] int relayPieces(PieceLog& log, Fd pipe, pid_t keeper);

} // namespace trialkeeper
