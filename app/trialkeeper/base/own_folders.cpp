// SPDX-License-Identifier: GPL-3.0-or-later
#include "own_folders.h"

#include "io.h"
#include "users.h"

#include "services/wire/strict.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

bool refuse(const std::string& path, const struct stat& info, Failure& failure)
{
    const bool folderOfAnother = S_ISDIR(info.st_mode) && info.st_uid != ::geteuid() && info.st_uid != 0;
    failure = {"invalid",
        folderOfAnother ? belongsToAnother(path, userText(info.st_uid)) : notOursAlone(path, modeText(info.st_mode)),
        {}};
    return false;
}

bool refuse(const std::string& path, int error, Failure& failure)
{
    failure = {
        errorKind(error), "The folder " + path + " cannot be written: " + errorText(error) + '.', errorText(error)};
    return false;
}

/// Looks at a folder and all above it, as they really lie.
bool examineAbove(const std::string& folder, Failure& failure)
{
    char* real = ::realpath(folder.empty() ? "/" : folder.c_str(), nullptr);
    if (!real)
        return refuse(folder, errno, failure);
    std::string path(real);
    std::free(real);
    for (;;) {
        struct stat info
        {
        };
        const std::string shown = path.empty() ? "/" : path;
        if (::lstat(shown.c_str(), &info) != 0)
            return refuse(shown, errno, failure);
        if (!isOursAlone(info, ::geteuid(), FolderPlace::above))
            return refuse(shown, info, failure);
        if (path.empty())
            return true;
        path.resize(path.rfind('/'));
    }
}

/// The folder `name` in `at`, made if it is missing. `shown`: its whole path.
Fd enter(int at, const char* name, const std::string& shown, bool mayMend, Failure& failure)
{
    struct stat info
    {
    };
    const bool made = ::mkdirat(at, name, 0700) == 0;
    const int error = errno;
    Fd folder = openFolder(at, name);
    if (!folder) {
        const int why = !made && error != EEXIST ? error : errno;
        if (::fstatat(at, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISDIR(info.st_mode))
            (void)refuse(shown, info, failure);
        else
            (void)refuse(shown, why, failure);
        return {};
    }
    if (::fstat(folder.get(), &info) != 0) {
        (void)refuse(shown, errno, failure);
        return {};
    }
    if (mayMend && info.st_uid == ::geteuid() && (info.st_mode & 022) != 0 && ::fchmod(folder.get(), 0700) == 0)
        info.st_mode = S_IFDIR | 0700;
    if (!isOursAlone(info, ::geteuid(), FolderPlace::own)) {
        (void)refuse(shown, info, failure);
        return {};
    }
    return folder;
}

/// Makes `folder` and what is missing above it.
bool makeAbove(const std::string& folder, Failure& failure)
{
    struct stat info
    {
    };
    if (folder.empty() || ::stat(folder.c_str(), &info) == 0)
        return examineAbove(folder, failure);
    if (!makeAbove(folder.substr(0, folder.rfind('/')), failure))
        return false;
    // Looked at again: where all may write somebody else may have been quicker.
    return (makeFolder(AT_FDCWD, folder.c_str()) || refuse(folder, errno, failure)) && examineAbove(folder, failure);
}

} // namespace

bool isOursAlone(const struct stat& info, uid_t self, FolderPlace place)
{
    if (!S_ISDIR(info.st_mode) || (info.st_uid != self && info.st_uid != 0))
        return false;
    if (place == FolderPlace::own)
        return (info.st_mode & 022) == 0;
    return (info.st_mode & 002) == 0 || (info.st_mode & S_ISVTX) != 0;
}

std::string modeText(mode_t mode)
{
    std::string text = S_ISDIR(mode) ? "d"
        : S_ISLNK(mode)              ? "l"
        : S_ISFIFO(mode)             ? "p"
        : S_ISSOCK(mode)             ? "s"
        : S_ISREG(mode)              ? "-"
                                     : "?";
    for (int bit = 8; bit >= 0; --bit)
        text += (mode >> bit & 1) != 0 ? "xwr"[bit % 3] : '-';
    if ((mode & S_ISVTX) != 0)
        text.back() = (mode & 001) != 0 ? 't' : 'T';
    return text;
}

bool makeOwnFolder(const std::string& base, const std::string& path, Failure& failure)
{
    if (!makeAbove(base.substr(0, base.rfind('/')), failure))
        return false;
    Fd at = enter(AT_FDCWD, base.c_str(), base, false, failure);
    for (std::size_t begin = base.size() + 1; at && begin < path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        at = enter(at.get(), path.substr(begin, end - begin).c_str(), path.substr(0, end), true, failure);
        begin = end + 1;
    }
    return bool(at);
}

void spreadFoldersIn(const std::string& path)
{
    const Fd folder = openFolder(AT_FDCWD, path.c_str());
    long flags = 0; // file systems read and write an int; the requests are declared with a long
    if (!folder || ::ioctl(folder.get(), FS_IOC_GETFLAGS, &flags) != 0 || (flags & FS_TOPDIR_FL) != 0)
        return;
    flags |= FS_TOPDIR_FL;
    (void)::ioctl(folder.get(), FS_IOC_SETFLAGS, &flags);
}

} // namespace trialkeeper
