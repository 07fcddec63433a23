// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_answer.h"

using namespace Qt::StringLiterals;

namespace transport {

Error HttpAnswer::damaged(const Message& how) const
{
    return {Kind::network, u"The answer of %1 is damaged: %2."_m.arg(originText(origin()), how), {}};
}

Task<Result<QByteArray>> HttpAnswer::readAll(qint64 most, Patience patience)
{
    QByteArray all;
    for (;;) {
        auto reading = read(HttpConnection::readAheadBytes, patience);
        const Result<QByteArray> bytes = co_await reading;
        if (!bytes)
            co_return fail(bytes);
        if (bytes->isEmpty())
            co_return all;
        if (all.size() + bytes->size() > most)
            co_return fail(Kind::platform,
                u"%1 sent more than %2 KiB, the most that this answer may have."_m.arg(originText(origin()))
                    .arg(most / 1024));
        all += *bytes;
    }
}

} // namespace transport
