// SPDX-License-Identifier: GPL-3.0-or-later
#include "jwt_expiry.h"

#include "kube_json.h"

namespace platforms::kubernetes {

namespace {

constexpr qsizetype longestToken = 64 * 1024;
constexpr double latestSeconds = 1e11; ///< the year 5138

} // namespace

std::optional<qint64> jwtExpiryMs(QByteArrayView token)
{
    const qsizetype first = token.indexOf('.');
    const qsizetype second = first < 0 ? -1 : token.indexOf('.', first + 1);
    if (second < 0 || token.size() > longestToken)
        return std::nullopt;
    const auto claims = QByteArray::fromBase64Encoding(token.sliced(first + 1, second - first - 1).toByteArray(),
        QByteArray::Base64UrlEncoding | QByteArray::AbortOnBase64DecodingErrors);
    if (!claims)
        return std::nullopt;
    const Result<Json> json = parseJson(*claims);
    const Json* expiry = json ? memberOf(*json, "exp") : nullptr;
    if (!expiry || !expiry->is_number())
        return std::nullopt;
    const double seconds = expiry->get<double>();
    if (!(seconds >= 0 && seconds < latestSeconds))
        return std::nullopt;
    return qint64(seconds * 1'000);
}

} // namespace platforms::kubernetes
