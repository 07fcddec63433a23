// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_engine_client.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace fakes {

using namespace core;
using api::Change;

void FakeEngineClient::execute(api::Command command, std::function<void(Result<api::Reply>)> done)
{
    commands.append(std::move(command));
    m_waiting.append(std::move(done));
}

void FakeEngineClient::begin(Change change)
{
    change.full = true;
    change.epoch = u"epoch"_s;
    change.revision = ++m_revision;
    emit linkChanged(LinkState::connected, {}, QDateTime::currentMSecsSinceEpoch());
    emit changed(std::make_shared<const Change>(std::move(change)));
}

void FakeEngineClient::publish(Change change)
{
    change.epoch = u"epoch"_s;
    change.revision = ++m_revision;
    emit changed(std::make_shared<const Change>(std::move(change)));
}

void FakeEngineClient::lose(const QString& message, qint64 lastContact)
{
    emit linkChanged(LinkState::lost, message, lastContact);
}

void FakeEngineClient::answer(Result<api::Reply> reply)
{
    Q_ASSERT(!m_waiting.isEmpty());
    m_waiting.takeFirst()(std::move(reply));
}

Change sampleLab()
{
    Change change;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const qint64 gib = 1024LL * 1024 * 1024;
    Platform local;
    local.id = PlatformId(u"local"_s);
    local.kind = u"local"_s;
    local.state = PlatformState::ready;
    local.capabilities = {true, true, true, true, true};
    Platform lab = local;
    lab.id = PlatformId(u"lab"_s);
    lab.kind = u"remote"_s;
    change.platforms = {std::make_shared<const Platform>(local), std::make_shared<const Platform>(lab)};

    Experiment experiment;
    experiment.id = ExperimentId(u"e00000000000001"_s);
    experiment.spec.name = u"resnet"_s;
    experiment.spec.platformId = lab.id;
    experiment.spec.trialCommand = u"python3 train.py --lr {lr}"_s;
    experiment.spec.trialConcurrency = 4;
    experiment.spec.maxTrialNumber = 20;
    experiment.state = ExperimentState::running;
    experiment.createdTime = now - 3'600'000;
    for (int i = 0; i < 16; ++i) {
        Trial trial;
        trial.id = TrialId(u"t%1"_s.arg(i, 14, 10, QLatin1Char('0')));
        trial.experimentId = experiment.id;
        trial.platformId = lab.id;
        trial.sequenceId = i;
        trial.status = allTrialStatuses[size_t(i) % trialStatusCount];
        trial.submitTime = now - 3'000'000 + i * 1'000;
        trial.parameters = "{\"lr\": 0.0" + QByteArray::number(i + 1) + "}";
        if (trial.status != TrialStatus::waiting) {
            trial.startTime = trial.submitTime + 5'000;
            trial.machineId = MachineId(u"lab3"_s);
            trial.bestMetric = 0.5 + 0.02 * i;
        }
        if (isFinal(trial.status))
            trial.endTime = *trial.startTime + 60'000;
        if (trial.status == TrialStatus::waiting) {
            trial.gpuNumber = 2;
            trial.reason = u"needs 2 GPUs; lab3 has 1 free"_s;
        }
        if (trial.status == TrialStatus::failed)
            trial.reason = u"The command ended with exit code 1."_s;
        ++experiment.counts[size_t(trial.status)];
        change.trials.append(std::make_shared<const Trial>(trial));
    }
    experiment.best = BestTrial{change.trials.last()->id, *change.trials.last()->bestMetric};
    change.experiments = {std::make_shared<const Experiment>(experiment)};

    Machine here;
    here.id = MachineId(u"local"_s);
    here.platformId = local.id;
    here.address = u"here"_s;
    here.state = MachineState::ready;
    here.cpuCount = 8;
    here.cpuPercent = 41;
    here.memoryTotal = 64 * gib;
    here.memoryUsed = 20 * gib;
    here.diskFree = 412 * gib;
    here.gpuMessage = u"no NVIDIA GPU: trials use 8 cores"_s;
    here.lastContact = now;
    Machine box = here;
    box.id = MachineId(u"lab3"_s);
    box.platformId = lab.id;
    box.address = u"lab3.example.org"_s;
    box.gpuMessage.clear();
    for (int i = 0; i < 5; ++i) {
        Gpu gpu;
        gpu.index = i;
        gpu.model = u"NVIDIA A100"_s;
        gpu.memoryTotal = 40 * gib;
        gpu.memoryUsed = i * 8 * gib;
        gpu.utilization = i < 4 ? 90 + i : 0;
        if (i < 2) {
            gpu.reservations.append({core::GpuHolder::trial, change.trials[2 + i * 8]->id, now, {}});
            gpu.processes.append(
                {4'000 + i, u"me"_s, u"python3 train.py"_s, gpu.memoryUsed, true, change.trials[2]->id});
        } else if (i == 2) {
            gpu.processes.append({900, u"someone"_s, u"python3 -m pretrain"_s, gpu.memoryUsed, true, {}});
        } else if (i == 3) {
            gpu.reservations.append({core::GpuHolder::person, {}, now, u"a talk"_s});
        }
        box.gpus.append(gpu);
    }
    Machine quiet = box;
    quiet.id = MachineId(u"lab2"_s);
    quiet.address = u"lab2.example.org"_s;
    quiet.state = MachineState::silent;
    quiet.lastContact = now - 240'000;
    change.machines = {std::make_shared<const Machine>(here), std::make_shared<const Machine>(box),
        std::make_shared<const Machine>(quiet)};
    return change;
}

} // namespace fakes
