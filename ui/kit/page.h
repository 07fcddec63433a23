// SPDX-License-Identifier: GPL-3.0-or-later
// What a page of the window is, and what it is given.
#pragma once

#include "services/core/ids.h"

#include <QWidget>

namespace models {
class EngineMirror;
class Selection;
} // namespace models

namespace ui {

class Actions;
class Theme;

/// Everything that a page may use; all outlive the page.
struct PageContext
{
    models::EngineMirror& mirror;
    models::Selection& selection;
    Theme& theme;
    Actions& actions;
};

/// One view of the window. Made when it is first shown. It never waits: it posts a command and follows the changes.
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
    /// The pane at the right, or null. The page owns it through its parent; the window shows it beside the page, and hides it when
    /// the person closes it, until inspectorWanted() is told.
    [[nodiscard]] virtual QWidget* inspector() { return nullptr; }
    /// The filter text of the page, from a link or the sidebar.
    virtual void applyFilter(const QString& text) { Q_UNUSED(text) }
    [[nodiscard]] virtual QString filter() const { return {}; }
    /// `/` was pressed.
    virtual void focusFilter() { }
    /// The experiment that the tool bar shows; empty: all of them.
    virtual void setExperiment(const core::ExperimentId& experiment) { Q_UNUSED(experiment) }
    /// Shows one record by its id: a machine, a waiting trial.
    virtual void showRecord(const QString& id) { Q_UNUSED(id) }
    /// Whether it shows this question of the service itself, to be answered in its place.
    [[nodiscard]] virtual bool showsPrompt(const core::PromptId& prompt) const
    {
        Q_UNUSED(prompt)
        return false;
    }
    /// It came to the front.
    virtual void shown() { }
    /// The keys that work only here, for the sheet behind `?`: key and what it does.
    [[nodiscard]] virtual QList<std::pair<QString, QString>> keys() const { return {}; }

signals:
    /// The person changed the filter.
    void filterEdited();
    /// Show my inspector (again).
    void inspectorWanted();
    /// Hide it.
    void inspectorDone();

protected:
    [[nodiscard]] const PageContext& context() const { return m_context; }

private:
    Q_DISABLE_COPY_MOVE(Page)
    PageContext m_context;
};

} // namespace ui
