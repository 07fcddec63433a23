// SPDX-License-Identifier: GPL-3.0-or-later
#include "status_line.h"

#include "models/machine_cells.h"
#include "models/format.h"
#include "models/printable.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace ui {

using core::TrialStatus;

namespace {

/// A text button that shows a background only when hovered, and a frame only with the focus.
class Part : public QToolButton
{
public:
    using QToolButton::QToolButton;
    QColor Roles::*color = &Roles::text;
    bool dot = false;

    [[nodiscard]] QSize sizeHint() const override
    {
        const QFontMetrics metrics(themeOf(*this).font(TextSize::header));
        return {metrics.horizontalAdvance(text()) + (iconName.isEmpty() && !dot ? 16 : 38), 22};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, 22}; }
    QString iconName;

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& theme = themeOf(*this);
        const Roles& c = theme.roles();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        if (underMouse() && isEnabled())
            painter.fillRect(rect(), c.hover);
        if (hasFocus()) {
            painter.setPen(QPen(c.accent, 2));
            painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
        }
        QRect where = rect().adjusted(8, 0, -4, 0);
        if (dot) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(c.*color);
            painter.drawEllipse(QPointF(where.left() + 4, height() / 2.0), 4, 4);
            where.adjust(14, 0, 0, 0);
        } else if (!iconName.isEmpty()) {
            icons::paint(painter, QRectF(where.left(), 0, 16, height()), iconName, c.*color);
            where.adjust(21, 0, 0, 0);
        }
        painter.setFont(theme.font(TextSize::header));
        painter.setPen(dot ? c.text : c.*color);
        painter.drawText(where, Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(text(), Qt::ElideRight, where.width() + 4));
    }
};

} // namespace

StatusLine::StatusLine(models::EngineMirror& mirror, QWidget* parent)
    : QWidget(parent)
    , m_mirror(mirror)
{
    setAccessibleName(tr("Status"));
    setFixedHeight(themeOf(*this).scaled(metrics::statusBar));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 1, 8, 0);
    layout->setSpacing(8);
    m_link = addPart(tr("Link to the service"));
    static_cast<Part*>(m_link)->dot = true;
    constexpr TrialStatus states[] = {
        TrialStatus::running, TrialStatus::waiting, TrialStatus::failed, TrialStatus::unknown};
    QColor Roles::*const colors[] = {&Roles::running, &Roles::text, &Roles::failed, &Roles::unknown};
    for (int i = 0; i < 4; ++i) {
        const QString name = core::statusName(states[i]).toLower();
        m_states[i] = addPart(name);
        m_states[i]->setToolTip(tr("Of all experiments"));
        auto* part = static_cast<Part*>(m_states[i]);
        part->iconName = name;
        part->color = colors[i];
        connect(part, &QToolButton::clicked, this, [this, status = states[i]] { emit statePressed(status); });
    }
    m_gpus = addPart(tr("GPUs"));
    m_values = addPart(tr("Values a second"));
    m_disk = addPart(tr("Disk"));
    layout->addStretch(1);
    m_clock = addPart(tr("Clock"));
    m_clock->setFocusPolicy(Qt::NoFocus);
    connect(m_link, &QToolButton::clicked, this, &StatusLine::linkPressed);
    connect(m_gpus, &QToolButton::clicked, this, [this] { emit pageWanted(u"machines"_s); });
    connect(m_disk, &QToolButton::clicked, this, [this] { emit pageWanted(u"machines"_s); });
    connect(m_values, &QToolButton::clicked, this, [this] { emit pageWanted(u"charts"_s); });
    m_timer.setInterval(500);
    connect(&m_timer, &QTimer::timeout, this, &StatusLine::refresh);
    m_timer.start();
    connect(&mirror, &models::EngineMirror::linkChanged, this, &StatusLine::refresh);
    connect(&themeOf(*this), &Theme::changed, this, qOverload<>(&QWidget::update));
    refresh();
}

QToolButton* StatusLine::addPart(const QString& name)
{
    auto* part = new Part(this);
    part->setAccessibleName(name);
    part->setFocusPolicy(Qt::TabFocus);
    part->setFixedHeight(22);
    layout()->addWidget(part);
    return part;
}

void StatusLine::refresh()
{
    const auto say = [](QToolButton* part, const QString& text) {
        if (part->text() != text) {
            part->setText(text);
            part->setAccessibleDescription(text);
            part->updateGeometry();
            part->update();
        }
    };
    const auto set = [&say](QToolButton* part, const QString& text, bool visible = true) {
        say(part, text);
        part->setVisible(visible);
    };
    using Link = client::EngineClient::LinkState;
    auto* link = static_cast<Part*>(m_link);
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    switch (m_mirror.link()) {
    case Link::connected:
        link->color = &Roles::succeeded;
        set(link, tr("Connected"));
        break;
    case Link::connecting:
        link->color = &Roles::waiting;
        set(link, tr("Connecting …"));
        break;
    case Link::lost:
        link->color = &Roles::unknown;
        set(link,
            m_mirror.lastContact() ? tr("Last seen %1").arg(models::agoText(m_mirror.lastContact(), now))
                                   : tr("Not reached"));
        break;
    }
    link->setToolTip(models::printableLines(m_mirror.linkMessage()));

    const api::Mirror& state = m_mirror.state();
    const auto& counts = state.counts();
    const auto of = [&](TrialStatus status) { return counts[size_t(status)]; };
    const bool isKnown = state.isReady();
    set(m_states[0], tr("%1 running").arg(models::countText(of(TrialStatus::running))), isKnown);
    set(m_states[1], tr("%1 waiting").arg(models::countText(of(TrialStatus::waiting))), isKnown);
    set(m_states[2], tr("%1 failed").arg(models::countText(of(TrialStatus::failed))), of(TrialStatus::failed) > 0);
    set(m_states[3], tr("%1 unknown").arg(models::countText(of(TrialStatus::unknown))), of(TrialStatus::unknown) > 0);
    const core::GpuCounts fleet = models::gpuCountsOf(state);
    set(m_gpus, tr("GPUs %1 of %2").arg(fleet.ours + fleet.foreign).arg(fleet.gpus), isKnown);
    const double values = m_mirror.valuesPerSecond();
    say(m_values,
        tr("%1 values/s")
            .arg(values >= 10 || values == 0 ? models::countText(qRound64(values))
                                             : QLocale().toString(values, 'f', 1)));
    qint64 disk = -1;
    for (const auto& machine : state.machines().list())
        if (machine->diskFree > 0)
            disk = disk < 0 ? machine->diskFree : std::min(disk, machine->diskFree);
    say(m_disk, tr("Disk %1 free").arg(models::bytesText(std::max<qint64>(0, disk))));
    m_disk->setToolTip(tr("The least of all machines"));
    say(m_clock, QLocale().toString(QDateTime::currentDateTime(), tr("ddd d MMM, HH:mm")));
    fit(disk >= 0);
}

/// Shows the parts that other places say, too, as far as there is room beside the others.
void StatusLine::fit(bool hasDisk)
{
    const QMargins margins = layout()->contentsMargins();
    int room = width() - margins.left() - margins.right();
    for (const QToolButton* part : {m_link, m_states[0], m_states[1], m_states[2], m_states[3], m_gpus})
        if (!part->isHidden())
            room -= part->sizeHint().width() + layout()->spacing();
    for (QToolButton* part : {m_values, m_disk, m_clock}) {
        const int needed = part->sizeHint().width() + layout()->spacing();
        const bool isShown = needed <= room && (part != m_disk || hasDisk);
        part->setVisible(isShown);
        if (isShown)
            room -= needed;
    }
}

void StatusLine::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    refresh();
}

void StatusLine::paintEvent(QPaintEvent*)
{
    const Roles& c = themeOf(*this).roles();
    QPainter painter(this);
    painter.fillRect(rect(), c.window);
    painter.fillRect(QRect(0, 0, width(), 1), c.line2);
    for (const QWidget* part : {static_cast<QWidget*>(m_states[0]), static_cast<QWidget*>(m_gpus),
             static_cast<QWidget*>(m_values), static_cast<QWidget*>(m_disk)})
        if (part->isVisible())
            painter.fillRect(QRect(part->x() - 4, 6, 1, height() - 11), c.line2);
}

} // namespace ui
