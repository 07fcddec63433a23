// SPDX-License-Identifier: GPL-3.0-or-later
#include "frame.h"

#include "protocol.h"

namespace trialkeeper {

namespace {

constexpr std::size_t headSize = 6;

std::uint32_t readLittle(const char* at, int bytes)
{
    std::uint32_t value = 0;
    for (int i = 0; i < bytes; ++i)
        value |= std::uint32_t(static_cast<unsigned char>(at[i])) << (8 * i);
    return value;
}

} // namespace

bool appendFrame(std::string& out, std::string_view json, std::string_view raw)
{
    const std::size_t length = 2 + json.size() + raw.size();
    if (length > maxFrame || raw.size() > maxRaw || (!raw.empty() && json.size() > maxJsonWithRaw) || json.empty())
        return false;
    const std::size_t jsonLength = json.size() > maxJsonWithRaw ? 0 : json.size();
    const char head[headSize] = {char(length & 0xff), char(length >> 8 & 0xff), char(length >> 16 & 0xff),
        char(length >> 24 & 0xff), char(jsonLength & 0xff), char(jsonLength >> 8 & 0xff)};
    out.reserve(out.size() + headSize + json.size() + raw.size());
    out.append(head, headSize).append(json).append(raw);
    return true;
}

void FrameDecoder::feed(std::span<const char> bytes)
{
    if (m_broken)
        return;
    // What was returned is dropped when half of the buffer is used up, so that the moving costs less than the reading.
    if (m_begin == m_buffer.size()) {
        m_buffer.clear();
        m_begin = 0;
    } else if (m_begin > m_buffer.size() / 2) {
        m_buffer.erase(0, m_begin);
        m_begin = 0;
    }
    m_buffer.append(bytes.data(), bytes.size());
}

FrameDecoder::Status FrameDecoder::next(FrameView& frame)
{
    if (m_broken)
        return Status::Error;
    const std::size_t have = m_buffer.size() - m_begin;
    if (have < 4)
        return Status::NeedMore;
    const char* at = m_buffer.data() + m_begin;
    const std::size_t length = readLittle(at, 4);
    bool good = length >= 3 && length <= maxFrame;
    if (good && have < headSize)
        return Status::NeedMore;
    const std::size_t told = good ? readLittle(at + 4, 2) : 0;
    const std::size_t jsonLength = told == 0 ? length - 2 : told;
    good = good && jsonLength <= length - 2 && length - 2 - jsonLength <= maxRaw;
    if (!good) {
        // The length is judged before the bytes arrive: a hostile one never makes us wait for, or hold, a gigabyte.
        m_broken = true;
        m_buffer = {};
        m_begin = 0;
        return Status::Error;
    }
    if (have < 4 + length)
        return Status::NeedMore;
    frame.json = {at + headSize, jsonLength};
    frame.raw = {at + headSize + jsonLength, length - 2 - jsonLength};
    m_begin += 4 + length;
    return Status::Frame;
}

} // namespace trialkeeper
