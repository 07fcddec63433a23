// SPDX-License-Identifier: GPL-3.0-or-later
#include "service_unit.h"

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

} // namespace

QByteArray userUnit(const QString& daemon, const QString& dataDir)
{
    QString start = unitWord(daemon) + u" --serve"_s;
    if (!dataDir.isEmpty())
        start += u" --data-dir "_s + unitWord(dataDir);
    return (
        u"[Unit]\nDescription=Trialdeck, the service that runs machine-learning trials\n\n"
        "[Service]\nType=exec\nExecStart=%1\nRestart=on-failure\nRestartSec=2\n"
        "# Trials outlive the service: only its own process is ended, and one that runs out of memory takes nobody "
        "with it.\n"
        "KillMode=process\nOOMPolicy=continue\n"
        "# Trials are children of this unit, and there may be thousands.\n"
        "TasksMax=infinity\nLimitNOFILE=65536\nTimeoutStopSec=30\n\n[Install]\nWantedBy=default.target\n"_s.arg(start))
        .toUtf8();
}

} // namespace commands
