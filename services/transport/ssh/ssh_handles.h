// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where libssh's handles are owned. Header for the .cpp files of ssh_*; what others include names only the structs.
#pragma once

#include <QByteArray>
#include <QString>

#include <libssh/libssh.h>

#include <memory>

namespace transport {

struct SshFree
{
    void operator()(ssh_session session) const
    {
        ssh_disconnect(session);
        ssh_free(session);
    }
    void operator()(ssh_channel channel) const { ssh_channel_free(channel); }
    void operator()(ssh_key key) const { ssh_key_free(key); }
};

/// Channels of a session must be gone before it.
using SshSessionHandle = std::unique_ptr<ssh_session_struct, SshFree>;
using SshChannelHandle = std::unique_ptr<ssh_channel_struct, SshFree>;
using SshKeyHandle = std::unique_ptr<ssh_key_struct, SshFree>;

[[nodiscard]] inline QString sshErrorText(ssh_session session)
{
    return QString::fromUtf8(ssh_get_error(session)).trimmed();
}

/// Takes over what libssh allocated.
[[nodiscard]] inline QByteArray takeSshText(char* text)
{
    QByteArray out(text);
    ssh_string_free_char(text);
    return out;
}

} // namespace transport
