// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/machines/gpu_usage.h"
#include "ui/kit/page.h"

#include <QTimer>

namespace ui {

/// "GPUs in use": a step chart of the GPUs used by this service, by others, and of silent machines over the last hours. Hidden if
/// there is no GPU. GUI thread.
class GpuUsageChart : public QWidget
{
    Q_OBJECT
public:
    explicit GpuUsageChart(const PageContext& context, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;

private:
    void ask();
    void lay();
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(qint64 time) const;
    [[nodiscard]] double yOf(int gpus) const;
    void paintSpans(QPainter& painter) const;
    void paintAxes(QPainter& painter) const;
    void paintHead(QPainter& painter) const;

    PageContext m_context;
    QList<core::GpuUsageSample> m_samples;
    QList<models::UsageSpan> m_spans;
    core::GpuCounts m_counts;
    qint64 m_now = 0;
    qint64 m_length = 0;
    int m_most = 0; ///< number of GPUs at the upper end of the axis
    QTimer m_minute;
    QTimer m_soon;
};

} // namespace ui
