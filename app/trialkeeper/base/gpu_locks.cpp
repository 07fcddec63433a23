// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_locks.h"

#include "own_folders.h"
#include "users.h"

#include "services/wire/names.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr const char* remedy = ", or set TRIALDECK_GPU_LOCKS=off where the agent starts: then no locks are used.";
constexpr int attempts = 20; ///< a millisecond apart
constexpr int removals = 20; ///< that may come between one attempt and its lock

const char* kindOf(mode_t mode)
{
    return S_ISLNK(mode) ? "a symbolic link"
        : S_ISDIR(mode)  ? "a folder"
        : S_ISFIFO(mode) ? "a pipe"
        : S_ISREG(mode)  ? "a file"
                         : "a device or a socket";
}

/// Opens the folder, made if it is missing. None with an empty `message`: there is no folder and it cannot be made.
Fd openLocks(const char* folder, std::string& message)
{
    Fd at;
    for (int attempt = 0; !at && attempt < removals; ++attempt) {
        const mode_t mask = ::umask(0); // no instant in which others cannot use it
        const bool made = ::mkdir(folder, 01777) == 0 || errno == EEXIST;
        ::umask(mask);
        at = Fd(::open(folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!made || errno != ENOENT) // of open(): removed in between
            break;
    }
    struct stat info
    {
    };
    if ((at ? ::fstat(at.get(), &info) : ::lstat(folder, &info)) != 0)
        return {};
    if (at && (info.st_mode & S_ISVTX) != 0)
        return at;
    message = std::string(folder) + " is "
        + (at ? "not sticky (" + modeText(info.st_mode)
                    + "), so anybody could exchange the locks of GPUs there. Have its mode set (chmod 1777)"
              : std::string(kindOf(info.st_mode)) + " of " + userText(info.st_uid)
                    + ", and not the folder for the locks of GPUs. Have it removed")
        + remedy;
    return {};
}

/// The user whose process holds the lock of a file: the file itself may be older. Its owner where that cannot be seen.
uid_t holderOf(const struct stat& file)
{
    char id[64];
    std::snprintf(id, sizeof id, " %02x:%02x:%llu ", major(file.st_dev), minor(file.st_dev),
        static_cast<unsigned long long>(file.st_ino));
    std::string text;
    (void)readFileAt(AT_FDCWD, "/proc/locks", text, 16 << 20);
    // 7: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF
    for (std::size_t at = text.find(id); at != std::string::npos; at = text.find(id, at + 1)) {
        const std::size_t begin = text.rfind(' ', at - 1) + 1;
        const std::size_t line = text.rfind('\n', at) + 1;
        pid_t pid = 0;
        std::from_chars(text.data() + begin, text.data() + at, pid);
        struct stat process
        {
        };
        if (std::string_view(text).substr(line, at - line).find(": FLOCK ") != std::string_view::npos && pid > 0
            && pid != ::getpid() && ::stat(("/proc/" + std::to_string(pid)).c_str(), &process) == 0)
            return process.st_uid;
    }
    return file.st_uid;
}

enum class Locked { yes, no, byOther };

/// Takes the lock for a service. Whoever is alone writes its id and lets others of the same service in; two tries meet only for the
/// instant of that write. Where the id cannot be written the GPU is not shared.
Locked lockFor(int file, bool writable, std::string_view serviceId)
{
    for (int attempt = 0; attempt < attempts; ++attempt) {
        if (::flock(file, LOCK_EX | LOCK_NB) == 0) {
            if (!writable || ::ftruncate(file, 0) != 0
                || ::pwrite(file, serviceId.data(), serviceId.size(), 0) != ssize_t(serviceId.size()))
                return Locked::yes;
        } else if (errno != EWOULDBLOCK && errno != EINTR) {
            return Locked::no;
        }
        if (::flock(file, LOCK_SH | LOCK_NB) == 0) {
            char holder[128];
            const ssize_t got = ::pread(file, holder, sizeof holder, 0);
            return got >= 0 && std::string_view(holder, std::size_t(got)) == serviceId ? Locked::yes : Locked::byOther;
        }
        const timespec pause{0, 1000000};
        ::nanosleep(&pause, nullptr);
    }
    return Locked::byOther;
}

/// Whether removeUnusedGpuLocks() took it away while it was open here.
bool wasRemoved(int file)
{
    struct stat info
    {
    };
    return ::fstat(file, &info) == 0 && info.st_nlink == 0;
}

/// One GPU's lock; an empty one, with an empty `message`, where none can be made; nothing if the file or its folder was removed
/// meanwhile, as a lock on a removed file excludes nobody. `gpu` and `path` are for sentences.
std::optional<Fd> takeOne(int at, const std::string& name, const std::string& gpu, const std::string& path,
    std::string_view serviceId, std::string& message)
{
    constexpr int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    struct stat info
    {
    };
    // A pipe or a device is not even opened.
    const bool there = ::fstatat(at, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
    bool writable = true;
    Fd file;
    if (!there) {
        file = Fd(::openat(at, name.c_str(), O_RDWR | O_CREAT | O_EXCL | flags, 0666));
        if (file)
            ::fchmod(file.get(), 0666);
        else if (errno == ENOENT)
            return {};
    }
    if (!file && (!there || S_ISREG(info.st_mode))) {
        // Without O_CREAT: in a sticky folder that fails for an existing file of another user.
        file = Fd(::openat(at, name.c_str(), O_RDWR | flags));
        if (!file) {
            writable = false;
            file = Fd(::openat(at, name.c_str(), O_RDONLY | flags));
        }
        if (!file && errno == ENOENT)
            return {};
        if (!file && !there)
            return Fd();
        if (!file) {
            message = gpu + " counts as locked by " + userText(info.st_uid) + ", as " + path
                + " cannot be opened: " + errorText(errno) + ". Have it removed" + remedy;
            return Fd();
        }
    }
    if (file && wasRemoved(file.get()))
        return {};
    if (file && ::fstat(file.get(), &info) != 0)
        return Fd();
    if (!file || !S_ISREG(info.st_mode) || info.st_nlink != 1) {
        message = gpu + " cannot be locked: " + path + " of " + userText(info.st_uid)
            + (S_ISREG(info.st_mode) ? std::string(" has a second name (hard link)")
                                     : std::string(" is ") + kindOf(info.st_mode))
            + ". Have it removed" + remedy;
        return Fd();
    }
    switch (lockFor(file.get(), writable, serviceId)) {
    case Locked::yes:
        if (wasRemoved(file.get()))
            return {};
        return file;
    case Locked::no:
        return Fd();
    case Locked::byOther:
        break;
    }
    message = gpu + " is locked by " + userText(holderOf(info))
        + ", for another Trialdeck service on this machine. Wait for its trials" + remedy;
    return Fd();
}

} // namespace

bool GpuLocks::take(const std::vector<std::string_view>& uuids, std::string_view visible, std::string_view serviceId,
    std::string& message, const char* folder)
{
    const char* wish = std::getenv("TRIALDECK_GPU_LOCKS");
    if (uuids.empty() || (wish && std::strcmp(wish, "off") == 0))
        return true;
    Fd at = openLocks(folder, message);
    for (std::size_t i = 0; at && message.empty() && i < uuids.size(); ++i) {
        const std::string_view shown = visible.substr(0, visible.find(','));
        visible.remove_prefix(std::min(visible.size(), shown.size() + 1));
        if (!isSafeId(uuids[i]))
            continue;
        const std::string name(uuids[i]);
        const std::string gpu =
            shown.empty() || shown == name ? "GPU " + name : "GPU " + std::string(shown) + " (" + name + ')';
        std::optional<Fd> file;
        for (int attempt = 0; !file && attempt < removals; ++attempt) {
            if (wasRemoved(at.get()) && !(at = openLocks(folder, message)))
                break;
            file = takeOne(at.get(), name, gpu, std::string(folder) + '/' + name, serviceId, message);
        }
        if (!file && at && message.empty())
            message = gpu + " cannot be locked: its lock is being removed again and again" + remedy;
        if (file && *file)
            m_files.push_back(std::move(*file));
        if (!message.empty())
            m_refused = i;
    }
    if (!message.empty())
        m_files.clear();
    return message.empty();
}

void removeUnusedGpuLocks(std::string_view serviceId, const char* folder)
{
    {
        const Fd at(::open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!at)
            return;
        (void)forEachEntry(at.get(), [&](const char* name, unsigned char) {
            struct stat info
            {
            };
            if (::fstatat(at.get(), name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode)
                || info.st_uid != ::geteuid() || info.st_nlink != 1)
                return true;
            const Fd file(::openat(at.get(), name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
            char holder[128];
            if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 || wasRemoved(file.get()))
                return true;
            const ssize_t got = ::pread(file.get(), holder, sizeof holder, 0);
            if (got >= 0 && std::string_view(holder, std::size_t(got)) == serviceId)
                ::unlinkat(at.get(), name, 0);
            return true;
        });
    }
    ::rmdir(folder);
}

} // namespace trialkeeper
