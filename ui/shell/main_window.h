// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command_palette.h"
#include "window_settings.h"

#include "models/engine_mirror.h"
#include "models/experiments/event_model.h"
#include "models/selection.h"
#include "ui/kit/actions.h"
#include "ui/kit/page.h"

#include <QMainWindow>
#include <QTimer>

namespace models {
class SidebarModel;
} // namespace models

namespace ui {

class Banner;
class FileOpener;
class GpuStrip;
class GuideOpener;
class GuideWindow;
class PageStack;
class Sidebar;
class StatusLine;
class Toast;
class TopBar;
class Tray;
class WindowActions;
class WindowEnvironment;

/// The main window: combines sidebar, tool bar, pages, GPU strip and status line, and implements Actions for the pages. Pages,
/// window actions and the opening of files are in PageStack, WindowActions and FileOpener.
class MainWindow : public QMainWindow, private Actions
{
    Q_OBJECT
public:
    /// No argument is owned; all must outlive the window.
    MainWindow(models::EngineMirror& mirror, Theme& theme, WindowEnvironment& host);
    ~MainWindow() override;

    /// Opens a page by its name in the sidebar; false if there is no such page.
    bool openPage(const QString& name, const QString& filter = {});
    [[nodiscard]] Page* page() const;
    [[nodiscard]] QStringList pageNames() const;
    /// Opens the guide in its window, at a page (`slurm.md`) or where it was.
    GuideWindow& showGuide(const QString& page = {});
    /// The page of the guide that is on the screen; empty: its window is closed.
    [[nodiscard]] QString guidePage() const;
    /// Opens an experiment's file in a dialog for creating it, or an old experiment of NNI for viewing.
    void openFile(const QString& path);
    [[nodiscard]] WindowPlace place() const;
    void goTo(const WindowPlace& place);
    /// Opens the page of the former window, and its experiment and selection as soon as the records are there.
    void goToLastPlace();
    void startDemo() { runDemo(); }
    /// Maximizes the window if its usual size including the frame exceeds the screen.
    void fitToScreen();
    /// Selects the best trial of the chosen experiment on the trials page, if there is one.
    void showBest();
    /// Whether closing the window asks for confirmation; disabled for tests and screenshots.
    void setAsksBeforeClosing(bool asks) { m_asks = asks; }

signals:
    /// The window was closed and the program should end.
    void finished();
    void demoStarted(const core::ExperimentId& experiment);
    void languageWanted(const QString& locale);

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // Implementation of Actions.
    void toastWithUndo(UndoText text, int seconds, std::function<void()> doIt, std::function<void()> undone) override;
    void note(const QString& text) override;
    void error(const core::Error& error) override;
    void showTrial(const core::TrialId& trial) override;
    void showMachine(const core::MachineId& machine) override;
    void showPage(const QString& name, const QString& filter) override;
    void showExperiment(const core::ExperimentId& experiment) override;
    void compareTrials(const QSet<core::TrialId>& trials) override;
    void showWhyWaiting(const core::TrialId& trial) override;
    void openNewExperiment(const core::ExperimentSpec& prefill, const core::TrialId& copyOf) override;
    void pullPlug() override;
    void runDemo() override;
    void openExperimentFile() override;
    void installService() override;
    [[nodiscard]] QString guideTitle(const QString& page) override;
    void openGuide(const QString& page) override { (void)showGuide(page); }
    void saveFilter(const QString& name, const QString& filter) override;

    void build();
    void connectParts();
    void connectActions();
    void choose(const core::ExperimentId& experiment);
    void chooseExperimentOf(const core::TrialId& trial);
    void followExperiments();
    void showTrialsOfState(core::TrialStatus status);
    void selectAsLast();
    void pauseOrResume();
    void moveRegion(int step);
    void onLink();
    void onPrompts();
    void answerPrompts();
    void keepNotice(const QString& text);
    void notify(const models::Event& event);
    void restoreSettings();
    void saveSettings() const;
    [[nodiscard]] bool mayClose();
    void closeToBackground();
    void stopService();
    void finish();

    models::EngineMirror& m_mirror;
    Theme& m_theme;
    WindowEnvironment& m_environment;
    models::Selection m_selection;
    const PageContext m_context;
    models::EventModel m_events;
    models::SidebarModel* m_sidebarModel;
    TopBar* m_topBar;
    Banner* m_banner;
    Sidebar* m_sidebar;
    PageStack* m_stack;
    GpuStrip* m_strip;
    StatusLine* m_status;
    Toast* m_toast;
    FileOpener* m_files;
    std::unique_ptr<GuideOpener> m_guide;
    CommandPalette* m_palette;
    WindowActions* m_actions;
    Tray* m_tray;
    core::ExperimentId m_experiment;
    QStringList m_notices; ///< latest notices, newest first
    QTimer m_linkTimer;
    bool m_chosen = false;             ///< the experiment was chosen by the user, not by the program
    std::optional<WindowPlace> m_last; ///< while its records are not there
    bool m_asks = true;
    bool m_closing = false;
};

} // namespace ui
