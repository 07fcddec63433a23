// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_command.h"

#include "raw_json.h"

#include "services/core/json_text.h"

#include <QHash>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trial {

namespace {

/// What quotes the text at hand stands in.
enum class Quote { none, single, twofold };

bool isBareWord(const QString& text)
{
    if (text.isEmpty())
        return false;
    for (const QChar c : text) {
        const char16_t u = c.unicode();
        const bool plain = (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9')
            || (u < 0x80 && QStringView(u"_-+./:,@%=").contains(c));
        if (!plain)
            return false;
    }
    // A word like A=b means something else in front of a command.
    return !text.contains(u'=');
}

QString fitted(const QString& text, Quote quote)
{
    switch (quote) {
    case Quote::none:
        return shellQuoted(text);
    case Quote::single:
        return QString(text).replace(u'\'', u"'\\''"_s);
    case Quote::twofold: {
        QString out;
        for (const QChar c : text) {
            if (c == u'\\' || c == u'"' || c == u'$' || c == u'`')
                out += u'\\';
            out += c;
        }
        return out;
    }
    }
    return {};
}

/// Follows the quoting of a shell command from character to character, also through "$(…)".
class ShellQuotes
{
public:
    [[nodiscard]] Quote now() const
    {
        if (m_open.isEmpty() || m_open.last() == u'(')
            return Quote::none;
        return m_open.last() == u'\'' ? Quote::single : Quote::twofold;
    }

    /// Takes in what stands at `at` and returns how many characters that is.
    qsizetype step(const QString& text, qsizetype at)
    {
        const QChar c = text[at];
        if (now() == Quote::single) {
            if (c == u'\'')
                m_open.removeLast();
            return 1;
        }
        if (c == u'\\')
            return std::min<qsizetype>(2, text.size() - at);
        if (c == u'$' && at + 1 < text.size() && text[at + 1] == u'(') {
            m_open.append(u'(');
            return 2;
        }
        if (c == u'"') {
            if (now() == Quote::twofold)
                m_open.removeLast();
            else
                m_open.append(u'"');
        } else if (now() == Quote::none) {
            if (c == u'#' && (at == 0 || text[at - 1].isSpace() || text[at - 1] == u';')) {
                // A comment: an apostrophe in it opens nothing.
                const qsizetype end = text.indexOf(u'\n', at);
                return (end < 0 ? text.size() : end) - at;
            }
            if (c == u'\'')
                m_open.append(u'\'');
            else if (c == u'(' && !m_open.isEmpty())
                m_open.append(u'(');
            else if (c == u')' && !m_open.isEmpty())
                m_open.removeLast();
        }
        return 1;
    }

private:
    QList<QChar> m_open; ///< quotes and substitutions that are open, innermost last
};

struct Parameter
{
    QString name;
    QString value;
};

Result<QList<Parameter>> readParameters(QByteArrayView text)
{
    QList<Parameter> parameters;
    QHash<QString, qsizetype> places;
    RawMembers members(text);
    while (members.next()) {
        const RawValue& value = members.value();
        QByteArray bytes;
        switch (value.kind) {
        case JsonKind::string:
            bytes = rawStringContent(value);
            break;
        case JsonKind::object:
        case JsonKind::array:
            bytes = compactJson(value.text);
            break;
        default:
            bytes = value.text.toByteArray();
        }
        const QString name = QString::fromUtf8(unescapedJson(members.key()));
        if (bytes.contains('\0'))
            return fail(Kind::invalid,
                u"The parameter %1 holds a NUL character, which a command line cannot carry. Read it from the file "
                u"that "
                "TRIALDECK_PARAMETERS_FILE names instead."_m.arg(name));
        // Of members with one name the last holds, as Python reads it, but in the place of the first.
        if (const auto place = places.constFind(name); place != places.cend()) {
            parameters[*place].value = QString::fromUtf8(bytes);
        } else {
            places.insert(name, parameters.size());
            parameters.append({name, QString::fromUtf8(bytes)});
        }
    }
    if (!members.ok())
        parameters.clear();
    return parameters;
}

QString argumentList(const QList<Parameter>& parameters, Quote quote)
{
    QStringList words;
    for (const Parameter& parameter : parameters)
        words.append(shellQuoted(u"--"_s + parameter.name) + u' ' + shellQuoted(parameter.value));
    const QString list = words.join(u' ');
    // Inside quotes the whole list is one text, for a shell that is called with it.
    return quote == Quote::none ? list : fitted(list, quote);
}

} // namespace

QString shellQuoted(const QString& text)
{
    if (isBareWord(text))
        return text;
    return u'\'' + QString(text).replace(u'\'', u"'\\''"_s) + u'\'';
}

Result<> checkArgumentSize(const Message& what, qsizetype bytes)
{
    if (bytes <= maxArgumentBytes)
        return {};
    return fail(Kind::invalid,
        u"%1 takes %2 KiB, and the system passes at most %3 KiB: put long values into a file, or let the program read them from TRIALDECK_PARAMETERS_FILE."_m
            .arg(what)
            .arg((bytes + 1023) / 1024)
            .arg(maxArgumentBytes / 1024));
}

Result<QString> renderCommand(const QString& command, QByteArrayView parameters)
{
    const Result<QList<Parameter>> known = readParameters(parameters);
    if (!known)
        return tl::unexpected(known.error());
    QHash<QString, const Parameter*> byName;
    for (const Parameter& parameter : *known)
        byName.insert(parameter.name, &parameter);

    QString out;
    out.reserve(command.size());
    ShellQuotes quotes;
    for (qsizetype i = 0; i < command.size();) {
        if (command[i] == u'{' && (i == 0 || command[i - 1] != u'$')) {
            const qsizetype end = command.indexOf(u'}', i);
            if (end > 0) {
                const QString name = command.sliced(i + 1, end - i - 1);
                if (const Parameter* parameter = byName.value(name)) {
                    out += fitted(parameter->value, quotes.now());
                    i = end + 1;
                    continue;
                }
                if (name == u"args"_s) {
                    out += argumentList(*known, quotes.now());
                    i = end + 1;
                    continue;
                }
            }
        }
        const qsizetype taken = quotes.step(command, i);
        out += QStringView(command).sliced(i, taken);
        i += taken;
    }
    return out;
}

QString withInterpreter(const QString& command, const QString& interpreter)
{
    if (interpreter.trimmed().isEmpty())
        return command;
    // A value may be quoted; words with substitutions in them are not looked through.
    static const QRegularExpression first(
        u"^(\\s*(?:[A-Za-z_][A-Za-z0-9_]*=(?:'[^']*'|\"[^\"]*\"|[^\\s'\"`;&|<>()])*\\s+)*)([^\\s;&|<>()]+)"_s);
    const QRegularExpressionMatch match = first.match(command);
    if (!match.hasMatch())
        return command;
    static const QRegularExpression python(u"^python3?(\\.\\d+)?$"_s);
    const QString word = match.captured(2);
    const QString path = interpreter.trimmed();
    const QString quoted = path.startsWith(u"~/"_s) ? u"~/"_s + shellQuoted(path.sliced(2)) : shellQuoted(path);
    if (python.match(word).hasMatch())
        return match.captured(1) + quoted + command.sliced(match.capturedEnd(2));
    QString file = word;
    file.remove(u'\'').remove(u'"');
    if (file.endsWith(u".py"_s))
        return match.captured(1) + quoted + u' ' + command.sliced(match.capturedStart(2));
    return command;
}

QByteArray parameterCfg(qint64 parameterId, QByteArrayView parameters, int parameterIndex)
{
    QByteArray out = "{\"parameter_id\": " + QByteArray::number(parameterId)
        + ", \"parameter_source\": \"algorithm\", \"parameters\": ";
    if (parameters.trimmed().isEmpty())
        out += "{}";
    else
        out.append(parameters.data(), parameters.size());
    out += ", \"parameter_index\": " + QByteArray::number(parameterIndex) + '}';
    return out;
}

std::optional<QByteArray> innerParameters(QByteArrayView cfg)
{
    const auto member = rawMember(cfg, "parameters");
    return member ? std::optional(member->text.toByteArray()) : std::nullopt;
}

} // namespace trial
