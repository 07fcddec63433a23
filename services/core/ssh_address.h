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

/// The one rule for users, hosts and ports, wherever they come from: they travel to other programs and, through tokens such as `%r`
/// of a person's ssh_config, to shells. Errors are Kind::invalid and name the field and the character.
/// A host: letters, digits, `.`, `-`, `_`, and `:` and `%` for IPv6 addresses and their zones. It does not begin with `-`.
[[nodiscard]] Result<> checkSshHost(const QString& host);
/// A user: no control characters, no blanks at its ends, none of the characters that shells take for their own, no `-` at its begin.
/// A realm behind `@`, and a domain before one `\`, are allowed (anna@realm, DOMAIN\anna).
[[nodiscard]] Result<> checkSshUser(const QString& user);
[[nodiscard]] Result<> checkSshPort(qint64 port);
/// All three; an empty user and the port 0 are not given.
[[nodiscard]] Result<> checkSshAddress(const SshAddress& address);

/// Whether a shell takes this text for nothing but a piece of a word: letters, digits and `._-@+:%,/=`, not beginning with `-`.
/// Stricter than the checks above: a `\` is not in it.
[[nodiscard]] bool isPlainShellWord(const QString& text);

/// `host`, `user@host`, `user@host:port`, `[::1]:port`, `ssh://user@host:port`. Kind::invalid with what is wrong.
[[nodiscard]] Result<SshAddress> parseSshAddress(const QString& text);
/// What parseSshAddress() reads.
[[nodiscard]] QString addressText(const SshAddress& address);

/// As an entry of a remote platform's machineList, and back.
[[nodiscard]] Json machineEntry(const SshAddress& address);
[[nodiscard]] Result<SshAddress> addressOfEntry(const Json& entry);

} // namespace core
