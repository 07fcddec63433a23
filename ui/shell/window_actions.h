// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command_palette.h"

#include "ui/kit/page.h"

#include <QList>

class QAction;
class QMainWindow;
class QMenu;

namespace models {
class SidebarModel;
}

namespace ui {

class FileOpener;
class PageStack;
class Sidebar;
class Toast;
class WindowEnvironment;

/// Every action of the window: each stands in a menu and in the palette, most have a key. What concerns the window as a whole is
/// told by signals.
class WindowActions : public QObject
{
    Q_OBJECT
public:
    /// What the actions act on; all outlive them.
    struct Parts
    {
        PageContext context;
        WindowEnvironment& environment;
        PageStack& pages;
        Sidebar& sidebar;
        const models::SidebarModel& sidebarModel;
        Toast& toast;
        CommandPalette& palette;
        FileOpener& files;
    };
    WindowActions(QMainWindow& window, Parts parts);

    /// All of them, for a button. The menu bar itself is hidden.
    [[nodiscard]] QMenu* menu() const { return m_menu; }
    /// What the palette offers for `query`; a number is a trial of `experiment`, or of any when that is empty.
    [[nodiscard]] QList<PaletteEntry> paletteEntries(const QString& query, const core::ExperimentId& experiment);

signals:
    void backgroundWanted();
    void pauseWanted();
    void experimentChosen(const core::ExperimentId& experiment);
    void regionWanted(int step); ///< to move the focus by so many regions of the window
    void schemeChosen();
    void languageWanted(const QString& locale);

private:
    QAction* add(
        const QString& id, const QString& text, const QString& icon, const QString& key, std::function<void()> run);
    void fillFile(QMenu& menu);
    void fillView(QMenu& menu);
    void fillLooks(QMenu& menu);
    void fillLanguages(QMenu& menu);
    void fillTrials(QMenu& menu);
    void fillHelp(QMenu& menu);
    void showWhy();
    void showKeys();
    void showAbout();
    void addTrials(QList<PaletteEntry>& entries, const QString& query, const core::ExperimentId& experiment);

    QMainWindow& m_window;
    Parts m_parts;
    QList<QAction*> m_actions;
    QMenu* m_menu = nullptr;
};

} // namespace ui
