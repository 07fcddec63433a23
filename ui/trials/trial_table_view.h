// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rows_view.h"

#include "services/core/ids.h"

#include <QSet>

namespace models {
class BestRowModel;
class Selection;
class SparkCache;
class TrialModel;
} // namespace models

namespace ui {

class Theme;
class TrialDelegate;

/// The table of trials: the header, the best row pinned below it, then the rows. Both views share columns, selection and
/// horizontal scrolling. Visibility, order and widths of columns are saved by name. GUI thread.
class TrialTableView : public QWidget
{
    Q_OBJECT
public:
    TrialTableView(const Theme& theme, models::TrialModel& model, models::SparkCache& sparks,
        models::Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] RowsView* rows() const { return m_rows; }
    [[nodiscard]] int shownColumns() const;
    void setColumnShown(int column, bool shown);
    [[nodiscard]] bool isColumnShown(int column) const;
    /// Columns in visual order from left to right, including hidden ones.
    [[nodiscard]] QList<int> columnsInOrder() const;
    void scrollTo(const core::TrialId& trial);
    void moveCurrent(int by);
    /// Repaints the durations of running trials, including the pinned row.
    void updateDurations();

signals:
    void contextMenuWanted(const QPoint& global);
    void columnsWanted(const QPoint& global);
    void activated(const core::TrialId& trial);
    void acted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void setUpColumns();
    void fitCurve();
    [[nodiscard]] int widthOf(int column) const;
    void showNewColumns();
    void mirrorSection(int logical);
    void followPinned();
    void selectionFromView();
    void selectionToView();

    const Theme& m_theme;
    models::TrialModel& m_model;
    models::Selection& m_selection;
    models::BestRowModel* m_best;
    TrialDelegate* m_delegate;
    TrialDelegate* m_pinnedDelegate;
    QTableView* m_pinned; ///< its header is shown for both views
    RowsView* m_rows;
    bool m_isSelecting = false;
    int m_placed = 0; ///< number of columns that were placed; parameter columns are added later
};

} // namespace ui
