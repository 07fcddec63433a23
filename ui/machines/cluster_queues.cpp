// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster_queues.h"

#include "ui/kit/record_delegate.h"
#include "ui/kit/style.h"
#include "ui/kit/widgets.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>

using namespace Qt::StringLiterals;

namespace ui {

using models::ClusterQueueModel;

namespace {

constexpr int mostRows = 6;
constexpr int barWidth = 56;     ///< pixels at 100 %, with the gap before it
constexpr int longestName = 224; ///< pixels at 100 %
constexpr int leastName = 72;
/// What is left out first where there is no room.
constexpr int rareColumns[] = {ClusterQueueModel::LongestColumn, ClusterQueueModel::MachinesColumn,
    ClusterQueueModel::CpusColumn, ClusterQueueModel::PlatformColumn};

/// Puts a bar of what is taken before the words of a share.
class ShareDelegate : public RecordDelegate
{
public:
    using RecordDelegate::RecordDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        RecordDelegate::paint(painter, option, index);
        const QVariant share = index.data(ClusterQueueModel::ShareRole);
        if (!share.isValid())
            return;
        const Theme& theme = themeOf(*option.widget);
        const Roles& c = theme.roles();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        const QRectF bar(
            option.rect.left() + metrics::gap, option.rect.center().y() - 3, theme.scaled(barWidth) - metrics::gap, 6);
        painter->setBrush(c.line2);
        painter->drawRoundedRect(bar, 3, 3);
        painter->setBrush(c.accent);
        painter->drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * share.toDouble(), bar.height()), 3, 3);
        painter->restore();
    }

protected:
    int spaceBefore(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool hasBar = index.data(ClusterQueueModel::ShareRole).isValid();
        return hasBar ? themeOf(*option.widget).scaled(barWidth) : 0;
    }
};

} // namespace

ClusterQueues::ClusterQueues(models::EngineMirror& mirror, QWidget* parent)
    : QTableView(parent)
    , m_model(new ClusterQueueModel(mirror, this))
{
    setUpTable(this, tr("Partitions and queues"));
    setModel(m_model);
    setSelectionMode(QAbstractItemView::NoSelection);
    auto* delegate = new ShareDelegate(this);
    delegate->setStrongColumns({ClusterQueueModel::NameColumn});
    delegate->setQuietColumns({ClusterQueueModel::PlatformColumn, ClusterQueueModel::LongestColumn});
    setItemDelegate(delegate);
    connect(m_model, &QAbstractItemModel::modelReset, this, &ClusterQueues::fit);
    fit();
}

void ClusterQueues::fit()
{
    const int rows = m_model->rowCount();
    setVisible(rows > 0);
    shareWidth();
    const int shown = std::min(rows, mostRows);
    const int scrollBar =
        horizontalHeader()->length() > viewport()->width() ? horizontalScrollBar()->sizeHint().height() : 0;
    setFixedHeight(horizontalHeader()->sizeHint().height() + shown * verticalHeader()->defaultSectionSize() + scrollBar
        + 2 * frameWidth());
}

/// Every column has room for its words; those that matter least are left out where there is none.
void ClusterQueues::shareWidth()
{
    for (const int column : rareColumns)
        showColumn(column);
    int needed = 0;
    for (int column = 0; column < ClusterQueueModel::columns; ++column) {
        int width = std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
        if (column == ClusterQueueModel::NameColumn)
            width = std::min(width, themeOf(*this).scaled(longestName));
        setColumnWidth(column, width);
        needed += width;
    }
    for (const int column : rareColumns) {
        if (needed <= viewport()->width())
            break;
        needed -= columnWidth(column);
        hideColumn(column);
    }
    const int name = columnWidth(ClusterQueueModel::NameColumn);
    const int over = std::max(0, needed - viewport()->width());
    setColumnWidth(ClusterQueueModel::NameColumn, std::max(name - over, themeOf(*this).scaled(leastName)));
}

void ClusterQueues::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fit();
}

} // namespace ui
