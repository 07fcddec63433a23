// SPDX-License-Identifier: GPL-3.0-or-later
// What the scripts of folder_scripts.h answered. Pure; any bytes may be given.
#pragma once

#include "folder_types.h"

#include "services/platforms/platform.h"

namespace platforms {

/// A failure in a shared folder as a sentence. `words`: what a program said, in the words of the C locale; they decide which it is.
/// Out of space and of quota: isOutOfSpace() holds. Kind::network where it may pass by itself (a stale handle, a server that is away).
[[nodiscard]] Error folderError(const Message& host, const QString& root, const QString& words);
/// The same of an errno.
[[nodiscard]] Error folderError(const Message& host, const QString& root, int number);

/// The answer of a script up to its `ok`; an error where it ended otherwise, or gave none.
class FolderAnswer
{
public:
    /// `errors`: its standard error.
    static Result<FolderAnswer> parse(const QByteArray& mark, const QByteArray& output, const QByteArray& errors,
        const Message& host, const QString& root);

    [[nodiscard]] Result<FolderSpace> space() const;
    /// One for each of `reads`.
    [[nodiscard]] Result<QList<FolderBytes>> bytes(const QList<FolderRead>& reads) const;
    /// Paths below the folder that was asked for, in the order of their bytes. A name that was cut off is not among them.
    [[nodiscard]] QList<QByteArray> names() const;
    /// One for each of `paths`; what is not there any more is left out.
    [[nodiscard]] QList<FileEntry> entries(const QStringList& paths) const;
    /// Why something was not removed; none: all of `paths` is gone.
    [[nodiscard]] Result<> removed(const QStringList& paths) const;
    [[nodiscard]] bool isThere() const;

private:
    struct Part
    {
        QByteArray word;
        QByteArray rest;
        QByteArray body; ///< behind the line, up to the next one
    };
    [[nodiscard]] Error unclear() const;

    std::vector<Part> m_parts;
    Message m_host;
    QString m_root;
};

} // namespace platforms
