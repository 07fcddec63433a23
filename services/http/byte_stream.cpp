// SPDX-License-Identifier: GPL-3.0-or-later
#include "byte_stream.h"

namespace http {

ByteStream::ByteStream(StreamBytes wanted, bool chunked)
    : m_wanted(std::move(wanted))
    , m_chunked(chunked)
{
}

ByteStream::Piece ByteStream::take(api::Reply reply)
{
    api::ReadLog& read = m_wanted.read;
    read.tail.reset();
    read.offset = reply.offset + reply.bytes.size();
    m_ends = reply.end || (!read.follow && (reply.bytes.isEmpty() || read.offset >= reply.size));
    m_pauses = reply.bytes.isEmpty();
    Piece piece{{}, std::move(reply.bytes)};
    if (!m_chunked)
        return piece;
    if (!piece.bytes.isEmpty()) {
        piece.before = QByteArray::number(piece.bytes.size(), 16) + "\r\n";
        piece.bytes += "\r\n";
    }
    if (m_ends)
        piece.bytes += "0\r\n\r\n";
    return piece;
}

} // namespace http
