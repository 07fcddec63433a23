// SPDX-License-Identifier: GPL-3.0-or-later
// The few system calls that this folder needs, with names as bytes: a file name need not be text.
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QString>

#include <sys/stat.h>
#include <utility>

namespace package {

using namespace core;

/// Owns a file descriptor.
class FileHandle
{
public:
    FileHandle() = default;
    explicit FileHandle(int fd)
        : m_fd(fd)
    {
    }
    FileHandle(FileHandle&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
    {
    }
    FileHandle& operator=(FileHandle&& other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~FileHandle();

    [[nodiscard]] int fd() const { return m_fd; }
    [[nodiscard]] bool isOpen() const { return m_fd >= 0; }

private:
    int m_fd = -1;
};

/// A name for a sentence: bytes that are no text, and line breaks, are shown as \xNN.
[[nodiscard]] QString displayPath(QByteArrayView path);

/// A failed system call as a sentence: "Cannot read FILE: permission denied." The kind follows from the number.
[[nodiscard]] tl::unexpected<Error> systemFailure(const Message& doing, QByteArrayView path, int number);

/// `folder` and `name` with one slash between them; `name` alone where the folder is empty.
[[nodiscard]] QByteArray joined(QByteArrayView folder, QByteArrayView name);
/// What stands before the last slash; empty without one.
[[nodiscard]] QByteArray parentOf(const QByteArray& path);

/// Opens a regular file to read, never through a link in its last component, and never waits for a pipe.
[[nodiscard]] Result<FileHandle> openRegular(const QByteArray& path, struct stat& status);

/// All of `size` bytes, also when the system takes them in pieces. False with errno set.
[[nodiscard]] bool writeAll(int fd, const char* data, size_t size);

/// Begins to write a file's content to the disk, without waiting.
void beginFlush(int fd);
/// Waits until the file system that `folder` is on has written everything. After a loss of power a name without its
/// content must not be found, so this comes before the name is given. One call for all files: a flush of each takes ten
/// times as long, though this one also waits for what others wrote there.
[[nodiscard]] Result<> flush(const QByteArray& folder);

/// Where a symbolic link leads.
struct LinkEnd
{
    bool inside = false; ///< it ends in the root
    bool direct = false; ///< it gets there without an absolute path and without leaving the root on its way
    bool exists = false; ///< something is there
    QByteArray path;     ///< where it ends, from the root; empty for the root itself; only when inside
};

/// Follows the link `path` (from the root) through all links on its way, without opening anything. `root` is canonical.
/// Kind::invalid for links that lead in a circle.
[[nodiscard]] Result<LinkEnd> followLink(const QByteArray& root, const QByteArray& path);

/// Whether a folder with something in it has this name.
[[nodiscard]] bool isFilledFolder(const QByteArray& path);

/// A folder beside `target`, removed again with all it holds unless it was given the target's name.
class PartialFolder
{
public:
    PartialFolder() = default;
    PartialFolder(PartialFolder&& other) noexcept
        : m_path(std::exchange(other.m_path, {}))
    {
    }
    ~PartialFolder();

    /// Makes it, and the folders above. Its name ends in `.partial-` and six letters.
    [[nodiscard]] static Result<PartialFolder> beside(const QByteArray& target);
    [[nodiscard]] const QByteArray& path() const { return m_path; }
    /// Gives it the name, at once and whole. Where a folder with content has that name already, that one stays and this
    /// is removed.
    [[nodiscard]] Result<> publish(const QByteArray& target);

private:
    QByteArray m_path;
};

} // namespace package
