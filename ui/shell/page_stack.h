// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

#include <QHash>
#include <QSplitter>

class QStackedWidget;

namespace ui {

class EmptyState;

/// The current page with its inspector at the right. Creates each page when it is first opened, and keeps and owns it. Until the
/// service's records are there, it shows that they are on their way: a page would call empty what it does not know.
class PageStack : public QSplitter
{
    Q_OBJECT
public:
    PageStack(const PageContext& context, QWidget* window);

    /// False when there is no page of this name.
    bool open(const QString& name, const QString& filter);
    [[nodiscard]] Page* page() const { return m_made.value(m_shown); } ///< null before the first open()
    [[nodiscard]] const QString& shown() const { return m_shown; }
    /// Sets the experiment of all pages, including those created later.
    void setExperiment(const core::ExperimentId& experiment);
    void toggleInspector();
    /// To be called when a person has changed keys.
    void readKeys();

    [[nodiscard]] QStackedWidget* pages() const { return m_pages; }
    [[nodiscard]] QStackedWidget* inspectors() const { return m_inspectors; }

signals:
    /// A page becomes the current one; emitted before Page::shown() is called.
    void opened(const QString& name);
    /// The user changed the filter of the current page.
    void filterEdited();

private:
    [[nodiscard]] Page* make(const QString& name);
    void setInspector(QWidget* inspector, bool visible);
    void focusPage(Page& page);
    void showPage();
    void sayLoading();

    PageContext m_context;
    QStackedWidget* m_pages;
    QStackedWidget* m_inspectors;
    EmptyState* m_loading; ///< null from the first records on
    QHash<QString, Page*> m_made;
    QHash<QString, int> m_inspectorWidths; ///< by page name, in pixels, as set by the user
    QString m_shown;
    QString m_sizedFor; ///< the page whose inspector width the splitter has
    core::ExperimentId m_experiment;
};

} // namespace ui
