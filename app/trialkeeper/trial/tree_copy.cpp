// SPDX-License-Identifier: GPL-3.0-or-later
#include "tree_copy.h"

#include "app/trialkeeper/base/io.h"
#include "services/wire/names.h"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef FICLONE
#define FICLONE _IOW(0x94, 9, int)
#endif

namespace trialkeeper {

namespace {

constexpr int maxDepth = 128;
constexpr std::uint64_t maxEntries = 200000;

class TreeCopy
{
public:
    TreeCopy(std::string& message)
        : m_message(message)
    {
    }

    bool measure(int source, int depth)
    {
        const bool whole = forEachEntry(source, [&](const char* name, unsigned char) {
            struct stat info
            {
            };
            if (++m_entries > maxEntries || depth > maxDepth)
                return fail("The code folder has too many files.", EFBIG);
            if (::fstatat(source, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
                return fail("The code folder cannot be read.", errno);
            if (S_ISREG(info.st_mode))
                m_bytes += std::uint64_t(info.st_size);
            if (!S_ISDIR(info.st_mode))
                return true;
            const Fd below = openFolder(source, name);
            return below ? measure(below.get(), depth + 1) : fail("The code folder cannot be read.", errno);
        });
        return whole || fail("The code folder cannot be read.", errno);
    }

    bool copy(int source, int target, const std::string& path, int depth)
    {
        if (depth > maxDepth)
            return fail("The code folder is too deep.", ELOOP);
        const bool whole = forEachEntry(source, [&](const char* name, unsigned char type) {
            struct stat info
            {
            };
            if (type == DT_UNKNOWN || type == DT_REG) {
                if (::fstatat(source, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
                    return fail("The code folder cannot be read.", errno);
                type = S_ISREG(info.st_mode) ? DT_REG
                    : S_ISDIR(info.st_mode)  ? DT_DIR
                    : S_ISLNK(info.st_mode)  ? DT_LNK
                                             : DT_UNKNOWN;
            }
            if (type == DT_DIR) {
                const Fd from = openFolder(source, name);
                if (!from || ::mkdirat(target, name, 0700) != 0)
                    return fail("The code could not be copied.", errno);
                const Fd to = openFolder(target, name);
                return to ? copy(from.get(), to.get(), path + name + '/', depth + 1)
                          : fail("The code could not be copied.", errno);
            }
            if (type == DT_LNK) {
                char text[4096];
                const ssize_t size = ::readlinkat(source, name, text, sizeof text - 1);
                if (size < 0)
                    return fail("The code folder cannot be read.", errno);
                text[size] = 0;
                if (!linkStaysInside(path + name, text))
                    return fail("The code folder holds a link that leads outside: " + path + name, EXDEV);
                return ::symlinkat(text, target, name) == 0 || fail("The code could not be copied.", errno);
            }
            if (type != DT_REG)
                return fail(
                    "The code folder holds something that is neither a file, a folder nor a link: " + path + name,
                    EINVAL);
            return copyFile(source, target, name, info);
        });
        return whole || fail("The code folder cannot be read.", errno);
    }

private:
    bool fail(std::string message, int error)
    {
        if (m_message.empty()) {
            m_message = std::move(message);
            m_error = error;
        }
        errno = m_error;
        return false;
    }

    bool copyFile(int source, int target, const char* name, const struct stat& info)
    {
        const Fd from(::openat(source, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
        if (!from)
            return fail("The code folder cannot be read.", errno);
        if (m_mayLink && !m_mayClone) {
            if (info.st_mode & 0222)
                ::fchmod(from.get(), info.st_mode & 07555);
            if (::linkat(source, name, target, name, 0) == 0)
                return true;
            m_mayLink = errno != EXDEV && errno != EPERM && errno != EMLINK;
        }
        const mode_t mode = 0600 | (info.st_mode & 0100);
        Fd to(::openat(target, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
        if (!to)
            return fail("The code could not be copied.", errno);
        if (m_mayClone && info.st_size > 0) {
            if (::ioctl(to.get(), FICLONE, from.get()) == 0)
                return true;
            // The file system, not this file, cannot: ask no more, and link the rest if it is large.
            m_mayClone = false;
            if (m_mayLink && ::unlinkat(target, name, 0) == 0)
                return copyFile(source, target, name, info);
        }
        bool mayUseKernel = true;
        for (std::int64_t left = info.st_size; left > 0;) {
            if (mayUseKernel) {
                const ssize_t copied = ::copy_file_range(from.get(), nullptr, to.get(), nullptr, std::size_t(left), 0);
                if (copied > 0) {
                    left -= copied;
                    continue;
                }
                if (copied < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EIO))
                    return fail("The code could not be copied.", errno);
                mayUseKernel = false;
            }
            char buffer[32768];
            const ssize_t got = ::read(from.get(), buffer, sizeof buffer);
            if (got < 0 || !writeAll(to.get(), {buffer, std::size_t(got)}))
                return fail("The code could not be copied.", errno);
            if (got == 0)
                break;
            left -= got;
        }
        return true;
    }

    std::string& m_message;
    int m_error = 0;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_entries = 0;
    bool m_mayClone = true;
    bool m_mayLink = false;

public:
    void decide() { m_mayLink = m_bytes > maxCopiedBytes; }
};

} // namespace

bool copyTree(int source, int target, std::string& message)
{
    message.clear();
    TreeCopy job(message);
    if (!job.measure(source, 0))
        return false;
    job.decide();
    ::lseek(source, 0, SEEK_SET);
    return job.copy(source, target, {}, 0);
}

} // namespace trialkeeper
