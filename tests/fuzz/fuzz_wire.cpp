// SPDX-License-Identifier: GPL-3.0-or-later
// Frames between service and agent, and the keeper's journal.
#include "fuzz_driver.h"

#include "app/trialkeeper/trial/journal.h"
#include "services/wire/frame.h"

void fuzzOne(std::string_view data)
{
    using namespace trialkeeper;
    // In pieces of a size that the data choose.
    const size_t piece = data.empty() ? 1 : 1 + size_t(uint8_t(data.front()));
    FrameDecoder decoder;
    FrameView frame;
    size_t bytes = 0;
    for (size_t at = 0; at < data.size(); at += piece) {
        const std::string_view part = data.substr(at, piece);
        decoder.feed({part.data(), part.size()});
        while (decoder.next(frame) == FrameDecoder::Status::Frame)
            for (const char c : frame.json)
                bytes += size_t(uint8_t(c));
    }
    JournalReader reader(data);
    JournalRecord record;
    while (reader.next(record))
        for (const char c : record.json)
            bytes += size_t(uint8_t(c));
    if (reader.validEnd() > data.size() || bytes == size_t(-1))
        __builtin_trap();
}
