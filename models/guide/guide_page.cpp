// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide_page.h"

#include <QHash>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace models {

namespace {

/// Text without the marks of Markdown; what it links is added to the page.
class InlineText
{
public:
    InlineText(QStringView text, GuidePage& page)
        : m_text(text)
        , m_page(page)
    {
    }
    [[nodiscard]] QString plain()
    {
        while (m_at < m_text.size())
            step();
        return m_out.trimmed();
    }

private:
    void step()
    {
        const QChar c = m_text[m_at];
        const QChar next = m_at + 1 < m_text.size() ? m_text[m_at + 1] : QChar();
        if (c == u'\\' && (next.isPunct() || next.isSymbol())) {
            m_out += next;
            m_at += 2;
        } else if (c == u'`') {
            takeCode();
        } else if ((c == u'[' && takeLink(m_at, false)) || (c == u'!' && next == u'[' && takeLink(m_at + 1, true))) {
            return;
        } else if (c == u'*') {
            // An asterisk between blanks is one.
            const bool isAlone = (m_at == 0 || m_text[m_at - 1].isSpace()) && (next.isNull() || next.isSpace());
            if (isAlone)
                m_out += c;
            ++m_at;
        } else if (c == u'<' && takeTag()) {
            return;
        } else {
            m_out += c;
            ++m_at;
        }
    }

    [[nodiscard]] qsizetype endOfCode(qsizetype from, qsizetype ticks) const
    {
        for (qsizetype i = from; i < m_text.size();) {
            if (m_text[i] != u'`') {
                ++i;
                continue;
            }
            qsizetype run = 0;
            while (i + run < m_text.size() && m_text[i + run] == u'`')
                ++run;
            if (run == ticks)
                return i;
            i += run;
        }
        return -1;
    }

    void takeCode()
    {
        qsizetype ticks = 0;
        while (m_at + ticks < m_text.size() && m_text[m_at + ticks] == u'`')
            ++ticks;
        const qsizetype from = m_at + ticks;
        const qsizetype end = endOfCode(from, ticks);
        if (end < 0) {
            m_out += m_text.mid(m_at, ticks);
            m_at = from;
            return;
        }
        QStringView code = m_text.mid(from, end - from);
        if (code.size() > 2 && code.front() == u' ' && code.back() == u' ')
            code = code.mid(1, code.size() - 2);
        m_out += code;
        m_at = end + ticks;
    }

    /// `open` is the place of the bracket.
    bool takeLink(qsizetype open, bool isPicture)
    {
        int depth = 0;
        qsizetype close = -1;
        for (qsizetype i = open; i < m_text.size() && close < 0; ++i) {
            if (m_text[i] == u'\\')
                ++i;
            else if (m_text[i] == u'[')
                ++depth;
            else if (m_text[i] == u']' && --depth == 0)
                close = i;
        }
        if (close < 0 || close + 1 >= m_text.size() || m_text[close + 1] != u'(')
            return false;
        const qsizetype end = m_text.indexOf(u')', close + 2);
        if (end < 0)
            return false;
        const QString target = m_text.mid(close + 2, end - close - 2).toString().section(u' ', 0, 0);
        (isPicture ? m_page.pictures : m_page.links).append(target);
        m_out += InlineText(m_text.mid(open + 1, close - open - 1), m_page).plain();
        m_at = end + 1;
        return true;
    }

    bool takeTag()
    {
        static const QRegularExpression tag(u"^<(?:(https?://[^>\\s]+)|!--.*?--|/?[A-Za-z][^>]*)>"_s);
        const QRegularExpressionMatch match = tag.match(m_text.mid(m_at).toString());
        if (!match.hasMatch())
            return false;
        if (const QString address = match.captured(1); !address.isEmpty()) {
            m_page.links.append(address);
            m_out += address;
        }
        m_at += match.capturedLength();
        return true;
    }

    QStringView m_text;
    GuidePage& m_page;
    qsizetype m_at = 0;
    QString m_out;
};

class PageReader
{
public:
    void take(const QString& line)
    {
        static const QRegularExpression fence(u"^( *)(```+|~~~+)\\s*([^`]*)$"_s);
        static const QRegularExpression heading(u"^(#{1,6})\\s+(.*?)\\s*#*\\s*$"_s);
        static const QRegularExpression item(u"^\\s*(?:[-*+]|\\d+[.)])\\s+(.*)$"_s);
        static const QRegularExpression rule(u"^\\s*(?:-{3,}|\\*{3,}|_{3,})\\s*$"_s);
        if (!m_fence.isEmpty()) {
            takeCode(line);
        } else if (const auto begun = fence.match(line); begun.hasMatch()) {
            endParagraph();
            m_indent = begun.capturedLength(1);
            m_fence = begun.captured(2);
            const QString info = begun.captured(3).simplified();
            m_page.codes.append({info.section(u' ', 0, 0), info.section(u' ', 1, 1), {}});
        } else if (const auto head = heading.match(line); head.hasMatch()) {
            endParagraph();
            beginSection(int(head.capturedLength(1)), head.captured(2));
        } else if (line.trimmed().isEmpty() || rule.match(line).hasMatch()) {
            endParagraph();
        } else if (line.trimmed().startsWith(u'|')) {
            endParagraph();
            takeRow(line.trimmed());
        } else if (const auto one = item.match(line); one.hasMatch()) {
            endParagraph();
            m_paragraph = one.captured(1);
        } else {
            static const QRegularExpression quote(u"^\\s*>\\s?"_s);
            QString text = line;
            text.remove(quote);
            m_paragraph += (m_paragraph.isEmpty() ? QString() : u" "_s) + text.trimmed();
        }
    }

    GuidePage done()
    {
        endParagraph();
        for (const GuideSection& one : std::as_const(m_page.sections))
            if (m_page.title.isEmpty())
                m_page.title = one.heading;
        return std::move(m_page);
    }

private:
    QStringList& lines()
    {
        if (m_page.sections.isEmpty())
            m_page.sections.append(GuideSection());
        return m_page.sections.last().lines;
    }
    void add(const QString& markdown)
    {
        if (const QString text = InlineText(markdown, m_page).plain(); !text.isEmpty())
            lines().append(text);
    }
    void takeCode(const QString& line)
    {
        const QString bare = line.trimmed();
        if (bare.size() >= m_fence.size() && bare.count(m_fence[0]) == bare.size()) {
            m_fence.clear();
            return;
        }
        qsizetype indent = 0;
        while (indent < m_indent && indent < line.size() && line[indent] == u' ')
            ++indent;
        m_page.codes.last().lines.append(line.mid(indent));
        if (!bare.isEmpty())
            lines().append(bare);
    }
    void takeRow(const QString& row)
    {
        static const QRegularExpression delimiter(u"^[|:\\s-]+$"_s);
        static const QRegularExpression bar(u"(?<!\\\\)\\|"_s);
        if (delimiter.match(row).hasMatch())
            return;
        QStringList cells;
        for (const QString& cell : row.split(bar))
            if (const QString text = InlineText(cell.trimmed(), m_page).plain(); !text.isEmpty())
                cells.append(text);
        if (!cells.isEmpty())
            lines().append(cells.join(u" · "_s));
    }
    void endParagraph()
    {
        if (!m_paragraph.isEmpty())
            add(std::exchange(m_paragraph, {}));
    }
    void beginSection(int level, const QString& markdown)
    {
        GuideSection section;
        section.level = level;
        section.heading = InlineText(markdown, m_page).plain();
        section.anchor = guideAnchor(section.heading);
        if (const int same = m_anchors[section.anchor]++; same > 0)
            section.anchor += u"-%1"_s.arg(same);
        m_page.sections.append(section);
    }

    GuidePage m_page;
    QString m_paragraph;
    QString m_fence; ///< of the block of code that is open
    qsizetype m_indent = 0;
    QHash<QString, int> m_anchors;
};

} // namespace

QString guideAnchor(const QString& heading)
{
    QString anchor;
    for (const QChar c : heading.toLower()) {
        if (c.isLetterOrNumber() || c.isMark() || c == u'-' || c == u'_')
            anchor += c;
        else if (c.isSpace())
            anchor += u'-';
    }
    return anchor;
}

GuidePage parseGuidePage(const QString& markdown)
{
    PageReader reader;
    for (const QString& line : markdown.split(u'\n'))
        reader.take(line.endsWith(u'\r') ? line.chopped(1) : line);
    return reader.done();
}

} // namespace models
