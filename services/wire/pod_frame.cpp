// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_frame.h"

#include "crc32.h"
#include "names.h"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>

namespace trialkeeper {

namespace {

constexpr std::string_view podLetters = "oenfk";
constexpr std::size_t crcDigits = 8;

int hexDigit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool isRun(std::string_view text)
{
    return !text.empty() && text.size() <= 16
        && std::all_of(text.begin(), text.end(), [](char c) { return hexDigit(c) >= 0; });
}

/// The text up to the next blank, which is taken away with it. False where there is none.
bool takeField(std::string_view& text, std::string_view& field)
{
    const std::size_t blank = text.find(' ');
    if (blank == std::string_view::npos)
        return false;
    field = text.substr(0, blank);
    text.remove_prefix(blank + 1);
    return true;
}

/// How many bytes the UTF-8 character at the begin of `bytes` has; 0 where none stands there (RFC 3629).
std::size_t characterSize(std::string_view bytes)
{
    const auto at = [bytes](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U; };
    const auto follows = [&](std::size_t i) { return (at(i) & 0xc0U) == 0x80U; };
    const unsigned first = at(0);
    const unsigned second = at(1);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return follows(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        const bool good =
            follows(1) && follows(2) && (first != 0xe0 || second >= 0xa0) && (first != 0xed || second < 0xa0);
        return good ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const bool good = follows(1) && follows(2) && follows(3) && (first != 0xf0 || second >= 0x90)
            && (first != 0xf4 || second < 0x90);
        return good ? 4 : 0;
    }
    return 0;
}

/// Printable ASCII that is not escaped.
bool isPlain(char c)
{
    return c >= ' ' && c < 0x7f && c != '$' && c != '\\';
}

/// Appends the escaped form of as many of `bytes` as fit into `room`, and says how many those are.
std::size_t escape(std::string& out, std::string_view bytes, std::size_t room)
{
    static constexpr char digits[] = "0123456789abcdef";
    const std::size_t limit = out.size() + room;
    std::size_t at = 0;
    while (at < bytes.size()) {
        const std::size_t most = std::min(bytes.size(), at + (limit - out.size()));
        std::size_t plain = at;
        while (plain < most && isPlain(bytes[plain]))
            ++plain;
        out.append(bytes, at, plain - at);
        at = plain;
        if (at == bytes.size() || out.size() == limit)
            break;
        const char c = bytes[at];
        const char* shortForm = c == '\n' ? "\\n"
            : c == '\r'                   ? "\\r"
            : c == '\t'                   ? "\\t"
            : c == '\\'                   ? "\\\\"
                                          : nullptr;
        const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        // A character of two bytes and 0x80 to 0x9f is a control character, too.
        const std::size_t size = characterSize(bytes.substr(at, 4));
        const bool c1 = size == 2 && c == '\xc2' && static_cast<unsigned char>(bytes[at + 1]) < 0xa0;
        const char escaped[4] = {
            '\\', 'x', digits[static_cast<unsigned char>(c) >> 4], digits[static_cast<unsigned char>(c) & 15]};
        std::string_view form(escaped, sizeof escaped);
        std::size_t taken = 1;
        if (shortForm) {
            form = std::string_view(shortForm, 2);
        } else if (!control && !c1 && size > 0 && c != '$') {
            form = bytes.substr(at, size);
            taken = size;
        }
        if (out.size() + form.size() > limit)
            break;
        out += form;
        at += taken;
    }
    return at;
}

} // namespace

char podStreamLetter(PodStream stream)
{
    return podLetters[std::size_t(stream)];
}

const char* podStreamWord(PodStream stream)
{
    static constexpr const char* words[] = {"stdout", "stderr", "nni", "file", "events"};
    return words[std::size_t(stream)];
}

bool parsePodFrame(std::string_view line, PodFrame& frame)
{
    if (!line.starts_with(podFrameMark) || line.size() >= maxPodFrame)
        return false;
    line.remove_prefix(podFrameMark.size());
    std::string_view sum;
    std::string_view letter;
    std::string_view offset;
    if (!takeField(line, sum) || sum.size() != crcDigits)
        return false;
    std::uint32_t wanted = 0;
    for (const char c : sum) {
        const int digit = hexDigit(c);
        if (digit < 0)
            return false;
        wanted = wanted << 4 | std::uint32_t(digit);
    }
    if (crc32(line) != wanted)
        return false;
    PodFrame read;
    if (!takeField(line, read.id) || !isSafeId(read.id) || !takeField(line, read.run) || !isRun(read.run)
        || !takeField(line, letter) || letter.size() != 1 || !takeField(line, offset))
        return false;
    const auto [end, error] = std::from_chars(offset.data(), offset.data() + offset.size(), read.offset);
    if (error != std::errc() || end != offset.data() + offset.size())
        return false;
    read.reset = letter == "N" || letter == "F";
    read.end = letter == "x";
    const std::size_t found = podLetters.find(read.reset ? char(letter[0] - 'A' + 'a') : letter[0]);
    if (!read.end && found == std::string_view::npos)
        return false;
    read.stream = read.end ? PodStream::events : PodStream(found);
    read.text = line;
    frame = read;
    return true;
}

bool decodePodText(std::string_view text, std::string& bytes)
{
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t escapeAt = std::min(text.find('\\', at), text.size());
        bytes += text.substr(at, escapeAt - at);
        at = escapeAt;
        if (at == text.size())
            break;
        const char kind = at + 1 < text.size() ? text[at + 1] : '\0';
        if (kind == 'x') {
            const int high = at + 2 < text.size() ? hexDigit(text[at + 2]) : -1;
            const int low = at + 3 < text.size() ? hexDigit(text[at + 3]) : -1;
            if (high < 0 || low < 0)
                return false;
            bytes += char(high << 4 | low);
            at += 4;
            continue;
        }
        if (kind != 'n' && kind != 'r' && kind != 't' && kind != '\\')
            return false;
        bytes += kind == 'n' ? '\n' : kind == 'r' ? '\r' : kind == 't' ? '\t' : '\\';
        at += 2;
    }
    return true;
}

PodFrameWriter::PodFrameWriter(std::string_view id, std::string_view run)
    : m_identity(std::string(id) + ' ' + std::string(run) + ' ')
{
}

std::size_t PodFrameWriter::addFrame(
    std::string& out, char letter, std::uint64_t offset, std::string_view bytes, std::size_t limit) const
{
    const std::size_t begin = out.size();
    char fields[32];
    const int size = std::snprintf(fields, sizeof fields, "%c %" PRIu64 " ", letter, offset);
    const std::size_t header = podFrameMark.size() + crcDigits + 1 + m_identity.size() + std::size_t(size)
        + 4; // a line end, and an escaped blank
    if (header >= limit)
        return 0;
    out += podFrameMark;
    out += "00000000 ";
    out += m_identity;
    out.append(fields, std::size_t(size));
    const std::size_t text = out.size();
    const std::size_t taken = escape(out, bytes, limit - header);
    if (out.size() > text && out.back() == ' ')
        out.replace(out.size() - 1, 1, "\\x20");
    const std::size_t summed = begin + podFrameMark.size() + crcDigits + 1;
    char sum[crcDigits + 1];
    std::snprintf(sum, sizeof sum, "%08" PRIx32, crc32(std::string_view(out).substr(summed)));
    out.replace(begin + podFrameMark.size(), crcDigits, sum, crcDigits);
    out += '\n';
    return taken;
}

void PodFrameWriter::addBytes(
    std::string& out, PodStream stream, std::uint64_t offset, std::string_view bytes, bool reset) const
{
    std::size_t taken = 0;
    do {
        const char letter = podStreamLetter(stream);
        taken = addFrame(out, reset ? char(letter - 'a' + 'A') : letter, offset, bytes, maxPodFrame);
        offset += taken;
        bytes.remove_prefix(taken);
        reset = false;
    } while (!bytes.empty() && taken > 0);
}

bool PodFrameWriter::addWhole(
    std::string& out, char letter, std::uint64_t offset, std::string_view bytes, std::size_t limit) const
{
    const std::size_t before = out.size();
    if (addFrame(out, letter, offset, bytes, std::min(limit, maxPodFrame)) == bytes.size() && out.size() > before)
        return true;
    out.resize(before);
    return false;
}

} // namespace trialkeeper
