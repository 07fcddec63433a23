// SPDX-License-Identifier: GPL-3.0-or-later
#include "metric_chart.h"

#include "chart_keys.h"
#include "curve_bands.h"
#include "curve_hover.h"
#include "plot_view.h"

#include "models/background.h"
#include "models/csv.h"
#include "models/format.h"
#include "ui/kit/theme.h"

#include "services/core/message/localized.h"

#include <QDateTime>
#include <QKeyEvent>
#include <QLocale>
#include <QVBoxLayout>

#include <chrono>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace ui::charts {

using models::SeriesAxis;
using models::SeriesColumn;
using models::SeriesCurve;
using models::SeriesDataPtr;

namespace {

enum Line { raw_line, mean_line, best_line, reported_line, hovered_line };

/// More curves than these are not readable one by one.
constexpr qsizetype mostReadable = 400;
/// A shorter wait shows the empty axes alone: a word that comes and goes at once is noise.
constexpr auto slowAfter = 300ms;
/// Curves are read for a range that is being zoomed or moved at most this often.
constexpr auto rangeEvery = 60ms;
/// Columns requested of all curves together, so that very many cost about as much as many.
constexpr qsizetype mostColumns = 400'000;
/// Curves with at most this many values are drawn by Qt Charts.
constexpr qint64 mostByQtCharts = 4000;
/// Live curves are read again at most this often.
constexpr auto refreshEvery = 1000ms;

AxisUnit unitOf(SeriesAxis axis)
{
    return axis == SeriesAxis::time    ? AxisUnit::clock
        : axis == SeriesAxis::relative ? AxisUnit::duration
                                       : AxisUnit::number;
}

} // namespace

MetricChart::MetricChart(Theme& theme, client::EngineClient& client, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_loader(client)
    , m_plot(new PlotView(theme, this))
    , m_hover(new CurveHover(theme, *m_plot, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    setFocusProxy(m_plot);
    m_plot->setAccessibleName(tr("Curves"));
    m_hover->setPlaces([this](double x) { return xText(x); });
    connect(m_hover, &CurveHover::trialHovered, this, [this](const core::TrialId& trial) {
        m_hovered = trial;
        markHovered();
        emit trialHovered(trial);
    });
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &MetricChart::ask);
    m_slow.setSingleShot(true);
    connect(&m_slow, &QTimer::timeout, this, [this] { m_plot->setMessage(tr("Loading …")); });
    connect(&m_loader, &models::SeriesLoader::loaded, this, &MetricChart::take);
    connect(&m_loader, &models::SeriesLoader::failed, this, [this](const core::Error& error) {
        m_slow.stop();
        m_plot->setMessage(m_data ? QString() : core::localized(error.message));
    });
    connect(m_plot, &PlotView::rangeChanged, this, [this] {
        applyRange();
        // The first change at once.
        const std::chrono::milliseconds since(m_asked.isValid() ? m_asked.elapsed() : rangeEvery.count());
        const std::chrono::milliseconds wait = std::max(0ms, rangeEvery - since);
        if (!m_soon.isActive() || m_soon.remainingTimeAsDuration() > wait)
            m_soon.start(wait);
    });
    connect(m_plot, &PlotView::pressed, this, [this](QPointF at, QPointF reach, Qt::KeyboardModifiers modifiers) {
        const Hit hit = hitAt(at, reach);
        const core::TrialId trial = hit.curve ? hit.curve->trial : m_hover->nearest();
        if (!trial.isEmpty())
            emit trialPressed(trial, modifiers.testFlag(Qt::ControlModifier));
    });
    connect(m_plot, &PlotView::imageReady, this, [this] { tellReady(); });
    connect(&theme, &Theme::changed, this, [this] {
        applyJob();
        applyLines();
    });
}

void MetricChart::setObjective(const core::Objective& objective)
{
    if (objective == m_objective)
        return;
    m_objective = objective;
    m_data.reset();
    m_wholeX.reset();
    m_soon.start(0ms);
}

bool MetricChart::isSummary() const
{
    return m_trials.size() > mostReadable;
}

void MetricChart::setTrials(const QList<core::TrialId>& trials, qsizetype of)
{
    of = std::max(of, trials.size());
    if (trials == m_trials && of == m_of)
        return;
    m_of = of;
    if (trials == m_trials) {
        showBadge();
        return;
    }
    // If a single trial is shown, clear the curve of the previous one at once.
    const bool isOther = m_trials.isEmpty() || trials.isEmpty() || trials.size() == 1;
    m_trials = trials;
    m_wholeX.reset();
    if (isOther) {
        m_data.reset();
        m_plot->showAll();
        applyJob();
        applyLines();
    }
    m_soon.start(0ms);
}

void MetricChart::setSelection(
    const QSet<core::TrialId>& selected, const core::TrialId& current, const core::TrialId& best)
{
    if (selected == m_selected && current == m_current && best == m_best)
        return;
    m_selected = selected;
    m_current = current;
    m_best = best;
    applyJob();
    applyLines();
}

void MetricChart::setNumbers(std::function<QString(const core::TrialId&)> number)
{
    m_number = std::move(number);
    m_hover->setNumbers(m_number);
}

void MetricChart::setColors(const QHash<core::TrialId, QColor>& colors, const QSet<core::TrialId>& hidden)
{
    if (colors == m_colors && hidden == m_hidden)
        return;
    m_colors = colors;
    m_hidden = hidden;
    applyJob();
    applyLines();
}

void MetricChart::setHovered(const core::TrialId& trial)
{
    m_hover->showTrial(trial, m_objective.maximize);
    if (m_hover->place())
        return; // the pointer is in this chart
    m_hovered = trial;
    markHovered();
}

void MetricChart::setAxis(SeriesAxis axis)
{
    if (axis == m_axis)
        return;
    m_axis = axis;
    m_data.reset();
    m_wholeX.reset();
    m_plot->setUnits(unitOf(axis));
    m_soon.start(0ms);
}

void MetricChart::setLogY(bool isLog)
{
    if (isLog == m_isLogY)
        return;
    m_isLogY = isLog;
    m_plot->showAll(); // the range of y is another one
    applyLines();
}

void MetricChart::setSmoothing(double weight)
{
    m_smoothing = std::clamp(weight, 0.0, 0.99);
    applyJob();
    applyLines();
    showBadge();
}

void MetricChart::refresh()
{
    if (!m_soon.isActive())
        m_soon.start(std::max<std::chrono::milliseconds>(refreshEvery, 5 * m_took));
}

void MetricChart::zoom(double factor)
{
    m_plot->zoom(factor);
}

void MetricChart::showAll()
{
    m_plot->showAll();
}

void MetricChart::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_soon.start(0ms);
}

void MetricChart::keyPressEvent(QKeyEvent* event)
{
    if (isAxisKey(*event))
        setAxis(SeriesAxis((int(m_axis) + 1) % 3));
    else if (isLogarithmicKey(*event))
        setLogY(!m_isLogY);
    else if (isSmoothingKey(*event))
        setSmoothing(m_smoothing > 0.9 ? 0 : m_smoothing + 0.3);
    else
        QWidget::keyPressEvent(event);
}

void MetricChart::ask()
{
    if (!isVisible())
        return;
    if (m_trials.isEmpty()) {
        m_slow.stop();
        m_data.reset();
        applyJob();
        applyLines();
        showBadge();
        return;
    }
    models::SeriesRequest request;
    request.trials = m_trials;
    request.metric = m_objective.metric;
    request.axis = m_axis;
    // One column per pixel for few curves; half of that for many, which overlap anyway.
    const int width = std::max(200, m_plot->plotSize().width());
    request.columns = m_trials.size() > 20 ? width / 2 : width;
    if (isSummary())
        request.columns = int(std::clamp<qsizetype>(mostColumns / m_trials.size(), 60, request.columns));
    if (m_plot->isZoomedX()) {
        // Extend both ends a little, so that lines reach the edge.
        const double air = (m_plot->range().right - m_plot->range().left) * 0.02;
        request.from = m_plot->range().left - air;
        request.to = m_plot->range().right + air;
    } else if (m_trials.size() > 1 && m_wholeX) {
        request.from = m_wholeX->first;
    }
    m_asked.start();
    m_loader.request(request);
    if (!m_data && !m_slow.isActive())
        m_slow.start(slowAfter);
}

void MetricChart::take(const SeriesDataPtr& data)
{
    if (data->request.trials != m_trials || data->request.axis != m_axis || data->request.metric != m_objective.metric)
        return; // another request is on its way
    m_slow.stop();
    m_data = data;
    m_hover->setCurves(m_data, m_smoothing);
    m_took = std::chrono::milliseconds(m_asked.isValid() ? m_asked.elapsed() : 0);
    if (!data->request.from || !data->request.to) {
        double left = HUGE_VAL;
        double right = -HUGE_VAL;
        for (const SeriesCurve& curve : data->curves) {
            if (curve.total == 0 || curve.columns.empty())
                continue;
            left = std::min(left, curve.columns.front().firstX);
            right = std::max(right, curve.columns.back().lastX);
        }
        m_wholeX = left <= right ? std::optional(std::pair(left, right)) : std::nullopt;
    }
    applyRange();
    applyJob();
    applyLines();
    showBadge();
}

/// Says what is not shown as it was reported: values merged, trials left out, lines smoothed.
void MetricChart::showBadge()
{
    qint64 count = 0;
    bool isRaw = true;
    if (m_data) {
        for (const SeriesCurve& curve : m_data->curves) {
            count += curve.count();
            isRaw = isRaw && curve.isRaw();
        }
    }
    const bool hasValues = count > 0;
    m_plot->setMessage(
        hasValues || !m_data ? QString() : tr("No value of %1 was reported yet.").arg(m_objective.metric));
    if (!hasValues) {
        m_plot->setBadge({});
        return;
    }
    const QString values =
        count < 1'000'000 ? QLocale().toString(count) : tr("%1 M").arg(double(count) / 1e6, 0, 'f', 1);
    QStringList parts{isRaw && !isSummary() ? tr("raw, %1 values").arg(values)
            : isRaw                         ? tr("%1 values").arg(values)
                                            : tr("min–max of %1").arg(values)};
    if (m_of > m_trials.size())
        parts.append(tr("newest %1 of %2 trials").arg(QLocale().toString(m_trials.size()), QLocale().toString(m_of)));
    else if (m_trials.size() > 1)
        parts.append(tr("all %1 trials").arg(QLocale().toString(m_trials.size())));
    if (m_smoothing > 0)
        parts.append(tr("smoothed %1").arg(QLocale().toString(m_smoothing, 'g', 2)));
    m_plot->setBadge(parts.join(tr(", ")));
}

void MetricChart::applyRange()
{
    if (!m_data || !m_wholeX)
        return;
    const PlotRange& now = m_plot->range();
    const double from = m_plot->isZoomedX() ? now.left : -HUGE_VAL;
    const double to = m_plot->isZoomedX() ? now.right : HUGE_VAL;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (const SeriesCurve& curve : m_data->curves) {
        for (const SeriesColumn& column : curve.columns) {
            if (column.lastX < from || column.firstX > to)
                continue;
            if (std::isfinite(column.max) && (!m_isLogY || column.max > 0))
                high = std::max(high, column.max);
            if (std::isfinite(column.min) && (!m_isLogY || column.min > 0))
                low = std::min(low, column.min);
        }
    }
    PlotRange range;
    range.logY = m_isLogY;
    std::tie(range.low, range.high) = aired(low, high, m_trials.size() == 1 ? 0.12 : 0.05, m_isLogY);
    std::tie(range.left, range.right) = aired(m_wholeX->first, m_wholeX->second, 0.015);
    // The axis of steps starts at 0 even if the first step is 1.
    if (m_axis == SeriesAxis::step && m_wholeX->first >= 0 && m_wholeX->first <= m_wholeX->second * 0.05)
        range.left = std::min(range.left, 0.0);
    m_plot->setWholeRange(range);
}

void MetricChart::applyJob()
{
    const Roles& roles = m_theme.roles();
    m_hover->setCurves(m_data, m_smoothing);
    QHash<core::TrialId, QColor> marked = m_colors;
    if (m_trials.size() == 1)
        marked.insert(m_trials.first(), roles.accent);
    else if (!m_best.isEmpty() && !marked.contains(m_best))
        marked.insert(m_best, roles.ink);
    m_hover->setColors(marked, m_hidden);
    const bool byQtCharts = m_trials.size() == 1 && m_data && !m_data->curves.empty()
        && qint64(pointsOf(m_data->curves.front()).size()) <= mostByQtCharts;
    if (!m_data || byQtCharts) {
        m_plot->setJob({});
        return;
    }
    CurveJob job;
    job.data = m_data;
    job.smoothing = m_smoothing;
    const bool isAlone = m_trials.size() == 1;
    job.each = isAlone ? roles.accent : Theme::alpha(roles.curve, m_trials.size() > 40 ? 0.16 : 0.4);
    // Beside curves with a colour the other selected ones are grey.
    job.chosen = m_colors.isEmpty() ? Theme::alpha(roles.accent, m_selected.size() > 20 ? 0.25 : 0.55)
                                    : Theme::alpha(roles.curve, m_selected.size() > 20 ? 0.35 : 0.6);
    job.current = roles.accent;
    job.best = roles.ink;
    job.selected = m_selected;
    job.currentTrial = isAlone ? core::TrialId() : m_current;
    job.bestTrial = isAlone ? core::TrialId() : m_best;
    job.colors = m_colors;
    job.hidden = m_hidden;
    job.isSummary = isSummary();
    job.quantiles = Theme::alpha(roles.curve, m_theme.isDark() ? 0.22 : 0.16);
    job.median = roles.curve;
    m_plot->setJob(std::move(job));
}

void MetricChart::applyLines()
{
    const Roles& roles = m_theme.roles();
    std::vector<QPointF> raw;
    std::vector<QPointF> reported;
    std::vector<QPointF> best;
    m_plot->setMarker({});
    if (m_data && m_trials.size() == 1 && !m_data->curves.empty()) {
        const SeriesCurve& curve = m_data->curves.front();
        reported = pointsOf(curve);
        if (qint64(reported.size()) > mostByQtCharts)
            reported.clear();
        else if (m_smoothing > 0)
            reported = smoothed(raw = reported, m_smoothing);
        best = bestSteps(curve, m_objective.maximize);
        if (best.size() > 1 || (best.size() == 1 && curve.total == 1)) {
            // Mark the point where the best was reached, not the end of the step line.
            size_t at = best.size() - 1;
            while (at > 0 && best[at - 1].y() == best[at].y())
                --at;
            m_plot->setMarker(best[at], models::metricText(best[at].y()));
        }
    }
    askBand();
    m_plot->setLine(raw_line, raw, Theme::alpha(roles.accent, rawBehind), 1);
    m_plot->setLine(reported_line, reported, roles.accent, 1.5);
    m_plot->setLine(best_line, best, roles.ink, 1.5);
    markHovered();
}

/// Draws the curve under the pointer once more, above all.
void MetricChart::markHovered()
{
    std::vector<QPointF> points;
    QColor color = m_colors.value(m_hovered, m_hovered == m_best ? m_theme.roles().ink : m_theme.roles().accent);
    if (const SeriesCurve* curve = m_hovered.isEmpty() || m_trials.size() < 2 ? nullptr : m_hover->curve(m_hovered)) {
        points = pointsOf(*curve);
        if (m_smoothing > 0)
            points = smoothed(std::move(points), m_smoothing);
    }
    m_plot->setLine(hovered_line, points, color, 2.25);
}

/// Thousands of curves take longer than a frame: the band is computed on a pool thread, one at a time, the newest wish next.
void MetricChart::askBand()
{
    if (!m_data || m_trials.size() < 2 || m_selected.size() < 2 || areColored() || !m_wholeX) {
        m_band = BandState::none;
        showBand({});
        return;
    }
    if (m_isComputing) {
        m_band = BandState::outdated;
        return;
    }
    m_band = BandState::wanted;
    m_isComputing = true;
    const double left = m_plot->isZoomedX() ? m_plot->range().left : m_wholeX->first;
    const double right = m_plot->isZoomedX() ? m_plot->range().right : m_wholeX->second;
    models::inBackground(
        this, [data = m_data, selected = m_selected, left, right] { return bandOf(*data, selected, left, right); },
        [this](const Band& band) {
            m_isComputing = false;
            if (m_band == BandState::outdated)
                askBand();
            else if (m_band == BandState::wanted)
                showBand(band);
            tellReady();
        });
}

void MetricChart::showBand(const Band& band)
{
    const Roles& roles = m_theme.roles();
    const QColor color = m_colors.isEmpty() ? roles.accent : roles.curve;
    m_plot->setBand(band.low, band.high, Theme::alpha(color, m_theme.isDark() ? 0.28 : 0.18));
    m_plot->setLine(mean_line, band.mean, color, 2);
    if (std::exchange(m_bandCurves, band.curves) != band.curves)
        emit bandChanged();
}

/// Whether each selected curve has a colour of its own, so that they are read one by one.
bool MetricChart::areColored() const
{
    return std::all_of(
        m_selected.begin(), m_selected.end(), [this](const auto& trial) { return m_colors.contains(trial); });
}

void MetricChart::tellReady()
{
    if (!m_loader.isLoading() && !m_soon.isActive() && !m_isComputing && !m_plot->isPainting())
        emit ready();
}

MetricChart::Hit MetricChart::hitAt(QPointF at, QPointF reach) const
{
    Hit best;
    double nearest = 2;
    if (!m_data)
        return best;
    for (const SeriesCurve& curve : m_data->curves) {
        const auto from = std::lower_bound(curve.columns.begin(), curve.columns.end(), at.x() - reach.x() * 1.5,
            [](const SeriesColumn& column, double x) { return column.lastX < x; });
        for (auto column = from; column != curve.columns.end() && column->firstX <= at.x() + reach.x() * 1.5;
             ++column) {
            for (const double y : {column->first, column->last, column->min, column->max}) {
                const QPointF point(y == column->last ? column->lastX : column->firstX, y);
                const double far = std::hypot((point.x() - at.x()) / reach.x(), (y - at.y()) / reach.y());
                if (std::isfinite(far) && far < nearest) {
                    nearest = far;
                    best = {&curve, point};
                }
            }
        }
    }
    return best;
}

QString MetricChart::xText(double x) const
{
    if (m_axis == SeriesAxis::time)
        return QLocale().toString(QDateTime::fromMSecsSinceEpoch(qint64(x)), u"HH:mm:ss"_s);
    if (m_axis == SeriesAxis::relative)
        return tr("after %1").arg(models::durationText(qint64(x)));
    return tr("step %1").arg(models::parameterText(x));
}

QByteArray MetricChart::csv() const
{
    QByteArray out = "trial,number,x,min,max,first,last,count\n";
    if (!m_data)
        return out;
    for (const SeriesCurve& curve : m_data->curves) {
        const QString number = m_number ? m_number(curve.trial) : QString();
        for (const SeriesColumn& column : curve.columns) {
            QStringList line{curve.trial.value, number};
            for (const double value : {column.firstX, column.min, column.max, column.first, column.last})
                line.append(models::csvNumber(value));
            out += models::csvLine(line << QString::number(column.count));
        }
    }
    return out;
}

core::Result<> MetricChart::exportImage(const QString& file, const PictureText& text)
{
    // What the pointer marks for now is no part of the picture.
    const core::TrialId hovered = std::exchange(m_hovered, {});
    markHovered();
    core::Result<> written = exportPlot(*m_plot, m_theme, text, file);
    m_hovered = hovered;
    markHovered();
    return written;
}

} // namespace ui::charts
