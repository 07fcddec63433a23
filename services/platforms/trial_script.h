// SPDX-License-Identifier: GPL-3.0-or-later
// How a cluster's node starts a trial with the keeper (`trialkeeper pod`), as lines for bash. Pure.
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QMap>
#include <QStringList>

#include <optional>

namespace platforms {

using namespace core;

/// A text for the keeper: in the script itself, or in a file that the node sees.
struct ScriptText
{
    QByteArray bytes;
    QString file; ///< absolute; empty: `bytes` count

    bool operator==(const ScriptText&) const = default;
};

/// Above this, in bytes, a ScriptText must be a file: Linux passes 128 KiB in one argument.
inline constexpr qsizetype maxInlineText = 64 * 1024;

/// What is the same on every cluster whose nodes share a folder. Paths are absolute, as the node has them.
struct TrialScript
{
    QString trialId;         ///< isSafeId()
    QString folder;          ///< of the trial, there before it starts
    QString keeper;          ///< trialkeeper-pod
    QString codeFolder;      ///< working directory of the command; empty: the trial's folder
    std::optional<int> gpus; ///< absent: nothing is said, and nothing hidden; 0: CUDA sees none
    QMap<QString, QString> environment;
    ScriptText command; ///< for bash -c
    ScriptText parameters;
    std::optional<ScriptText> parameterCfg;
    int graceSeconds = 5;
    bool shared =
        true; ///< trialkeeper pod --shared: what was started in `folder` once is not started again without --again

    /// Of a container that sees a storage of whole files: folder, keeper and codeFolder are relative to a new folder of the container.
    struct ObjectStore
    {
        QString keeper;      ///< copied to TrialScript::keeper
        QString codeArchive; ///< .tar.gz, unpacked into TrialScript::codeFolder; empty: there is no code
        QString output;      ///< NNI_OUTPUT_DIR
        QString pieces;      ///< the log, as trialkeeper pod --pieces
    };
    std::optional<ObjectStore> store;
};

struct TrialShell
{
    QByteArray exports; ///< lines that set the environment
    QStringList words;  ///< the keeper's command line, to be quoted
};

/// Kind::invalid, with a sentence that names the value, where a value cannot be expressed.
[[nodiscard]] Result<TrialShell> trialShell(const TrialScript& script);

} // namespace platforms
