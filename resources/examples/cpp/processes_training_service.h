// SPDX-License-Identifier: GPL-3.0-or-later
// The whole machinery in one's own hands: NNI's TrainingService with trials as processes of this computer, without engine, store and platforms. A
// platform (processes_platform.h) is the better answer as a rule, since everything else comes with it. This is for a program of one's own that is
// the other half of NNI's manager: it asks a tuner, decides how many trials run at once, and wants nothing between itself and its trials. It links
// trialdeck_core and makes the service itself; Trialdeck's own programs have no place to plug one in, they work with the engine.
// Left out: restarts (trials end with the service), further parameters, GPUs, a copy of the code.
#pragma once

#include "process_trial.h"

#include "services/core/files/atomic_file.h"
#include "services/core/one_shot.h"
#include "services/core/random_text.h"
#include "services/training_service.h"

#include <QTimer>

namespace services {

class ProcessesTrainingService : public TrainingService
{
public:
    /// The folder is the service's alone; cleanUp() removes it.
    ProcessesTrainingService(const QString& folder, const ExperimentId& experiment)
        : m_folder(folder)
        , m_experiment(experiment)
    {
        m_timer.callOnTimeout(this, [this] {
            for (size_t i = 0; i < m_trials.size(); ++i) // listeners may submit
                look(*m_trials[i]);
        });
        m_timer.start(50); // milliseconds
    }
    ~ProcessesTrainingService() override
    {
        m_trials.clear();
        wake(false);
    }

    Task<Result<QList<TrialPtr>>> listTrialJobs() override
    {
        QList<TrialPtr> records;
        for (const auto& trial : m_trials)
            records.append(std::make_shared<Trial>(trial->record()));
        co_return records;
    }
    Task<Result<TrialPtr>> getTrialJob(QString id) override
    {
        const Result<ProcessTrial*> trial = find(id);
        if (!trial)
            co_return fail(trial);
        co_return std::make_shared<Trial>((*trial)->record());
    }
    int addTrialJobMetricListener(MetricListener listener) override
    {
        m_listeners.emplace(++m_lastListener, std::move(listener));
        return m_lastListener;
    }
    void removeTrialJobMetricListener(int listener) override { m_listeners.erase(listener); }
    Task<Result<TrialPtr>> submitTrialJob(TrialJobForm form) override
    {
        if (m_isClosed || m_config.is_null())
            co_return fail(Kind::conflict, m_isClosed ? u"It was cleaned up."_s : u"Set trial_config first."_s);
        if (form.id.startsWith(u'.') || form.id.contains(u'/'))
            co_return fail(Kind::invalid, u"The id %1 cannot be the name of a folder."_s.arg(form.id));
        if (const Result<ProcessTrial*> same = find(form.id)) { // said twice
            const Trial& record = (*same)->record();
            if (record.parameterCfg != form.value || record.formSequenceId != form.sequenceId)
                co_return fail(Kind::conflict, u"Another trial has the id %1."_s.arg(form.id));
            co_return std::make_shared<Trial>(record);
        }
        while (form.id.isEmpty() || find(form.id))
            form.id = QString::fromLatin1(randomText(5, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"));
        Trial record;
        record.id = TrialId(form.id);
        record.experimentId = m_experiment;
        record.sequenceId = qint64(m_trials.size());
        record.formSequenceId = form.sequenceId;
        record.parameterCfg = form.value;
        record.parameterIndex = form.index;
        record.submitTime = QDateTime::currentMSecsSinceEpoch();
        record.workingDirectory = m_folder + u"/trials/"_s + form.id;
        record.reason = u"It is about to start."_s;
        QDir().mkpath(record.workingDirectory + u"/.nni"_s);
        const Result<> written = writeAtomically(record.workingDirectory + u"/parameter.cfg"_s, form.value);
        if (!written)
            co_return fail(written);
        m_trials.push_back(std::make_unique<ProcessTrial>(record));
        co_return std::make_shared<Trial>(record);
    }
    Task<Result<TrialPtr>> updateTrialJob(QString id, TrialJobForm) override
    {
        const Result<ProcessTrial*> trial = find(id);
        co_return trial ? fail(Kind::invalid, u"Trials get no further parameters here."_s) : fail(trial);
    }
    bool isMultiPhaseJobSupported() const override { return false; }
    Task<Result<>> cancelTrialJob(QString id, bool isEarlyStopped = false) override
    {
        const Result<ProcessTrial*> trial = find(id);
        if (!trial)
            co_return fail(trial);
        (*trial)->cancel(isEarlyStopped ? CancelIntent::early : CancelIntent::user);
        co_return Result<>{};
    }
    Task<Result<>> setClusterMetadata(QString key, QByteArray value) override
    {
        static const QStringList kept{u"nni_manager_ip"_s, u"version_check"_s, u"log_collection"_s};
        const Result<Json> json = parseJson(value);
        if (!json)
            co_return fail(json, key);
        if (!m_trials.empty())
            co_return fail(Kind::conflict, u"Metadata is set before the first trial."_s);
        if (key == u"trial_config" && json->is_object() && json->value("command", Json()).is_string()
            && json->value("codeDir", Json("")).is_string())
            m_config = *json;
        else if (!kept.contains(key) && (key != u"multiPhase" || value == "true"))
            co_return fail(Kind::invalid, u"The key %1 is not known, or its value is not right."_s.arg(key));
        m_metadata.insert(key, value);
        co_return Result<>{};
    }
    Task<Result<QByteArray>> getClusterMetadata(QString key) override
    {
        if (!m_metadata.contains(key))
            co_return fail(Kind::not_found, u"The metadata key %1 was not set."_s.arg(key));
        co_return QByteArray(m_metadata.value(key));
    }
    Task<Result<>> cleanUp() override
    {
        m_isClosed = true;
        for (const auto& trial : m_trials)
            trial->cancel(CancelIntent::user);
        const auto lives = [](const auto& trial) { return !isFinal(trial->record().status); };
        while (std::any_of(m_trials.begin(), m_trials.end(), lives)) {
            const OneShot<bool> next = m_waiters.emplace_back();
            co_await next.wait();
        }
        if (!QDir(m_folder).removeRecursively())
            co_return fail(Kind::platform, u"%1 cannot be removed."_s.arg(m_folder));
        m_isCleaned = true;
        wake();
        co_return Result<>{};
    }
    Task<Result<>> run() override
    {
        for (bool isThere = true; !m_isCleaned;) {
            if (!isThere)
                co_return fail(Kind::cancelled, u"The training service was closed."_s);
            const OneShot<bool> next = m_waiters.emplace_back();
            isThere = co_await next.wait();
        }
        co_return Result<>{};
    }

private:
    Result<ProcessTrial*> find(const QString& id) const
    {
        for (const auto& trial : m_trials)
            if (trial->record().jobId() == id)
                return trial.get();
        return fail(Kind::not_found, u"There is no trial %1."_s.arg(id));
    }
    void look(ProcessTrial& trial)
    {
        if (isFinal(trial.record().status))
            return;
        if (trial.record().status == TrialStatus::waiting)
            return trial.start(m_config);
        const bool lives = trial.lives(); // asked before the last metrics are read
        for (const QByteArray& metric : trial.newMetrics())
            for (const auto listeners = m_listeners; const auto& [number, listener] : listeners)
                if (m_listeners.contains(number)) // not removed by another one
                    listener({trial.record().jobId(), metric});
        if (lives)
            return trial.goOn();
        trial.end();
        wake();
    }
    void wake(bool isThere = true)
    {
        for (OneShot<bool>& waiter : std::exchange(m_waiters, {}))
            waiter.set(isThere);
    }

    const QString m_folder;
    const ExperimentId m_experiment;
    Json m_config;
    QMap<QString, QByteArray> m_metadata;
    std::vector<std::unique_ptr<ProcessTrial>> m_trials; ///< in order of submission
    std::map<int, MetricListener> m_listeners;
    int m_lastListener = 0;
    std::vector<OneShot<bool>> m_waiters; ///< for the next end
    QTimer m_timer;
    bool m_isClosed = false;
    bool m_isCleaned = false;
};

} // namespace services
