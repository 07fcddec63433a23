// SPDX-License-Identifier: GPL-3.0-or-later
// The head of an HTTP/1.1 answer (RFC 9112): status line and fields, and how its body ends. Pure.
#pragma once

#include "http_headers.h"

namespace transport {

inline constexpr qsizetype maxHeadBytes = 64 * 1024;
inline constexpr int maxHeadFields = 256;

struct ResponseHead
{
    int minorVersion = 1; ///< of HTTP/1.x
    int status = 0;       ///< 100 to 599
    QByteArray reason;
    HttpHeaders headers;

    [[nodiscard]] bool isInterim() const { return status < 200 && status != 101; }
    bool operator==(const ResponseHead&) const = default;
};

/// Collects the bytes of one head.
class ResponseHeadParser
{
public:
    enum class State { more, done, broken };

    /// Takes the bytes of the head from `bytes` and leaves those behind it. Broken: not HTTP/1.x, malformed, or beyond a limit above.
    [[nodiscard]] State take(QByteArray& bytes);
    /// Precondition: the last take() returned done.
    [[nodiscard]] const ResponseHead& head() const { return m_head; }
    [[nodiscard]] bool isEmpty() const { return m_bytes.isEmpty(); } ///< no byte was taken

private:
    QByteArray m_bytes;
    qsizetype m_searched = 0;
    ResponseHead m_head;
};

struct BodyFraming
{
    enum class Kind { none, length, chunked, untilClose };
    Kind kind = Kind::none;
    qint64 length = 0; ///< of Kind::length

    bool operator==(const BodyFraming&) const = default;
};

/// Nothing when the fields contradict each other: several lengths, a length beside Transfer-Encoding, a coding other than chunked.
[[nodiscard]] std::optional<BodyFraming> framingOf(const ResponseHead& head, QByteArrayView method);

/// Whether the connection may serve another request after a body that was framed so.
[[nodiscard]] bool keepsAlive(const ResponseHead& head, const BodyFraming& framing);

/// Whether a name, or value, may be sent as a header field: no separators, no line ends.
[[nodiscard]] bool isFieldName(QByteArrayView name);
[[nodiscard]] bool isFieldValue(QByteArrayView value);

} // namespace transport
