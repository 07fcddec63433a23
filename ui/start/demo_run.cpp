// SPDX-License-Identifier: GPL-3.0-or-later
#include "demo_run.h"

#include <QPointer>

using namespace Qt::StringLiterals;

namespace ui {

void runDemo(models::EngineMirror& mirror, const Demo& demo, QObject* owner, DemoSteps steps)
{
    mirror.execute(api::CreateExperiment{demo.experiment, {}},
        [&mirror, alive = QPointer(owner), trials = demo.trials, steps = std::move(steps)](
            const core::Result<api::Reply>& reply) {
            const core::Result<core::Json> document =
                alive && reply ? client::documentOf(*reply) : core::Result<core::Json>(core::Json());
            if (!document || !document->is_object())
                return;
            const auto member = document->find("id");
            if (member == document->end() || !member->is_string())
                return;
            const core::ExperimentId id(member->get<QString>());
            steps.created(id);
            mirror.execute(
                api::SubmitTrials{id, trials, {}}, [alive, id, steps](const core::Result<api::Reply>& submitted) {
                    if (alive && submitted)
                        steps.submitted(id);
                });
        });
}

} // namespace ui
