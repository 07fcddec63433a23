// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/store/store.h"
#include "tests/services/core/sample_records.h"

#include <QCoroTask>

namespace samples {

inline store::TrialPrivate fullState()
{
    return {QStringLiteral("job-1"), true, true, 11, 22, 33, 44, 55, 2, 1, QByteArrayLiteral("log:77"), 66, 3};
}

inline core::Trial plainTrial(int number, const QString& experiment = QStringLiteral("e1"))
{
    core::Trial trial;
    trial.id = core::TrialId(QStringLiteral("t%1").arg(number, 10, 10, QLatin1Char('0')));
    trial.experimentId = core::ExperimentId(experiment);
    trial.platformId = core::PlatformId(QStringLiteral("local"));
    trial.sequenceId = number;
    trial.formSequenceId = number;
    trial.submitTime = 1'750'000'000'000 + number;
    trial.parameters = "{\"lr\": 0.00" + QByteArray::number(number) + ", \"batch\": 32}";
    trial.parameterCfg = "{\"parameter_id\": " + QByteArray::number(number)
        + ", \"parameter_source\": \"algorithm\", \"parameters\": " + trial.parameters + ", \"parameter_index\": 0}";
    trial.reason = QStringLiteral("Waits for its turn.");
    return trial;
}

inline store::TrialRow row(core::Trial trial, store::TrialPrivate state = {})
{
    return {std::make_shared<core::Trial>(std::move(trial)), std::move(state)};
}

inline core::ExperimentPtr experiment(const QString& id)
{
    auto out = std::make_shared<core::Experiment>();
    out->id = core::ExperimentId(id);
    out->spec.trialCommand = QStringLiteral("true");
    return out;
}

/// Metrics first.., `count` of them, with values that tell their sequence.
inline core::MetricBatchPtr metrics(const core::TrialId& trial, qint64 first, int count)
{
    auto batch = std::make_shared<core::MetricBatch>();
    batch->trialId = trial;
    batch->experimentId = core::ExperimentId(QStringLiteral("e1"));
    for (qint64 sequence = first; sequence < first + count; ++sequence)
        batch->metrics.push_back(metric(sequence, "0." + QByteArray::number(sequence)));
    return batch;
}

inline core::Result<> commit(
    store::Store& store, store::Batch batch, store::Durability durability = store::Durability::normal)
{
    return QCoro::waitFor(store.committed(std::move(batch), durability));
}

} // namespace samples
