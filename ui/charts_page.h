// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "page.h"

#include "services/core/records.h"
#include "services/engine/change.h"

#include <QSet>
#include <QTimer>

class QComboBox;
class QFrame;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace models {
class TrialModel;
}

namespace ui {

class EmptyState;
namespace charts {
class DotChart;
class MetricChart;
class ParallelCoordinates;
} // namespace charts

/// All curves of an experiment, its best so far, and its parameters side by side or one over another. What is brushed or chosen in
/// one is chosen in all, and in the table.
class ChartsPage : public Page
{
    Q_OBJECT
public:
    explicit ChartsPage(const PageContext& context, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Charts"); }
    void setExperiment(const core::ExperimentId& experiment) override;
    void applyFilter(const QString& text) override;
    void shown() override;
    [[nodiscard]] QList<std::pair<QString, QString>> keys() const override;

signals:
    void ready();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QWidget* makeHeader();
    [[nodiscard]] QWidget* makeCurves();
    [[nodiscard]] QWidget* makeBest();
    [[nodiscard]] QWidget* makeParallel();
    void take(const engine::Change& change);
    void showAll();
    void showTitles();
    void showCurves();
    void showBest();
    void showParallel();
    void showScatter();
    void showSelection();
    void brushed();
    void exportCharts();
    void chooseAxes();
    [[nodiscard]] QString nameOf(const core::TrialId& trial) const;
    [[nodiscard]] QList<int> usefulColumns() const;
    [[nodiscard]] bool isLog(int column) const;
    [[nodiscard]] core::Objective objective() const;

    models::TrialModel* m_model;
    QTimer m_soon;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QFrame* m_header = nullptr;
    QLabel* m_chosen;
    QLabel* m_range;
    QPushButton* m_clear;
    QLabel* m_summary;
    QLabel* m_metric;
    QLabel* m_legend;
    QToolButton* m_logY;
    QToolButton* m_smooth;
    charts::MetricChart* m_curves;
    QLabel* m_bestLegend;
    charts::DotChart* m_best;
    QStackedWidget* m_below;
    QLabel* m_belowHint;
    QLabel* m_parallelLegend;
    QToolButton* m_axesButton;
    QComboBox* m_scatterX;
    QComboBox* m_scatterY;
    charts::ParallelCoordinates* m_parallel;
    charts::DotChart* m_scatter;
    QStringList m_axes; ///< names of the axes in the order of the person; empty: as they come
    QString m_brushText;
    core::TrialId m_bestTrial;
};

} // namespace ui
