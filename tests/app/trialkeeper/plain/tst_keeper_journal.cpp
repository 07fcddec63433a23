// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.h"

#include "services/wire/crc32.h"
#include "app/trialkeeper/trial/journal.h"

#include <random>
#include <string>
#include <vector>

using namespace trialkeeper;

namespace {

std::vector<std::string> readAll(std::string_view bytes, std::size_t& end)
{
    std::vector<std::string> records;
    JournalReader reader(bytes);
    JournalRecord record;
    while (reader.next(record)) {
        CHECK(record.next - record.offset == record.json.size() + journalOverhead);
        records.emplace_back(record.json);
    }
    end = reader.validEnd();
    return records;
}

void formats()
{
    CHECK(crc32("123456789") == 0xcbf43926U);
    CHECK(crc32("") == 0);
    CHECK(journalRecord("{}") == "00000002 a3a6bf43 {}\n");
    char small[20];
    CHECK(formatJournalRecord(small, "{}") == 0);
    CHECK(journalRecord("").empty());
    CHECK(journalRecord(std::string(maxJournalPayload + 1, 'x')).empty());
    CHECK(journalRecord(std::string(maxJournalPayload, 'x')).size() == maxJournalPayload + journalOverhead);
}

void resumesOnlyAtRecords()
{
    const std::string first = journalRecord("{\"type\":\"identity\"}");
    const std::string second = journalRecord("{\"type\":\"running\",\"pid\":12}");
    const std::string whole = first + second;
    for (std::size_t cursor = 0; cursor <= whole.size() + 10; ++cursor)
        CHECK(resumeAt(whole, cursor) == (cursor == first.size() || cursor == whole.size() ? cursor : 0));
    CHECK(resumeAt({}, whole.size()) == 0);
    CHECK(resumeAt(first, whole.size()) == 0);
    CHECK(resumeAt(first + std::string(second.size(), '\0'), whole.size()) == 0);
    CHECK(resumeAt(first + std::string(second.size(), '\0'), first.size()) == first.size());
}

void tornAtEveryByte()
{
    const std::vector<std::string> payloads = {"{\"type\":\"identity\"}", "{\"type\":\"running\",\"pid\":12}",
        std::string(300, '\n'), "{\"type\":\"exited\"}"};
    std::string whole;
    std::vector<std::size_t> ends = {0};
    for (const std::string& payload : payloads) {
        whole += journalRecord(payload);
        ends.push_back(whole.size());
    }
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        std::size_t expected = 0;
        while (expected + 1 < ends.size() && ends[expected + 1] <= size)
            ++expected;
        std::size_t end = 0;
        const std::vector<std::string> records = readAll(std::string_view(whole).substr(0, size), end);
        CHECK(records.size() == expected);
        CHECK(end == ends[expected]);
        for (std::size_t i = 0; i < records.size(); ++i)
            CHECK(records[i] == payloads[i]);
    }
}

void anyFlippedBitEndsIt()
{
    const std::string first = journalRecord("{\"n\":1}");
    const std::string second = journalRecord("{\"n\":2,\"text\":\"abc\"}");
    for (std::size_t at = 0; at < second.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string bytes = first + second + first;
            bytes[first.size() + at] = char(bytes[first.size() + at] ^ (1 << bit));
            std::size_t end = 0;
            CHECK(readAll(bytes, end).size() == 1);
            CHECK(end == first.size());
        }
    }
}

void survivesNoise()
{
    std::mt19937 random(3);
    for (int round = 0; round < 5000; ++round) {
        std::string bytes(random() % 200, '\0');
        for (char& c : bytes)
            c = "0123456789abcdef {}\n"[random() % 20];
        std::size_t end = 0;
        (void)readAll(bytes, end);
        CHECK(end <= bytes.size());
    }
    std::size_t end = 1;
    CHECK(readAll("ffffffff 00000000 {}\n", end).empty() && end == 0);
}

} // namespace

int main()
{
    formats();
    tornAtEveryByte();
    resumesOnlyAtRecords();
    anyFlippedBitEndsIt();
    survivesNoise();
    return checkResult();
}
