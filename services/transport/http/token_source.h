// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/result.h"
#include "services/core/task.h"

#include <QByteArray>

#include <stop_token>

namespace transport {

/// Where the value of Authorization, or of HttpSettings::tokenHeader, comes from: a setting, a file, a login, an identity provider. On the client's thread; must outlive
/// the client.
class TokenSource
{
public:
    virtual ~TokenSource() = default;
    /// A whole value: `Bearer abc`. `rejected` is the one that the server answered with 401, empty at first; a source that knows no
    /// other returns Kind::auth. One call at a time for each client, however many requests wait for it. The stop is that of the client.
    [[nodiscard]] virtual core::Task<core::Result<QByteArray>> authorization(
        QByteArray rejected, std::stop_token stop) = 0;
};

} // namespace transport
