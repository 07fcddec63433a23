// SPDX-License-Identifier: GPL-3.0-or-later
#include "container_script.h"

#include "services/trial/trial_command.h"

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

QByteArray quoted(const QString& text)
{
    return trial::shellQuoted(text).toUtf8();
}

/// Brings what the trial needs into the container. 125: that cannot be done; a sentence is in the job's own log.
QByteArray fetchLines(const TrialScript& script)
{
    const TrialScript::ObjectStore& store = *script.store;
    QByteArray text = "failed() { echo \"Trialdeck: $1\" >&2; exit 125; }\n";
    text += "umask 077\n";
    text += "own=$(mktemp -d \"${TMPDIR:-/tmp}/trialdeck.XXXXXX\") && cd \"$own\""
            " || failed \"no folder can be made in the container\"\n";
    text += "cp " + quoted(store.keeper) + ' ' + quoted(script.keeper) + " && chmod 700 " + quoted(script.keeper)
        + " || failed \"the keeper cannot be copied from the storage\"\n";
    if (!store.codeArchive.isEmpty())
        text += "mkdir " + quoted(script.codeFolder) + " && tar -xzf " + quoted(store.codeArchive) + " -C "
            + quoted(script.codeFolder) + " || failed \"the code cannot be unpacked; the image needs tar and gzip\"\n";
    return text;
}

} // namespace

Result<QByteArray> containerScript(const TrialScript& script, const QByteArray& node)
{
    const Result<TrialShell> shell = trialShell(script);
    if (!shell)
        return fail(shell);
    QByteArray text = "#!/bin/bash\n";
    text += "echo \"" + QByteArray(scriptBegins) + "\" " + quoted(script.store ? script.store->pieces : script.folder)
        + '\n';
    if (script.store)
        text += fetchLines(script);
    text += "export TRIALDECK_NODE=\"" + node + "\"\n"; // the keeper says it
    text += shell->exports;
    text += "exec";
    for (const QString& word : shell->words)
        text += ' ' + quoted(word);
    if (script.store)
        return text + '\n';
    // Of a run before this one nothing lives any more.
    text += " --again >>" + quoted(script.folder + u"/log"_s) + " 2>&1\n";
    return text;
}

} // namespace platforms
