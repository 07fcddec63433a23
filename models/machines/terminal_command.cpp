// SPDX-License-Identifier: GPL-3.0-or-later
#include "terminal_command.h"

#include "services/core/ssh_address.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

using core::Json;
using core::Kind;
using core::Result;

namespace {

struct TerminalWords
{
    Q_DECLARE_TR_FUNCTIONS(models::TerminalCommand)
};

struct Terminal
{
    QString name;
    QStringList before; ///< what stands between the program and a command given as single arguments
};

/// The desktop's own choice first.
const QList<Terminal>& terminals()
{
    static const QList<Terminal> list{{u"x-terminal-emulator"_s, {u"-e"_s}}, {u"gnome-terminal"_s, {u"--"_s}},
        {u"konsole"_s, {u"-e"_s}}, {u"xfce4-terminal"_s, {u"-x"_s}}, {u"mate-terminal"_s, {u"-x"_s}}, {u"kitty"_s, {}},
        {u"alacritty"_s, {u"-e"_s}}, {u"foot"_s, {}}, {u"wezterm"_s, {u"start"_s, u"--"_s}}, {u"xterm"_s, {u"-e"_s}}};
    return list;
}

/// The machine's entry in the platform's settings; an empty object: it has none.
Json entryOf(const core::SshAddress& address, const core::Platform& platform)
{
    const auto list = platform.settings.find("machineList");
    if (list != platform.settings.end() && list->is_array())
        for (const Json& entry : *list)
            if (const Result<core::SshAddress> one = entry.is_object()
                    ? core::addressOfEntry(entry)
                    : Result<core::SshAddress>(core::fail(Kind::invalid, {}));
                one && *one == address)
                return entry;
    return Json::object();
}

} // namespace

Result<QStringList> sshArguments(const core::Machine& machine, const core::Platform& platform)
{
    const Result<core::SshAddress> address = core::parseSshAddress(machine.address);
    if (!address)
        return core::fail(address);
    // The person's SSH settings may hand host and user to a shell (ProxyCommand, Match exec).
    for (const QString& text : {address->host, QString(address->user).remove(u'\\')})
        if (!text.isEmpty() && !core::isPlainShellWord(text))
            return core::fail(Kind::invalid,
                TerminalWords::tr("%1 is not given to the program ssh: a shell could take it for more than a name.")
                    .arg(text));
    QStringList words;
    if (address->port > 0)
        words += {u"-p"_s, QString::number(address->port)};
    if (!address->user.isEmpty())
        words += {u"-l"_s, address->user};
    const Json entry = entryOf(*address, platform);
    const auto key = entry.find("sshKeyFile");
    if (key != entry.end() && key->is_string() && !key->get<QString>().isEmpty())
        words += {u"-i"_s, key->get<QString>(), u"-o"_s, u"IdentitiesOnly=yes"_s};
    words += {u"--"_s, address->host};
    return words;
}

Result<ProgramStart> terminalStart(
    const core::Machine& machine, const core::PlatformPtr& platform, const QString& hostName, const FindProgram& find)
{
    const auto unable = [](const QString& why) { return core::fail(Kind::platform, why); };
    const bool isLocal = platform && platform->kind == u"local"_s;
    if (!platform || (!isLocal && platform->kind != u"remote"_s))
        return unable(TerminalWords::tr("This kind of platform gives no shell on its machines."));
    if (isLocal && machine.address != hostName)
        return unable(TerminalWords::tr("The service runs on another computer, %1.").arg(machine.address));
    QString program;
    QStringList before;
    for (const Terminal& terminal : terminals()) {
        program = find(terminal.name);
        before = terminal.before;
        if (!program.isEmpty())
            break;
    }
    if (program.isEmpty())
        return unable(
            TerminalWords::tr("No terminal program was found. Install one, for example gnome-terminal or xterm."));
    if (isLocal)
        return ProgramStart{program, {}};
    const QString ssh = find(u"ssh"_s);
    if (ssh.isEmpty())
        return unable(TerminalWords::tr("There is no program ssh on this computer."));
    const Result<QStringList> words = sshArguments(machine, *platform);
    if (!words)
        return core::fail(words);
    return ProgramStart{program, before + QStringList{ssh} + *words};
}

} // namespace models
