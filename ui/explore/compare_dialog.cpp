// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_dialog.h"

#include "compare_table.h"
#include "series_legend.h"

#include "models/engine_mirror.h"
#include "models/printable.h"
#include "models/selection.h"
#include "ui/charts/metric_chart.h"
#include "ui/charts/plot_view.h"
#include "ui/kit/actions.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDateTime>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr qsizetype mostCompared = models::Selection::mostColors;
constexpr qsizetype fewBest = 4;

QString numberText(const core::Trial& trial)
{
    return QString::number(trial.sequenceId);
}

} // namespace

CompareDialog::CompareDialog(
    const PageContext& context, const QSet<core::TrialId>& ids, const core::ExperimentId& experiment, QWidget* parent)
    : QDialog(parent)
    , m_context(context)
    , m_title(makeLabel({}, TextSize::title, QFont::DemiBold, this))
    , m_baselines(new QComboBox(this))
    , m_table(new QTreeWidget(this))
    , m_curves(new charts::MetricChart(context.theme, context.mirror.client(), this))
{
    const api::Mirror& state = context.mirror.state();
    for (const core::TrialId& id : ids) {
        if (const core::TrialPtr trial = state.trial(id))
            m_selected.append(trial);
    }
    m_experiment = state.experiments().find(m_selected.isEmpty() ? experiment : m_selected.first()->experimentId);
    setWindowTitle(tr("Compare"));
    resize(roomOnScreen(this, {980, 720}));

    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addSpacing(metrics::margin);
    QLabel* label = makeQuietLabel(tr("Baseline"), TextSize::body, this);
    label->setBuddy(m_baselines);
    head->addWidget(label);
    head->addWidget(m_baselines);
    head->addStretch();
    head->addWidget(m_curves->plot()->resetButton());
    QStringList sources{tr("Best %1").arg(fewBest), tr("Best %1").arg(mostCompared)};
    QList<qsizetype> counts{fewBest, mostCompared};
    if (m_selected.size() > 1) {
        sources.prepend(tr("Selected"));
        counts.prepend(0);
    }
    head->addWidget(makeSegments(
        sources, 0, [this, counts](int which) { choose(counts[which]); }, this));

    m_baselines->setAccessibleName(tr("Baseline"));
    connect(m_baselines, &QComboBox::activated, this, &CompareDialog::setBaseline);
    m_table->setAccessibleName(tr("What differs"));
    m_table->header()->setSectionsClickable(true);
    connect(m_table->header(), &QHeaderView::sectionClicked, this, [this](int section) {
        if (section > 0)
            setBaseline(section - 1);
    });
    m_table->setUniformRowHeights(true);
    m_table->header()->setStretchLastSection(false);
    m_table->setIconSize({seriesDotSize, seriesDotSize});
    m_curves->setNumbers([mirror = &context.mirror](const core::TrialId& id) {
        const core::TrialPtr trial = mirror->state().trial(id);
        return trial ? numberText(*trial) : id.value;
    });
    if (m_experiment)
        m_curves->setObjective(m_experiment->spec.objective);
    // Not a box of standard buttons: its icons are the desktop's, in a colour for its own ground.
    QPushButton* close = makeButton(tr("Close"), {}, this);
    close->setObjectName(u"close"_s);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::margin, metrics::margin, metrics::margin, metrics::margin);
    layout->setSpacing(metrics::gap);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    layout->addWidget(makeLabel(m_experiment ? models::printable(m_experiment->spec.objective.metric, 40) : QString(),
        TextSize::body, QFont::DemiBold, this));
    layout->addWidget(m_curves, 1);
    layout->addWidget(close, 0, Qt::AlignRight);
    connect(&context.theme, &Theme::changed, this, [this] { showTrials(m_shown, m_title->text()); });
    choose(counts.first());
}

/// Shows so many of the best trials of the experiment; 0: the selected ones.
void CompareDialog::choose(qsizetype best)
{
    const bool maximize = !m_experiment || m_experiment->spec.objective.maximize;
    if (best == 0) {
        const QList<core::TrialPtr> trials = bestOf(m_selected, maximize, mostCompared);
        showTrials(trials,
            trials.size() < m_selected.size()
                ? tr("The best %1 of %2 selected").arg(trials.size()).arg(m_selected.size())
                : tr("Compare %n trial(s)", nullptr, int(trials.size())));
        return;
    }
    const QList<core::TrialPtr> all =
        m_experiment ? trialsWithValues(m_context.mirror.state(), m_experiment->id) : QList<core::TrialPtr>();
    const QList<core::TrialPtr> trials = bestOf(all, maximize, best);
    showTrials(trials, tr("The best %1 of %2").arg(trials.size()).arg(QLocale().toString(all.size())));
}

/// `shown`: its place among the columns.
void CompareDialog::setBaseline(int shown)
{
    if (shown <= 0 || shown >= int(m_shown.size()))
        return;
    m_baseline = m_shown[shown]->id;
    showTrials(m_shown, m_title->text());
    m_table->setFocus();
}

void CompareDialog::showTrials(const QList<core::TrialPtr>& shown, const QString& title)
{
    QList<core::TrialPtr> trials = shown;
    const auto baseline = std::find_if(
        trials.begin(), trials.end(), [this](const core::TrialPtr& trial) { return trial->id == m_baseline; });
    if (baseline != trials.end())
        std::rotate(trials.begin(), baseline, baseline + 1);
    m_shown = trials;
    m_baselines->clear();
    for (const core::TrialPtr& trial : std::as_const(trials))
        m_baselines->addItem(tr("Trial %1").arg(numberText(*trial)));
    m_title->setText(title);
    QList<core::TrialId> order;
    for (const core::TrialPtr& trial : trials)
        order.append(trial->id);
    m_colors = models::colorTrials(order, m_context.selection.colors());
    QHash<core::TrialId, QColor> colors;
    for (const core::TrialId& id : std::as_const(order))
        colors.insert(id, m_context.theme.roles().series[size_t(m_colors.value(id))]);
    m_curves->setColors(colors);
    m_curves->setTrials(order);
    m_curves->setSelection(QSet<core::TrialId>(order.begin(), order.end()), {});
    fillTable(trials);
}

void CompareDialog::fillTable(const QList<core::TrialPtr>& trials)
{
    const Roles& roles = m_context.theme.roles();
    models::TrialTable table;
    if (m_experiment)
        table.setObjective(m_experiment->spec.objective);
    QStringList headers{tr("What differs")};
    for (const core::TrialPtr& trial : trials) {
        table.put(trial);
        headers.append(trial == trials.first() ? tr("Trial %1, baseline").arg(numberText(*trial))
                                               : tr("Trial %1").arg(numberText(*trial)));
    }
    m_table->clear();
    m_table->setColumnCount(int(headers.size()));
    m_table->setHeaderLabels(headers);
    for (int i = 0; i < int(trials.size()); ++i) {
        const QColor color = roles.series[size_t(m_colors.value(trials[i]->id))];
        m_table->headerItem()->setIcon(i + 1, seriesDot(color, devicePixelRatioF()));
        m_table->headerItem()->setTextAlignment(i + 1, Qt::AlignLeft | Qt::AlignVCenter);
        if (i > 0)
            m_table->headerItem()->setToolTip(i + 1, tr("Press to make it the baseline"));
    }
    const QFont strong = m_context.theme.font(TextSize::body, QFont::DemiBold);
    const auto make = [&](const CompareRow& row) {
        auto* item = new QTreeWidgetItem(QStringList{row.name} + row.cells);
        item->setBackground(1, roles.sunken);
        for (int i = 1; i <= int(row.cells.size()); ++i) {
            if (const QString& delta = row.deltas[i - 1]; !delta.isEmpty())
                item->setText(i, delta + u"   "_s + row.cells[i - 1]);
            item->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
            // What is as in the first column is quiet, what is not is strong.
            if (i > 1 && row.cells[i - 1] == row.cells[0])
                item->setForeground(i, roles.text2);
            else if (i > 1)
                item->setFont(i, strong);
        }
        return item;
    };
    const CompareRows rows = compareRows(table, QDateTime::currentMSecsSinceEpoch(), logParameters(m_experiment));
    for (const auto* part : {&rows.parameters, &rows.results}) {
        for (const CompareRow& row : *part)
            m_table->addTopLevelItem(make(row));
    }
    if (!rows.equal.empty()) {
        auto* fold = new QTreeWidgetItem({tr("and %n the same", nullptr, int(rows.equal.size()))});
        fold->setForeground(0, roles.text2);
        for (const CompareRow& row : rows.equal)
            fold->addChild(make(row));
        m_table->addTopLevelItem(fold);
        fold->setFirstColumnSpanned(true);
    }
    for (int i = 0; i < int(headers.size()); ++i)
        m_table->resizeColumnToContents(i);
}

void compareTrials(
    const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent, const core::ExperimentId& experiment)
{
    core::ExperimentId of = experiment;
    qsizetype known = 0;
    for (const core::TrialId& id : ids) {
        if (const core::TrialPtr trial = context.mirror.state().trial(id)) {
            of = trial->experimentId;
            ++known;
        }
    }
    if (known < 2 && trialsWithValues(context.mirror.state(), of).size() < 2) {
        context.actions.note(CompareDialog::tr("Select two or more trials to compare them."));
        return;
    }
    auto* dialog = new CompareDialog(context, ids, of, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

} // namespace ui
