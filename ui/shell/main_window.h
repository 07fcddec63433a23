// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command_palette.h"

#include "models/engine_mirror.h"
#include "models/experiments/event_model.h"
#include "models/selection.h"
#include "ui/kit/actions.h"
#include "ui/kit/page.h"

#include <QHash>
#include <QMainWindow>

class QAction;
class QSplitter;
class QStackedWidget;
class QSystemTrayIcon;

namespace models {
class MachineInquiry;
class SidebarModel;
} // namespace models

namespace ui {

class Banner;
class GpuStrip;
class WindowEnvironment;
class Sidebar;
class StatusLine;
class Toast;
class TopBar;

/// Where a person is in the window; another language is another window, at the same place.
struct WindowPlace
{
    QByteArray geometry;
    QString page;
    QString filter;
    core::ExperimentId experiment;
    bool isChosen = false; ///< the person, not we, chose the experiment
    QSet<core::TrialId> trials;
    core::TrialId current;
};

/// Sidebar, tool bar, pages, inspector, fleet strip, status line; what pages ask for; and the window's own actions.
class MainWindow : public QMainWindow, private Actions
{
    Q_OBJECT
public:
    /// All outlive the window.
    MainWindow(models::EngineMirror& mirror, Theme& theme, WindowEnvironment& host);
    ~MainWindow() override;

    /// By name, as in the sidebar; false when there is no such page.
    bool openPage(const QString& name, const QString& filter = {});
    [[nodiscard]] Page* page() const;
    [[nodiscard]] QStringList pageNames() const;
    /// Shows what an experiment's file says, to be created; or an old experiment of NNI, to be looked at.
    void openFile(const QString& path);
    [[nodiscard]] WindowPlace place() const;
    void goTo(const WindowPlace& place);
    void startDemo() { runDemo(); }
    /// Fills the screen where the usual size, with the frame around it, would reach beyond its edge.
    void fitToScreen();
    /// Selects the best trial of the chosen experiment on the trials page, if there is one.
    void showBest();
    /// Tests and pictures show no question when they close it.
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
    // What pages ask for.
    void toastWithUndo(
        const QString& text, int seconds, std::function<void()> doIt, std::function<void()> undone) override;
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
    void saveFilter(const QString& name, const QString& filter) override;

    void build();
    void makeActions();
    void makeTray();
    void connectParts();
    QAction* addAction(
        const QString& id, const QString& text, const QString& icon, const QString& key, std::function<void()> run);
    [[nodiscard]] QList<PaletteEntry> paletteEntries(const QString& query);
    void chooseFile();
    void chooseOldExperiment();
    void openOldExperiment(const QString& path);
    void showKeys();
    void showAbout();
    void pauseOrResume();
    void setInspector(QWidget* inspector, bool visible);
    void focusPage(Page& page);
    void moveRegion(int step);
    void onLink();
    void onPrompts();
    void answerPrompts();
    void keepNotice(const QString& text);
    void notify(const models::Event& event);
    void updateTray();
    void restoreSettings();
    void saveSettings() const;
    [[nodiscard]] bool mayClose();
    void closeToBackground();
    void finish();

    models::EngineMirror& m_mirror;
    Theme& m_theme;
    WindowEnvironment& m_environment;
    models::Selection m_selection;
    models::EventModel m_events;
    models::SidebarModel* m_sidebarModel;
    TopBar* m_topBar;
    Banner* m_banner;
    Sidebar* m_sidebar;
    QSplitter* m_splitter;
    QStackedWidget* m_pages;
    QStackedWidget* m_inspectors;
    GpuStrip* m_strip;
    StatusLine* m_status;
    Toast* m_toast;
    models::MachineInquiry* m_inquiry;
    CommandPalette* m_palette;
    QSystemTrayIcon* m_tray = nullptr;
    QHash<QString, Page*> m_made;
    QHash<QString, int> m_inspectorWidths;
    QList<QAction*> m_actions;
    QString m_shown;
    core::ExperimentId m_experiment;
    QStringList m_notices; ///< the latest, newest first
    QTimer m_linkTimer;
    bool m_chosen = false; ///< the person, not we, chose the experiment
    bool m_asks = true;
    bool m_closing = false;
};

} // namespace ui
