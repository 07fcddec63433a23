// SPDX-License-Identifier: GPL-3.0-or-later
// What a program that runs trials says of itself (resources/api/external-platform.md, `describe`), as a kind of platform. Pure.
#pragma once

#include "services/platforms/platform.h"

namespace platforms::external {

inline constexpr int protocolVersion = 1;

/// Calls that a program need not know.
enum class OptionalCall { forget, machines, check, choices };

struct ProgramDescription
{
    QString title;
    QList<Field> fields;           ///< the program's own
    QList<Field> experimentFields; ///< likewise
    QSet<OptionalCall> calls;
    bool isPushing = false; ///< it says `changed` at each change of a job
};

/// Kind::invalid with a sentence that names the member: what is not known is refused, so that a slip of the pen is found.
[[nodiscard]] Result<ProgramDescription> readDescription(const Json& described);

/// Settings of each such platform, which are the service's.
inline constexpr const char* folderSetting = "folder";         ///< of trials, here; empty: in the data directory
inline constexpr const char* nodeFolderSetting = "nodeFolder"; ///< the same as nodes see it; empty: the same path

/// Kind `external.NAME`.
[[nodiscard]] KindDescription kindOf(const QString& name, const ProgramDescription& description);
/// The settings without those that are the service's.
[[nodiscard]] Json programSettings(Json settings);

} // namespace platforms::external
