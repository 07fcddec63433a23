// SPDX-License-Identifier: GPL-3.0-or-later
#include "own_files.h"

#include "services/core/user_name.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Kind;

namespace {

Result<> requireOwn(const QString& path, const struct stat& status)
{
    if (status.st_uid != ::geteuid() && status.st_uid != 0)
        return fail(Kind::auth,
            u"%1 belongs to %2, who could make this program do anything; it is not used. Choose another place with "
            u"--data-dir, or "
            "take it over with chown after looking at what is in it."_s.arg(path, core::userWords(status.st_uid)));
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return fail(Kind::auth,
            u"Others may write to %1 (mode %2), and whoever does could make this program do anything; it is not used. "
            u"Close it with "
            "`chmod go-w %1` after looking at what is in it."_s.arg(path, QString::number(status.st_mode & 07777, 8)));
    return {};
}

} // namespace

Result<> requireOwnFolder(const QString& folder)
{
    struct stat status = {};
    if (::stat(QFile::encodeName(folder).constData(), &status) != 0)
        return errno == ENOENT
            ? Result<>()
            : fail(Kind::resource, u"%1 cannot be looked at: %2."_s.arg(folder, qt_error_string(errno)));
    return requireOwn(folder, status);
}

Result<> requireOwnFile(const QString& file, bool isSecret, bool* closed)
{
    const int fd = ::open(QFile::encodeName(file).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT ? Result<>()
                               : fail(Kind::auth, u"%1 cannot be read: %2."_s.arg(file, qt_error_string(errno)));
    struct stat status = {};
    Result<> own = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)
        ? requireOwn(file, status)
        : fail(Kind::invalid, u"%1 is no regular file."_s.arg(file));
    if (own && isSecret && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0 && status.st_uid == ::geteuid()
        && ::fchmod(fd, 0600) == 0 && closed)
        *closed = true;
    ::close(fd);
    return own;
}

} // namespace app
