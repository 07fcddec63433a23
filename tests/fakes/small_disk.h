// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QTest>

#include <cerrno>
#include <fcntl.h>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <unistd.h>

/// A small disk that this process and what it starts see, which can be filled to its last byte, for a process of root.
/// mount() comes before the process has a second thread.
class SmallDisk
{
public:
    ~SmallDisk()
    {
        if (!m_folder.isEmpty())
            ::umount2(QFile::encodeName(m_folder).constData(), MNT_DETACH);
    }
    bool mount(const QString& folder)
    {
        QDir().mkpath(folder);
        const QByteArray name = QFile::encodeName(folder);
        // A private mount namespace: its mounts are not visible outside and end with it.
        if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
            || ::mount("trialdeck-test", name.constData(), "tmpfs", 0, "size=32m,mode=0700") != 0)
            return false;
        m_folder = folder;
        return true;
    }
    [[nodiscard]] bool fill()
    {
        const int file = ::open(filler().constData(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        for (const size_t size : {size_t(65'536), size_t(4'096), size_t(1)}) {
            const std::string block(size, 'f');
            while (::write(file, block.data(), block.size()) > 0) { }
        }
        const bool full = file >= 0 && errno == ENOSPC;
        ::close(file);
        return full;
    }
    void release() { QVERIFY(::unlink(filler().constData()) == 0); }

private:
    [[nodiscard]] QByteArray filler() const { return QFile::encodeName(m_folder) + "/filler"; }
    QString m_folder;
};
