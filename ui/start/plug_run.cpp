// SPDX-License-Identifier: GPL-3.0-or-later
#include "plug_run.h"

#include "models/format.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

int PlugProof::adoptedCount() const
{
    return int(std::count_if(trials.begin(), trials.end(), [](const PlugTrial& trial) { return trial.adopted; }));
}

int PlugProof::startedTwice() const
{
    return int(std::count_if(trials.begin(), trials.end(), [](const PlugTrial& trial) { return trial.starts > 1; }));
}

int PlugProof::gapValues() const
{
    int values = 0;
    for (const PlugTrial& trial : trials)
        values += int(std::count_if(trial.values.begin(), trial.values.end(),
            [this](qint64 time) { return time > killed && (back == 0 || time < back); }));
    return values;
}

bool PlugProof::isGood() const
{
    return problem.isEmpty() && end > 0 && !trials.isEmpty() && lost() == 0
        && std::all_of(trials.begin(), trials.end(), [](const PlugTrial& trial) { return trial.isGood(); });
}

QString PlugProof::text() const
{
    QStringList lines;
    lines += QCoreApplication::translate("ui::PlugProof", "Running trials adopted: %1 of %2")
                 .arg(adoptedCount())
                 .arg(trials.size());
    lines += QCoreApplication::translate("ui::PlugProof", "Trials lost: %1 (%2 known before, %3 after)")
                 .arg(lost())
                 .arg(knownBefore)
                 .arg(knownAfter);
    lines += QCoreApplication::translate("ui::PlugProof", "Trials started twice: %1").arg(startedTwice());
    lines += QCoreApplication::translate("ui::PlugProof", "Values of the gap recovered: %1").arg(gapValues());
    lines += QCoreApplication::translate("ui::PlugProof", "Service away for %1 s, adopted after %2 s")
                 .arg(QString::number(double(back - killed) / 1'000, 'f', 1),
                     QString::number(double(adopted - back) / 1'000, 'f', 1));
    for (const PlugStep& step : steps)
        lines += u"%1  %2"_s.arg(models::clockText(step.time, step.time, true), step.text);
    for (const PlugTrial& trial : trials)
        lines += QCoreApplication::translate("ui::PlugProof", "Trial %1: %2 values, started %3 ×, %4")
                     .arg(trial.number)
                     .arg(trial.values.size())
                     .arg(trial.starts)
                     .arg(trial.isGood() ? QCoreApplication::translate("ui::PlugProof", "same process, complete")
                                         : QCoreApplication::translate("ui::PlugProof", "not as it should be"));
    return lines.join(u'\n') + u'\n';
}

} // namespace ui
