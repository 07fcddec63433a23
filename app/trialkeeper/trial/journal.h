// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trialkeeper {

// A journal is a file of records, each one line and one write():
//     LLLLLLLL CCCCCCCC {json}\n
// L the length of the JSON and C its CRC-32, eight hexadecimal digits each. What follows the first record that does
// not hold is a torn tail: readers stop there, and the next keeper cuts it off before it appends.

inline constexpr std::size_t maxJournalPayload = 64 * 1024;
inline constexpr std::size_t journalOverhead = 19; ///< bytes of a record beside its JSON

/// Writes one record into `out`; its size, or 0 if it does not fit or the payload is over maxJournalPayload.
/// Allocates nothing.
[[nodiscard]] std::size_t formatJournalRecord(std::span<char> out, std::string_view json);
[[nodiscard]] std::string journalRecord(std::string_view json);

/// A record whose length and checksum are right.
struct JournalRecord
{
    std::string_view json;  ///< lives as long as the bytes given to the reader
    std::size_t offset = 0; ///< of the record, in those bytes
    std::size_t next = 0;   ///< of the byte after it
};

/// Reads records out of bytes that begin at a record's start. Pure; any bytes may be given.
class JournalReader
{
public:
    explicit JournalReader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }
    /// False at the end of the bytes and at a torn or damaged record.
    [[nodiscard]] bool next(JournalRecord& record);
    /// The end of the last record that held.
    [[nodiscard]] std::size_t validEnd() const { return m_at; }

private:
    std::string_view m_bytes;
    std::size_t m_at = 0;
};

/// Offset at which a reader with this cursor continues: the cursor itself if a record ends there; else 0, because the journal is not
/// the one that was read (a loss of power removed or damaged its end, or it was created again).
[[nodiscard]] std::size_t resumeAt(std::string_view journal, std::uint64_t cursor);

} // namespace trialkeeper
