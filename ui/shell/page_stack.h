// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

#include <QHash>
#include <QSplitter>

class QStackedWidget;

namespace ui {

/// The page in view with its inspector at the right. Makes each page when it is first opened, and keeps it.
class PageStack : public QSplitter
{
    Q_OBJECT
public:
    PageStack(const PageContext& context, QWidget* window);

    /// False when there is no page of this name.
    bool open(const QString& name, const QString& filter);
    [[nodiscard]] Page* page() const { return m_made.value(m_shown); } ///< null before the first
    [[nodiscard]] const QString& shown() const { return m_shown; }
    /// Of all pages, also of those that are made later.
    void setExperiment(const core::ExperimentId& experiment);
    void toggleInspector();

    [[nodiscard]] QStackedWidget* pages() const { return m_pages; }
    [[nodiscard]] QStackedWidget* inspectors() const { return m_inspectors; }

signals:
    /// A page came to the front, and is about to be told so.
    void opened(const QString& name);
    /// The person changed the filter of the page in view.
    void filterEdited();

private:
    [[nodiscard]] Page* make(const QString& name);
    void setInspector(QWidget* inspector, bool visible);
    void focusPage(Page& page);

    PageContext m_context;
    QStackedWidget* m_pages;
    QStackedWidget* m_inspectors;
    QHash<QString, Page*> m_made;
    QHash<QString, int> m_inspectorWidths; ///< by page, as the person left them
    QString m_shown;
    core::ExperimentId m_experiment;
};

} // namespace ui
