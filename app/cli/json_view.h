// SPDX-License-Identifier: GPL-3.0-or-later
// Lenient looks into replies: a member that is absent, null or of another type reads as nothing. Unknown members are ignored, so an
// older client still works with a newer service.
#pragma once

#include "services/core/json.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace app {

using core::Json;

/// The member, or a null that lives forever.
[[nodiscard]] const Json& member(const Json& object, const char* name);
[[nodiscard]] QString textOf(const Json& object, const char* name);
/// A sentence of the service in the language of the terminal (core::localized()); for text that a person reads, never for --json.
[[nodiscard]] QString sentenceOf(const Json& object, const char* name);
[[nodiscard]] std::optional<qint64> numberOf(const Json& object, const char* name);
[[nodiscard]] std::optional<double> realOf(const Json& object, const char* name);
[[nodiscard]] bool flagOf(const Json& object, const char* name);
/// The strings of a list.
[[nodiscard]] QStringList wordsOf(const Json& object, const char* name);
/// The list's entries; empty when it is none.
[[nodiscard]] const Json& listOf(const Json& object, const char* name);

} // namespace app
