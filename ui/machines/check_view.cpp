// SPDX-License-Identifier: GPL-3.0-or-later
#include "check_view.h"

#include "models/machines/check_matrix.h"
#include "models/printable.h"
#include "ui/kit/icons.h"
#include "ui/kit/widgets.h"

#include <QHeaderView>
#include <QPainter>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace ui {

QTableView* makeCheckView(models::CheckMatrix& matrix, QWidget* parent)
{
    auto* view = new QTableView(parent);
    const Theme& theme = themeOf(*view);
    setUpTable(view, CheckDelegate::tr("Checks"));
    view->setSelectionBehavior(QAbstractItemView::SelectItems);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setModel(&matrix);
    view->setItemDelegate(new CheckDelegate(view));
    view->verticalHeader()->show();
    view->verticalHeader()->setFixedWidth(theme.scaled(128));
    view->verticalHeader()->setHighlightSections(false);
    view->verticalHeader()->setFont(theme.font(TextSize::body));
    view->horizontalHeader()->setDefaultSectionSize(theme.scaled(104));
    view->horizontalHeader()->setStretchLastSection(false);
    view->horizontalHeader()->setFont(theme.font(TextSize::header, QFont::DemiBold));
    view->horizontalHeader()->setMinimumSectionSize(theme.scaled(72));
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerItem); // scroll by whole machines
    view->setCornerButtonEnabled(false);
    return view;
}

void CheckDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = themeOf(*option.widget);
    const Roles& c = theme.roles();
    const QRect r = option.rect;
    const QString word = index.data(models::CheckMatrix::StateRole).toString();
    painter->save();
    painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), c.line);
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(c.accent, 2));
        painter->setBrush(c.select);
        painter->drawRoundedRect(QRectF(r).adjusted(1, 1, -1, -1), metrics::radiusSmall, metrics::radiusSmall);
    } else if (option.state.testFlag(QStyle::State_MouseOver)) {
        painter->fillRect(r.adjusted(0, 0, 0, -1), c.hover);
    }
    if (!word.isEmpty()) {
        const auto state = core::OpenWord<core::CheckState>::fromWord(word);
        const StateLook look = theme.step(state);
        const bool isBad = state == core::CheckState::fail || state == core::CheckState::warn;
        QRect text = r.adjusted(8, 0, -6, 0);
        icons::paint(*painter, QRectF(text.left(), text.top(), metrics::icon, text.height()), look.icon, look.color(c));
        text.setLeft(text.left() + metrics::icon + 6);
        painter->setFont(theme.font(TextSize::body, isBad ? QFont::DemiBold : QFont::Normal));
        painter->setPen(state == core::CheckState::ok ? c.text2 : look.color(c));
        painter->drawText(text, int(Qt::AlignLeft | Qt::AlignVCenter),
            painter->fontMetrics().elidedText(
                models::printable(index.data().toString(), 80), Qt::ElideRight, text.width()));
    }
    painter->restore();
}

} // namespace ui
