// SPDX-License-Identifier: GPL-3.0-or-later
#include "service_unit.h"

#include "unit_texts.h"

using namespace Qt::StringLiterals;

namespace commands {

namespace {

/// One word of ExecStart=: quotes and backslashes escaped, specifiers and variables literal (systemd.service(5), systemd.syntax(7)).
QString unitWord(const QString& text)
{
    QString word = text;
    word.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s).replace(u'%', u"%%"_s).replace(u'$', u"$$"_s);
    return u'"' + word + u'"';
}

/// The installer's text with another program, and without what only an installation has.
QByteArray filledIn(const char* text, const QString& start)
{
    QByteArrayList lines = QByteArray(text).split('\n');
    lines.removeIf([](const QByteArray& line) { return line.startsWith("Documentation="); });
    for (QByteArray& line : lines) {
        if (line.startsWith("ExecStart="))
            line = "ExecStart=" + start.toUtf8();
    }
    return lines.join('\n');
}

} // namespace

QList<UnitFile> userUnits(const QString& daemon, const QString& keeper, const QString& dataDir)
{
    QString serve = unitWord(daemon) + u" --serve"_s;
    if (!dataDir.isEmpty())
        serve += u" --data-dir "_s + unitWord(dataDir);
    return {
        {u"trialdeck.service"_s, filledIn(texts::userService, serve)},
        {u"trialdeck-agent.socket"_s, filledIn(texts::userAgentSocket, {})},
        {u"trialdeck-agent@.service"_s, filledIn(texts::userAgentService, unitWord(keeper) + u" launch"_s)},
    };
}

} // namespace commands
