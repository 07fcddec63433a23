// SPDX-License-Identifier: GPL-3.0-or-later
// The log's categories. Log text is plain English and never holds a secret, a token or the value of an environment variable.
#pragma once

#include <QLoggingCategory>

namespace core {

Q_DECLARE_LOGGING_CATEGORY(lcEngine)
Q_DECLARE_LOGGING_CATEGORY(lcStore)
Q_DECLARE_LOGGING_CATEGORY(lcAgent)
Q_DECLARE_LOGGING_CATEGORY(lcPlatform)
Q_DECLARE_LOGGING_CATEGORY(lcHttp)
Q_DECLARE_LOGGING_CATEGORY(lcApp)

} // namespace core
