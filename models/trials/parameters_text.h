// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace models {

/// Parameters in a line: `lr 0.055, batch 32, optimizer adam`. Pure.
[[nodiscard]] QString parametersText(const QByteArray& json, qsizetype longest = 300);

/// Names and values of the parameters; values as written, strings without quotes. Empty if `json` is not an object. Pure.
[[nodiscard]] QList<std::pair<QString, QString>> parameterList(const QByteArray& json);
/// A shortened value of parameterList(): `0.0551`. Pure.
[[nodiscard]] QString shortParameter(const QString& value);

} // namespace models
