// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "message.h"

namespace core {

/// The message in the language of the installed translators (QCoreApplication), in English where it has no template or no translation.
/// What lies in its gaps is translated likewise. Any thread.
[[nodiscard]] QString localized(const Message& message);

} // namespace core
