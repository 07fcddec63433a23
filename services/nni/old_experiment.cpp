// SPDX-License-Identifier: GPL-3.0-or-later
#include "old_experiment.h"

#include "services/core/record_json.h"

#include <QFileInfo>
#include <QHash>

#include <cmath>

using namespace Qt::StringLiterals;

namespace nni {

namespace {

/// The member of NNI's stored configuration, under its name of 2.x or of 1.x.
QString textOf(const Json& config, const char* name)
{
    const auto it = config.is_object() ? config.find(name) : config.end();
    return it != config.end() && it->is_string() ? QString::fromStdString(it->get_ref<const std::string&>())
                                                 : QString();
}

bool isMinimized(const Json& config)
{
    for (const char* algorithm : {"tuner", "advisor"}) {
        const auto found = config.is_object() ? config.find(algorithm) : config.end();
        if (found == config.end() || !found->is_object() || !found->contains("classArgs"))
            continue;
        if (textOf((*found)["classArgs"], "optimize_mode") == u"minimize")
            return true;
    }
    return false;
}

class Replay
{
public:
    explicit Replay(OldExperiment& experiment)
        : m_experiment(experiment)
    {
    }

    /// NNI never changes a row: a trial is what its events say, in their order.
    void event(
        qint64 time, const QString& id, const QString& event, const QByteArray& data, std::optional<qint64> sequence)
    {
        const std::optional<TrialStatus> status = statusFromName(event);
        if (id.isEmpty() || !status)
            return; // of the experiment, or a note such as USER_TO_CANCEL
        OldTrial& old = of(id);
        Trial& trial = old.trial;
        if (sequence)
            trial.sequenceId = *sequence;
        trial.status = *status;
        // With the first event; NNI 3.0 begins with RUNNING.
        if (trial.parameterCfg.isEmpty() && !data.isEmpty()) {
            if (const auto cfg = core::parseJson(core::strictJson(data));
                cfg && cfg->is_object() && cfg->contains("parameters")) {
                trial.parameterCfg = data;
                trial.parameters = core::dumpJson((*cfg)["parameters"]);
            }
        }
        if (trial.submitTime == 0)
            trial.submitTime = time;
        if (*status == TrialStatus::waiting) {
            trial.submitTime = time;
        } else if (*status == TrialStatus::running) {
            trial.startTime = time;
        } else if (isFinal(*status)) {
            if (!trial.startTime && trial.submitTime > 0)
                trial.startTime = trial.submitTime;
            trial.endTime = time;
        }
    }

    void metric(qint64 time, const QString& id, const QString& type, qint64 step, const QByteArray& data)
    {
        const auto place = m_places.constFind(id);
        const std::optional<MetricType> kind = metricTypeFromName(type);
        if (place == m_places.cend() || !kind || *kind == MetricType::request_parameter)
            return;
        OldTrial& old = m_experiment.trials[size_t(*place)];
        // Stored as a JSON string that holds JSON, or as the JSON itself.
        QByteArray text = data;
        if (const auto outer = core::parseJson(data); outer && outer->is_string())
            text = QByteArray::fromStdString(outer->get_ref<const std::string&>());
        // A final value has no place among the steps: NNI counts it as 0.
        const std::optional<qint64> at = *kind == MetricType::final ? std::nullopt : std::optional(step);
        const MetricSummary summary{old.trial.metricCount, at, parseMetricValue(text), time};
        old.metrics.push_back({.sequence = old.trial.metricCount,
            .type = *kind,
            .step = at,
            .data = text,
            .value = summary.value,
            .time = time});
        ++old.trial.metricCount;
        old.trial.latestMetric = summary;
        if (*kind == MetricType::final)
            old.trial.finalMetric = summary;
        else
            ++old.intermediateCount;
    }

private:
    OldTrial& of(const QString& id)
    {
        const auto place = m_places.constFind(id);
        if (place != m_places.cend())
            return m_experiment.trials[size_t(*place)];
        m_places.insert(id, qsizetype(m_experiment.trials.size()));
        OldTrial& old = m_experiment.trials.emplace_back();
        old.trial.id = TrialId(id);
        old.trial.experimentId = ExperimentId(m_experiment.id);
        return old;
    }

    OldExperiment& m_experiment;
    QHash<QString, qsizetype> m_places;
};

} // namespace

const OldTrial* OldExperiment::best() const
{
    const OldTrial* best = nullptr;
    const auto valueOf = [](const OldTrial& old) {
        return old.trial.finalMetric && old.trial.finalMetric->value.kind != MetricValue::Kind::none
            ? old.trial.finalMetric->value.number
            : std::nan("");
    };
    for (const OldTrial& one : trials) {
        const double value = valueOf(one);
        if (std::isnan(value))
            continue;
        if (!best || (maximize ? value > valueOf(*best) : value < valueOf(*best)))
            best = &one;
    }
    return best;
}

ExperimentSpec specOf(const OldExperiment& experiment)
{
    const Json& config = experiment.config;
    const auto whole = [&config](const char* name) -> std::optional<qint64> {
        const auto it = config.is_object() ? config.find(name) : config.end();
        return it != config.end() && it->is_number_integer() ? std::optional(it->get<qint64>()) : std::nullopt;
    };
    ExperimentSpec spec;
    spec.name = experiment.name.isEmpty() ? experiment.id : experiment.name;
    // NNI 2.x and 3.0 keep the command at the top; 1.x kept it beside the platform, which it did not store.
    spec.trialCommand = textOf(config, "trialCommand");
    spec.codeDir = textOf(config, "trialCodeDirectory");
    spec.trialConcurrency = int(whole("trialConcurrency").value_or(1));
    spec.maxTrialNumber = whole("maxTrialNumber") ? whole("maxTrialNumber") : whole("maxTrialNum");
    spec.objective.maximize = experiment.maximize;
    if (const auto gpus = whole("trialGpuNumber"))
        spec.gpuNumber = int(*gpus);
    if (const auto space = config.is_object() ? config.find("searchSpace") : config.end(); space != config.end()) {
        // 1.x stored it as text.
        const auto parsed = space->is_string() ? core::parseJson(QByteArray::fromStdString(space->get<std::string>()))
                                               : Result<Json>(*space);
        if (parsed && parsed->is_object())
            spec.searchSpace = *parsed;
    }
    for (const char* algorithm : {"tuner", "advisor"}) {
        const auto found = config.is_object() ? config.find(algorithm) : config.end();
        if (found == config.end() || !spec.tunerName.isEmpty())
            continue;
        for (const char* name : {"name", "builtinTunerName", "builtinAdvisorName", "className"})
            if (spec.tunerName.isEmpty())
                spec.tunerName = textOf(*found, name);
    }
    return spec;
}

Result<OldExperiment> readOldExperiment(const QString& folder, const ReadLimits& limits)
{
    const QFileInfo given(folder);
    const QString file = given.isDir() ? folder + u"/db/nni.sqlite"_s : folder;
    if (!QFileInfo(file).isFile())
        return fail(Kind::not_found,
            u"There is no experiment of NNI in %1: it would hold db/nni.sqlite. They are in ~/nni-experiments."_m.arg(
                folder));
    using Row = OldDatabase::Row;
    OldDatabase database(QFileInfo(file).absoluteFilePath(), limits);
    OldExperiment experiment;
    bool found = false;
    const Result<> profile = database.each(u"ExperimentProfile"_s, u"params, id, startTime, endTime"_s,
        u"ORDER BY revision DESC LIMIT 1"_s, [&](const Row& row) {
            found = true;
            experiment.id = row.text(1);
            if (auto config = core::parseJson(row.bytes(0)))
                experiment.config = std::move(*config);
            const auto time = [&](int column) {
                const qint64 value = row.number(column);
                return value > 0 ? std::optional(value) : std::nullopt;
            };
            experiment.startTime = time(2);
            experiment.endTime = time(3);
        });
    if (!profile)
        return fail(profile);
    if (!found)
        return fail(Kind::invalid, u"%1 is a database of NNI without an experiment."_m.arg(file));
    experiment.name = textOf(experiment.config, "experimentName");
    experiment.maximize = !isMinimized(experiment.config);
    Replay replay(experiment);
    const Result<> events = database.each(u"TrialJobEvent"_s, u"timestamp, trialJobId, event, data, sequenceId"_s,
        u"ORDER BY rowid"_s, [&](const Row& row) {
            replay.event(row.number(0), row.text(1), row.text(2), row.bytes(3),
                row.isNull(4) ? std::nullopt : std::optional(row.number(4)));
        });
    if (!events)
        return fail(events);
    const Result<> metrics = database.each(u"MetricData"_s, u"timestamp, trialJobId, type, sequence, data"_s,
        u"ORDER BY rowid"_s,
        [&](const Row& row) { replay.metric(row.number(0), row.text(1), row.text(2), row.number(3), row.bytes(4)); });
    if (!metrics)
        return fail(metrics);
    std::stable_sort(experiment.trials.begin(), experiment.trials.end(),
        [](const OldTrial& a, const OldTrial& b) { return a.trial.sequenceId < b.trial.sequenceId; });
    return experiment;
}

} // namespace nni
