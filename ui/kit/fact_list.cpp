// SPDX-License-Identifier: GPL-3.0-or-later
#include "fact_list.h"

#include "ui/keys/list_keys.h"

#include <QHeaderView>

namespace ui {

FactList::FactList(const QStringList& headings, const QString& name, QWidget* parent)
    : QTreeWidget(parent)
{
    useListKeys(this);
    setAccessibleName(name);
    setHeaderLabels(headings);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    header()->setStretchLastSection(true);
    setTextElideMode(Qt::ElideRight);
}

} // namespace ui
