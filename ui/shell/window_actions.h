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
class GuideOpener;
class PageStack;
class Sidebar;
class Toast;
class WindowEnvironment;

/// All actions of the window. Each is in a menu and in the palette, most have a key. Actions on the window itself are emitted as
/// signals.
class WindowActions : public QObject
{
    Q_OBJECT
public:
    /// The objects that the actions use. None is owned; all must outlive this.
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
        GuideOpener& guide;
    };
    WindowActions(QMainWindow& window, Parts parts);

    /// A menu of all actions, for a button; the menu bar itself is hidden.
    [[nodiscard]] QMenu* menu() const { return m_menu; }
    /// The palette's entries for `query`; a number means a trial of `experiment`, or of any if that is empty.
    [[nodiscard]] QList<PaletteEntry> paletteEntries(const QString& query, const core::ExperimentId& experiment);

signals:
    void backgroundWanted();
    void pauseWanted();
    void experimentChosen(const core::ExperimentId& experiment);
    void regionWanted(int step); ///< moves the focus by `step` regions of the window
    void schemeChosen();
    void languageWanted(const QString& locale);

private:
    QAction* add(
        const QString& id, const QString& text, const QString& icon, const QString& key, std::function<void()> run);
    QAction* add(const KeyCommand& command, std::function<void()> run);
    void fillFile(QMenu& menu);
    void fillView(QMenu& menu);
    void fillLooks(QMenu& menu);
    void fillLanguages(QMenu& menu);
    void fillTrials(QMenu& menu);
    void fillHelp(QMenu& menu);
    void showWhy();
    void showKeys();
    void changeKeys();
    void readKeys();
    void writeNote();
    void showAbout();
    void addTrials(QList<PaletteEntry>& entries, const QString& query, const core::ExperimentId& experiment);

    QMainWindow& m_window;
    Parts m_parts;
    struct Entry
    {
        QAction* action;
        KeyCommand key;
    };

    QList<Entry> m_actions;
    QMenu* m_menu = nullptr;
};

} // namespace ui
