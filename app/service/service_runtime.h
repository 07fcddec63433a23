// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/context.h"

#include <QUrl>

namespace api {
class EnginePort;
}

namespace app {

class DataDirLock;

/// Folders, lock and log of a data directory, in this order: a second service must not write into, or rotate, the log of the first.
/// `logged` is set to whether the log is open, also after a failure.
[[nodiscard]] Result<> claimDataDir(
    const CommandLine& line, const commands::Surroundings& around, const Paths& paths, DataDirLock& lock, bool& logged);

/// The service of one data directory, whose lock the caller holds: engine, HTTP, endpoint file. Made, used and destroyed on the
/// service thread.
class ServiceRuntime
{
public:
    ServiceRuntime(CommandLine line, commands::Surroundings around, Paths paths);
    ~ServiceRuntime(); ///< after close(), or an open() that failed

    /// Waits in an event loop. Afterwards it serves at the url, which is the address it listens on; it may be reached
    /// under another name.
    [[nodiscard]] Result<QUrl> open();
    /// Trials go on. Waits in an event loop.
    void close();
    /// While open.
    [[nodiscard]] api::EnginePort& port();

private:
    struct Parts;

    const CommandLine m_line;
    const commands::Surroundings m_around;
    const Paths m_paths;
    std::unique_ptr<Parts> m_parts;
};

} // namespace app
