// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

class QLabel;
class QStackedLayout;
class QTableView;

namespace models {
class EventModel;
}

namespace ui {

class EmptyState;
class FilterField;

/// The page of events, the newest first.
class EventsPage final : public Page
{
    Q_OBJECT
public:
    explicit EventsPage(const PageContext& context, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Events"); }
    void applyFilter(const QString& text) override;
    [[nodiscard]] QString filter() const override;
    void focusFilter() override;
    void setExperiment(const core::ExperimentId& experiment) override;
    [[nodiscard]] QList<std::pair<QString, QString>> keys() const override;

private:
    void open(const QModelIndex& index);
    void refreshCount();

    models::EventModel* m_model;
    FilterField* m_filter;
    QLabel* m_count;
    QTableView* m_table;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
};

} // namespace ui
