// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_log_reader.h"

#include <algorithm>
#include <charconv>

namespace trialkeeper {

namespace {

/// A line that is longer is given in parts; none of them can be the beginning of a frame.
constexpr std::size_t longestLine = 2 * maxPodFrame;

/// The RFC 3339 time stamp that `text` is, apart from a blank at its end: "2026-01-02T03:04:05.000000006Z ". Empty: it is none.
std::string_view timeStampOf(std::string_view text)
{
    constexpr std::string_view shape = "0000-00-00T00:00:00";
    if (!text.ends_with(' ') || text.size() <= shape.size() + 1 || text.size() > 40)
        return {};
    text.remove_suffix(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        const bool fits = i < shape.size() ? (shape[i] == '0' ? digit : text[i] == shape[i])
                                           : digit || std::string_view(".+-:Z").find(text[i]) != std::string_view::npos;
        if (!fits)
            return {};
    }
    return text;
}

/// Takes a decimal number and the blank behind it away. False: there is none.
bool takeTotal(std::string_view& text, std::uint64_t& number)
{
    const std::size_t blank = text.find(' ');
    if (blank == std::string_view::npos)
        return false;
    const auto [end, error] = std::from_chars(text.data(), text.data() + blank, number);
    const bool good = error == std::errc() && end == text.data() + blank;
    text.remove_prefix(blank + 1);
    return good;
}

} // namespace

PodLogReader::PodLogReader(std::string id, PodLogCursor cursor)
    : m_id(std::move(id))
    , m_cursor(std::move(cursor))
{
}

void PodLogReader::feed(std::string_view bytes, std::vector<PodLogPiece>& out)
{
    while (!bytes.empty()) {
        const std::size_t lineEnd = std::min(bytes.find('\n'), bytes.size());
        const std::size_t taken = std::min(lineEnd, longestLine - m_line.size());
        m_line += bytes.substr(0, taken);
        bytes.remove_prefix(taken);
        if (taken == lineEnd && !bytes.empty()) {
            bytes.remove_prefix(1);
            line(m_line, out);
            m_line.clear();
            m_fragment = false;
        } else if (m_line.size() == longestLine) {
            // A frame that is not complete yet begins in the latter half.
            outside(std::string_view(m_line).substr(0, longestLine - maxPodFrame), out);
            m_line.erase(0, longestLine - maxPodFrame);
        }
    }
}

void PodLogReader::reconnected()
{
    m_line.clear();
    m_fragment = true;
}

void PodLogReader::finish(std::vector<PodLogPiece>& out)
{
    if (!m_line.empty())
        line(m_line, out);
    reconnected();
}

void PodLogReader::outside(std::string_view text, std::vector<PodLogPiece>& out) const
{
    if (text.empty() || m_fragment)
        return;
    PodLogPiece piece;
    piece.kind = PodLogPiece::Kind::outside;
    piece.bytes = text;
    out.push_back(std::move(piece));
}

void PodLogReader::line(std::string_view text, std::vector<PodLogPiece>& out)
{
    if (text.ends_with('\r')) // of a terminal
        text.remove_suffix(1);
    // No frame holds a `$` but its first byte, so the last one of a line is where a whole frame would begin.
    const std::size_t last = text.rfind(podFrameMark.front());
    PodFrame read;
    if (last == std::string_view::npos || !parsePodFrame(text.substr(last), read)) {
        if (text.find(podFrameMark) == std::string_view::npos)
            outside(text, out);
        else
            ++m_damaged;
        return;
    }
    const std::string_view before = text.substr(0, last);
    if (const std::string_view stamp = timeStampOf(before); !stamp.empty())
        m_timeStamp = stamp;
    else if (before.find(podFrameMark) == std::string_view::npos)
        outside(before, out);
    else
        ++m_damaged;
    if (read.id == m_id)
        frame(read, out);
}

void PodLogReader::beginRun(std::string_view run, std::vector<PodLogPiece>& out)
{
    if (!m_cursor.run.empty()) {
        m_cursor.earlierRuns.push_back(m_cursor.run);
        if (m_cursor.earlierRuns.size() > PodLogCursor::maxEarlierRuns)
            m_cursor.earlierRuns.erase(m_cursor.earlierRuns.begin());
    }
    m_cursor.run = run;
    m_cursor.next = {};
    m_cursor.ended = false;
    PodLogPiece piece;
    piece.kind = PodLogPiece::Kind::run;
    piece.bytes = run;
    out.push_back(std::move(piece));
}

/// What lies between what was read and `offset` is missing.
void PodLogReader::moveTo(PodStream stream, std::uint64_t offset, std::vector<PodLogPiece>& out)
{
    std::uint64_t& next = m_cursor.next[std::size_t(stream)];
    if (offset <= next)
        return;
    PodLogPiece piece;
    piece.kind = PodLogPiece::Kind::gap;
    piece.stream = stream;
    piece.offset = next;
    piece.next = offset;
    out.push_back(std::move(piece));
    next = offset;
}

void PodLogReader::frame(const PodFrame& frame, std::vector<PodLogPiece>& out)
{
    PodLogPiece piece;
    if (!decodePodText(frame.text, piece.bytes) || frame.offset > UINT64_MAX - piece.bytes.size())
        return;
    if (frame.run != m_cursor.run) {
        const auto& earlier = m_cursor.earlierRuns;
        if (std::find(earlier.begin(), earlier.end(), frame.run) != earlier.end())
            return;
        beginRun(frame.run, out);
    }
    if (m_cursor.ended)
        return;
    if (frame.end) {
        end(frame, out);
        return;
    }
    std::uint64_t& next = m_cursor.next[std::size_t(frame.stream)];
    const std::uint64_t frameEnd = frame.offset + piece.bytes.size();
    if (frameEnd < next || (frameEnd == next && (!frame.reset || !piece.bytes.empty())))
        return; // again
    piece.reset = frame.reset && frame.offset >= next;
    moveTo(frame.stream, frame.offset, out);
    if (frame.offset < next)
        piece.bytes.erase(0, std::size_t(next - frame.offset));
    piece.kind = frame.stream == PodStream::events ? PodLogPiece::Kind::event : PodLogPiece::Kind::bytes;
    piece.stream = frame.stream;
    piece.offset = next;
    piece.next = frameEnd;
    next = frameEnd;
    out.push_back(std::move(piece));
}

void PodLogReader::end(const PodFrame& frame, std::vector<PodLogPiece>& out)
{
    PodLogPiece piece;
    std::string text;
    std::array<std::uint64_t, podByteStreams> totals{};
    if (!decodePodText(frame.text, text))
        return;
    std::string_view rest = text;
    for (std::uint64_t& total : totals) {
        if (!takeTotal(rest, total))
            return;
    }
    for (std::size_t i = 0; i < totals.size(); ++i)
        moveTo(PodStream(i), totals[i], out);
    moveTo(PodStream::events, frame.offset, out);
    piece.kind = PodLogPiece::Kind::end;
    piece.stream = PodStream::events;
    piece.bytes = rest;
    piece.offset = piece.next = frame.offset;
    m_cursor.ended = true;
    out.push_back(std::move(piece));
}

} // namespace trialkeeper
