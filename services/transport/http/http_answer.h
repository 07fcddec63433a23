// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_connection.h"

#include "wire/response_head.h"

namespace transport {

/// One answer, as it is read from its connection. Held by shared_ptr; a coroutine that awaits one of its tasks holds it, too. Dropping the
/// last pointer before the end tells the server that no more is wanted. Damaged answers are Kind::network, as broken connections are: the
/// next one may be whole.
class HttpAnswer
{
public:
    virtual ~HttpAnswer() = default;

    [[nodiscard]] virtual const ResponseHead& head() const = 0;
    [[nodiscard]] virtual const HttpOrigin& origin() const = 0;
    /// 1 to `most` bytes of the body; none: it is complete. One at a time.
    [[nodiscard]] virtual Task<Result<QByteArray>> read(qsizetype most, Patience patience) = 0;
    /// What waits ends with an error.
    virtual void abort() = 0;
    /// The connection that has this answer alone; null where others share it.
    [[nodiscard]] virtual std::shared_ptr<HttpConnection> connection() const = 0;
    /// The connection, when it can serve another request; null otherwise. The answer is over then.
    [[nodiscard]] virtual std::shared_ptr<HttpConnection> takeReusable() { return nullptr; }

    /// What follows, at the most `most` bytes: more is Kind::platform.
    [[nodiscard]] Task<Result<QByteArray>> readAll(qint64 most, Patience patience);

protected:
    [[nodiscard]] Error damaged(const core::Message& how) const;
};

} // namespace transport
