// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"

#include <QByteArray>
#include <QList>
#include <QSet>

namespace models {

class TrialModel;

/// The model's rows in their order, with these columns: numbers with full precision, other cells as displayed. UTF-8. Pure.
[[nodiscard]] QByteArray trialCsv(const TrialModel& model, const QList<int>& columns);
/// The same of some rows, in the model's order and with tabs between, as spreadsheets take it from the clipboard.
[[nodiscard]] QByteArray trialTsv(
    const TrialModel& model, const QList<int>& columns, const QSet<core::TrialId>& trials);

} // namespace models
