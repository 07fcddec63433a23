// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"

#include "services/wire/crc32.h"

#include <cstring>

namespace trialkeeper {

namespace {

void putHex(char* at, std::uint32_t value)
{
    for (int i = 7; i >= 0; --i, value >>= 4)
        at[i] = "0123456789abcdef"[value & 15];
}

bool getHex(const char* at, std::uint32_t& value)
{
    value = 0;
    for (int i = 0; i < 8; ++i) {
        const char c = at[i];
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0)
            return false;
        value = value << 4 | std::uint32_t(digit);
    }
    return true;
}

} // namespace

std::size_t formatJournalRecord(std::span<char> out, std::string_view json)
{
    if (json.empty() || json.size() > maxJournalPayload || out.size() < json.size() + journalOverhead)
        return 0;
    putHex(out.data(), std::uint32_t(json.size()));
    out[8] = ' ';
    putHex(out.data() + 9, crc32(json));
    out[17] = ' ';
    std::memcpy(out.data() + 18, json.data(), json.size());
    out[18 + json.size()] = '\n';
    return json.size() + journalOverhead;
}

std::string journalRecord(std::string_view json)
{
    std::string record(json.size() + journalOverhead, '\0');
    record.resize(formatJournalRecord(record, json));
    return record;
}

bool JournalReader::next(JournalRecord& record)
{
    const std::string_view rest = m_bytes.substr(m_at);
    std::uint32_t length = 0;
    std::uint32_t sum = 0;
    if (rest.size() < journalOverhead || !getHex(rest.data(), length) || !getHex(rest.data() + 9, sum) || rest[8] != ' '
        || rest[17] != ' ' || length == 0 || length > maxJournalPayload || rest.size() < length + journalOverhead
        || rest[18 + length] != '\n')
        return false;
    record.json = rest.substr(18, length);
    if (crc32(record.json) != sum)
        return false;
    record.offset = m_at;
    m_at += length + journalOverhead;
    record.next = m_at;
    return true;
}

std::size_t resumeAt(std::string_view journal, std::uint64_t cursor)
{
    JournalReader reader(journal);
    JournalRecord record;
    while (reader.validEnd() < cursor && reader.next(record)) { }
    return reader.validEnd() == cursor ? std::size_t(cursor) : 0;
}

} // namespace trialkeeper
