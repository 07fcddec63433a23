// SPDX-License-Identifier: GPL-3.0-or-later
// From checked settings of the platform and options of the experiment to what a job asks for. Pure.
#pragma once

#include "slurm_script.h"

#include "services/core/json.h"

namespace platforms::slurm {

/// Sets in `values` what slurm_fields.h describes: partition, account, QOS, reservation, constraint, extra arguments (the platform's, then the
/// experiment's), GPU type and option, CPUs, memory, time limit, signal, requeue, exclusive, preamble, container. The rest stays.
/// Kind::invalid, with the field's name in front, for a value that cannot be read.
[[nodiscard]] Result<> applyOptions(ScriptValues& values, const Json& settings, const Json& options);

/// "90" minutes, "2:00:00", "1-12:00:00"; in seconds. Kind::invalid for what is none, or is 0.
[[nodiscard]] Result<qint64> timeLimitSeconds(const QString& text);

} // namespace platforms::slurm
