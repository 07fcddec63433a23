// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallel_data.h"

#include "heat_key.h"

#include "models/format.h"
#include "models/trials/trial_cell.h"
#include "models/trials/trial_model.h"
#include "ui/charts/axis_ticks.h"

#include <QCoreApplication>
#include <QHash>

#include <cmath>

using namespace Qt::StringLiterals;

namespace ui {

using models::TrialColumn;
using models::TrialTable;

namespace {

/// The largest number of parameters that are shown as axes.
constexpr int mostAxes = 60;
/// A column with at most this many distinct numbers is treated as a choice, with evenly spaced places.
constexpr qsizetype mostChoices = 8;
constexpr int best = int(TrialColumn::best);

struct ParallelWords
{
    Q_DECLARE_TR_FUNCTIONS(ui::ParallelData)
};

/// An axis and the index of each of its words; without words places are computed from values.
struct Scale
{
    charts::ParallelAxis axis;
    QHash<QString, int> places;
};

/// The key of a choice's value in Scale::places.
QString keyOf(const TrialTable& table, int column, quint32 row)
{
    return table.isText(column) ? table.text(column, row) : QString::number(table.number(column, row, 0), 'g', 17);
}

void setWords(Scale& scale, const QStringList& keys, const QStringList& words)
{
    for (qsizetype i = 0; i < keys.size(); ++i)
        scale.places.insert(keys[i], int(i));
    scale.axis.words = words;
    scale.axis.low = 0;
    scale.axis.high = std::max<double>(1, double(words.size() - 1));
}

QStringList wordsOf(const TrialTable& table, int column)
{
    QSet<QString> found;
    for (quint32 row = 0; row < table.size(); ++row)
        found.insert(table.text(column, row));
    found.remove(QString());
    QStringList words = found.values();
    words.sort(Qt::CaseInsensitive);
    return words;
}

/// The distinct numbers in ascending order, at most mostChoices + 1 of them.
QList<double> numbersOf(const TrialTable& table, int column)
{
    QSet<double> found;
    for (quint32 row = 0; row < table.size() && found.size() <= mostChoices; ++row) {
        if (const double number = table.number(column, row, 0); std::isfinite(number))
            found.insert(number);
    }
    QList<double> numbers = found.values();
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

Scale scaleOf(const models::TrialModel& model, int column, const core::ExperimentPtr& experiment)
{
    Scale scale;
    scale.axis.name = axisName(model, column);
    const TrialTable& table = model.table();
    if (table.isText(column)) {
        if (const QStringList words = wordsOf(table, column); !words.isEmpty()) {
            setWords(scale, words, words);
            return scale;
        }
    } else if (column != best) {
        const QList<double> numbers = numbersOf(table, column);
        if (numbers.size() > 1 && numbers.size() <= mostChoices) {
            QStringList keys;
            QStringList words;
            for (const double number : numbers) {
                keys.append(QString::number(number, 'g', 17));
                words.append(models::parameterText(number));
            }
            setWords(scale, keys, words);
            return scale;
        }
    }
    const auto [low, high] = model.rangeOf(column);
    scale.axis.isLog = isLogColumn(model, column, experiment);
    std::tie(scale.axis.low, scale.axis.high) = std::isnan(low) ? std::pair(0.0, 1.0)
        : high > low                                            ? charts::rounded(low, high, 4, scale.axis.isLog)
                                                                : charts::aired(low, high);
    return scale;
}

double placeOf(const Scale& scale, const TrialTable& table, int column, quint32 row)
{
    double value = table.number(column, row, 0);
    if (!scale.axis.words.isEmpty()) {
        const auto at = scale.places.constFind(keyOf(table, column, row));
        value = at == scale.places.cend() ? std::nan("") : double(*at);
    }
    return std::isfinite(value) ? scale.axis.placeOf(value) : std::nan("");
}

} // namespace

QList<int> tellingColumns(const models::TrialModel& model)
{
    QList<int> out;
    const TrialTable& table = model.table();
    const int end = std::min(table.columnCount(), models::baseColumns + mostAxes);
    for (int column = models::baseColumns; column < end; ++column) {
        if (table.isText(column)) {
            QSet<QString> words;
            for (quint32 row = 0; row < table.size() && words.size() < 2; ++row)
                words.insert(table.text(column, row));
            if (words.size() > 1)
                out.append(column);
        } else if (const auto [low, high] = model.rangeOf(column); high > low) {
            out.append(column);
        }
    }
    return out;
}

bool isLogColumn(const models::TrialModel& model, int column, const core::ExperimentPtr& experiment)
{
    const auto [low, high] = model.rangeOf(column);
    if (column < models::baseColumns || !(low > 0))
        return false;
    const std::string name = model.table().parameterName(column).toStdString();
    if (experiment && experiment->spec.searchSpace.is_object() && experiment->spec.searchSpace.contains(name)) {
        const core::Json& entry = experiment->spec.searchSpace[name];
        return entry.is_object() && entry.contains("_type") && entry["_type"].is_string()
            && entry["_type"].get<std::string>().find("log") != std::string::npos;
    }
    return high / low > 100;
}

QString axisName(const models::TrialModel& model, int column)
{
    return column == best               ? model.table().objective().metric
        : column >= models::baseColumns ? model.table().parameterName(column)
                                        : models::columnTitle(TrialColumn(column));
}

ParallelData parallelData(
    const models::TrialModel& model, const QList<int>& columns, const core::ExperimentPtr& experiment)
{
    std::vector<Scale> scales;
    for (const int column : columns)
        scales.push_back(scaleOf(model, column, experiment));
    auto lines = std::make_shared<std::vector<charts::ParallelLine>>();
    for (quint32 row = 0; row < model.table().size(); ++row) {
        charts::ParallelLine line;
        line.trial = model.table().trial(row).id;
        if (const auto& value = model.table().trial(row).bestMetric; value && std::isfinite(*value))
            line.heat = heatStepOf(model.heat(), *value, model.table().objective().maximize);
        int known = 0;
        for (size_t i = 0; i < scales.size(); ++i) {
            const double place = placeOf(scales[i], model.table(), columns[qsizetype(i)], row);
            line.places.push_back(float(place));
            known += std::isfinite(place) ? 1 : 0;
        }
        if (known > 1) // a line needs two points
            lines->push_back(std::move(line));
    }
    ParallelData data;
    for (Scale& scale : scales)
        data.axes.push_back(std::move(scale.axis));
    data.lines = std::move(lines);
    return data;
}

BrushWords brushWords(const std::vector<charts::ParallelAxis>& axes, const std::vector<charts::Brush>& brushes)
{
    QStringList filter;
    QStringList sentence;
    for (const charts::Brush& brush : brushes) {
        const charts::ParallelAxis& axis = axes[size_t(brush.axis)];
        const double low = axis.valueAt(brush.from);
        const double high = axis.valueAt(brush.to);
        if (!axis.words.isEmpty()) {
            const int first = int(std::ceil(low - 1e-6));
            const QStringList inside = axis.words.mid(first, int(std::floor(high + 1e-6)) - first + 1);
            filter.append(models::wordsFilter(axis.name, inside));
            sentence.append(ParallelWords::tr("%1 %2").arg(axis.name, inside.join(u", "_s)));
            continue;
        }
        const bool isOpenBelow = brush.from <= 0;
        const bool isOpenAbove = brush.to >= 1;
        filter.append(models::rangeFilter(axis.name, isOpenBelow ? -HUGE_VAL : low, isOpenAbove ? HUGE_VAL : high));
        const auto text = [](double value) { return models::parameterText(QString::number(value, 'g', 3).toDouble()); };
        sentence.append(isOpenBelow ? ParallelWords::tr("%1 at most %2").arg(axis.name, text(high))
                : isOpenAbove       ? ParallelWords::tr("%1 at least %2").arg(axis.name, text(low))
                                    : ParallelWords::tr("%1 %2 to %3").arg(axis.name, text(low), text(high)));
    }
    return {filter.join(u' '), sentence.join(u", "_s)};
}

} // namespace ui
