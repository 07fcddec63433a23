// SPDX-License-Identifier: GPL-3.0-or-later
// Members of the cluster's objects, of whatever type they are. Pure; nothing throws.
#pragma once

#include "services/core/json.h"

#include <QMap>

#include <optional>

namespace platforms::kubernetes {

using namespace core;

inline constexpr qsizetype maxFactText = 4'096; ///< of a text that is kept, in characters

/// The member at the end of the path; an empty object where there is none.
[[nodiscard]] const Json& memberAt(const Json& object, std::initializer_list<const char*> path);
/// The elements of a member that is a list of objects; else none.
[[nodiscard]] QList<const Json*> objectsIn(const Json& object, const char* name);
/// A text, cut at `maxFactText`; empty where it is none.
[[nodiscard]] QString textAt(const Json& object, std::initializer_list<const char*> path);
[[nodiscard]] bool isTrueAt(const Json& object, std::initializer_list<const char*> path);
/// A whole number between 0 and `most`, also one that is written as a text.
[[nodiscard]] std::optional<qint64> countAt(
    const Json& object, std::initializer_list<const char*> path, qint64 most = 1'000'000'000);
/// A time of RFC 3339 after 1970, in milliseconds since the epoch.
[[nodiscard]] std::optional<qint64> timeAt(const Json& object, std::initializer_list<const char*> path);
[[nodiscard]] std::optional<qint64> kubeTime(QStringView text);
/// Labels and annotations: the members that are texts.
[[nodiscard]] QMap<QString, QString> textsAt(const Json& object, std::initializer_list<const char*> path);
/// Amounts by resource: CPUs (`cpu`, `requests.cpu`, `limits.cpu`) in thousandths, all else in whole units. Damaged ones are left out.
[[nodiscard]] QMap<QString, qint64> amountsAt(const Json& object, std::initializer_list<const char*> path);
[[nodiscard]] bool isCpu(QStringView resource); ///< whose amounts are thousandths

/// The condition of this type in `status.conditions`; an empty object where there is none.
[[nodiscard]] const Json& conditionOf(const Json& object, QLatin1StringView type);
[[nodiscard]] bool holds(const Json& condition); ///< its status is True

/// The largest number instead of more.
[[nodiscard]] qint64 boundedSum(qint64 a, qint64 b);

} // namespace platforms::kubernetes
