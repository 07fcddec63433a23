// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_usage_chart.h"

#include "models/engine_mirror.h"
#include "models/machine_cells.h"
#include "models/format.h"
#include "services/core/gpu/gpu_usage_json.h"
#include "ui/kit/gpu_paint.h"
#include "ui/kit/theme.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPointer>
#include <QToolTip>

using namespace Qt::StringLiterals;

namespace ui {

using models::CellKind;
using models::UsageSpan;

namespace {

constexpr int chartHeight = 148;
constexpr qint64 hourMs = 3'600'000;

QString sentence(const core::GpuCounts& counts)
{
    QString words =
        GpuUsageChart::tr("ours %1, others %2, free %3").arg(counts.ours).arg(counts.foreign).arg(counts.free);
    if (counts.reserved > 0)
        words += GpuUsageChart::tr(", reserved %1").arg(counts.reserved);
    if (counts.silent > 0)
        words += GpuUsageChart::tr(", silent %1").arg(counts.silent);
    return words;
}

} // namespace

GpuUsageChart::GpuUsageChart(const PageContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
{
    setAccessibleName(tr("GPUs in use"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_minute.setInterval(60'000);
    connect(&m_minute, &QTimer::timeout, this, &GpuUsageChart::ask);
    m_soon.setSingleShot(true);
    m_soon.setInterval(1'000);
    connect(&m_soon, &QTimer::timeout, this, &GpuUsageChart::lay);
    connect(&context.theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    connect(&context.mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full)
            ask();
        else if (!change->machines.isEmpty() && !m_soon.isActive())
            m_soon.start();
    });
    lay();
}

QSize GpuUsageChart::sizeHint() const
{
    return {400, m_context.theme.scaled(chartHeight)};
}

void GpuUsageChart::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    ask();
    m_minute.start();
}

void GpuUsageChart::ask()
{
    if (!isVisible()) {
        m_minute.stop(); // no requests while hidden
        return;
    }
    const qint64 since = QDateTime::currentMSecsSinceEpoch() - 12 * hourMs;
    m_context.mirror.execute(api::ReadGpuUsage{since}, [self = QPointer(this)](const core::Result<api::Reply>& reply) {
        if (!self || !reply)
            return; // An older service has no history; the chart then starts with the current counts.
        const auto document = client::documentOf(*reply);
        self->m_samples = document ? core::gpuUsageFromJson(*document) : QList<core::GpuUsageSample>();
        self->lay();
    });
}

void GpuUsageChart::lay()
{
    m_now = QDateTime::currentMSecsSinceEpoch();
    m_counts = models::gpuCountsOf(m_context.mirror.state());
    m_length = models::usageLengthMs(m_samples, m_now);
    m_spans = models::usageSpans(m_samples, m_counts, m_now - m_length, m_now);
    m_most = m_counts.gpus;
    for (const UsageSpan& span : m_spans)
        m_most = std::max(m_most, span.counts.gpus);
    setAccessibleDescription(sentence(m_counts));
    update();
}

QRectF GpuUsageChart::plot() const
{
    return QRectF(rect()).adjusted(16 + 44, 44, -16 - 8, -28);
}

double GpuUsageChart::xOf(qint64 time) const
{
    const QRectF area = plot();
    return area.right() - area.width() * double(m_now - time) / double(m_length);
}

double GpuUsageChart::yOf(int gpus) const
{
    const QRectF area = plot();
    return area.bottom() - area.height() * gpus / std::max(1, m_most);
}

void GpuUsageChart::paintEvent(QPaintEvent*)
{
    const Roles& c = m_context.theme.roles();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(c.line2, 1));
    painter.setBrush(c.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(16.5, 0.5, -16.5, -0.5), metrics::radiusBox, metrics::radiusBox);
    paintHead(painter);
    paintAxes(painter);
    paintSpans(painter);
}

void GpuUsageChart::paintHead(QPainter& painter) const
{
    const Theme& theme = m_context.theme;
    const Roles& c = theme.roles();
    const QRectF line(32, 12, width() - 64, 20);
    painter.setFont(theme.font(TextSize::body, QFont::DemiBold));
    painter.setPen(c.text);
    const QString title = tr("GPUs in use");
    painter.drawText(line, Qt::AlignVCenter, title);
    const double after = painter.fontMetrics().horizontalAdvance(title) + 8;
    painter.setFont(theme.font(TextSize::body));
    painter.setPen(c.text2);
    const QString span = m_length < hourMs ? tr("last %n minute(s)", nullptr, int(m_length / 60'000))
                                           : tr("last %n hour(s)", nullptr, int(m_length / hourMs));
    painter.drawText(line.adjusted(after, 0, 0, 0), Qt::AlignVCenter, tr("%1, of %2").arg(span).arg(m_counts.gpus));
    double x = line.right();
    for (const auto& [kind, word] :
        {std::pair(CellKind::silent, tr("silent")), {CellKind::foreign, tr("others")}, {CellKind::ours, tr("ours")}}) {
        painter.setFont(theme.font(TextSize::caption));
        painter.setPen(c.text2);
        const double wide = painter.fontMetrics().horizontalAdvance(word);
        x -= wide;
        painter.drawText(QRectF(x, line.top(), wide + 2, line.height()), Qt::AlignVCenter, word);
        x -= 18;
        models::GpuCell cell;
        cell.kind = kind;
        cell.use = 60;
        paintGpuColumn(painter, theme, QRectF(x, line.center().y() - 5, 12, 10), cell);
        x -= 14;
    }
}

void GpuUsageChart::paintAxes(QPainter& painter) const
{
    const Theme& theme = m_context.theme;
    const Roles& c = theme.roles();
    const QRectF area = plot();
    painter.setFont(theme.font(TextSize::caption));
    for (const int gpus : {0, m_most / 2, m_most}) {
        const double y = std::round(yOf(gpus)) + 0.5;
        painter.setPen(QPen(gpus == 0 ? c.control : c.line, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        if (gpus == m_most / 2 && m_most % 2 == 1)
            continue; // no label: the half is not a whole number
        painter.setPen(c.text2);
        painter.drawText(
            QRectF(16, y - 8, area.left() - 16 - 8, 16), Qt::AlignRight | Qt::AlignVCenter, QString::number(gpus));
    }
    const int parts = m_length < hourMs ? 5 : 6; // so that labels are whole minutes
    for (int i = 0; i <= parts; ++i) {
        const qint64 time = m_now - m_length * (parts - i) / parts;
        const QString text = i == parts ? tr("now") : models::clockText(time, m_now);
        painter.setPen(c.text2);
        const double wide = painter.fontMetrics().horizontalAdvance(text);
        const double x = std::min(xOf(time) - (i == 0 ? 0 : wide / 2), area.right() - wide);
        painter.drawText(QPointF(x, area.bottom() + 16), text);
    }
}

void GpuUsageChart::paintSpans(QPainter& painter) const
{
    const Roles& c = m_context.theme.roles();
    QPainterPath foreign;
    foreign.setFillRule(Qt::WindingFill);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const UsageSpan& span : m_spans) {
        const double left = std::round(xOf(span.from));
        const double wide = std::max(1.0, std::round(xOf(span.to)) - left);
        const auto part = [&](int from, int to) {
            const double top = std::round(yOf(to));
            return QRectF(left, top, wide, std::round(yOf(from)) - top);
        };
        const int ours = span.counts.ours;
        const int others = ours + span.counts.foreign;
        painter.fillRect(part(0, ours), m_context.theme.alpha(c.accent, 0.22));
        if (ours > 0)
            painter.fillRect(QRectF(left, part(0, ours).top() - 1, wide, 2), c.accent);
        if (others > ours) {
            foreign.addRect(part(ours, others));
            painter.fillRect(QRectF(left, part(ours, others).top() - 1, wide, 2), c.foreign);
        }
        if (span.counts.silent > 0) {
            painter.setPen(QPen(c.unknown, 1, Qt::DotLine));
            painter.setBrush(Theme::alpha(c.unknown, 0.06));
            painter.drawRect(part(others, others + span.counts.silent));
        }
    }
    painter.setClipPath(foreign);
    paintHatch(painter, m_context.theme.roles(), plot(), 0.45);
    painter.restore();
}

bool GpuUsageChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QRectF area = plot();
    const qint64 time = m_now - qint64(double(m_length) * (area.right() - help->pos().x()) / area.width());
    for (const UsageSpan& span : m_spans) {
        if (time >= span.from && time < span.to) {
            QToolTip::showText(
                help->globalPos(), tr("%1: %2").arg(models::clockText(time, m_now), sentence(span.counts)), this);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

} // namespace ui
