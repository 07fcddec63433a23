// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that are the same on each cluster that is reached by HTTP.
#pragma once

#include "platform.h"

namespace platforms {

/// What trials run in; also of an experiment, which wins.
[[nodiscard]] Field containerImageField();
/// caFile, maxJobs, pollInterval: of rare use. `pollHelp`: how often jobs are listed, and what it costs.
[[nodiscard]] QList<Field> clusterCallFields(const Message& pollHelp);

} // namespace platforms
