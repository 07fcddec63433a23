// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_cell.h"

#include "printable.h"
#include "trial_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <cmath>

using namespace Qt::StringLiterals;

namespace models {

namespace {

/// Gives lupdate the context of the free functions here.
struct Words
{
    Q_DECLARE_TR_FUNCTIONS(models::TrialCell)
};

bool isTime(TrialColumn column)
{
    return column == TrialColumn::submitted || column == TrialColumn::started || column == TrialColumn::ended
        || column == TrialColumn::last_contact;
}

QString timeText(qint64 time, qint64 now, bool whole)
{
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(time);
    if (whole)
        return QLocale().toString(when, QLocale::LongFormat);
    const bool today = when.date() == QDateTime::fromMSecsSinceEpoch(now).date();
    return today ? when.toString(u"HH:mm:ss"_s) : QLocale().toString(when, u"d MMM HH:mm"_s);
}

QString exact(double number)
{
    return QString::number(number, 'g', 17);
}

QString numberCell(TrialColumn kind, double number, qint64 now, bool whole)
{
    switch (kind) {
    case TrialColumn::best:
        return whole ? exact(number) : metricText(number);
    case TrialColumn::ran:
    case TrialColumn::waited:
        return whole ? durationText(qint64(number)) : shortDurationText(qint64(number));
    case TrialColumn::peak_memory:
        return sizeText(qint64(number));
    case TrialColumn::parameter:
        return whole ? exact(number) : parameterText(number);
    case TrialColumn::number:
    case TrialColumn::values:
    case TrialColumn::step:
        return whole || number < 10'000 ? QString::number(qint64(number)) : QLocale().toString(qint64(number));
    default:
        return isTime(kind) ? timeText(qint64(number), now, whole) : parameterText(number);
    }
}

} // namespace

bool isLeftAligned(const TrialTable& table, int column)
{
    const TrialColumn kind = kindOf(column);
    return kind == TrialColumn::curve || kind == TrialColumn::state
        || (kind != TrialColumn::parameter && table.isText(column));
}

std::optional<double> lastValue(const TrialTable& table, quint32 row)
{
    const core::Trial& trial = table.trial(row);
    const auto& metric = trial.finalMetric ? trial.finalMetric : trial.latestMetric;
    return metric ? metricNumber(metric->value, table.objective().metric) : std::nullopt;
}

QString cellText(const TrialTable& table, int column, quint32 row, qint64 now, bool whole)
{
    const core::Trial& trial = table.trial(row);
    const TrialColumn kind = kindOf(column);
    if (kind == TrialColumn::state)
        return whole && !trial.reason.isEmpty() ? stateWord(trial.status) + u". "_s + printable(trial.reason)
                                                : stateWord(trial.status);
    if (kind == TrialColumn::last) {
        if (!trial.finalMetric && !trial.latestMetric)
            return {};
        const std::optional<double> value = lastValue(table, row);
        return !value ? Words::tr("not a number") : whole ? exact(*value) : metricText(*value);
    }
    if (kind == TrialColumn::curve)
        return whole && trial.metricCount > 0 ? Words::tr("%n value(s)", nullptr, int(trial.metricCount)) : QString();
    if (const QString text = table.text(column, row); !text.isEmpty())
        return printable(text, whole ? 2000 : 120);
    const double number = table.number(column, row, now);
    return std::isnan(number) ? QString() : numberCell(kind, number, now, whole);
}

QString columnTitle(TrialColumn column)
{
    switch (column) {
    case TrialColumn::state:
        return Words::tr("State");
    case TrialColumn::number:
        return u"#"_s;
    case TrialColumn::best:
        return Words::tr("Best");
    case TrialColumn::last:
        return Words::tr("Last");
    case TrialColumn::curve:
        return Words::tr("Curve");
    case TrialColumn::machine:
        return Words::tr("Machine");
    case TrialColumn::ran:
        return Words::tr("Ran");
    case TrialColumn::waited:
        return Words::tr("Waited");
    case TrialColumn::attempt:
        return Words::tr("Attempt");
    case TrialColumn::reason:
        return Words::tr("Reason");
    case TrialColumn::exit_code:
        return Words::tr("Exit code");
    case TrialColumn::step:
        return Words::tr("Step");
    case TrialColumn::values:
        return Words::tr("Values");
    case TrialColumn::gpus:
        return Words::tr("GPUs");
    case TrialColumn::platform:
        return Words::tr("Platform");
    case TrialColumn::priority:
        return Words::tr("Priority");
    case TrialColumn::tags:
        return Words::tr("Tags");
    case TrialColumn::submitted:
        return Words::tr("Submitted");
    case TrialColumn::started:
        return Words::tr("Started");
    case TrialColumn::ended:
        return Words::tr("Ended");
    case TrialColumn::last_contact:
        return Words::tr("Last contact");
    case TrialColumn::peak_memory:
        return Words::tr("Peak memory");
    case TrialColumn::client_id:
        return Words::tr("Client id");
    case TrialColumn::id:
        return Words::tr("Id");
    case TrialColumn::parameter:
        break;
    }
    return {};
}

} // namespace models
