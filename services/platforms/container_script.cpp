// SPDX-License-Identifier: GPL-3.0-or-later
#include "container_script.h"

#include "services/trial/trial_command.h"

using namespace Qt::StringLiterals;

namespace platforms {

Result<QByteArray> containerScript(const TrialScript& script, const QByteArray& node)
{
    const Result<TrialShell> shell = trialShell(script);
    if (!shell)
        return fail(shell);
    QByteArray text = "#!/bin/bash\n";
    text += "echo \"Trialdeck: the output of the trial is in\" " + trial::shellQuoted(script.folder).toUtf8() + '\n';
    text += "export TRIALDECK_NODE=\"" + node + "\"\n"; // the keeper says it
    text += shell->exports;
    text += "exec";
    for (const QString& word : shell->words)
        text += ' ' + trial::shellQuoted(word).toUtf8();
    // Of a run before this one nothing lives any more.
    text += " --again >>" + trial::shellQuoted(script.folder + u"/log"_s).toUtf8() + " 2>&1\n";
    return text;
}

} // namespace platforms
