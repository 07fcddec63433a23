// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_cell.h"

#include "trial_text.h"

#include "models/format.h"
#include "models/machine_cells.h"
#include "models/printable.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <cmath>

using namespace Qt::StringLiterals;

namespace models {

namespace {

/// Gives lupdate the context of the free functions here.
struct CellWords
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
        return bytesText(qint64(number));
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
        return !value ? CellWords::tr("not a number") : whole ? exact(*value) : metricText(*value);
    }
    if (kind == TrialColumn::curve)
        return whole && trial.metricCount > 0 ? CellWords::tr("%n value(s)", nullptr, int(trial.metricCount))
                                              : QString();
    if (kind == TrialColumn::platform)
        return platformName(trial.platformId);
    if (QString text = table.text(column, row); !text.isEmpty()) {
        if (kind == TrialColumn::machine)
            text = machineWord(trial) + text.mid(machineKey(trial).size());
        return printable(text, whole ? 2000 : 120);
    }
    const double number = table.number(column, row, now);
    return std::isnan(number) ? QString() : numberCell(kind, number, now, whole);
}

QString columnTitle(TrialColumn column)
{
    switch (column) {
    case TrialColumn::state:
        return CellWords::tr("State");
    case TrialColumn::number:
        return u"#"_s;
    case TrialColumn::best:
        return CellWords::tr("Best");
    case TrialColumn::last:
        return CellWords::tr("Last");
    case TrialColumn::curve:
        return CellWords::tr("Curve");
    case TrialColumn::machine:
        return CellWords::tr("Machine");
    case TrialColumn::ran:
        return CellWords::tr("Ran");
    case TrialColumn::waited:
        return CellWords::tr("Waited");
    case TrialColumn::attempt:
        return CellWords::tr("Attempt");
    case TrialColumn::reason:
        return CellWords::tr("Reason");
    case TrialColumn::exit_code:
        return CellWords::tr("Exit code");
    case TrialColumn::step:
        return CellWords::tr("Step");
    case TrialColumn::values:
        return CellWords::tr("Values");
    case TrialColumn::gpus:
        return CellWords::tr("GPUs");
    case TrialColumn::platform:
        return CellWords::tr("Platform");
    case TrialColumn::priority:
        return CellWords::tr("Priority");
    case TrialColumn::tags:
        return CellWords::tr("Tags");
    case TrialColumn::note:
        return CellWords::tr("Note");
    case TrialColumn::submitted:
        return CellWords::tr("Submitted");
    case TrialColumn::started:
        return CellWords::tr("Started");
    case TrialColumn::ended:
        return CellWords::tr("Ended");
    case TrialColumn::last_contact:
        return CellWords::tr("Last contact");
    case TrialColumn::peak_memory:
        return CellWords::tr("Peak memory");
    case TrialColumn::client_id:
        return CellWords::tr("Client id");
    case TrialColumn::id:
        return CellWords::tr("Id");
    case TrialColumn::experiment:
        return CellWords::tr("Experiment");
    case TrialColumn::parameter:
        break;
    }
    return {};
}

} // namespace models
