// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment_plan.h"

#include "services/api/settings_match.h"

#include <QCoreApplication>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace models {

using namespace core;

namespace {

/// Gives lupdate the context of the free functions here.
struct PlanWords
{
    Q_DECLARE_TR_FUNCTIONS(models::PlanWords)
};

QString spaceLine(const Json& entry)
{
    // {"_type": "choice", "_value": [...]}: the form of NNI's search spaces.
    if (!entry.is_object() || !entry.contains("_type") || !entry.contains("_value"))
        return QString::fromUtf8(dumpJson(entry));
    QString text = entry["_type"].is_string() ? entry["_type"].get<QString>() : QString();
    QStringList values;
    for (const Json& value : entry["_value"])
        values += QString::fromUtf8(dumpJson(value));
    return u"%1 %2"_s.arg(text, values.join(u", "_s));
}

QString durationOf(qint64 seconds)
{
    return seconds % 3'600 == 0 ? PlanWords::tr("%n hour(s)", nullptr, int(seconds / 3'600))
        : seconds % 60 == 0     ? PlanWords::tr("%n minute(s)", nullptr, int(seconds / 60))
                                : PlanWords::tr("%n second(s)", nullptr, int(seconds));
}

} // namespace

QList<PlanLine> linesOf(const ExperimentPlan& plan)
{
    const ExperimentSpec& spec = plan.spec;
    QList<PlanLine> lines;
    const auto put = [&lines](const QString& name, const QString& value) {
        if (!value.isEmpty())
            lines.append({name, value});
    };
    put(PlanWords::tr("Name"), spec.name);
    put(PlanWords::tr("Command"), spec.trialCommand);
    put(PlanWords::tr("Code"),
        plan.pack              ? PlanWords::tr("%1, sent to the service").arg(spec.codeDir)
            : spec.codeInPlace ? PlanWords::tr("%1, in place").arg(spec.codeDir)
                               : spec.codeDir);
    put(PlanWords::tr("Setup"), spec.setup);
    put(PlanWords::tr("Interpreter"), spec.interpreter);
    put(PlanWords::tr("GPUs a trial"),
        spec.gpuNumber ? QString::number(*spec.gpuNumber) : PlanWords::tr("not said: it sees all"));
    put(PlanWords::tr("At once"), QString::number(spec.trialConcurrency));
    put(PlanWords::tr("Trials"),
        spec.maxTrialNumber ? QLocale().toString(*spec.maxTrialNumber) : PlanWords::tr("no limit"));
    put(PlanWords::tr("Ends after"), spec.maxDurationSeconds ? durationOf(*spec.maxDurationSeconds) : QString());
    put(PlanWords::tr("A trial ends after"),
        spec.maxTrialDurationSeconds ? durationOf(*spec.maxTrialDurationSeconds) : QString());
    put(PlanWords::tr("Objective"),
        spec.objective.maximize ? PlanWords::tr("the greatest %1").arg(spec.objective.metric)
                                : PlanWords::tr("the least %1").arg(spec.objective.metric));
    put(PlanWords::tr("Search"), spec.tunerName.isEmpty() ? PlanWords::tr("trials come from outside") : spec.tunerName);
    if (spec.searchSpace.is_object())
        for (const auto& [name, entry] : spec.searchSpace.items())
            put(u"  "_s + QString::fromStdString(name), spaceLine(entry));
    for (auto it = spec.environment.begin(); it != spec.environment.end(); ++it)
        put(PlanWords::tr("Environment"), it.key()); // values may be secrets
    put(PlanWords::tr("Tags"), spec.tags.join(u", "_s));
    return lines;
}

QList<PlanPlace> placesOf(const ExperimentPlan& plan, const api::Mirror& state)
{
    QList<PlanPlace> same;
    QList<PlanPlace> others;
    for (const PlatformPtr& platform : state.platforms().list()) {
        if (!plan.kind.isEmpty() && platform->kind != plan.kind)
            continue;
        const bool fits = plan.kind.isEmpty() ? platform->id == plan.spec.platformId
                                              : api::settingsSay(platform->settings, plan.settings);
        (fits ? same : others).append({platform->id, false});
    }
    if (same.isEmpty() && !plan.kind.isEmpty() && !plan.settings.empty()) {
        const QString name = api::freePlatformName(
            plan.kind, [&](const QString& id) { return state.platforms().find(PlatformId(id)) != nullptr; });
        same.append({PlatformId(name), true});
    }
    return same + others;
}

ExperimentSpec specAt(const ExperimentPlan& plan, const PlatformId& place, const api::Mirror& state)
{
    ExperimentSpec spec = plan.spec;
    spec.platformId = place;
    const PlatformPtr platform = state.platforms().find(place);
    if ((platform ? platform->kind : plan.kind) == u"local"_s)
        for (auto it = plan.environment.begin(); it != plan.environment.end(); ++it)
            if (!spec.environment.contains(it.key()))
                spec.environment.insert(it.key(), it.value());
    return spec;
}

} // namespace models
