// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/aml/aml_answers.h"

#include <utility>

namespace platforms::aml {

/// How often Azure took a job back to its queue, which happens on nodes of low priority and which it does not count: seen in the lists of jobs,
/// where one that ran waits again. Pure.
class RestartCount
{
public:
    /// The job is in a list with this state; returns how often it was taken back, as far as was seen.
    int see(JobState state)
    {
        if (state == JobState::running)
            m_ran = true;
        else if (state == JobState::waiting && std::exchange(m_ran, false))
            ++m_restarts;
        return m_restarts;
    }

private:
    bool m_ran = false;
    int m_restarts = 0;
};

} // namespace platforms::aml
