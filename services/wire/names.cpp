// SPDX-License-Identifier: GPL-3.0-or-later
#include "names.h"

#include "protocol.h"

#include <algorithm>

namespace trialkeeper {

bool isSafeId(std::string_view text)
{
    const auto good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_'
            || c == '-';
    };
    return !text.empty() && text.size() <= maxId && text.front() != '.' && std::all_of(text.begin(), text.end(), good)
        && text.find("..") == std::string_view::npos;
}

bool isSha256(std::string_view text)
{
    return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
}

namespace {

/// Walks the components of `path` from `depth` levels below the root; false when it climbs above the root.
bool staysBelow(std::string_view path, int& depth)
{
    while (!path.empty()) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, slash);
        path.remove_prefix(std::min(slash + 1, path.size()));
        if (part == "..") {
            if (--depth < 0)
                return false;
        } else if (!part.empty() && part != ".") {
            ++depth;
        }
    }
    return true;
}

} // namespace

bool isSafeRelativePath(std::string_view path)
{
    if (path.empty() || path.size() > 4000 || path.front() == '/' || path.find('\0') != std::string_view::npos)
        return false;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t slash = std::min(path.find('/', at), path.size());
        if (path.substr(at, slash - at) == "..")
            return false;
        at = slash + 1;
    }
    return true;
}

bool linkStaysInside(std::string_view linkPath, std::string_view target)
{
    if (target.empty() || target.front() == '/' || target.find('\0') != std::string_view::npos)
        return false;
    const std::size_t slash = linkPath.rfind('/');
    int depth = 0;
    return (slash == std::string_view::npos || staysBelow(linkPath.substr(0, slash), depth))
        && staysBelow(target, depth);
}

bool isEnvironmentName(std::string_view text)
{
    return !text.empty() && text.find('=') == std::string_view::npos && text.find('\0') == std::string_view::npos;
}

} // namespace trialkeeper
