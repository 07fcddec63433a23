// SPDX-License-Identifier: GPL-3.0-or-later
// Work in a shared folder as scripts for sh: POSIX, with head -c, tar and stat of coreutils or busybox. Pure. `mark`: newFolderMark();
// it begins every line of an answer, see folder_answers.h, and is part of temporary names. `root` is absolute.
#pragma once

#include "folder_mark.h"
#include "folder_types.h"

#include <QStringList>

namespace platforms {

/// Makes the folder, writes to it, removes what other processes left half written, and of this one what is older than a day, and says how
/// much space there is.
[[nodiscard]] QByteArray prepareScript(const QByteArray& mark, const QString& root);
/// Ranges of files, at most `total` bytes of them, each file with its folderShare() in the order of the list.
[[nodiscard]] QByteArray readScript(
    const QByteArray& mark, const QString& root, const QList<FolderRead>& reads, qint64 total);
/// The names of all that is below a folder, each ended by a zero byte, without order; at most `limit` bytes of them.
[[nodiscard]] QByteArray namesScript(const QByteArray& mark, const QString& root, const QString& folder, qint64 limit);
/// Type, size and time of these.
[[nodiscard]] QByteArray statScript(const QByteArray& mark, const QString& root, const QStringList& paths);
/// Removes trees. One that a link leads to, itself or on its way, is left alone.
[[nodiscard]] QByteArray removeScript(const QByteArray& mark, const QString& root, const QStringList& paths);
/// Says whether a folder is there.
[[nodiscard]] QByteArray hasFolderScript(const QByteArray& mark, const QString& root, const QString& folder);

// These read their standard input, so they are for `sh -c`.

/// Takes putInput(): each file appears whole, in place of an earlier one.
[[nodiscard]] QByteArray putScript(const QByteArray& mark, const QString& root);
[[nodiscard]] QByteArray putInput(const QList<FolderFile>& files);
/// Takes a .tar.gz: the folder appears whole; one that is there already stays.
[[nodiscard]] QByteArray unpackScript(const QByteArray& mark, const QString& root, const QString& folder);
/// Takes one file of this size.
[[nodiscard]] QByteArray streamScript(
    const QByteArray& mark, const QString& root, const QString& path, qint64 size, bool executable);

} // namespace platforms
