// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/json_view.h"
#include "services/core/result.h"

namespace commands {

using namespace app;
using core::Result;

/// NAME=VALUE words to settings, by the fields that the kind describes (GET /platform-kinds). A text field and a table keep their text
/// (of a table YAML, which the service reads); others are read as JSON, indices also as `0,1`. `NAME=@FILE` takes the value from a file; a secret is taken in no other way.
/// Files count from `folder`. Kind::invalid otherwise. `noun`: what errors call a field.
[[nodiscard]] Result<Json> settingsFromWords(const QStringList& words, const Json& fields, const QString& folder,
    const QString& noun = QStringLiteral("setting"));

} // namespace commands
