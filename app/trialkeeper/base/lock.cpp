// SPDX-License-Identifier: GPL-3.0-or-later
#include "lock.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

#ifndef F_OFD_GETLK
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#endif

namespace trialkeeper {

namespace {

bool readHolder(int file, ProcessIdentity& keeper)
{
    char text[128];
    const ssize_t got = ::pread(file, text, sizeof text, 0);
    return got > 0 && parseIdentity({text, std::size_t(got)}, keeper);
}

} // namespace

KeeperLock::Result KeeperLock::take(int trialFolder)
{
    m_file = Fd(::openat(trialFolder, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!m_file)
        return Result::Failed;
    struct flock whole
    {
    };
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    ProcessIdentity holder;
    if (::fcntl(m_file.get(), F_OFD_SETLK, &whole) != 0) {
        const bool noLocks = errno != EAGAIN && errno != EACCES;
        if (!noLocks || (readHolder(m_file.get(), holder) && isAlive(holder))) {
            m_file.reset();
            return Result::Busy;
        }
    }
    char text[96];
    const int size = formatIdentity(text, sizeof text, identityOf(::getpid()));
    if (::pwrite(m_file.get(), text, std::size_t(size), 0) != size || ::ftruncate(m_file.get(), size) != 0) {
        const int error = errno ? errno : ENOSPC;
        m_file.reset();
        errno = error;
        return Result::Failed;
    }
    return Result::Taken;
}

void KeeperLock::release()
{
    // If it cannot be emptied an identity stays that is believed only until its process has ended.
    [[maybe_unused]] const int result = m_file ? ::ftruncate(m_file.get(), 0) : 0;
    m_file.reset();
}

bool keeperLives(int trialFolder, ProcessIdentity& keeper)
{
    keeper = {};
    const Fd file(::openat(trialFolder, "lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (!file)
        return false;
    struct flock whole
    {
    };
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    const bool named = readHolder(file.get(), keeper);
    if (::fcntl(file.get(), F_OFD_GETLK, &whole) == 0)
        return whole.l_type != F_UNLCK;
    return named && isAlive(keeper);
}

} // namespace trialkeeper
