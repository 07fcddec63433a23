// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/trialkeeper/base/io.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trialkeeper {

/// All that a keeper needs to run one trial, worked out by the agent, so that keepers parse no JSON and hold no heap.
struct Launch
{
    std::string folder; ///< absolute path of the trial's folder
    std::string serviceId;
    std::string spec; ///< text of spec.json
    std::string parameterCfg;
    std::string parameters;
    std::string codeKind; ///< none, folder, inPlace; an archive has become a folder
    std::string codePath;
    std::vector<std::string> arguments;   ///< argv of the command; [0] an absolute path
    std::vector<std::string> environment; ///< NAME=value
    std::vector<std::string> gpuLocks;
    std::uint64_t graceMs = 0;
    std::uint64_t oomKills = 0;  ///< proc.h, when the trial was started
    std::uint64_t openFiles = 0; ///< soft limit to give back to the trial
};

/// The same as views into a mapped file; every text is followed by a NUL.
struct LaunchView
{
    std::string_view folder, serviceId, spec, parameterCfg, parameters, codeKind, codePath;
    std::vector<const char*> arguments, environment; ///< each ends with a null pointer
    std::vector<std::string_view> gpuLocks;
    std::uint64_t graceMs = 0, oomKills = 0, openFiles = 0;
};

/// The value of a variable of the trial's environment; empty if it is not set.
[[nodiscard]] std::string_view valueOf(const LaunchView& launch, std::string_view name);

[[nodiscard]] std::string encodeLaunch(const Launch& launch);
/// False if the bytes are not what encodeLaunch makes.
[[nodiscard]] bool decodeLaunch(std::string_view bytes, LaunchView& view);

/// A keeper's report of a start to its agent: one write to a pipe, smaller than PIPE_BUF and so atomic.
struct StartReport
{
    std::uint32_t ticket = 0; ///< the agent's number of the start
    enum class Result : std::uint32_t { Started, Repeat, Failed } result = Result::Failed;
    std::int32_t pid = 0;
    std::int32_t gpuLock = 0; ///< of a failure that concerns one GPU: its place in the launch's gpuLocks, from 1
    std::int64_t time = 0;
    char kind[16] = {};
    char message[504] = {};
    char detail[480] = {};
};
static_assert(sizeof(StartReport) == 1024);

inline constexpr int launchFd = 3; ///< of a keeper
inline constexpr int reportFd = 4;

} // namespace trialkeeper
