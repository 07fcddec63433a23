// SPDX-License-Identifier: GPL-3.0-or-later
#include "list_keys.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QTreeView>

namespace ui {

bool takeListKey(QAbstractItemView& view, QKeyEvent& event)
{
    const bool isPlain = (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    const bool isCharacter = event.key() > Qt::Key_Space && event.key() < Qt::Key_Escape;
    const bool isOfTree = qobject_cast<QTreeView*>(&view)
        && (event.key() == Qt::Key_Plus || event.key() == Qt::Key_Minus || event.key() == Qt::Key_Asterisk);
    if (!isPlain || !isCharacter || isOfTree)
        return false;
    if ((event.key() != Qt::Key_J && event.key() != Qt::Key_K) || event.modifiers() != Qt::NoModifier) {
        event.ignore();
        return true;
    }
    const QModelIndex at = view.currentIndex();
    const int row = std::clamp(
        at.row() + (event.key() == Qt::Key_J ? 1 : -1), 0, std::max(0, view.model()->rowCount(at.parent()) - 1));
    view.setCurrentIndex(view.model()->index(row, std::max(0, at.column()), at.parent()));
    return true;
}

namespace {

class ListKeys : public QObject
{
public:
    explicit ListKeys(QAbstractItemView* view)
        : QObject(view)
        , m_view(*view)
    {
        view->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        return event->type() == QEvent::KeyPress && takeListKey(m_view, static_cast<QKeyEvent&>(*event));
    }

private:
    QAbstractItemView& m_view;
};

} // namespace

void useListKeys(QAbstractItemView* view)
{
    new ListKeys(view);
}

} // namespace ui
