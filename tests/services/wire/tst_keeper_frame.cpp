// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/wire/frame.h"
#include "services/wire/protocol.h"
#include "tests/app/trialkeeper/plain/check.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace trialkeeper;
using Status = FrameDecoder::Status;

namespace {

std::string frameOf(std::string_view json, std::string_view raw = {})
{
    std::string out;
    CHECK(appendFrame(out, json, raw));
    return out;
}

std::string headOf(std::uint32_t length, unsigned jsonLength)
{
    std::string head;
    for (int i = 0; i < 4; ++i)
        head.push_back(char(length >> (8 * i) & 0xff));
    head.push_back(char(jsonLength & 0xff));
    head.push_back(char(jsonLength >> 8));
    return head;
}

void encodes()
{
    CHECK(frameOf("{}", "ab") == std::string("\x06\0\0\0\x02\0{}ab", 10));
    CHECK(frameOf("{}") == std::string("\x04\0\0\0\x02\0{}", 8));
    std::string out = "before";
    CHECK(!appendFrame(out, {}));
    CHECK(!appendFrame(out, "{}", std::string(maxRaw + 1, 'x')));
    CHECK(!appendFrame(out, std::string(maxFrame, ' ')));
    CHECK(!appendFrame(out, std::string(maxJsonWithRaw + 1, ' '), "x"));
    CHECK(out == "before");
    CHECK(appendFrame(out, std::string(maxFrame - 2, ' ')));
}

void decodesSizes()
{
    const std::size_t jsonSizes[] = {1, 2, 100, 65534, 65535, 65536, 200000, maxFrame - 2};
    const std::size_t rawSizes[] = {0, 1, 65535, 65536};
    for (const std::size_t jsonSize : jsonSizes) {
        for (const std::size_t rawSize : rawSizes) {
            if (rawSize > 0 && jsonSize > maxJsonWithRaw)
                continue;
            const std::string json(jsonSize, 'j');
            const std::string raw(rawSize, '\0');
            FrameDecoder decoder;
            decoder.feed(frameOf(json, raw));
            FrameView view;
            CHECK(decoder.next(view) == Status::Frame);
            CHECK(view.json == json && view.raw == raw);
            CHECK(decoder.next(view) == Status::NeedMore);
            CHECK(decoder.buffered() == 0);
        }
    }
}

void survivesRandomSplits()
{
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::pair<std::string, std::string>> sent;
        std::string bytes;
        for (int i = 0; i < 20; ++i) {
            sent.emplace_back(std::string(1 + random() % 300, char('a' + i)),
                std::string(random() % 5 == 0 ? random() % 5000 : 0, char(random())));
            bytes += frameOf(sent.back().first, sent.back().second);
        }
        FrameDecoder decoder;
        std::size_t received = 0;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t size = std::min<std::size_t>(1 + random() % (round % 2 ? 7 : 3000), bytes.size() - at);
            decoder.feed({bytes.data() + at, size});
            at += size;
            FrameView view;
            Status status = Status::NeedMore;
            while ((status = decoder.next(view)) == Status::Frame) {
                CHECK(received < sent.size() && view.json == sent[received].first && view.raw == sent[received].second);
                ++received;
            }
            CHECK(status == Status::NeedMore);
        }
        CHECK(received == sent.size());
    }
}

void refusesHostileHeads()
{
    const std::string hostile[] = {
        headOf(0, 0),
        headOf(1, 0),
        headOf(2, 0),
        headOf(2, 1),
        headOf(maxFrame + 1, 10),
        headOf(0xffffffffU, 10),
        headOf(10, 9),
        headOf(10, 65535),
        headOf(maxRaw + 2 + 10 + 1, 10),
    };
    for (const std::string& head : hostile) {
        FrameDecoder decoder;
        FrameView view;
        decoder.feed(head);
        CHECK(decoder.next(view) == Status::Error);
        decoder.feed(frameOf("{}"));
        CHECK(decoder.next(view) == Status::Error); // it stays broken
        CHECK(decoder.buffered() == 0);
    }
    // A length that is too large is refused by its four bytes alone.
    FrameDecoder decoder;
    FrameView view;
    decoder.feed(headOf(0x7fffffff, 0).substr(0, 4));
    CHECK(decoder.next(view) == Status::Error);
}

void survivesNoise()
{
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        FrameDecoder decoder;
        std::string bytes = frameOf("{\"m\":\"ping\"}", "raw");
        for (int i = 0; i < 4; ++i)
            bytes[random() % bytes.size()] = char(random());
        decoder.feed(bytes);
        FrameView view;
        for (int i = 0; i < 10; ++i) {
            if (decoder.next(view) == Status::Frame)
                CHECK(view.json.size() + view.raw.size() <= bytes.size());
        }
    }
}

void keepsLittleMemory()
{
    FrameDecoder decoder;
    FrameView view;
    const std::string frame = frameOf("{}", std::string(60000, 'r'));
    for (int i = 0; i < 5000; ++i) {
        decoder.feed({frame.data(), frame.size() / 2});
        decoder.feed({frame.data() + frame.size() / 2, frame.size() - frame.size() / 2});
        CHECK(decoder.next(view) == Status::Frame);
        CHECK(decoder.buffered() < frame.size());
    }
}

} // namespace

int main()
{
    encodes();
    decodesSizes();
    survivesRandomSplits();
    refusesHostileHeads();
    survivesNoise();
    keepsLittleMemory();
    return checkResult();
}
