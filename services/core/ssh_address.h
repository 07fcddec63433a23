// SPDX-License-Identifier: GPL-3.0-or-later
// How a person names a machine behind SSH. Pure.
#pragma once

#include "json.h"
#include "result.h"

namespace core {

struct SshAddress
{
    QString user; ///< may be empty: that of the SSH settings
    QString host; ///< a name, an address, or a Host of the SSH settings
    int port = 0; ///< 0: not given

    bool operator==(const SshAddress&) const = default;
};

/// `host`, `user@host`, `user@host:port`, `[::1]:port`, `ssh://user@host:port`. Kind::invalid with what is wrong.
[[nodiscard]] Result<SshAddress> parseSshAddress(const QString& text);
/// What parseSshAddress() reads.
[[nodiscard]] QString addressText(const SshAddress& address);

/// As an entry of a remote platform's machineList, and back.
[[nodiscard]] Json machineEntry(const SshAddress& address);
[[nodiscard]] Result<SshAddress> addressOfEntry(const Json& entry);

} // namespace core
