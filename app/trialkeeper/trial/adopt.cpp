// SPDX-License-Identifier: GPL-3.0-or-later
#include "adopt.h"

#include "journal.h"
#include "tree_signals.h"
#include "wrapper.h"

#include "app/trialkeeper/base/gpu_locks.h"
#include "app/trialkeeper/base/lock.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

/// Waits up to `ms` (-1: without end) for a SIGUSR1 or for the process behind `pidfd` (-1: none). True for the signal.
bool waitForSignal(int pidfd, int ms)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (pidfd < 0) {
        const timespec timeout{ms / 1000, ms % 1000 * 1000000L};
        return ::sigtimedwait(&set, nullptr, &timeout) == SIGUSR1;
    }
    // SIGUSR1 is open only inside ppoll; the handler does nothing, EINTR is the news.
    sigset_t inside;
    ::sigprocmask(SIG_SETMASK, nullptr, &inside);
    sigdelset(&inside, SIGUSR1);
    pollfd watched{pidfd, POLLIN, 0};
    const timespec timeout{ms / 1000, ms % 1000 * 1000000L};
    return ::ppoll(&watched, 1, ms < 0 ? nullptr : &timeout, &inside) < 0 && errno == EINTR;
}

/// Waits until the wrapper, not our child, has ended, handing on cancels.
void waitForStranger(const ProcessIdentity& wrapper, int folder, int journal)
{
    bool told = false;
    const Fd pidfd(openPidfd(wrapper.pid));
    handOnCancel(folder, journal, wrapper.pid, told); // one that was accepted while there was no keeper
    while (isAlive(wrapper)) {
        if (waitForSignal(pidfd.get(), pidfd ? -1 : 1000) && isAlive(wrapper))
            handOnCancel(folder, journal, wrapper.pid, told);
    }
}

/// Waits for processes that have neither wrapper nor keeper, and ends them if there is a cancel.
void waitForSurvivors(const std::string& metricsFile, int folder)
{
    std::int64_t killAt = 0;
    Termination termination;
    std::vector<ProcessIdentity> known;
    for (;;) {
        const std::vector<pid_t> left = survivorsOf(metricsFile);
        for (const pid_t pid : left) {
            if (std::none_of(known.begin(), known.end(), [&](const ProcessIdentity& each) { return each.pid == pid; }))
                known.push_back(identityOf(pid));
        }
        // A process on its way out has no environment any more but is still there: those seen before are waited for
        // by name.
        if (left.empty() && std::none_of(known.begin(), known.end(), isAlive))
            return;
        Cancel cancel;
        if (readCancel(folder, cancel)) {
            if (killAt == 0)
                killAt = steadyMs() + cancel.graceMs;
            if (steadyMs() < killAt) {
                termination.send(left);
            } else {
                for (const pid_t pid : left)
                    ::kill(pid, SIGKILL);
            }
        }
        (void)waitForSignal(-1, killAt > 0 ? 50 : 1000);
    }
}

bool readJournal(int folder, std::string& text)
{
    return readFileAt(folder, "journal", text, 64 << 20);
}

} // namespace

bool readCancel(int trialFolder, Cancel& cancel)
{
    std::string text;
    if (!readFileAt(trialFolder, "cancel", text, 100))
        return false;
    return std::sscanf(text.c_str(), "%15s %d", cancel.intent, &cancel.graceMs) == 2 && cancel.graceMs >= 0;
}

void handOnCancel(int trialFolder, int journal, pid_t wrapper, bool& told)
{
    Cancel cancel;
    if (!readCancel(trialFolder, cancel))
        return;
    sigval value{};
    value.sival_int = cancel.graceMs;
    ::sigqueue(wrapper, SIGUSR1, value);
    if (told)
        return;
    told = true;
    char text[160];
    const int size = std::snprintf(
        text, sizeof text, "{\"type\":\"cancelling\",\"time\":%" PRId64 ",\"intent\":\"%s\"}", nowMs(), cancel.intent);
    (void)appendJournal(journal, {text, std::size_t(size)});
}

bool tryRecordEnd(int trialFolder, int journal, const EndState& end, std::uint64_t oomBefore)
{
    // The journal record is authoritative: it has the end even where there was no room for the exit file.
    const bool known = existsAt(trialFolder, "exit") || writeExitFile(trialFolder, end);
    char text[1024];
    Cancel cancel;
    (void)readCancel(trialFolder, cancel);
    const bool outOfMemory = mayBeOutOfMemory(end) && oomBefore < oomKills();
    const FullDisk fullDisk = end.code != 0 || end.signal != 0 ? fullDiskOf(trialFolder) : FullDisk::no;
    const int size = formatFinalRecord(text, sizeof text, end, cancel.intent, outOfMemory, fullDisk);
    struct stat info
    {
    };
    // A folder that was removed meanwhile (its link count is 0) needs no record.
    return appendJournal(journal, {text, std::size_t(size)})
        || (!known && ::fstat(journal, &info) == 0 && info.st_nlink == 0);
}

int recordEnd(int trialFolder, int journal, const EndState& end, std::uint64_t oomBefore)
{
    while (!tryRecordEnd(trialFolder, journal, end, oomBefore))
        ::sleep(1);
    while (!existsAt(trialFolder, "exit") && !writeExitFile(trialFolder, end) && errno != ENOENT)
        ::sleep(1);
    return 0;
}

JournalSummary summarize(std::string_view journal)
{
    JournalSummary summary;
    JournalReader reader(journal);
    JournalRecord record;
    while (reader.next(record)) {
        const nlohmann::json json = nlohmann::json::parse(record.json, nullptr, false);
        if (!json.is_object())
            continue;
        const auto type = json.find("type");
        if (type != json.end() && *type == eventType::identity && json.contains("pid")
            && json["pid"].is_number_integer()) {
            summary.wrapper.pid = json["pid"].get<pid_t>();
            summary.wrapper.start =
                json.contains("start") && json["start"].is_number_unsigned() ? json["start"].get<std::uint64_t>() : 0;
            const std::string boot = json.contains("bootId") && json["bootId"].is_string()
                ? json["bootId"].get<std::string>()
                : std::string();
            std::snprintf(summary.wrapper.bootId, sizeof summary.wrapper.bootId, "%s", boot.c_str());
            summary.oomKills = json.contains("oomKills") && json["oomKills"].is_number_unsigned()
                ? json["oomKills"].get<std::uint64_t>()
                : 0;
        }
        const auto final = json.find("final");
        summary.final = summary.final || (final != json.end() && final->is_boolean() && final->get<bool>());
    }
    summary.validEnd = reader.validEnd();
    return summary;
}

ProcessIdentity wrapperOf(const JournalSummary& journal, const std::string& path)
{
    if (journal.wrapper.pid > 0)
        return journal.wrapper;
    for (const pid_t pid : survivorsOf(path + "/metrics.jsonl")) {
        ProcessStat stat;
        std::string name;
        if (readStat(pid, stat)
            && readFileAt(AT_FDCWD, ("/proc/" + std::to_string(stat.parent) + "/comm").c_str(), name, 64)
            && name == std::string(wrapperName) + '\n')
            return identityOf(stat.parent);
    }
    return {};
}

bool endOfDeadTrial(int trialFolder, const std::string& path, const JournalSummary& journal, EndState& end)
{
    const ProcessIdentity wrapper = wrapperOf(journal, path);
    const bool otherBoot = wrapper.pid > 0 && std::strcmp(wrapper.bootId, bootId()) != 0;
    if (wrapper.pid > 0 && isAlive(wrapper))
        return false;
    std::string text;
    if (readFileAt(trialFolder, "exit", text, 4096) && parseExitFile(text, end))
        return true;
    if (!otherBoot && !survivorsOf(path + "/metrics.jsonl").empty())
        return false;
    end = {};
    end.lost = otherBoot ? Lost::withMachine : Lost::withKeeper;
    end.endMs = nowMs();
    return true;
}

int adoptTrial(const LaunchView& launch)
{
    struct sigaction nothing
    {
    };
    nothing.sa_handler = [](int) {};
    ::sigaction(SIGUSR1, &nothing, nullptr);
    const std::string path(launch.folder);
    const Fd folder = openFolder(AT_FDCWD, path.c_str());
    KeeperLock lock;
    if (!folder || lock.take(folder.get()) != KeeperLock::Result::Taken)
        return 0; // another keeper was quicker
    std::string text;
    const Fd journal(::openat(folder.get(), "journal", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!journal || !readJournal(folder.get(), text))
        return 1;
    JournalSummary summary = summarize(text);
    if (summary.validEnd < text.size() && ::ftruncate(journal.get(), off_t(summary.validEnd)) != 0)
        return 1;
    if (summary.final)
        return 0;
    GpuLocks gpus;
    std::string busy;
    (void)gpus.take(launch.gpuLocks, {}, launch.serviceId, busy); // its processes hold the GPU whatever the answer is
    text = {};
    summary.wrapper = wrapperOf(summary, path);
    if (summary.wrapper.pid > 0 && isAlive(summary.wrapper))
        waitForStranger(summary.wrapper, folder.get(), journal.get());
    EndState end;
    while (!endOfDeadTrial(folder.get(), path, summary, end))
        waitForSurvivors(path + "/metrics.jsonl", folder.get());
    return recordEnd(folder.get(), journal.get(), end, summary.oomKills);
}

} // namespace trialkeeper
