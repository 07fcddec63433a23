// SPDX-License-Identifier: GPL-3.0-or-later
// A trial as a Job of batch/v1: one pod (pod_template.h), one attempt (backoffLimit 0). Pure.
#pragma once

#include "pod_template.h"

namespace platforms::kubernetes {

struct JobValues : PodValues
{
    QString name;
    QMap<QString, QString> annotations;
    qint64 deadlineSeconds = 0; ///< from its start; 0: none
    QString queue;              ///< of Kueue; empty: none. Such a Job begins suspended
};

/// Kind::invalid, with a sentence that names the value, for what no Job can express.
[[nodiscard]] Result<Json> jobManifest(const JobValues& values);

} // namespace platforms::kubernetes
