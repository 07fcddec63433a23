// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_boxes.h"

#include "cell_legend.h"
#include "process_table.h"

#include "models/format.h"
#include "models/machines/running_trials.h"
#include "models/printable.h"
#include "ui/kit/gpu_paint.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

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

/// `38 of 64 GiB`; empty: not known.
QString memoryText(const core::Machine& machine)
{
    return machine.memoryTotal > 0
        ? MachineBoxes::tr("%1 of %2")
              .arg(models::bytesText(machine.memoryUsed), models::bytesText(machine.memoryTotal))
        : QString();
}

QString cpuText(const core::Machine& machine)
{
    return machine.cpuPercent ? MachineBoxes::tr("CPU %1 %").arg(qRound(*machine.cpuPercent)) : QString();
}

} // namespace

MachineBoxes::MachineBoxes(
    models::EngineMirror& mirror, models::MachineModel& model, const models::RunningTrials& running, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_mirror(mirror)
    , m_model(model)
    , m_running(running)
    , m_menu(makeIconButton(u"more"_s, tr("What can be done with the machine"), viewport()))
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
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&model, signal, this, &MachineBoxes::refreshSoon);
    connect(&model, &QAbstractItemModel::dataChanged, this, &MachineBoxes::refreshSoon);
    connect(&model, &QAbstractItemModel::layoutChanged, this, &MachineBoxes::refreshSoon);
    connect(&running, &models::RunningTrials::changed, this, [this](const QSet<core::MachineId>& machines) {
        m_changed.unite(machines);
        refreshSoon();
    });
    connect(&mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (!change->full && change->platforms.isEmpty())
            return;
        m_allChanged = true; // names come from the platforms' kinds
        refreshSoon();
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &MachineBoxes::placeMenuButton);
    connect(m_menu, &QToolButton::clicked, this, [this] {
        if (m_hovered >= 0 && !m_menu->hasFocus())
            setPlace({m_hovered, -1});
        if (m_place.box >= 0)
            emit menuWanted(m_menu->mapToGlobal(m_menu->rect().bottomLeft()));
    });
    connect(&themeOf(*this), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    refresh();
}

void MachineBoxes::refreshSoon()
{
    if (!m_later.isActive())
        m_later.start();
}

MachineBoxes::Box MachineBoxes::makeBox(const core::MachinePtr& machine) const
{
    Box box;
    box.machine = machine;
    box.name = models::printable(models::machineName(*machine, m_mirror.state()), 60);
    box.open = m_open.contains(machine->id);
    box.cells = models::gpuCells(*machine, m_mirror.state());
    if (box.open)
        box.processes = models::processesOf(*machine, m_running.on(machine->id), m_mirror.state());
    return box;
}

/// Boxes whose machine and trials have not changed are kept.
void MachineBoxes::refresh()
{
    const core::MachineId current = currentMachine();
    if (!m_begun && !m_model.records().isEmpty()) {
        m_begun = true;
        const core::Machine& first = *m_model.records().first();
        if (m_model.records().size() == 1 && (!first.gpus.isEmpty() || m_running.count(first.id) > 0))
            m_open.insert(first.id); // a single machine is expanded at first
    }
    QHash<core::MachineId, qsizetype> known;
    for (qsizetype i = 0; i < m_boxes.size(); ++i)
        known.insert(m_boxes[i].machine->id, i);
    QList<Box> boxes;
    boxes.reserve(m_model.records().size());
    for (const core::MachinePtr& machine : m_model.records()) {
        const qsizetype at = known.value(machine->id, -1);
        const bool isSame = at >= 0 && !m_allChanged && m_boxes[at].machine == machine
            && !m_changed.contains(machine->id) && m_boxes[at].open == m_open.contains(machine->id);
        boxes.append(isSame ? m_boxes[at] : makeBox(machine));
        if (machine->id == current)
            m_place.box = int(boxes.size()) - 1;
    }
    m_boxes = boxes;
    m_changed.clear();
    m_allChanged = false;
    m_hovered = -1;
    if (m_place.box >= m_boxes.size())
        m_place = {};
    if (m_place.box < 0 && !m_boxes.isEmpty())
        m_place = {0, -1};
    if (m_place.box >= 0)
        m_place.cell = std::min(m_place.cell, int(m_boxes[m_place.box].cells.size()) - 1);
    lay();
    viewport()->update();
}

void MachineBoxes::lay()
{
    const int width = viewport()->width() - 32;
    int y = 4;
    for (Box& box : m_boxes) {
        const core::Machine& machine = *box.machine;
        const bool isSilent = machine.state == core::MachineState::silent;
        const int meters = isSilent ? 0 : (machine.cpuPercent ? 1 : 0) + (machine.memoryTotal > 0 ? 1 : 0);
        box.at =
            layOutBox({16, y}, width, {int(box.cells.size()), meters, int(box.processes.size()), box.open, isSilent});
        y += box.at.box.height() + gap;
    }
    // Show the legend only if it fits without a scroll bar; cells also have tool tips.
    const bool legend = y + legendHeight <= viewport()->height()
        && std::any_of(m_boxes.begin(), m_boxes.end(), [](const Box& box) { return !box.cells.isEmpty(); });
    m_height = y + (legend ? legendHeight : 0);
    verticalScrollBar()->setRange(0, std::max(0, m_height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(40);
    placeMenuButton();
}

void MachineBoxes::placeMenuButton()
{
    const int at = m_hovered >= 0 && !m_menu->hasFocus() ? m_hovered : m_place.box;
    m_menu->setVisible(at >= 0 && at < m_boxes.size());
    if (m_menu->isHidden())
        return;
    m_menu->setGeometry(m_boxes[at].at.menu.translated(0, -verticalScrollBar()->value()));
    m_menu->setAccessibleName(tr("What can be done with %1").arg(m_boxes[at].name));
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
        if (m_boxes[i].at.box.intersects(visible))
            paintBox(painter, m_boxes[i], int(i));
        bottom = m_boxes[i].at.box.bottom();
    }
    if (m_height - bottom > legendHeight)
        paintCellLegend(painter, themeOf(*this), bottom + gap, viewport()->width());
}

void MachineBoxes::paintBox(QPainter& painter, const Box& box, int at) const
{
    const Roles& c = themeOf(*this).roles();
    const bool focused = hasFocus() && m_place == Place{at, -1};
    painter.setPen(QPen(focused ? c.accent : box.open ? c.control : c.line2, focused ? 2 : 1));
    painter.setBrush(c.base);
    painter.drawRoundedRect(QRectF(box.at.box).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radiusBox, metrics::radiusBox);
    icons::paint(painter, QRectF(box.at.head.left() + 12, box.at.head.top() + 26, 16, 16),
        box.open ? u"chevron-down"_s : u"chevron-right"_s, c.text2);
    paintName(painter, box);
    for (qsizetype i = 0; i < box.cells.size(); ++i) {
        const bool marked = std::any_of(box.cells[i].trials.begin(), box.cells[i].trials.end(),
            [this](const core::TrialId& trial) { return m_selected.contains(trial); });
        paintGpuCell(
            painter, themeOf(*this), box.at.cells[i], box.cells[i], marked, hasFocus() && m_place == Place{at, int(i)});
    }
    if (box.cells.isEmpty())
        paintMeters(painter, box);
    else
        paintLoad(painter, box);
    if (box.open)
        paintProcesses(painter, box);
}

void MachineBoxes::paintName(QPainter& painter, const Box& box) const
{
    const Theme& theme = themeOf(*this);
    const Roles& c = theme.roles();
    const core::Machine& machine = *box.machine;
    const StateLook look = theme.state(machine.state);
    const QRect where = box.at.name;
    painter.setFont(theme.font(TextSize::header));
    const int stateWidth = painter.fontMetrics().horizontalAdvance(look.word) + (look.icon.isEmpty() ? 0 : 20);
    painter.setFont(theme.font(TextSize::body, QFont::DemiBold));
    painter.setPen(c.text);
    const int nameWidth = std::clamp(painter.fontMetrics().horizontalAdvance(box.name) + 4, 0,
        std::max(where.width() / 2, where.width() - stateWidth - 8));
    painter.drawText(QRect(where.left(), where.top(), nameWidth + 2, 20), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(box.name, Qt::ElideRight, nameWidth));
    int x = where.left() + nameWidth + 8;
    if (!look.icon.isEmpty()) {
        icons::paint(painter, QRectF(x, where.top() + 2, 16, 16), look.icon, look.color(c));
        x += 20;
    }
    painter.setFont(theme.font(TextSize::header));
    painter.setPen(look.color(c));
    painter.drawText(QRect(x, where.top(), where.right() - x, 20), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(look.word, Qt::ElideRight, where.right() - x));
    painter.setFont(theme.font(TextSize::caption));
    painter.setPen(c.text2);
    const QString model = !box.cells.isEmpty() ? models::modelLine(machine)
        : machine.cpuCount > 0                 ? tr("%n core(s)", nullptr, machine.cpuCount)
                                               : QString();
    painter.drawText(QRect(where.left(), where.top() + 20, where.width(), 18), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(model, Qt::ElideRight, where.width()));
}

/// The load of a machine with GPUs, or how long it has been silent.
void MachineBoxes::paintLoad(QPainter& painter, const Box& box) const
{
    const Theme& theme = themeOf(*this);
    const Roles& c = theme.roles();
    const core::Machine& machine = *box.machine;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const bool isSilent = machine.state == core::MachineState::silent;
    const QString silence = tr("Silent for %1").arg(models::durationText(now - machine.lastContact));
    QStringList lines = isSilent ? QStringList{silence,
                            tr("Last contact %1. Nothing is stopped.").arg(models::clockText(machine.lastContact, now))}
                                 : QStringList{cpuText(machine), memoryText(machine)};
    if (box.at.load.isNull()) {
        lines.removeAll(QString());
        const QRect below(box.at.name.left(), box.at.name.top() + 38, box.at.name.width(), 16);
        painter.setFont(theme.font(TextSize::caption));
        painter.setPen(isSilent ? c.unknown : c.text2);
        painter.drawText(below, Qt::AlignVCenter,
            painter.fontMetrics().elidedText(isSilent ? silence : lines.join(tr(", ")), Qt::ElideRight, below.width()));
        return;
    }
    for (int i = 0; i < 2; ++i) {
        const bool isStrong = isSilent && i == 0;
        painter.setFont(isStrong ? theme.font(TextSize::body, QFont::DemiBold)
                                 : theme.font(isSilent ? TextSize::caption : TextSize::header));
        painter.setPen(isStrong ? c.unknown : c.text2);
        const QRect line(box.at.load.left(), box.at.load.top() + i * 20, box.at.load.width(), 20);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(lines[i], Qt::ElideRight, line.width()));
    }
}

/// Processor and memory of a machine without GPUs.
void MachineBoxes::paintMeters(QPainter& painter, const Box& box) const
{
    const Theme& theme = themeOf(*this);
    const Roles& c = theme.roles();
    const core::Machine& machine = *box.machine;
    qsizetype next = 0;
    const auto meter = [&](const QString& title, const QString& value, double share) {
        if (next >= box.at.meters.size())
            return;
        const QRect where = box.at.meters[next++];
        const QRect text(where.left(), where.top(), where.width(), 20);
        painter.setFont(theme.font(TextSize::caption));
        painter.setPen(c.text);
        const QString shown = painter.fontMetrics().elidedText(value, Qt::ElideRight, text.width());
        painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, shown);
        painter.setPen(c.text2);
        const int left = text.width() - painter.fontMetrics().horizontalAdvance(shown) - 8;
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
            left > 0 ? painter.fontMetrics().elidedText(title, Qt::ElideRight, left) : QString());
        const QRectF bar(where.left(), where.bottom() - 5, where.width(), 6);
        painter.setPen(Qt::NoPen);
        painter.setBrush(c.line2);
        painter.drawRoundedRect(bar, 3, 3);
        painter.setBrush(c.accent);
        painter.drawRoundedRect(
            QRectF(bar.left(), bar.top(), bar.width() * std::clamp(share, 0.0, 1.0), bar.height()), 3, 3);
    };
    if (machine.cpuPercent)
        meter(tr("CPU"), tr("%1 %").arg(qRound(*machine.cpuPercent)), *machine.cpuPercent / 100);
    if (machine.memoryTotal > 0)
        meter(tr("Memory"), memoryText(machine), double(machine.memoryUsed) / double(machine.memoryTotal));
    if (box.at.message.isNull())
        return;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const bool isSilent = machine.state == core::MachineState::silent;
    painter.setFont(theme.font(TextSize::caption));
    painter.setPen(isSilent ? c.unknown : c.text2);
    painter.drawText(box.at.message, Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap,
        isSilent ? tr("Silent for %1").arg(models::durationText(now - machine.lastContact))
                 : models::printable(machine.message.isEmpty() ? machine.gpuMessage : machine.message));
}

void MachineBoxes::paintProcesses(QPainter& painter, const Box& box) const
{
    const Theme& theme = themeOf(*this);
    const bool hasGpus = !box.cells.isEmpty();
    paintProcessHead(painter, theme, box.at.processHead, hasGpus);
    if (box.processes.isEmpty()) {
        painter.setFont(theme.font(TextSize::header));
        painter.setPen(theme.roles().text2);
        painter.drawText(box.at.noProcess, Qt::AlignVCenter,
            hasGpus ? tr("No process on any GPU, and no trial.") : tr("No trial runs here."));
    }
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (qsizetype i = 0; i < box.processes.size(); ++i)
        paintProcess(painter, theme, box.at.processes[i], box.processes[i], hasGpus,
            m_selected.contains(box.processes[i].trial), now);
}

QPoint MachineBoxes::toContent(const QPoint& viewport) const
{
    return viewport + QPoint(0, verticalScrollBar()->value());
}

MachineBoxes::Place MachineBoxes::placeAt(const QPoint& content) const
{
    for (qsizetype i = 0; i < m_boxes.size(); ++i) {
        if (!m_boxes[i].at.box.contains(content))
            continue;
        for (qsizetype cell = 0; cell < m_boxes[i].at.cells.size(); ++cell)
            if (m_boxes[i].at.cells[cell].contains(content))
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

QList<models::MachineProcess> MachineBoxes::processes(const core::MachineId& machine) const
{
    for (const Box& box : m_boxes)
        if (box.machine->id == machine)
            return box.processes;
    return {};
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
    placeMenuButton();
    viewport()->update();
    emit currentChanged();
}

void MachineBoxes::reveal(Place place)
{
    if (place.box < 0 || place.box >= m_boxes.size())
        return;
    const Box& box = m_boxes[place.box];
    const int top = box.at.box.top() - 4;
    const int bottom = std::min(box.at.box.bottom(), top + viewport()->height()) + 8;
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
    if (place.box >= m_boxes.size())
        return;
    const Box& box = m_boxes[place.box];
    for (qsizetype i = 0; i < box.processes.size(); ++i)
        if (box.at.processes[i].contains(at) && !box.processes[i].trial.isEmpty()) {
            const core::TrialId trial = box.processes[i].trial;
            emit trialChosen(trial);
            return;
        }
    if (place.cell < 0 && at.x() < box.at.box.left() + boxLeftWidth && box.at.head.contains(at))
        toggle(place.box);
}

void MachineBoxes::mouseMoveEvent(QMouseEvent* event)
{
    m_hovered = placeAt(toContent(event->pos())).box;
    placeMenuButton();
}

void MachineBoxes::leaveEvent(QEvent* event)
{
    QAbstractScrollArea::leaveEvent(event);
    m_hovered = -1;
    placeMenuButton();
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
    const QRect where = m_place.cell >= 0 ? box.at.cells[m_place.cell] : box.at.box;
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
