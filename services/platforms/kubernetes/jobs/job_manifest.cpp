// SPDX-License-Identifier: GPL-3.0-or-later
#include "job_manifest.h"

#include "job_names.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

Result<Json> jobManifest(const JobValues& values)
{
    Result<Json> pod = podTemplate(values);
    if (!pod)
        return pod;
    Json spec = {{"backoffLimit", 0}, {"completions", 1}, {"parallelism", 1}};
    if (values.deadlineSeconds > 0)
        spec["activeDeadlineSeconds"] = values.deadlineSeconds;
    QMap<QString, QString> labels = values.labels;
    if (!values.queue.isEmpty()) {
        labels.insert(QString::fromLatin1(kueueQueueLabel), values.queue);
        spec["suspend"] = true; // Kueue lets it begin
    }
    spec["template"] = std::move(*pod);
    Json metadata = {{"name", values.name.toStdString()}, {"labels", objectOf(labels)}};
    if (!values.annotations.isEmpty())
        metadata["annotations"] = objectOf(values.annotations);
    return Json(
        {{"apiVersion", "batch/v1"}, {"kind", "Job"}, {"metadata", std::move(metadata)}, {"spec", std::move(spec)}});
}

} // namespace platforms::kubernetes
