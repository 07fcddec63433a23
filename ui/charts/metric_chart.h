// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plot_export.h"

#include "models/series_loader.h"

#include <QColor>
#include <QElapsedTimer>
#include <QHash>
#include <QSet>
#include <QTimer>
#include <QWidget>

#include <chrono>

namespace ui {
class Theme;
}

namespace ui::charts {

struct Band;
class CurveHover;
class PlotView;
struct PlotRange;

/// Curves of one metric: of one trial with its best so far, of many with mean and band of the selected ones, or of very many as
/// quantiles. Requests data in screen resolution, again after zooming and when curves grow; a badge says whether all values and all
/// trials are shown. GUI thread.
class MetricChart : public QWidget
{
    Q_OBJECT
public:
    MetricChart(Theme& theme, client::EngineClient& client, QWidget* parent = nullptr);

    void setObjective(const core::Objective& objective);
    /// `of`: how many trials there are to show, if these are not all of them.
    void setTrials(const QList<core::TrialId>& trials, qsizetype of = 0);
    /// The function that returns a trial's number as text.
    void setNumbers(std::function<QString(const core::TrialId&)> number);
    void setSelection(
        const QSet<core::TrialId>& selected, const core::TrialId& current, const core::TrialId& best = {});
    /// The few trials with a colour of their own, and those of all that are not drawn.
    void setColors(const QHash<core::TrialId, QColor>& colors, const QSet<core::TrialId>& hidden = {});
    /// Marks a trial over which the pointer is in another chart; an empty id: none.
    void setHovered(const core::TrialId& trial);
    void setAxis(models::SeriesAxis axis);
    [[nodiscard]] models::SeriesAxis axis() const { return m_axis; }
    void setLogY(bool isLog);
    /// 0 to 0.99.
    void setSmoothing(double weight);
    [[nodiscard]] double smoothing() const { return m_smoothing; }
    /// Call when curves have grown: requests them again, at a limited rate.
    void refresh();

    void zoom(double factor);
    void showAll();
    /// The curves as shown: trial, number, and the columns' x, extremes, first and last value and count, in full precision. UTF-8.
    [[nodiscard]] QByteArray csv() const;
    /// `.png` or `.svg` by the name of the file.
    [[nodiscard]] core::Result<> exportImage(const QString& file, const PictureText& text);
    [[nodiscard]] PlotView* plot() const { return m_plot; }
    [[nodiscard]] CurveHover* hover() const { return m_hover; }
    [[nodiscard]] const models::SeriesDataPtr& data() const { return m_data; }
    /// Only quantiles of all curves are drawn, and the best, the current and a few selected ones.
    [[nodiscard]] bool isSummary() const;
    /// How many curves mean and band are of; 0: none is shown.
    [[nodiscard]] int bandCurves() const { return m_bandCurves; }

signals:
    /// `isAdded`: with Ctrl, to add the trial to the selection or to take it out.
    void trialPressed(const core::TrialId& trial, bool isAdded);
    /// The pointer is on another curve, or on none (empty).
    void trialHovered(const core::TrialId& trial);
    /// The image of the newest data was painted.
    void ready();
    void bandChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void ask();
    void take(const models::SeriesDataPtr& data);
    void applyJob();
    void applyLines();
    void applyRange();
    void showBadge();
    void askBand();
    void showBand(const Band& band);
    void tellReady();
    void markHovered();
    [[nodiscard]] bool areColored() const;
    /// The curve and the point of it nearest to a place within reach.
    struct Hit
    {
        const models::SeriesCurve* curve = nullptr;
        QPointF point;
    };
    [[nodiscard]] Hit hitAt(QPointF at, QPointF reach) const;
    [[nodiscard]] QString xText(double x) const;

    Theme& m_theme;
    models::SeriesLoader m_loader;
    PlotView* m_plot;
    core::Objective m_objective;
    QList<core::TrialId> m_trials;
    qsizetype m_of = 0;
    int m_bandCurves = 0;
    enum class BandState { none, wanted, outdated };
    BandState m_band = BandState::none; ///< of the one that is computed: whether it is to be shown
    bool m_isComputing = false;
    CurveHover* m_hover;
    core::TrialId m_hovered; ///< in this chart or in another one
    std::function<QString(const core::TrialId&)> m_number;
    QHash<core::TrialId, QColor> m_colors;
    QSet<core::TrialId> m_hidden;
    QSet<core::TrialId> m_selected;
    core::TrialId m_current;
    core::TrialId m_best;
    models::SeriesAxis m_axis = models::SeriesAxis::step;
    bool m_isLogY = false;
    double m_smoothing = 0;
    models::SeriesDataPtr m_data;
    std::optional<std::pair<double, double>> m_wholeX; ///< range of all values, from an answer without zoom
    QTimer m_soon;
    QTimer m_slow; ///< until an answer takes so long that the empty chart says so
    QElapsedTimer m_asked;
    std::chrono::milliseconds m_took{0}; ///< duration of the last request; slow requests are repeated less often
};

} // namespace ui::charts
