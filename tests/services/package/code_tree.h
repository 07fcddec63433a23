// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QTemporaryDir>

#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

/// A folder with files whose names are any bytes, removed at the end.
class CodeTree
{
public:
    CodeTree() { m_dir.setAutoRemove(false); }
    /// Qt's own removal stops at names that are no text.
    ~CodeTree()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_dir.path().toStdString(), ignored);
    }
    Q_DISABLE_COPY_MOVE(CodeTree)

    [[nodiscard]] QString path() const { return m_dir.path(); }
    [[nodiscard]] QByteArray full(const QByteArray& name) const { return QFile::encodeName(m_dir.path()) + '/' + name; }

    void folder(const QByteArray& name) const
    {
        for (qsizetype slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1))
            ::mkdir(full(name.left(slash)).constData(), 0755);
        ::mkdir(full(name).constData(), 0755);
    }

    void file(const QByteArray& name, const QByteArray& content = "x", int mode = 0644) const
    {
        if (const qsizetype slash = name.lastIndexOf('/'); slash > 0)
            folder(name.left(slash));
        const int fd = ::open(full(name).constData(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (fd < 0 || ::write(fd, content.constData(), size_t(content.size())) != content.size()
            || ::fchmod(fd, mode_t(mode)) != 0)
            qFatal("cannot write %s", name.constData());
        ::close(fd);
    }

    void link(const QByteArray& name, const QByteArray& target) const
    {
        if (const qsizetype slash = name.lastIndexOf('/'); slash > 0)
            folder(name.left(slash));
        if (::symlink(target.constData(), full(name).constData()) != 0)
            qFatal("cannot link %s", name.constData());
    }

    [[nodiscard]] QByteArray read(const QByteArray& name) const
    {
        QFile file(QFile::decodeName(full(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
    }

private:
    QTemporaryDir m_dir;
};
