// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper_words.h"

#include <QRegularExpression>

#include <vector>

using namespace Qt::StringLiterals;

namespace platforms {

using namespace core;

namespace {

struct Sentence
{
    Message words;
    QRegularExpression form; ///< of the whole text; a group for each gap
};

Sentence sentenceOf(const Message& words)
{
    QString form = QRegularExpression::escape(words.key());
    form.replace(QRegularExpression(u"\\\\%\\d"_s), u"([A-Za-z0-9+-]{1,20})"_s);
    return {words, QRegularExpression(QRegularExpression::anchoredPattern(form))};
}

/// As app/trialkeeper says them of a trial; the order counts where one could be taken for another.
const std::vector<Sentence>& sentences()
{
    static const std::vector<Sentence> all = [] {
        std::vector<Sentence> list;
        for (const Message& words : {
                 u"The command ended with exit code %1."_m,
                 u"The command ended with exit code %1 (%2 of a program in it)."_m,
                 u"The command was ended by signal %1."_m,
                 u"The command was ended by %1 (signal %2)."_m,
                 u"A program of the command was not found (exit code 127)."_m,
                 u"The system killed it because memory ran out."_m,
                 u"Its folder was deleted while it ran, and how it ended is not known."_m,
                 u"Its keeper ended before it started the command."_m,
                 u"The trial's keeper was killed before it started the command."_m,
             })
            list.push_back(sentenceOf(words));
        return list;
    }();
    return all;
}

} // namespace

Message keeperMessage(const QString& text)
{
    constexpr qsizetype longest = 200;
    if (text.size() > longest)
        return text;
    for (const Sentence& sentence : sentences()) {
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
