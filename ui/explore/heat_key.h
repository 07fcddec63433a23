// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/quantile_scale.h"

#include <QWidget>

namespace ui {

/// The key of the objective's colours: the metric, its steps from the worst to the best, and the values at which the outer ones end.
/// Each step holds the same share of the trials.
class HeatKey : public QWidget
{
    Q_OBJECT
public:
    explicit HeatKey(QWidget* parent = nullptr);

    void setScale(const models::QuantileScale& scale, const QString& metric, bool maximize);
    [[nodiscard]] bool isEmpty() const { return m_worst.isEmpty(); }
    [[nodiscard]] QString worst() const { return m_worst; }
    [[nodiscard]] QString best() const { return m_best; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_metric;
    QString m_worst;
    QString m_best;
};

/// The step of a place on the scale, 0 (the worst) to Theme::heatSteps - 1.
[[nodiscard]] int heatStepOf(const models::QuantileScale& scale, double value, bool maximize);

} // namespace ui
