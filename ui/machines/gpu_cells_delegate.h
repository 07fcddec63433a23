// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/machine_cells.h"
#include "ui/kit/record_delegate.h"

namespace ui {

/// Paints rows of the machines' table; in one column the machine's GPUs as small cells with use and holder, each with its tool tip.
/// A press on a cell chooses its GPU.
class GpuCellsDelegate : public RecordDelegate
{
    Q_OBJECT
public:
    struct Gpus
    {
        QList<models::GpuCell> cells;
        QStringList sentences;     ///< one per cell
        std::optional<int> chosen; ///< index of the chosen GPU
    };
    using GpusOf = std::function<Gpus(const QModelIndex& index)>;

    GpuCellsDelegate(int column, GpusOf gpusOf, QObject* parent = nullptr);

    /// The rectangles of `number` cells in a table cell; those without room are left out.
    [[nodiscard]] static QList<QRect> cellRects(const QRect& tableCell, qsizetype number);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;

signals:
    /// `gpu` is its index; negative: the press was beside the cells.
    void gpuPressed(const QModelIndex& index, int gpu);

private:
    int m_column;
    GpusOf m_gpusOf;
};

} // namespace ui
