// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that run trials and were added to a service: a file each, CONFIG/external/NAME.json.
#pragma once

#include "program_description.h"

namespace platforms::external {

struct ProgramFile
{
    QString name;                   ///< of the kind `external.NAME`: isProgramName()
    QStringList command;            ///< words; the first is a path, or found in PATH
    Json described;                 ///< as the program said it
    ProgramDescription description; ///< read from it
};

/// 1 to 40 of a-z, 0-9 and '-', and begins with a letter.
[[nodiscard]] bool isProgramName(const QString& name);

/// Kind::invalid with a sentence that names the file and the member.
[[nodiscard]] Result<ProgramFile> readProgramFile(const QString& configDir, const QString& name);
/// All that can be read, by their names; each that cannot be read adds a sentence to `problems`.
[[nodiscard]] QList<ProgramFile> readProgramFiles(const QString& configDir, QList<Error>& problems);
[[nodiscard]] Result<> writeProgramFile(const QString& configDir, const ProgramFile& file);
/// Kind::not_found: there is none of this name.
[[nodiscard]] Result<> removeProgramFile(const QString& configDir, const QString& name);

} // namespace platforms::external
