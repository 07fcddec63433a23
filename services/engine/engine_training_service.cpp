// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_training_service.h"

#include "services/core/one_shot.h"
#include "services/core/record_json.h"
#include "services/trial/parameter_id.h"

using namespace Qt::StringLiterals;

namespace engine {

EngineTrainingService::EngineTrainingService(Engine& engine, ExperimentId experiment, QObject* parent)
    : services::TrainingService(parent)
    , m_engine(engine)
    , m_experiment(std::move(experiment))
{
    m_listener = m_engine.listen([this](const ChangePtr& change) { changed(change); });
}

EngineTrainingService::~EngineTrainingService()
{
    m_engine.stopListening(m_listener);
    m_isEnding = true;
    wake();
}

void EngineTrainingService::wake()
{
    for (const auto& waiter : std::exchange(m_waiters, {}))
        waiter();
}

Task<> EngineTrainingService::change()
{
    OneShot<bool> next;
    m_waiters.push_back([next]() mutable { next.set(true); });
    co_await next.wait();
}

Task<bool> EngineTrainingService::delivered()
{
    while (!m_isEnding && m_engine.state().changes().isPending()) {
        auto next = change();
        co_await next;
    }
    co_return !m_isEnding;
}

static Error serviceEnded()
{
    return {Kind::cancelled, u"The training service was closed before it was cleaned up."_m, {}};
}

Task<Result<Reply>> EngineTrainingService::ask(Command command)
{
    OneShot<Result<Reply>> answer;
    m_engine.execute(std::move(command), [answer](Result<Reply> reply) mutable { answer.set(std::move(reply)); });
    co_return co_await answer.wait();
}

TrialEntry* EngineTrainingService::find(const QString& id) const
{
    if (TrialEntry* entry = m_engine.state().byClientId(m_experiment, id))
        return entry;
    TrialEntry* entry = m_engine.state().trial(TrialId(id));
    return entry && entry->trial->experimentId == m_experiment ? entry : nullptr;
}

static Error unknownTrial(const QString& id)
{
    return {Kind::not_found, u"There is no trial \"%1\" in this experiment."_m.arg(id), {}};
}

PlatformId EngineTrainingService::platformId() const
{
    const ExperimentPtr experiment = m_engine.state().experiment(m_experiment);
    return experiment ? experiment->spec.platformId : PlatformId();
}

Task<Result<QList<TrialPtr>>> EngineTrainingService::listTrialJobs()
{
    auto delivering = delivered();
    const bool isHere = co_await delivering;
    if (!isHere)
        co_return tl::unexpected(serviceEnded());
    QList<TrialPtr> trials;
    for (const TrialEntry* entry : m_engine.state().trialsOf(m_experiment))
        trials.append(entry->trial);
    co_return trials;
}

Task<Result<TrialPtr>> EngineTrainingService::getTrialJob(QString id)
{
    auto delivering = delivered();
    const bool isHere = co_await delivering;
    if (!isHere)
        co_return tl::unexpected(serviceEnded());
    const TrialEntry* entry = find(id);
    if (!entry)
        co_return tl::unexpected(unknownTrial(id));
    co_return entry->trial;
}

int EngineTrainingService::addTrialJobMetricListener(MetricListener listener)
{
    m_metricListeners.emplace(m_nextMetricListener, std::move(listener));
    return m_nextMetricListener++;
}

void EngineTrainingService::removeTrialJobMetricListener(int listener)
{
    m_metricListeners.erase(listener);
}

/// One metric as NNI's SDK prints it (nni.md 2.4): the value is a string that holds JSON.
static QByteArray sdkText(const Trial& trial, const Metric& metric)
{
    Json json = Json::object();
    if (metric.type != MetricType::request_parameter) {
        // A tuner's id that is a text (Hyperband's) is not kept with each metric: it is that of the trial's parameters.
        const QByteArray text = metric.parameterId ? QByteArray() : trial::textParameterId(trial.parameterCfg);
        if (metric.parameterId)
            json["parameter_id"] = *metric.parameterId;
        else
            json["parameter_id"] = text.isEmpty() ? Json() : Json(text.toStdString());
    }
    json["trial_job_id"] = trial.jobId();
    json["type"] = metricTypeName(metric.type);
    json["sequence"] = metric.step.value_or(metric.sequence);
    if (metric.type == MetricType::request_parameter)
        json["parameter_index"] = metric.parameterIndex;
    else
        json["value"] = metric.data.toStdString();
    return dumpJson(json);
}

void EngineTrainingService::changed(const ChangePtr& change)
{
    for (const MetricBatchPtr& batch : change->metrics) {
        if (batch->experimentId != m_experiment)
            continue;
        const TrialEntry* entry = m_engine.state().trial(batch->trialId);
        if (!entry)
            continue;
        for (const Metric& metric : batch->metrics) {
            const services::TrialJobMetric told{entry->trial->jobId(), sdkText(*entry->trial, metric)};
            const auto listeners = m_metricListeners;
            for (const auto& [number, listener] : listeners)
                if (m_metricListeners.contains(number)) // one before it may have removed it
                    listener(told);
        }
    }
    wake();
}

Task<Result<TrialPtr>> EngineTrainingService::submitTrialJob(services::TrialJobForm form)
{
    TrialSubmission request;
    request.clientId = form.id;
    request.hasForm = true;
    request.formSequenceId = form.sequenceId;
    request.formValue = form.value;
    request.formIndex = form.index;
    SubmitTrials submit;
    submit.experiment = m_experiment;
    submit.trials.append(request);
    const Result<Reply> reply = co_await ask(std::move(submit));
    if (!reply)
        co_return fail(reply);
    // By a copy of its own: QCoro's co_return moves from any lvalue, which would empty the state's entry.
    const TrialPtr trial = m_engine.state().trial(TrialId(reply->document["trials"][0]["id"].get<QString>()))->trial;
    co_return trial;
}

Task<Result<TrialPtr>> EngineTrainingService::updateTrialJob(QString id, services::TrialJobForm form)
{
    const TrialEntry* entry = find(id);
    if (!entry)
        co_return tl::unexpected(unknownTrial(id));
    const TrialId trial = entry->trial->id;
    PatchTrials patch;
    patch.selection.ids.append(trial.value);
    patch.set.formValue = form.value;
    patch.set.formIndex = form.index;
    const Result<Reply> reply = co_await ask(std::move(patch));
    if (!reply)
        co_return fail(reply);
    const TrialPtr changed = m_engine.state().trial(trial)->trial;
    co_return changed;
}

bool EngineTrainingService::isMultiPhaseJobSupported() const
{
    const PlatformPtr platform = m_engine.state().platforms.value(platformId());
    return platform && platform->capabilities.parameters;
}

Task<Result<>> EngineTrainingService::cancelTrialJob(QString id, bool isEarlyStopped)
{
    const TrialEntry* entry = find(id);
    if (!entry)
        co_return tl::unexpected(unknownTrial(id));
    CancelTrials cancel;
    cancel.selection.ids.append(entry->trial->id.value);
    cancel.isEarlyStopped = isEarlyStopped;
    const Result<Reply> reply = co_await ask(std::move(cancel));
    if (!reply)
        co_return fail(reply);
    co_return Result<>{};
}

Task<Result<>> EngineTrainingService::setClusterMetadata(QString key, QByteArray value)
{
    const Result<Json> json = parseJson(value);
    if (!json)
        co_return fail(json, u"The metadata key "_m + key);
    SetMetadata set{platformId(), key, *json};
    const Result<Reply> reply = co_await ask(std::move(set));
    if (!reply)
        co_return fail(reply);
    co_return Result<>{};
}

Task<Result<QByteArray>> EngineTrainingService::getClusterMetadata(QString key)
{
    GetMetadata get{platformId(), key};
    const Result<Reply> reply = co_await ask(std::move(get));
    if (!reply)
        co_return fail(reply);
    co_return reply->bytes;
}

Task<Result<>> EngineTrainingService::cleanUp()
{
    // Nobody is there to be asked about machines that do not answer.
    ActOnExperiment act{m_experiment, ExperimentAction::cleanup, true};
    const Result<Reply> reply = co_await ask(std::move(act));
    if (!reply)
        co_return fail(reply);
    const OperationId id(reply->document["requestId"].get<QString>());
    for (;;) {
        const OperationPtr request = m_engine.state().requests.value(id);
        if (!request || request->state != OperationState::running) {
            m_cleaned = true;
            wake();
            if (request && request->state == OperationState::failed)
                co_return fail(Kind::platform, request->message);
            co_return Result<>{};
        }
        auto next = change();
        co_await next;
        if (m_isEnding)
            co_return tl::unexpected(serviceEnded());
    }
}

Task<Result<>> EngineTrainingService::run()
{
    while (!m_cleaned) {
        auto next = change();
        co_await next;
        if (m_isEnding)
            co_return tl::unexpected(serviceEnded());
    }
    co_return Result<>{};
}

} // namespace engine
