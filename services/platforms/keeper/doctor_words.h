// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of the agent about its machine (app/trialkeeper/agent/doctor.cpp), which says them in English.
#pragma once

#include "services/core/message/message.h"

namespace platforms {

/// A title, a detail or a remedy with the template that it was made of; as it stands, where it is none that is known here.
[[nodiscard]] core::Message doctorMessage(const QString& text);

} // namespace platforms
