// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>

#include <optional>

/// A request as a fake server of HTTP gets it from a client that writes it properly.
struct ReceivedRequest
{
    QByteArray method;
    QByteArray target;                     ///< path with query, as sent
    QHash<QByteArray, QByteArray> headers; ///< names in lower case
    QByteArray body;
};

/// Takes one from the front of `buffer`, when all of it is there.
inline std::optional<ReceivedRequest> takeRequest(QByteArray& buffer)
{
    const qsizetype end = buffer.indexOf("\r\n\r\n");
    if (end < 0)
        return std::nullopt;
    const QList<QByteArray> lines = buffer.left(end).split('\n');
    const QList<QByteArray> first = lines[0].trimmed().split(' ');
    ReceivedRequest request{first.value(0), first.value(1), {}, {}};
    for (const QByteArray& line : lines.mid(1))
        request.headers.insert(
            line.left(line.indexOf(':')).trimmed().toLower(), line.mid(line.indexOf(':') + 1).trimmed());
    const qsizetype length = request.headers.value("content-length").toLongLong();
    if (buffer.size() < end + 4 + length)
        return std::nullopt;
    request.body = buffer.mid(end + 4, length);
    buffer.remove(0, end + 4 + length);
    return request;
}
