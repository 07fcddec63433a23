// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_dialog.h"

#include "models/engine_mirror.h"
#include "models/format.h"
#include "models/printable.h"
#include "models/trials/trial_table.h"
#include "ui/charts/metric_chart.h"
#include "ui/kit/actions.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QCoreApplication>
#include <QDialog>
#include <QHeaderView>
#include <QTreeWidget>

#include <cmath>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr qsizetype mostCompared = 12;

/// Gives lupdate the context of the free functions here.
struct CompareWords
{
    Q_DECLARE_TR_FUNCTIONS(ui::CompareWords)
};

} // namespace

void compareTrials(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent)
{
    QList<core::TrialPtr> trials;
    for (const core::TrialId& id : ids) {
        if (const core::TrialPtr trial = context.mirror.state().trial(id))
            trials.append(trial);
    }
    std::sort(trials.begin(), trials.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
    if (trials.size() < 2) {
        context.actions.note(CompareWords::tr("Select two or more trials to compare them."));
        return;
    }
    const qsizetype all = trials.size();
    trials = trials.mid(0, mostCompared);
    models::TrialTable table;
    const core::ExperimentPtr experiment = context.mirror.state().experiments().find(trials.first()->experimentId);
    if (experiment)
        table.setObjective(experiment->spec.objective);
    QStringList headers{CompareWords::tr("What differs")};
    QList<core::TrialId> order;
    for (const core::TrialPtr& trial : std::as_const(trials)) {
        table.put(trial);
        headers.append(CompareWords::tr("Trial %1").arg(trial->sequenceId));
        order.append(trial->id);
    }

    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(CompareWords::tr("Compare"));
    dialog->resize(roomOnScreen(dialog, {860, 640}));
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(metrics::margin, metrics::margin, metrics::margin, metrics::margin);
    layout->setSpacing(metrics::gap);
    layout->addWidget(
        makeLabel(all > mostCompared ? CompareWords::tr("The first %1 of %2 trials").arg(mostCompared).arg(all)
                                     : CompareWords::tr("%n trial(s)", nullptr, int(all)),
            TextSize::title, QFont::DemiBold, dialog));
    auto* curves = new charts::MetricChart(context.theme, context.mirror.client(), dialog);
    if (experiment)
        curves->setObjective(experiment->spec.objective);
    curves->setTrials(order);
    curves->setSelection(QSet<core::TrialId>(order.begin(), order.end()), {});
    curves->setNumbers([mirror = &context.mirror](const core::TrialId& id) {
        const core::TrialPtr trial = mirror->state().trial(id);
        return trial ? QString::number(trial->sequenceId) : id.value;
    });
    layout->addWidget(curves, 1);

    auto* list = new QTreeWidget(dialog);
    list->setAccessibleName(CompareWords::tr("What differs"));
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setHeaderLabels(headers);
    list->header()->setStretchLastSection(false);
    int equal = 0;
    const auto add = [&](const QString& name, int column) {
        QStringList cells{models::printable(name, 60)};
        bool differs = false;
        for (quint32 row = 0; row < table.size(); ++row) {
            const QString text = table.text(column, row);
            const double number = table.number(column, row, 0);
            const bool isTime = column == int(models::TrialColumn::ran) || column == int(models::TrialColumn::waited);
            cells.append(!text.isEmpty() ? models::printable(text, 80)
                    : std::isnan(number) ? u"–"_s
                    : isTime             ? models::durationText(qint64(number))
                                         : models::parameterText(number));
            differs = differs || cells.last() != cells[1];
        }
        if (!differs) {
            ++equal;
            return;
        }
        auto* row = new QTreeWidgetItem(list, cells);
        for (int i = 1; i < cells.size(); ++i)
            row->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    };
    for (const models::TrialColumn column : {models::TrialColumn::best, models::TrialColumn::last})
        add(column == models::TrialColumn::best ? CompareWords::tr("Best") : CompareWords::tr("Last"), int(column));
    for (int column = models::baseColumns; column < table.columnCount(); ++column)
        add(table.parameterName(column), column);
    add(CompareWords::tr("State"), int(models::TrialColumn::state));
    add(CompareWords::tr("Machine"), int(models::TrialColumn::machine));
    add(CompareWords::tr("Ran"), int(models::TrialColumn::ran));
    add(CompareWords::tr("Values"), int(models::TrialColumn::values));
    layout->addWidget(list, 1);
    layout->addWidget(makeQuietLabel(
        CompareWords::tr("%n fact(s) are equal and left out.", nullptr, equal), TextSize::header, dialog));
    for (int i = 0; i < headers.size(); ++i)
        list->resizeColumnToContents(i);
    dialog->show();
}

} // namespace ui
