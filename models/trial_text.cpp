// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_text.h"

#include "services/core/record_json.h"
#include "services/engine/json_slice.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

using namespace Qt::StringLiterals;

namespace models {

using core::TrialStatus;

namespace {

/// Gives lupdate the context of the free functions here.
struct TextWords
{
    Q_DECLARE_TR_FUNCTIONS(models::Words)
};

/// NaN and infinities as people write them; empty for numbers.
QString oddNumber(double value)
{
    if (std::isnan(value))
        return u"NaN"_s;
    if (std::isinf(value))
        return value > 0 ? u"∞"_s : u"−∞"_s;
    return {};
}

/// `5.2e-4` rather than `5.2e-04`.
QString scientific(double value, int places)
{
    QString text = QString::number(value, 'e', places);
    const qsizetype e = text.indexOf(u'e');
    QString mantissa = text.left(e);
    if (mantissa.contains(u'.')) {
        while (mantissa.endsWith(u'0'))
            mantissa.chop(1);
        if (mantissa.endsWith(u'.'))
            mantissa.chop(1);
    }
    return mantissa + u'e' + QString::number(text.mid(e + 1).toInt());
}

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

QString metricText(double value)
{
    if (const QString odd = oddNumber(value); !odd.isEmpty())
        return odd;
    const double size = std::abs(value);
    if (size != 0 && (size < 0.001 || size >= 1e7))
        return scientific(value, 3);
    if (size >= 1000)
        return QLocale().toString(value, 'f', size == std::floor(size) ? 0 : 1);
    return QString::number(value, 'f', size >= 100 ? 1 : size >= 10 ? 2 : 4);
}

QString parameterText(double value)
{
    if (const QString odd = oddNumber(value); !odd.isEmpty())
        return odd;
    const double size = std::abs(value);
    if (value == std::floor(value) && size < 1e9)
        return QString::number(qint64(value));
    if (size < 0.0001 || size >= 1e7)
        return scientific(value, 2);
    return QString::number(value, 'g', size < 0.01 ? 2 : size < 1 ? 3 : 4);
}

QString durationText(qint64 milliseconds)
{
    const qint64 seconds = std::max<qint64>(0, milliseconds) / 1000;
    if (seconds < 60)
        return TextWords::tr("%1 s").arg(seconds);
    if (seconds < 3600)
        return TextWords::tr("%1 min").arg(seconds / 60);
    if (seconds < 86'400)
        return TextWords::tr("%1 h %2 min").arg(seconds / 3600).arg(seconds / 60 % 60);
    return TextWords::tr("%1 d %2 h").arg(seconds / 86'400).arg(seconds / 3600 % 24);
}

QString shortDurationText(qint64 milliseconds)
{
    const qint64 seconds = std::max<qint64>(0, milliseconds) / 1000;
    if (seconds >= 3600 && seconds < 86'400)
        return TextWords::tr("%1 h %2").arg(seconds / 3600).arg(seconds / 60 % 60, 2, 10, QLatin1Char('0'));
    return durationText(milliseconds);
}

QString agoText(qint64 time, qint64 now)
{
    return now - time < 5000 ? TextWords::tr("just now") : TextWords::tr("%1 ago").arg(durationText(now - time));
}

QString sizeText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, bytes < 1024 ? 0 : 1);
}

QString machineWord(const core::Trial& trial)
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
    const std::optional<engine::JsonSlice> member = engine::JsonSlice(value.object).member(name.toUtf8());
    if (!member)
        return std::nullopt;
    if (const std::optional<double> plain = member->number())
        return plain;
    const core::MetricValue odd = core::parseMetricValue(member->string());
    return odd.kind == core::MetricValue::Kind::number ? std::optional(odd.number) : std::nullopt;
}

} // namespace models
