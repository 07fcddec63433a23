// SPDX-License-Identifier: GPL-3.0-or-later
#include "logging.h"

namespace core {

Q_LOGGING_CATEGORY(lcEngine, "app.engine", QtInfoMsg)
Q_LOGGING_CATEGORY(lcStore, "app.store", QtInfoMsg)
Q_LOGGING_CATEGORY(lcAgent, "app.agent", QtInfoMsg)
Q_LOGGING_CATEGORY(lcPlatform, "app.platform", QtInfoMsg)
Q_LOGGING_CATEGORY(lcHttp, "app.http", QtInfoMsg)
Q_LOGGING_CATEGORY(lcApp, "app.main", QtInfoMsg)

} // namespace core
