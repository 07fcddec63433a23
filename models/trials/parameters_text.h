// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace models {

/// Parameters in a line: `lr 0.055, batch 32, optimizer adam`. Pure.
[[nodiscard]] QString parametersText(const QByteArray& json, qsizetype longest = 300);

/// The parameters one by one, values as they were written but for the quotes of words; none of what is no object. Pure.
[[nodiscard]] QList<std::pair<QString, QString>> parameterList(const QByteArray& json);
/// A value of the list, short enough to stand among others: `0.0551`. Pure.
[[nodiscard]] QString shortParameter(const QString& value);

} // namespace models
