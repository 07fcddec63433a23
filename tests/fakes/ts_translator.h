// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QHash>
#include <QTranslator>
#include <QXmlStreamReader>

namespace fakes {

/// Translates by a .ts file, without compiling it.
class TsTranslator : public QTranslator
{
public:
    explicit TsTranslator(const QString& path)
    {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return;
        QXmlStreamReader xml(&file);
        QString context;
        QString source;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement())
                continue;
            if (xml.name() == u"name")
                context = xml.readElementText();
            else if (xml.name() == u"source")
                source = xml.readElementText();
            else if (xml.name() == u"translation") {
                // Of a plural the last form counts, the only one of Chinese.
                QString text;
                while (
                    !(xml.readNext() == QXmlStreamReader::EndElement && xml.name() == u"translation") && !xml.atEnd()) {
                    if (xml.isStartElement())
                        text.clear();
                    else if (xml.isCharacters() && !xml.isWhitespace())
                        text += xml.text();
                }
                if (!text.isEmpty())
                    m_texts.insert({context, source}, text);
            }
        }
    }
    [[nodiscard]] bool isEmpty() const override { return m_texts.isEmpty(); }
    [[nodiscard]] QString translate(
        const char* context, const char* source, const char* = nullptr, int = -1) const override
    {
        return m_texts.value({QString::fromUtf8(context), QString::fromUtf8(source)});
    }

private:
    QHash<std::pair<QString, QString>, QString> m_texts;
};

/// A language whose texts are 40 % longer than ours, as German or Finnish.
class LongTranslator : public QTranslator
{
public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char*, const char* source, const char* = nullptr, int = -1) const override
    {
        const QString text = QString::fromUtf8(source);
        QString more;
        while (more.size() * 10 < text.size() * 4)
            more += more.size() % 6 == 5 ? u' ' : u'ẽ';
        // Words that stay words, so that they wrap as those of a language do; keys of menus and file patterns stay at their places.
        return text.contains(u"(*") ? text : text + (more.isEmpty() ? QString() : u' ' + more.trimmed());
    }
};

} // namespace fakes
