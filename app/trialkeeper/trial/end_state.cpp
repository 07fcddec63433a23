// SPDX-License-Identifier: GPL-3.0-or-later
#include "end_state.h"

#include "app/trialkeeper/base/disk.h"
#include "services/wire/protocol.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

const char* signalName(int signal)
{
    switch (signal) {
    case SIGHUP:
        return "SIGHUP";
    case SIGINT:
        return "SIGINT";
    case SIGQUIT:
        return "SIGQUIT";
    case SIGILL:
        return "SIGILL";
    case SIGTRAP:
        return "SIGTRAP";
    case SIGABRT:
        return "SIGABRT";
    case SIGBUS:
        return "SIGBUS";
    case SIGFPE:
        return "SIGFPE";
    case SIGKILL:
        return "SIGKILL";
    case SIGUSR1:
        return "SIGUSR1";
    case SIGSEGV:
        return "SIGSEGV";
    case SIGUSR2:
        return "SIGUSR2";
    case SIGPIPE:
        return "SIGPIPE";
    case SIGALRM:
        return "SIGALRM";
    case SIGTERM:
        return "SIGTERM";
    case SIGXCPU:
        return "SIGXCPU";
    case SIGXFSZ:
        return "SIGXFSZ";
    default:
        return nullptr;
    }
}

/// The failure class, and the sentence for a person in `reason`.
const char* classify(const EndState& state, bool outOfMemory, char* reason, std::size_t size)
{
    if (outOfMemory && mayBeOutOfMemory(state)) {
        std::snprintf(reason, size, "The system killed it because memory ran out.");
        return failureClass::outOfMemory;
    }
    if (state.signal != 0) {
        const char* name = signalName(state.signal);
        if (name)
            std::snprintf(reason, size, "The command was ended by %s (signal %d).", name, state.signal);
        else
            std::snprintf(reason, size, "The command was ended by signal %d.", state.signal);
        return failureClass::signal;
    }
    if (state.code == 127) {
        std::snprintf(reason, size, "A program of the command was not found (exit code 127).");
        return failureClass::commandNotFound;
    }
    const char* inner = state.code > 128 ? signalName(state.code - 128) : nullptr;
    if (inner)
        std::snprintf(reason, size, "The command ended with exit code %d (%s of a program in it).", state.code, inner);
    else
        std::snprintf(reason, size, "The command ended with exit code %d.", state.code);
    return failureClass::exitCode;
}

/// Of an exit file's times; a double, as which JSON's readers take a number, holds each.
constexpr std::int64_t mostMs = std::int64_t(1) << 53;

/// The text up to the next blank, which is taken away, too. False at the end.
bool takeWord(std::string_view& text, std::string_view& word)
{
    word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    return !word.empty();
}

bool takeWord(std::string_view& text, const char* wanted)
{
    std::string_view rest = text;
    std::string_view word;
    if (!takeWord(rest, word) || word != wanted)
        return false;
    text = rest;
    return true;
}

/// A whole number from 0 to `most`.
bool takeNumber(std::string_view& text, std::int64_t most, std::int64_t& number)
{
    std::string_view word;
    if (!takeWord(text, word))
        return false;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() && number >= 0 && number <= most;
}

} // namespace

const char* failureWord(Lost lost)
{
    switch (lost) {
    case Lost::no:
        return nullptr;
    case Lost::withKeeper:
        return failureClass::keeperLost;
    case Lost::withMachine:
        return failureClass::machineRestarted;
    }
    return nullptr;
}

int formatExitFile(char* out, std::size_t size, const EndState& state)
{
    if (state.lost != Lost::no)
        return std::snprintf(out, size, "lost %s %" PRId64 "\n", failureWord(state.lost), state.endMs);
    return std::snprintf(out, size, "exit %d %d %d %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
        state.code, state.signal, state.cancelled ? 1 : 0, state.leftovers, state.startMs, state.endMs, state.peakKiB,
        state.userMs, state.systemMs);
}

bool writeExitFile(int trialFolder, const EndState& state)
{
    char text[240];
    const int size = formatExitFile(text, sizeof text, state);
    const Fd reserve(::openat(trialFolder, exitReserve, O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (reserve && ::pwrite(reserve.get(), text, std::size_t(size), 0) == size
        && ::renameat(trialFolder, exitReserve, trialFolder, "exit") == 0)
        return true;
    return replaceFileAt(trialFolder, "exit", {text, std::size_t(size)});
}

bool isDeleted(int folder)
{
    struct stat info
    {
    };
    return ::fstat(folder, &info) == 0 && info.st_nlink == 0;
}

Fd makeFolderAgain(const std::string& path)
{
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
        return {};
    Fd folder = openFolder(AT_FDCWD, path.c_str());
    if (!folder && (errno == ENOTDIR || errno == ELOOP))
        errno = ENOENT;
    if (folder && !existsAt(folder.get(), "token") && !writeFileAt(folder.get(), "token", {}))
        return {};
    return folder;
}

bool parseExitFile(std::string_view text, EndState& state)
{
    if (text.empty() || text.back() != '\n')
        return false;
    text.remove_suffix(1);
    std::string_view word;
    if (takeWord(text, "lost") && takeWord(text, word)) {
        state = {};
        state.lost = word == failureClass::machineRestarted ? Lost::withMachine : Lost::withKeeper;
        return takeNumber(text, mostMs, state.endMs) && text.empty();
    }
    constexpr std::int64_t mostCode = 255; // of WEXITSTATUS
    constexpr std::int64_t mostSignal = 127;
    constexpr std::int64_t mostProcesses = 1 << 22; // PID_MAX_LIMIT of Linux
    constexpr std::int64_t mostKiB = INT64_MAX / 1024;
    std::int64_t code = 0;
    std::int64_t signal = 0;
    std::int64_t cancelled = 0;
    std::int64_t leftovers = 0;
    EndState read;
    if (!takeWord(text, "exit") || !takeNumber(text, mostCode, code) || !takeNumber(text, mostSignal, signal)
        || !takeNumber(text, 1, cancelled) || !takeNumber(text, mostProcesses, leftovers)
        || !takeNumber(text, mostMs, read.startMs) || !takeNumber(text, mostMs, read.endMs)
        || !takeNumber(text, mostKiB, read.peakKiB) || !takeNumber(text, mostMs, read.userMs)
        || !takeNumber(text, mostMs, read.systemMs) || !text.empty())
        return false;
    state = read;
    state.code = int(code);
    state.signal = int(signal);
    state.cancelled = cancelled != 0;
    state.leftovers = int(leftovers);
    return true;
}

bool mayBeOutOfMemory(const EndState& state)
{
    return !state.cancelled && state.lost == Lost::no && (state.signal == SIGKILL || state.code == 128 + SIGKILL);
}

FullDisk fullDiskOf(int trialFolder)
{
    constexpr std::uint64_t nothingMuch = 64 * 1024;
    struct statvfs disk
    {
    };
    if (::fstatvfs(trialFolder, &disk) == 0 && isFull(disk, nothingMuch))
        return FullDisk::atTheEnd;
    // What it filled may be elsewhere, or free again: it removed what it could not finish.
    const Fd file(::openat(trialFolder, "stderr", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat info
    {
    };
    if (!file || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
        return FullDisk::no;
    char tail[8192];
    const off_t from = std::max<off_t>(0, info.st_size - off_t(sizeof tail));
    const ssize_t got = ::pread(file.get(), tail, sizeof tail, from);
    const std::string_view text(tail, std::size_t(std::max<ssize_t>(0, got)));
    // As the C library says it, and as Python and Node.js do in any language.
    for (const char* words : {"No space left on device", "Disk quota exceeded", "[Errno 28]", "[Errno 122]", "ENOSPC"})
        if (text.find(words) != std::string_view::npos)
            return FullDisk::printed;
    return FullDisk::no;
}

/// Appended to the reason of the final record; empty, or begins with a space.
static const char* sentenceOf(FullDisk fullDisk)
{
    switch (fullDisk) {
    case FullDisk::no:
        break;
    case FullDisk::atTheEnd:
        return " The disk of its folder was full then, so what it wrote may be missing: free some space.";
    case FullDisk::printed:
        return " It met a full disk or quota, as its stderr says: free some space.";
    }
    return "";
}

int formatFinalRecord(
    char* out, std::size_t size, const EndState& state, std::string_view intent, bool outOfMemory, FullDisk fullDisk)
{
    char intentPart[64] = "";
    if (!intent.empty() && (state.cancelled || state.lost != Lost::no))
        std::snprintf(intentPart, sizeof intentPart, ",\"intent\":\"%.*s\"",
            int(std::min<std::size_t>(intent.size(), 16)), intent.data());
    if (state.lost != Lost::no) {
        const char* reason = state.lost == Lost::withMachine
            ? "The machine was restarted while the trial ran."
            : "The trial's processes are gone and left no exit state: they were killed together with their keeper.";
        return std::snprintf(out, size,
            "{\"type\":\"lost\",\"final\":true,\"time\":%" PRId64 ",\"reason\":\"%s\",\"failureClass\":\"%s\"%s}",
            state.endMs, reason, failureWord(state.lost), intentPart);
    }
    char code[16] = "null";
    if (state.signal == 0)
        std::snprintf(code, sizeof code, "%d", state.code);
    char failure[360] = "";
    const bool success = state.code == 0 && state.signal == 0 && !state.cancelled;
    if (state.cancelled) {
        std::snprintf(failure, sizeof failure, ",\"reason\":\"It was cancelled.\"");
    } else if (!success) {
        char reason[140];
        const char* word = classify(state, outOfMemory, reason, sizeof reason);
        std::snprintf(failure, sizeof failure, ",\"reason\":\"%s%s\",\"failureClass\":\"%s\"", reason,
            sentenceOf(fullDisk), word);
    }
    return std::snprintf(out, size,
        "{\"type\":\"exited\",\"final\":true,\"time\":%" PRId64
        ",\"exitCode\":%s,\"signal\":%d,\"success\":%s,\"leftovers\":%d%s%s,"
        "\"usage\":{\"peakMemoryBytes\":%" PRId64 ",\"userMs\":%" PRId64 ",\"systemMs\":%" PRId64 ",\"wallMs\":%" PRId64
        "}}",
        state.endMs, code, state.signal, success ? "true" : "false", state.leftovers, failure, intentPart,
        state.peakKiB * 1024, state.userMs, state.systemMs, std::max<std::int64_t>(0, state.endMs - state.startMs));
}

} // namespace trialkeeper
