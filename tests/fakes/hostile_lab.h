// SPDX-License-Identifier: GPL-3.0-or-later
// The sample lab with the words of somebody who means harm.
#pragma once

#include "fake_engine_client.h"

#include "services/core/record_json.h"

#include <functional>

namespace fakes {

/// A copy of the record, changed.
template <typename Record>
std::shared_ptr<const Record> with(
    const std::shared_ptr<const Record>& record, const std::function<void(Record&)>& change)
{
    Record copy = *record;
    change(copy);
    return std::make_shared<const Record>(std::move(copy));
}

/// sampleLab() with `text(length)` wherever a trial, a person or a machine chooses the text. Ids stay.
[[nodiscard]] inline api::Change hostileLab(const std::function<QString(int length)>& text)
{
    using namespace core;
    api::Change lab = sampleLab();
    for (ExperimentPtr& one : lab.experiments)
        one = with<Experiment>(one, [&](Experiment& e) {
            e.spec.name = text(20'000);
            e.spec.trialCommand = text(20'000);
            e.spec.codeDir = QStringLiteral("/") + text(300);
            e.spec.tags = {text(200)};
            e.spec.objective.metric = text(500);
            e.message = text(5'000);
        });
    for (PlatformPtr& one : lab.platforms)
        one = with<Platform>(one, [&](Platform& p) {
            p.message = text(2'000);
            p.state = PlatformState::failed;
        });
    for (MachinePtr& one : lab.machines)
        one = with<Machine>(one, [&](Machine& m) {
            m.address = text(3'000);
            m.message = text(3'000);
            m.gpuMessage = text(300);
            for (Gpu& gpu : m.gpus) {
                gpu.model = text(100);
                for (GpuReservation& reservation : gpu.reservations)
                    reservation.note = text(100);
                for (GpuProcess& process : gpu.processes) {
                    process.user = text(100);
                    process.name = text(1'000);
                }
            }
        });
    for (TrialPtr& one : lab.trials)
        one = with<Trial>(one, [&](Trial& t) {
            t.reason = text(10'000);
            t.tags = {text(200), text(2'000)};
            t.note = text(2'000);
            t.clientId = text(200);
            t.workingDirectory = QStringLiteral("/") + text(2'000);
            t.parameters = dumpJson(Json{{text(300).toStdString(), text(9'000).toStdString()}, {"<i>lr</i>", 1}});
        });
    Prompt question;
    question.id = PromptId(QStringLiteral("p1"));
    question.kind = QStringLiteral("secret");
    question.subject = text(100);
    question.text = text(1'000);
    question.fields = {{text(100), false}};
    lab.prompts = {std::make_shared<const Prompt>(question)};
    return lab;
}

} // namespace fakes
