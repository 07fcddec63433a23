// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/azure/blob_folder.h"
#include "services/platforms/openpai/openpai_answers.h"
#include "services/platforms/platform.h"

namespace platforms::openpai {

/// What trials have in a storage that is none of this computer's file systems, by the keys that OpenPAI gave with it. Kind::invalid, with a sentence that names the setting: it cannot be used so.
[[nodiscard]] Result<std::unique_ptr<azure::BlobFolder>> blobFolder(
    const StorageDetail& storage, const Json& settings, const Context& context);

} // namespace platforms::openpai
