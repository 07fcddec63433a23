// SPDX-License-Identifier: GPL-3.0-or-later
#include "known_sentences.h"

using namespace Qt::StringLiterals;

namespace platforms {

using core::Message;

KnownSentences::KnownSentences(Gap gap, std::initializer_list<Message> templates)
{
    static const QRegularExpression escapedGap(u"\\\\%\\d"_s);
    const QString group = gap == Gap::word ? u"([A-Za-z0-9+-]{1,20})"_s : u"(.{1,400}?)"_s;
    for (const Message& words : templates) {
        QString form = QRegularExpression::escape(words.key());
        form.replace(escapedGap, group);
        m_sentences.push_back({words, QRegularExpression(QRegularExpression::anchoredPattern(form))});
    }
}

Message KnownSentences::find(const QString& text) const
{
    constexpr qsizetype longest = 1'000;
    if (text.size() > longest)
        return text;
    for (const Sentence& sentence : m_sentences) {
        const QRegularExpressionMatch match = sentence.form.match(text);
        if (!match.hasMatch())
            continue;
        QList<Message> arguments;
        for (int i = 1; i <= match.lastCapturedIndex(); ++i)
            arguments.append(Message(match.captured(i)));
        const Message filled = arguments.isEmpty() ? sentence.words : sentence.words.withArguments(arguments);
        return filled.text() == text ? filled : Message(text);
    }
    return text;
}

} // namespace platforms
