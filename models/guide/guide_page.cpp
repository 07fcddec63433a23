// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide_page.h"

#include <QHash>

#include <md4c.h>

using namespace Qt::StringLiterals;

namespace models {

namespace {

QString textOf(const MD_ATTRIBUTE& attribute)
{
    return QString::fromUtf8(attribute.text, attribute.size);
}

/// The characters that an entity of Markdown most often stands for; any other stays as it is written.
QString characterOf(const QString& entity)
{
    static const QHash<QString, QString> known = {
        {u"&lt;"_s, u"<"_s}, {u"&gt;"_s, u">"_s}, {u"&amp;"_s, u"&"_s}, {u"&quot;"_s, u"\""_s}, {u"&nbsp;"_s, u" "_s}};
    return known.value(entity, entity);
}

/// Hears what md4c finds, which is what Qt reads Markdown with, too.
class PageReader
{
public:
    GuidePage read(const QString& markdown)
    {
        MD_PARSER parser{};
        parser.flags = MD_DIALECT_GITHUB;
        parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) { return of(self).enter(type, detail); };
        parser.leave_block = [](MD_BLOCKTYPE type, void* detail, void* self) { return of(self).leave(type, detail); };
        parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) { return of(self).enterSpan(type, detail); };
        parser.leave_span = [](MD_SPANTYPE, void*, void*) { return 0; };
        parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
            return of(self).take(type, QString::fromUtf8(text, size));
        };
        const QByteArray utf8 = markdown.toUtf8();
        md_parse(utf8.constData(), MD_SIZE(utf8.size()), &parser, this);
        endLine();
        for (const GuideSection& section : std::as_const(m_page.sections))
            if (m_page.title.isEmpty())
                m_page.title = section.heading;
        return std::move(m_page);
    }

private:
    static PageReader& of(void* self) { return *static_cast<PageReader*>(self); }

    int enter(MD_BLOCKTYPE type, void* detail)
    {
        endLine(); // of an item that has more below it
        if (type == MD_BLOCK_TR) {
            m_cells.clear();
        } else if (type == MD_BLOCK_CODE) {
            const auto* code = static_cast<MD_BLOCK_CODE_DETAIL*>(detail);
            const QString info = textOf(code->info);
            m_isFenced = code->fence_char != 0;
            if (m_isFenced)
                m_page.codes.append({info.section(u' ', 0, 0), info.section(u' ', 1, 1), {}});
        }
        return 0;
    }

    int leave(MD_BLOCKTYPE type, void* detail)
    {
        switch (type) {
        case MD_BLOCK_H:
            beginSection(int(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level));
            break;
        case MD_BLOCK_CODE:
            endCode();
            break;
        case MD_BLOCK_TH:
        case MD_BLOCK_TD:
            m_cells += taken();
            break;
        case MD_BLOCK_TR:
            m_cells.removeAll(QString());
            m_text = m_cells.join(u" · "_s);
            endLine();
            break;
        case MD_BLOCK_HTML:
            m_text.clear();
            break;
        default:
            endLine();
        }
        return 0;
    }

    int enterSpan(MD_SPANTYPE type, void* detail)
    {
        if (type == MD_SPAN_A)
            m_page.links += textOf(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
        else if (type == MD_SPAN_IMG)
            m_page.pictures += textOf(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
        return 0;
    }

    int take(MD_TEXTTYPE type, const QString& text)
    {
        if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)
            m_text += u' ';
        else if (type == MD_TEXT_ENTITY)
            m_text += characterOf(text);
        else if (type != MD_TEXT_HTML) // tags and comments are not read
            m_text += text;
        return 0;
    }

    [[nodiscard]] QString taken() { return std::exchange(m_text, {}).trimmed(); }

    QStringList& lines()
    {
        if (m_page.sections.isEmpty())
            m_page.sections.append(GuideSection());
        return m_page.sections.last().lines;
    }

    void endLine()
    {
        if (const QString text = taken(); !text.isEmpty())
            lines() += text;
    }

    void endCode()
    {
        QStringList code = std::exchange(m_text, {}).split(u'\n');
        code.removeLast(); // each line has its end
        for (const QString& line : std::as_const(code))
            if (const QString bare = line.trimmed(); !bare.isEmpty())
                lines() += bare;
        if (m_isFenced)
            m_page.codes.last().lines = code;
    }

    void beginSection(int level)
    {
        GuideSection section;
        section.level = level;
        section.heading = taken();
        section.anchor = guideAnchor(section.heading);
        if (const int same = m_anchors[section.anchor]++; same > 0)
            section.anchor += u"-%1"_s.arg(same);
        m_page.sections.append(section);
    }

    GuidePage m_page;
    QString m_text;      ///< of the block that is open
    QStringList m_cells; ///< of the row of a table that is open
    bool m_isFenced = false;
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
    return PageReader().read(markdown);
}

} // namespace models
