// SPDX-License-Identifier: GPL-3.0-or-later
#include "wrapper.h"

#include "journal.h"
#include "tree_signals.h"

#include "app/trialkeeper/base/proc.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

sigset_t waitedSignals()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGUSR1);
    return set;
}

/// What follows vfork in the child: shares our memory until it has executed the command, so it only makes system calls.
[[noreturn]] void becomeCommand(const LaunchView& launch, const TrialFiles& files, SharedState& shared, mode_t userMask)
{
    const char* step = "The command's working directory cannot be entered.";
    shared.commandPid = ::getpid();
    ::setpgid(0, 0);
    if (::fchdir(files.code.get()) == 0) {
        step = "The command's output cannot be opened.";
        if (::dup2(files.standardOutput.get(), 1) >= 0 && ::dup2(files.standardError.get(), 2) >= 0) {
            step = "The shell cannot be started.";
            rlimit limit{};
            if (launch.openFiles > 0 && ::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
                limit.rlim_cur = std::min<rlim_t>(launch.openFiles, limit.rlim_max);
                ::setrlimit(RLIMIT_NOFILE, &limit);
            }
            ::umask(userMask);
            closeOnExecFrom(3); // the keeper's own two among them (launch.h)
            sigset_t none;
            sigemptyset(&none);
            ::sigprocmask(SIG_SETMASK, &none, nullptr);
            ::execve(launch.arguments[0], const_cast<char* const*>(launch.arguments.data()),
                const_cast<char* const*>(launch.environment.data()));
        }
    }
    shared.startError = errno ? errno : EIO;
    shared.startStep = step;
    ::_exit(127);
}

/// Whether the file system's log is one sequence, so that one fsync of the folder makes the token's name, the token
/// and the folder's own name durable: all were entered in the log before it. Each further fsync would cost a flush of
/// the disk.
bool logsInOrder(int folder)
{
    struct statfs info
    {
    };
    if (::fstatfs(folder, &info) != 0)
        return false;
    const auto type = std::uint64_t(info.f_type) & 0xffffffff;
    return type == 0xef53 /* ext4 */ || type == 0x58465342 /* XFS */ || type == 0x9123683e /* btrfs */
        || type == 0x01021994 /* tmpfs */;
}

/// The start token, an empty file: durable before the command starts. 0, or the errno; EEXIST if another process
/// started this trial.
int makeToken(const TrialFiles& files)
{
    const Fd token(::openat(files.folder.get(), "token", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!token)
        return errno;
    bool good = true;
    if (!logsInOrder(files.folder.get())) {
        const Fd parent(::openat(files.folder.get(), "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        good = ::fsync(token.get()) == 0 && (!parent || ::fsync(parent.get()) == 0 || errno == EINVAL);
    }
    if (good && (::fsync(files.folder.get()) == 0 || errno == EINVAL))
        return 0;
    const int error = errno;
    ::unlinkat(files.folder.get(), "token", 0);
    return error;
}

int graceOfQueued(const siginfo_t& info)
{
    return info.si_code == SI_QUEUE ? std::max(0, info.si_value.sival_int) : 5000;
}

[[noreturn]] void giveUp(SharedState& shared, const char* step, int error)
{
    shared.startError = error;
    shared.startStep = step;
    ::_exit(1);
}

} // namespace

bool appendJournal(int journal, std::string_view json)
{
    char record[2048];
    const std::size_t size = formatJournalRecord(record, json);
    struct stat before
    {
    };
    if (size == 0 || ::fstat(journal, &before) != 0) {
        errno = size == 0 ? EMSGSIZE : errno;
        return false;
    }
    const ssize_t written = ::write(journal, record, size);
    if (written == ssize_t(size))
        return true;
    const int error = written < 0 ? errno : ENOSPC;
    if (written > 0 && ::ftruncate(journal, before.st_size) != 0)
        return false;
    errno = error;
    return false;
}

void sendReport(const StartReport& report)
{
    while (::write(reportFd, &report, sizeof report) < 0 && errno == EINTR) { }
}

void blockSignals()
{
    sigset_t set = waitedSignals();
    // A shutdown or a closed session ends the trial's own processes; keeper and wrapper go on to tell how they ended.
    for (const int signal : {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU, SIGUSR2, SIGALRM})
        sigaddset(&set, signal);
    ::sigprocmask(SIG_SETMASK, &set, nullptr);
}

bool superviseTree(SharedState& shared, int (*graceOf)(const siginfo_t&))
{
    const sigset_t waited = waitedSignals();
    const pid_t command = shared.commandPid;
    EndState& end = shared.end;
    bool ended = shared.commandEnded;
    bool terminated = false;
    std::int64_t terminateAt = ended ? steadyMs() : 0;
    std::int64_t killAt = ended ? terminateAt + leftoverGraceMs : 0;
    end.startMs = shared.startMs;
    for (;;) {
        pid_t pid = 0;
        int status = 0;
        while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) {
            if (pid != command)
                continue;
            ended = true;
            end.endMs = nowMs();
            end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
            end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
            shared.commandEnded = true;
            if (!end.cancelled) {
                terminateAt = steadyMs() + settleMs;
                killAt = terminateAt + leftoverGraceMs;
            }
        }
        if (pid < 0 && errno == ECHILD)
            break;
        const std::int64_t now = steadyMs();
        if (killAt > 0 && now >= killAt) {
            killTree();
        } else if (terminateAt > 0 && !terminated && now >= terminateAt) {
            terminated = true;
            end.leftovers = terminateTree();
        }
        siginfo_t info{};
        int got = 0;
        if (killAt == 0) {
            got = ::sigwaitinfo(&waited, &info);
        } else {
            const std::int64_t until = now >= killAt ? now + killPauseMs : terminated ? killAt : terminateAt;
            const std::int64_t wait = std::max<std::int64_t>(1, until - now);
            const timespec timeout{time_t(wait / 1000), long(wait % 1000 * 1000000)};
            got = ::sigtimedwait(&waited, &info, &timeout);
        }
        if (got != SIGUSR1)
            continue;
        const int grace = graceOf(info);
        if (grace < 0)
            continue;
        // A command that has ended already keeps its own result: WNOWAIT looks without reaping.
        siginfo_t gone{};
        if (!ended && ::waitid(P_PID, id_t(command), &gone, WEXITED | WNOHANG | WNOWAIT) == 0 && gone.si_pid == command)
            continue;
        const std::int64_t limit = steadyMs() + grace;
        if (!ended && !end.cancelled) {
            end.cancelled = true;
            terminated = true;
            terminateTree();
            killAt = limit;
        } else if (killAt > 0) {
            killAt = std::min(killAt, limit);
        }
    }
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    end.peakKiB = used.ru_maxrss;
    end.userMs = used.ru_utime.tv_sec * 1000 + used.ru_utime.tv_usec / 1000;
    end.systemMs = used.ru_stime.tv_sec * 1000 + used.ru_stime.tv_usec / 1000;
    if (!ended || end.cancelled)
        end.endMs = nowMs();
    return ended;
}

void runWrapper(LaunchView& launch, std::string_view mapped, TrialFiles& files, SharedState& shared, KeeperLock& lock,
    const std::string& folder, std::uint32_t ticket, pid_t keeper)
{
    ::setsid();
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::prctl(PR_SET_NAME, wrapperName);
    char text[320];
    const ProcessIdentity self = identityOf(::getpid());
    int size = std::snprintf(text, sizeof text,
        "{\"type\":\"identity\",\"version\":1,\"time\":%" PRId64 ",\"pid\":%d,\"start\":%" PRIu64
        ",\"bootId\":\"%s\",\"oomKills\":%" PRIu64 "}",
        nowMs(), int(self.pid), self.start, self.bootId, launch.oomKills);
    if (!appendJournal(files.journal.get(), {text, std::size_t(size)}))
        giveUp(shared, "The trial's journal cannot be written.", errno);
    const int error = makeToken(files);
    if (error == EEXIST) {
        shared.repeated = true;
        ::_exit(0);
    }
    if (error != 0)
        giveUp(shared, "The trial's start cannot be recorded.", error);

    lock.drop(); // from here on the token records that it was started

    const mode_t userMask = ::umask(077);
    shared.startMs = nowMs();
    // NOLINTNEXTLINE(clang-analyzer-security.insecureAPI.vfork): what the child does up to exec() is in becomeCommand()
    const pid_t command = ::vfork();
    if (command == 0)
        becomeCommand(launch, files, shared, userMask);
    if (command < 0)
        giveUp(shared, "A process for the command cannot be made.", errno);
    if (shared.startStep) {
        ::waitpid(command, nullptr, 0);
        ::_exit(1);
    }
    size = std::snprintf(
        text, sizeof text, "{\"type\":\"running\",\"time\":%" PRId64 ",\"pid\":%d}", shared.startMs, int(command));
    // A full disk here stops no trial: the report below reaches the agent as well.
    (void)appendJournal(files.journal.get(), {text, std::size_t(size)});
    shared.running = true;
    StartReport report;
    report.ticket = ticket;
    report.result = StartReport::Result::Started;
    report.pid = command;
    report.time = shared.startMs;
    sendReport(report);

    // From here on this process only waits: let go of all that it does not need.
    ::close(reportFd);
    ::close(launchFd);
    files.journal.reset();
    files.standardOutput.reset();
    files.standardError.reset();
    files.code.reset();
    launch = {};
    ::munmap(const_cast<char*>(mapped.data()), mapped.size());

    if (!superviseTree(shared, graceOfQueued))
        ::_exit(1);
    shared.done = true;
    const auto write = [&] {
        if (isDeleted(files.folder.get())) {
            Fd again = makeFolderAgain(folder);
            if (!again)
                return false;
            files.folder = std::move(again);
        }
        return writeExitFile(files.folder.get(), shared.end);
    };
    // A full disk: the keeper knows the end from the shared page and takes over the writing; without one we try until
    // it works.
    while (!write() && errno != ENOENT) {
        if (::getppid() == keeper)
            break;
        ::sleep(1);
    }
    ::_exit(0);
}

} // namespace trialkeeper
