// SPDX-License-Identifier: GPL-3.0-or-later
#include "discard.h"

#include <algorithm>

namespace models {

namespace {

/// Deletes itself once the request to remove the experiment is answered.
class Discard : public QObject
{
public:
    Discard(EngineMirror& mirror, core::ExperimentId experiment)
        : QObject(&mirror)
        , m_mirror(mirror)
        , m_experiment(std::move(experiment))
    {
        connect(&mirror, &EngineMirror::changed, this, &Discard::look);
        mirror.ask(api::ActOnExperiment{m_experiment, api::ExperimentAction::stop, true}, [this](const auto&) {
            m_isStopped = true;
            look();
        });
    }

private:
    void look()
    {
        if (!m_isStopped || m_isRemoving)
            return;
        const std::vector<core::TrialPtr> trials = m_mirror.state().trialsOf(m_experiment);
        if (std::any_of(
                trials.begin(), trials.end(), [](const core::TrialPtr& t) { return !core::isFinal(t->status); }))
            return;
        m_isRemoving = true;
        m_mirror.ask(api::ActOnExperiment{m_experiment, api::ExperimentAction::remove, true},
            [this](const auto&) { deleteLater(); });
    }

    EngineMirror& m_mirror;
    core::ExperimentId m_experiment;
    bool m_isStopped = false;
    bool m_isRemoving = false;
};

} // namespace

void discardExperiment(EngineMirror& mirror, const core::ExperimentId& experiment)
{
    new Discard(mirror, experiment);
}

} // namespace models
