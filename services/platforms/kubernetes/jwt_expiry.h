// SPDX-License-Identifier: GPL-3.0-or-later
// When a token says that it ends. Pure; the signature is the server's business.
#pragma once

#include <QByteArrayView>

#include <optional>

namespace platforms::kubernetes {

/// `exp` of a JWT in milliseconds since the epoch. Nothing: it is none, or says no end.
[[nodiscard]] std::optional<qint64> jwtExpiryMs(QByteArrayView token);

} // namespace platforms::kubernetes
