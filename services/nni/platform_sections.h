// SPDX-License-Identifier: GPL-3.0-or-later
// What NNI's files say of platforms: one row a kind, to which each further kind adds its own.
#pragma once

#include "section.h"

#include <functional>

namespace nni {

/// Makes a path of the file absolute.
using PathReader = std::function<QString(const QString& path)>;

/// What a section fills: settings of the platform, and platformOptions of the experiment.
struct PlatformParts
{
    Json& settings;
    Json& options;
};

struct PlatformSection
{
    const char* kind;
    bool inPlace; ///< NNI runs its trials in the code directory itself
    /// From the top of a v1 file; null: this kind is of files of the v2 schema alone.
    void (*readV1)(Section& top, Json& settings, const PathReader& absolute);
    /// From `trainingService` of a v2 file.
    void (*readV2)(Section& service, const PlatformParts& parts, const PathReader& absolute);
};

/// By the name that a file gives it; null when this kind is not read.
[[nodiscard]] const PlatformSection* platformSection(const QString& name);
[[nodiscard]] bool isPlatformOfNni(const QString& name);
[[nodiscard]] QString platformsOfNni(); ///< for messages

} // namespace nni
