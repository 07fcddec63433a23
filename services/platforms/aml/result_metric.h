// SPDX-License-Identifier: GPL-3.0-or-later
// A trial's result as a metric of its job's run, which the studio draws. Pure. Source: MLflow's REST interface 2.0, runs/log-metric, and its rules
// of names (mlflow/utils/validation.py).
#pragma once

#include "services/platforms/platform.h"

namespace platforms::aml {

/// A name that MLflow takes, as like the given one as can be; `default` for an empty one.
[[nodiscard]] QString metricKey(const QString& name);
/// The body of runs/log-metric. Said again it adds the same point once more, which changes no curve.
[[nodiscard]] QByteArray metricBody(const QString& job, const TrialResult& result);

} // namespace platforms::aml
