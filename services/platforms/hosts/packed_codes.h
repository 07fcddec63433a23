// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/strand.h"
#include "services/package/archive.h"
#include "services/platforms/platform.h"
#include "services/transport/agent_client.h"

#include <QHash>

namespace platforms {

/// Snapshots of code as archives for machines elsewhere, each packed once and kept beside its snapshot. Lives on the service
/// thread; files are used on a thread of its own. Calls that wait may outlive this object.
class PackedCodes
{
public:
    [[nodiscard]] Task<Result<package::PackedCode>> packed(CodeSource code, std::stop_token stop);
    /// Reads an archive piece by piece. Usable while this object lives.
    [[nodiscard]] transport::AgentClient::Source reader(const QString& path);

private:
    using Table = QHash<QString, package::PackedCode>;

    Strand& files();

    std::unique_ptr<Strand> m_files;                            ///< made with the first use
    std::shared_ptr<Table> m_known = std::make_shared<Table>(); ///< by the code's own hash
};

} // namespace platforms
