// SPDX-License-Identifier: GPL-3.0-or-later
// A terminal on a machine, as a program with its arguments. Nothing passes through a shell. Pure.
#pragma once

#include "services/core/records.h"
#include "services/core/result.h"

#include <functional>

namespace models {

struct ProgramStart
{
    QString program;
    QStringList arguments;
    bool operator==(const ProgramStart&) const = default;
};

/// The path of a program by its name; empty: there is none.
using FindProgram = std::function<QString(const QString& name)>;

/// The arguments of `ssh` with which the platform reaches the machine: user, port and key of its settings. Kind::invalid where a name
/// could be taken for more than a name.
[[nodiscard]] core::Result<QStringList> sshArguments(const core::Machine& machine, const core::Platform& platform);

/// A terminal with a shell on the machine. `hostName`: of this computer, as the service of this computer calls its machine. An error
/// says why there is none, as a sentence in the window's language.
[[nodiscard]] core::Result<ProgramStart> terminalStart(
    const core::Machine& machine, const core::PlatformPtr& platform, const QString& hostName, const FindProgram& find);

} // namespace models
