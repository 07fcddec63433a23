// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment as a file describes it: the JSON document of POST /experiments, or one of NNI's YAML files.
#pragma once

#include "context.h"

namespace commands {

struct ExperimentDocument
{
    Json experiment; ///< what POST /experiments takes; relative folders counted from the file
    /// Of an NNI file: the kind of platform that it names, and its settings.
    QString kind;
    Json settings = Json::object();
    QString needsNni;  ///< not empty: the search runs only in NNI, and what to do
    QStringList notes; ///< members of the file that have no effect
};

/// All of a file; Kind::invalid when it is larger than `mebibytes`, of which no more than that is read.
[[nodiscard]] Result<QByteArray> readWhole(const QString& file, int mebibytes);

/// By the file's extension. `otherPlatform`: the person named one, which has precedence over the file's.
[[nodiscard]] Result<ExperimentDocument> readExperimentDocument(
    const QString& file, const QProcessEnvironment& environment, bool otherPlatform);

/// The platform of that kind with these settings: one that is there, or a new one.
[[nodiscard]] Result<QString> platformWithSettings(
    Context& context, ServiceClient& client, const ExperimentDocument& document);

/// Sends the code in a folder of this computer to a service elsewhere, unless it has it; the experiment then names its hash. Nothing
/// happens where the folder is not here: it may be one of the service's.
[[nodiscard]] Result<> sendCode(Context& context, ServiceClient& client, const QString& folder, Json& experiment);

/// What would be copied as the trials' code: `{files: [{path, size}], bytes, findings?: [{path, message}]}`; null when nothing is, or
/// the folder is not here. Without `ownFolders` (Paths::folders()).
[[nodiscard]] Result<Json> uploadList(const Json& experiment, const QStringList& ownFolders);
/// Tells the person the findings of an uploadList(), the first of many.
void noteFindings(Console& console, const Json& upload);

} // namespace commands
