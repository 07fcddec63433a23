// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide_browser.h"

#include "models/guide/guide_search.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QAbstractTextDocumentLayout>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFocusEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int widestText = 880; ///< of a page with its margins, at 100 %: longer lines are hard to read
constexpr int pageMargin = 32;
constexpr qsizetype mostMarks = 1'000;
constexpr int copiedMs = 1'500; ///< for how long a button says that it has copied

void copyText(const QString& text)
{
    QGuiApplication::clipboard()->setText(text);
}

} // namespace

GuideBrowser::GuideBrowser(const models::GuideBook& book, const Theme& theme, QWidget* parent)
    : QTextBrowser(parent)
    , m_book(book)
    , m_theme(theme)
{
    setAccessibleName(tr("Page of the guide"));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setLineWrapMode(QTextEdit::FixedPixelWidth);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) { emit linkChosen(link.toString()); });
    connect(this, &QTextBrowser::highlighted, this, [this](const QUrl& link) {
        viewport()->setToolTip(link.scheme().startsWith(u"http"_s) ? link.toString() : QString());
    });
    connect(&theme, &Theme::changed, this, [this] {
        const int place = verticalScrollBar()->value();
        fill();
        verticalScrollBar()->setValue(place);
    });
}

QVariant GuideBrowser::loadResource(int, const QUrl&)
{
    return {}; // pictures are in the document already; nothing is read from elsewhere
}

void GuideBrowser::showPage(const QString& page, int section)
{
    if (page != m_page) {
        m_page = page;
        fill();
    }
    scrollTo(section);
}

void GuideBrowser::fill()
{
    fit();
    // Filled before it has a layout, which would otherwise be made again and again.
    const QPointer<QTextDocument> old = document(); // Qt deletes the first one itself
    auto* fresh = new QTextDocument(this);
    fresh->setUndoRedoEnabled(false);
    fresh->setDocumentMargin(m_theme.scaled(pageMargin));
    m_outline = {};
    setExtraSelections({});
    GuideOutline outline = fillGuideDocument(
        *fresh, m_book, m_page, m_theme, textWidth() - 2 * m_theme.scaled(pageMargin), devicePixelRatioF());
    setDocument(fresh);
    delete old.data();
    m_outline = std::move(outline);
    connect(
        fresh->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this, &GuideBrowser::placeButtons);
    makeButtons();
    markWords();
    placeButtons();
    viewport()->update();
}

int GuideBrowser::textWidth() const
{
    // With or without a scroll bar, so that its coming does not lay the page out again.
    const int room = width() - verticalScrollBar()->sizeHint().width();
    return std::clamp(room, m_theme.scaled(200), m_theme.scaled(widestText));
}

void GuideBrowser::fit()
{
    const int width = textWidth();
    if (lineWrapColumnOrWidth() == width)
        return;
    setLineWrapColumnOrWidth(width);
    fitGuidePictures(*document(), width - 2 * m_theme.scaled(pageMargin), devicePixelRatioF());
}

void GuideBrowser::resizeEvent(QResizeEvent* event)
{
    // What is read stays where it is.
    const QTextCursor top = cursorForPosition(QPoint(m_theme.scaled(pageMargin), 0));
    const int above = cursorRect(top).top();
    QTextBrowser::resizeEvent(event);
    fit();
    if (verticalScrollBar()->value() > 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + cursorRect(top).top() - above);
    placeButtons();
}

void GuideBrowser::scrollContentsBy(int dx, int dy)
{
    QTextBrowser::scrollContentsBy(dx, dy);
    placeButtons();
}

int GuideBrowser::blockTop(int number) const
{
    return int(document()->documentLayout()->blockBoundingRect(document()->findBlockByNumber(number)).top());
}

void GuideBrowser::scrollTo(int section)
{
    const QList<models::GuideSection>& sections = m_book.page(m_page).sections;
    const auto end = sections.begin() + std::clamp<qsizetype>(section, 0, sections.size());
    // Sections without a heading are not in the outline.
    const auto heading =
        int(std::count_if(sections.begin(), end, [](const models::GuideSection& one) { return one.level > 0; }));
    const bool isTop = section <= 0 || heading >= m_outline.headings.size();
    const int top = isTop ? 0 : blockTop(m_outline.headings[heading]) - m_theme.scaled(metrics::margin);
    int place = std::max(0, top);
    const QTextBlock next = heading + 1 < m_outline.headings.size()
        ? document()->findBlockByNumber(m_outline.headings[heading + 1])
        : QTextBlock();
    const int from = isTop ? 0 : document()->findBlockByNumber(m_outline.headings[heading]).position();
    for (const QTextEdit::ExtraSelection& mark : extraSelections()) {
        const int at = mark.cursor.selectionStart();
        if (at < from)
            continue;
        if (next.isValid() && at >= next.position())
            break;
        const int line = cursorRect(mark.cursor).bottom() + verticalScrollBar()->value();
        if (line - place > viewport()->height())
            place = line - viewport()->height() / 2;
        break;
    }
    verticalScrollBar()->setValue(place);
}

void GuideBrowser::setMarked(const QStringList& words)
{
    if (words == m_words)
        return;
    m_words = words;
    markWords();
}

void GuideBrowser::markWords()
{
    QList<QTextEdit::ExtraSelection> marks;
    QTextCharFormat format;
    format.setBackground(Theme::alpha(m_theme.roles().unknown, m_theme.isDark() ? 0.35 : 0.25));
    for (QTextBlock block = document()->begin(); block.isValid() && marks.size() < mostMarks; block = block.next())
        for (const auto& [at, length] : models::guideMarks(block.text(), m_words)) {
            QTextCursor cursor(block);
            cursor.setPosition(block.position() + at);
            cursor.setPosition(block.position() + at + length, QTextCursor::KeepAnchor);
            marks.append({cursor, format});
        }
    setExtraSelections(marks);
}

QRectF GuideBrowser::rectOf(const GuidePlate& plate) const
{
    const QAbstractTextDocumentLayout& layout = *document()->documentLayout();
    const QTextBlock first = document()->findBlockByNumber(plate.first);
    const QTextBlock last = document()->findBlockByNumber(plate.last);
    if (!first.isValid() || !last.isValid())
        return {};
    const QRectF firstRect = layout.blockBoundingRect(first);
    const QRectF lastRect = layout.blockBoundingRect(last);
    const int padding = plate.kind == GuidePlate::Kind::code ? m_theme.scaled(platelook::padding) : 0;
    const int caption = plate.caption.isEmpty() ? 0 : m_theme.scaled(platelook::caption);
    const double left = document()->documentMargin() + first.blockFormat().indent() * document()->indentWidth();
    return QRectF(QPointF(left, firstRect.top() - padding - caption),
        QPointF(textWidth() - document()->documentMargin(), lastRect.bottom() + padding));
}

void GuideBrowser::paintEvent(QPaintEvent* event)
{
    {
        const Roles& c = m_theme.roles();
        const QPoint scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
        const QRectF seen = QRectF(event->rect()).translated(scrolled);
        QPainter painter(viewport());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.translate(-scrolled);
        for (const GuidePlate& plate : std::as_const(m_outline.plates)) {
            const QRectF rect = rectOf(plate);
            if (!rect.intersects(seen))
                continue;
            if (plate.kind == GuidePlate::Kind::quote) {
                painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), c.control);
                continue;
            }
            painter.setPen(QPen(c.line2, 1));
            painter.setBrush(c.window);
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), metrics::radiusBox, metrics::radiusBox);
            if (plate.caption.isEmpty())
                continue;
            const int height = m_theme.scaled(platelook::caption + 4);
            painter.setPen(c.line2);
            painter.drawLine(QPointF(rect.left() + 1, rect.top() + height + 0.5),
                QPointF(rect.right() - 1, rect.top() + height + 0.5));
            painter.setFont(m_theme.font(TextSize::header, QFont::DemiBold));
            painter.setPen(c.text2);
            painter.drawText(QRectF(rect.left() + m_theme.scaled(platelook::padding), rect.top(), rect.width(), height),
                Qt::AlignVCenter | Qt::AlignLeft, plate.caption);
        }
    }
    QTextBrowser::paintEvent(event);
}

void GuideBrowser::makeButtons()
{
    qDeleteAll(m_buttons);
    m_buttons.clear();
    for (const GuidePlate& plate : std::as_const(m_outline.plates)) {
        if (plate.kind != GuidePlate::Kind::code)
            continue;
        QToolButton* button = makeIconButton(
            u"copy"_s, plate.caption.isEmpty() ? tr("Copy this block") : tr("Copy %1").arg(plate.caption), viewport());
        button->setCursor(Qt::ArrowCursor);
        button->setFixedSize(QSize(metrics::smallControl, metrics::smallControl) * m_theme.scaled(100) / 100);
        button->installEventFilter(this);
        connect(button, &QToolButton::clicked, this, [this, button, text = plate.text] {
            copyText(text);
            button->setIcon(icons::icon(m_theme, u"check"_s, &Roles::succeeded));
            QTimer::singleShot(
                copiedMs, button, [this, button] { button->setIcon(icons::icon(m_theme, u"copy"_s, &Roles::text)); });
        });
        button->show();
        m_buttons.append(button);
    }
}

void GuideBrowser::placeButtons()
{
    auto button = m_buttons.begin();
    for (const GuidePlate& plate : std::as_const(m_outline.plates)) {
        if (plate.kind != GuidePlate::Kind::code || button == m_buttons.end())
            continue;
        const QRectF rect = rectOf(plate).translated(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
        const int height = (*button)->height();
        const int row = plate.caption.isEmpty() ? m_theme.scaled(2 * platelook::padding + 17)
                                                : m_theme.scaled(platelook::caption + 4);
        (*button)->move(int(rect.right()) - height - m_theme.scaled(6), int(rect.top()) + (row - height) / 2);
        ++button;
    }
}

/// A button that gets the focus by keys is brought into sight.
bool GuideBrowser::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn && m_buttons.contains(watched)) {
        const QRect place = static_cast<QWidget*>(watched)->geometry();
        if (place.top() < 0 || place.bottom() > viewport()->height())
            verticalScrollBar()->setValue(verticalScrollBar()->value() + place.top() - viewport()->height() / 3);
    }
    return QTextBrowser::eventFilter(watched, event);
}

const GuidePlate* GuideBrowser::codeAt(QPoint inViewport) const
{
    const QPointF at = QPointF(inViewport) + QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
    for (const GuidePlate& plate : m_outline.plates)
        if (plate.kind == GuidePlate::Kind::code && rectOf(plate).contains(at))
            return &plate;
    return nullptr;
}

void GuideBrowser::contextMenuEvent(QContextMenuEvent* event)
{
    const std::unique_ptr<QMenu> menu(createStandardContextMenu(event->pos()));
    // By the key of the menu the block is the one with the cursor.
    const QPoint place = event->reason() == QContextMenuEvent::Keyboard ? cursorRect().center() : event->pos();
    if (const GuidePlate* plate = codeAt(place)) {
        auto* action = new QAction(icons::icon(m_theme, u"copy"_s, &Roles::text), tr("Copy this block"), menu.get());
        connect(action, &QAction::triggered, this, [text = plate->text] { copyText(text); });
        menu->insertAction(menu->actions().value(0), action);
    }
    menu->exec(event->globalPos());
}

} // namespace ui
