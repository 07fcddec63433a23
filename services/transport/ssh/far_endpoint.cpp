// SPDX-License-Identifier: GPL-3.0-or-later
#include "far_endpoint.h"

#include "services/core/json.h"
#include "services/transport/wire_json.h"

namespace transport {

bool FarEndpoint::isUsable() const
{
    return socket.startsWith(u'/') && !socket.contains(QChar(0)) && socket.toUtf8().size() <= longestSocketPath
        && !tokenFile.contains(u'\n');
}

std::optional<FarEndpoint> parseFarEndpoint(const QByteArray& output)
{
    const auto endpoint = core::parseJson(output.mid(std::max<qsizetype>(output.indexOf('{'), 0)));
    if (!endpoint || !endpoint->is_object())
        return std::nullopt;
    return FarEndpoint{textOf(*endpoint, "socket"), textOf(*endpoint, "tokenFile"), numberOf(*endpoint, "pid")};
}

} // namespace transport
