// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine.h"

#include "services/training_service.h"

namespace engine {

/// The twelve functions of NNI's TrainingService for one experiment, over the engine and thereby over any Platform. For programs that
/// bring a manager of their own in C++; the programs of Trialdeck speak with the engine itself.
/// Command, code and GPUs are the experiment's. Metadata is the platform's: its trial_config is what later experiments begin with.
/// Lives on the service thread; the engine outlives it.
class EngineTrainingService : public services::TrainingService
{
    Q_OBJECT
public:
    EngineTrainingService(Engine& engine, ExperimentId experiment, QObject* parent = nullptr);
    ~EngineTrainingService() override;

    [[nodiscard]] Task<Result<QList<TrialPtr>>> listTrialJobs() override;
    [[nodiscard]] Task<Result<TrialPtr>> getTrialJob(QString id) override;
    int addTrialJobMetricListener(MetricListener listener) override;
    void removeTrialJobMetricListener(int listener) override;
    [[nodiscard]] Task<Result<TrialPtr>> submitTrialJob(services::TrialJobForm form) override;
    [[nodiscard]] Task<Result<TrialPtr>> updateTrialJob(QString id, services::TrialJobForm form) override;
    [[nodiscard]] bool isMultiPhaseJobSupported() const override;
    [[nodiscard]] Task<Result<>> cancelTrialJob(QString id, bool isEarlyStopped = false) override;
    [[nodiscard]] Task<Result<>> setClusterMetadata(QString key, QByteArray value) override;
    [[nodiscard]] Task<Result<QByteArray>> getClusterMetadata(QString key) override;
    [[nodiscard]] Task<Result<>> cleanUp() override;
    [[nodiscard]] Task<Result<>> run() override;

private:
    [[nodiscard]] Task<Result<Reply>> ask(Command command);
    [[nodiscard]] TrialEntry* find(const QString& id) const;
    [[nodiscard]] PlatformId platformId() const;
    void changed(const ChangePtr& change);
    void wake();
    [[nodiscard]] Task<> change(); ///< the next one, or the end of this object
    /// Waits until no change is undelivered, so that metric listeners have all values of a trial before a caller sees its final status.
    /// False: this object is being destroyed.
    [[nodiscard]] Task<bool> delivered();

    Engine& m_engine;
    ExperimentId m_experiment;
    std::map<int, MetricListener> m_metricListeners;
    int m_nextMetricListener = 1;
    int m_listener = 0;
    std::vector<std::function<void()>> m_waiters; ///< each is called once, at the next change
    bool m_cleaned = false;
    bool m_isEnding = false;
};

} // namespace engine
