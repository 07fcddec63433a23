// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of a platform of kind dlts. Where one is empty, what DLTS tells its own jobs counts: a service may run in one. Pure.
#pragma once

#include "services/platforms/json_members.h"
#include "services/core/result.h"

#include <QProcessEnvironment>

namespace platforms::dlts {

/// Settings in which `team`, `email` and `cluster` are there, and where there is neither `password` nor `passwordFile`, `password` too.
/// Kind::invalid: one is missing, or the password cannot be one.
[[nodiscard]] Result<Json> wholeSettings(Json settings, const QProcessEnvironment& environment);

/// Whether it can be a password: 32 hexadecimal digits. Kind::invalid begins with `name`.
[[nodiscard]] Result<> checkPassword(const QString& name, const QString& password);

} // namespace platforms::dlts
