// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of a shared folder, and its answers. Paths are relative to the folder, see isFolderPath().
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace platforms {

using namespace core;

/// Relative, of at least one component, none of them empty, `.` or `..`; without zero bytes; at most 4,000 bytes.
[[nodiscard]] bool isFolderPath(const QString& path);

struct FolderFile
{
    QString path;
    QByteArray bytes;
    bool executable = false; ///< mode 0700, else 0600
};

struct FolderRead
{
    QString path;
    qint64 offset = 0;
    qint64 limit = 64 * 1024; ///< bytes
    QByteArray identity;      ///< of an earlier answer; empty: any file
};

/// The answer to one FolderRead.
struct FolderBytes
{
    enum class State {
        read,
        missing,
        replaced,   ///< another file has this name now: nothing was read
        shrank,     ///< it is shorter than `offset`: nothing was read
        unreadable, ///< `message` says why; `bytes` hold what could be read
    };
    State state = State::missing;
    QByteArray bytes;
    qint64 size = 0; ///< of the whole file
    QByteArray
        identity; ///< of the file with this name; changes when it is replaced, though a file system may use one again
    Message message;
};

struct FolderSpace
{
    qint64 freeBytes = 0;
};

/// The share of one file of a read of many: `left` bytes for `files` of them, this one among them. What it does not use is the others'.
[[nodiscard]] inline qint64 folderShare(qint64 left, qint64 files, qint64 wanted)
{
    return std::max<qint64>(0, std::min(wanted, left / std::max<qint64>(1, files)));
}

} // namespace platforms
