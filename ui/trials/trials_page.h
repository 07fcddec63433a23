// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/change.h"
#include "services/core/records.h"
#include "ui/kit/page.h"

#include <QPointer>
#include <QSet>
#include <QTimer>

class QLabel;
class QStackedLayout;

namespace models {
class SparkCache;
class TrialModel;
} // namespace models

namespace ui {

class ColumnChooser;
class EmptyState;
class MarkupLabel;
class SelectionActions;
class TrialDetailPanel;
class TrialFilterBar;
class TrialProgress;
class TrialTableView;

/// The page of an experiment's trials: progress, a filter, the table, and the details of the current trial as inspector.
class TrialsPage : public Page
{
    Q_OBJECT
public:
    explicit TrialsPage(const PageContext& context, QWidget* parent = nullptr);
    ~TrialsPage() override;

    [[nodiscard]] QString title() const override { return tr("Trials"); }
    [[nodiscard]] QWidget* inspector() override;
    void applyFilter(const QString& text) override;
    [[nodiscard]] QString filter() const override;
    void focusFilter() override;
    void setExperiment(const core::ExperimentId& experiment) override;
    /// Makes a trial the only selected one. A filter that hides it is cleared.
    void showRecord(const QString& id) override;
    void shown() override;
    [[nodiscard]] QSet<core::TrialId> chosenTrials() const override { return chosen(); }
    [[nodiscard]] QList<std::pair<QString, QString>> keys() const override;
    [[nodiscard]] static QList<KeyCommand> keyCommands();
    [[nodiscard]] models::TrialModel& model() { return *m_model; }
    [[nodiscard]] TrialDetailPanel* panel() const { return m_panel; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QLayout* makeFoot();
    void take(const api::Change& change);
    void chooseFirst();
    void filterTyped();
    void showSummary();
    void showFoot();
    void openColumns();
    void openColumnMenu(int column, const QPoint& global);
    void openMenu(const QPoint& global);
    void addCommands();
    void openWindow();
    void goToFailure(int direction);
    void goToNumber();
    void showNumber(qint64 number);
    void exportTable();
    void copyRows();
    /// The shown columns whose cells are texts, in their order.
    [[nodiscard]] QList<int> textColumns() const;
    [[nodiscard]] QSet<core::TrialId> chosen() const;

    models::TrialModel* m_model;
    models::SparkCache* m_sparks;
    TrialDetailPanel* m_panel;
    QTimer m_clock;
    QTimer m_summarySoon;
    TrialProgress* m_progress;
    TrialTableView* m_table;
    TrialFilterBar* m_filter;
    EmptyState* m_empty;
    QPointer<ColumnChooser> m_columns; ///< while it is open
    QStackedLayout* m_stack;
    SelectionActions* m_actions;
    MarkupLabel* m_footLeft;
    QLabel* m_footRight;
};

} // namespace ui
