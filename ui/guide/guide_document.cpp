// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide_document.h"

#include "ui/kit/theme.h"

#include <QImage>
#include <QTextCursor>
#include <QTextList>
#include <QTextTable>
#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int bodyPixels = 14; ///< of running text, at 100 %: more is read here than in a table
constexpr int codePixels = 13;
constexpr int pictureFit = QTextFormat::UserProperty + 1; ///< for which width and ratio it was scaled

bool isCode(const QTextBlock& block)
{
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)
        || block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

/// Gives a document that was read from Markdown the looks of the theme.
class GuideLooks
{
public:
    GuideLooks(QTextDocument& document, const models::GuidePage& page, const Theme& theme)
        : m_document(document)
        , m_page(page)
        , m_theme(theme)
        , m_body(theme.font(TextSize::body))
        , m_code(theme.font(TextSize::mono))
    {
        m_body.setPixelSize(theme.scaled(bodyPixels));
        m_code.setPixelSize(theme.scaled(codePixels));
    }

    GuideOutline apply()
    {
        QTextCursor edit(&m_document);
        edit.beginEditBlock();
        findCode();
        for (QTextBlock block = m_document.begin(); block.isValid(); block = block.next())
            apply(block);
        applyToTables();
        edit.endEditBlock();
        return m_outline;
    }

private:
    /// Which blocks belong to which code of the page: those that follow each other are told apart by their number of lines.
    void findCode()
    {
        qsizetype next = 0;
        for (QTextBlock block = m_document.begin(); block.isValid(); block = block.next()) {
            if (!isCode(block))
                continue;
            GuidePlate plate;
            plate.first = plate.last = block.blockNumber();
            const models::GuideCode code = m_page.codes.value(next++);
            plate.caption = code.file;
            plate.text = block.text();
            for (qsizetype lines = 1; lines < code.lines.size() && isCode(block.next()); ++lines) {
                block = block.next();
                plate.last = block.blockNumber();
                plate.text += u'\n' + block.text();
            }
            plate.text += u'\n';
            m_outline.plates.append(plate);
        }
    }

    void apply(const QTextBlock& block)
    {
        const QTextBlockFormat format = block.blockFormat();
        if (isCode(block))
            applyToCode(block);
        else if (format.headingLevel() > 0)
            applyToHeading(block);
        else if (QTextCursor(block).currentTable())
            applyToCell(block);
        else
            applyToText(block);
    }

    void setFormat(const QTextBlock& block, const QTextBlockFormat& format, const QFont& font, const QColor& color)
    {
        QTextCursor cursor(block);
        cursor.setBlockFormat(format);
        QTextCharFormat empty;
        empty.setFont(font);
        cursor.setBlockCharFormat(empty);
        QList<std::pair<int, int>> parts;
        QList<QTextCharFormat> formats;
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            parts.append({it.fragment().position(), it.fragment().length()});
            formats.append(it.fragment().charFormat());
        }
        for (qsizetype i = 0; i < parts.size(); ++i) {
            if (formats[i].isImageFormat())
                continue;
            cursor.setPosition(parts[i].first);
            cursor.setPosition(parts[i].first + parts[i].second, QTextCursor::KeepAnchor);
            cursor.setCharFormat(looksOf(formats[i], font, color, isCode(block)));
        }
    }

    [[nodiscard]] QTextCharFormat looksOf(
        const QTextCharFormat& old, const QFont& around, const QColor& color, bool isBlockOfCode) const
    {
        const Roles& c = m_theme.roles();
        QTextCharFormat format;
        QFont font = around;
        if (old.fontFixedPitch() && !isBlockOfCode) {
            font = m_code;
            font.setPixelSize(around.pixelSize() - m_theme.scaled(1));
            font.setWeight(around.weight());
            format.setBackground(c.sunken);
        }
        if (old.fontWeight() > QFont::Normal && around.weight() < QFont::DemiBold)
            font.setWeight(QFont::DemiBold);
        font.setItalic(old.fontItalic());
        format.setFont(font);
        format.setForeground(color);
        if (old.isAnchor()) {
            format.setAnchor(true);
            format.setAnchorHref(old.anchorHref());
            format.setForeground(c.accent);
            format.setFontUnderline(true);
        }
        return format;
    }

    void applyToHeading(const QTextBlock& block)
    {
        static constexpr int pixels[] = {24, 18, 15, 14};
        static constexpr int above[] = {0, 28, 20, 16};
        static constexpr int below[] = {12, 8, 6, 4};
        const int level = std::clamp(block.blockFormat().headingLevel(), 1, 4) - 1;
        QTextBlockFormat format;
        format.setHeadingLevel(level + 1);
        format.setTopMargin(m_theme.scaled(above[level]));
        format.setBottomMargin(m_theme.scaled(below[level]));
        QFont font = m_body;
        font.setPixelSize(m_theme.scaled(pixels[level]));
        font.setWeight(QFont::DemiBold);
        setFormat(block, format, font, m_theme.roles().text);
        m_outline.headings.append(block.blockNumber());
    }

    void applyToText(const QTextBlock& block)
    {
        QTextBlockFormat format = block.blockFormat();
        const bool isItem = block.textList() != nullptr;
        const bool isQuote = format.hasProperty(QTextFormat::BlockQuoteLevel);
        QColor color = m_theme.roles().text;
        format.setLineHeight(115, QTextBlockFormat::ProportionalHeight);
        format.setTopMargin(m_theme.scaled(isItem ? 2 : 0));
        format.setBottomMargin(m_theme.scaled(isItem ? 4 : 10));
        if (isItem && endsList(block))
            format.setBottomMargin(m_theme.scaled(10));
        if (format.hasProperty(QTextFormat::BlockTrailingHorizontalRulerWidth)) {
            format.setProperty(QTextFormat::BackgroundBrush, QBrush(m_theme.roles().line2));
        } else if (isQuote) {
            format.setLeftMargin(m_theme.scaled(metrics::margin));
            format.setRightMargin(0);
            color = m_theme.roles().text2;
            if (m_outline.plates.isEmpty() || m_outline.plates.last().kind != GuidePlate::Kind::quote
                || m_outline.plates.last().last != block.blockNumber() - 1)
                m_outline.plates.append({GuidePlate::Kind::quote, block.blockNumber(), block.blockNumber(), {}, {}});
            m_outline.plates.last().last = block.blockNumber();
        } else if (block.text().contains(QChar::ObjectReplacementCharacter)) {
            format.setLineHeight(
                0, QTextBlockFormat::SingleHeight); // else a picture would have a part of its height below it
        } else if (block.text().isEmpty()) {
            // Qt needs one between code and a table, and after a table.
            format.setLineHeight(1, QTextBlockFormat::FixedHeight);
            format.setTopMargin(0);
            format.setBottomMargin(m_theme.scaled(metrics::gap));
        }
        setFormat(block, format, m_body, color);
    }

    /// Whether what follows an item is neither of its list nor of one inside or around it.
    static bool endsList(const QTextBlock& item)
    {
        const QTextList* next = item.next().isValid() ? item.next().textList() : nullptr;
        return !next || (next != item.textList() && next->format().indent() == item.textList()->format().indent());
    }

    void applyToCell(const QTextBlock& block)
    {
        QTextBlockFormat format;
        format.setAlignment(block.blockFormat().alignment());
        format.setLineHeight(110, QTextBlockFormat::ProportionalHeight);
        QTextTable* table = QTextCursor(block).currentTable();
        QFont font = m_theme.font(TextSize::body);
        if (table->cellAt(QTextCursor(block)).row() == 0)
            font.setWeight(QFont::DemiBold);
        setFormat(block, format, font, m_theme.roles().text);
    }

    void applyToCode(const QTextBlock& block)
    {
        const int number = block.blockNumber();
        const auto plate = std::find_if(m_outline.plates.begin(), m_outline.plates.end(),
            [&](const GuidePlate& one) { return one.first <= number && number <= one.last; });
        if (plate == m_outline.plates.end())
            return;
        QTextBlockFormat format = block.blockFormat();
        const auto scaled = [this](int pixels) { return m_theme.scaled(pixels); };
        const QString line = block.text();
        const auto first = std::find_if(line.begin(), line.end(), [](QChar c) { return c != u' '; });
        const int hang = QFontMetrics(m_code).horizontalAdvance(QString(first - line.begin() + 2, u' '));
        // What is wider than the page goes on in the next line, a little to the right.
        format.setNonBreakableLines(false);
        format.setLeftMargin(scaled(platelook::padding) + hang);
        format.setTextIndent(-hang);
        format.setRightMargin(scaled(platelook::button));
        format.setLineHeight(120, QTextBlockFormat::ProportionalHeight);
        const int caption = plate->caption.isEmpty() ? 0 : scaled(platelook::caption);
        format.setTopMargin(number == plate->first ? scaled(platelook::around + platelook::padding) + caption : 0);
        format.setBottomMargin(number == plate->last ? scaled(platelook::padding + platelook::around + 4) : 0);
        setFormat(block, format, m_code, m_theme.roles().text);
    }

    void applyToTables()
    {
        const Roles& c = m_theme.roles();
        for (QTextFrame* frame : m_document.rootFrame()->childFrames()) {
            auto* table = qobject_cast<QTextTable*>(frame);
            if (!table)
                continue;
            QTextTableFormat format = table->format();
            format.setBorder(1);
            format.setBorderBrush(c.line2);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderCollapse(true);
            format.setCellSpacing(0);
            format.setCellPadding(m_theme.scaled(6));
            format.setTopMargin(m_theme.scaled(metrics::tight));
            format.setBottomMargin(m_theme.scaled(metrics::tight));
            format.setHeaderRowCount(1);
            table->setFormat(format);
            for (int column = 0; column < table->columns(); ++column) {
                QTextTableCell cell = table->cellAt(0, column);
                QTextTableCellFormat head = cell.format().toTableCellFormat();
                head.setBackground(c.window);
                cell.setFormat(head);
            }
        }
    }

    QTextDocument& m_document;
    const models::GuidePage& m_page;
    const Theme& m_theme;
    QFont m_body;
    QFont m_code;
    GuideOutline m_outline;
};

/// The places of pictures and their formats.
QList<std::pair<int, QTextImageFormat>> picturesIn(const QTextDocument& document)
{
    QList<std::pair<int, QTextImageFormat>> found;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().isImageFormat())
                found.append({it.fragment().position(), it.fragment().charFormat().toImageFormat()});
    return found;
}

void setPicture(QTextDocument& document, int at, const QTextImageFormat& format)
{
    QTextCursor cursor(&document);
    cursor.setPosition(at);
    cursor.setPosition(at + 1, QTextCursor::KeepAnchor);
    cursor.setCharFormat(format);
}

/// Makes each picture a paragraph: Qt gives the line before it a picture's height, too.
void setPicturesApart(QTextDocument& document)
{
    QList<std::pair<int, QTextImageFormat>> pictures = picturesIn(document);
    std::reverse(pictures.begin(), pictures.end()); // so that the places of the others stay
    for (const auto& [at, format] : std::as_const(pictures)) {
        QTextCursor cursor(&document);
        cursor.setPosition(at + 1);
        if (cursor.currentTable())
            continue;
        QTextBlockFormat paragraph;
        if (const QTextList* list = cursor.currentList())
            paragraph.setIndent(list->format().indent());
        if (!cursor.atBlockEnd())
            cursor.insertBlock(paragraph);
        cursor.setPosition(at);
        if (!cursor.atBlockStart())
            cursor.insertBlock(paragraph);
    }
}

/// By which Qt asks for the picture of a file, also of one in the program.
QUrl addressOf(const QString& file)
{
    return QUrl(file.startsWith(u':') ? u"qrc"_s + file : file);
}

/// Notes where the pictures are.
void findPictures(QTextDocument& document, const models::GuideBook& book, const QString& page)
{
    for (auto& [at, format] : picturesIn(document)) {
        format.setName(book.picture(page, format.name()));
        setPicture(document, at, format);
    }
}

/// Decoded once: that takes longer than to scale it, and a window that is resized does so again and again.
QImage wholeOf(QTextDocument& document, const QString& file)
{
    const QUrl whole(u"whole:"_s + file);
    QImage image = document.resource(QTextDocument::UserResource, whole).value<QImage>();
    if (image.isNull() && image.load(file)) {
        image.convertTo(QImage::Format_ARGB32_Premultiplied); // few colours would be dithered
        document.addResource(QTextDocument::UserResource, whole, image);
    }
    return image;
}

} // namespace

GuideOutline fillGuideDocument(QTextDocument& document, const models::GuideBook& book, const QString& page,
    const Theme& theme, int width, double ratio)
{
    document.clear();
    document.setDefaultFont(theme.font(TextSize::body));
    document.setIndentWidth(theme.scaled(24));
    document.setMarkdown(book.markdown(page), QTextDocument::MarkdownDialectGitHub);
    setPicturesApart(document);
    GuideOutline outline = GuideLooks(document, book.page(page), theme).apply();
    findPictures(document, book, page);
    fitGuidePictures(document, width, ratio);
    document.setModified(false);
    return outline;
}

void fitGuidePictures(QTextDocument& document, int width, double ratio)
{
    for (auto& [at, format] : picturesIn(document)) {
        const QString wanted = u"%1x%2"_s.arg(width).arg(ratio);
        if (wanted == format.stringProperty(pictureFit))
            continue;
        QImage image = wholeOf(document, format.name());
        if (image.width() > width * ratio)
            image = image.scaledToWidth(qRound(width * ratio), Qt::SmoothTransformation);
        image.setDevicePixelRatio(std::max(1.0, std::min(ratio, double(image.width()) / width)));
        document.addResource(
            QTextDocument::ImageResource, addressOf(format.name()), image); // in place of the former one
        format.setProperty(pictureFit, wanted);
        format.setWidth(image.deviceIndependentSize().width());
        format.setHeight(image.deviceIndependentSize().height());
        setPicture(document, at, format);
    }
}

} // namespace ui
