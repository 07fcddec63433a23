// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>

namespace trialkeeper {

// Small wrappers of system calls. They retry on EINTR; a failure leaves errno.

/// Owns a file descriptor.
class Fd
{
public:
    Fd() = default;
    explicit Fd(int fd)
        : m_fd(fd)
    {
    }
    Fd(Fd&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
    {
    }
    Fd& operator=(Fd&& other) noexcept;
    ~Fd() { reset(); }
    void reset();
    [[nodiscard]] int release() { return std::exchange(m_fd, -1); }
    [[nodiscard]] int get() const { return m_fd; }
    explicit operator bool() const { return m_fd >= 0; }

private:
    int m_fd = -1;
};

[[nodiscard]] std::int64_t nowMs();    ///< wall clock, milliseconds since the epoch
[[nodiscard]] std::int64_t steadyMs(); ///< monotonic clock

[[nodiscard]] bool writeAll(int fd, std::string_view bytes);
/// The whole of a small regular file; false if it cannot be read or is larger than `limit`.
[[nodiscard]] bool readFileAt(int folder, const char* name, std::string& out, std::size_t limit = 1 << 20);
/// Creates or cuts `name` (mode 0600) and writes it. A link of that name is not followed.
[[nodiscard]] bool writeFileAt(int folder, const char* name, std::string_view bytes);
/// Writes a temporary name beside and renames it, so that a reader sees all of it or nothing.
[[nodiscard]] bool replaceFileAt(int folder, const char* name, std::string_view bytes);

/// Distinguishes a file from one created later under the same name. A file system may reuse the inode of a deleted file at once, so
/// its generation and its birth time (with the granularity of the kernel's tick) count, too; 0 where it has none.
struct FileIdentity
{
    std::uint64_t inode = 0; ///< 0: none
    long generation = 0;
    std::int64_t birthNs = 0;

    bool operator==(const FileIdentity&) const = default;
};

struct FileState
{
    FileIdentity identity;
    std::uint64_t size = 0; ///< bytes
    bool isRegular = false;
};
[[nodiscard]] std::optional<FileState> fileState(int fd);

[[nodiscard]] Fd openFolder(int at, const char* path); ///< never through a link in the last component
/// Every descriptor from `first` on ends with the next exec. Only system calls, so that a child may call it after vfork.
void closeOnExecFrom(int first);
[[nodiscard]] bool existsAt(int folder, const char* name);
/// mkdir, mode 0700; an existing folder is fine.
[[nodiscard]] bool makeFolder(int at, const char* path);
/// Opens a file below `folder` by a safe relative path: no component may lead outside (openat2 where the kernel has
/// it, else no link at all is followed).
[[nodiscard]] Fd openBeneath(int folder, const std::string& path, int flags);
/// Deletes `name` and everything below it, never following a link, also folders without write permission. errno of
/// the first failure.
[[nodiscard]] bool removeTree(int at, const char* name);

/// A sentence for errno, for example "No space left on device".
[[nodiscard]] std::string errorText(int error);
/// The error kind (protocol.h) that errno belongs to.
[[nodiscard]] const char* errorKind(int error);

/// Calls `visit(name, type)` for each entry of a folder but "." and "..", in the folder's order, with the type of
/// d_type. Allocates nothing. Stops when visit returns false; true if all was read.
template <typename Visit>
[[nodiscard]] bool forEachEntry(int folder, Visit visit);

namespace detail {
/// Entries of getdents64() that were not visited yet.
struct DirectoryBuffer
{
    alignas(8) char bytes[8192];
    long size = 0;
    long at = 0;
};
[[nodiscard]] bool nextEntry(int folder, DirectoryBuffer& buffer, const char*& name, unsigned char& type, bool& ended);
} // namespace detail

template <typename Visit>
bool forEachEntry(int folder, Visit visit)
{
    detail::DirectoryBuffer buffer;
    const char* name = nullptr;
    unsigned char type = 0;
    bool ended = false;
    while (detail::nextEntry(folder, buffer, name, type, ended)) {
        if (!visit(name, type))
            return false;
    }
    return ended;
}

/// A file without a name (memfd, or an unlinked one in `folder`) with these bytes, to hand to a child.
[[nodiscard]] Fd anonymousFile(std::string_view bytes, const std::string& folder);

} // namespace trialkeeper
