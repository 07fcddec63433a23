// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"

#include <QHash>
#include <QPixmap>
#include <QStyledItemDelegate>

#include <functional>

namespace core {
struct Trial;
}
namespace models {
class SparkCache;
struct Spark;
} // namespace models

namespace ui {

class Theme;

/// Paints the cells of a table of trials: the state as icon and word, the tint of the best value, the sparkline, right-aligned
/// numbers, the line below a row, the background of a row that is selected or under the pointer.
class TrialDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    /// Returns the record of an index, or null. The pointer is only used during the call that requested it.
    using TrialOf = std::function<const core::Trial*(const QModelIndex&)>;

    TrialDelegate(const Theme& theme, models::SparkCache& sparks, TrialOf trialOf, QObject* parent = nullptr);

    void setHoveredRow(int row) { m_hoveredRow = row; }
    [[nodiscard]] int hoveredRow() const { return m_hoveredRow; }
    /// For the pinned table: a stronger line below the row.
    void setPinned(bool isPinned) { m_isPinned = isPinned; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintState(QPainter* painter, const QRect& rect, const QModelIndex& index) const;
    void paintCurve(QPainter* painter, const QRect& rect, const QModelIndex& index) const;
    void paintText(QPainter* painter, const QRect& rect, const QModelIndex& index) const;
    [[nodiscard]] QPixmap pictureOf(const models::Spark& spark, const QSize& size, double ratio) const;

    const Theme& m_theme;
    models::SparkCache& m_sparks;
    TrialOf m_trialOf;
    /// Cache of painted sparklines: a row is repainted many times before its curve changes.
    mutable QHash<core::TrialId, QPixmap> m_pictures;
    mutable quint64 m_picturesOf = 0; ///< version of the curves
    int m_hoveredRow = -1;
    bool m_isPinned = false;
};

} // namespace ui
