// SPDX-License-Identifier: GPL-3.0-or-later
// The person's own `ssh` as a second way to a server: for what libssh cannot do (keys in hardware, GSSAPI, a ControlMaster).
#pragma once

#include "ssh_hub.h"

#include "services/core/ssh_address.h"
#include "services/transport/command_channel.h"

#include <memory>

namespace transport {

/// Whether a host and a user may be given to the program `ssh`: settings of the person's (ProxyCommand, Match exec) may hand them to a
/// shell, and before its version 9.6 `ssh` lets everything through (CVE-2023-51385). Kind::invalid.
[[nodiscard]] Result<> checkForProgram(const SshAddress& address);

/// Runs a command by the account's shell. Nobody can be asked: `ssh` must get in by itself.
[[nodiscard]] Result<std::unique_ptr<CommandChannel>> openBySshProgram(const SshWish& wish, const QByteArray& command);

/// The output of an `ssh` that failed, as an error with what to do.
[[nodiscard]] Error sshProgramError(const QString& host, const QString& said);

} // namespace transport
