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

/// Puts a bar of what is taken before the words of a share.
class ShareDelegate : public RecordDelegate
{
public:
    using RecordDelegate::RecordDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QVariant share = index.data(ClusterQueueModel::ShareRole);
        if (!share.isValid()) {
            RecordDelegate::paint(painter, option, index);
            return;
        }
        const Theme& theme = themeOf(*option.widget);
        const int width = theme.scaled(56);
        QStyleOptionViewItem words = option;
        words.rect.setLeft(option.rect.left() + width + metrics::gap);
        RecordDelegate::paint(painter, words, index);
        const Roles& c = theme.roles();
        const QRect left(option.rect.left(), option.rect.top(), width + metrics::gap, option.rect.height());
        painter->save();
        painter->fillRect(QRect(left.left(), left.bottom(), left.width(), 1), c.line);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        const QRectF bar(left.left() + metrics::gap, left.center().y() - 3, width - metrics::gap, 6);
        painter->setBrush(c.line2);
        painter->drawRoundedRect(bar, 3, 3);
        painter->setBrush(c.accent);
        painter->drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * share.toDouble(), bar.height()), 3, 3);
        painter->restore();
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
    const int widths[] = {144, 84, 166, 166, 72, 88, 60};
    static_assert(std::size(widths) == ClusterQueueModel::columns);
    for (int column = 0; column < ClusterQueueModel::columns; ++column)
        setColumnWidth(column, themeOf(*this).scaled(widths[column]));
    horizontalHeader()->setStretchLastSection(true);
    connect(m_model, &QAbstractItemModel::modelReset, this, &ClusterQueues::fit);
    fit();
}

void ClusterQueues::fit()
{
    const int rows = m_model->rowCount();
    setVisible(rows > 0);
    const int shown = std::min(rows, mostRows);
    const int scrollBar =
        horizontalHeader()->length() > viewport()->width() ? horizontalScrollBar()->sizeHint().height() : 0;
    setFixedHeight(horizontalHeader()->sizeHint().height() + shown * verticalHeader()->defaultSectionSize() + scrollBar
        + 2 * frameWidth());
}

void ClusterQueues::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fit();
}

} // namespace ui
