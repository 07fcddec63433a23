// SPDX-License-Identifier: GPL-3.0-or-later
#include "host_delegate.h"

#include "models/machines/add_machines_model.h"
#include "models/printable.h"
#include "ui/kit/theme.h"

#include <QKeyEvent>
#include <QPainter>

namespace ui {

using models::AddMachinesModel;
using Verdict = models::AddMachinesModel::Verdict;

static QRect checkRect(const QRect& r)
{
    return {r.left() + 16, r.center().y() - 7, 15, 15};
}

void HostDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = themeOf(*option.widget);
    const Roles& c = theme.roles();
    const QRect r = option.rect;
    const auto verdict = index.data(AddMachinesModel::VerdictRole).value<Verdict>();
    const QString detail = index.data(AddMachinesModel::DetailRole).toString();
    const bool enabled = option.state.testFlag(QStyle::State_Enabled) && verdict != Verdict::there;
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(r, c.select);
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(r, c.hover);
    painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), c.line);
    QStyleOptionViewItem box = option;
    box.rect = checkRect(r);
    box.state = enabled ? QStyle::State_Enabled : QStyle::State_None;
    const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    box.state |= checked ? QStyle::State_On : QStyle::State_Off;
    if (option.state.testFlag(QStyle::State_HasFocus))
        box.state |= QStyle::State_HasFocus;
    option.widget->style()->drawPrimitive(QStyle::PE_IndicatorItemViewItemCheck, &box, painter, option.widget);

    const QRect text(r.left() + 40, r.top() + 6, r.width() - 48, r.height() - 12);
    painter->setFont(theme.font(TextSize::body, checked ? QFont::DemiBold : QFont::Normal));
    painter->setPen(enabled ? c.text : c.text2);
    const int line = theme.scaled(18);
    const QRect name = detail.isEmpty() ? text : QRect(text.left(), text.top(), text.width(), line);
    painter->drawText(name, int(Qt::AlignLeft | Qt::AlignVCenter),
        painter->fontMetrics().elidedText(
            models::printable(index.data().toString(), 120), Qt::ElideMiddle, name.width()));
    if (!detail.isEmpty()) {
        painter->setFont(theme.font(TextSize::caption));
        painter->setPen(verdict == Verdict::failed ? c.failed
                : verdict == Verdict::ready        ? c.succeeded
                : verdict == Verdict::warned       ? c.unknown
                : verdict == Verdict::question     ? c.accent
                                                   : c.text2);
        painter->drawText(QRect(text.left(), name.bottom(), text.width(), text.bottom() - name.bottom()),
            int(Qt::AlignLeft | Qt::AlignVCenter),
            painter->fontMetrics().elidedText(models::printable(detail, 200), Qt::ElideRight, text.width()));
    }
    painter->restore();
}

QSize HostDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {120, themeOf(*option.widget).scaled(44)};
}

bool HostDelegate::editorEvent(
    QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem&, const QModelIndex& index)
{
    const bool pressed =
        (event->type() == QEvent::MouseButtonRelease && static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton)
        || (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space);
    if (!pressed || !model->flags(index).testFlag(Qt::ItemIsEnabled))
        return false;
    const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    return model->setData(index, int(checked ? Qt::Unchecked : Qt::Checked), Qt::CheckStateRole);
}

} // namespace ui
