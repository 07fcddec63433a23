// SPDX-License-Identifier: GPL-3.0-or-later
// What more than one verb does to make experiments and trials.
#pragma once

#include "context.h"

namespace commands {

/// POST /experiments, safe to repeat.
[[nodiscard]] Result<Json> createExperiment(ServiceClient& client, const Json& experiment);
/// Submits trials, each the JSON text of a trial's object, in batches; gives all that were accepted as `trials`.
[[nodiscard]] Result<Json> submitTexts(
    ServiceClient& client, const QString& experiment, const QList<QByteArray>& trials);
/// Whether the platform of that id (or part of one) is of the kind `local`.
[[nodiscard]] Result<bool> isLocalPlatform(ServiceClient& client, const QString& id);
/// An experiment's JSON file, with its folder made absolute.
[[nodiscard]] Result<Json> readExperimentFile(const QString& file);
/// PATH, VIRTUAL_ENV and CONDA_PREFIX of the caller, where the experiment does not set them itself.
void addCallerEnvironment(Json& experiment, const QProcessEnvironment& environment);

} // namespace commands
