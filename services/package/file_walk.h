// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of a code directory a trial gets. Source of the limits and of `.nniignore`: NNI; see ignore_file.h for
// its meaning.
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <stop_token>
#include <vector>

namespace package {

using namespace core;

/// One thing in the code directory. Paths are bytes as the file system has them, relative to its root, without `.` or
/// `..`.
struct FileEntry
{
    enum class Type { file, folder, link };

    QByteArray path;
    Type type = Type::file;
    qint64 size = 0; ///< bytes of a file, otherwise 0
    bool executable = false;
    QByteArray linkTarget; ///< of a link: relative, and never leaving the root
    qint64 mtimeNs = 0;    ///< nanoseconds since the epoch

    bool operator==(const FileEntry&) const = default;
};

/// Something that a person should know about, though it is no failure.
struct WalkFinding
{
    QByteArray path;
    Message message;
};

struct FileList
{
    QByteArray root;                ///< absolute and canonical
    std::vector<FileEntry> entries; ///< sorted by the bytes of their paths, so folders stand before what they hold
    std::vector<WalkFinding> findings;
    int fileCount = 0;     ///< files and links, not folders
    qint64 totalBytes = 0; ///< of all files
};

struct WalkOptions
{
    int maxFiles = 2'000;
    qint64 maxBytes = qint64(300) * 1024 * 1024;
    bool unlimited = false;  ///< sets both limits aside
    bool ignoreFiles = true; ///< obey `.nniignore` files
    /// Leave out .git, .venv, __pycache__, node_modules, wandb, mlruns unless an ignore file includes them, and Python environments of any
    /// name and what secretPatterns() names unless an ignore file includes them by name.
    bool defaultIgnores = true;
    /// Leave out data directories of Trialdeck, known by their files, and `ownFolders`, whatever ignore files say; and files that hold
    /// what looks like a token, unless an ignore file includes them by name.
    bool leaveOutOwn = true;
    QStringList ownFolders; ///< absolute; data, settings, logs and token file of the running program; need not exist

    /// All of a folder that was made by listing, copying or unpacking: it holds what is wanted already.
    [[nodiscard]] static WalkOptions everything();
};

/// Lists what is to be packed. Links are listed as links, not followed; one whose absolute target lies inside is made
/// relative. Empty folders are kept. Sockets, pipes and devices are passed over and found; so are links that will lead
/// to nothing, Python environments, what may hold secrets and was left out for that, with the line that includes it, and folders of Trialdeck's
/// own. Blocks (reads the disk): run it on a Strand. Errors, each naming the file and what to do: a file or
/// folder that cannot be read, a link that leads outside (Kind::invalid), a code directory that is or lies in a folder of Trialdeck's own (Kind::invalid), more than the limits (Kind::invalid, with the
/// five largest folders), Kind::cancelled.
[[nodiscard]] Result<FileList> walkCode(const QString& dir, const WalkOptions& options = {}, std::stop_token stop = {});

struct FolderSize
{
    QByteArray path; ///< empty: the files that lie in the root itself
    int files = 0;
    qint64 bytes = 0;
};

/// Where most of the list comes from: folders that do not contain each other, the largest first. A folder that owes
/// four fifths of its size to one folder in it is replaced by that one. Pure.
[[nodiscard]] std::vector<FolderSize> largestFolders(const FileList& list, bool byBytes, size_t most = 5);

/// The line of an ignore file in the root that leaves out exactly this path.
[[nodiscard]] QByteArray ignoreLine(const QByteArray& path, bool isFolder);

} // namespace package
