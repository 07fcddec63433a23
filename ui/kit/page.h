// SPDX-License-Identifier: GPL-3.0-or-later
// The base class of the window's pages, and the context that they get.
#pragma once

#include "services/core/ids.h"
#include "ui/keys/key_command.h"

#include <QSet>
#include <QWidget>

#include <functional>

class QShortcut;

namespace models {
class EngineMirror;
class Selection;
} // namespace models

namespace ui {

class Actions;
class Theme;

/// The objects that a page uses. None is owned; all outlive the page.
struct PageContext
{
    models::EngineMirror& mirror;
    models::Selection& selection;
    Theme& theme;
    Actions& actions;
};

/// What a page does at a key of its own; the palette has it, too.
struct PageCommand
{
    KeyCommand key;
    std::function<void()> run;
    QShortcut* shortcut = nullptr; ///< only where it has one
};

/// One page of the window, created when it is first shown. A page never blocks: it posts commands and follows the mirror's
/// changes. GUI thread.
class Page : public QWidget
{
    Q_OBJECT
public:
    explicit Page(const PageContext& context, QWidget* parent = nullptr)
        : QWidget(parent)
        , m_context(context)
    {
    }

    [[nodiscard]] virtual QString title() const = 0;
    /// The pane at the right, or null. The page creates it; the window becomes its parent and shows it beside the page. After the
    /// user has closed it, it is hidden until inspectorWanted() is emitted.
    [[nodiscard]] virtual QWidget* inspector() { return nullptr; }
    /// Sets the page's filter, from a link or the sidebar.
    virtual void applyFilter(const QString& text) { Q_UNUSED(text) }
    [[nodiscard]] virtual QString filter() const { return {}; }
    /// Called when `/` was pressed.
    virtual void focusFilter() { }
    /// Sets the experiment selected in the tool bar; empty: all.
    virtual void setExperiment(const core::ExperimentId& experiment) { Q_UNUSED(experiment) }
    /// Shows one record by its id: a machine, a waiting trial.
    virtual void showRecord(const QString& id) { Q_UNUSED(id) }
    /// Whether the page shows this question of the service itself, so that the window need not.
    [[nodiscard]] virtual bool showsPrompt(const core::PromptId& prompt) const
    {
        Q_UNUSED(prompt)
        return false;
    }
    /// Called when the page becomes the current one.
    virtual void shown() { }
    [[nodiscard]] const QList<PageCommand>& commands() const { return m_commands; }
    /// To be called when a person has changed keys.
    void readKeys();
    /// The trials that its actions on trials are about.
    [[nodiscard]] virtual QSet<core::TrialId> chosenTrials() const;
    /// Keys of the page that are always the same, for the list of keys (`?`): key and description.
    [[nodiscard]] virtual QList<std::pair<QString, QString>> keys() const { return {}; }

signals:
    /// The user changed the filter.
    void filterEdited();
    /// Requests that the inspector is shown.
    void inspectorWanted();
    /// Requests that the inspector is hidden.
    void inspectorDone();

protected:
    [[nodiscard]] const PageContext& context() const { return m_context; }

    /// `also_in_lists`: for keys that the lists of the page would take.
    enum class Reach { usual, also_in_lists };
    void addCommand(const KeyCommand& key, std::function<void()> run, Reach reach = Reach::usual);
    void keyPressEvent(QKeyEvent* event) override;

private:
    Q_DISABLE_COPY_MOVE(Page)
    PageContext m_context;
    QList<PageCommand> m_commands;
};

} // namespace ui
