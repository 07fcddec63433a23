// SPDX-License-Identifier: GPL-3.0-or-later
// The precompiled header of everything under services/ but services/http: only what nearly every file includes.
#pragma once

#include "json.h"

#include <QByteArray>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QHash>
#include <QList>
#include <QLoggingCategory>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <QCoroFuture>
#include <QCoroTask>

#include <tl/expected.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>
