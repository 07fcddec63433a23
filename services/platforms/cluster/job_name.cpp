// SPDX-License-Identifier: GPL-3.0-or-later
#include "job_name.h"

#include "services/wire/names.h"

using namespace Qt::StringLiterals;

namespace platforms {

QString jobName(const QString& serviceId, const TrialId& trial)
{
    return u"td-%1-%2"_s.arg(serviceId, trial.value);
}

TrialId trialOf(const QString& serviceId, const QString& jobName)
{
    const QString prefix = u"td-%1-"_s.arg(serviceId);
    if (!jobName.startsWith(prefix))
        return {};
    const QString id = jobName.mid(prefix.size());
    return trialkeeper::isSafeId(id.toStdString()) ? TrialId(id) : TrialId();
}

} // namespace platforms
