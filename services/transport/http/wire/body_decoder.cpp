// SPDX-License-Identifier: GPL-3.0-or-later
#include "body_decoder.h"

namespace transport {

using Framing = BodyFraming::Kind;

std::optional<BodyDecoder> BodyDecoder::of(const ResponseHead& head, QByteArrayView method)
{
    const std::optional<BodyFraming> framing = framingOf(head, method);
    if (!framing)
        return std::nullopt;
    BodyDecoder body;
    body.m_framing = *framing;
    body.m_left = framing->length;
    body.m_isReceived = framing->kind == Framing::none || (framing->kind == Framing::length && framing->length == 0);
    const QByteArray coding = headerValue(head.headers, "content-encoding").toLower();
    if (coding == "gzip" || coding == "x-gzip")
        body.m_gzip = std::make_unique<GzipInflater>();
    else if (!coding.isEmpty() && coding != "identity")
        return std::nullopt;
    return body;
}

bool BodyDecoder::push(QByteArray& bytes)
{
    if (m_isReceived)
        return true;
    QByteArray received;
    switch (m_framing.kind) {
    case Framing::none:
        break;
    case Framing::untilClose:
        received = std::exchange(bytes, {});
        break;
    case Framing::length: {
        const qsizetype mine = qsizetype(std::min<qint64>(m_left, bytes.size()));
        received = bytes.first(mine);
        bytes.remove(0, mine);
        m_left -= mine;
        m_isReceived = m_left == 0;
        break;
    }
    case Framing::chunked: {
        const qsizetype used = m_chunks.decode(bytes, received);
        if (used < 0)
            return false;
        bytes.remove(0, used);
        m_isReceived = m_chunks.isDone();
        break;
    }
    }
    m_hasBytes = m_hasBytes || !received.isEmpty();
    if (m_gzip)
        m_gzip->push(received);
    else
        m_plain += received;
    return true;
}

bool BodyDecoder::end()
{
    if (m_framing.kind == Framing::untilClose)
        m_isReceived = true;
    return m_isReceived;
}

std::optional<QByteArray> BodyDecoder::take(qsizetype most)
{
    if (m_gzip)
        return m_gzip->pull(most);
    const QByteArray taken = m_plain.first(std::min(most, m_plain.size()));
    m_plain.remove(0, taken.size());
    return taken;
}

bool BodyDecoder::isTruncated() const
{
    return m_isReceived && m_gzip && m_hasBytes && !m_gzip->isComplete();
}

bool BodyDecoder::isDone() const
{
    return m_isReceived && m_plain.isEmpty() && (!m_gzip || !m_hasBytes || m_gzip->isComplete());
}

} // namespace transport
