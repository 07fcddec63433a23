// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

class QLabel;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace models {
class QueueModel;
}

namespace ui {

class EmptyState;
class WhyCard;

/// The page of waiting trials in order; the inspector explains why the selected one waits and what would help.
class QueuePage final : public Page
{
    Q_OBJECT
public:
    explicit QueuePage(const PageContext& context, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Queue"); }
    [[nodiscard]] QWidget* inspector() override;
    void shown() override;
    void setExperiment(const core::ExperimentId& experiment) override;
    void showRecord(const QString& id) override;
    [[nodiscard]] QList<std::pair<QString, QString>> keys() const override;
    [[nodiscard]] static QList<KeyCommand> keyCommands();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void shareWidth();
    void showChosen();
    void moveTo(bool front);
    void setHold();
    void setPriority(int step);
    [[nodiscard]] QList<core::TrialPtr> selected() const;

    core::ExperimentId m_experiment; ///< empty: all
    models::QueueModel* m_model;
    QTableView* m_table;
    QLabel* m_count;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QList<QPushButton*> m_buttons;
    WhyCard* m_card;
};

} // namespace ui
