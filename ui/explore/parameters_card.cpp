// SPDX-License-Identifier: GPL-3.0-or-later
#include "parameters_card.h"

#include "heat_key.h"
#include "legend_label.h"

#include "models/engine_mirror.h"
#include "models/format.h"
#include "models/printable.h"
#include "models/trials/trial_csv.h"
#include "models/trials/trial_model.h"
#include "ui/charts/dot_chart.h"
#include "ui/charts/plot_view.h"
#include "ui/kit/markup_label.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QMenu>
#include <QStackedWidget>

#include <cmath>

using namespace Qt::StringLiterals;

namespace ui {

using models::TrialColumn;

constexpr int axesAtFirst = 8;

ParametersCard::ParametersCard(const PageContext& context, const models::TrialModel& model, QWidget* parent)
    : ChartCard(context, parent)
    , m_model(model)
    , m_hint(new LegendLabel(TextSize::body, Qt::AlignLeft, bar()))
    , m_legend(new MarkupLabel(TextSize::caption, QFont::Normal, bar()))
    , m_key(new HeatKey(bar()))
    , m_across(new QComboBox(bar()))
    , m_up(new QComboBox(bar()))
    , m_axesButton(new QToolButton(bar()))
    , m_stack(new QStackedWidget(this))
    , m_parallel(new charts::ParallelCoordinates(context.theme, this))
    , m_scatter(new charts::DotChart(context.theme, this))
{
    m_legend->setForegroundRole(QPalette::PlaceholderText);
    m_across->setAccessibleName(tr("Across"));
    m_up->setAccessibleName(tr("Up"));
    m_axesButton->setAutoRaise(true);
    line()->addWidget(makeSegments(
        {tr("Parallel coordinates"), tr("Scatter")}, 0, [this](int which) { showKind(which); }, bar()));
    line()->addWidget(m_hint, 1);
    for (QWidget* one : std::initializer_list<QWidget*>{
             m_key, m_legend, m_scatter->plot()->resetButton(), m_across, m_up, m_axesButton})
        line()->addWidget(one);
    m_stack->addWidget(m_parallel);
    m_stack->addWidget(m_scatter);
    setChart(m_stack);
    showKind(0);

    connect(m_axesButton, &QToolButton::clicked, this, &ParametersCard::openAxes);
    for (QComboBox* box : {m_across, m_up}) {
        connect(box, &QComboBox::activated, this, [this] {
            m_scatter->plot()->showAll(); // a zoom is of the former columns
            showScatter();
        });
    }
    connect(m_parallel, &charts::ParallelCoordinates::brushesChanged, this, [this] {
        m_brushed = brushWords(m_parallel->axes(), m_parallel->brushes());
        emit brushesChanged();
    });
    connect(m_parallel, &charts::ParallelCoordinates::axisMoved, this, &ParametersCard::moveAxis);
    connect(m_parallel, &charts::ParallelCoordinates::trialHovered, this, &ParametersCard::trialHovered);
    connect(m_parallel, &charts::ParallelCoordinates::trialPressed, this, &ParametersCard::trialPressed);
    connect(m_scatter, &charts::DotChart::trialPressed, this, &ParametersCard::trialPressed);
    connect(m_scatter, &charts::DotChart::trialHovered, this, &ParametersCard::trialHovered);
    connect(&context.theme, &Theme::changed, this, &ParametersCard::showLegend);
    m_scatter->setHoverText([this](const charts::TrialDot& dot) {
        return tr("%1: %2, %3").arg(nameOf(dot.trial), models::parameterText(dot.x), models::parameterText(dot.y));
    });
}

void ParametersCard::reset()
{
    m_axes.clear();
    m_brushed = {};
}

void ParametersCard::refresh()
{
    showParallel();
    fillBoxes();
    showScatter();
}

bool ParametersCard::isScatter() const
{
    return m_stack->currentWidget() == m_scatter;
}

void ParametersCard::showKind(int which)
{
    m_stack->setCurrentIndex(which);
    if (which == 0)
        m_hint->setMarkup(tr("drag on an axis to select, drag a name to move it"));
    for (QWidget* one : std::initializer_list<QWidget*>{m_legend, m_axesButton})
        one->setVisible(which == 0);
    m_key->setVisible(hasHeat());
    m_scatter->plot()->showAll(); // its button would stay without it
    for (QWidget* one : {m_across, m_up})
        one->setVisible(which == 1);
    showScatter();
}

void ParametersCard::setSelection(const ChartSelection& selection)
{
    m_selection = selection;
    m_scatter->setColors(selection.colors, selection.hidden);
    m_scatter->setSelection(selection.chosen, selection.current);
    // Of many the lines show the objective by their colour.
    m_parallel->setColors(selection.hasOthers ? QHash<core::TrialId, QColor>() : selection.colors, selection.hidden);
    m_parallel->setSelection(selection.chosen, selection.current, selection.best);
    m_key->setVisible(hasHeat());
    showLegend();
}

/// Whether lines have the colour of the objective: not beside the colours of single trials.
bool ParametersCard::hasHeat() const
{
    return !isScatter() && !m_key->isEmpty() && (m_selection.colors.isEmpty() || m_selection.hasOthers);
}

QSet<core::TrialId> ParametersCard::brushedTrials() const
{
    return m_parallel->brushed();
}

void ParametersCard::clearBrushes()
{
    m_parallel->clearBrushes();
}

core::ExperimentPtr ParametersCard::experiment() const
{
    return context().mirror.state().experiments().find(m_model.experiment());
}

void ParametersCard::showLegend()
{
    const core::TrialId& best = m_selection.best;
    m_legend->setMarkup(best.isEmpty() || (m_selection.colors.contains(best) && !m_selection.hasOthers)
            ? QString()
            : legend("ink", u"▬"_s, nameOf(best).toHtmlEscaped()));
}

void ParametersCard::setHovered(const core::TrialId& trial)
{
    m_parallel->setHovered(trial);
    m_scatter->setHovered(trial);
}

core::Result<> ParametersCard::exportImage(const QString& file)
{
    charts::PictureText text =
        pictureText(m_model.experiment(), isScatter() ? tr("Scatter") : tr("Parallel coordinates"), m_selection);
    if (isScatter()) {
        text.across = models::printable(m_across->currentText(), 60);
        text.up = models::printable(m_up->currentText(), 60);
        return m_scatter->exportImage(file, text);
    }
    if (hasHeat()) {
        const QString metric = models::printable(m_model.table().objective().metric, 24);
        for (int step = 0; step < Theme::heatSteps; ++step)
            text.legend.push_back({context().theme.heatStep(step),
                step == 0                          ? u"%1 %2"_s.arg(metric, m_key->worst())
                    : step == Theme::heatSteps - 1 ? tr("%1, by quantile").arg(m_key->best())
                                                   : QString()});
    }
    return m_parallel->exportImage(file, text);
}

QByteArray ParametersCard::csv() const
{
    QList<int> columns{int(TrialColumn::number), int(TrialColumn::id)};
    const QList<int> shown =
        isScatter() ? QList<int>{m_across->currentData().toInt(), m_up->currentData().toInt()} : shownColumns();
    for (const int column : shown) {
        if (!columns.contains(column))
            columns.append(column);
    }
    return models::trialCsv(m_model, columns);
}

// --------------------------------------------------------------------------------------------------- parallel coordinates

QStringList ParametersCard::axisNames() const
{
    QStringList names;
    for (const charts::ParallelAxis& axis : m_parallel->axes())
        names.append(axis.name);
    return names;
}

QList<int> ParametersCard::shownColumns() const
{
    const int best = int(TrialColumn::best);
    if (m_axes.isEmpty())
        return tellingColumns(m_model).mid(0, axesAtFirst - 1) + QList{best};
    QList<int> columns;
    for (const QString& name : m_axes) {
        const int column = name == axisName(m_model, best) ? best : m_model.table().parameterColumn(name);
        if (column >= 0)
            columns.append(column);
    }
    return columns;
}

void ParametersCard::showParallel()
{
    const QList<int> columns = shownColumns();
    m_axesButton->setText(tr("Axes %1 of %2").arg(columns.size()).arg(tellingColumns(m_model).size() + 1));
    ParallelData drawn = parallelData(m_model, columns, experiment());
    m_parallel->setData(std::move(drawn.axes), std::move(drawn.lines));
    const core::Objective& objective = m_model.table().objective();
    m_key->setScale(m_model.heat(), objective.metric, objective.maximize);
    m_key->setVisible(hasHeat());
}

void ParametersCard::moveAxis(int from, int to)
{
    m_axes = axisNames();
    m_axes.move(from, to);
    showParallel();
}

void ParametersCard::openAxes()
{
    QStringList names;
    for (const int column : tellingColumns(m_model))
        names.append(axisName(m_model, column));
    names.append(axisName(m_model, int(TrialColumn::best)));
    const QStringList shown = axisNames();
    QMenu menu(this);
    for (const QString& name : std::as_const(names)) {
        QAction* action = menu.addAction(models::printable(name, 60));
        action->setCheckable(true);
        action->setChecked(shown.contains(name));
        connect(action, &QAction::toggled, this, [this, name](bool on) { setAxis(name, on); });
    }
    menu.exec(m_axesButton->mapToGlobal(QPoint(0, m_axesButton->height())));
}

void ParametersCard::setAxis(const QString& name, bool shown)
{
    m_axes = axisNames();
    if (shown)
        m_axes.insert(std::max<qsizetype>(0, m_axes.size() - 1), name); // before the last axis, which is the result
    else if (m_axes.size() > 2)
        m_axes.removeAll(name);
    showParallel();
}

// ------------------------------------------------------------------------------------------------------------------ scatter

void ParametersCard::fillBoxes()
{
    QList<int> columns = tellingColumns(m_model);
    columns += {int(TrialColumn::best), int(TrialColumn::ran), int(TrialColumn::number)};
    QStringList names;
    for (const int column : std::as_const(columns))
        names.append(axisName(m_model, column));
    const auto fill = [&](QComboBox* box, qsizetype otherwise) {
        QStringList before;
        for (int i = 0; i < box->count(); ++i)
            before.append(box->itemText(i));
        if (before == names)
            return;
        const QString chosen = box->currentText();
        box->clear();
        for (qsizetype i = 0; i < columns.size(); ++i)
            box->addItem(names[i], columns[i]);
        const int at = box->findText(chosen);
        box->setCurrentIndex(at >= 0 && !chosen.isEmpty() ? at : int(otherwise));
    };
    fill(m_across, 0);
    fill(m_up, columns.indexOf(int(TrialColumn::best)));
}

void ParametersCard::showScatter()
{
    if (!isScatter())
        return;
    const int x = m_across->currentData().toInt();
    const int y = m_up->currentData().toInt();
    const models::TrialTable& table = m_model.table();
    const bool logX = isLogColumn(m_model, x, experiment());
    const bool logY = isLogColumn(m_model, y, experiment());
    std::vector<charts::TrialDot> dots;
    qsizetype withoutX = 0;
    qsizetype withoutY = 0;
    qsizetype without = 0;
    for (quint32 row = 0; row < table.size(); ++row) {
        const charts::TrialDot dot{
            table.trial(row).id, table.number(x, row, m_model.now()), table.number(y, row, m_model.now())};
        const bool hasX = std::isfinite(dot.x) && (!logX || dot.x > 0);
        const bool hasY = std::isfinite(dot.y) && (!logY || dot.y > 0);
        withoutX += hasX ? 0 : 1;
        withoutY += hasY ? 0 : 1;
        without += hasX && hasY ? 0 : 1;
        dots.push_back(dot);
    }
    QStringList names;
    if (withoutX > 0)
        names += m_across->currentText().toHtmlEscaped();
    if (withoutY > 0 && x != y)
        names += m_up->currentText().toHtmlEscaped();
    m_hint->setMarkup(without == 0
            ? QString()
            : tr("%n trial(s) left out: no number to show in %1", nullptr, int(without)).arg(names.join(u", "_s)));
    m_scatter->setDots(std::move(dots), logX, logY);
}

} // namespace ui
