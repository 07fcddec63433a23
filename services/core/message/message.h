// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of the service. Each is complete in English, and carries its template and what stands in the template's gaps, so that a client
// can say it in another language: the public contract sends both (`message`, `messageKey`, `messageArguments`).
#pragma once

#include <QDebug>
#include <QExplicitlySharedDataPointer>
#include <QList>
#include <QSharedData>
#include <QString>
#include <QStringList>

#include <concepts>
#include <functional>

namespace core {

/// A sentence or a part of one. A plain QString becomes one without a template: a name, a path, what another program printed. Such text is
/// the same in each language. Copies share. The English text never depends on the language of a client.
class Message
{
public:
    Message() = default;
    Message(
        const QString& verbatim) // NOLINT(google-explicit-constructor): text that is not ours is a message as it stands
        : m_text(verbatim)
    {
    }
    Message(QString&& verbatim) // NOLINT(google-explicit-constructor)
        : m_text(std::move(verbatim))
    {
    }

    /// A sentence of ours. Gaps are %1 to %99; a gap that arg() has not filled stands as it is.
    [[nodiscard]] static Message fromKey(const QString& key);
    /// As a service sent it: the English text stands whatever key and arguments would make.
    [[nodiscard]] static Message fromParts(const QString& text, const QString& key, const QList<Message>& arguments);

    [[nodiscard]] const QString& text() const { return m_text; } ///< in English
    operator const QString&() const
    {
        return m_text;
    } // NOLINT(google-explicit-constructor): logs and files are English
    /// The template; empty: the text is verbatim.
    [[nodiscard]] QString key() const;
    [[nodiscard]] QList<Message> arguments() const;
    /// Whether it has a template: something that a translation can change.
    [[nodiscard]] bool hasKey() const { return m_isKey || m_form; }

    /// Fills the next gaps, in the order of their numbers. Text in an argument that looks like a gap is none.
    template <typename... Arguments>
    [[nodiscard]] Message arg(const Arguments&... arguments) const
    {
        return withArguments({argument(arguments)...});
    }

    [[nodiscard]] Message withArguments(const QList<Message>& more) const;

    /// With what stands in its gaps changed, or the text itself where there is no template; templates stay.
    [[nodiscard]] Message withWords(const std::function<QString(const QString&)>& change) const;

    /// Puts text behind: the result is a message of two parts.
    Message& operator+=(const Message& tail);
    void clear() { *this = Message(); }

    [[nodiscard]] bool isEmpty() const { return m_text.isEmpty(); }
    [[nodiscard]] qsizetype size() const { return m_text.size(); }
    [[nodiscard]] bool contains(QStringView words) const { return m_text.contains(words); }
    [[nodiscard]] bool startsWith(QStringView words) const { return m_text.startsWith(words); }
    [[nodiscard]] bool endsWith(QStringView words) const { return m_text.endsWith(words); }
    [[nodiscard]] bool endsWith(QChar c) const { return m_text.endsWith(c); }
    [[nodiscard]] QByteArray toUtf8() const { return m_text.toUtf8(); }

    bool operator==(const Message& other) const;
    bool operator==(const QString& text) const { return m_text == text; }

    friend QDebug operator<<(QDebug debug, const Message& message) { return debug << message.m_text; }

    [[nodiscard]] friend Message operator+(const Message& head, const Message& tail) { return joined(head, tail); }
    [[nodiscard]] friend Message operator+(const Message& head, const QString& tail) { return joined(head, tail); }
    [[nodiscard]] friend Message operator+(const QString& head, const Message& tail) { return joined(head, tail); }
    [[nodiscard]] friend Message operator+(const Message& head, char16_t tail)
    {
        return joined(head, QString(QChar(tail)));
    }

private:
    struct Form : QSharedData
    {
        QString key;
        QList<Message> arguments;
    };

    static Message joined(const Message& head, const Message& tail);
    static const Message& argument(const Message& message) { return message; }
    static Message argument(const QString& text) { return text; }
    static Message argument(QStringView text) { return text.toString(); }
    static Message argument(QLatin1StringView text) { return QString(text); }
    static Message argument(QChar c) { return QString(c); }
    static Message argument(char16_t c) { return QString(QChar(c)); }
    template <std::integral Number>
    static Message argument(Number number)
    {
        return QString::number(number);
    }
    static Message argument(double number) { return QString::number(number); }
    static Message argument(char) = delete; // a format or a width of QString::arg(), which this is not

    QString m_text;
    bool m_isKey = false; ///< the text itself is the template: a sentence without gaps costs nothing
    QExplicitlySharedDataPointer<const Form> m_form;
};

/// All parts with the separator between them.
[[nodiscard]] Message join(const QList<Message>& parts, const Message& separator);

/// Where gaps are filled, longer text is cut: a template of a hostile service could repeat its gaps without end.
inline constexpr qsizetype maxMessageChars = 256 * 1024;

/// The template with its gaps filled, each once: text in a value that looks like a gap is none. A gap without a value stays.
[[nodiscard]] QString filled(QStringView key, const QStringList& values);

/// The deepest nesting of messages as arguments that is read from a reply; what lies deeper is left out.
inline constexpr int maxMessageDepth = 16;

/// A sentence of the service: u"There is no trial \"%1\"."_m. resources/translations/update.sh collects these literals.
[[nodiscard]] inline Message operator""_m(const char16_t* text, size_t size)
{
    return Message::fromKey(
        QString(QStringPrivate(nullptr, const_cast<char16_t*>(text), qsizetype(size)))); // no copy, as Qt's _s
}

} // namespace core
