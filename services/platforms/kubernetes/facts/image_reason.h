// SPDX-License-Identifier: GPL-3.0-or-later
// Why a container's image cannot be had. Pure.
#pragma once

#include "waiting_reason.h"

namespace platforms::kubernetes {

/// `word`: of the container's state, `ErrImagePull`. `message`: the longest that was said of it, by the state or by an event. Empty: the
/// word is not about an image.
[[nodiscard]] WaitingReason imageReason(const QString& word, const QString& image, const QString& message);

} // namespace platforms::kubernetes
