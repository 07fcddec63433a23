// SPDX-License-Identifier: GPL-3.0-or-later
// When a request is sent again, and after how long. Pure.
#pragma once

#include "http_types.h"

namespace transport {

/// How one attempt ended.
struct AttemptEnd
{
    std::optional<Kind> error; ///< without an answer, or with one that is damaged; nothing: there is an answer
    int status = 0;            ///< of the answer
    QByteArray retryAfter;     ///< the answer's field of that name
    QByteArray date;           ///< likewise
};

/// | ended with | repeatable | not repeatable |
/// | --- | --- | --- |
/// | an error of a kind that core::retryable() names | again | never: the outcome is unknown |
/// | 429 | again | again: the server did nothing |
/// | 408, 503 with Retry-After | again | again |
/// | 408 and any 5xx | again | never |
/// | anything else | never | never |
[[nodiscard]] bool isWorthRepeating(const AttemptEnd& end, bool isRepeatable);

/// Milliseconds until the next attempt: what Retry-After asks for, from 1 s to 5 min, a date being compared with the answer's own
/// (with `nowMs` where it has none) and a tenth added at random; else full jitter below 1, 2, 4 … 60 s. `failures`: attempts so far, from 1.
/// `random`: from 0 to 1.
[[nodiscard]] qint64 retryDelayMs(const AttemptEnd& end, int failures, double random, qint64 nowMs);

/// Milliseconds since the epoch of an HTTP date in any of its three forms (RFC 9110, 5.6.7).
[[nodiscard]] std::optional<qint64> httpDateMs(QByteArrayView text);

} // namespace transport
