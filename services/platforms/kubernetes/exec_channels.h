// SPDX-License-Identifier: GPL-3.0-or-later
// A command in a container over a WebSocket: what is asked, and the messages in both directions (v4 and v5.channel.k8s.io). Pure.
#pragma once

#include "kube_paths.h"

#include "services/transport/http/wire/websocket_frames.h"

#include <QStringList>

#include <optional>

namespace platforms::kubernetes {

struct PodCommand
{
    QString inNamespace;
    QString pod;
    QString container;
    QStringList words; ///< of the command; no shell reads them
    bool hasInput = false;
};
/// Path and query of the request. Kind::invalid for a name that is none, or no command.
[[nodiscard]] Result<QByteArray> execTarget(const PodCommand& command);

/// What is offered, the better one first. Older servers and nodes choose v4.
[[nodiscard]] QList<QByteArray> execProtocols();
/// Whether the chosen protocol can end standard input. Where it cannot, the command has to know how much comes.
[[nodiscard]] bool endsInput(const QByteArray& protocol);

/// The payload of a binary message for standard input: at the most `mostInputBytes` at a time, for old servers.
inline constexpr qsizetype mostInputBytes = 32 * 1024;
[[nodiscard]] QByteArray inputMessage(QByteArrayView bytes);
/// The end of standard input. Precondition: endsInput().
[[nodiscard]] QByteArray endOfInputMessage();

/// What came, in order.
class ExecChannels
{
public:
    static constexpr qsizetype maxStatusBytes = 64 * 1024;

    struct Output
    {
        QByteArray output;
        QByteArray errors;
    };
    /// Of a binary message; of any other, and of a channel that is not known, nothing.
    [[nodiscard]] Output take(const transport::WebSocketMessage& message);

    /// How the command ended, once the server has said so: its exit code. Kind::platform, not_found …: it did not run, or how it ended is
    /// not known. Asked when the connection has ended, too: nothing then means that the command may run on.
    [[nodiscard]] std::optional<Result<int>> end() const;

private:
    QByteArray m_status;
};

} // namespace platforms::kubernetes
