// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_headers.h"

namespace transport {

QByteArray headerValue(const HttpHeaders& headers, QByteArrayView name)
{
    QByteArray joined;
    bool isThere = false;
    for (const auto& [known, value] : headers) {
        if (known.compare(name, Qt::CaseInsensitive) != 0)
            continue;
        if (isThere)
            joined += ", ";
        joined += value;
        isThere = true;
    }
    return joined;
}

} // namespace transport
