// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMainWindow;
class QSystemTrayIcon;

namespace ui {

/// The program's icon in the desktop's system tray, with a menu. Does nothing if there is no tray.
class Tray : public QObject
{
    Q_OBJECT
public:
    /// `window` owns this. `isWanted`: false for a window that cannot run experiments.
    Tray(QMainWindow& window, bool isWanted);

    void setCounts(const QString& sentence);
    /// Shows a desktop notification if the window is not active.
    void notify(const QString& subject, const QString& text);
    void hide();

signals:
    void pauseWanted();
    void backgroundWanted();

private:
    void makeMenu();

    QMainWindow& m_window;
    QSystemTrayIcon* m_icon = nullptr;
};

/// Without the characters of markup, which some desktops read in notifications and others show as they are: lookalikes instead. Pure.
[[nodiscard]] QString notificationText(QString text);

} // namespace ui
