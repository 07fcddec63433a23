// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rows_view.h"

#include "models/trials/column_layout.h"
#include "services/core/ids.h"

#include <QSet>
#include <QTimer>

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
/// horizontal scrolling. Visibility, order and widths of columns are saved for each experiment, by name. Parameters that nothing was
/// chosen for are shown as far as there is room. GUI thread.
class TrialTableView : public QWidget
{
    Q_OBJECT
public:
    TrialTableView(const Theme& theme, models::TrialModel& model, models::SparkCache& sparks,
        models::Selection& selection, QWidget* parent = nullptr);
    ~TrialTableView() override;

    [[nodiscard]] RowsView* rows() const { return m_rows; }
    [[nodiscard]] int shownColumns() const;
    [[nodiscard]] bool isColumnShown(int column) const;
    // Choices of the person, which are saved.
    void chooseColumn(int column, bool shown) { chooseColumns({column}, shown); }
    void chooseColumns(const QList<int>& columns, bool shown);
    /// `before`: the column at whose left it goes; -1: to the right end.
    void moveColumn(int column, int before);
    /// Forgets what was chosen for this experiment.
    void useUsualColumns();
    /// Columns in visual order from left to right, including hidden ones.
    [[nodiscard]] QList<int> columnsInOrder() const;
    void scrollTo(const core::TrialId& trial);
    void moveCurrent(int by);
    /// Repaints the durations of running trials, including the pinned row.
    void updateDurations();

signals:
    void contextMenuWanted(const QPoint& global);
    /// The person asks for a menu of the column.
    void columnMenuWanted(int column, const QPoint& global);
    /// Which columns are shown, or their order, may have changed.
    void columnsChanged();
    void activated(const core::TrialId& trial);
    void acted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void placeColumns();
    void hideWhatDoesNotFit(std::vector<models::PlacedColumn>& placed) const;
    void showColumn(int column, bool shown);
    void keepColumns();
    void saveNow();
    void fitCurve();
    [[nodiscard]] int widthOf(int column) const;
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
    bool m_isPlacing = false;      ///< columns change by the program, not by the person
    models::ColumnLayout m_layout; ///< what was chosen; empty: nothing
    core::ExperimentId m_layoutOf; ///< the experiment of m_layout
    bool m_hasLayout = false;      ///< m_layout was read
    QTimer m_saveSoon;
};

} // namespace ui
