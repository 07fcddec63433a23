// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/client/engine_client.h"
#include "services/core/records.h"
#include "ui/kit/theme.h"

#include <QObject>

#include <array>

class QAction;
class QMainWindow;
class QMenu;
class QSystemTrayIcon;

namespace ui {

/// What the tray's icon shows beside the program's own sign: a shape, which says it without its colour, and words for the tool tip. No shape:
/// nothing runs or waits. A service that is not reached comes first, then trials without contact, running and waiting ones. Pure.
[[nodiscard]] StateLook trayLook(
    const std::array<qint64, core::trialStatusCount>& counts, client::EngineClient::LinkState link);

/// The program's icon in the desktop's system tray: the state by its shape, and a menu with the last events. Does nothing if there is no tray.
/// GUI thread.
class Tray : public QObject
{
    Q_OBJECT
public:
    struct Wish
    {
        bool isWanted = true;        ///< false for a window that cannot run experiments
        bool canStopService = false; ///< a service of this computer runs in the background
    };
    /// `window` owns this; the theme must outlive it.
    Tray(QMainWindow& window, const Theme& theme, Wish wish);

    void show(const std::array<qint64, core::trialStatusCount>& counts, client::EngineClient::LinkState link);
    /// Keeps the event for the menu, and shows a desktop notification if the window is not active.
    void notify(const QString& subject, const QString& text);
    void hide();
    /// The menu, which exists without a tray, too.
    [[nodiscard]] QMenu& menu() const { return *m_menu; }

signals:
    void pauseWanted();
    void backgroundWanted();
    void stopServiceWanted();
    void eventsWanted();

private:
    void makeMenu(bool canStopService);

    QMainWindow& m_window;
    const Theme& m_theme;
    QMenu* m_menu;
    QAction* m_noEvent = nullptr; ///< stands where the events will
    QList<QAction*> m_events;     ///< newest first
    QSystemTrayIcon* m_icon = nullptr;
    QString m_shape;
};

/// Without the characters of markup, which some desktops read in notifications and others show as they are: lookalikes instead. Pure.
[[nodiscard]] QString notificationText(QString text);

} // namespace ui
