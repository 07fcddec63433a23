// SPDX-License-Identifier: GPL-3.0-or-later
#include "posix_file.h"

#include <QFile>

#include <cerrno>
#include <cstdlib>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace package {

FileHandle::~FileHandle()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

QString displayPath(QByteArrayView path)
{
    QString text = QString::fromUtf8(path);
    if (text.toUtf8() == path
        && std::none_of(path.begin(), path.end(), [](char c) { return quint8(c) < 32 || c == 127; }))
        return text;
    QString shown;
    for (const char c : path) {
        if (quint8(c) >= 32 && quint8(c) < 127)
            shown += QLatin1Char(c);
        else
            shown += u"\\x%1"_s.arg(uint(quint8(c)), 2, 16, QLatin1Char('0'));
    }
    return shown;
}

static Kind kindOf(int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return Kind::not_found;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
        return Kind::resource;
    case EACCES:
    case EPERM:
    case ELOOP:
    case ENAMETOOLONG:
    case EROFS:
        return Kind::invalid;
    default:
        return Kind::internal;
    }
}

tl::unexpected<Error> systemFailure(const Message& doing, QByteArrayView path, int number)
{
    const QString why = qt_error_string(number);
    return fail(
        kindOf(number), u"Cannot %1 %2: %3."_m.arg(doing, displayPath(path), why.left(1).toLower() + why.mid(1)));
}

QByteArray joined(QByteArrayView folder, QByteArrayView name)
{
    QByteArray path = folder.toByteArray();
    if (!path.isEmpty() && !path.endsWith('/'))
        path += '/';
    return path.append(name);
}

QByteArray parentOf(const QByteArray& path)
{
    return path.left(std::max<qsizetype>(path.lastIndexOf('/'), 0));
}

Result<FileHandle> openRegular(const QByteArray& path, struct stat& status)
{
    FileHandle file(::open(path.constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file.isOpen() || ::fstat(file.fd(), &status) != 0)
        return systemFailure(u"read"_s, path, errno);
    if (!S_ISREG(status.st_mode))
        return fail(Kind::conflict, u"%1 was a file and is none any more; try again."_m.arg(displayPath(path)));
    return file;
}

bool writeAll(int fd, const char* data, size_t size)
{
    while (size > 0) {
        const ssize_t written = ::write(fd, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        data += written;
        size -= size_t(written);
    }
    return true;
}

void beginFlush(int fd)
{
    ::sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE); // a hint: flush() reports what goes wrong
}

Result<> flush(const QByteArray& folder)
{
    const FileHandle file(::open(folder.constData(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
    if (!file.isOpen() || ::syncfs(file.fd()) != 0)
        return systemFailure(u"write"_s, folder, errno);
    return {};
}

static bool isWithin(const QByteArray& root, const QByteArray& path)
{
    return path == root || root == "/" || (path.startsWith(root) && path[root.size()] == '/');
}

Result<LinkEnd> followLink(const QByteArray& root, const QByteArray& path)
{
    LinkEnd end;
    end.direct = true;
    end.exists = true;
    QByteArray current = root; // canonical, "/" only for the root of the file system
    std::deque<QByteArray> ahead;
    const QByteArrayList components = path.split('/');
    ahead.insert(ahead.end(), components.begin(), components.end());
    for (int links = 0; !ahead.empty();) {
        const QByteArray name = ahead.front();
        ahead.pop_front();
        if (name.isEmpty() || name == ".")
            continue;
        if (name == "..") {
            current = current.left(std::max<qsizetype>(current.lastIndexOf('/'), 0));
            if (current.isEmpty())
                current = "/";
            end.direct = end.direct && isWithin(root, current);
            continue;
        }
        const QByteArray next = joined(current, name);
        struct stat status
        {
        };
        if (::lstat(next.constData(), &status) != 0) {
            end.exists = false;
            current = next;
            continue;
        }
        if (!S_ISLNK(status.st_mode)) {
            current = next;
            continue;
        }
        if (++links > 40)
            return fail(Kind::invalid, u"The link %1 leads in a circle."_m.arg(displayPath(path)));
        QByteArray target(4096, '\0');
        const ssize_t length = ::readlink(next.constData(), target.data(), size_t(target.size()));
        if (length < 0)
            return systemFailure(u"read the link"_m, next, errno);
        target.truncate(length);
        if (target.startsWith('/')) {
            end.direct = false;
            current = "/";
        }
        const QByteArrayList parts = target.split('/');
        ahead.insert(ahead.begin(), parts.begin(), parts.end());
    }
    end.inside = isWithin(root, current);
    if (end.inside)
        end.path = current.mid(root == "/" ? 1 : root.size() + 1);
    return end;
}

bool isFilledFolder(const QByteArray& path)
{
    std::error_code error;
    const auto first = std::filesystem::directory_iterator(std::filesystem::path(path.toStdString()), error);
    return !error && first != std::filesystem::directory_iterator();
}

PartialFolder::~PartialFolder()
{
    if (m_path.isEmpty())
        return;
    std::error_code ignored; // what cannot be removed stays under a name that nothing looks for
    std::filesystem::remove_all(std::filesystem::path(m_path.toStdString()), ignored);
}

Result<PartialFolder> PartialFolder::beside(const QByteArray& target)
{
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(parentOf(target).toStdString()), error);
    if (error)
        return systemFailure(u"make the folder"_m, parentOf(target), error.value());
    PartialFolder folder;
    QByteArray name = target + ".partial-XXXXXX";
    if (!::mkdtemp(name.data()))
        return systemFailure(u"make a folder in"_m, parentOf(target), errno);
    folder.m_path = name;
    return folder;
}

Result<> PartialFolder::publish(const QByteArray& target)
{
    ::chmod(m_path.constData(), 0755);
    if (::rename(m_path.constData(), target.constData()) == 0) {
        m_path.clear();
        return {};
    }
    if (errno == EEXIST || errno == ENOTEMPTY)
        return {};
    return systemFailure(u"give its name to"_m, target, errno);
}

} // namespace package
