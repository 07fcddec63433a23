// SPDX-License-Identifier: GPL-3.0-or-later
#include "io.h"

#include "services/wire/names.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

namespace trialkeeper {

Fd& Fd::operator=(Fd&& other) noexcept
{
    if (this != &other) {
        reset();
        m_fd = std::exchange(other.m_fd, -1);
    }
    return *this;
}

void Fd::reset()
{
    if (m_fd >= 0)
        ::close(std::exchange(m_fd, -1));
}

static std::int64_t clockMs(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return std::int64_t(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

std::int64_t nowMs()
{
    return clockMs(CLOCK_REALTIME);
}

std::int64_t steadyMs()
{
    return clockMs(CLOCK_MONOTONIC);
}

bool writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR)
                continue;
            return false;
        }
        bytes.remove_prefix(std::size_t(written));
    }
    return true;
}

bool readFileAt(int folder, const char* name, std::string& out, std::size_t limit)
{
    out.clear();
    const Fd file(::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file)
        return false;
    char buffer[4096];
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0)
            return true;
        if (out.size() + std::size_t(got) > limit) {
            errno = EFBIG;
            return false;
        }
        out.append(buffer, std::size_t(got));
    }
}

bool writeFileAt(int folder, const char* name, std::string_view bytes)
{
    const Fd file(::openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    return file && writeAll(file.get(), bytes);
}

bool replaceFileAt(int folder, const char* name, std::string_view bytes)
{
    char temporary[300];
    if (std::snprintf(temporary, sizeof temporary, "%s.tmp%d", name, int(::getpid())) >= int(sizeof temporary)) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (writeFileAt(folder, temporary, bytes) && ::renameat(folder, temporary, folder, name) == 0)
        return true;
    const int error = errno;
    ::unlinkat(folder, temporary, 0);
    errno = error;
    return false;
}

std::optional<FileState> fileState(int fd)
{
    struct statx info
    {
    };
    if (::statx(fd, "", AT_EMPTY_PATH, STATX_TYPE | STATX_SIZE | STATX_INO | STATX_BTIME, &info) != 0)
        return std::nullopt;
    const bool hasTime = (info.stx_mask & STATX_BTIME) != 0;
    const bool isRegular = S_ISREG(info.stx_mode);
    long generation = 0; // file systems write an int; the request is declared with a long
    if (!isRegular || ::ioctl(fd, FS_IOC_GETVERSION, &generation) != 0)
        generation = 0;
    return FileState{.identity = {info.stx_ino, generation,
                         hasTime ? std::int64_t(info.stx_btime.tv_sec) * 1'000'000'000 + info.stx_btime.tv_nsec : 0},
        .size = info.stx_size,
        .isRegular = isRegular};
}

Fd openFolder(int at, const char* path)
{
    return Fd(::openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
}

void closeOnExecFrom(int first)
{
    if (::syscall(SYS_close_range, first, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */) == 0)
        return;
    // A kernel before 5.11. Marked and not closed: the folder that is read here is among them.
    const Fd folder = openFolder(AT_FDCWD, "/proc/self/fd");
    (void)forEachEntry(folder.get(), [first](const char* name, unsigned char) {
        if (const int fd = std::atoi(name); fd >= first)
            ::fcntl(fd, F_SETFD, FD_CLOEXEC);
        return true;
    });
}

bool existsAt(int folder, const char* name)
{
    struct stat info
    {
    };
    return ::fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

bool makeFolder(int at, const char* path)
{
    if (::mkdirat(at, path, 0700) == 0)
        return true;
    struct stat info
    {
    };
    if (errno != EEXIST || ::fstatat(at, path, &info, 0) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(info.st_mode);
}

Fd openBeneath(int folder, const std::string& path, int flags)
{
    if (!isSafeRelativePath(path)) {
        errno = EXDEV;
        return {};
    }
    // struct open_how of <linux/openat2.h>, which older headers lack: RESOLVE_BENEATH 0x08, RESOLVE_NO_MAGICLINKS 0x02.
    struct
    {
        std::uint64_t flags, mode, resolve;
    } how{std::uint64_t(flags) | O_CLOEXEC, 0, 0x08 | 0x02};
    const long fd = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
    if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
        return Fd(int(fd));
    Fd at(::fcntl(folder, F_DUPFD_CLOEXEC, 0));
    for (std::size_t begin = 0; at;) {
        const std::size_t slash = path.find('/', begin);
        if (slash == std::string::npos)
            return Fd(::openat(at.get(), path.c_str() + begin, flags | O_CLOEXEC | O_NOFOLLOW));
        if (slash > begin)
            at = openFolder(at.get(), path.substr(begin, slash - begin).c_str());
        begin = slash + 1;
    }
    return {};
}

namespace {

// Deep trees are removed without recursion deeper than this on the stack: a folder holds 8 KiB of buffer there.
constexpr int maxDepth = 256;

bool removeBelow(int at, const char* name, int depth)
{
    if (::unlinkat(at, name, 0) == 0 || errno == ENOENT)
        return true;
    if (errno != EISDIR && errno != EPERM && errno != EACCES)
        return false;
    if (::unlinkat(at, name, AT_REMOVEDIR) == 0)
        return true;
    if (errno != ENOTEMPTY && errno != EEXIST)
        return false;
    Fd folder = openFolder(at, name);
    if (!folder && errno == EACCES) {
        // A folder that its owner may not list or change: give the permission back, then go on.
        if (::fchmodat(at, name, 0700, 0) != 0)
            return false;
        folder = openFolder(at, name);
    }
    if (!folder)
        return false;
    struct stat info
    {
    };
    if (::fstat(folder.get(), &info) == 0 && (info.st_mode & 0700) != 0700)
        ::fchmod(folder.get(), 0700);
    if (depth >= maxDepth) {
        errno = ELOOP;
        return false;
    }
    int firstError = 0;
    // Some file systems skip entries when a folder changes while it is read: read it again until a pass finds nothing.
    for (bool found = true; found && firstError == 0;) {
        found = false;
        ::lseek(folder.get(), 0, SEEK_SET);
        const bool read = forEachEntry(folder.get(), [&](const char* entry, unsigned char) {
            found = true;
            if (!removeBelow(folder.get(), entry, depth + 1) && firstError == 0)
                firstError = errno;
            return true;
        });
        if (!read && firstError == 0)
            firstError = errno;
    }
    if (firstError == 0 && ::unlinkat(at, name, AT_REMOVEDIR) == 0)
        return true;
    if (firstError != 0)
        errno = firstError;
    return false;
}

} // namespace

bool removeTree(int at, const char* name)
{
    return removeBelow(at, name, 0);
}

std::string errorText(int error)
{
    const std::string text = std::strerror(error);
    return error == EMFILE ? text + " (the account's limit, ulimit -n)" : text;
}

const char* errorKind(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
        return "resource";
    case ENOENT:
        return "not_found";
    case EINVAL:
    case ENAMETOOLONG:
    case E2BIG:
    case EXDEV:
    case ELOOP:
    case ENOTDIR:
    case EISDIR:
        return "invalid";
    case EBUSY:
    case EEXIST:
        return "conflict";
    default:
        return "platform";
    }
}

namespace detail {

bool nextEntry(int folder, DirectoryBuffer& buffer, const char*& name, unsigned char& type, bool& ended)
{
    struct Entry
    { // linux_dirent64
        std::uint64_t inode;
        std::int64_t offset;
        unsigned short length;
        unsigned char type;
        char name[1];
    };
    ended = false;
    for (;;) {
        if (buffer.at >= buffer.size) {
            buffer.size = ::syscall(SYS_getdents64, folder, buffer.bytes, sizeof buffer.bytes);
            buffer.at = 0;
            ended = buffer.size == 0;
            if (buffer.size <= 0)
                return false;
        }
        const auto* entry = reinterpret_cast<const Entry*>(buffer.bytes + buffer.at);
        buffer.at += entry->length;
        name = reinterpret_cast<const char*>(entry) + offsetof(Entry, name);
        type = entry->type;
        if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0)
            return true;
    }
}

} // namespace detail

Fd anonymousFile(std::string_view bytes, const std::string& folder)
{
    Fd file(int(::syscall(SYS_memfd_create, "launch", 1U /* MFD_CLOEXEC */)));
    if (!file) {
        std::string name = folder + "/.launch-XXXXXX";
        file = Fd(::mkostemp(name.data(), O_CLOEXEC));
        if (file)
            ::unlink(name.c_str());
    }
    if (file && !writeAll(file.get(), bytes))
        file.reset();
    return file;
}

} // namespace trialkeeper
