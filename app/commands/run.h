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
/// Of the platform of that id, or part of one.
[[nodiscard]] Result<QString> kindOfPlatform(ServiceClient& client, const QString& id);
/// The fields of an experiment's platformOptions on platforms of that kind; none for a kind that takes none.
[[nodiscard]] Result<Json> experimentFields(ServiceClient& client, const QString& kind);
/// Values of --option for such a platform; Kind::invalid for a mistake in the command line.
[[nodiscard]] Result<Json> optionsOfWords(
    const QStringList& words, const Json& fields, const QString& folder, const QString& platform);
/// An experiment's JSON file, with its folder made absolute.
[[nodiscard]] Result<Json> readExperimentFile(const QString& file);
/// PATH, VIRTUAL_ENV and CONDA_PREFIX of the caller, where the experiment does not set them itself.
void addCallerEnvironment(Json& experiment, const QProcessEnvironment& environment);

} // namespace commands
