// SPDX-License-Identifier: GPL-3.0-or-later
// NNI's TrainingService (the abstract class of v1.9, `common/trainingService.ts`) in C++ terms: what an NNI manager asks of a place
// where trials run. Whoever brings a platform of their own implements platforms::Platform (a page, and everything else comes
// with it) or, to replace the engine as well, this class. There are two implementations: engine::EngineTrainingService runs trials on any
// platform; the sample resources/examples/cpp/processes_training_service.h starts processes itself. The suite
// tests/services/training_service_conformance.h checks an implementation. A program constructs the one that it uses; Trialdeck's own programs
// call the engine and use none.
#pragma once

#include "services/core/records.h"
#include "services/core/task.h"

#include <QObject>

namespace services {

using namespace core;

/// What NNI passes to its metric listeners: the trial, and the metric as the JSON text that NNI's SDK printed.
struct TrialJobMetric
{
    QString id;
    QByteArray data;
};

/// NNI's TrialJobApplicationForm. `value` is the whole text of parameter.cfg, kept byte for byte.
struct TrialJobForm
{
    qint64 sequenceId = 0;
    QByteArray value;
    int index = 0;
    QString id; ///< v2: a resumed trial keeps its id; empty: a new one. The same form with it again is the same trial
};

/// Lives on the service thread. Ids are those that the trials see as NNI_TRIAL_JOB_ID; an unknown one is Kind::not_found.
class TrainingService : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    using MetricListener = std::function<void(const TrialJobMetric&)>;

    /// Nothing here is ahead of the metric listeners: they have heard all of a trial before it is seen to have ended.
    /// All known since the experiment began, in order of submission; never shrinks.
    [[nodiscard]] virtual Task<Result<QList<TrialPtr>>> listTrialJobs() = 0;
    [[nodiscard]] virtual Task<Result<TrialPtr>> getTrialJob(QString id) = 0;
    /// No replay: a listener gets what is reported from now on. Returns a number for removeTrialJobMetricListener().
    virtual int addTrialJobMetricListener(MetricListener listener) = 0;
    virtual void removeTrialJobMetricListener(int listener) = 0;
    /// WAITING, and durable as far as the service outlives its process, when it returns. Placement comes later. Kind::conflict after
    /// cleanUp(), and for an id that another form has.
    [[nodiscard]] virtual Task<Result<TrialPtr>> submitTrialJob(TrialJobForm form) = 0;
    /// The next parameters of a running multi-phase trial. Kind::conflict for one that has ended; Kind::invalid where it is not supported.
    [[nodiscard]] virtual Task<Result<TrialPtr>> updateTrialJob(QString id, TrialJobForm form) = 0;
    [[nodiscard]] virtual bool isMultiPhaseJobSupported() const = 0;
    /// EARLY_STOPPED or USER_CANCELED once nothing of it runs. Of several intents the first stands. One that has ended stays as it is; only
    /// the reason of a failure may gain the last line of its log behind what it says.
    [[nodiscard]] virtual Task<Result<>> cancelTrialJob(QString id, bool isEarlyStopped = false) = 0;
    /// One key of NNI's cluster metadata at a time; before the first trial, then Kind::conflict. Kind::invalid, without effect, for an
    /// unknown key or a value of the wrong form.
    [[nodiscard]] virtual Task<Result<>> setClusterMetadata(QString key, QByteArray value) = 0;
    /// Kind::not_found for a key that was not set.
    [[nodiscard]] virtual Task<Result<QByteArray>> getClusterMetadata(QString key) = 0;
    /// Cancels what runs, then removes what is ours on the platform. May be called again.
    [[nodiscard]] virtual Task<Result<>> cleanUp() = 0;
    /// Resolves at cleanUp(); Kind::cancelled when the service is destroyed before.
    [[nodiscard]] virtual Task<Result<>> run() = 0;
};

} // namespace services
