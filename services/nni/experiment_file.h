// SPDX-License-Identifier: GPL-3.0-or-later
// NNI's experiment files as experiments of ours. Both schemas: v1 (it has `trainingServicePlatform`), and v2 of NNI 2.x and 3.0.
#pragma once

#include "section.h"

#include <functional>

namespace nni {

/// The file's content, in the words of POST /experiments and PUT /platforms.
struct ExperimentFile
{
    int schema = 2;
    Json experiment = Json::object(); ///< all but platformId; codeDir is absolute
    QString kind;                     ///< of the platform that the file names: `local`
    Json settings = Json::object();   ///< of that platform; empty: the file has none
    /// What to do when the search is not one of ours: a sentence. Then the experiment has neither searchSpace nor tuner.
    core::Message needsNni;
    std::vector<FileNote> notes; ///< in the order of the file
};

struct FileOptions
{
    QString folder; ///< of the file: relative paths count from it
    QString home;   ///< what `~` is
    /// The person has named a platform: the file's own platform is ignored, and may be of any kind.
    bool otherPlatform = false;
    std::function<std::optional<QByteArray>(const QString& path)> readFile; ///< the search space's
    std::function<bool(const QString& path)> isFolder;
    /// Judges a search space of one parameter, whose name its message holds. Absent: any will do.
    std::function<Result<>(const Json& space)> checkSpace;
};

/// Options that look at the real disk.
[[nodiscard]] FileOptions optionsFor(const QString& file, const QString& home);

/// Kind::invalid names each field that is wrong, with line and column, and why; a line of the message each. Pure but for the two functions of `options`.
[[nodiscard]] Result<ExperimentFile> readExperimentFile(QByteArrayView text, const FileOptions& options);

} // namespace nni
