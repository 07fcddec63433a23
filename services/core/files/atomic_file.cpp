// SPDX-License-Identifier: GPL-3.0-or-later
#include "atomic_file.h"

#include "services/core/random_text.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace core {

static QByteArray folderOf(const QByteArray& path)
{
    const qsizetype slash = path.lastIndexOf('/');
    return slash < 0 ? QByteArray(".") : slash == 0 ? QByteArray("/") : path.left(slash);
}

/// Where the path leads: through links, also to a file that is not there yet. Empty with errno for a circle.
static QByteArray throughLinks(QByteArray path)
{
    for (int i = 0; i < 40; ++i) {
        char link[4096];
        const ssize_t n = ::readlink(path.constData(), link, sizeof link);
        if (n < 0)
            return path;
        const QByteArray target(link, n);
        path = target.startsWith('/') ? target : folderOf(path) + '/' + target;
    }
    errno = ELOOP;
    return {};
}

AtomicFile::AtomicFile(QString path, std::optional<mode_t> mode)
    : m_path(std::move(path))
    , m_mode(mode)
{
}

AtomicFile::~AtomicFile()
{
    discard();
}

void AtomicFile::discard()
{
    if (m_fd >= 0)
        ::close(m_fd);
    m_fd = -1;
    if (!m_temporary.isEmpty())
        ::unlink(m_temporary.constData());
    m_temporary.clear();
}

tl::unexpected<Error> AtomicFile::failed(int number)
{
    discard();
    m_reason = qt_error_string(number);
    m_reason = m_reason.left(1).toLower() + m_reason.mid(1);
    const bool isFull = number == ENOSPC || number == EDQUOT;
    const Message remedy =
        isFull ? u" Free some space there and try again; the file is as it was before."_m : Message();
    const char* name = ::strerrorname_np(number);
    return fail(Kind::resource, u"%1 cannot be written: %2.%3"_m.arg(m_path, m_reason, remedy),
        isFull ? outOfSpaceName.toString() : QString::fromLatin1(name ? name : "?"));
}

Result<> AtomicFile::open()
{
    discard();
    m_isPrepared = false;
    m_target = throughLinks(QFile::encodeName(m_path));
    if (m_target.isEmpty())
        return failed(m_path.isEmpty() ? ENOENT : errno);
    struct stat old = {};
    const bool exists = ::stat(m_target.constData(), &old) == 0;
    if (!exists && errno != ENOENT)
        return failed(errno);
    if (exists && !S_ISREG(old.st_mode))
        return failed(S_ISDIR(old.st_mode) ? EISDIR : EINVAL);
    if (exists && ::access(m_target.constData(), W_OK) != 0)
        return failed(errno);
    // Not beside the file's own name, which may be as long as names can be.
    const QByteArray temporary = folderOf(m_target) + '/' + temporaryPrefix.toUtf8() + randomToken().left(16);
    m_fd = ::open(temporary.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
        m_mode || exists ? privateMode : mode_t(0666));
    if (m_fd < 0)
        return failed(errno);
    m_temporary = temporary;
    if ((m_mode || exists) && ::fchmod(m_fd, m_mode.value_or(old.st_mode & 07777)) != 0)
        return failed(errno);
    return {};
}

Result<> AtomicFile::write(QByteArrayView bytes)
{
    if (m_fd < 0)
        return failed(EBADF);
    while (!bytes.isEmpty()) {
        const ssize_t n = ::write(m_fd, bytes.data(), size_t(bytes.size()));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return failed(n < 0 ? errno : ENOSPC);
        bytes = bytes.sliced(n);
    }
    return {};
}

Result<> AtomicFile::prepare()
{
    if (m_isPrepared)
        return {};
    if (m_fd < 0)
        return failed(EBADF);
    // Some file systems, network ones above all, tell of a full disk only here or at the end.
    if (::fsync(m_fd) != 0 && errno != EINVAL)
        return failed(errno);
    const int fd = std::exchange(m_fd, -1);
    if (::close(fd) != 0 && errno != EINTR)
        return failed(errno);
    m_isPrepared = true;
    return {};
}

Result<> AtomicFile::commit()
{
    if (Result<> ready = prepare(); !ready)
        return ready;
    if (m_temporary.isEmpty())
        return failed(EBADF);
    if (::rename(m_temporary.constData(), m_target.constData()) != 0)
        return failed(errno);
    m_temporary.clear();
    const int folder = ::open(folderOf(m_target).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return {}; // A folder that may be written to and not read: the name gets to the disk when the system likes.
    const int error = ::fsync(folder) == 0 || errno == EINVAL ? 0 : errno;
    ::close(folder);
    return error == 0 ? Result<>() : failed(error);
}

Result<> writeAtomically(const QString& path, QByteArrayView bytes, std::optional<mode_t> mode)
{
    AtomicFile file(path, mode);
    if (Result<> opened = file.open(); !opened)
        return opened;
    if (Result<> written = file.write(bytes); !written)
        return written;
    return file.commit();
}

bool isOutOfSpace(const Error& error)
{
    return error.kind == Kind::resource && error.detail.startsWith(outOfSpaceName);
}

} // namespace core
