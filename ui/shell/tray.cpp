// SPDX-License-Identifier: GPL-3.0-or-later
#include "tray.h"

#include "main_window.h"

#include <QMenu>
#include <QSystemTrayIcon>

namespace ui {

Tray::Tray(QMainWindow& window, bool isWanted)
    : QObject(&window)
    , m_window(window)
{
    if (!isWanted || !QSystemTrayIcon::isSystemTrayAvailable())
        return;
    m_icon = new QSystemTrayIcon(window.windowIcon(), this);
    makeMenu();
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

void Tray::makeMenu()
{
    auto* menu = new QMenu(&m_window);
    menu->addAction(MainWindow::tr("Open the window"), this, [this] {
        m_window.showNormal();
        m_window.raise();
        m_window.activateWindow();
    });
    menu->addAction(MainWindow::tr("Pause or resume placement"), this, &Tray::pauseWanted);
    menu->addSeparator();
    menu->addAction(MainWindow::tr("Close the window, trials go on"), this, &Tray::backgroundWanted);
    menu->addAction(MainWindow::tr("Quit"), &m_window, &QWidget::close);
    m_icon->setContextMenu(menu);
}

void Tray::setCounts(const QString& sentence)
{
    if (m_icon)
        m_icon->setToolTip(MainWindow::tr("Trialdeck: %1").arg(sentence));
}

QString notificationText(QString text)
{
    return text.replace(u'<', u'‹').replace(u'>', u'›').replace(u'&', u'＆');
}

void Tray::notify(const QString& subject, const QString& text)
{
    if (m_icon && !m_window.isActiveWindow())
        m_icon->showMessage(notificationText(subject), notificationText(text), m_window.windowIcon());
}

void Tray::hide()
{
    if (m_icon)
        m_icon->hide();
}

} // namespace ui
