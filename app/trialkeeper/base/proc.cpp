// SPDX-License-Identifier: GPL-3.0-or-later
#include "proc.h"

#include "io.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

namespace trialkeeper {

namespace {

constexpr const char* blanks = " \t\n\v\f\r";

void skipBlanks(const char*& at)
{
    at += std::strspn(at, blanks);
}

/// A whole number that fits an int, behind blanks. (sscanf() is 60 KB of a static program.)
bool takeInteger(const char*& at, std::int64_t& number)
{
    char* end = nullptr;
    number = std::strtoll(at, &end, 10);
    const bool found = end != at && number >= INT32_MIN && number <= INT32_MAX;
    at = end;
    return found;
}

/// Reads the start of a /proc file into `out` and ends it with a NUL; its length, or -1.
ssize_t readSome(const char* path, char* out, std::size_t size)
{
    const Fd file(::open(path, O_RDONLY | O_CLOEXEC));
    if (!file)
        return -1;
    std::size_t have = 0;
    while (have + 1 < size) {
        const ssize_t got = ::read(file.get(), out + have, size - 1 - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        have += std::size_t(got);
    }
    out[have] = 0;
    return ssize_t(have);
}

bool isNumber(const char* text)
{
    return *text >= '1' && *text <= '9';
}

template <typename Visit>
void forEachProcess(Visit visit)
{
    const Fd proc = openFolder(AT_FDCWD, "/proc");
    if (!proc)
        return;
    (void)forEachEntry(proc.get(), [&](const char* name, unsigned char) {
        if (isNumber(name))
            visit(pid_t(std::atoi(name)));
        return true;
    });
}

/// Children by /proc/<pid>/task/*/children; false where the kernel was built without it.
bool childrenOf(pid_t pid, std::vector<pid_t>& out)
{
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/task", int(pid));
    const Fd tasks = openFolder(AT_FDCWD, path);
    if (!tasks)
        return errno == ENOENT; // the process has gone: it has no children
    bool supported = true;
    (void)forEachEntry(tasks.get(), [&](const char* task, unsigned char) {
        char name[300];
        std::snprintf(name, sizeof name, "%s/children", task);
        std::string text;
        if (!readFileAt(tasks.get(), name, text)) {
            supported = existsAt(tasks.get(), task) ? false : supported;
            return supported;
        }
        for (const char* at = text.c_str(); *at;) {
            char* end = nullptr;
            const long child = std::strtol(at, &end, 10);
            if (end == at)
                break;
            out.push_back(pid_t(child));
            at = *end == ' ' ? end + 1 : end;
        }
        return true;
    });
    return supported;
}

} // namespace

const char* bootId()
{
    static char id[40];
    if (!id[0]) {
        readSome("/proc/sys/kernel/random/boot_id", id, sizeof id);
        id[std::strcspn(id, "\n ")] = 0;
    }
    return id;
}

bool hasProc()
{
    return ::access("/proc/self", F_OK) == 0;
}

bool parseStat(const char* text, ProcessStat& stat)
{
    // The name may hold anything, also ')': what follows the last one is numbers.
    const char* at = std::strrchr(text, ')');
    if (!at)
        return false;
    const char* numbers = at + 1;
    skipBlanks(numbers);
    const char state = *numbers;
    std::int64_t parent = 0;
    std::int64_t group = 0;
    std::int64_t session = 0;
    if (!state || !takeInteger(++numbers, parent) || !takeInteger(numbers, group) || !takeInteger(numbers, session))
        return false;
    stat.state = state;
    stat.parent = pid_t(parent);
    stat.group = pid_t(group);
    stat.session = pid_t(session);
    for (int field = 2; field < 22 && at; ++field)
        at = std::strchr(at + 1, ' ');
    if (!at)
        return false;
    stat.start = std::strtoull(at + 1, nullptr, 10);
    return true;
}

bool readStat(pid_t pid, ProcessStat& stat)
{
    char path[40];
    char text[1024];
    std::snprintf(path, sizeof path, "/proc/%d/stat", int(pid));
    return readSome(path, text, sizeof text) > 0 && parseStat(text, stat);
}

ProcessIdentity identityOf(pid_t pid)
{
    ProcessIdentity identity;
    ProcessStat stat;
    if (readStat(pid, stat)) {
        identity.pid = pid;
        identity.start = stat.start;
    } else {
        identity.pid = pid;
    }
    std::snprintf(identity.bootId, sizeof identity.bootId, "%s", bootId());
    return identity;
}

bool isAlive(const ProcessIdentity& identity)
{
    if (identity.pid <= 0 || std::strcmp(identity.bootId, bootId()) != 0)
        return false;
    ProcessStat stat;
    if (!readStat(identity.pid, stat))
        return bootId()[0] == 0 && ::kill(identity.pid, 0) == 0;
    return stat.start == identity.start && stat.state != 'Z' && stat.state != 'X';
}

int formatIdentity(char* out, std::size_t size, const ProcessIdentity& identity)
{
    return std::snprintf(
        out, size, "%d %" PRIu64 " %s", int(identity.pid), identity.start, identity.bootId[0] ? identity.bootId : "-");
}

bool parseIdentity(std::string_view text, ProcessIdentity& identity)
{
    char copy[120];
    const std::size_t size = std::min(text.size(), sizeof copy - 1);
    std::memcpy(copy, text.data(), size);
    copy[size] = 0;
    const char* at = copy;
    std::int64_t pid = 0;
    char boot[40] = {};
    if (!takeInteger(at, pid) || pid <= 0)
        return false;
    char* end = nullptr;
    const std::uint64_t start = std::strtoull(at, &end, 10);
    const bool hasStart = end != at;
    at = end;
    skipBlanks(at);
    const std::size_t bootSize = std::strcspn(at, blanks);
    if (!hasStart || bootSize == 0)
        return false;
    std::memcpy(boot, at, std::min(bootSize, sizeof boot - 1));
    identity.pid = pid_t(pid);
    identity.start = start;
    std::memcpy(identity.bootId, boot, sizeof boot);
    if (std::strcmp(boot, "-") == 0)
        identity.bootId[0] = 0;
    return true;
}

std::vector<pid_t> descendantsOf(pid_t root)
{
    std::vector<pid_t> found;
    if (childrenOf(root, found)) {
        bool supported = true;
        for (std::size_t i = 0; i < found.size() && supported; ++i) {
            const pid_t next = found[i];
            supported = childrenOf(next, found);
        }
        if (supported)
            return found;
    }
    // No `children` files: the parents of all processes, once.
    std::vector<std::pair<pid_t, pid_t>> parents;
    forEachProcess([&](pid_t pid) {
        ProcessStat stat;
        if (readStat(pid, stat))
            parents.emplace_back(stat.parent, pid);
    });
    found.clear();
    std::vector<pid_t> open{root};
    while (!open.empty()) {
        const pid_t parent = open.back();
        open.pop_back();
        for (const auto& [above, pid] : parents) {
            if (above == parent) {
                found.push_back(pid);
                open.push_back(pid);
            }
        }
    }
    return found;
}

namespace {

/// Calls `visit(pid, file)` for each running process whose environment names the metrics file of a trial.
template <typename Visit>
void forEachProcessOfTrials(Visit visit)
{
    constexpr std::string_view name = "TRIALDECK_METRICS_FILE=";
    std::string text;
    forEachProcess([&](pid_t pid) {
        char path[40];
        std::snprintf(path, sizeof path, "/proc/%d/environ", int(pid));
        ProcessStat stat;
        if (pid == ::getpid() || !readFileAt(AT_FDCWD, path, text, 4 << 20) || text.empty() || !readStat(pid, stat)
            || stat.state == 'Z')
            return;
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
            if (at == 0 || text[at - 1] == 0)
                visit(pid, std::string_view(text).substr(at + name.size(), text.find('\0', at) - at - name.size()));
        }
    });
}

} // namespace

std::set<std::string> metricsFilesOfProcesses()
{
    std::set<std::string> files;
    forEachProcessOfTrials([&](pid_t, std::string_view file) { files.emplace(file); });
    return files;
}

std::vector<pid_t> survivorsOf(const std::string& metricsFile)
{
    std::vector<pid_t> found;
    forEachProcessOfTrials([&](pid_t pid, std::string_view file) {
        if (file == metricsFile && (found.empty() || found.back() != pid))
            found.push_back(pid);
    });
    const std::size_t marked = found.size();
    for (std::size_t i = 0; i < marked; ++i) {
        for (const pid_t child : descendantsOf(found[i])) {
            if (std::find(found.begin(), found.end(), child) == found.end())
                found.push_back(child);
        }
    }
    return found;
}

bool isInAShellsCommand(std::string_view words)
{
    const char* home = ::getenv("HOME");
    const std::string ours = std::string(1, '\0') + "HOME=" + (home ? home : "") + '\0';
    bool isIn = false;
    forEachProcess([&](pid_t pid) {
        char path[40];
        std::snprintf(path, sizeof path, "/proc/%d", int(pid));
        const Fd process = isIn ? Fd() : openFolder(AT_FDCWD, path);
        struct stat info
        {
        };
        std::string text;
        if (!process || ::fstat(process.get(), &info) != 0 || info.st_uid != ::geteuid()
            || !readFileAt(process.get(), "cmdline", text))
            return;
        // Not a program like ssh, which takes the command to another machine.
        const std::size_t name = text.find('\0');
        if (name == std::string::npos || text.compare(name, 4, std::string_view("\0-c\0", 4)) != 0
            || text.find(words, name) == std::string::npos || !readFileAt(process.get(), "environ", text))
            return;
        isIn = ('\0' + text + '\0').find(ours) != std::string::npos;
    });
    return isIn;
}

int openPidfd(pid_t pid)
{
    const long fd = ::syscall(SYS_pidfd_open, pid, 0);
    if (fd >= 0)
        ::fcntl(int(fd), F_SETFD, FD_CLOEXEC);
    return int(fd);
}

std::uint64_t oomKills()
{
    char text[16384];
    if (readSome("/proc/vmstat", text, sizeof text) <= 0)
        return 0;
    const char* at = std::strstr(text, "\noom_kill ");
    return at ? std::strtoull(at + 10, nullptr, 10) : 0;
}

} // namespace trialkeeper
