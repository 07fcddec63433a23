// SPDX-License-Identifier: GPL-3.0-or-later
// The only code of the product that replaces a file: the lint refuses QSaveFile, whose commit() of Qt 6.4 does not report
// that the last buffered bytes could not be written, so that a full disk left empty files and a success.
#pragma once

#include "services/core/result.h"

#include <QByteArrayView>

#include <sys/types.h>

#include <optional>

namespace core {

/// Replaces a file as a whole: the bytes go to a temporary file in the same folder, which takes the file's name only once
/// they are on the disk. Whatever fails, and also when the process dies at any instant, the file is the old or the new one.
/// Links are followed. Blocks on the disk; used on one thread. Failures are Kind::resource.
class AtomicFile
{
public:
    /// `mode` of the new file; without it that of the file that is replaced, and for a new one 0666 less the umask.
    explicit AtomicFile(QString path, std::optional<mode_t> mode = {});
    ~AtomicFile(); ///< without a commit() the temporary file goes and the old file stays
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    [[nodiscard]] Result<> open();
    [[nodiscard]] Result<> write(QByteArrayView bytes);
    /// Everything is on the disk beside the old file, so that commit() needs no more space.
    [[nodiscard]] Result<> prepare();
    [[nodiscard]] Result<> commit();
    /// Why the last call failed, in the system's words ("no space left on device").
    [[nodiscard]] QString reason() const { return m_reason; }

private:
    tl::unexpected<Error> failed(int number);
    void discard();

    QString m_path;
    std::optional<mode_t> m_mode;
    QByteArray m_target; ///< what the path leads to
    QByteArray m_temporary;
    int m_fd = -1;
    bool m_isPrepared = false;
    QString m_reason;
};

[[nodiscard]] Result<> writeAtomically(const QString& path, QByteArrayView bytes, std::optional<mode_t> mode = {});

/// What the names of temporary files begin with, which stay where a process died while it wrote.
inline constexpr QStringView temporaryPrefix = u".trialdeck-new-";

/// Mode of files that only their owner may read.
inline constexpr mode_t privateMode = 0600;

/// Whether it failed for a full disk or a used up quota: its `detail` begins with the name of that error.
[[nodiscard]] bool isOutOfSpace(const Error& error);

/// What `detail` of an out-of-space error begins with.
inline constexpr QStringView outOfSpaceName = u"ENOSPC";

} // namespace core
