// SPDX-License-Identifier: GPL-3.0-or-later
#include "data_dir_lock.h"

#include "paths.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Kind;

namespace {

/// How long a child of a killed service may take from fork to exec: only then are the service's descriptors closed in it.
constexpr int childMs = 10'000;
/// Longest time for which DataDirLock::holder() keeps its shared lock, milliseconds; it lasts microseconds unless the thread is preempted.
constexpr int lookMs = 500;

qint64 readPid(int fd)
{
    char text[32] = {};
    const ssize_t length = ::pread(fd, text, sizeof text - 1, 0);
    return length > 0 ? QByteArray(text, length).trimmed().toLongLong() : 0;
}

/// 0, or the errno of flock(). Retries for childMs while the file names no live process, else for lookMs.
int lockFor(int fd)
{
    constexpr int stepMs = 20;
    for (int waitedMs = 0;; waitedMs += stepMs) {
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0)
            return 0;
        const int error = errno;
        const qint64 pid = error == EWOULDBLOCK ? readPid(fd) : 0;
        if (error != EWOULDBLOCK || waitedMs >= (processAlive(pid) ? lookMs : childMs))
            return error;
        ::usleep(stepMs * 1'000);
    }
}

} // namespace

Result<> DataDirLock::take(const QString& lockFile, const QString& endpointFile)
{
    const int fd = ::open(QFile::encodeName(lockFile).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail(Kind::resource, u"%1 cannot be opened: %2."_s.arg(lockFile, qt_error_string(errno)));
    if (const int error = lockFor(fd); error != 0) {
        const qint64 pid = readPid(fd);
        ::close(fd);
        if (error != EWOULDBLOCK)
            return fail(Kind::resource, u"%1 cannot be locked: %2."_s.arg(lockFile, qt_error_string(error)));
        const Result<Endpoint> endpoint = readEndpoint(endpointFile);
        const QString where = endpoint && endpoint->pid == pid ? u", at %1"_s.arg(endpoint->url) : QString();
        return fail(Kind::conflict,
            u"Another Trialdeck service already uses this data directory (process %1%2). Use that one, end it with "
            "`trialdeck service stop`, or choose another directory with --data-dir."_s.arg(
                QString::number(pid), where));
    }
    const QByteArray pid = QByteArray::number(qint64(::getpid())) + '\n';
    if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, pid.constData(), size_t(pid.size()), 0) != pid.size()) {
        const int error = errno;
        ::close(fd);
        return fail(Kind::resource, u"%1 cannot be written: %2."_s.arg(lockFile, qt_error_string(error)));
    }
    release();
    m_fd = fd;
    return {};
}

void DataDirLock::release()
{
    if (m_fd >= 0)
        ::close(m_fd); // The file stays: removing it would let two processes lock two files of one name.
    m_fd = -1;
}

std::optional<qint64> DataDirLock::holder(const QString& lockFile)
{
    const int fd = ::open(QFile::encodeName(lockFile).constData(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return {};
    std::optional<qint64> pid;
    // Shared: two who only look do not see each other as a holder.
    if (::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        pid = readPid(fd);
    ::close(fd);
    return pid;
}

} // namespace app
