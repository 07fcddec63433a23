// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts_page.h"

#include "actions.h"
#include "charts/axis_ticks.h"
#include "charts/dot_chart.h"
#include "charts/metric_chart.h"
#include "charts/parallel_coordinates.h"
#include "charts/plot_export.h"
#include "compare_dialog.h"
#include "icons.h"
#include "theme.h"
#include "trial_actions.h"
#include "widgets.h"

#include "models/engine_mirror.h"
#include "models/selection.h"
#include "models/trial_model.h"
#include "models/trial_text.h"

#include <QComboBox>
#include <QFileDialog>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QStackedWidget>

#include <cmath>

using namespace Qt::StringLiterals;

namespace ui {

using models::TrialColumn;

namespace {

/// More curves than this are no picture any more; the chosen, the best and the newest are drawn.
constexpr int mostCurves = 400;
constexpr int axesAtFirst = 8;
/// Parameters that can be an axis; a trial with hundreds has its table.
constexpr int mostAxes = 60;

QWidget* cardWith(QWidget* title, QWidget* body, QWidget* parent)
{
    auto* card = new Card(parent);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(12, metrics::gap, 12, metrics::gap);
    layout->setSpacing(metrics::tight);
    layout->addWidget(title);
    layout->addWidget(body, 1);
    return card;
}

/// `— each trial`: a short line in the colour, then words.
QString legend(const QColor& color, const QString& mark, const QString& words)
{
    return u"<span style=\"color:%1\">%2</span> %3"_s.arg(color.name(), mark, words);
}

} // namespace

ChartsPage::ChartsPage(const PageContext& context, QWidget* parent)
    : Page(context, parent)
    , m_model(new models::TrialModel(this))
{
    m_model->sort(int(TrialColumn::number), Qt::AscendingOrder);
    auto* upper = new QWidget(this);
    auto* upperLayout = new QHBoxLayout(upper);
    upperLayout->setContentsMargins(0, 0, 0, 0);
    upperLayout->setSpacing(metrics::margin);
    upperLayout->addWidget(makeCurves(), 2);
    upperLayout->addWidget(makeBest(), 1);
    auto* charts = new QWidget(this);
    auto* chartsLayout = new QVBoxLayout(charts);
    chartsLayout->setContentsMargins(metrics::margin, metrics::margin, metrics::margin, metrics::margin);
    chartsLayout->setSpacing(metrics::margin);
    chartsLayout->addWidget(upper, 11);
    chartsLayout->addWidget(makeParallel(), 10);

    m_empty = new EmptyState(tr("No curves yet"),
        tr("Curves, the best so far and parameters against results appear here as trials report values."),
        tr("New experiment"), this);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(charts);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());
    layout->addWidget(m_stack, 1);

    m_soon.setSingleShot(true);
    m_soon.setInterval(400);
    connect(&m_soon, &QTimer::timeout, this, &ChartsPage::showAll);
    connect(m_empty, &EmptyState::pressed, this, [this] { this->context().actions.openNewExperiment(); });
    connect(&context.mirror, &models::EngineMirror::changed, this,
        [this](const engine::ChangePtr& change) { take(*change); });
    connect(&context.selection, &models::Selection::changed, this, [this](QObject* origin) {
        if (origin != m_parallel)
            m_brushText.clear();
        showSelection();
    });
    connect(&context.selection, &models::Selection::currentChanged, this, &ChartsPage::showSelection);
    connect(&context.theme, &Theme::changed, this, &ChartsPage::showSelection);
    setExperiment({});
}

QWidget* ChartsPage::makeHeader()
{
    m_header = new QFrame(this);
    m_header->setAutoFillBackground(true);
    m_header->setFixedHeight(48);
    m_chosen = makeLabel({}, TextSize::title, QFont::DemiBold, m_header);
    m_range = makeLabel({}, TextSize::body, QFont::Normal, m_header);
    m_range->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_clear = makeButton(tr("Clear"), {}, m_header);
    m_clear->setFlat(true);
    m_summary = makeQuietLabel({}, TextSize::body, m_header);
    QPushButton* compare = makeButton(tr("Compare"), u"compare"_s, m_header);
    QPushButton* retry = makeButton(tr("Retry"), u"retry"_s, m_header);
    QPushButton* save = makeButton(tr("Export"), u"export"_s, m_header);
    QPushButton* keep = makeButton(tr("Save filter"), u"bookmark"_s, m_header);
    auto* layout = new QHBoxLayout(m_header);
    layout->setContentsMargins(metrics::margin, 0, metrics::margin, 0);
    layout->setSpacing(metrics::gap);
    layout->addWidget(m_chosen);
    layout->addSpacing(metrics::gap);
    layout->addWidget(m_range, 1);
    layout->addWidget(m_clear);
    layout->addWidget(m_summary);
    layout->addSpacing(metrics::gap);
    for (QPushButton* button : {compare, retry, save, keep})
        layout->addWidget(button);
    connect(m_clear, &QPushButton::clicked, this, [this] {
        m_parallel->clearBrushes();
        context().selection.set({}, this);
    });
    connect(
        compare, &QPushButton::clicked, this, [this] { compareTrials(context(), context().selection.trials(), this); });
    connect(retry, &QPushButton::clicked, this, [this] { retryTrials(context(), context().selection.trials(), this); });
    connect(save, &QPushButton::clicked, this, &ChartsPage::exportCharts);
    connect(keep, &QPushButton::clicked, this, [this] {
        if (m_brushText.isEmpty()) {
            context().actions.note(tr("Drag on an axis first; the ranges can then be saved as a filter."));
            return;
        }
        bool good = false;
        const QString name =
            QInputDialog::getText(this, tr("Save filter"), m_brushText, QLineEdit::Normal, m_brushText, &good);
        if (good && !name.trimmed().isEmpty())
            context().actions.saveFilter(name.trimmed(), m_brushText);
    });
    return m_header;
}

QWidget* ChartsPage::makeCurves()
{
    auto* bar = new QWidget(this);
    m_metric = makeLabel({}, TextSize::body, QFont::DemiBold, bar);
    m_metric->setTextFormat(Qt::RichText);
    m_legend = makeQuietLabel({}, TextSize::caption, bar);
    m_legend->setTextFormat(Qt::RichText);
    m_curves = new charts::MetricChart(context().theme, context().mirror.client(), this);
    QWidget* axis = makeSegments(
        {tr("Step"), tr("Relative"), tr("Clock")}, 0,
        [this](int which) {
            m_curves->setAxis(models::SeriesAxis(which));
            showTitles();
        },
        bar);
    m_logY = new QToolButton(bar);
    m_logY->setText(tr("Log Y"));
    m_logY->setCheckable(true);
    m_logY->setAutoRaise(true);
    m_smooth = new QToolButton(bar);
    m_smooth->setText(tr("Smooth 0"));
    m_smooth->setAutoRaise(true);
    m_smooth->setPopupMode(QToolButton::InstantPopup);
    m_smooth->setMinimumWidth(m_smooth->fontMetrics().horizontalAdvance(tr("Smooth %1").arg(0.97)) + 40);
    auto* menu = new QMenu(m_smooth);
    for (const double weight : {0.0, 0.3, 0.6, 0.8, 0.9, 0.97}) {
        menu->addAction(QString::number(weight), this, [this, weight] {
            m_curves->setSmoothing(weight);
            m_smooth->setText(tr("Smooth %1").arg(weight));
        });
    }
    m_smooth->setMenu(menu);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::gap);
    layout->addWidget(m_metric);
    layout->addStretch();
    layout->addWidget(m_legend);
    layout->addSpacing(metrics::gap);
    layout->addWidget(axis);
    layout->addWidget(m_logY);
    layout->addWidget(m_smooth);
    connect(m_logY, &QToolButton::toggled, m_curves, &charts::MetricChart::setLogY);
    connect(m_curves, &charts::MetricChart::ready, this, &ChartsPage::ready);
    connect(m_curves, &charts::MetricChart::trialPressed, this, [this](const core::TrialId& trial) {
        context().selection.setCurrent(trial, this);
        showSelection();
    });
    m_curves->setNames([this](const core::TrialId& trial) { return nameOf(trial); });
    return cardWith(bar, m_curves, this);
}

QWidget* ChartsPage::makeBest()
{
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::gap);
    QLabel* title = makeLabel(tr("Best so far"), TextSize::body, QFont::DemiBold, bar);
    m_bestLegend = makeQuietLabel({}, TextSize::caption, bar);
    m_bestLegend->setTextFormat(Qt::RichText);
    layout->addWidget(title);
    layout->addWidget(makeQuietLabel(tr("by trial"), TextSize::body, bar));
    layout->addStretch();
    layout->addWidget(m_bestLegend);
    bar->setMinimumHeight(metrics::control);
    m_best = new charts::DotChart(context().theme, this);
    const auto text = [this](const charts::TrialDot& dot) {
        return tr("%1: %2").arg(nameOf(dot.trial), models::metricText(dot.y));
    };
    m_best->setHoverText(text);
    connect(m_best, &charts::DotChart::trialPressed, this, [this](const core::TrialId& trial) {
        context().selection.set({trial}, this);
        context().selection.setCurrent(trial, this);
    });
    return cardWith(bar, m_best, this);
}

QWidget* ChartsPage::makeParallel()
{
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::gap);
    m_below = new QStackedWidget(this);
    m_parallel = new charts::ParallelCoordinates(context().theme, this);
    m_scatter = new charts::DotChart(context().theme, this);
    m_below->addWidget(m_parallel);
    m_below->addWidget(m_scatter);
    m_axesButton = new QToolButton(bar);
    m_axesButton->setAutoRaise(true);
    m_scatterX = new QComboBox(bar);
    m_scatterX->setAccessibleName(tr("Across"));
    m_scatterY = new QComboBox(bar);
    m_scatterY->setAccessibleName(tr("Up"));
    m_belowHint = makeQuietLabel(tr("drag on an axis to select, drag a name to move it"), TextSize::body, bar);
    QWidget* kind = makeSegments(
        {tr("Parallel coordinates"), tr("Scatter")}, 0,
        [this](int which) {
            m_below->setCurrentIndex(which);
            m_axesButton->setVisible(which == 0);
            m_belowHint->setVisible(which == 0);
            m_parallelLegend->setVisible(which == 0);
            m_scatterX->setVisible(which == 1);
            m_scatterY->setVisible(which == 1);
            showScatter();
        },
        bar);
    m_scatterX->hide();
    m_scatterY->hide();
    m_parallelLegend = makeQuietLabel({}, TextSize::caption, bar);
    m_parallelLegend->setTextFormat(Qt::RichText);
    layout->addWidget(kind);
    layout->addWidget(m_belowHint);
    layout->addStretch();
    layout->addWidget(m_parallelLegend);
    layout->addWidget(m_scatterX);
    layout->addWidget(m_scatterY);
    layout->addWidget(m_axesButton);
    connect(m_axesButton, &QToolButton::clicked, this, &ChartsPage::chooseAxes);
    connect(m_scatterX, &QComboBox::activated, this, &ChartsPage::showScatter);
    connect(m_scatterY, &QComboBox::activated, this, &ChartsPage::showScatter);
    connect(m_parallel, &charts::ParallelCoordinates::brushesChanged, this, &ChartsPage::brushed);
    connect(m_parallel, &charts::ParallelCoordinates::axisMoved, this, [this](int from, int to) {
        QStringList names;
        for (const charts::ParallelAxis& axis : m_parallel->axes())
            names.append(axis.name);
        names.move(from, to);
        m_axes = names;
        showParallel();
    });
    const auto choose = [this](const core::TrialId& trial) {
        context().selection.setCurrent(trial, this);
        showSelection();
    };
    connect(m_parallel, &charts::ParallelCoordinates::trialPressed, this, choose);
    connect(m_scatter, &charts::DotChart::trialPressed, this, choose);
    m_scatter->setHoverText([this](const charts::TrialDot& dot) {
        return tr("%1: %2, %3").arg(nameOf(dot.trial), models::parameterText(dot.x), models::parameterText(dot.y));
    });
    return cardWith(bar, m_below, this);
}

// --------------------------------------------------------------------------------------------------------------------- data

void ChartsPage::setExperiment(const core::ExperimentId& experiment)
{
    m_axes.clear();
    m_brushText.clear();
    m_model->load(context().mirror.state(), experiment);
    showAll();
}

void ChartsPage::applyFilter(const QString& text)
{
    auto filter = models::TrialFilter::parse(text);
    if (!filter)
        return;
    filter->bind(m_model->table());
    QSet<core::TrialId> trials;
    for (quint32 row = 0; row < m_model->table().size(); ++row) {
        if (filter->matches(m_model->table(), row, m_model->now()))
            trials.insert(m_model->table().trial(row).id);
    }
    context().selection.set(text.isEmpty() ? QSet<core::TrialId>() : trials, this);
}

void ChartsPage::shown()
{
    showAll();
    m_curves->setFocus();
}

void ChartsPage::take(const engine::Change& change)
{
    m_model->apply(context().mirror.state(), change);
    const bool concerns = change.full || !change.trials.isEmpty() || !change.experiments.isEmpty();
    // The more trials, the longer a look at all of them takes.
    if (concerns && isVisible() && !m_soon.isActive())
        m_soon.start(400 + int(m_model->table().size() / 20));
}

core::Objective ChartsPage::objective() const
{
    return m_model->table().objective();
}

QString ChartsPage::nameOf(const core::TrialId& trial) const
{
    const core::TrialPtr record = context().mirror.state().trial(trial);
    return record ? tr("Trial %1").arg(record->sequenceId) : trial.value;
}

void ChartsPage::showAll()
{
    const models::TrialTable& table = m_model->table();
    const bool hasValues = [&] {
        for (quint32 row = 0; row < table.size(); ++row) {
            if (table.trial(row).metricCount > 0)
                return true;
        }
        return false;
    }();
    m_stack->setCurrentIndex(hasValues ? 0 : 1);
    showCurves();
    showBest();
    showParallel();
    showScatter();
    showSelection();
}

void ChartsPage::showCurves()
{
    const models::TrialTable& table = m_model->table();
    QList<core::TrialId> trials;
    for (quint32 row = table.size(); row-- > 0 && trials.size() < mostCurves;) {
        if (table.trial(row).metricCount > 0)
            trials.append(table.trial(row).id);
    }
    const core::TrialId best = m_model->bestTrial();
    if (!best.isEmpty() && !trials.contains(best))
        trials.append(best);
    std::sort(trials.begin(), trials.end());
    m_curves->setObjective(objective());
    m_curves->setTrials(trials);
    m_curves->refresh();
    showTitles();
}

void ChartsPage::showTitles()
{
    const Roles& roles = context().theme.roles();
    const models::SeriesAxis axis = m_curves->axis();
    const QString by = axis == models::SeriesAxis::step ? tr("by step")
        : axis == models::SeriesAxis::relative          ? tr("by time since the start")
                                                        : tr("by clock");
    m_metric->setText(u"%1&nbsp; <span style=\"font-weight:400;color:%3\">%2</span>"_s.arg(
        models::printable(objective().metric, 40).toHtmlEscaped(), by, roles.text2.name()));
    const int chosen = int(context().selection.trials().size());
    const auto further = [](const QColor& color, const QString& words) {
        return u"&nbsp;&nbsp; "_s + legend(color, u"▬"_s, words);
    };
    QString text = legend(roles.curve, u"—"_s, tr("each trial"));
    const core::TrialId& current = context().selection.current();
    if (chosen > 1)
        text += further(roles.accent, tr("mean of %n, band min to max", nullptr, chosen));
    else if (!current.isEmpty() && current != m_bestTrial && m_model->table().find(current))
        text += further(roles.accent, nameOf(current).toHtmlEscaped());
    m_legend->setText(text);
    m_parallelLegend->setText(
        m_bestTrial.isEmpty() ? QString() : legend(roles.ink, u"▬"_s, nameOf(m_bestTrial).toHtmlEscaped()));
    m_bestLegend->setText(
        legend(roles.accent, u"●"_s, tr("selected")) + u"&nbsp;&nbsp; "_s + legend(roles.ink, u"▬"_s, tr("best")));
}

void ChartsPage::showBest()
{
    const models::TrialTable& table = m_model->table();
    const bool maximize = objective().maximize;
    std::vector<charts::TrialDot> dots;
    std::vector<QPointF> steps;
    double best = std::nan("");
    double last = 0;
    QPointF reached;
    core::TrialId bestTrial;
    for (quint32 row = 0; row < table.size(); ++row) {
        const core::Trial& trial = table.trial(row);
        if (!trial.bestMetric || !std::isfinite(*trial.bestMetric))
            continue;
        const double x = double(trial.sequenceId);
        const double y = *trial.bestMetric;
        dots.push_back({trial.id, x, y});
        last = std::max(last, x);
        if (std::isnan(best) || (maximize ? y > best : y < best)) {
            if (!steps.empty())
                steps.emplace_back(x, best);
            steps.emplace_back(x, y);
            best = y;
            bestTrial = trial.id;
            reached = QPointF(x, y);
        }
    }
    if (!steps.empty())
        steps.emplace_back(std::max(last, steps.back().x()), best);
    m_bestTrial = bestTrial;
    m_best->setDots(std::move(dots), false, false);
    m_best->setSteps(std::move(steps), bestTrial.isEmpty() ? std::nullopt : std::optional(reached),
        bestTrial.isEmpty() ? QString() : tr("%1, trial %2").arg(models::metricText(best)).arg(qint64(reached.x())));
}

/// Columns that say something: parameters with more than one value, then the objective.
QList<int> ChartsPage::usefulColumns() const
{
    QList<int> out;
    const models::TrialTable& table = m_model->table();
    const int end = std::min(table.columnCount(), models::baseColumns + mostAxes);
    for (int column = models::baseColumns; column < end; ++column) {
        if (table.isText(column)) {
            QSet<QString> words;
            for (quint32 row = 0; row < table.size() && words.size() < 2; ++row)
                words.insert(table.text(column, row));
            if (words.size() > 1)
                out.append(column);
            continue;
        }
        const auto [low, high] = m_model->rangeOf(column);
        if (high > low)
            out.append(column);
    }
    return out;
}

/// As the search draws it; without a search, numbers over several decades.
bool ChartsPage::isLog(int column) const
{
    const auto [low, high] = m_model->rangeOf(column);
    if (column < models::baseColumns || !(low > 0))
        return false;
    const core::ExperimentPtr experiment = context().mirror.state().experiments().find(m_model->experiment());
    const std::string name = m_model->table().parameterName(column).toStdString();
    if (experiment && experiment->spec.searchSpace.is_object() && experiment->spec.searchSpace.contains(name)) {
        const core::Json& entry = experiment->spec.searchSpace[name];
        return entry.is_object() && entry.contains("_type") && entry["_type"].is_string()
            && entry["_type"].get<std::string>().find("log") != std::string::npos;
    }
    return high / low > 100;
}

void ChartsPage::showParallel()
{
    const models::TrialTable& table = m_model->table();
    QList<int> columns;
    if (m_axes.isEmpty()) {
        columns = usefulColumns().mid(0, axesAtFirst - 1);
        columns.append(int(TrialColumn::best));
    } else {
        for (const QString& name : std::as_const(m_axes)) {
            const int column = name == objective().metric ? int(TrialColumn::best) : table.parameterColumn(name);
            if (column >= 0)
                columns.append(column);
        }
    }
    m_axesButton->setText(tr("Axes %1 of %2").arg(columns.size()).arg(usefulColumns().size() + 1));
    std::vector<charts::ParallelAxis> axes;
    QList<QHash<QString, int>> places;
    for (const int column : std::as_const(columns)) {
        charts::ParallelAxis axis;
        axis.name = column == int(TrialColumn::best) ? objective().metric : table.parameterName(column);
        QHash<QString, int> words;
        QSet<double> numbers;
        for (quint32 row = 0; row < table.size(); ++row) {
            if (table.isText(column)) {
                const QString word = table.text(column, row);
                if (!word.isEmpty())
                    words.insert(word, 0);
            } else if (numbers.size() <= 10) {
                const double number = table.number(column, row, 0);
                if (std::isfinite(number))
                    numbers.insert(number);
            }
        }
        if (!words.isEmpty()) {
            axis.words = words.keys();
            axis.words.sort(Qt::CaseInsensitive);
            for (qsizetype i = 0; i < axis.words.size(); ++i)
                words[axis.words[i]] = int(i);
            axis.low = 0;
            axis.high = std::max<double>(1, double(axis.words.size() - 1));
        } else if (column != int(TrialColumn::best) && numbers.size() <= 8 && numbers.size() > 1) {
            // A few numbers are choices: they stand at even places, as words do.
            QList<double> sorted = numbers.values();
            std::sort(sorted.begin(), sorted.end());
            for (qsizetype i = 0; i < sorted.size(); ++i) {
                axis.words.append(models::parameterText(sorted[i]));
                words.insert(QString::number(sorted[i], 'g', 17), int(i));
            }
            axis.low = 0;
            axis.high = double(sorted.size() - 1);
        } else {
            const auto [low, high] = m_model->rangeOf(column);
            axis.isLog = isLog(column);
            std::tie(axis.low, axis.high) = std::isnan(low) ? std::pair(0.0, 1.0)
                : high > low                                ? charts::rounded(low, high, 4, axis.isLog)
                                                            : charts::aired(low, high);
        }
        axes.push_back(std::move(axis));
        places.append(words);
    }
    auto lines = std::make_shared<std::vector<charts::ParallelLine>>();
    for (quint32 row = 0; row < table.size(); ++row) {
        charts::ParallelLine line;
        line.trial = table.trial(row).id;
        int known = 0;
        for (qsizetype i = 0; i < columns.size(); ++i) {
            const charts::ParallelAxis& axis = axes[size_t(i)];
            const double number = table.number(columns[i], row, 0);
            double value = number;
            if (!axis.words.isEmpty()) {
                const QString word =
                    table.isText(columns[i]) ? table.text(columns[i], row) : QString::number(number, 'g', 17);
                const auto at = places[i].constFind(word);
                value = at == places[i].cend() ? std::nan("") : double(*at);
            }
            const double place = std::isfinite(value) ? axis.placeOf(value) : std::nan("");
            line.places.push_back(float(place));
            known += std::isfinite(place) ? 1 : 0;
        }
        if (known > 1)
            lines->push_back(std::move(line));
    }
    m_parallel->setData(std::move(axes), std::move(lines));
}

void ChartsPage::showScatter()
{
    QStringList names;
    QList<int> columns = usefulColumns();
    columns.append(int(TrialColumn::best));
    columns.append(int(TrialColumn::ran));
    columns.append(int(TrialColumn::number));
    for (const int column : std::as_const(columns))
        names.append(column == int(TrialColumn::best) ? objective().metric
                : column >= models::baseColumns       ? m_model->table().parameterName(column)
                                                      : models::TrialModel::columnTitle(TrialColumn(column)));
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
    fill(m_scatterX, 0);
    fill(m_scatterY, columns.indexOf(int(TrialColumn::best)));
    if (m_below->currentIndex() != 1)
        return;
    const int x = m_scatterX->currentData().toInt();
    const int y = m_scatterY->currentData().toInt();
    const models::TrialTable& table = m_model->table();
    std::vector<charts::TrialDot> dots;
    for (quint32 row = 0; row < table.size(); ++row)
        dots.push_back(
            {table.trial(row).id, table.number(x, row, m_model->now()), table.number(y, row, m_model->now())});
    m_scatter->setDots(std::move(dots), isLog(x), isLog(y));
}

// ----------------------------------------------------------------------------------------------------------------- selection

void ChartsPage::brushed()
{
    // In the words of the filter, and in those of a person.
    QStringList filter;
    QStringList words;
    for (const charts::Brush& brush : m_parallel->brushes()) {
        const charts::ParallelAxis& axis = m_parallel->axes()[size_t(brush.axis)];
        const double low = axis.valueAt(brush.from);
        const double high = axis.valueAt(brush.to);
        if (!axis.words.isEmpty()) {
            const QStringList inside = axis.words.mid(
                int(std::ceil(low - 1e-6)), int(std::floor(high + 1e-6)) - int(std::ceil(low - 1e-6)) + 1);
            filter.append(axis.name + u':' + inside.join(u','));
            words.append(tr("%1 %2").arg(axis.name, inside.join(u", "_s)));
            continue;
        }
        filter.append(
            models::rangeFilter(axis.name, brush.from <= 0 ? -HUGE_VAL : low, brush.to >= 1 ? HUGE_VAL : high));
        const auto text = [](double value) { return models::parameterText(QString::number(value, 'g', 3).toDouble()); };
        words.append(brush.from <= 0 ? tr("%1 at most %2").arg(axis.name, text(high))
                : brush.to >= 1      ? tr("%1 at least %2").arg(axis.name, text(low))
                                     : tr("%1 %2 to %3").arg(axis.name, text(low), text(high)));
    }
    m_brushText = filter.join(u' ');
    m_range->setText(words.join(u", "_s));
    context().selection.set(m_parallel->brushed(), m_parallel);
    showSelection();
}

void ChartsPage::showSelection()
{
    const QSet<core::TrialId>& chosen = context().selection.trials();
    const core::TrialId current = context().selection.current();
    // One row of a table is no choice among curves: it is the one that is looked at.
    const QSet<core::TrialId> several = chosen.size() > 1 || !m_brushText.isEmpty() ? chosen : QSet<core::TrialId>();
    m_curves->setSelection(several, current, m_bestTrial);
    m_best->setSelection(several);
    m_scatter->setSelection(several);
    m_parallel->setSelection(several, current, m_bestTrial);

    const QLocale locale;
    const qsizetype total = m_model->table().size();
    const bool has = !several.isEmpty();
    QPalette band = m_header->palette();
    band.setColor(QPalette::Window, has ? context().theme.roles().select : context().theme.roles().window);
    m_header->setPalette(band);
    m_chosen->setText(has ? tr("%1 of %2 selected").arg(locale.toString(several.size()), locale.toString(total))
                          : tr("%n trial(s)", nullptr, int(total)));
    m_clear->setVisible(has);
    if (m_brushText.isEmpty())
        m_range->setText(has ? QString() : tr("Drag on an axis below to select trials."));
    double sum = 0;
    double best = std::nan("");
    qint64 count = 0;
    for (const core::TrialId& id : several) {
        const core::TrialPtr trial = context().mirror.state().trial(id);
        if (!trial || !trial->bestMetric || !std::isfinite(*trial->bestMetric))
            continue;
        sum += *trial->bestMetric;
        ++count;
        if (std::isnan(best) || (objective().maximize ? *trial->bestMetric > best : *trial->bestMetric < best))
            best = *trial->bestMetric;
    }
    m_summary->setText(count > 0
            ? tr("Mean %1, best %2").arg(models::metricText(sum / double(count)), models::metricText(best))
            : QString());
    showTitles();
}

void ChartsPage::chooseAxes()
{
    QMenu menu(this);
    QStringList shown;
    for (const charts::ParallelAxis& axis : m_parallel->axes())
        shown.append(axis.name);
    QStringList names;
    for (const int column : usefulColumns())
        names.append(m_model->table().parameterName(column));
    names.append(objective().metric);
    for (const QString& name : std::as_const(names)) {
        QAction* action = menu.addAction(models::printable(name, 60));
        action->setCheckable(true);
        action->setChecked(shown.contains(name));
        connect(action, &QAction::toggled, this, [this, name, shown](bool on) {
            m_axes = shown;
            if (on)
                m_axes.insert(std::max<qsizetype>(0, m_axes.size() - 1), name);
            else if (m_axes.size() > 2)
                m_axes.removeAll(name);
            showParallel();
        });
    }
    menu.exec(m_axesButton->mapToGlobal(QPoint(0, m_axesButton->height())));
}

void ChartsPage::exportCharts()
{
    QMenu menu(this);
    struct Choice
    {
        QAction* action;
        std::function<core::Result<>(const QString&)> write;
        QString name;
    };
    QList<Choice> choices;
    const auto add = [&](const QString& title, const QString& name,
                         std::function<core::Result<>(const QString&)> write) {
        choices.append({menu.addAction(title), std::move(write), name});
    };
    add(tr("Curves as picture…"), u"curves.svg"_s, [this](const QString& file) { return m_curves->exportImage(file); });
    add(tr("Curves as table…"), u"curves.csv"_s,
        [this](const QString& file) { return charts::exportText(file, m_curves->csv()); });
    add(tr("Best so far as picture…"), u"best.svg"_s,
        [this](const QString& file) { return m_best->exportImage(file); });
    add(tr("Best so far as table…"), u"best.csv"_s,
        [this](const QString& file) { return charts::exportText(file, m_best->csv()); });
    if (m_below->currentIndex() == 0)
        add(tr("Parallel coordinates as picture…"), u"parallel.png"_s,
            [this](const QString& file) { return m_parallel->exportImage(file); });
    else
        add(tr("Scatter as picture…"), u"scatter.svg"_s,
            [this](const QString& file) { return m_scatter->exportImage(file); });
    const QAction* chosen = menu.exec(QCursor::pos());
    for (const Choice& choice : std::as_const(choices)) {
        if (choice.action != chosen)
            continue;
        const bool isTable = choice.name.endsWith(u".csv"_s);
        const QString file = QFileDialog::getSaveFileName(
            this, choice.action->text(), choice.name, isTable ? tr("Table (*.csv)") : tr("Picture (*.svg *.png)"));
        if (file.isEmpty())
            return;
        if (const core::Result<> written = choice.write(file); !written)
            context().actions.error(written.error());
        else
            context().actions.note(tr("Saved %1").arg(file));
    }
}

QList<std::pair<QString, QString>> ChartsPage::keys() const
{
    return {{u"+ − 0"_s, tr("Zoom in, out, all")}, {u"X"_s, tr("Step, relative, clock")},
        {u"Y"_s, tr("Logarithmic axis")}, {u"M"_s, tr("Smoothing")}, {tr("Ctrl+E"), tr("Export")},
        {tr("Ctrl+Alt+C"), tr("Compare the selection")},
        {tr("Arrows on an axis"), tr("Choose and move a range; Shift changes its end; Delete lets go")}};
}

void ChartsPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_E && event->modifiers() == Qt::ControlModifier)
        exportCharts();
    else if (event->key() == Qt::Key_C && event->modifiers() == (Qt::ControlModifier | Qt::AltModifier))
        compareTrials(context(), context().selection.trials(), this);
    else if (event->key() == Qt::Key_Escape && !context().selection.trials().isEmpty()) {
        m_parallel->clearBrushes();
        context().selection.set({}, this);
    } else
        Page::keyPressEvent(event);
}

} // namespace ui
