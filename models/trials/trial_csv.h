// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace models {

class TrialModel;

/// The rows as they are shown, with these columns: numbers whole, words as they read. Pure.
[[nodiscard]] QByteArray trialCsv(const TrialModel& model, const QList<int>& columns);

} // namespace models
