// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <QWidget>

namespace ui {

/// The objective over the trials of one experiment: one dot per trial, and the best so far as a step line. Painted directly,
/// without Qt Charts.
class BestChart : public QWidget
{
    Q_OBJECT
public:
    explicit BestChart(QWidget* parent = nullptr);

    void setTrials(const std::vector<core::TrialPtr>& trials, bool maximize);
    [[nodiscard]] QSize sizeHint() const override { return {400, 220}; }

signals:
    void trialChosen(const core::TrialId& trial);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Dot
    {
        double x = 0;
        double y = 0;
        core::TrialId trial;
        qint64 number = 0;
    };

    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QPointF toPixel(const Dot& dot) const;
    [[nodiscard]] int dotAt(const QPointF& at) const;

    std::vector<Dot> m_dots; ///< in order of trial numbers
    bool m_maximize = true;
    double m_low = 0;
    double m_high = 1;
    double m_right = 1;
    int m_best = -1;
    int m_current = -1;
};

} // namespace ui
