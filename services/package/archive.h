// SPDX-License-Identifier: GPL-3.0-or-later
// Code directories as archives and as snapshots. Every function blocks (it reads and writes the disk, and compresses):
// run it on a Strand. All take a stop token and then fail with Kind::cancelled; what they had begun is removed.
#pragma once

#include "file_walk.h"

#include <functional>

namespace package {

/// Called now and then on the calling thread with bytes of file content done and in all.
using Progress = std::function<void(qint64 done, qint64 total)>;

struct PackedCode
{
    QString sha256; ///< of the archive, 64 hexadecimal digits
    QString path;
    qint64 bytes = 0; ///< of the archive
};

/// Writes a .tar.gz (GNU format, which every tar reads) that depends on nothing but names, contents and execute bits:
/// sorted, owner 0, modes 0644 and 0755, one fixed time. The same files give the same sha256, on any machine with the
/// same zlib. Appears at `outFile` when it is whole. Kind::conflict when a file shrinks while it is read.
[[nodiscard]] Result<PackedCode> packCode(
    const FileList& list, const QString& outFile, const std::stop_token& stop = {}, const Progress& progress = {});

/// What the code is: sha256 over path, kind, execute bit, size and content (or link target) of each entry, without
/// compressing. Differs from the archive's. Times do not count.
[[nodiscard]] Result<QString> codeHash(const FileList& list, const std::stop_token& stop = {});

struct Snapshot
{
    QString hash; ///< codeHash() of what was copied
    QString path; ///< PARENT/hash
};

/// Copies the files to a folder in `parentDir` that is named by its content, by reflink where the file system can, with
/// their times and with modes 0644 and 0755. They are made under a temporary name (`….partial-XXXXXX`; what a crash
/// leaves may be deleted), flushed, then renamed. A folder of that name with content in it stays as it is, also where it
/// appears meanwhile: the loser of a race removes its own. The copy is hashed, not the original, so a file saved
/// meanwhile cannot make a snapshot whose content does not match its name.
[[nodiscard]] Result<Snapshot> snapshotByContent(
    const FileList& list, const QString& parentDir, const std::stop_token& stop = {});

/// Walks `folder` and gives the list to `take`, a function of FileList that returns a Result; both again, five times in all,
/// while files vanish or shrink in between: an editor saves, a program writes its temporary files there.
template <typename Take>
[[nodiscard]] auto takeCode(const QString& folder, const WalkOptions& options, const std::stop_token& stop, Take take)
    -> std::invoke_result_t<Take, const FileList&>
{
    constexpr int mostAttempts = 5;
    for (int attempt = 1;; ++attempt) {
        const Result<FileList> files = walkCode(folder, options, stop);
        if (!files)
            return fail(files);
        auto taken = take(*files);
        if (taken || (taken.error().kind != Kind::conflict && taken.error().kind != Kind::not_found))
            return taken;
        if (attempt == mostAttempts)
            return fail(Kind::conflict,
                u"%1 The folder changed during each of %2 attempts: wait until nothing writes there, or leave out in "
                ".nniignore what changes."_m.arg(taken.error().message, mostAttempts));
    }
}

struct UnpackLimits
{
    int maxEntries = 100'000;
    qint64 maxBytes = qint64(4) * 1024 * 1024 * 1024; ///< of content, unpacked
};

/// Unpacks a .tar.gz of unknown origin into `targetDir`, by the same rename as snapshotByContent(). Refused with
/// Kind::invalid, and nothing left behind: absolute names, `..`, links that leave the folder, devices, names that occur
/// twice or lie below a file or link, more than the limits, anything that is no tar.gz. Owners and special modes are
/// dropped. Returns what was unpacked, or what `targetDir` holds where it was there before.
[[nodiscard]] Result<FileList> unpackArchive(const QString& archive, const QString& targetDir,
    const UnpackLimits& limits = {}, const std::stop_token& stop = {});

/// Of a file's content, as 64 hexadecimal digits: what an upload must match.
[[nodiscard]] Result<QString> fileSha256(const QString& path, const std::stop_token& stop = {});

} // namespace package
