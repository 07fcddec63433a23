// SPDX-License-Identifier: GPL-3.0-or-later
#include "sidebar.h"

#include "models/format.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>

using namespace Qt::StringLiterals;

namespace ui {

using models::SidebarModel;

namespace {

class SidebarDelegate : public QStyledItemDelegate
{
public:
    explicit SidebarDelegate(Sidebar& sidebar)
        : QStyledItemDelegate(&sidebar)
        , m_sidebar(sidebar)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        const bool section =
            index.data(SidebarModel::SortRole).value<SidebarModel::Sort>() == SidebarModel::Sort::section;
        return {10, themeOf(m_sidebar).scaled(section ? 34 : metrics::control)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(m_sidebar);
        const Roles& c = theme.roles();
        const auto sort = index.data(SidebarModel::SortRole).value<SidebarModel::Sort>();
        const QString title = index.data().toString();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (sort == SidebarModel::Sort::section) {
            if (!m_sidebar.isFolded()) {
                painter->setFont(theme.font(TextSize::caption, QFont::DemiBold));
                painter->setPen(c.text2);
                painter->drawText(option.rect.adjusted(16, 8, -8, 0), Qt::AlignVCenter, title);
            } else {
                painter->fillRect(QRect(option.rect.left() + 12, option.rect.center().y(), 24, 1), c.line);
            }
            painter->restore();
            return;
        }
        const bool shown = m_sidebar.isShown(index);
        const bool hover = option.state.testFlag(QStyle::State_MouseOver);
        const QRectF box = QRectF(option.rect).adjusted(8, 0, -8, 0);
        if (shown || hover) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(shown ? c.select : c.hover);
            painter->drawRoundedRect(box, metrics::radiusControl, metrics::radiusControl);
        }
        if (option.state.testFlag(QStyle::State_HasFocus) && m_sidebar.hasFocus()) {
            painter->setPen(QPen(c.accent, 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRoundedRect(box.adjusted(1, 1, -1, -1), metrics::radiusControl, metrics::radiusControl);
        }
        const QVariant count = index.data(SidebarModel::CountRole);
        const QVariant status = index.data(SidebarModel::StatusRole);
        const bool quiet = sort == SidebarModel::Sort::state && count.toLongLong() == 0;
        QColor iconColor = shown ? c.text : c.text2;
        QString icon = index.data(SidebarModel::IconRole).toString();
        if (status.isValid()) {
            const StateLook look = theme.state(core::TrialStatus(status.toInt()));
            icon = look.icon;
            iconColor = look.color(c);
        }
        icons::paint(*painter, QRectF(box.left() + 8, box.top(), 16, box.height()), icon, iconColor);
        if (!m_sidebar.isFolded()) {
            painter->setFont(theme.font(TextSize::body, shown ? QFont::DemiBold : QFont::Normal));
            QRect text = option.rect.adjusted(40, 0, -16, 0);
            const QString right = count.isValid() ? models::countText(count.toLongLong())
                                                  : index.data(SidebarModel::DetailRole).toString();
            if (!right.isEmpty()) {
                painter->setPen(shown && count.isValid() ? c.text : c.text2);
                painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, right);
                text.adjust(0, 0, -painter->fontMetrics().horizontalAdvance(right) - 8, 0);
            }
            painter->setPen(quiet ? c.text2 : c.text);
            painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                painter->fontMetrics().elidedText(title, Qt::ElideRight, text.width()));
        }
        painter->restore();
    }

private:
    Sidebar& m_sidebar;
};

} // namespace

Sidebar::Sidebar(SidebarModel& model, QWidget* parent)
    : QListView(parent)
    , m_model(model)
{
    setModel(&model);
    setItemDelegate(new SidebarDelegate(*this));
    setAccessibleName(tr("Views and filters"));
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setUniformItemSizes(false);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    viewport()->setBackgroundRole(QPalette::Window);
    setViewportMargins(0, 8, 0, 8);
    setFolded(false);
    connect(this, &QListView::clicked, this, &Sidebar::choose);
    connect(this, &QListView::activated, this, &Sidebar::choose);
    connect(&themeOf(*this), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void Sidebar::setFolded(bool folded)
{
    m_folded = folded;
    setFixedWidth(themeOf(*this).scaled(folded ? metrics::sidebarFolded : metrics::sidebar));
    viewport()->update();
}

void Sidebar::setShown(const QString& page, const QString& filter)
{
    m_page = page;
    m_filter = filter;
    viewport()->update();
}

bool Sidebar::isShown(const QModelIndex& index) const
{
    const QString name = index.data(SidebarModel::NameRole).toString();
    switch (index.data(SidebarModel::SortRole).value<SidebarModel::Sort>()) {
    case SidebarModel::Sort::view:
        return name == m_page;
    case SidebarModel::Sort::state:
        return m_page == u"trials"_s && (name == u"all"_s ? m_filter.isEmpty() : m_filter == u"state:"_s + name);
    case SidebarModel::Sort::filter:
        return m_page == u"trials"_s && m_filter == name;
    default:
        return false;
    }
}

void Sidebar::choose(const QModelIndex& index)
{
    const QString name = index.data(SidebarModel::NameRole).toString();
    switch (index.data(SidebarModel::SortRole).value<SidebarModel::Sort>()) {
    case SidebarModel::Sort::view:
        emit pageChosen(name);
        break;
    case SidebarModel::Sort::state:
        emit stateChosen(name);
        break;
    case SidebarModel::Sort::filter:
        emit filterChosen(name);
        break;
    default:
        break;
    }
}

void Sidebar::contextMenuEvent(QContextMenuEvent* event)
{
    const QModelIndex index = indexAt(viewport()->mapFromGlobal(event->globalPos()));
    if (!index.isValid()
        || index.data(SidebarModel::SortRole).value<SidebarModel::Sort>() != SidebarModel::Sort::filter)
        return;
    const QString text = index.data(SidebarModel::NameRole).toString();
    QMenu menu;
    menu.addAction(icons::icon(themeOf(*this), u"trash"_s), tr("Remove this filter"), this,
        [this, text] { emit filterRemoved(text); });
    menu.exec(event->globalPos());
}

} // namespace ui
