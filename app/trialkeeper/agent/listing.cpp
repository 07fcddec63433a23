// SPDX-License-Identifier: GPL-3.0-or-later
#include "listing.h"

#include "app/trialkeeper/base/io.h"
#include "services/wire/names.h"
#include "services/wire/protocol.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace trialkeeper {

namespace {

constexpr int deepestFolder = 64;
constexpr std::size_t longestPath = 3900; ///< isSafeRelativePath() takes 4,000 with "output/" in front

/// Length of the UTF-8 sequence at the beginning of the text, 0 if it is none (Unicode 15.0, table 3-7).
std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto within = [&](std::size_t i, unsigned low, unsigned high) { return byte(i) >= low && byte(i) <= high; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return within(1, 0x80, 0xbf) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef)
        return within(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && within(2, 0x80, 0xbf) ? 3 : 0;
    if (first >= 0xf0 && first <= 0xf4)
        return within(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && within(2, 0x80, 0xbf)
                && within(3, 0x80, 0xbf)
            ? 4
            : 0;
    return 0;
}

/// The path as UTF-8; bytes that are none as \xHH.
std::string shown(std::string_view path)
{
    std::string text;
    while (!path.empty()) {
        if (const std::size_t n = sequenceLength(path)) {
            text += path.substr(0, n);
            path.remove_prefix(n);
            continue;
        }
        char hex[8];
        std::snprintf(hex, sizeof hex, "\\x%02x", static_cast<unsigned char>(path[0]));
        text += hex;
        path.remove_prefix(1);
    }
    return text;
}

/// Letters, digits and "._-/" as they are, other bytes as =HH: it passes through JSON and URLs unchanged.
std::string encoded(std::string_view path)
{
    std::string text;
    for (const char c : path) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || (c != '\0' && std::strchr("._-/", c) != nullptr);
        char hex[8];
        std::snprintf(hex, sizeof hex, "=%02X", static_cast<unsigned char>(c));
        text += isPlain ? std::string(1, c) : hex;
    }
    return text;
}

std::optional<std::string> decoded(const std::string& text)
{
    const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; };
    std::string path;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '=') {
            path += text[i];
            continue;
        }
        if (i + 2 >= text.size() || digit(text[i + 1]) < 0 || digit(text[i + 2]) < 0)
            return {};
        path += char(digit(text[i + 1]) * 16 + digit(text[i + 2]));
        i += 2;
    }
    return path;
}

const char* typeOf(const struct stat& info)
{
    return S_ISDIR(info.st_mode) ? "folder" : S_ISLNK(info.st_mode) ? "link" : S_ISREG(info.st_mode) ? "file" : "other";
}

} // namespace

class Listing::Walk
{
public:
    explicit Walk(std::size_t most)
        : m_most(most)
    {
    }

    /// `after`: where to go on, relative to the folder; empty for its beginning.
    void walk(int folder, const std::string& prefix, int depth, std::string_view after)
    {
        const std::size_t slash = after.find('/');
        const std::string_view from = after.substr(0, slash);
        const std::string_view below = slash == std::string_view::npos ? std::string_view() : after.substr(slash + 1);
        std::vector<std::string> names;
        // Of a folder with a million files, no more names are kept than can be used.
        const std::size_t room = m_most - entries.size() + 2;
        const auto keepSmallest = [&] {
            std::nth_element(names.begin(), names.begin() + std::ptrdiff_t(room), names.end());
            names.resize(room);
        };
        (void)forEachEntry(folder, [&](const char* name, unsigned char) {
            if (name >= from)
                names.emplace_back(name);
            if (names.size() > 2 * room)
                keepSmallest();
            return true;
        });
        if (names.size() > room)
            keepSmallest();
        std::sort(names.begin(), names.end());
        for (const std::string& name : names) {
            visit(folder, prefix, name, depth, !after.empty() && name == from, below);
            if (isCut)
                break;
        }
    }

    nlohmann::json entries = nlohmann::json::array();
    std::string last; ///< the path of the last entry, as bytes
    bool isCut = false;

private:
    void visit(int folder, const std::string& prefix, const std::string& name, int depth, bool wasListed,
        std::string_view after)
    {
        struct stat info = {};
        if (::fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT)
            return; // It has gone meanwhile.
        const std::string path = prefix + name;
        const bool isFolder = S_ISDIR(info.st_mode);
        std::string message;
        Fd below;
        if (isFolder && (depth >= deepestFolder || path.size() >= longestPath)) {
            message = "It is nested too deeply to be listed.";
        } else if (isFolder) {
            below = openFolder(folder, name.c_str());
            if (!below)
                message = "It cannot be listed: " + errorText(errno) + ".";
        }
        if (!wasListed && !add(path, info, message))
            return;
        if (below)
            walk(below.get(), path + '/', depth + 1, wasListed ? after : std::string_view());
    }

    bool add(const std::string& path, const struct stat& info, std::string message)
    {
        const std::string text = shown(path);
        if (message.empty() && text != path)
            message = "Its name is not UTF-8, so no request can name it.";
        nlohmann::json entry = {{"path", text}, {"size", S_ISDIR(info.st_mode) ? 0 : std::int64_t(info.st_size)},
            {"mtime", std::int64_t(info.st_mtim.tv_sec) * 1000 + info.st_mtim.tv_nsec / 1000000},
            {"type", typeOf(info)}};
        if (!message.empty())
            entry["message"] = std::move(message);
        m_bytes += entry.dump().size() + 1;
        if (entries.size() >= m_most || m_bytes > maxFrame - 64 * 1024) {
            isCut = true;
            return false;
        }
        entries.push_back(std::move(entry));
        last = path;
        return true;
    }

    std::size_t m_most;
    std::size_t m_bytes = 0;
};

Listing::Listing(int folder, const std::string& after, std::size_t most)
    : m_walk(std::make_unique<Walk>(most))
{
    m_walk->walk(folder, {}, 0, decoded(after).value_or(std::string()));
}

Listing::~Listing() = default;

bool Listing::isCursor(const std::string& after)
{
    const std::optional<std::string> path = decoded(after);
    return path && isSafeRelativePath(*path);
}

nlohmann::json& Listing::entries()
{
    return m_walk->entries;
}

std::string Listing::next() const
{
    return m_walk->isCut ? encoded(m_walk->last) : std::string();
}

} // namespace trialkeeper
