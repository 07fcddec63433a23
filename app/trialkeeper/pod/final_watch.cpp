// SPDX-License-Identifier: GPL-3.0-or-later
#include "final_watch.h"

#include "services/wire/protocol.h"

#include <algorithm>

namespace trialkeeper {

namespace {

/// Whether the JSON object at the begin of `text` has this member with this string as its value. Neither may need an escape.
bool hasMember(std::string_view text, std::string_view name, std::string_view wanted)
{
    int depth = 0;
    std::string_view key;    ///< of the object itself, while its value is awaited
    std::string_view latest; ///< the last string at depth 1
    bool inValue = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') {
            std::size_t end = at + 1;
            while (end < text.size() && text[end] != '"')
                end += text[end] == '\\' ? 2 : 1;
            if (end >= text.size())
                return false;
            latest = text.substr(at + 1, end - at - 1);
            if (depth == 1 && inValue && key == name && latest == wanted)
                return true;
            at = end;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (--depth <= 0)
                return false;
        } else if (depth == 1 && c == ':') {
            key = latest;
            inValue = true;
        } else if (depth == 1 && c == ',') {
            inValue = false;
        } else if (depth == 0 && c != ' ') {
            return false;
        }
    }
    return false;
}

} // namespace

bool isFinalMetric(PodStream stream, std::string_view record)
{
    if (stream == PodStream::standardOutput) {
        const std::size_t mark = record.find(sdkLinePrefix);
        if (mark == std::string_view::npos)
            return false;
        record.remove_prefix(mark + std::string_view(sdkLinePrefix).size());
    } else if (stream == PodStream::nni) {
        constexpr std::size_t header = 8; // ME and six digits
        if (!record.starts_with("ME") || record.size() < header)
            return false;
        record.remove_prefix(header);
    } else if (stream != PodStream::file) {
        return false;
    }
    return hasMember(record, "type", "FINAL");
}

bool FinalWatch::feed(PodStream stream, std::uint64_t offset, std::string_view bytes, bool reset)
{
    if (stream == PodStream::standardError || stream == PodStream::events)
        return false;
    Line& line = m_lines[std::size_t(stream)];
    bool found = false;
    if (reset)
        line = {};
    while (!bytes.empty()) {
        if (line.bytes.empty() && !line.tooLong)
            line.offset = offset;
        const std::size_t end = bytes.find('\n');
        const std::size_t size = end == std::string_view::npos ? bytes.size() : end + 1;
        // Of one that is too long the beginning stays: what is long may also be an ordinary line of output.
        const std::size_t kept = std::min(size, longestRecord - line.bytes.size());
        line.bytes += bytes.substr(0, kept);
        line.tooLong = line.tooLong || kept < size;
        bytes.remove_prefix(size);
        offset += size;
        if (end == std::string_view::npos)
            break;
        if (isFinalMetric(stream, line.bytes)) {
            m_last = {stream, line.offset, line.tooLong ? std::string() : line.bytes};
            found = true;
        }
        line = {};
    }
    return found;
}

} // namespace trialkeeper
