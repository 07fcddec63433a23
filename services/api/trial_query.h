// SPDX-License-Identifier: GPL-3.0-or-later
// GET /trials as pure functions over a mirror: which trials, in which order, which page of them.
#pragma once

#include "mirror.h"
#include "trial_json.h"

namespace api {

struct TrialQuery
{
    ExperimentId experimentId;
    PlatformId platformId;
    MachineId machineId;
    QString clientId;
    QList<TrialStatus> statuses; ///< empty: all
    QString sort;                ///< a field, `queue`, `parameters.NAME` or `metrics.NAME`; empty: order of submission
    bool descending = false;
    qint64 limit = 100;
    QByteArray after; ///< `next` of the page before
    TrialFieldMask fields = allTrialFields;

    bool operator==(const TrialQuery&) const = default;
};

struct TrialPage
{
    std::vector<TrialPtr> trials;
    QByteArray next;  ///< empty on the last page
    qint64 total = 0; ///< all that match, on whichever page
};

/// Names of fields with commas between them; Kind::invalid names the unknown one.
[[nodiscard]] Result<TrialFieldMask> trialFieldMask(const QString& names);

/// One page. It begins behind the place that `after` names, whatever changed since: a trial whose place did not change is neither
/// repeated nor left out. Kind::invalid for an unknown sort or a cursor of another order.
[[nodiscard]] Result<TrialPage> queryTrials(const Mirror& mirror, const TrialQuery& query);

/// `{trials, next, total, revision}` of a page.
[[nodiscard]] QByteArray trialPageJson(const TrialPage& page, TrialFieldMask fields, qint64 revision);

} // namespace api
