// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory_events.h"

#include "app/trialkeeper/base/io.h"

#include <charconv>
#include <fcntl.h>

namespace trialkeeper {

namespace {

/// The lines of `text` that begin with `prefix`: the rest of the first one.
std::string_view restOfLine(std::string_view text, std::string_view prefix)
{
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (line.starts_with(prefix))
            return line.substr(prefix.size());
        text.remove_prefix(line.size() + (line.size() < text.size() ? 1 : 0));
    }
    return {};
}

} // namespace

std::uint64_t oomKillsIn(std::string_view text)
{
    const std::string_view number = restOfLine(text, "oom_kill ");
    std::uint64_t count = 0;
    std::from_chars(number.data(), number.data() + number.size(), count);
    return count;
}

std::string groupPathIn(std::string_view text)
{
    const std::string_view path = restOfLine(text, "0::");
    return path.starts_with('/') ? std::string(path) : "/";
}

std::uint64_t oomKillsOfGroup()
{
    std::string text;
    (void)readFileAt(AT_FDCWD, "/proc/self/cgroup", text, 65536);
    std::string group = groupPathIn(text);
    if (group == "/")
        group.clear();
    for (const std::string& path :
        {"/sys/fs/cgroup" + group + "/memory.events", std::string("/sys/fs/cgroup/memory/memory.oom_control")}) {
        if (readFileAt(AT_FDCWD, path.c_str(), text, 65536))
            return oomKillsIn(text);
    }
    return 0;
}

} // namespace trialkeeper
