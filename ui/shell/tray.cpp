// SPDX-License-Identifier: GPL-3.0-or-later
#include "tray.h"

#include "main_window.h"

#include "models/printable.h"
#include "ui/kit/icons.h"
#include "ui/kit/widgets.h"

#include <QMenu>
#include <QPainter>
#include <QSystemTrayIcon>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr qsizetype mostEvents = 5;
constexpr qsizetype longestEvent = 80; ///< characters in the menu

/// The program's sign with a shape in its lower right corner.
QIcon signWith(const Theme& theme, const QIcon& sign, const StateLook& look)
{
    constexpr int side = 64;
    QPixmap picture = sign.pixmap(side);
    if (look.icon.isEmpty() || picture.isNull())
        return sign;
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF corner(
        picture.width() * 0.45, picture.height() * 0.45, picture.width() * 0.55, picture.height() * 0.55);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.roles().base);
    painter.drawEllipse(corner);
    icons::paint(painter, corner, look.icon, look.color(theme.roles()), int(corner.width() * 0.8));
    return QIcon(picture);
}

} // namespace

StateLook trayLook(const std::array<qint64, core::trialStatusCount>& counts, client::EngineClient::LinkState link)
{
    const auto has = [&counts](core::TrialStatus status) { return counts[size_t(status)] > 0; };
    if (link == client::EngineClient::LinkState::lost)
        return {&Roles::failed, u"failed"_s, MainWindow::tr("the service is not reached")};
    if (has(core::TrialStatus::unknown))
        return {&Roles::unknown, u"unknown"_s, countsSentence(counts)};
    if (has(core::TrialStatus::running))
        return {&Roles::running, u"running"_s, countsSentence(counts)};
    if (has(core::TrialStatus::waiting))
        return {&Roles::waiting, u"waiting"_s, countsSentence(counts)};
    return {&Roles::text, {}, MainWindow::tr("nothing runs or waits")};
}

Tray::Tray(QMainWindow& window, const Theme& theme, Wish wish)
    : QObject(&window)
    , m_window(window)
    , m_theme(theme)
    , m_menu(new QMenu(&window))
{
    makeMenu(wish.canStopService);
    if (!wish.isWanted || !QSystemTrayIcon::isSystemTrayAvailable())
        return;
    m_icon = new QSystemTrayIcon(window.windowIcon(), this);
    m_icon->setContextMenu(m_menu);
    connect(m_icon, &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason != QSystemTrayIcon::Trigger)
            return;
        m_window.setVisible(!m_window.isVisible() || m_window.isMinimized());
        if (m_window.isVisible()) {
            m_window.showNormal();
            m_window.activateWindow();
        }
    });
    m_icon->show();
}

void Tray::makeMenu(bool canStopService)
{
    m_menu->addAction(MainWindow::tr("Open the window"), this, [this] {
        m_window.showNormal();
        m_window.raise();
        m_window.activateWindow();
    });
    m_menu->addAction(MainWindow::tr("Pause or resume placement"), this, &Tray::pauseWanted);
    m_menu->addSeparator();
    m_noEvent = m_menu->addAction(MainWindow::tr("No event yet"));
    m_noEvent->setEnabled(false);
    m_menu->addSeparator();
    m_menu->addAction(MainWindow::tr("Close the window, trials go on"), this, &Tray::backgroundWanted);
    if (canStopService)
        m_menu->addAction(MainWindow::tr("Stop the service: running trials go on, no new ones start"), this,
            &Tray::stopServiceWanted);
    m_menu->addAction(MainWindow::tr("Quit"), &m_window, &QWidget::close);
}

void Tray::show(const std::array<qint64, core::trialStatusCount>& counts, client::EngineClient::LinkState link)
{
    if (!m_icon)
        return;
    const StateLook look = trayLook(counts, link);
    m_icon->setToolTip(MainWindow::tr("Trialdeck: %1").arg(look.word));
    if (std::exchange(m_shape, look.icon) != look.icon)
        m_icon->setIcon(signWith(m_theme, m_window.windowIcon(), look));
}

QString notificationText(QString text)
{
    return text.replace(u'<', u'‹').replace(u'>', u'›').replace(u'&', u'＆');
}

void Tray::notify(const QString& subject, const QString& text)
{
    // An ampersand would mark a key of the menu.
    const QString words = models::printable(u"%1: %2"_s.arg(subject, text), longestEvent).replace(u"&"_s, u"&&"_s);
    auto* action = new QAction(words, m_menu);
    connect(action, &QAction::triggered, this, &Tray::eventsWanted);
    m_menu->insertAction(m_events.isEmpty() ? m_noEvent : m_events.first(), action);
    m_noEvent->setVisible(false);
    m_events.prepend(action);
    while (m_events.size() > mostEvents)
        delete m_events.takeLast();
    if (m_icon && !m_window.isActiveWindow())
        m_icon->showMessage(notificationText(subject), notificationText(text), m_window.windowIcon());
}

void Tray::hide()
{
    if (m_icon)
        m_icon->hide();
}

} // namespace ui
