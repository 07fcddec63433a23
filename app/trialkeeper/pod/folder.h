// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "options.h"

#include "app/trialkeeper/base/io.h"
#include "app/trialkeeper/base/lock.h"

#include <string>
#include <string_view>

namespace trialkeeper {

/// The open folders and files of a trial in a pod or job. Of the layout in protocol.h, 4: parameter.cfg, parameters.json, metrics.jsonl,
/// .nni/, output/; of a shared one lock, token, journal, stdout, stderr and .exit, too.
struct PodFolder
{
    std::string path;       ///< absolute
    std::string outputPath; ///< absolute
    std::string codePath;   ///< absolute
    Fd folder;
    Fd code;
    Fd journal, standardOutput, standardError; ///< of a shared folder; else invalid
    KeeperLock lock;                           ///< of a shared folder
};

/// Makes the folder for a run of the command: an earlier run's parameters and metrics are removed, what lies in output/ stays.
/// False: `message` is a sentence. A shared folder in which a trial was started, or is being started, is refused without
/// options.again; only `folder.folder` counts then.
[[nodiscard]] bool preparePodFolder(const PodOptions& options, std::string_view parameters,
    std::string_view parameterCfg, PodFolder& folder, std::string& message);

} // namespace trialkeeper
