// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream.h"

#include "services/wire/protocol.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr std::size_t chunk = maxRaw;
constexpr std::uint64_t cursorEvery =
    16 * 1024 * 1024; ///< stdout without a wanted line: how often the cursor alone is sent

} // namespace

void Stream::begin(std::uint64_t cursor, std::uint64_t base, bool restarted)
{
    m_restarted = restarted;
    m_base = base;
    m_position = cursor > base ? cursor - base : 0;
    m_reset = cursor < base;
    m_lineStart = m_base + m_position;
    m_told = m_lineStart;
    m_file = {};
    m_line.clear();
    m_wanted.clear();
    m_skipping = false;
}

bool Stream::read(int trialFolder, StreamSink& sink)
{
    const Fd file(::openat(trialFolder, m_fileName, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    const std::optional<FileState> info = file ? fileState(file.get()) : std::nullopt;
    if (!info || !info->isRegular)
        return false;
    if (m_restarted && info->size < m_position)
        return false;
    if (info->size < m_position || (m_position > 0 && m_file.inode != 0 && info->identity != m_file)) {
        if (m_filter == Filter::SdkLines)
            finish(sink);
        m_base += m_position;
        m_position = 0;
        m_reset = true;
        m_baseChanged = true;
        m_lineStart = m_base;
        m_skipping = false;
    }
    m_file = info->identity;
    if (info->size == m_position)
        return false;
    static char buffer[chunk]; // one thread, used only here
    const ssize_t got = ::pread(file.get(), buffer, sizeof buffer, off_t(m_position));
    if (got <= 0)
        return false;
    const std::string_view bytes(buffer, std::size_t(got));
    const std::uint64_t offset = m_base + m_position;
    m_position += bytes.size();
    if (m_filter == Filter::SdkLines)
        scan(sink, bytes);
    else
        send(sink, offset, offset + bytes.size(), bytes);
    return info->size > m_position;
}

void Stream::finish(StreamSink& sink)
{
    if (m_filter != Filter::SdkLines)
        return;
    const bool wanted = !m_skipping && m_line.starts_with(sdkLinePrefix);
    if (wanted) {
        if (m_wanted.empty())
            m_wantedStart = m_lineStart;
        m_wanted += m_line;
    }
    m_line.clear();
    m_lineStart = m_base + m_position;
    sendLines(sink);
}

void Stream::send(StreamSink& sink, std::uint64_t offset, std::uint64_t next, std::string_view raw)
{
    m_told = next;
    sink.records(m_wireName, offset, next, std::exchange(m_reset, false), raw);
}

void Stream::sendLines(StreamSink& sink)
{
    if (m_wanted.empty()) {
        if (m_lineStart >= m_told + cursorEvery)
            send(sink, m_lineStart, m_lineStart, {});
        return;
    }
    // The cursor moves with the last piece only: a line that is cut over frames is sent again whole.
    std::string_view rest = m_wanted;
    std::uint64_t offset = m_wantedStart;
    while (!rest.empty()) {
        const std::string_view piece = rest.substr(0, chunk);
        rest.remove_prefix(piece.size());
        send(sink, offset, rest.empty() ? m_lineStart : m_wantedStart, piece);
        offset += piece.size();
    }
    m_wanted.clear();
}

void Stream::scan(StreamSink& sink, std::string_view bytes)
{
    const std::string_view prefix = sdkLinePrefix;
    std::uint64_t at = m_base + m_position - bytes.size();
    while (!bytes.empty()) {
        const void* found = std::memchr(bytes.data(), '\n', bytes.size());
        const std::size_t size = found ? std::size_t(static_cast<const char*>(found) - bytes.data()) + 1 : bytes.size();
        const std::string_view part = bytes.substr(0, size);
        bytes.remove_prefix(size);
        at += size;
        if (!m_skipping) {
            m_line += part.substr(0, maxLine + 1 - std::min<std::size_t>(maxLine + 1, m_line.size()));
            const std::size_t common = std::min(m_line.size(), prefix.size());
            if (std::string_view(m_line).substr(0, common) != prefix.substr(0, common)) {
                m_skipping = true;
                m_line.clear();
            } else if (m_line.size() > maxLine) {
                m_skipping = true;
                m_line.clear();
                sink.lineSkipped();
            }
        }
        if (!found)
            continue;
        if (!m_skipping && m_line.size() > prefix.size()) {
            // Frames tell one offset: lines that do not follow each other are sent apart.
            if (!m_wanted.empty() && m_wantedStart + m_wanted.size() != m_lineStart)
                sendLines(sink);
            if (m_wanted.empty())
                m_wantedStart = m_lineStart;
            m_wanted += m_line;
        }
        m_line.clear();
        m_skipping = false;
        m_lineStart = at;
    }
    sendLines(sink);
}

} // namespace trialkeeper
