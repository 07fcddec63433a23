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
/// `logged` tells whether the log is there, also after a failure.
[[nodiscard]] Result<> claimDataDir(
    const CommandLine& line, const commands::Surroundings& around, const Paths& paths, DataDirLock& lock, bool& logged);

/// The service of one data directory, whose lock the caller holds: engine, HTTP, endpoint file. Made, used and destroyed on the
/// service thread.
class ServiceRuntime
{
public:
    ServiceRuntime(CommandLine line, commands::Surroundings around, Paths paths);
    ~ServiceRuntime(); ///< after close(), or an open() that failed

    /// Waits in an event loop. Afterwards others can reach it at the url; what it tells is how to listen, not how to be reached.
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
