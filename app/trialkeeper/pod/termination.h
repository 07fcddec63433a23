// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "final_watch.h"
#include "frame_output.h"

#include <string>

namespace trialkeeper {

inline constexpr std::size_t maxTermination = 4096; ///< bytes that Kubernetes takes of a terminationMessagePath

/// What goes there: the frame of the last final metric, where there is one that fits, then the frame of the end, where there is one
/// (`finalJson` is not empty). PodLogReader reads both after the log, from which they may be missing.
[[nodiscard]] std::string terminationText(
    const FrameOutput& output, const FinalWatch::Record& last, const std::string& finalJson);
/// Writes over the file, which cannot be replaced (a container's is mounted). False: errno.
[[nodiscard]] bool writeTermination(const std::string& path, const std::string& text);

} // namespace trialkeeper
