// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "aml_session.h"

#include "services/platforms/aml/aml_answers.h"
#include "services/platforms/platform.h"

namespace platforms::aml {

/// The run history of a workspace, which its region keeps: when a job ran, why it failed, and where its logs are. Lives on the service thread.
class RunHistory
{
public:
    /// `session` is not owned.
    explicit RunHistory(AmlSession* session)
        : m_session(session)
    {
    }

    /// Finds the region's address.
    [[nodiscard]] Task<Result<>> open(Workspace workspace);
    /// Kind::not_found: the region knows no such run (yet).
    [[nodiscard]] Task<Result<RunDetails>> details(QString job);
    /// Writes the result as a metric of the run, which the studio draws. A run has 50 of them at most.
    [[nodiscard]] Task<Result<>> logMetric(QString job, TrialResult result);

private:
    AmlSession* m_session;
    QByteArray m_tracking; ///< path of MLflow's interfaces in the region
};

} // namespace platforms::aml
