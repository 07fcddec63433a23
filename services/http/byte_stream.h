// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api_routes.h"

namespace http {

/// A log or a file as a reply of unknown length: what is asked of the engine next, and how each piece goes to the client. Pure.
class ByteStream
{
public:
    struct Piece
    {
        QByteArray before; ///< of a chunk: its size
        QByteArray bytes;
        [[nodiscard]] bool isEmpty() const { return before.isEmpty() && bytes.isEmpty(); }
    };

    /// `chunked`: the client speaks HTTP/1.1; else the end of the connection is the end of the reply.
    explicit ByteStream(StreamBytes wanted = {}, bool chunked = true);

    [[nodiscard]] const api::ReadLog& next() const { return m_wanted.read; }
    [[nodiscard]] const QByteArray& contentType() const { return m_wanted.contentType; }
    [[nodiscard]] Piece take(api::Reply reply);

    // After the last piece.
    [[nodiscard]] bool ends() const { return m_ends; }
    [[nodiscard]] bool pauses() const { return m_pauses; } ///< there was nothing, though more may come

private:
    StreamBytes m_wanted;
    bool m_chunked;
    bool m_ends = false;
    bool m_pauses = false;
};

} // namespace http
