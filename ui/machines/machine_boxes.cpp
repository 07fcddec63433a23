// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_boxes.h"

#include "models/format.h"
#include "models/printable.h"
#include "ui/kit/gpu_paint.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"

#include <QAccessible>
#include <QDateTime>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int gap = 12;
constexpr int leftWidth = 208;
constexpr int loadWidth = 190;
constexpr int cellWidth = 72;
constexpr int cellHeight = 44;
constexpr int processHeight = 24;
constexpr int legendHeight = 110;

} // namespace

MachineBoxes::MachineBoxes(models::EngineMirror& mirror, models::MachineModel& model, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_mirror(mirror)
    , m_model(model)
{
    setAccessibleName(tr("Machines and their GPUs"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Window);
    viewport()->setMouseTracking(true);
    m_later.setSingleShot(true);
    m_later.setInterval(60);
    connect(&m_later, &QTimer::timeout, this, &MachineBoxes::refresh);
    const auto soon = [this] {
        if (!m_later.isActive())
            m_later.start();
    };
    connect(&model, &QAbstractItemModel::dataChanged, this, soon);
    connect(&model, &QAbstractItemModel::rowsInserted, this, soon);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, soon);
    connect(&model, &QAbstractItemModel::layoutChanged, this, soon);
    connect(&mirror, &models::EngineMirror::changed, this, [soon](const api::ChangePtr& change) {
        if (change->full || !change->machines.isEmpty())
            soon();
    });
    connect(&themeOf(*this), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    refresh();
}

void MachineBoxes::refresh()
{
    m_boxes.clear();
    if (!m_begun && !m_model.records().isEmpty()) {
        m_begun = true;
        if (m_model.records().size() == 1 && !m_model.records().first()->gpus.isEmpty())
            m_open.insert(m_model.records().first()->id); // a single machine is expanded at first
    }
    for (const core::MachinePtr& machine : m_model.records()) {
        Box box;
        box.machine = machine;
        box.open = m_open.contains(machine->id);
        box.cells = models::gpuCells(*machine, m_mirror.state());
        m_boxes.append(box);
    }
    if (m_place.box >= m_boxes.size())
        m_place = {};
    if (m_place.box < 0 && !m_boxes.isEmpty())
        m_place = {0, -1};
    lay();
    viewport()->update();
}

void MachineBoxes::lay()
{
    const int width = viewport()->width() - 32;
    const auto cellsIn = [](int room) { return std::max(1, (room + 4) / (cellWidth + 4)); };
    int y = 4;
    for (Box& box : m_boxes) {
        // If the cells need more than one row, move the load from their right to below the name.
        box.loadAtLeft = box.machine->state != core::MachineState::silent
            && box.cells.size() > cellsIn(width - leftWidth - loadWidth);
        const int aRow = cellsIn(width - leftWidth - (box.loadAtLeft ? 16 : loadWidth));
        const int rows = std::max(1, (int(box.cells.size()) + aRow - 1) / aRow);
        box.headHeight = std::max(68, rows * (cellHeight + 4) + 20);
        box.cellRects.clear();
        for (qsizetype i = 0; i < box.cells.size(); ++i)
            box.cellRects.append(QRect(16 + leftWidth + int(i % aRow) * (cellWidth + 4),
                y + 12 + int(i / aRow) * (cellHeight + 4), cellWidth, cellHeight));
        box.processes.clear();
        int height = box.headHeight;
        if (box.open) {
            int at = y + height + 28;
            for (const core::Gpu& gpu : box.machine->gpus)
                for (const core::GpuProcess& process : gpu.processes) {
                    box.processes.append({QRect(17, at, width - 2, processHeight), &process, &gpu});
                    at += processHeight;
                }
            height += 28 + std::max<int>(1, int(box.processes.size())) * processHeight + 4;
        }
        box.rect = QRect(16, y, width, height);
        y += height + gap;
    }
    // Show the legend only if it fits without a scroll bar; cells also have tool tips.
    const bool legend = y + legendHeight <= viewport()->height()
        && std::any_of(m_boxes.begin(), m_boxes.end(), [](const Box& box) { return !box.cells.isEmpty(); });
    m_height = y + (legend ? legendHeight : 0);
    verticalScrollBar()->setRange(0, std::max(0, m_height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(40);
}

void MachineBoxes::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    lay();
}

void MachineBoxes::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const int scroll = verticalScrollBar()->value();
    painter.translate(0, -scroll);
    const QRect visible(0, scroll, viewport()->width(), viewport()->height());
    int bottom = 0;
    for (qsizetype i = 0; i < m_boxes.size(); ++i) {
        if (m_boxes[i].rect.intersects(visible))
            paintBox(painter, m_boxes[i], int(i));
        bottom = m_boxes[i].rect.bottom();
    }
    if (m_height - bottom > legendHeight)
        paintLegend(painter, bottom + gap);
}

void MachineBoxes::paintBox(QPainter& painter, const Box& box, int at) const
{
    const Theme& theme = themeOf(*this);
    const Roles& c = theme.roles();
    const core::Machine& machine = *box.machine;
    const QRect& r = box.rect;
    const bool focused = hasFocus() && m_place == Place{at, -1};
    painter.setPen(QPen(focused ? c.accent : box.open ? c.control : c.line2, focused ? 2 : 1));
    painter.setBrush(c.base);
    painter.drawRoundedRect(QRectF(r).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radiusBox, metrics::radiusBox);

    const QRect head(r.left(), r.top(), r.width(), box.headHeight);
    icons::paint(painter, QRectF(head.left() + 12, head.top() + 26, 16, 16),
        box.open ? u"chevron-down"_s : u"chevron-right"_s, c.text2);
    const StateLook look = theme.state(machine.state);
    const QString name = models::printable(models::machineName(machine, m_mirror.state()), 60);
    painter.setFont(theme.font(TextSize::body, QFont::DemiBold));
    painter.setPen(c.text);
    const int left = head.left() + 36;
    const int top = head.top() + (box.loadAtLeft ? 6 : 14); // three or two lines of text
    const int nameWidth = std::min(painter.fontMetrics().horizontalAdvance(name) + 4, 134);
    painter.drawText(QRect(left, top, nameWidth + 2, 20), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(name, Qt::ElideRight, nameWidth));
    int x = left + nameWidth + 8;
    if (!look.icon.isEmpty()) {
        icons::paint(painter, QRectF(x, top + 2, 16, 16), look.icon, look.color(c));
        x += 20;
    }
    painter.setFont(theme.font(TextSize::header));
    painter.setPen(look.color(c));
    painter.drawText(QRect(x, top, leftWidth - x + head.left(), 20), Qt::AlignVCenter, look.word);
    painter.setFont(theme.font(TextSize::caption));
    painter.setPen(c.text2);
    if (!box.cells.isEmpty())
        painter.drawText(QRect(left, top + 20, leftWidth - 40, 18), Qt::AlignVCenter,
            painter.fontMetrics().elidedText(models::modelLine(machine), Qt::ElideRight, leftWidth - 44));
    else if (machine.cpuCount > 0)
        painter.drawText(
            QRect(left, top + 20, leftWidth - 40, 18), Qt::AlignVCenter, tr("%n core(s)", nullptr, machine.cpuCount));

    for (qsizetype i = 0; i < box.cells.size(); ++i) {
        const bool marked = std::any_of(box.cells[i].trials.begin(), box.cells[i].trials.end(),
            [this](const core::TrialId& trial) { return m_selected.contains(trial); });
        paintGpuCell(painter, themeOf(*this), box.cellRects[i], box.cells[i], marked,
            hasFocus() && m_place == Place{at, int(i)});
    }
    paintLoad(painter, box, head);
    if (box.open)
        paintProcesses(painter, box);
}

void MachineBoxes::paintLoad(QPainter& painter, const Box& box, const QRect& head) const
{
    const Theme& theme = themeOf(*this);
    const Roles& c = theme.roles();
    const core::Machine& machine = *box.machine;
    const QRect right(head.right() - loadWidth - 4, head.top() + 14, loadWidth - 12, 20);
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (machine.state == core::MachineState::silent) {
        painter.setFont(theme.font(TextSize::body, QFont::DemiBold));
        painter.setPen(c.unknown);
        painter.drawText(right, Qt::AlignRight | Qt::AlignVCenter,
            tr("Silent for %1").arg(models::durationText(now - machine.lastContact)));
        painter.setFont(theme.font(TextSize::caption));
        painter.setPen(c.text2);
        painter.drawText(right.translated(0, 20).adjusted(-80, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
            tr("Last contact %1. Nothing is stopped.").arg(models::clockText(machine.lastContact, now)));
        return;
    }
    painter.setFont(theme.font(TextSize::header));
    painter.setPen(c.text2);
    QString cpu = machine.cpuPercent ? tr("CPU %1 %").arg(qRound(*machine.cpuPercent)) : QString();
    const QString memory = machine.memoryTotal > 0
        ? tr("%1 of %2").arg(models::bytesText(machine.memoryUsed), models::bytesText(machine.memoryTotal))
        : QString();
    if (!box.cells.isEmpty()) {
        if (box.loadAtLeft) {
            const QRect below(head.left() + 36, head.top() + 44, leftWidth - 44, 16);
            const QString both = cpu.isEmpty() || memory.isEmpty() ? cpu + memory : tr("%1, %2").arg(cpu, memory);
            painter.setFont(theme.font(TextSize::caption));
            painter.drawText(
                below, Qt::AlignVCenter, painter.fontMetrics().elidedText(both, Qt::ElideRight, below.width()));
            return;
        }
        painter.drawText(right, Qt::AlignRight | Qt::AlignVCenter, cpu);
        painter.drawText(right.translated(0, 20), Qt::AlignRight | Qt::AlignVCenter, memory);
        return;
    }
    // For a machine without GPUs show processor and memory instead.
    const auto meter = [&](int x, const QString& title, const QString& value, double share) {
        const QRect where(x, head.top() + 14, 180, 20);
        painter.setFont(theme.font(TextSize::caption));
        painter.setPen(c.text2);
        painter.drawText(where, Qt::AlignLeft | Qt::AlignVCenter, title);
        painter.setPen(c.text);
        painter.drawText(where, Qt::AlignRight | Qt::AlignVCenter, value);
        const QRectF bar(x, head.top() + 38, 180, 6);
        painter.setPen(Qt::NoPen);
        painter.setBrush(c.line2);
        painter.drawRoundedRect(bar, 3, 3);
        painter.setBrush(c.accent);
        painter.drawRoundedRect(
            QRectF(bar.left(), bar.top(), bar.width() * std::clamp(share, 0.0, 1.0), bar.height()), 3, 3);
    };
    int x = 16 + leftWidth;
    if (machine.cpuPercent) {
        meter(x, tr("CPU"), tr("%1 %").arg(qRound(*machine.cpuPercent)), *machine.cpuPercent / 100);
        x += 212;
    }
    if (machine.memoryTotal > 0) {
        meter(x, tr("Memory"), memory, double(machine.memoryUsed) / double(machine.memoryTotal));
        x += 212;
    }
    painter.setFont(theme.font(TextSize::caption));
    painter.setPen(c.text2);
    const QRect rest(x, head.top() + 8, head.right() - x - 16, head.height() - 16);
    if (rest.width() > 60)
        painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap,
            models::printable(machine.message.isEmpty() ? machine.gpuMessage : machine.message));
}

void MachineBoxes::paintProcesses(QPainter& painter, const Box& box) const
{
    const Theme& theme = themeOf(*this);
    const Roles& c = theme.roles();
    const QRect r = box.rect;
    const QRect header(r.left() + 1, r.top() + box.headHeight, r.width() - 2, 28);
    painter.fillRect(header, c.window);
    painter.fillRect(QRect(header.left(), header.top(), header.width(), 1), c.line);
    painter.fillRect(QRect(header.left(), header.bottom(), header.width(), 1), c.line2);
    const int w = header.width();
    const struct
    {
        QString title;
        int x;
        int width;
        Qt::Alignment align;
    } columns[] = {{tr("GPU"), 8, 40, Qt::AlignLeft}, {tr("Process"), 60, w - 60 - 450, Qt::AlignLeft},
        {tr("User"), w - 440, 100, Qt::AlignLeft}, {tr("Trial"), w - 330, 60, Qt::AlignRight},
        {tr("PID"), w - 260, 70, Qt::AlignRight}, {tr("Memory"), w - 100, 88, Qt::AlignRight}};
    painter.setFont(theme.font(TextSize::header));
    painter.setPen(c.text2);
    for (const auto& column : columns)
        painter.drawText(QRect(header.left() + column.x, header.top(), column.width, 28),
            int(column.align | Qt::AlignVCenter), column.title);
    if (box.processes.isEmpty()) {
        painter.drawText(QRect(header.left() + 60, header.bottom(), w - 80, processHeight), Qt::AlignVCenter,
            box.cells.isEmpty() ? models::printable(box.machine->gpuMessage) : tr("No process on any GPU."));
        return;
    }
    for (const Process& one : box.processes) {
        const bool ours = !one.process->trialId.isEmpty();
        const QRect row = one.rect;
        if (!ours && one.process->compute)
            painter.fillRect(row, Theme::alpha(c.foreign, 0.06));
        if (ours && m_selected.contains(one.process->trialId))
            painter.fillRect(row, c.select);
        painter.fillRect(QRect(row.left(), row.bottom(), row.width(), 1), c.line);
        if (one.gpu->memoryTotal > 0) {
            const QRectF bar(row.left() + w - 166, row.center().y() - 1, 56, 4);
            const double share = std::clamp(double(one.process->memoryUsed) / double(one.gpu->memoryTotal), 0.0, 1.0);
            painter.setPen(Qt::NoPen);
            painter.setBrush(c.line2);
            painter.drawRoundedRect(bar, 2, 2);
            painter.setBrush(ours ? c.accent : c.foreign);
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()), 2, 2);
        }
        const core::TrialPtr trial = m_mirror.state().trial(one.process->trialId);
        const QString texts[] = {QString::number(one.gpu->index), models::printable(one.process->name, 200),
            ours                              ? tr("you")
                : one.process->user.isEmpty() ? tr("someone")
                                              : models::printable(one.process->user, 40),
            trial ? QString::number(trial->sequenceId) : QString(), QString::number(one.process->pid),
            models::bytesText(one.process->memoryUsed)};
        for (int i = 0; i < 6; ++i) {
            const auto& column = columns[i];
            painter.setFont(theme.font(
                i == 1 ? TextSize::mono : TextSize::header, i == 2 && !ours ? QFont::DemiBold : QFont::Normal));
            painter.setPen(i == 2 ? (ours ? c.accent : c.foreign) : i == 3 ? c.accent : c.text);
            painter.drawText(QRect(row.left() + column.x, row.top(), column.width, row.height()),
                int(column.align | Qt::AlignVCenter),
                painter.fontMetrics().elidedText(texts[i], Qt::ElideRight, column.width));
        }
    }
}

int MachineBoxes::paintLegend(QPainter& painter, int top) const
{
    const Theme& theme = themeOf(*this);
    const Roles& c = theme.roles();
    painter.setFont(theme.font(TextSize::caption, QFont::DemiBold));
    painter.setPen(c.text2);
    painter.drawText(QRect(16, top + 8, 300, 16), Qt::AlignVCenter, tr("How to read a cell"));
    models::GpuCell cells[3];
    cells[0] = {1, models::CellKind::ours, u"143"_s, {}, 94, 0.5, {}};
    cells[1] = {3, models::CellKind::foreign, tr("someone"), {}, 91, 0.8, {}};
    cells[2] = {1, models::CellKind::reserved, tr("you"), {}, {}, 0, {}};
    const QString texts[] = {tr("GPU index and use; who holds it: a trial number, a user, or you. The foot is memory, "
                                "the height of the tint is use."),
        tr("Hatched: another user. It is avoided unless its platform says otherwise."),
        tr("Padlock: reserved, no trial is placed.")};
    const int width = (viewport()->width() - 32) / 3;
    for (int i = 0; i < 3; ++i) {
        const int x = 16 + i * width;
        paintGpuCell(painter, themeOf(*this), QRectF(x, top + 32, cellWidth, cellHeight), cells[i], false, false);
        painter.setFont(theme.font(TextSize::caption));
        painter.setPen(c.text2);
        painter.drawText(QRect(x + cellWidth + 12, top + 26, width - cellWidth - 28, 56),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, texts[i]);
    }
    return top + legendHeight;
}

QPoint MachineBoxes::toContent(const QPoint& viewport) const
{
    return viewport + QPoint(0, verticalScrollBar()->value());
}

MachineBoxes::Place MachineBoxes::placeAt(const QPoint& content) const
{
    for (qsizetype i = 0; i < m_boxes.size(); ++i) {
        if (!m_boxes[i].rect.contains(content))
            continue;
        for (qsizetype cell = 0; cell < m_boxes[i].cellRects.size(); ++cell)
            if (m_boxes[i].cellRects[cell].contains(content))
                return {int(i), int(cell)};
        return {int(i), -1};
    }
    return {};
}

core::MachineId MachineBoxes::currentMachine() const
{
    return m_place.box < 0 || m_place.box >= m_boxes.size() ? core::MachineId() : m_boxes[m_place.box].machine->id;
}

std::optional<int> MachineBoxes::currentGpu() const
{
    if (currentMachine().isEmpty() || m_place.cell < 0)
        return {};
    return m_boxes[m_place.box].cells[m_place.cell].index;
}

QString MachineBoxes::currentSentence() const
{
    if (currentMachine().isEmpty())
        return {};
    const Box& box = m_boxes[m_place.box];
    if (m_place.cell >= 0)
        return models::cellSentence(box.cells[m_place.cell], *box.machine, m_mirror.state());
    return tr("%1: %2, %3")
        .arg(models::machineName(*box.machine, m_mirror.state()), themeOf(*this).state(box.machine->state).word,
            models::modelLine(*box.machine));
}

void MachineBoxes::setSelectedTrials(const QSet<core::TrialId>& trials)
{
    m_selected = trials;
    viewport()->update();
}

void MachineBoxes::setPlace(Place place)
{
    m_place = place;
    setAccessibleDescription(currentSentence());
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    reveal(place);
    viewport()->update();
    emit currentChanged();
}

void MachineBoxes::reveal(Place place)
{
    if (place.box < 0 || place.box >= m_boxes.size())
        return;
    const Box& box = m_boxes[place.box];
    const int top = box.rect.top() - 4;
    const int bottom = std::min(box.rect.bottom(), top + viewport()->height()) + 8;
    QScrollBar* bar = verticalScrollBar();
    if (bar->value() > top)
        bar->setValue(top);
    else if (bar->value() + viewport()->height() < bottom)
        bar->setValue(bottom - viewport()->height());
}

void MachineBoxes::showMachine(const core::MachineId& machine, bool open)
{
    refresh();
    for (qsizetype i = 0; i < m_boxes.size(); ++i)
        if (m_boxes[i].machine->id == machine) {
            if (open && !m_boxes[i].open)
                toggle(int(i));
            setPlace({int(i), -1});
        }
}

void MachineBoxes::toggle(int box)
{
    const core::MachineId id = m_boxes[box].machine->id;
    if (!m_open.remove(id))
        m_open.insert(id);
    refresh();
}

void MachineBoxes::activate(Place place)
{
    if (place.box < 0)
        return;
    if (place.cell >= 0 && !m_boxes[place.box].cells[place.cell].trials.isEmpty())
        emit trialChosen(m_boxes[place.box].cells[place.cell].trials.first());
    else if (place.cell < 0)
        toggle(place.box);
    else
        emit machineChosen(m_boxes[place.box].machine->id);
}

void MachineBoxes::mousePressEvent(QMouseEvent* event)
{
    const QPoint at = toContent(event->pos());
    const Place place = placeAt(at);
    if (place.box < 0 || event->button() != Qt::LeftButton)
        return;
    setPlace(place);
    emit machineChosen(currentMachine());
    for (const Process& one : m_boxes[place.box].processes)
        if (one.rect.contains(at) && !one.process->trialId.isEmpty()) {
            const core::TrialId trial = one.process->trialId;
            emit trialChosen(trial);
            return;
        }
    if (place.cell < 0 && at.x() < m_boxes[place.box].rect.left() + leftWidth
        && at.y() < m_boxes[place.box].rect.top() + m_boxes[place.box].headHeight)
        toggle(place.box);
}

void MachineBoxes::mouseDoubleClickEvent(QMouseEvent* event)
{
    const Place place = placeAt(toContent(event->pos()));
    if (place.cell >= 0)
        activate(place);
}

void MachineBoxes::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Mouse) {
        const Place place = placeAt(toContent(event->pos()));
        if (place.box < 0)
            return;
        setPlace(place);
        emit menuWanted(event->globalPos());
        return;
    }
    if (m_place.box < 0)
        return;
    const Box& box = m_boxes[m_place.box];
    const QRect where = m_place.cell >= 0 ? box.cellRects[m_place.cell] : box.rect;
    emit menuWanted(viewport()->mapToGlobal(where.topLeft() + QPoint(20, 30 - verticalScrollBar()->value())));
}

void MachineBoxes::keyPressEvent(QKeyEvent* event)
{
    Place place = m_place;
    const auto cells = [this](int box) { return int(m_boxes[box].cells.size()); };
    switch (event->key()) {
    case Qt::Key_Down:
        place.box = std::min(place.box + 1, int(m_boxes.size()) - 1);
        break;
    case Qt::Key_Up:
        place.box = std::max(place.box - 1, 0);
        break;
    case Qt::Key_Right:
        if (place.box >= 0 && place.cell + 1 < cells(place.box))
            ++place.cell;
        break;
    case Qt::Key_Left:
        place.cell = std::max(place.cell - 1, -1);
        break;
    case Qt::Key_Home:
        place = {0, -1};
        break;
    case Qt::Key_End:
        place = {int(m_boxes.size()) - 1, -1};
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        activate(place);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    if (place.box < 0 || place.box >= m_boxes.size())
        return;
    place.cell = std::min(place.cell, cells(place.box) - 1);
    setPlace(place);
    emit machineChosen(currentMachine());
}

void MachineBoxes::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void MachineBoxes::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

bool MachineBoxes::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Place place = placeAt(toContent(help->pos()));
    if (place.box < 0 || place.cell < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(),
            models::cellSentence(m_boxes[place.box].cells[place.cell], *m_boxes[place.box].machine, m_mirror.state()),
            viewport());
    return true;
}

} // namespace ui
