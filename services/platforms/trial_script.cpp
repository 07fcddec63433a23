// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_script.h"

#include "services/trial/trial_command.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

bool hasControlCharacter(QStringView text)
{
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c < u' ' || c == QChar(0x7f); });
}

bool isShellName(QStringView name)
{
    return !name.isEmpty() && !name[0].isDigit() && std::all_of(name.begin(), name.end(), [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') || c == u'_';
    });
}

/// Variables that bash does not let a script set.
bool isReadOnly(const QString& name)
{
    static const QSet<QString> names{u"UID"_s, u"EUID"_s, u"PPID"_s, u"BASHOPTS"_s, u"SHELLOPTS"_s, u"BASH_VERSINFO"_s,
        u"GROUPS"_s, u"FUNCNAME"_s, u"DIRSTACK"_s, u"BASH_ARGC"_s, u"BASH_ARGV"_s, u"BASH_LINENO"_s, u"BASH_SOURCE"_s,
        u"BASHPID"_s, u"IFS"_s, u"LINENO"_s, u"RANDOM"_s, u"SECONDS"_s, u"SRANDOM"_s, u"EPOCHSECONDS"_s,
        u"EPOCHREALTIME"_s, u"BASH_SUBSHELL"_s, u"BASH_COMMAND"_s, u"HISTCMD"_s, u"PIPESTATUS"_s, u"POSIXLY_CORRECT"_s,
        u"OPTIND"_s, u"_"_s};
    return names.contains(name);
}

/// Adds lines to `exports`, and to `byEnv` NAME=VALUE of those that bash cannot export.
Result<> addEnvironment(const TrialScript& script, QByteArray& exports, QStringList& byEnv)
{
    for (auto it = script.environment.cbegin(); it != script.environment.cend(); ++it) {
        const QString& name = it.key();
        if (name.isEmpty() || name.contains(u'=') || hasControlCharacter(name) || !QStringView(name).isValidUtf16())
            return fail(Kind::invalid, u"\"%1\" is no name of an environment variable."_m.arg(name));
        if (it->contains(QChar(0)) || !QStringView(*it).isValidUtf16())
            return fail(
                Kind::invalid, u"The environment variable %1 holds a NUL character, which none can."_m.arg(name));
        const QByteArray pair = (name + u'=' + *it).toUtf8();
        if (Result<> checked = trial::checkArgumentSize(u"The environment variable %1"_m.arg(name), pair.size());
            !checked)
            return checked;
        if (isShellName(name) && !isReadOnly(name))
            exports += "export " + name.toUtf8() + '=' + trial::shellQuoted(*it).toUtf8() + '\n';
        else
            byEnv.append(name + u'=' + *it);
    }
    return {};
}

/// As a word for the keeper: readable where it is plain text, else base64.
Result<QString> textWord(const Message& what, const ScriptText& text)
{
    if (!text.file.isEmpty())
        return u"file:"_s + text.file;
    if (text.bytes.size() > maxInlineText)
        return fail(Kind::invalid,
            u"%1 is longer than %2 KiB: it must be given as a file."_m.arg(what).arg(maxInlineText / 1'024));
    const QString plain = QString::fromUtf8(text.bytes);
    if (plain.toUtf8() == text.bytes && !hasControlCharacter(plain))
        return u"text:"_s + plain;
    return u"base64:"_s + QString::fromLatin1(text.bytes.toBase64());
}

} // namespace

Result<TrialShell> trialShell(const TrialScript& script)
{
    TrialShell shell;
    if (script.gpus == 0)
        shell.exports += "export CUDA_VISIBLE_DEVICES=-1\n";
    else if (script.gpus)
        shell.exports += "export CUDA_DEVICE_ORDER=PCI_BUS_ID\n";
    QStringList byEnv;
    if (const Result<> added = addEnvironment(script, shell.exports, byEnv); !added)
        return fail(added);
    const Result<QString> command = textWord(u"The command"_m, script.command);
    const Result<QString> parameters = textWord(u"The text of the parameters"_m, script.parameters);
    const Result<QString> cfg =
        script.parameterCfg ? textWord(u"The text of parameter.cfg"_m, *script.parameterCfg) : QString();
    for (const Result<QString>* one : {&command, &parameters, &cfg}) {
        if (!*one)
            return fail(*one);
    }
    if (script.command.file.isEmpty() && script.command.bytes.isEmpty())
        return fail(Kind::invalid, u"There is no command."_m);
    if (!byEnv.isEmpty())
        shell.words += u"env"_s;
    shell.words += byEnv;
    shell.words += {script.keeper, u"--id"_s, script.trialId, u"--dir"_s, script.folder, u"--code"_s,
        script.codeFolder.isEmpty() ? script.folder : script.codeFolder, u"--grace"_s,
        QString::number(script.graceSeconds), u"--parameters"_s, *parameters, u"--shell"_s, *command};
    if (!cfg->isEmpty())
        shell.words += {u"--parameter-cfg"_s, *cfg};
    if (script.store)
        shell.words += {u"--output"_s, script.store->output, u"--pieces"_s, script.store->pieces};
    if (script.shared)
        shell.words += u"--shared"_s;
    return shell;
}

} // namespace platforms
