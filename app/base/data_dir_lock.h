// SPDX-License-Identifier: GPL-3.0-or-later
// One engine a data directory. The lock is the kernel's (flock), so it ends with the process, however that ends; a child that the process had
// just forked shares it until it has executed its own program.
#pragma once

#include "services/core/result.h"

#include <QString>

#include <optional>

namespace app {

using core::Result;

class DataDirLock
{
public:
    DataDirLock() = default;
    ~DataDirLock() { release(); }
    DataDirLock(const DataDirLock&) = delete;
    DataDirLock& operator=(const DataDirLock&) = delete;

    /// Takes the lock and writes our pid into the file. Kind::conflict when another process holds it; the sentence names its pid,
    /// and its url when `endpointFile` has one. Retries for 10 s while the file names no live
    /// process, else for half a second, since holder() locks the file for a moment. Blocks the thread meanwhile.
    [[nodiscard]] Result<> take(const QString& lockFile, const QString& endpointFile);
    void release();
    [[nodiscard]] bool isHeld() const { return m_fd >= 0; }

    /// The pid of the process that holds the lock, or did until it was killed and has left a forked child; 0 when the pid is not written yet;
    /// nothing when free.
    [[nodiscard]] static std::optional<qint64> holder(const QString& lockFile);

private:
    int m_fd = -1;
};

} // namespace app
