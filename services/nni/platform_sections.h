// SPDX-License-Identifier: GPL-3.0-or-later
// What NNI's files say of platforms: one row a kind, to which each further kind adds its own.
#pragma once

#include "section.h"

#include <functional>

namespace nni {

/// Reads files that an experiment file names.
struct NamedFiles
{
    std::function<QString(const QString& path)> absolute;
    std::function<std::optional<QByteArray>(const QString& path)> read; ///< nothing: it cannot be read
};

/// What a section fills: settings of the platform, platformOptions of the experiment, and the experiment.
struct PlatformParts
{
    Json& settings;
    Json& options;
    Json& experiment;
};

struct PlatformSection
{
    const char* name; ///< that a file gives it
    const char* kind; ///< of the platform; null: as the file names it
    bool inPlace;     ///< NNI runs its trials in the code directory itself
    bool ownRoles;    ///< each role has a command of its own, and the trial has none
    /// Members, of `trial` in a v1 file and of `trainingService`, that describe the whole job, so that there need be no command; may be null.
    const char* ownJobs[2];
    /// From the top of a v1 file and its `trial`; null: this kind is of files of the v2 schema alone.
    void (*readV1)(Section& top, Section& trial, const PlatformParts& parts, const NamedFiles& files);
    /// From `trainingService` of a v2 file.
    void (*readV2)(Section& service, const PlatformParts& parts, const NamedFiles& files);
};

/// What NNI runs trials in where a file names no image.
inline constexpr const char* imageOfNni = "msranni/nni:latest";

/// By the name that a file gives it; null when this kind is not read.
[[nodiscard]] const PlatformSection* platformSection(const QString& name);
/// Why this one of NNI's platforms cannot be used; continues the sentence that begins with the field. Empty: it can, or may one day.
[[nodiscard]] Message whyGone(const QString& name);
[[nodiscard]] bool isPlatformOfNni(const QString& name);
[[nodiscard]] QString platformsOfNni(); ///< for messages

} // namespace nni
