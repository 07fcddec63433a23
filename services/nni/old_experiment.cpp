// SPDX-License-Identifier: GPL-3.0-or-later
#include "old_experiment.h"

#include "services/core/record_json.h"

#include <QDir>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

#include <cmath>

using namespace Qt::StringLiterals;

namespace nni {

namespace {

/// A connection of its own that ends with it.
class Database
{
public:
    explicit Database(const QString& file)
        : m_name(u"nni-"_s + QUuid::createUuid().toString(QUuid::WithoutBraces))
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, m_name);
        database.setDatabaseName(file);
        database.setConnectOptions(u"QSQLITE_OPEN_READONLY"_s);
        m_open = database.open();
    }
    Database(const Database&) = delete;
    ~Database() { QSqlDatabase::removeDatabase(m_name); }

    /// Calls `row` with each row. False when the table is not as NNI makes it.
    template <typename F>
    bool each(const QString& sql, F row) const
    {
        if (!m_open)
            return false;
        QSqlQuery query(QSqlDatabase::database(m_name));
        query.setForwardOnly(true);
        if (!query.exec(sql))
            return false;
        while (query.next())
            row(query);
        return true;
    }

private:
    QString m_name;
    bool m_open = false;
};

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

Result<OldExperiment> readOldExperiment(const QString& folder)
{
    const QFileInfo given(folder);
    const QString file = given.isDir() ? folder + u"/db/nni.sqlite"_s : folder;
    if (!QFileInfo(file).isFile())
        return fail(Kind::not_found,
            u"There is no experiment of NNI in %1: it would hold db/nni.sqlite. They are in ~/nni-experiments."_s.arg(
                folder));
    const auto notNni = [&] {
        return fail(Kind::invalid, u"%1 is not a database of NNI, or it is damaged."_s.arg(file));
    };
    const Database database(file);
    OldExperiment experiment;
    bool found = false;
    const bool readProfile =
        database.each(u"SELECT params, id, startTime, endTime FROM ExperimentProfile ORDER BY revision DESC LIMIT 1"_s,
            [&](const QSqlQuery& row) {
                found = true;
                experiment.id = row.value(1).toString();
                if (auto config = core::parseJson(row.value(0).toByteArray()))
                    experiment.config = std::move(*config);
                const auto time = [&](int column) {
                    const qint64 value = row.value(column).toLongLong();
                    return value > 0 ? std::optional(value) : std::nullopt;
                };
                experiment.startTime = time(2);
                experiment.endTime = time(3);
            });
    if (!readProfile || !found)
        return notNni();
    experiment.name = textOf(experiment.config, "experimentName");
    experiment.maximize = !isMinimized(experiment.config);
    Replay replay(experiment);
    const bool readEvents = database.each(
        u"SELECT timestamp, trialJobId, event, data, sequenceId FROM TrialJobEvent ORDER BY rowid"_s,
        [&](const QSqlQuery& row) {
            const QVariant sequence = row.value(4);
            replay.event(row.value(0).toLongLong(), row.value(1).toString(), row.value(2).toString(),
                row.value(3).toByteArray(), sequence.isNull() ? std::nullopt : std::optional(sequence.toLongLong()));
        });
    const bool readMetrics = readEvents
        && database.each(u"SELECT timestamp, trialJobId, type, sequence, data FROM MetricData ORDER BY rowid"_s,
            [&](const QSqlQuery& row) {
                replay.metric(row.value(0).toLongLong(), row.value(1).toString(), row.value(2).toString(),
                    row.value(3).toLongLong(), row.value(4).toByteArray());
            });
    if (!readMetrics)
        return notNni();
    std::stable_sort(experiment.trials.begin(), experiment.trials.end(),
        [](const OldTrial& a, const OldTrial& b) { return a.trial.sequenceId < b.trial.sequenceId; });
    return experiment;
}

} // namespace nni
