// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chunked_decoder.h"
#include "gzip_inflater.h"
#include "response_head.h"

namespace transport {

/// The body of one answer out of the bytes of its connection: transfer coding and compression undone, and its end known. Pure.
class BodyDecoder
{
public:
    /// Nothing when the answer's fields contradict each other or name a coding that was not asked for.
    [[nodiscard]] static std::optional<BodyDecoder> of(const ResponseHead& head, QByteArrayView method);

    /// Takes bytes of the connection; what follows the body is left in `bytes`. False: they break the coding.
    [[nodiscard]] bool push(QByteArray& bytes);
    /// The other side closed the connection. False: before the body was complete.
    [[nodiscard]] bool end();
    /// Up to `most` bytes of the body; empty when more must be pushed first, or it is at its end. Nothing: damaged.
    [[nodiscard]] std::optional<QByteArray> take(qsizetype most);
    /// No more bytes of the connection belong to it. take() may still have some.
    [[nodiscard]] bool isReceived() const { return m_isReceived; }
    /// Everything was received and taken.
    [[nodiscard]] bool isDone() const;
    /// Received, and the compressed data stops in the middle. Asked when take() gives nothing more.
    [[nodiscard]] bool isTruncated() const;
    [[nodiscard]] const BodyFraming& framing() const { return m_framing; }

private:
    BodyDecoder() = default;

    BodyFraming m_framing;
    qint64 m_left = 0; ///< of Kind::length
    ChunkedDecoder m_chunks;
    std::unique_ptr<GzipInflater> m_gzip;
    QByteArray m_plain; ///< received and not taken, without compression
    bool m_isReceived = false;
    bool m_hasBytes = false; ///< anything was received
};

} // namespace transport
