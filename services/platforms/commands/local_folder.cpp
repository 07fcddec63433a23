// SPDX-License-Identifier: GPL-3.0-or-later
#include "local_folder.h"

#include "folder_answers.h"
#include "folder_scripts.h"

#include "services/core/random_text.h"
#include "services/package/archive.h"
#include "services/package/posix_file.h"

#include <QDateTime>
#include <QDir>
#include <QFile>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

namespace fs = std::filesystem;

constexpr qsizetype mostListed = 200'000;
constexpr mode_t folderMode = 0700;
constexpr auto temporaryAge = std::chrono::hours(24);

/// Makes a folder and those above it. 0, or an errno.
int makeFolders(const QByteArray& path)
{
    if (::mkdir(path.constData(), folderMode) == 0)
        return 0;
    if (errno == ENOENT && path.lastIndexOf('/') > 0) {
        if (const int above = makeFolders(path.left(path.lastIndexOf('/'))))
            return above;
        if (::mkdir(path.constData(), folderMode) == 0)
            return 0;
    }
    const int error = errno;
    struct stat status
    {
    };
    if (error == EEXIST && ::stat(path.constData(), &status) == 0)
        return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    return error;
}

FileEntry entryOf(const QString& path, const struct stat& status)
{
    const QString type = S_ISREG(status.st_mode) ? u"file"_s
        : S_ISDIR(status.st_mode)                ? u"folder"_s
        : S_ISLNK(status.st_mode)                ? u"link"_s
                                                 : u"other"_s;
    return {
        path, S_ISDIR(status.st_mode) ? 0 : qint64(status.st_size), qint64(status.st_mtim.tv_sec) * 1'000, type, {}};
}

void makeRemovable(const fs::path& tree)
{
    std::error_code error;
    const auto keepGoing = fs::directory_options::skip_permission_denied;
    fs::permissions(tree, fs::perms::owner_all, fs::perm_options::add | fs::perm_options::nofollow, error);
    for (auto it = fs::recursive_directory_iterator(tree, keepGoing, error);
         !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
        std::error_code ignored;
        if (it->is_directory(ignored) && !it->is_symlink(ignored))
            fs::permissions(it->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
    }
}

} // namespace

LocalFolder::LocalFolder(Message host, QString root)
    : m_host(std::move(host))
    , m_root(std::move(root))
{
}

QByteArray LocalFolder::full(const QString& path) const
{
    return QFile::encodeName(m_root + u'/' + path);
}

Result<FolderSpace> LocalFolder::prepare() const
{
    const auto failed = [this](int number) { return tl::unexpected(folderError(m_host, m_root, number)); };
    const QByteArray root = QFile::encodeName(m_root);
    if (const int error = makeFolders(root))
        return failed(error);
    const QByteArray probe = full(QString::fromLatin1(folderTemporary)) + newFolderMark();
    const package::FileHandle file(::open(probe.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return failed(errno);
    const bool isWritten = package::writeAll(file.fd(), "x", 1) && ::fsync(file.fd()) == 0;
    const int error = errno;
    ::unlink(probe.constData());
    if (!isWritten)
        return failed(error);
    const std::string own = folderTemporary + folderOwner().toStdString();
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(root.constData(), ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(folderTemporary)
            && (!name.starts_with(own)
                || fs::file_time_type::clock::now() - entry.last_write_time(ignored) > temporaryAge))
            fs::remove_all(entry.path(), ignored);
    }
    struct statvfs space
    {
    };
    if (::statvfs(root.constData(), &space) != 0)
        return failed(errno);
    return FolderSpace{qint64(space.f_bavail) * qint64(space.f_frsize)};
}

Result<QList<FolderBytes>> LocalFolder::read(const QList<FolderRead>& reads, qint64 total) const
{
    struct stat root
    {
    };
    if (::stat(QFile::encodeName(m_root).constData(), &root) != 0)
        return tl::unexpected(folderError(m_host, m_root, errno));
    QList<FolderBytes> list;
    qint64 files = reads.size();
    for (const FolderRead& each : reads)
        list += readOne(each, total, files--);
    return list;
}

FolderBytes LocalFolder::readOne(const FolderRead& read, qint64& left, qint64 files) const
{
    FolderBytes bytes;
    const auto failed = [&](int number) {
        bytes.state =
            number == ENOENT || number == ENOTDIR ? FolderBytes::State::missing : FolderBytes::State::unreadable;
        if (bytes.state == FolderBytes::State::unreadable)
            bytes.message = folderError(m_host, m_root + u'/' + read.path, number).message;
        return bytes;
    };
    struct stat status
    {
    };
    const QByteArray path = full(read.path);
    if (::lstat(path.constData(), &status) != 0)
        return failed(errno);
    const package::FileHandle file(
        S_ISREG(status.st_mode) ? ::open(path.constData(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1);
    if (S_ISREG(status.st_mode) && (!file.isOpen() || ::fstat(file.fd(), &status) != 0))
        return failed(errno);
    if (!S_ISREG(status.st_mode)) {
        bytes.state = FolderBytes::State::unreadable;
        bytes.message = u"%1 on %2 is not a file."_m.arg(m_root + u'/' + read.path, m_host);
        return bytes;
    }
    bytes.size = status.st_size;
    bytes.identity = QByteArray::number(qulonglong(status.st_ino));
    if (!read.identity.isEmpty() && read.identity != bytes.identity) {
        bytes.state = FolderBytes::State::replaced;
        return bytes;
    }
    if (bytes.size < read.offset) {
        bytes.state = FolderBytes::State::shrank;
        return bytes;
    }
    const qint64 wanted = folderShare(left, files, std::min(read.limit, bytes.size - read.offset));
    bytes.state = FolderBytes::State::read;
    bytes.bytes.resize(wanted);
    qint64 got = 0;
    while (got < wanted) {
        const ssize_t n = ::pread(file.fd(), bytes.bytes.data() + got, size_t(wanted - got), off_t(read.offset + got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            const int error = n < 0 ? errno : EIO;
            bytes.bytes.truncate(got);
            left -= got;
            return failed(error);
        }
        got += n;
    }
    left -= got;
    return bytes;
}

Result<FileList> LocalFolder::list(const QString& folder, const QString& after, qint64 limit) const
{
    const QByteArray top = full(folder);
    std::error_code error;
    auto it = fs::recursive_directory_iterator(top.constData(), fs::directory_options::skip_permission_denied, error);
    if (error)
        return tl::unexpected(folderError(m_host, m_root + u'/' + folder, error.value()));
    QList<QByteArray> names;
    for (; it != fs::recursive_directory_iterator() && names.size() < mostListed; it.increment(error)) {
        const QByteArray name = QByteArray::fromStdString(it->path().string()).mid(top.size() + 1);
        if (isFolderPath(QString::fromUtf8(name)))
            names += name;
        if (error)
            break;
    }
    std::sort(names.begin(), names.end());
    FileList list;
    auto next = std::upper_bound(names.begin(), names.end(), after.toUtf8());
    for (; next != names.end() && list.files.size() < limit; ++next) {
        struct stat status
        {
        };
        if (::lstat((top + '/' + *next).constData(), &status) == 0)
            list.files += entryOf(QString::fromUtf8(*next), status);
    }
    if (next != names.end() && !list.files.isEmpty())
        list.next = list.files.last().path;
    return list;
}

Result<> LocalFolder::remove(const QStringList& paths) const
{
    std::error_code error;
    const fs::path root = fs::canonical(QFile::encodeName(m_root).constData(), error);
    if (error)
        return tl::unexpected(folderError(m_host, m_root, error.value()));
    Result<> result;
    for (const QString& path : paths) {
        const fs::path tree(full(path).constData());
        const fs::path parent = fs::canonical(tree.parent_path(), error);
        if (error)
            continue; // it is not there
        const fs::path wanted = (root / QFile::encodeName(path).toStdString()).parent_path();
        if (parent != wanted && parent / "" != wanted) {
            result = fail(Kind::invalid,
                u"%1 on %2 was not removed: a link leads there from another place."_m.arg(
                    m_root + u'/' + path, m_host));
            continue;
        }
        fs::remove_all(tree, error);
        if (error) {
            makeRemovable(tree);
            fs::remove_all(tree, error);
        }
        if (error) {
            const QString words = QString::fromLatin1(strerrordesc_np(error.value()));
            result = fail(Kind::resource,
                u"%1 on %2 could not be removed wholly: %3"_m.arg(m_root + u'/' + path, m_host, words), words);
        }
    }
    return result;
}

Result<> LocalFolder::replace(const QString& path, QByteArrayView bytes, bool executable) const
{
    const auto failed = [this](int number) { return tl::unexpected(folderError(m_host, m_root, number)); };
    const QByteArray target = full(path);
    if (const int error = makeFolders(target.left(target.lastIndexOf('/'))))
        return failed(error);
    const QByteArray temporary = full(QString::fromLatin1(folderTemporary)) + newFolderMark();
    const int file = ::open(temporary.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, executable ? 0700 : 0600);
    if (file < 0)
        return failed(errno);
    int error = package::writeAll(file, bytes.data(), size_t(bytes.size())) ? 0 : errno;
    // NFS says only here that the disk is full.
    if (::close(file) != 0 && error == 0)
        error = errno;
    // rename() puts no file in the place of a folder.
    if (error == 0 && ::rename(temporary.constData(), target.constData()) != 0)
        error = errno;
    if (error == 0)
        return {};
    ::unlink(temporary.constData());
    return failed(error);
}

Result<> LocalFolder::put(const QList<FolderFile>& files) const
{
    struct stat root
    {
    };
    if (::stat(QFile::encodeName(m_root).constData(), &root) != 0)
        return tl::unexpected(folderError(m_host, m_root, errno));
    for (const FolderFile& file : files)
        if (Result<> written = replace(file.path, file.bytes, file.executable); !written)
            return written;
    return {};
}

Result<> LocalFolder::unpack(const QString& archive, const QString& folder) const
{
    package::UnpackLimits limits;
    limits.maxEntries = 10'000'000; // it was packed here, within the limits of the person
    limits.maxBytes = std::numeric_limits<qint64>::max();
    const auto unpacked = package::unpackArchive(archive, m_root + u'/' + folder, limits);
    if (!unpacked)
        return fail(unpacked);
    return {};
}

Result<> LocalFolder::copy(const QString& source, const QString& path, bool executable) const
{
    QFile file(source);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Kind::resource, u"Cannot read %1: %2."_m.arg(source, file.errorString()));
    const QByteArray bytes = file.readAll();
    if (bytes.size() != file.size())
        return fail(Kind::resource, u"Cannot read %1: %2."_m.arg(source, file.errorString()));
    return replace(path, bytes, executable);
}

} // namespace platforms
