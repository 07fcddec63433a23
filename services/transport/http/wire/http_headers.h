// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QList>

#include <optional>

namespace transport {

using namespace core;

/// Fields in the order of the wire; names as they were received.
using HttpHeaders = QList<std::pair<QByteArray, QByteArray>>;

/// The value of a field, names compared without case; the values of a repeated field joined with ", ".
[[nodiscard]] QByteArray headerValue(const HttpHeaders& headers, QByteArrayView name);

} // namespace transport
