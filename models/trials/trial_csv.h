// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace models {

class TrialModel;

/// The model's rows in their order, with these columns: numbers with full precision, other cells as displayed. UTF-8. Pure.
[[nodiscard]] QByteArray trialCsv(const TrialModel& model, const QList<int>& columns);

} // namespace models
