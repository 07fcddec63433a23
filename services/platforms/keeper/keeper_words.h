// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of the keeper, which has no templates of its own: it says them in English, on machines that may have another version of it.
#pragma once

#include "services/core/message/message.h"

namespace platforms {

/// The sentence with the template that it was made of, so that a client can say it in another language; as it stands, where it is none that is
/// known here.
[[nodiscard]] core::Message keeperMessage(const QString& text);

} // namespace platforms
