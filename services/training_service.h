// SPDX-License-Identifier: GPL-3.0-or-later
// NNI's TrainingService (the abstract class of v1.9, `common/trainingService.ts`) in C++ terms: what an NNI manager asks of a place
// where trials run. Whoever brings a platform of their own implements platforms::Platform (a page, and everything else comes
// with it) or, to replace the whole machinery, this class.
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

/// NNI's TrialJobApplicationForm. `value` is the whole text of parameter.cfg.
struct TrialJobForm
{
    qint64 sequenceId = 0;
    QByteArray value;
    int index = 0;
    QString id; ///< v2: a resumed trial keeps its id; empty: a new one
};

/// Lives on the service thread. Ids are those that the trials see as NNI_TRIAL_JOB_ID; an unknown one is Kind::not_found.
class TrainingService : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    using MetricListener = std::function<void(const TrialJobMetric&)>;

    /// All known since the experiment began, in order of submission; never shrinks.
    [[nodiscard]] virtual Task<Result<QList<TrialPtr>>> listTrialJobs() = 0;
    [[nodiscard]] virtual Task<Result<TrialPtr>> getTrialJob(QString id) = 0;
    /// No replay: a listener gets what is reported from now on. Returns a number for removeTrialJobMetricListener().
    virtual int addTrialJobMetricListener(MetricListener listener) = 0;
    virtual void removeTrialJobMetricListener(int listener) = 0;
    /// WAITING, and durable, when it returns. Placement comes later.
    [[nodiscard]] virtual Task<Result<TrialPtr>> submitTrialJob(TrialJobForm form) = 0;
    /// The next parameters of a running multi-phase trial.
    [[nodiscard]] virtual Task<Result<TrialPtr>> updateTrialJob(QString id, TrialJobForm form) = 0;
    [[nodiscard]] virtual bool isMultiPhaseJobSupported() const = 0;
    [[nodiscard]] virtual Task<Result<>> cancelTrialJob(QString id, bool isEarlyStopped = false) = 0;
    /// One key of nni.md 4.1 at a time; before the first trial.
    [[nodiscard]] virtual Task<Result<>> setClusterMetadata(QString key, QByteArray value) = 0;
    [[nodiscard]] virtual Task<Result<QByteArray>> getClusterMetadata(QString key) = 0;
    /// Cancels what runs, then removes what is ours on the platform.
    [[nodiscard]] virtual Task<Result<>> cleanUp() = 0;
    /// Resolves at cleanUp().
    [[nodiscard]] virtual Task<Result<>> run() = 0;
};

} // namespace services
