// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "aml_session.h"

#include "services/platforms/aml/aml_answers.h"

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

private:
    AmlSession* m_session;
};

} // namespace platforms::aml
