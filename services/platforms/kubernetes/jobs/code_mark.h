// SPDX-License-Identifier: GPL-3.0-or-later
// Which code a pod waits for, as an annotation of its Job: a service that was restarted reads it there. Pure.
#pragma once

#include "services/core/ids.h"

#include <QByteArray>

namespace platforms::kubernetes {

using namespace core;

inline constexpr const char* codeAnnotation = "trialdeck/code";

/// `sha`: of the snapshot. `key`: the data directory's secret (Context::placementKey), so that nobody in the cluster can ask for other code.
[[nodiscard]] QString codeMark(const QByteArray& key, const TrialId& trial, const QString& sha);
/// The snapshot's hash; empty: the mark is not this service's, or of another trial.
[[nodiscard]] QString markedCode(const QByteArray& key, const TrialId& trial, const QString& mark);

} // namespace platforms::kubernetes
