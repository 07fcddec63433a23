// SPDX-License-Identifier: GPL-3.0-or-later
// What Entra ID, a managed identity's service and the program az answer, as values. Pure; no input makes them fail but with an error.
// Sources: RFC 6749 (5.1, 5.2) and RFC 8628 (3.2, 3.5); of Entra ID and of az what they add.
#pragma once

#include "services/core/result.h"
#include "services/platforms/json_members.h"

namespace platforms::azure {

struct EntraToken
{
    QByteArray access;    ///< can stand in a header
    QString refresh;      ///< empty: none came with it
    qint64 expiresMs = 0; ///< since the epoch
    qint64 livesMs = 0;   ///< from when it was read

    bool operator==(const EntraToken&) const = default;
};

struct DeviceCode
{
    QString code;     ///< secret: what is asked with
    QString userCode; ///< what the person enters
    QString page;     ///< where
    qint64 expiresInMs = 0;
    qint64 intervalMs = 0; ///< between two questions

    bool operator==(const DeviceCode&) const = default;
};

struct TokenRefusal
{
    enum class What {
        pending,  ///< the person has not entered the code yet
        slowDown, ///< likewise, and it is asked too often
        declined, ///< the person refused
        expired,  ///< the code is too old
        grant,    ///< a refresh token that is not good (any more)
        other,
    };
    What what = What::other;
    Error error; ///< of one line; without secrets
};

/// Of an answer with a token. Numbers may be texts, as managed identities write them. `nowMs`: milliseconds since the epoch.
[[nodiscard]] Result<EntraToken> readToken(const Json& json, qint64 nowMs);
/// What `az account get-access-token` printed. Before az 2.54 the end is a local time alone.
[[nodiscard]] Result<EntraToken> readAzToken(const QByteArray& output, qint64 nowMs);
[[nodiscard]] Result<DeviceCode> readDeviceCode(const Json& json);
/// Of an answer that is no success, whatever its body is.
[[nodiscard]] TokenRefusal readTokenRefusal(int status, const QByteArray& body);
/// Why az gave no token. `errors`: what it wrote to its standard error.
[[nodiscard]] Error azError(int exitCode, const QByteArray& errors);

} // namespace platforms::azure
