// SPDX-License-Identifier: GPL-3.0-or-later
#include "doctor.h"

#include "output.h"
#include "probe.h"

#include "app/trialkeeper/base/io.h"
#include "app/trialkeeper/base/own_folders.h"
#include "app/trialkeeper/base/proc.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;

void tell(
    const char* id, const char* title, const char* state, const std::string& detail, const std::string& remedy = {})
{
    std::printf("%s\n",
        toText({{"id", id}, {"title", title}, {"state", state}, {"detail", detail}, {"remedy", remedy}}).c_str());
    std::fflush(stdout);
}

std::string formatted(const char* format, double a, double b = 0)
{
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), format, a, b);
    return text.data();
}

/// The first line that a command prints, and how many there are; false if it fails. At most 10 seconds where there is a timeout that takes
/// them in this way (that of an old busybox does not).
bool ask(const std::string& command, std::string& line, int* lines = nullptr)
{
    line.clear();
    int count = 0;
    std::FILE* pipe =
        ::popen(("t=$(timeout 10 true 2>/dev/null && echo timeout 10); $t " + command + " 2>&1").c_str(), "r");
    if (!pipe)
        return false;
    std::array<char, 512> text{};
    while (std::fgets(text.data(), int(text.size()), pipe)) {
        if (line.empty())
            line = text.data();
        count += std::strchr(text.data(), '\n') ? 1 : 0;
    }
    if (lines)
        *lines = count;
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
        line.pop_back();
    return ::pclose(pipe) == 0;
}

bool examineFolder(const std::string& base)
{
    Failure failure;
    if (!makeOwnFolder(base, base, failure)) {
        tell("folder", "Folder for trials", "fail", failure.message,
            "Choose another folder (scratchDir), or make this one writable.");
        return false;
    }
    std::string probe = base + "/.doctor-XXXXXX";
    const Fd file(::mkostemp(probe.data(), O_CLOEXEC));
    if (!file) {
        tell("folder", "Folder for trials", "fail", base + ": " + errorText(errno),
            "Choose another folder (scratchDir), or make this one writable.");
        return false;
    }
    tell("folder", "Folder for trials", "ok", base);

    const std::string block(1024 * 1024, '\x5a');
    const std::int64_t begin = steadyMs();
    int written = 0;
    bool good = true;
    while (good && written < 32 && steadyMs() - begin < 3000) {
        good = writeAll(file.get(), block);
        written += good ? 1 : 0;
    }
    const int error = errno;
    good = good && ::fdatasync(file.get()) == 0;
    const double seconds = std::max(0.001, double(steadyMs() - begin) / 1000.0);
    if (!good)
        tell("writing", "Writing", "fail", errorText(error), "Free some space on this disk.");
    else
        tell("writing", "Writing", double(written) / seconds < 5 ? "warn" : "ok",
            formatted("%.0f MiB/s", double(written) / seconds),
            double(written) / seconds < 5 ? "Choose a faster disk for trials (scratchDir)." : "");
    // Whether programs may run from here: code that is compiled by a trial needs it.
    (void)!::ftruncate(file.get(), 0);
    (void)!::lseek(file.get(), 0, SEEK_SET);
    (void)writeAll(file.get(), "#!/bin/sh\nexit 0\n");
    ::fchmod(file.get(), 0700);
    const bool runs = ::access(probe.c_str(), X_OK) == 0;
    tell("execute", "Running programs from there", runs ? "ok" : "warn",
        runs ? "allowed" : "The folder is mounted with noexec.",
        runs ? "" : "Choose a folder on another mount if trials start programs of their code folder directly.");
    ::unlink(probe.c_str());
    return true;
}

void examineDisk(const std::string& base)
{
    struct statvfs disk
    {
    };
    if (::statvfs(base.c_str(), &disk) != 0) {
        tell("disk", "Free disk space", "warn", errorText(errno));
        return;
    }
    const double free = double(disk.f_bavail) * double(disk.f_frsize);
    const double nodes = disk.f_files > 0 ? double(disk.f_favail) : 1e9;
    const bool low = free < 1024 * mebibyte || nodes < 10000;
    tell("disk", "Free disk space",
        free < 50 * mebibyte || nodes < 100 ? "fail"
            : low                           ? "warn"
                                            : "ok",
        formatted("%.1f GiB free", free / mebibyte / 1024)
            + (nodes < 10000 ? formatted(", only %.0f more files", nodes) : ""),
        low ? "Free some space, or choose another folder (scratchDir)." : "");
}

void examinePrograms()
{
    std::string line;
    if (ask("bash --version", line))
        tell("shell", "Shell", "ok", line);
    else
        tell("shell", "Shell", "warn", "bash is not installed; commands run by sh.",
            "Install bash if commands use its features.");
    std::string where;
    if (ask("python3 --version", line))
        tell("python", "Python", "ok", ask("sh -c 'command -v python3'", where) ? line + " (" + where + ')' : line);
    else
        tell("python", "Python", "warn", "python3 was not found in PATH.",
            "Install Python, or set interpreter, setup or loginShell of the experiment.");
    // By what is done with it: that of busybox has no --version. The archive holds "ok".
    if (!ask("sh -c \"printf "
             "'\\037\\213\\010\\000\\000\\000\\000\\000\\002\\377\\313\\317\\346\\002\\000\\175\\016\\026\\332\\003"
             "\\000\\000\\000' | gzip -dc\"",
            line)
        || line != "ok")
        tell("gzip", "gzip", "fail",
            "gzip -dc does not unpack, so code cannot be brought here" + (line.empty() ? "." : ": " + line),
            "Install gzip.");
}

void examineGpu()
{
    const std::string tool = findNvidiaSmi();
    if (tool.empty()) {
        if (hasNvidiaDriver())
            tell("gpu", "GPUs", "fail", "An NVIDIA driver is loaded, but nvidia-smi is not installed.",
                "Install nvidia-smi (package nvidia-smi or nvidia-utils).");
        else
            tell("gpu", "GPUs", "ok", "none");
        return;
    }
    std::string line;
    int count = 0;
    if (ask("'" + tool + "' --query-gpu=name,driver_version --format=csv,noheader", line, &count))
        tell("gpu", "GPUs", "ok", std::to_string(count) + (count == 1 ? " GPU: " : " GPUs: ") + line);
    else if (line.find("version mismatch") != std::string::npos)
        tell("gpu", "GPUs", "fail", line + ". The driver was updated, but the old kernel module is still loaded.",
            "Restart the machine, or reload the module while nothing uses a GPU: sudo modprobe -r nvidia_uvm "
            "nvidia_drm "
            "nvidia_modeset nvidia && sudo modprobe nvidia");
    else
        tell("gpu", "GPUs", "fail", line.empty() ? "nvidia-smi failed." : line,
            "Restart the machine, or install the driver again.");
}

/// A name for file systems that several machines may share; null for one of this machine alone.
const char* sharedKind(const std::string& path)
{
    struct statfs system
    {
    };
    if (::statfs(path.c_str(), &system) != 0)
        return nullptr;
    switch (static_cast<unsigned long>(system.f_type) & 0xffffffffUL) {
    case 0x6969:
        return "NFS";
    case 0xff534d42:
    case 0xfe534d42:
        return "SMB";
    case 0x0bd00bd0:
        return "Lustre";
    case 0x19830326:
        return "BeeGFS";
    case 0x47504653:
        return "GPFS";
    case 0x5346414f:
        return "AFS";
    case 0x00c36400:
        return "Ceph";
    default:
        return nullptr;
    }
}

void examineSharing(const std::string& base)
{
    const char* kind = sharedKind(base);
    tell("shared", "Shared folder", "ok",
        kind ? std::string("on ") + kind + ": machines that share it keep apart by their names"
             : "on a disk of this machine");
    std::string line;
    // Says something only to who is beyond a limit.
    ask("sh -c 'command -v quota >/dev/null && quota -q'", line);
    if (!line.empty())
        tell("quota", "Disk quota", "warn", line, "Free some space, or choose another folder (scratchDir).");
    else
        tell("quota", "Disk quota", "ok", "none is reached");
}

/// Whether processes outlive the login that started them.
void examineLogout()
{
    std::string kill;
    std::string linger;
    const bool kills =
        ask("busctl get-property org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager "
            "KillUserProcesses",
            kill)
        && kill == "b true";
    if (!kills) {
        tell("logout", "After the logout", "ok", "processes go on");
        return;
    }
    ask("loginctl show-user --property=Linger --value \"$(id -un)\"", linger);
    if (linger == "yes")
        tell("logout", "After the logout", "ok", "processes go on (lingering is on)");
    else
        tell("logout", "After the logout", "warn",
            "This machine ends all processes of who logs out (KillUserProcesses).",
            "Run once on it: loginctl enable-linger");
}

/// Network mounts that do not answer make programs hang that only look past them.
void examineMounts()
{
    std::string mounts;
    (void)readFileAt(AT_FDCWD, "/proc/self/mounts", mounts);
    std::string silent;
    int asked = 0;
    for (std::size_t at = 0; at < mounts.size() && asked < 20;) {
        const std::size_t end = std::min(mounts.find('\n', at), mounts.size());
        const std::string line = mounts.substr(at, end - at);
        at = end + 1;
        const std::size_t first = line.find(' ');
        const std::size_t second = first == std::string::npos ? first : line.find(' ', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string folder = line.substr(first + 1, second - first - 1);
        const std::string type = line.substr(second + 1, line.find(' ', second + 1) - second - 1);
        if (type.rfind("nfs", 0) != 0 && type != "cifs" && type != "smb3" && type != "fuse.sshfs" && type != "beegfs"
            && type != "lustre" && type != "ceph")
            continue;
        ++asked;
        const pid_t child = ::fork();
        if (child == 0) {
            struct statvfs disk
            {
            };
            (void)::statvfs(folder.c_str(), &disk);
            ::_exit(0);
        }
        bool answered = child < 0;
        for (int tries = 0; !answered && tries < 100; ++tries) {
            answered = ::waitpid(child, nullptr, WNOHANG) != 0;
            if (!answered)
                ::usleep(20'000);
        }
        if (!answered) {
            ::kill(child, SIGKILL);
            silent += (silent.empty() ? "" : ", ") + folder;
        }
    }
    if (silent.empty())
        tell("mounts", "Network mounts", "ok", asked == 0 ? "none" : std::to_string(asked) + " answer");
    else
        tell("mounts", "Network mounts", "warn", silent + " does not answer.",
            "Ask the administrator to unmount it: umount -l");
}

void examineSystem()
{
    ProcessStat stat;
    if (readStat(::getpid(), stat) && bootId()[0] != 0)
        tell("proc", "Processes", "ok", "/proc can be used");
    else if (!hasProc())
        tell("proc", "Processes", "fail", procMissing, procRemedy);
    else
        tell("proc", "Processes", "fail",
            "/proc is mounted, but what trials need of it (/proc/PID/stat, /proc/sys/kernel/random/boot_id) cannot be "
            "read.",
            "Let this account read it: a container must not hide /proc/sys, and hidepid must not hide its own "
            "processes.");
    const std::time_t now = ::time(nullptr);
    const bool clockGood = now > 1700000000; // November 2023: a clock that was never set stands before
    if (!clockGood)
        tell("clock", "Date", "warn", formatted("%.0f s since 1970", double(now)), "Set the clock (NTP).");
    const Fd watch(::inotify_init1(IN_CLOEXEC));
    const bool watches = watch && ::inotify_add_watch(watch.get(), "/", IN_CREATE) >= 0;
    if (!watches)
        tell("inotify", "Watching files", "warn",
            "No file can be watched (" + errorText(errno) + "); metrics arrive up to a second late.",
            "Raise fs.inotify.max_user_watches and max_user_instances.");
    const auto [total, available] = memoryOfMachine();
    if (total > 0)
        tell("memory", "Memory", double(available) < 256 * mebibyte ? "warn" : "ok",
            formatted(
                "%.1f GiB, %.1f GiB available", double(total) / mebibyte / 1024, double(available) / mebibyte / 1024));
}

} // namespace

int examineMachine(const char* base)
{
    if (examineFolder(base)) {
        examineDisk(base);
        examineSharing(base);
    }
    examinePrograms();
    examineGpu();
    examineLogout();
    examineMounts();
    examineSystem();
    return 0;
}

} // namespace trialkeeper
