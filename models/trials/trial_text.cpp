// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_text.h"

#include "models/machine_cells.h"
#include "services/api/json_slice.h"
#include "services/core/record_json.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace models {

using core::TrialStatus;

namespace {

/// Gives lupdate the context of the free functions here.
struct TextWords
{
    Q_DECLARE_TR_FUNCTIONS(models::Words)
};

} // namespace

QString stateWord(TrialStatus status)
{
    switch (status) {
    case TrialStatus::unknown:
        return TextWords::tr("Unknown");
    case TrialStatus::waiting:
        return TextWords::tr("Waiting");
    case TrialStatus::running:
        return TextWords::tr("Running");
    case TrialStatus::succeeded:
        return TextWords::tr("Succeeded");
    case TrialStatus::failed:
        return TextWords::tr("Failed");
    case TrialStatus::user_canceled:
    case TrialStatus::sys_canceled:
        return TextWords::tr("Cancelled");
    case TrialStatus::early_stopped:
        return TextWords::tr("Early stopped");
    }
    Q_UNREACHABLE();
}

QString machineWord(const core::Trial& trial)
{
    const bool isThisComputer = trial.machineId.value == u"local"_s && trial.platformId.value == u"local"_s;
    return isThisComputer ? platformName(trial.platformId) : machineKey(trial);
}

QString machineKey(const core::Trial& trial)
{
    const QString& id = trial.machineId.value;
    const QString& platform = trial.platformId.value;
    const bool isPrefixed = id.size() > platform.size() + 1 && id[platform.size()] == u'.' && id.startsWith(platform);
    return isPrefixed ? id.mid(platform.size() + 1) : id;
}

std::optional<qint64> ranFor(const core::Trial& trial, qint64 now)
{
    if (!trial.startTime)
        return std::nullopt;
    return std::max<qint64>(0, trial.endTime.value_or(now) - *trial.startTime);
}

qint64 waitedFor(const core::Trial& trial, qint64 now)
{
    return std::max<qint64>(0, trial.startTime.value_or(trial.endTime.value_or(now)) - trial.submitTime);
}

std::optional<double> metricNumber(const core::MetricValue& value, const QString& name)
{
    if (value.kind == core::MetricValue::Kind::none)
        return std::nullopt;
    if (value.kind == core::MetricValue::Kind::number || name == u"default"_s)
        return value.number;
    const std::optional<api::JsonSlice> member = api::JsonSlice(value.object).member(name.toUtf8());
    if (!member)
        return std::nullopt;
    if (const std::optional<double> plain = member->number())
        return plain;
    const core::MetricValue odd = core::parseMetricValue(member->string());
    return odd.kind == core::MetricValue::Kind::number ? std::optional(odd.number) : std::nullopt;
}

} // namespace models
