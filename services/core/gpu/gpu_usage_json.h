// SPDX-License-Identifier: GPL-3.0-or-later
// The history of the GPUs in the public spelling (GET /gpu-usage). Pure.
#pragma once

#include "gpu_use.h"
#include "services/core/json.h"

namespace core {

[[nodiscard]] Json gpuUsageJson(const QList<GpuUsageSample>& samples);
/// What cannot be read is left out.
[[nodiscard]] QList<GpuUsageSample> gpuUsageFromJson(const Json& document);

} // namespace core
