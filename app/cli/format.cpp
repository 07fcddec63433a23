// SPDX-License-Identifier: GPL-3.0-or-later
#include "format.h"

#include "services/core/duration_text.h"
#include "services/core/records.h"

#include <QDateTime>

#include <cmath>

using namespace Qt::StringLiterals;

namespace app {

QString humanDuration(qint64 ms)
{
    return ms < 0 ? QString() : core::durationText(ms);
}

QString humanBytes(qint64 bytes)
{
    if (bytes < 1024)
        return u"%1 B"_s.arg(bytes);
    static const QString units[] = {u"KiB"_s, u"MiB"_s, u"GiB"_s, u"TiB"_s, u"PiB"_s};
    double value = double(bytes) / 1024;
    int unit = 0;
    while (value >= 1023.95 && unit < 4) {
        value /= 1024;
        ++unit;
    }
    return u"%1 %2"_s.arg(QString::number(value, 'f', value < 99.95 ? 1 : 0), units[unit]);
}

QString humanTime(std::optional<qint64> ms)
{
    return ms && *ms > 0 ? QDateTime::fromMSecsSinceEpoch(*ms).toString(u"yyyy-MM-dd HH:mm:ss"_s) : QString();
}

QString humanNumber(double value)
{
    if (std::isnan(value))
        return u"NaN"_s;
    if (std::isinf(value))
        return value > 0 ? u"inf"_s : u"-inf"_s;
    return QString::number(value, 'g', 6);
}

QString valueText(const Json& value)
{
    if (value.is_number_integer())
        return QString::fromStdString(value.dump());
    if (value.is_number())
        return humanNumber(value.get<double>());
    if (value.is_string())
        return QString::fromStdString(value.get_ref<const std::string&>());
    if (value.is_object() && value.contains("default") && !value["default"].is_object())
        return valueText(value["default"]);
    return value.is_null() ? QString() : QString::fromUtf8(core::dumpJson(value));
}

QString parametersText(const Json& parameters)
{
    if (!parameters.is_object())
        return parameters.is_null() ? QString() : QString::fromUtf8(core::dumpJson(parameters));
    QStringList parts;
    for (const auto& [name, value] : parameters.items())
        parts += QString::fromStdString(name) + u'='
            + (value.is_object() ? QString::fromUtf8(core::dumpJson(value)) : valueText(value));
    return parts.join(u' ');
}

QString metricOfTrial(const Json& trial)
{
    const Json& last = member(trial, "finalMetric");
    const Json& value = member(last.is_object() ? last : member(trial, "latestMetric"), "value");
    // An object with one number is shown as the number; of several, `default` is the one that counts.
    if (value.is_object() && value.size() == 1)
        return valueText(value.front());
    return valueText(value.is_object() && value.contains("default") ? value["default"] : value);
}

QString placeOfTrial(const Json& trial)
{
    QString place = textOf(trial, "machineId");
    QStringList gpus;
    for (const Json& index : listOf(trial, "gpuIndices"))
        if (index.is_number_integer())
            gpus += QString::number(index.get<int>());
    if (!gpus.isEmpty())
        place += u" GPU "_s + gpus.join(u',');
    return place.trimmed();
}

Role roleOfStatus(const QString& status)
{
    static const QHash<QString, Role> roles = {{u"RUNNING"_s, Role::busy}, {u"SUCCEEDED"_s, Role::good},
        {u"DONE"_s, Role::good}, {u"READY"_s, Role::good}, {u"ok"_s, Role::good}, {u"succeeded"_s, Role::good},
        {u"FAILED"_s, Role::bad}, {u"ERROR"_s, Role::bad}, {u"fail"_s, Role::bad}, {u"failed"_s, Role::bad},
        {u"SYS_CANCELED"_s, Role::warn}, {u"USER_CANCELED"_s, Role::warn}, {u"UNKNOWN"_s, Role::warn},
        {u"QUESTION"_s, Role::warn}, {u"SILENT"_s, Role::warn}, {u"DRAINED"_s, Role::warn}, {u"warn"_s, Role::warn},
        {u"PAUSED"_s, Role::warn}, {u"WAITING"_s, Role::dim}, {u"STOPPED"_s, Role::dim}, {u"skipped"_s, Role::dim}};
    return roles.value(status, Role::plain);
}

bool isFinalStatus(const QString& status)
{
    const std::optional<core::TrialStatus> known = core::statusFromName(status);
    return known && core::isFinal(*known);
}

qint64 waitedMs(const Json& trial, qint64 nowMs)
{
    const std::optional<qint64> from = numberOf(trial, "submitTime");
    std::optional<qint64> to = numberOf(trial, "startTime");
    if (!to)
        to = numberOf(trial, "endTime");
    return from ? std::max<qint64>(0, to.value_or(nowMs) - *from) : -1;
}

qint64 ranMs(const Json& trial, qint64 nowMs)
{
    const std::optional<qint64> from = numberOf(trial, "startTime");
    return from ? std::max<qint64>(0, numberOf(trial, "endTime").value_or(nowMs) - *from) : -1;
}

} // namespace app
