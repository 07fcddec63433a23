// SPDX-License-Identifier: GPL-3.0-or-later
#include "tar.h"

#include "services/wire/names.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace trialkeeper {

namespace {

constexpr std::size_t blockSize = 512;
constexpr std::uint64_t maxMeta = 64 * 1024;
constexpr std::uint64_t maxBody = std::uint64_t(1) << 50;

std::string_view field(const std::string& block, std::size_t at, std::size_t size)
{
    const std::string_view bytes(block.data() + at, size);
    return bytes.substr(0, std::min(bytes.find('\0'), size));
}

/// An octal number, or GNU's base 256; false if it is neither.
bool number(const std::string& block, std::size_t at, std::size_t size, std::uint64_t& value)
{
    value = 0;
    if (static_cast<unsigned char>(block[at]) & 0x80) {
        if (static_cast<unsigned char>(block[at]) != 0x80)
            return false;
        for (std::size_t i = 1; i < size; ++i) {
            if (value >> 54)
                return false;
            value = value << 8 | static_cast<unsigned char>(block[at + i]);
        }
        return true;
    }
    std::string_view text = field(block, at, size);
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    for (const char c : text) {
        if (c < '0' || c > '7' || value >> 58)
            return false;
        value = value << 3 | std::uint64_t(c - '0');
    }
    return true;
}

bool checksumHolds(const std::string& block)
{
    std::uint64_t told = 0;
    if (!number(block, 148, 8, told))
        return false;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < blockSize; ++i)
        sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(block[i]);
    return sum == told;
}

void clean(std::string& path)
{
    while (path.starts_with("./"))
        path.erase(
            0, path.find_first_not_of('/', 1) == std::string::npos ? path.size() : path.find_first_not_of('/', 1));
    while (!path.empty() && path.back() == '/')
        path.pop_back();
}

} // namespace

bool TarReader::fail(std::string text)
{
    if (m_error.empty())
        m_error = std::move(text);
    return false;
}

bool TarReader::feed(std::string_view bytes)
{
    if (!m_error.empty())
        return false;
    while (!bytes.empty()) {
        if (m_ended)
            return true; // what follows the end mark is padding
        if (m_left > 0) {
            const std::string_view part = bytes.substr(0, std::size_t(std::min<std::uint64_t>(m_left, bytes.size())));
            if (m_metaKind)
                m_meta.append(part);
            else if (m_inFile && !m_sink.content(part))
                return fail("The archive could not be unpacked.");
            m_left -= part.size();
            bytes.remove_prefix(part.size());
            if (m_left == 0 && !bodyDone())
                return false;
        } else if (m_padding > 0) {
            const std::size_t part = std::min<std::size_t>(m_padding, bytes.size());
            m_padding -= unsigned(part);
            bytes.remove_prefix(part);
        } else {
            const std::size_t part = std::min(blockSize - m_block.size(), bytes.size());
            m_block.append(bytes.substr(0, part));
            bytes.remove_prefix(part);
            if (m_block.size() == blockSize) {
                const bool good = header();
                m_block.clear();
                if (!good)
                    return false;
            }
        }
    }
    return true;
}

bool TarReader::finish()
{
    if (m_error.empty() && (m_left > 0 || m_padding > 0 || !m_block.empty() || m_metaKind))
        return fail("The archive ends in the middle of a file.");
    if (m_error.empty() && !m_ended)
        return fail("The archive has no end mark.");
    return m_error.empty();
}

bool TarReader::header()
{
    if (std::all_of(m_block.begin(), m_block.end(), [](char c) { return c == 0; })) {
        m_ended = true;
        return true;
    }
    std::uint64_t size = 0;
    std::uint64_t mode = 0;
    if (!checksumHolds(m_block) || !number(m_block, 124, 12, size) || !number(m_block, 100, 8, mode) || size > maxBody)
        return fail("The archive is damaged.");
    const char type = m_block[156];
    if (type == 'x' || type == 'g' || type == 'L' || type == 'K') {
        if (size == 0 || size > maxMeta)
            return fail("The archive has an extended header of a wrong size.");
        m_metaKind = type;
        m_meta.clear();
        m_left = size;
        m_padding = unsigned((blockSize - size % blockSize) % blockSize);
        return true;
    }
    TarEntry entry;
    entry.executable = (mode & 0100) != 0;
    entry.path = m_longPath;
    if (entry.path.empty()) {
        if (std::string_view(m_block.data() + 257, 6) == std::string_view("ustar\0", 6) && m_block[345] != 0)
            entry.path.append(field(m_block, 345, 155)).append("/");
        entry.path.append(field(m_block, 0, 100));
    }
    entry.target = m_longTarget.empty() ? std::string(field(m_block, 157, 100)) : m_longTarget;
    if (!m_paxSize.empty()) {
        size = 0;
        for (const char c : m_paxSize) {
            if (c < '0' || c > '9' || size > maxBody)
                return fail("The archive is damaged.");
            size = size * 10 + std::uint64_t(c - '0');
        }
    }
    m_longPath.clear();
    m_longTarget.clear();
    m_paxSize.clear();
    switch (type) {
    case '0':
    case '\0':
    case '7':
        entry.type = TarEntry::Type::File;
        if (type == '\0' && entry.path.ends_with('/'))
            entry.type = TarEntry::Type::Folder;
        entry.size = size;
        break;
    case '5':
        entry.type = TarEntry::Type::Folder;
        break;
    case '2':
        entry.type = TarEntry::Type::SymbolicLink;
        break;
    case '1':
        entry.type = TarEntry::Type::HardLink;
        break;
    default:
        return fail("The archive holds something that is neither a file, a folder nor a link: " + entry.path);
    }
    return deliver(entry);
}

bool TarReader::deliver(TarEntry& entry)
{
    clean(entry.path);
    const bool root = entry.path.empty() || entry.path == ".";
    if (root && entry.type == TarEntry::Type::Folder)
        return true;
    if (!isSafeRelativePath(entry.path))
        return fail("The archive holds a path that leads outside: " + entry.path);
    if (entry.type == TarEntry::Type::SymbolicLink && !linkStaysInside(entry.path, entry.target))
        return fail("The archive holds a link that leads outside: " + entry.path);
    if (entry.type == TarEntry::Type::HardLink) {
        clean(entry.target);
        if (!isSafeRelativePath(entry.target))
            return fail("The archive holds a link that leads outside: " + entry.path);
    }
    if (!m_sink.entry(entry))
        return fail("The archive could not be unpacked.");
    if (entry.type != TarEntry::Type::File)
        return m_sink.entryEnd() || fail("The archive could not be unpacked.");
    m_inFile = true;
    m_left = entry.size;
    m_padding = unsigned((blockSize - entry.size % blockSize) % blockSize);
    return m_left > 0 || bodyDone();
}

bool TarReader::bodyDone()
{
    if (m_inFile) {
        m_inFile = false;
        return m_sink.entryEnd() || fail("The archive could not be unpacked.");
    }
    const char kind = std::exchange(m_metaKind, char(0));
    if (kind == 'x')
        return parsePax();
    if (kind == 'L' || kind == 'K') {
        (kind == 'L' ? m_longPath : m_longTarget) = m_meta.substr(0, m_meta.find('\0'));
    }
    return true; // nothing in a global pax header is used
}

bool TarReader::parsePax()
{
    std::string_view rest = m_meta;
    while (!rest.empty() && rest.front() != '\0') {
        std::size_t length = 0;
        std::size_t digits = 0;
        while (digits < rest.size() && digits < 7 && std::isdigit(static_cast<unsigned char>(rest[digits])))
            length = length * 10 + std::size_t(rest[digits++] - '0');
        if (digits == 0 || length <= digits + 2 || length > rest.size() || rest[digits] != ' '
            || rest[length - 1] != '\n')
            return fail("The archive is damaged.");
        const std::string_view pair = rest.substr(digits + 1, length - digits - 2);
        rest.remove_prefix(length);
        const std::size_t equals = pair.find('=');
        if (equals == std::string_view::npos)
            return fail("The archive is damaged.");
        const std::string_view key = pair.substr(0, equals);
        const std::string value(pair.substr(equals + 1));
        if (key == "path")
            m_longPath = value;
        else if (key == "linkpath")
            m_longTarget = value;
        else if (key == "size")
            m_paxSize = value;
        else if (key.starts_with("GNU.sparse"))
            return fail("The archive holds a sparse file.");
    }
    return true;
}

} // namespace trialkeeper
