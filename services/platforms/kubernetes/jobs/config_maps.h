// SPDX-License-Identifier: GPL-3.0-or-later
// Files that pods need, as ConfigMaps: the keeper, and code in parts. Pure.
#pragma once

#include "services/core/json.h"

#include <QMap>

namespace platforms::kubernetes {

using namespace core;

/// Raw bytes that one ConfigMap carries; the API server refuses 1,048,577.
inline constexpr qint64 maxMapBytes = 1'000'000;
/// Parts of a code archive: all of them are in etcd, and travel once for each node.
inline constexpr int maxCodeParts = 16;
/// Bytes of an archive that is sent into each pod.
inline constexpr qint64 maxSentBytes = 300'000'000;

/// Immutable, with one file.
[[nodiscard]] Json configMap(
    const QString& name, const QMap<QString, QString>& labels, const QString& key, const QByteArray& bytes);

/// How many parts an archive of so many bytes takes; 0: more than maxCodeParts, so that it is sent into each pod instead. Kind::invalid with a
/// way out where it is too large for that, too.
[[nodiscard]] Result<int> codeParts(qint64 archiveBytes);

} // namespace platforms::kubernetes
