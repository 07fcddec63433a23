// SPDX-License-Identifier: GPL-3.0-or-later
#include "script_scan.h"

#include <QRegularExpression>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace models {

namespace {

/// The text between the bracket at `open` and its closing bracket; brackets in strings are ignored. Empty if there is none.
QString insideBrackets(const QString& text, qsizetype open)
{
    int depth = 0;
    QChar quote;
    for (qsizetype i = open; i < text.size() && i - open < 4000; ++i) {
        const QChar c = text[i];
        if (!quote.isNull()) {
            if (c == u'\\')
                ++i;
            else if (c == quote)
                quote = QChar();
        } else if (c == u'"' || c == u'\'') {
            quote = c;
        } else if (c == u'(' || c == u'[') {
            ++depth;
        } else if ((c == u')' || c == u']') && --depth == 0) {
            return text.mid(open + 1, i - open - 1);
        }
    }
    return {};
}

QString keyword(const QString& call, const QString& name)
{
    const QRegularExpression expression(
        u"\\b"_s + name + u"\\s*=\\s*(\\[[^\\]]*\\]|\\([^)]*\\)|'[^']*'|\"[^\"]*\"|[^,\\s)]+)"_s);
    return expression.match(call).captured(1);
}

QString unquoted(QString text)
{
    if (text.size() >= 2 && (text.startsWith(u'"') || text.startsWith(u'\'')))
        text = text.mid(1, text.size() - 2);
    return text;
}

bool namesAFile(const QString& name)
{
    static const QRegularExpression words(
        u"(^|_)(path|dir|file|folder|root|output|out|log|logdir|data|checkpoint|resume|seed|device|gpu|port|host|name)($|_)"_s);
    return words.match(name).hasMatch();
}

} // namespace

QList<ScriptArgument> scanScript(const QString& text)
{
    static const QRegularExpression calls(
        u"(?:add_argument|\\boption|Option|DEFINE_(float|integer|string|enum))\\s*\\("_s);
    static const QRegularExpression flags(u"['\"](--[A-Za-z][A-Za-z0-9_-]*)['\"]"_s);
    QList<ScriptArgument> out;
    for (auto match = calls.globalMatch(text); match.hasNext();) {
        const QRegularExpressionMatch call = match.next();
        const QString inside = insideBrackets(text, call.capturedEnd() - 1);
        ScriptArgument argument;
        if (!call.captured(1).isEmpty()) {
            // flags.DEFINE_float('lr', 0.1, 'help')
            static const QRegularExpression absl(u"^\\s*['\"]([A-Za-z]\\w*)['\"]\\s*,\\s*([^,\\s]+)"_s);
            const QRegularExpressionMatch found = absl.match(inside);
            if (!found.hasMatch())
                continue;
            argument.name = found.captured(1);
            argument.flag = u"--"_s + argument.name;
            argument.preset = unquoted(found.captured(2));
            argument.isWhole = call.captured(1) == u"integer";
            argument.isNumber = argument.isWhole || call.captured(1) == u"float";
        } else {
            const QRegularExpressionMatch flag = flags.match(inside);
            const QString action = keyword(inside, u"action"_s);
            if (!flag.hasMatch() || action.contains(u"store_true"_s) || action.contains(u"store_false"_s)
                || action.contains(u"count"_s) || action.contains(u"version"_s)
                || keyword(inside, u"is_flag"_s) == u"True")
                continue;
            argument.flag = flag.captured(1);
            argument.name = argument.flag.mid(2).replace(u'-', u'_');
            argument.preset = unquoted(keyword(inside, u"default"_s));
            const QString type = keyword(inside, u"type"_s);
            const QString choices = keyword(inside, u"choices"_s);
            if (choices.startsWith(u'[') || choices.startsWith(u'(')) {
                for (const QString& choice : choices.mid(1, choices.size() - 2).split(u',', Qt::SkipEmptyParts))
                    argument.choices.append(unquoted(choice.trimmed()));
            }
            bool isNumber = false;
            (void)argument.preset.toDouble(&isNumber);
            argument.isWhole = type.endsWith(u"int"_s)
                || (type.isEmpty() && isNumber && !argument.preset.contains(u'.') && !argument.preset.contains(u'e'));
            argument.isNumber = argument.isWhole || type.endsWith(u"float"_s) || (type.isEmpty() && isNumber);
        }
        const bool isKnown =
            std::any_of(out.begin(), out.end(), [&](const auto& a) { return a.name == argument.name; });
        if (argument.preset == u"None")
            argument.preset.clear();
        if (!isKnown && !namesAFile(argument.name) && (argument.isNumber || !argument.choices.isEmpty()))
            out.append(std::move(argument));
    }
    return out;
}

QList<TemplateName> templateNames(const QString& command)
{
    static const QRegularExpression names(u"(?<!\\$)\\{([A-Za-z_][A-Za-z0-9_.\\-]*)\\}"_s);
    QList<TemplateName> out;
    for (auto match = names.globalMatch(command); match.hasNext();) {
        const QRegularExpressionMatch found = match.next();
        if (found.captured(1) != u"args")
            out.append({found.captured(1), found.capturedStart(), found.capturedLength()});
    }
    return out;
}

} // namespace models
