// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_strip.h"

#include "ui/kit/gpu_paint.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

using namespace Qt::StringLiterals;

namespace ui {

using models::CellKind;

namespace {

constexpr int titleWidth = 200;
constexpr int swatch = 18; ///< width of a legend's mark including the gap after it
constexpr int legendGap = 14;

} // namespace

GpuStrip::GpuStrip(models::EngineMirror& mirror, QWidget* parent)
    : QWidget(parent)
    , m_mirror(mirror)
{
    setAccessibleName(tr("Fleet: one column a GPU"));
    setFixedHeight(themeOf(*this).scaled(metrics::fleetStrip));
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    m_later.setSingleShot(true);
    m_later.setInterval(100);
    connect(&m_later, &QTimer::timeout, this, &GpuStrip::refresh);
    connect(&mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full || !change->machines.isEmpty() || !change->removed.machines.isEmpty())
            if (!m_later.isActive())
                m_later.start();
    });
    connect(&themeOf(*this), &Theme::changed, this, qOverload<>(&QWidget::update));
    refresh();
}

QSize GpuStrip::sizeHint() const
{
    return {800, themeOf(*this).scaled(metrics::fleetStrip)};
}

void GpuStrip::refresh()
{
    m_counts = models::gpuCountsOf(m_mirror.state());
    lay();
    update();
}

void GpuStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    lay();
}

void GpuStrip::lay()
{
    m_columns.clear();
    m_names.clear();
    const auto& machines = m_mirror.state().machines().list();
    const double room = width() - titleWidth - 24 - legendWidth();
    qsizetype gpus = 0;
    for (const auto& machine : machines)
        gpus += std::max<qsizetype>(1, machine->gpus.size());
    double column = 20;
    double gap = 4;
    double machineGap = 20;
    const auto needed = [&] { return double(gpus) * (column + gap) + double(machines.size()) * machineGap; };
    if (needed() > room) {
        column = 8;
        gap = 2;
        machineGap = 12;
    }
    if (needed() > room) {
        column = 4;
        gap = 1;
        machineGap = 6;
    }
    const bool whole = needed() > room;
    if (whole)
        column = std::clamp(room / std::max<double>(1, double(machines.size())) - 1, 1.0, 20.0);
    const QFontMetrics font(themeOf(*this).font(TextSize::caption));
    double x = titleWidth + 8;
    for (const auto& machine : machines) {
        const double begin = x;
        const QString name = models::machineName(*machine, m_mirror.state());
        if (whole || machine->gpus.isEmpty()) {
            QString sentence = machine->gpus.isEmpty() ? u"%1: %2"_s.arg(name, models::modelLine(*machine)) : name;
            if (machine->cpuPercent)
                sentence += tr("; CPU %1 %").arg(qRound(*machine->cpuPercent));
            m_columns.append({QRectF(x, 18, column, 16), machine, {}, sentence});
            x += column + (whole ? 1 : gap);
        } else {
            for (const models::GpuCell& cell : models::gpuCells(*machine, m_mirror.state())) {
                m_columns.append(
                    {QRectF(x, 18, column, 16), machine, cell, models::cellSentence(cell, *machine, m_mirror.state())});
                x += column + gap;
            }
        }
        if (!whole && column >= 20) {
            m_names.append({QRectF(begin, 2, 200, 14), name});
            x = std::max(x, begin + font.horizontalAdvance(name));
        }
        if (!whole)
            x += machineGap - gap;
    }
    if (m_current >= m_columns.size())
        m_current = int(m_columns.size()) - 1;
}

void GpuStrip::paintMachine(QPainter& painter, const Column& column) const
{
    // A machine without GPUs shows its processor load; otherwise the column shows how its GPUs are divided.
    const Roles& c = themeOf(*this).roles();
    const core::Machine& machine = *column.machine;
    const bool silent = machine.state == core::MachineState::silent;
    const QRectF r = column.rect.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(silent ? c.unknown : c.control, 1));
    painter.setBrush(c.base);
    painter.drawRect(r);
    double bottom = r.bottom();
    const auto fill = [&](double share, const QColor& color) {
        const double height = (r.height() - 1) * std::clamp(share, 0.0, 1.0);
        painter.fillRect(QRectF(r.left() + 0.5, bottom - height, std::max(1.0, r.width() - 1), height), color);
        bottom -= height;
    };
    if (machine.gpus.isEmpty()) {
        fill(machine.cpuPercent.value_or(0) / 100, Theme::alpha(c.accent, 0.35));
        return;
    }
    double ours = 0;
    double others = 0;
    for (const models::GpuCell& cell : models::gpuCells(machine, m_mirror.state())) {
        ours += cell.kind == CellKind::ours ? 1 : 0;
        others += cell.kind == CellKind::foreign || cell.kind == CellKind::service ? 1 : 0;
    }
    fill(ours / double(machine.gpus.size()), Theme::alpha(c.accent, 0.6));
    fill(others / double(machine.gpus.size()), Theme::alpha(c.foreign, 0.6));
}

void GpuStrip::paintColumn(QPainter& painter, const Column& column) const
{
    if (column.cell)
        paintGpuColumn(painter, themeOf(*this), column.rect, *column.cell);
    else
        paintMachine(painter, column);
}

QList<std::pair<CellKind, QString>> GpuStrip::legend() const
{
    QList<std::pair<CellKind, QString>> entries;
    if (m_counts.gpus == 0)
        return entries;
    entries.append({CellKind::free, tr("free %1").arg(m_counts.free)});
    if (m_counts.silent > 0)
        entries.append({CellKind::silent, tr("silent %1").arg(m_counts.silent)});
    if (m_counts.reserved > 0)
        entries.append({CellKind::reserved, tr("reserved %1").arg(m_counts.reserved)});
    entries.append({CellKind::foreign, tr("others %1").arg(m_counts.foreign)});
    entries.append({CellKind::ours, tr("ours %1").arg(m_counts.ours)});
    return entries;
}

double GpuStrip::legendWidth() const
{
    const QFontMetrics font(themeOf(*this).font(TextSize::caption));
    double width = 0;
    for (const auto& [kind, text] : legend())
        width += font.horizontalAdvance(text) + swatch + legendGap;
    return width;
}

void GpuStrip::paintLegend(QPainter& painter) const
{
    const Theme& theme = themeOf(*this);
    double x = width() - 16;
    for (const auto& [kind, text] : legend()) {
        painter.setFont(theme.font(TextSize::caption));
        painter.setPen(theme.roles().text2);
        const double w = painter.fontMetrics().horizontalAdvance(text);
        x -= w;
        painter.drawText(QRectF(x, 0, w + 2, height()), Qt::AlignVCenter, text);
        x -= swatch;
        models::GpuCell cell;
        cell.kind = kind;
        cell.use = 60;
        paintGpuColumn(painter, themeOf(*this), QRectF(x, height() / 2.0 - 5, 12, 10), cell);
        x -= legendGap;
    }
}

void GpuStrip::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(*this);
    const Roles& c = theme.roles();
    QPainter painter(this);
    painter.fillRect(rect(), c.window);
    painter.fillRect(QRect(0, 0, width(), 1), c.line2);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.font(TextSize::caption, QFont::DemiBold));
    painter.setPen(c.text);
    painter.drawText(QRectF(16, 4, titleWidth - 24, 16), Qt::AlignVCenter, tr("Fleet"));
    painter.setFont(theme.font(TextSize::caption));
    painter.setPen(c.text2);
    const QString said = m_counts.gpus == 0 ? (m_columns.isEmpty() ? tr("no machine yet") : tr("CPU trials only"))
                                            : tr("%1 of %2 GPUs ours").arg(m_counts.ours).arg(m_counts.gpus);
    painter.drawText(QRectF(16, 20, titleWidth - 24, 16), Qt::AlignVCenter, said);
    paintLegend(painter);
    painter.setFont(theme.font(TextSize::caption));
    painter.setPen(c.text2);
    for (const Name& name : m_names)
        painter.drawText(name.rect, Qt::AlignVCenter | Qt::TextSingleLine, name.text);
    for (qsizetype i = 0; i < m_columns.size(); ++i) {
        paintColumn(painter, m_columns[i]);
        if (hasFocus() && i == m_current) {
            painter.setPen(QPen(c.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(m_columns[i].rect.adjusted(-2, -2, 2, 2));
        }
    }
}

int GpuStrip::columnAt(const QPointF& at) const
{
    for (qsizetype i = 0; i < m_columns.size(); ++i)
        if (m_columns[i].rect.adjusted(-1, -18, 1, 6).contains(at))
            return int(i);
    return -1;
}

bool GpuStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int column = columnAt(help->pos());
        if (column < 0)
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), m_columns[column].sentence, this);
        return true;
    }
    return QWidget::event(event);
}

void GpuStrip::choose(int column)
{
    if (column < 0 || column >= m_columns.size())
        return;
    m_current = column;
    update();
    const Column& chosen = m_columns[column];
    if (chosen.cell && !chosen.cell->trials.isEmpty())
        emit trialChosen(chosen.cell->trials.first());
    else
        emit machineChosen(chosen.machine->id);
}

void GpuStrip::mousePressEvent(QMouseEvent* event)
{
    choose(columnAt(event->position()));
}

void GpuStrip::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step != 0 && !m_columns.isEmpty()) {
        m_current = std::clamp(m_current + step, 0, int(m_columns.size()) - 1);
        setAccessibleDescription(m_columns[m_current].sentence);
        update();
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        choose(m_current);
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace ui
