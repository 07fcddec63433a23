// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_table.h"

#include "models/format.h"
#include "models/printable.h"
#include "models/trials/trial_cell.h"
#include "services/api/mirror.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace ui {

using models::TrialColumn;

namespace {

bool hasValue(const core::Trial& trial)
{
    return trial.bestMetric && std::isfinite(*trial.bestMetric);
}

struct ReadRow
{
    CompareRow row;
    bool differs = false;
};

/// Three digits are enough to say how far apart two numbers are.
QString deltaText(double value, double base, bool isLog)
{
    if (!std::isfinite(value) || !std::isfinite(base) || value == base)
        return {};
    if (isLog && base > 0 && value > 0)
        return u"×"_s + models::parameterText(QString::number(value / base, 'g', 3).toDouble());
    const double difference = QString::number(std::abs(value - base), 'g', 3).toDouble();
    return (value > base ? u"+"_s : u"−"_s) + models::parameterText(difference);
}

ReadRow readRow(const models::TrialTable& table, int column, const QString& name, qint64 now, bool isLog)
{
    ReadRow out{{models::printable(name, 60), {}, {}}, false};
    const bool hasDelta = column >= models::baseColumns || column == int(TrialColumn::best)
        || column == int(TrialColumn::last) || column == int(TrialColumn::values);
    for (quint32 row = 0; row < table.size(); ++row)
        out.row.deltas.append(
            hasDelta ? deltaText(table.number(column, row, now), table.number(column, 0, now), isLog) : QString());
    QStringList whole;
    for (quint32 row = 0; row < table.size(); ++row) {
        out.row.cells.append(models::cellText(table, column, row, now, false));
        whole.append(models::cellText(table, column, row, now, true));
    }
    const auto areEqual = [](const QStringList& cells) {
        return std::all_of(cells.begin(), cells.end(), [&](const QString& cell) { return cell == cells.first(); });
    };
    // Of a state the full text holds a sentence, which is no difference of its own.
    const bool isExact = column != int(TrialColumn::state) && areEqual(out.row.cells) && !areEqual(whole);
    if (isExact)
        out.row.cells = whole;
    out.differs = !areEqual(out.row.cells);
    for (QString& cell : out.row.cells)
        cell = cell.isEmpty() ? u"–"_s : cell;
    return out;
}

} // namespace

QSet<QString> logParameters(const core::ExperimentPtr& experiment)
{
    QSet<QString> out;
    if (!experiment || !experiment->spec.searchSpace.is_object())
        return out;
    for (const auto& [name, entry] : experiment->spec.searchSpace.items()) {
        const auto type = entry.is_object() ? entry.find("_type") : entry.end();
        if (entry.is_object() && type != entry.end() && type->is_string()
            && type->get<std::string>().find("log") != std::string::npos)
            out.insert(QString::fromStdString(name));
    }
    return out;
}

CompareRows compareRows(const models::TrialTable& table, qint64 now, const QSet<QString>& logNames)
{
    CompareRows out;
    if (table.size() == 0)
        return out;
    const auto add = [&](std::vector<CompareRow>& differing, int column, const QString& name) {
        ReadRow read = readRow(table, column, name, now, column >= models::baseColumns && logNames.contains(name));
        (read.differs ? differing : out.equal).push_back(std::move(read.row));
    };
    for (int column = models::baseColumns; column < table.columnCount(); ++column)
        add(out.parameters, column, table.parameterName(column));
    for (const TrialColumn column : {TrialColumn::best, TrialColumn::last, TrialColumn::state, TrialColumn::machine,
             TrialColumn::ran, TrialColumn::waited, TrialColumn::values})
        add(out.results, int(column), models::columnTitle(column));
    return out;
}

QList<core::TrialPtr> bestOf(QList<core::TrialPtr> trials, bool maximize, qsizetype most)
{
    std::sort(trials.begin(), trials.end(), [maximize](const core::TrialPtr& a, const core::TrialPtr& b) {
        if (hasValue(*a) != hasValue(*b))
            return hasValue(*a);
        if (!hasValue(*a) || *a->bestMetric == *b->bestMetric)
            return a->id < b->id;
        return maximize ? *a->bestMetric > *b->bestMetric : *a->bestMetric < *b->bestMetric;
    });
    return trials.mid(0, most);
}

QList<core::TrialPtr> trialsWithValues(const api::Mirror& state, const core::ExperimentId& experiment)
{
    QList<core::TrialPtr> out;
    for (const core::TrialPtr& trial : state.trials()) {
        if (trial->experimentId == experiment && hasValue(*trial))
            out.append(trial);
    }
    return out;
}

} // namespace ui
