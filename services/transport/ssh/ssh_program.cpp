// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh_program.h"

#include "services/transport/process_channel.h"

#include <QFile>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace transport {

Result<> checkForProgram(const SshAddress& address)
{
    if (Result<> checked = checkSshAddress(address); !checked)
        return checked;
    // The one \ of DOMAIN\user stands before a letter of the account, where it can hide nothing.
    for (const QString& text : {address.host, QString(address.user).remove(u'\\')})
        if (!isPlainShellWord(text))
            return fail(Kind::invalid,
                u"`%1` is not given to the program `ssh`: your SSH settings may hand it to a shell, which could take "
                u"it for more than a "
                u"name."_m.arg(text));
    return {};
}

Result<std::unique_ptr<CommandChannel>> openBySshProgram(const SshWish& wish, const QByteArray& command)
{
    if (const Result<> plain = checkForProgram({wish.user.value_or(QString()), wish.host, wish.port.value_or(0)});
        !plain)
        return fail(plain);
    const QString program = QStandardPaths::findExecutable(u"ssh"_s);
    if (program.isEmpty())
        return fail(
            Kind::platform, u"There is no program `ssh` on this computer; %1 is to be reached by it."_m.arg(wish.host));
    // Settings of the person's hold (the first value counts, and these few are ours); silence ends it as it ends our own sessions.
    // A machine's root could use a forwarded ssh-agent, so there is none.
    QByteArrayList words{QFile::encodeName(program), "-T", "-a", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=5",
        "-o", "ServerAliveCountMax=3", "-o", "ConnectTimeout=20", "-o", "ClearAllForwardings=yes"};
    if (wish.port)
        words << "-p" << QByteArray::number(*wish.port);
    if (wish.user)
        words << "-l" << wish.user->toUtf8();
    if (!wish.keyFile.isEmpty())
        words << "-i" << QFile::encodeName(wish.keyFile) << "-o"
              << "IdentitiesOnly=yes";
    words << "--" << wish.host.toUtf8() << command;
    auto started = ProcessChannel::start(words);
    if (!started)
        return fail(started);
    return std::unique_ptr<CommandChannel>(std::move(*started));
}

Error sshProgramError(const QString& host, const QString& said)
{
    const auto says = [&said](QStringView text) { return said.contains(text, Qt::CaseInsensitive); };
    if (says(u"host key verification failed") || says(u"host identification has changed"))
        return {Kind::conflict,
            u"`ssh` does not trust the host key of %1. Log in there once in a terminal (ssh %1) and compare it."_m.arg(
                host),
            said};
    if (says(u"permission denied"))
        return {Kind::auth,
            u"`ssh` was not let in to %1: %2. It must get in without a question: test it with ssh -o BatchMode=yes %1"_m
                .arg(host, said),
            said};
    if (says(u"connection refused"))
        return {Kind::network,
            u"%1 refused the connection of `ssh`: no SSH server listens there. Start one on it, or correct host and port."_m
                .arg(host),
            said};
    return {Kind::network,
        u"`ssh` did not reach the agent on %1%2"_m.arg(host, said.isEmpty() ? u"."_s : u": "_s + said), said};
}

} // namespace transport
