// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/json.h"

namespace api {

using namespace core;

/// A reply or event as its reader takes it. Where parseJson() refuses the whole, for one record that is nested too deeply, the
/// members of the outermost object and the elements of its lists are read one by one, and those that cannot be read are left
/// out; their number goes to `skipped`. Kind::invalid only when the text is no JSON.
[[nodiscard]] Result<Json> readableJson(QByteArrayView text, int* skipped = nullptr);

} // namespace api
