// SPDX-License-Identifier: GPL-3.0-or-later
// Spans of time as a person types them. Pure functions.
#pragma once

#include <QString>

#include <optional>

namespace models {

/// The text of a span for a field, whole: `1 d 2 h 3 min 4 s`. Zero and less: `0 s`.
[[nodiscard]] QString durationInput(qint64 seconds);

/// The seconds of such a text, with or without blanks: `90`, `90 s`, `2 min`, `2m`, `1h30m`, `1.5 h`; each unit once, from large to small. A
/// number without a unit counts seconds. nullopt for anything else, and for more than 100 years.
[[nodiscard]] std::optional<qint64> secondsOfInput(const QString& text);

} // namespace models
