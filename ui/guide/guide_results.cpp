// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide_results.h"

#include "ui/keys/list_keys.h"
#include "ui/kit/theme.h"

#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTextLayout>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int resultTitleRole = Qt::UserRole + 1; ///< of the page; empty: it is the heading
constexpr int resultContextRole = Qt::UserRole + 2;
constexpr int resultWordsRole = Qt::UserRole + 3;
constexpr int sideMargin = 12;
constexpr int rowPadding = 8;
constexpr int contextLines = 2;

/// The rows of one result; each is painted with its words in bold.
class ResultDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const int width = static_cast<const QListView*>(option.widget)->viewport()->width();
        return {100, lay(nullptr, QRect(0, 0, width, 0), *option.widget, index)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Roles& c = themeOf(*option.widget).roles();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, c.select);
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, c.hover);
        painter->save();
        painter->setPen(c.line);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        lay(painter, option.rect, *option.widget, index);
        painter->restore();
    }

private:
    /// Paints the rows of a result, unless there is no painter, and returns its height.
    static int lay(QPainter* painter, const QRect& rect, const QWidget& widget, const QModelIndex& index)
    {
        const Theme& theme = themeOf(widget);
        const Roles& c = theme.roles();
        const int side = theme.scaled(sideMargin);
        const int width = rect.width() - 2 * side;
        int y = rect.top() + theme.scaled(rowPadding);
        const QStringList words = index.data(resultWordsRole).toStringList();
        const auto row = [&](const QString& text, const QFont& font, const QColor& color, int lines) {
            if (!text.isEmpty())
                y += layText(painter, theme, QPoint(rect.left() + side, y), width, text, font, color, words, lines);
        };
        row(index.data(resultTitleRole).toString(), theme.font(TextSize::header), c.text2, 1);
        row(index.data().toString(), theme.font(TextSize::body, QFont::DemiBold), c.text, 1);
        row(index.data(resultContextRole).toString(), theme.font(TextSize::header), c.text2, contextLines);
        return y + theme.scaled(rowPadding) - rect.top();
    }

    static int layText(QPainter* painter, const Theme& theme, QPoint at, int width, const QString& text,
        const QFont& font, const QColor& color, const QStringList& words, int mostLines)
    {
        const QFontMetrics metrics(font);
        QString shown = mostLines == 1 ? metrics.elidedText(text, Qt::ElideRight, width) : text;
        QTextLayout layout(shown, font);
        QTextOption wrap;
        wrap.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        layout.setTextOption(wrap);
        const auto lay = [&] {
            QList<QTextLayout::FormatRange> marks;
            for (const auto& [from, length] : models::guideMarks(shown, mostLines == 1 ? QStringList() : words)) {
                QTextCharFormat format;
                format.setForeground(theme.roles().text);
                format.setFontWeight(QFont::DemiBold);
                marks.append({from, length, format});
            }
            layout.setText(shown);
            layout.setFormats(marks);
            layout.beginLayout();
            while (layout.lineCount() <= mostLines) { // one more shows whether it is cut
                QTextLine line = layout.createLine();
                if (!line.isValid())
                    break;
                line.setLineWidth(width);
                line.setPosition(QPointF(0, (layout.lineCount() - 1) * (metrics.lineSpacing() + 1)));
            }
            layout.endLayout();
        };
        lay();
        if (layout.lineCount() > mostLines) {
            const int last = layout.lineAt(mostLines - 1).textStart();
            shown = shown.left(last)
                + metrics.elidedText(shown.mid(last), Qt::ElideRight, width - metrics.averageCharWidth());
            lay();
        }
        if (painter) {
            painter->setPen(color);
            for (int i = 0; i < std::min(layout.lineCount(), mostLines); ++i)
                layout.lineAt(i).draw(painter, at);
        }
        return std::min(layout.lineCount(), mostLines) * (metrics.lineSpacing() + 1);
    }
};

} // namespace

GuideResults::GuideResults(QWidget* parent)
    : QListView(parent)
    , m_model(new QStandardItemModel(this))
{
    setModel(m_model);
    setItemDelegate(new ResultDelegate(this));
    setAccessibleName(tr("What was found in the guide"));
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setResizeMode(QListView::Adjust);
    setMouseTracking(true);
    useListKeys(this);
    viewport()->setBackgroundRole(QPalette::Window);
    connect(this, &QListView::clicked, this, &GuideResults::chosen);
    connect(this, &QListView::activated, this, &GuideResults::chosen);
}

void GuideResults::setHits(const QList<models::GuideHit>& hits, const QStringList& words)
{
    m_hits = hits;
    m_model->clear();
    for (const models::GuideHit& hit : hits) {
        auto* item = new QStandardItem(hit.heading.isEmpty() ? hit.title : hit.heading);
        item->setData(hit.heading.isEmpty() ? QString() : hit.title, resultTitleRole);
        item->setData(hit.context, resultContextRole);
        item->setData(words, resultWordsRole);
        item->setData(QStringList({hit.title, hit.heading, hit.context}).join(u", "_s), Qt::AccessibleTextRole);
        m_model->appendRow(item);
    }
    scrollToTop();
    if (!hits.isEmpty())
        setCurrentIndex(m_model->index(0, 0));
}

void GuideResults::step(int by)
{
    const int count = m_model->rowCount();
    if (count > 0)
        setCurrentIndex(m_model->index(std::clamp(currentIndex().row() + by, 0, count - 1), 0));
}

const models::GuideHit* GuideResults::current() const
{
    const int row = currentIndex().row();
    return row >= 0 && row < m_hits.size() ? &m_hits[row] : nullptr;
}

void GuideResults::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    scheduleDelayedItemsLayout(); // rows are as high as their lines
}

} // namespace ui
