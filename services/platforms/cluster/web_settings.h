// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of clusters that are reached by HTTP. An error is Kind::invalid and begins with the setting's name.
#pragma once

#include "services/platforms/json_members.h"
#include "services/core/result.h"

#include <QUrl>

namespace platforms {

/// An http or https address, with https where none is written. `example`: how one looks.
[[nodiscard]] Result<QUrl> addressIn(const Json& settings, const char* name, const QString& example);
/// PEM of the file that a setting names; empty: it names none.
[[nodiscard]] Result<QByteArray> authoritiesIn(const Json& settings, const char* name);
/// Whether the settings with these names are absolute paths, or empty.
[[nodiscard]] Result<> checkAbsolute(const Json& settings, std::initializer_list<const char*> names);

} // namespace platforms
