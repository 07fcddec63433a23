// SPDX-License-Identifier: GPL-3.0-or-later
#include "run.h"

#include "adopt.h"
#include "tree_copy.h"
#include "wrapper.h"

#include "app/trialkeeper/base/gpu_locks.h"
#include "app/trialkeeper/base/lock.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

/// Bytes that are set aside of the journal and the exit file, so that the end can be written on a full disk, and of stderr, so that
/// the first words of a program that fails there are kept.
constexpr off_t reserve = 4096;

std::string_view mapLaunch()
{
    struct stat info
    {
    };
    if (::fstat(launchFd, &info) != 0 || info.st_size <= 0)
        return {};
    void* at = ::mmap(nullptr, std::size_t(info.st_size), PROT_READ, MAP_PRIVATE, launchFd, 0);
    if (at == MAP_FAILED)
        return {};
    return {static_cast<const char*>(at), std::size_t(info.st_size)};
}

/// A start being prepared: each step either works or leaves a sentence.
class Preparation
{
public:
    Preparation(const LaunchView& launch, TrialFiles& files)
        : m_launch(launch)
        , m_files(files)
    {
    }

    bool all(bool fresh) { return (fresh || wipe()) && gpus() && folders() && texts() && code(); }

    std::string message, detail;
    const char* kind = "platform";
    GpuLocks gpuLocks;

private:
    bool fail(const char* what, int error)
    {
        if (message.empty())
            message = what;
        detail = errorText(error);
        kind = errorKind(error);
        if (error == ENOSPC || error == EDQUOT)
            message += " The disk is full.";
        else if (error == EROFS)
            message += " The disk is read-only.";
        return false;
    }

    /// What an earlier try without a token has left.
    bool wipe()
    {
        for (const char* name : {"code", "output", ".nni", "exit", "cancel", "journal"}) {
            if (!removeTree(m_files.folder.get(), name))
                return fail("The rest of an earlier try cannot be removed.", errno);
        }
        return true;
    }

    bool gpus()
    {
        if (gpuLocks.take(m_launch.gpuLocks, valueOf(m_launch, "CUDA_VISIBLE_DEVICES"), m_launch.serviceId, message))
            return true;
        kind = "resource";
        return false;
    }

    bool folders()
    {
        for (const char* name : {".nni", "output", "code"}) {
            if ((m_launch.codeKind != "inPlace" || std::strcmp(name, "code") != 0)
                && ::mkdirat(m_files.folder.get(), name, 0700) != 0)
                return fail("The trial's folder cannot be written.", errno);
        }
        return true;
    }

    Fd create(const char* name, int flags)
    {
        return Fd(
            ::openat(m_files.folder.get(), name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | flags, 0600));
    }

    bool texts()
    {
        const int at = m_files.folder.get();
        m_files.journal = Fd(::openat(at, "journal", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
        m_files.standardOutput = create("stdout", O_APPEND);
        m_files.standardError = create("stderr", O_APPEND);
        if (!writeFileAt(at, "spec.json", m_launch.spec) || !writeFileAt(at, "parameter.cfg", m_launch.parameterCfg)
            || !writeFileAt(at, "parameters.json", m_launch.parameters) || !create("metrics.jsonl", 0)
            || !m_files.journal || !m_files.standardOutput || !m_files.standardError)
            return fail("The trial's folder cannot be written.", errno);
        const Fd exit = create(exitReserve, 0);
        for (const int file : {m_files.journal.get(), exit.get(), m_files.standardError.get()}) {
            if (::fallocate(file, 1 /* FALLOC_FL_KEEP_SIZE */, 0, reserve) != 0 && errno == ENOSPC)
                return fail("The trial's folder cannot be written.", ENOSPC);
        }
        return true;
    }

    bool code()
    {
        const std::string path(m_launch.codePath);
        if (m_launch.codeKind == "inPlace") {
            m_files.code = Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
            return m_files.code || fail("The code folder cannot be entered.", errno);
        }
        m_files.code = openFolder(m_files.folder.get(), "code");
        if (!m_files.code)
            return fail("The trial's folder cannot be written.", errno);
        if (m_launch.codeKind == "none")
            return true;
        const Fd source(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!source)
            return fail("The code folder cannot be read.", errno);
        return copyTree(source.get(), m_files.code.get(), message) || fail("The code could not be copied.", errno);
    }

    const LaunchView& m_launch;
    TrialFiles& m_files;
};

StartReport failure(unsigned ticket, const char* kind, std::string_view message, std::string_view detail)
{
    StartReport report;
    report.ticket = ticket;
    std::snprintf(report.kind, sizeof report.kind, "%s", kind);
    std::snprintf(report.message, sizeof report.message, "%.*s", int(message.size()), message.data());
    std::snprintf(report.detail, sizeof report.detail, "%.*s", int(detail.size()), detail.data());
    return report;
}

/// Takes away a folder in which nothing was started. The lock goes last, with the folder.
void discard(const std::string& folder)
{
    (void)removeTree(AT_FDCWD, folder.c_str());
}

std::string keeperPath; ///< folder of the only trial of this process, for the handler of a cancel

/// Where a cancel lies: in the trial's folder, or in the new one that the agent has made for one that was deleted.
Fd folderOfCancel()
{
    return openFolder(AT_FDCWD, keeperPath.c_str());
}

int graceOfCancelFile(const siginfo_t&)
{
    Cancel cancel;
    const Fd folder = folderOfCancel();
    return folder && readCancel(folder.get(), cancel) ? cancel.graceMs : -1;
}

/// Makes the end durable. Of a trial that has deleted its folder the exit file alone, in a new one: the agent makes the record of it.
int finish(const std::string& path, const TrialFiles& files, const EndState& end, std::uint64_t oomBefore)
{
    if (!isDeleted(files.folder.get()))
        return recordEnd(files.folder.get(), files.journal.get(), end, oomBefore);
    const Fd again = makeFolderAgain(path);
    while (again && !existsAt(again.get(), "exit") && !writeExitFile(again.get(), end) && errno != ENOENT)
        ::sleep(1);
    return 0;
}

/// Waits for the wrapper, handing on cancels.
void waitForWrapper(pid_t wrapper, int journal)
{
    sigset_t waited;
    sigemptyset(&waited);
    sigaddset(&waited, SIGCHLD);
    sigaddset(&waited, SIGUSR1);
    bool told = false;
    for (;;) {
        if (::waitpid(wrapper, nullptr, WNOHANG) == wrapper)
            return;
        siginfo_t info{};
        if (::sigwaitinfo(&waited, &info) != SIGUSR1)
            continue;
        if (const Fd folder = folderOfCancel())
            handOnCancel(folder.get(), journal, wrapper, told);
    }
}

} // namespace

int runKeeper(const char* folder, unsigned ticket, bool adopt)
{
    blockSignals();
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    std::string_view mapped = mapLaunch();
    LaunchView launch;
    if (!decodeLaunch(mapped, launch) || launch.folder != folder) {
        sendReport(failure(ticket, "internal", "The keeper was started without what it should run.", {}));
        return 2;
    }
    if (adopt)
        return adoptTrial(launch);
    TrialFiles files;
    const bool made = ::mkdir(folder, 0700) == 0;
    if (made || errno == EEXIST)
        files.folder = openFolder(AT_FDCWD, folder);
    if (!files.folder) {
        const int error = errno;
        sendReport(failure(ticket, errorKind(error),
            error == ENOSPC      ? "The trial's folder cannot be made. The disk is full."
                : error == EROFS ? "The trial's folder cannot be made. The disk is read-only."
                                 : "The trial's folder cannot be made.",
            errorText(error)));
        return 1;
    }
    KeeperLock lock;
    const KeeperLock::Result taken = lock.take(files.folder.get());
    if (taken == KeeperLock::Result::Busy
        || (taken == KeeperLock::Result::Taken && existsAt(files.folder.get(), "token"))) {
        StartReport report;
        report.ticket = ticket;
        report.result = StartReport::Result::Repeat;
        if (taken == KeeperLock::Result::Taken)
            lock.release();
        sendReport(report);
        return 0;
    }
    if (taken == KeeperLock::Result::Failed) {
        const int error = errno;
        discard(folder);
        sendReport(failure(ticket, errorKind(error),
            error == ENOSPC ? "The trial's folder cannot be written. The disk is full."
                            : "The trial's folder cannot be written.",
            errorText(error)));
        return 1;
    }
    void* page = ::mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    std::string own(folder);
    GpuLocks gpus;
    {
        Preparation preparation(launch, files);
        if (page == MAP_FAILED || !preparation.all(made)) {
            discard(own);
            StartReport report = failure(ticket, preparation.kind, preparation.message, preparation.detail);
            if (const auto gpu = preparation.gpuLocks.refused())
                report.gpuLock = std::int32_t(*gpu) + 1;
            sendReport(report);
            return 1;
        }
        gpus = std::move(preparation.gpuLocks);
    }
    auto& shared = *new (page) SharedState;
    const pid_t keeper = ::getpid();
    const pid_t wrapper = ::fork();
    if (wrapper == 0) {
        runWrapper(launch, mapped, files, shared, lock, own, ticket, keeper);
    }
    if (wrapper < 0) {
        const int error = errno;
        discard(own);
        sendReport(failure(ticket, errorKind(error), "A process for the trial cannot be made.", errorText(error)));
        return 1;
    }
    const std::uint64_t oomBefore = launch.oomKills;
    files.standardOutput.reset();
    files.standardError.reset();
    files.code.reset();
    launch = {};
    ::munmap(const_cast<char*>(mapped.data()), mapped.size());
    ::close(launchFd);
    keeperPath = own;
    waitForWrapper(wrapper, files.journal.get());

    if (shared.repeated) {
        StartReport report;
        report.ticket = ticket;
        report.result = StartReport::Result::Repeat;
        sendReport(report);
        return 0;
    }
    if (shared.startStep) {
        const int error = shared.startError;
        discard(own);
        sendReport(failure(ticket, errorKind(error), shared.startStep, errorText(error)));
        return 1;
    }
    if (shared.done)
        return finish(own, files, shared.end, oomBefore);
    if (shared.commandPid == 0 && !existsAt(files.folder.get(), "token") && !isDeleted(files.folder.get())) {
        discard(own);
        sendReport(failure(ticket, "platform", "The trial's wrapper was killed before it started the command.", {}));
        return 1;
    }
    // The wrapper was killed. The tree has become ours, so its end can still be seen. A cancel that only the wrapper
    // received is signalled again.
    ::kill(::getpid(), SIGUSR1);
    if (shared.commandPid == 0 || !superviseTree(shared, graceOfCancelFile)) {
        shared.end.lost = Lost::withKeeper;
        shared.end.endMs = nowMs();
    }
    return finish(own, files, shared.end, oomBefore);
}

} // namespace trialkeeper
