// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "page_bench.h"

#include "services/api/reply_builders.h"
#include "services/series/pyramid.h"

namespace fakes {

/// A bench with trials 2 to `trials` of the sample experiment, each with a learning rate, a best value that grows with its number and
/// the same curve of ten values, shifted up by its number.
class CurvesBench : public PageBench
{
public:
    explicit CurvesBench(int trials)
    {
        api::Change change;
        for (int i = 2; i <= trials; ++i)
            change.trials.append(shared(make(i)));
        port.setHandler([](const api::Command& command, const FakeEnginePort::Done& done) {
            const auto* read = std::get_if<api::ReadSeries>(&command);
            if (!read)
                return false;
            api::SeriesReplyBuilder answer(*read);
            for (const core::TrialId& trial : read->trials) {
                series::Pyramid curve;
                for (int step = 0; step < 10; ++step)
                    curve.append(step, 1'750'000'000'000 + step, step + trial.value.right(4).toInt() * 0.001);
                answer.add(trial, curve);
            }
            done(answer.reply());
            return true;
        });
        port.publish(change);
        client.start();
        (void)QTest::qWaitFor(
            [&] { return mirror.state().isReady() && int(mirror.state().trials().size()) == trials; });
    }
    [[nodiscard]] static core::Trial make(int number)
    {
        core::Trial trial = sampleTrial(number);
        trial.status = core::TrialStatus::succeeded;
        trial.startTime = trial.submitTime + 10;
        trial.endTime = trial.submitTime + 5000;
        trial.bestMetric = number / 1000.0;
        trial.metricCount = 10;
        trial.machineId = core::MachineId(number % 2 ? QStringLiteral("lab1") : QStringLiteral("lab2"));
        return trial;
    }
    [[nodiscard]] static core::TrialId id(int number) { return sampleTrial(number).id; }
    [[nodiscard]] static core::ExperimentId experiment()
    {
        return core::ExperimentId(QStringLiteral("e00000000000001"));
    }
};

} // namespace fakes
