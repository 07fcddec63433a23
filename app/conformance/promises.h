// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench.h"

namespace app::conformance {

/// What a promise's trial came to; nothing: it is kept. `notPromised` where the platform has not got that.
struct Finding
{
    PromiseResult::Verdict verdict = PromiseResult::Verdict::kept;
    QString detail;
};

struct Promise
{
    const char* name;
    const char* sentence;
    Result<Finding> (*attempt)(Bench&);
};
[[nodiscard]] const QList<Promise>& promises();

} // namespace app::conformance
