// SPDX-License-Identifier: GPL-3.0-or-later
// The manual page, made from the table as the help texts are. Macros of man(7).
#include "options.h"

using namespace Qt::StringLiterals;

namespace app {

namespace {

/// Text that troff shows as it is.
QString shown(const QString& plain)
{
    QString text;
    for (const QChar c : plain) {
        if (c == u'\\')
            text += u"\\e"_s;
        else if (c == u'-')
            text += u"\\-"_s;
        else if (c.unicode() > 126)
            text += u"\\[u%1]"_s.arg(c.unicode(), 4, 16, QLatin1Char('0')).toUpper().replace(u'U', u'u');
        else
            text += c;
    }
    if (text.startsWith(u'.') || text.startsWith(u'\''))
        text.prepend(u"\\&"_s);
    return text.replace(u"\n."_s, u"\n\\&."_s).replace(u"\n'"_s, u"\n\\&'"_s);
}

/// Lines of the text, each a line of the page.
QString lines(const QString& text)
{
    return shown(text).replace(u'\n', u"\n.br\n"_s) + u'\n';
}

QString optionsText(const std::vector<OptionSpec>& options)
{
    QString page;
    for (const OptionSpec& option : options) {
        QString name = u"\\fB"_s;
        if (option.letter)
            name += u"\\-%1\\fR, \\fB"_s.arg(QLatin1Char(option.letter));
        name += u"\\-\\-"_s + shown(text(option.name)) + u"\\fR"_s;
        if (option.type != ValueType::flag)
            name += u" \\fI"_s + shown(text(option.value)) + u"\\fR"_s;
        page += u".TP\n"_s + name + u'\n' + shown(text(option.help)) + u".\n"_s;
    }
    return page;
}

QString verbText(const VerbSpec& verb)
{
    QString heading = text(verb.name);
    if (!verb.options.empty())
        heading += u" [OPTIONS]"_s;
    if (*verb.arguments)
        heading += u' ' + text(verb.arguments);
    QString page = u".SS "_s + shown(heading) + u'\n' + shown(text(verb.summary)) + u'\n';
    if (*verb.more)
        page += u".PP\n"_s + lines(text(verb.more));
    return page + optionsText(verb.options);
}

} // namespace

QString manualPage(const QString& version)
{
    QString page = uR"(.\" Made from the table of verbs, as `trialdeck --help` is.
.TH TRIALDECK 1 "" "Trialdeck %1" "User Commands"
.SH NAME
trialdeck, trialdeckd \- run and watch machine\-learning trials
.SH SYNOPSIS
.B trialdeck
[\fIOPTIONS\fR]
.br
.B trialdeck
\fIVERB\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]
.br
.B trialdeckd
\-\-serve [\fIOPTIONS\fR]
.SH DESCRIPTION
Without a verb \fBtrialdeck\fR opens its window. A verb speaks with the service of the data directory, and starts it in the background where none
runs; trials go on when the window, the command line and the service have ended. \fBtrialdeckd\fR is the same without a window.
.SH VERBS
)"_s.arg(version);
    for (const VerbSpec& verb : verbTable())
        page += verbText(verb);
    page += u".SH OPTIONS\n.SS Without a verb\n"_s + optionsText(programOptions());
    page += u".SS Of every verb\n"_s + optionsText(globalOptions());
    page += uR"(.SH EXIT STATUS
.TP
.B 0
Done, and all succeeded.
.TP
.B 1
Refused, or failed.
.TP
.B 2
The command line is wrong.
.TP
.B 3
The service was not reached.
.TP
.B 4
A trial that was waited for has failed.
.TP
.B 5
The time was up.
.SH ENVIRONMENT
.TP
.B TRIALDECK_URL\fR, \fBTRIALDECK_TOKEN_FILE
As \-\-url and \-\-token\-file.
.TP
.B SSL_CERT_FILE
A file of certificate authorities, PEM, that an https:// service is checked by, instead of the system's.
.TP
.B XDG_DATA_HOME\fR, \fBXDG_CONFIG_HOME\fR, \fBXDG_STATE_HOME
Where data, settings and logs are; by default in ~/.local/share, ~/.config and ~/.local/state.
.SH FILES
.TP
.I ~/.local/share/trialdeck
The data directory: trials, their metrics and logs, the service's socket and token.
.TP
.I ~/.config/trialdeck/platforms
A file for each platform.
.SH EXAMPLES
.nf
trialdeck \-\-demo
trialdeck run \-\-sample 20 lr=log:1e\-4..1e\-1 \-\-wait \-\- python3 train.py \-\-lr {lr}
.fi
)"_s;
    return page;
}

} // namespace app
