// SPDX-License-Identifier: GPL-3.0-or-later
// What a program that runs trials does when it is asked twice, spoken to directly (resources/api/external-platform.md).
#pragma once

#include "services/platforms/external/program_file.h"

namespace app::conformance {

/// The program of a kind `external.NAME`, from the configuration in a data directory. Kind::not_found: the kind is another one.
[[nodiscard]] core::Result<platforms::external::ProgramFile> programOf(const QString& dataDir, const QString& kind);

/// Hands the same job over twice, also after the program was ended between. Empty: it began once, and the program lists it once; else what
/// was seen. `settings`: of the platform, with secrets; works in a folder of its own below `dataDir`.
[[nodiscard]] QString programRepeats(
    const platforms::external::ProgramFile& program, const core::Json& settings, const QString& dataDir);

} // namespace app::conformance
