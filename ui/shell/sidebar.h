// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/sidebar_model.h"

#include <QListView>

namespace ui {

/// The list of views, states, saved filters and services with their counts. The shown page is marked independently of the
/// keyboard's current row.
class Sidebar : public QListView
{
    Q_OBJECT
public:
    explicit Sidebar(models::SidebarModel& model, QWidget* parent = nullptr);

    /// Sets the shown page and its filter (`running`, a saved filter's text, or empty).
    void setShown(const QString& page, const QString& filter);
    [[nodiscard]] bool isShown(const QModelIndex& index) const;
    void setFolded(bool folded);
    [[nodiscard]] bool isFolded() const { return m_folded; }

signals:
    void pageChosen(const QString& name);
    void stateChosen(const QString& state); ///< `all`, `running`, …
    void filterChosen(const QString& text);
    void filterRemoved(const QString& text);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void choose(const QModelIndex& index);

    models::SidebarModel& m_model;
    QString m_page;
    QString m_filter;
    bool m_folded = false;
};

} // namespace ui
