// SPDX-License-Identifier: GPL-3.0-or-later
// `trialdeck run` as a value: from the command line to an experiment and its trials. Pure.
#pragma once

#include "app/cli/json_view.h"
#include "app/cli/options.h"

#include <QProcessEnvironment>

namespace commands {

using namespace app;

/// One word of a POSIX shell.
[[nodiscard]] QString shellWord(const QString& text);

/// The words of a command as one shell line. `{name}` of a known name stays outside of any quotes, because the service puts a
/// quoted value there; a `$` before it makes it literal.
[[nodiscard]] QString shellLine(const QStringList& words, const QStringList& liveNames);

/// A name for people from the command: the script without its suffix, the module behind -m, else the program.
[[nodiscard]] QString nameOfCommand(const QStringList& words);

/// PATH, VIRTUAL_ENV and CONDA_PREFIX of the caller: what local trials run with.
[[nodiscard]] Json callerEnvironment(const QProcessEnvironment& environment);

struct RunPlan
{
    Json experiment; ///< for POST /experiments
    int trials = 0;  ///< trials without parameters to submit afterwards; 0: the experiment searches by itself
    QString how;     ///< `20 random samples`, `every combination`, `1 trial`
};

/// `isLocal`: the platform's kind is `local`. Errors are usage errors.
[[nodiscard]] Result<RunPlan> planRun(
    const CommandLine& line, const QString& workingDirectory, const QProcessEnvironment& environment, bool isLocal);

} // namespace commands
