// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QListWidget;

namespace models {
class TrialModel;
}

namespace ui {

class FilterField;
class TrialTableView;

/// The columns of a table of trials, with a tick for each that is shown, in their order, which can be changed by dragging and by Alt+Up
/// and Alt+Down. It does not block the window: each choice is seen in the table at once.
class ColumnChooser : public QDialog
{
    Q_OBJECT
public:
    /// Neither is owned; both must outlive the dialog.
    ColumnChooser(TrialTableView& table, models::TrialModel& model, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showColumns();
    void showMatching();
    void showParameters(bool shown);
    void moved(int row);
    void moveCurrent(int by);

    TrialTableView& m_table;
    models::TrialModel& m_model;
    FilterField* m_field;
    QListWidget* m_list;
    bool m_isChanging = false; ///< by this dialog
};

} // namespace ui
