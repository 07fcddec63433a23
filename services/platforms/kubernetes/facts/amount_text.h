// SPDX-License-Identifier: GPL-3.0-or-later
// Amounts of resources in sentences. Pure.
#pragma once

#include "services/core/message/message.h"

namespace platforms::kubernetes {

using namespace core;

/// "8 GiB", "512 MiB", "1.5 GiB".
[[nodiscard]] QString sizeText(qint64 bytes);
/// "1.5 CPUs", "8 GiB of memory", "2 nvidia.com/gpu". `amount`: CPUs in thousandths.
[[nodiscard]] Message amountText(const QString& resource, qint64 amount);

} // namespace platforms::kubernetes
