// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/strand.h"
#include "services/package/archive.h"
#include "services/platforms/platform.h"
#include "services/transport/agent_client.h"

#include <QHash>

namespace platforms {

/// Archives of code snapshots for remote machines. Each snapshot is packed once and its archive kept beside it. Lives on the
/// service thread; files are read and written on a worker thread. Pending calls may outlive this object.
class PackedCodes
{
public:
    [[nodiscard]] Task<Result<package::PackedCode>> packed(CodeSource code, std::stop_token stop);
    /// Returns a function that reads the archive in pieces. It must not be called after this object is destroyed.
    [[nodiscard]] transport::AgentClient::Source reader(const QString& path);

private:
    using Table = QHash<QString, package::PackedCode>;

    Strand& files();

    std::unique_ptr<Strand> m_files;                            ///< created on first use
    std::shared_ptr<Table> m_known = std::make_shared<Table>(); ///< by CodeSource::sha
};

} // namespace platforms
