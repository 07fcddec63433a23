// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_palette.h"

#include "ui/kit/icons.h"
#include "ui/kit/theme.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPointer>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int mostShown = 12;
constexpr int detailRole = Qt::UserRole + 1;
constexpr int iconRole = Qt::UserRole + 2;

class EntryDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {100, themeOf(*option.widget).scaled(32)};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(*option.widget);
        const Roles& c = theme.roles();
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, c.select);
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, c.hover);
        icons::paint(*painter, QRectF(option.rect.left() + 12, option.rect.top(), 16, option.rect.height()),
            index.data(iconRole).toString(), c.text2);
        const QString detail = index.data(detailRole).toString();
        QRect text = option.rect.adjusted(40, 0, -12, 0);
        painter->setFont(theme.font(TextSize::header));
        painter->setPen(c.text2);
        painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, detail);
        text.adjust(0, 0, -painter->fontMetrics().horizontalAdvance(detail) - 12, 0);
        painter->setFont(theme.font(TextSize::body));
        painter->setPen(c.text);
        painter->drawText(text, Qt::AlignVCenter,
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, text.width()));
        painter->restore();
    }
};

} // namespace

int paletteScore(const QString& query, const QString& text)
{
    int score = 1;
    for (const QString& word : query.split(u' ', Qt::SkipEmptyParts)) {
        const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
        if (at < 0)
            return 0;
        score += at == 0 ? 8 : !text[at - 1].isLetterOrNumber() ? 4 : 1;
        if (text.size() == word.size())
            score += 4;
    }
    return score;
}

CommandPalette::CommandPalette(QWidget* window, Collect collect)
    : QFrame(window)
    , m_collect(std::move(collect))
    , m_field(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_model(new QStandardItemModel(this))
{
    setAccessibleName(tr("Go to, or do"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    m_field->setPlaceholderText(tr("An action, a page, a trial's number, a machine, an experiment"));
    m_field->setAccessibleName(m_field->placeholderText());
    m_field->installEventFilter(this);
    layout->addWidget(m_field);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(tr("What fits"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setMouseTracking(true);
    layout->addWidget(m_list);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::refresh);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { run(index.row()); });
    hide();
}

void CommandPalette::open()
{
    const int width = std::min(themeOf(*this).scaled(560), parentWidget()->width() - 40);
    m_field->clear();
    refresh();
    setGeometry((parentWidget()->width() - width) / 2, themeOf(*this).scaled(48), width, height());
    show();
    raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::refresh()
{
    const QString query = m_field->text().trimmed();
    QList<std::pair<int, PaletteEntry>> found;
    for (PaletteEntry& entry : m_collect(query))
        if (const int score = query.isEmpty() ? 1 : paletteScore(query, entry.title); score > 0)
            found.append({score, std::move(entry)});
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    m_shown.clear();
    m_model->clear();
    for (auto& [score, entry] : found) {
        if (m_shown.size() == mostShown)
            break;
        auto* item = new QStandardItem(entry.title);
        item->setData(entry.detail, detailRole);
        item->setData(entry.icon, iconRole);
        m_model->appendRow(item);
        m_shown.append(std::move(entry));
    }
    if (!m_shown.isEmpty())
        m_list->setCurrentIndex(m_model->index(0, 0));
    const int rows = std::max<int>(1, int(m_shown.size()));
    m_list->setFixedHeight(rows * themeOf(*this).scaled(32) + 2);
    resize(width(), m_field->sizeHint().height() + m_list->height() + 16 + metrics::gap);
}

void CommandPalette::run(int row)
{
    if (row < 0 || row >= m_shown.size())
        return;
    const auto action = m_shown[row].run;
    hide();
    if (action)
        action();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::FocusOut) {
        hide();
    } else if (watched == m_field && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int row = m_list->currentIndex().row();
        switch (key) {
        case Qt::Key_Escape:
            hide();
            parentWidget()->setFocus();
            return true;
        case Qt::Key_Down:
        case Qt::Key_Up:
            if (const int count = m_model->rowCount(); count > 0)
                m_list->setCurrentIndex(m_model->index((row + (key == Qt::Key_Down ? 1 : count - 1)) % count, 0));
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            run(row);
            return true;
        default:
            break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void CommandPalette::paintEvent(QPaintEvent*)
{
    const Roles& c = themeOf(*this).roles();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(c.control, 1));
    painter.setBrush(c.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radiusBox, metrics::radiusBox);
}

} // namespace ui
