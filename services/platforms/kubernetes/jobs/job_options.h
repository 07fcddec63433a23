// SPDX-License-Identifier: GPL-3.0-or-later
// From checked settings of the platform and options of the experiment to what a Job asks for. Pure.
#pragma once

#include "job_manifest.h"

namespace platforms::kubernetes {

/// Sets in `values` what kubernetes_fields.h describes, the experiment's option where it has one, else the platform's. An image may be missing:
/// jobManifest() says so. Kind::invalid, with the field's name in front, for a value that cannot be read.
[[nodiscard]] Result<> applyOptions(JobValues& values, const Json& settings, const Json& options);

/// "a=b,c=d".
[[nodiscard]] Result<QMap<QString, QString>> readSelector(const QString& text);
/// "gpu", "gpu=true", "gpu=true:NoSchedule", ":NoExecute", separated by commas.
[[nodiscard]] Result<QList<Toleration>> readTolerations(const QString& text);
/// "data:/data,models:/models".
[[nodiscard]] Result<QList<ClaimMount>> readClaims(const QString& text);
/// Words separated by commas, each of which may be the name of an object.
[[nodiscard]] Result<QStringList> readNames(const QString& text);
/// "4", "0.5".
[[nodiscard]] Result<double> readCpus(const QString& text);

} // namespace platforms::kubernetes
