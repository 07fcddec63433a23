// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive.h"

#include "posix_file.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace package {

namespace {

tl::unexpected<Error> copyingCancelled()
{
    return fail(Kind::cancelled, u"Copying the code was cancelled."_m);
}

/// Through the kernel, and by hand where it cannot do that between these two file systems.
Result<> copyBytes(int from, int to, const QByteArray& source, const QByteArray& target, const std::stop_token& stop)
{
    constexpr size_t pieceBytes = 16 * 1024 * 1024;
    bool byKernel = true;
    QByteArray buffer;
    for (bool first = true;; first = false) {
        if (stop.stop_requested())
            return copyingCancelled();
        if (byKernel) {
            const ssize_t n = ::copy_file_range(from, nullptr, to, nullptr, pieceBytes, 0);
            if (n > 0)
                continue;
            // Some file systems say 0 for files that do have content; reading them finds out.
            if (n == 0 && !first)
                return {};
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EIO))
                return systemFailure(u"write"_s, target, errno);
            byKernel = false;
            buffer.resize(256 * 1024);
        }
        const ssize_t n = ::read(from, buffer.data(), size_t(buffer.size()));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return systemFailure(u"read"_s, source, errno);
        if (n == 0)
            return {};
        if (!writeAll(to, buffer.constData(), size_t(n)))
            return systemFailure(u"write"_s, target, errno);
    }
}

Result<> copyFile(
    const QByteArray& source, const QByteArray& target, const FileEntry& entry, const std::stop_token& stop)
{
    struct stat status
    {
    };
    auto from = openRegular(source, status);
    if (!from)
        return fail(from);
    const FileHandle to(::open(target.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!to.isOpen())
        return systemFailure(u"write"_s, target, errno);
    if (::ioctl(to.fd(), FICLONE, from->fd()) != 0) {
        if (auto copied = copyBytes(from->fd(), to.fd(), source, target, stop); !copied)
            return copied;
    }
    const timespec time{time_t(entry.mtimeNs / 1'000'000'000), long(entry.mtimeNs % 1'000'000'000)};
    const timespec times[2] = {time, time};
    if (::fchmod(to.fd(), entry.executable ? 0755 : 0644) != 0 || ::futimens(to.fd(), times) != 0)
        return systemFailure(u"write"_s, target, errno);
    beginFlush(to.fd());
    return {};
}

Result<> copyTree(const FileList& list, const QByteArray& folder, const std::stop_token& stop)
{
    for (const FileEntry& entry : list.entries) {
        if (stop.stop_requested())
            return copyingCancelled();
        const QByteArray target = joined(folder, entry.path);
        switch (entry.type) {
        case FileEntry::Type::folder:
            if (::mkdir(target.constData(), 0755) != 0)
                return systemFailure(u"make the folder"_m, target, errno);
            break;
        case FileEntry::Type::link:
            if (::symlink(entry.linkTarget.constData(), target.constData()) != 0)
                return systemFailure(u"make the link"_m, target, errno);
            break;
        case FileEntry::Type::file:
            if (auto copied = copyFile(joined(list.root, entry.path), target, entry, stop); !copied)
                return copied;
            break;
        }
    }
    return flush(folder);
}

} // namespace

Result<Snapshot> snapshotByContent(const FileList& list, const QString& parentDir, const std::stop_token& stop)
{
    auto partial = PartialFolder::beside(joined(QFile::encodeName(parentDir), "code"));
    if (!partial)
        return fail(partial);
    if (auto copied = copyTree(list, partial->path(), stop); !copied)
        return fail(copied);
    FileList copy = list;
    copy.root = partial->path();
    auto hash = codeHash(copy, stop);
    if (!hash)
        return fail(hash);
    const QString path = parentDir + u'/' + *hash;
    if (auto published = partial->publish(QFile::encodeName(path)); !published)
        return fail(published);
    return Snapshot{*hash, path};
}

} // namespace package
