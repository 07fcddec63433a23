// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace transport {

/// endpoint.json of a service on another computer, as far as a tunnel needs it. What is missing or of another type is empty.
struct FarEndpoint
{
    QString socket; ///< of the service, in its data directory
    QString tokenFile;
    qint64 pid = 0;

    bool operator==(const FarEndpoint&) const = default;

    /// Whether sshd can lead a channel to the socket, and the token's file can be asked for by a line.
    [[nodiscard]] bool isUsable() const;
    static constexpr qsizetype longestSocketPath = 107; ///< bytes; sshd puts it into a sockaddr_un
};

/// `output`: the file, perhaps behind what a login shell said first. Nothing where it holds no JSON object. Pure.
[[nodiscard]] std::optional<FarEndpoint> parseFarEndpoint(const QByteArray& output);

} // namespace transport
