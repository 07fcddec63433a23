// SPDX-License-Identifier: GPL-3.0-or-later
// Amounts of resources as Kubernetes spells them: "2", "1500m", "4Gi", "1e3". Pure.
#pragma once

#include <QString>

#include <optional>

namespace platforms::kubernetes {

/// In thousandths, rounded up: "2" is 2000. Nothing for damaged, negative or too large amounts.
[[nodiscard]] std::optional<qint64> quantityMilli(QStringView text);
/// In whole units (bytes, cores, devices), rounded up: "1500m" is 2. Nothing as above.
[[nodiscard]] std::optional<qint64> quantityValue(QStringView text);

} // namespace platforms::kubernetes
