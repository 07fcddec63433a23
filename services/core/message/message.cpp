// SPDX-License-Identifier: GPL-3.0-or-later
#include "message.h"

#include <algorithm>

namespace core {

namespace {

constexpr int mostGaps = 99;

/// The number of the gap that begins at `at`, and its length; 0 where none begins.
struct Gap
{
    int number = 0;
    qsizetype length = 0;
};

Gap gapAt(QStringView text, qsizetype at)
{
    const auto digit = [&](qsizetype i) {
        return i < text.size() && text[i] >= u'0' && text[i] <= u'9' ? text[i].unicode() - u'0' : -1;
    };
    if (text[at] != u'%' || digit(at + 1) < 1)
        return {};
    if (digit(at + 2) < 0)
        return {digit(at + 1), 2};
    return {digit(at + 1) * 10 + digit(at + 2), 3};
}

/// "%1%2%3": the template of a message that only puts parts one behind the other.
QString partsKey(qsizetype count)
{
    QString key;
    for (qsizetype i = 1; i <= count; ++i)
        key += u'%' + QString::number(i);
    return key;
}

QString filledWith(QStringView key, const QList<Message>& arguments)
{
    QStringList values;
    values.reserve(arguments.size());
    for (const Message& argument : arguments)
        values.append(argument.text());
    return filled(key, values);
}

} // namespace

QString filled(QStringView key, const QStringList& values)
{
    QString text;
    qsizetype from = 0;
    for (qsizetype at = key.indexOf(u'%'); at >= 0; at = key.indexOf(u'%', at)) {
        const Gap gap = gapAt(key, at);
        if (gap.number == 0 || gap.number > values.size()) {
            ++at;
            continue;
        }
        text += key.sliced(from, at - from);
        text += values.at(gap.number - 1);
        at += gap.length;
        from = at;
        if (text.size() > maxMessageChars)
            return text.left(maxMessageChars);
    }
    text += key.sliced(from);
    return text;
}

Message Message::fromKey(const QString& key)
{
    Message message(key);
    message.m_isKey = !key.isEmpty();
    return message;
}

Message Message::fromParts(const QString& text, const QString& key, const QList<Message>& arguments)
{
    Message message(text);
    if (key.isEmpty())
        return message;
    if (arguments.isEmpty() && key == text) {
        message.m_isKey = true;
        return message;
    }
    auto* form = new Form;
    form->key = key;
    form->arguments = arguments;
    message.m_form = QExplicitlySharedDataPointer<const Form>(form);
    return message;
}

QString Message::key() const
{
    if (m_form)
        return m_form->key;
    return m_isKey ? m_text : QString();
}

QList<Message> Message::arguments() const
{
    return m_form ? m_form->arguments : QList<Message>();
}

Message Message::withArguments(const QList<Message>& more) const
{
    if (!hasKey()) // a name with a gap in it: there is nothing to translate, the gap is filled all the same
        return filledWith(m_text, more);
    const QString key = this->key();
    const QList<Message> all = arguments() + more;
    return fromParts(filledWith(key, all), key, all);
}

Message Message::withWords(const std::function<QString(const QString&)>& change) const
{
    if (!hasKey())
        return change(m_text);
    QList<Message> changed = arguments();
    for (Message& argument : changed)
        argument = argument.withWords(change);
    return fromParts(filledWith(key(), changed), key(), changed);
}

Message& Message::operator+=(const Message& tail)
{
    return *this = *this + tail;
}

bool Message::operator==(const Message& other) const
{
    if (m_text != other.m_text)
        return false;
    if (m_form == other.m_form && m_isKey == other.m_isKey)
        return true;
    return key() == other.key() && arguments() == other.arguments();
}

Message Message::joined(const Message& head, const Message& tail)
{
    if (head.isEmpty())
        return tail;
    if (tail.isEmpty())
        return head;
    if (!head.hasKey() && !tail.hasKey())
        return head.text() + tail.text();
    // A chain stays flat, so that what is sent does not nest once for each part.
    QList<Message> parts = head.arguments();
    if (parts.isEmpty() || parts.size() >= mostGaps || head.key() != partsKey(parts.size()))
        parts = {head};
    parts.append(tail);
    return fromParts(head.text() + tail.text(), partsKey(parts.size()), parts);
}

Message join(const QList<Message>& parts, const Message& separator)
{
    Message all;
    for (const Message& part : parts)
        all = all.isEmpty() ? part : all + separator + part;
    return all;
}

} // namespace core
