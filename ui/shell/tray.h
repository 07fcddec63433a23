// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMainWindow;
class QSystemTrayIcon;

namespace ui {

/// The window's icon in the tray of the desktop, with a menu; does nothing where there is no tray.
class Tray : public QObject
{
    Q_OBJECT
public:
    /// `window` owns it. `isWanted`: false for a window without anything to run.
    Tray(QMainWindow& window, bool isWanted);

    void setCounts(const QString& sentence);
    /// Shown by the desktop while the window is not the active one.
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

} // namespace ui
