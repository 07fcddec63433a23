// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trialkeeper {

inline constexpr const char* gpuLocksFolder = "/tmp/.trialdeck-gpu";

/// GPUs taken by the trials of a service on this machine: /tmp/.trialdeck-gpu/<uuid>, a shared lock (flock), with the id of the
/// service as content, so that trials of one service may share a GPU and those of two may not. All users of the machine meet there:
/// nothing in it is trusted, and what is odd about one file concerns its GPU alone.
class GpuLocks
{
public:
    /// `visible`: CUDA_VISIBLE_DEVICES of the trial, in the order of `uuids`; sentences name GPUs by it. False, with a sentence in
    /// `message`, if another service holds one of them, or what lies there cannot be a lock. Where no lock can be made for want of
    /// room or permission the GPU is taken without. TRIALDECK_GPU_LOCKS=off in our environment: nothing is looked at.
    [[nodiscard]] bool take(const std::vector<std::string_view>& uuids, std::string_view visible,
        std::string_view serviceId, std::string& message, const char* folder = gpuLocksFolder);
    /// After take() failed over one GPU: its place in `uuids`.
    [[nodiscard]] std::optional<std::size_t> refused() const { return m_refused; }

private:
    std::optional<std::size_t> m_refused;
    std::vector<Fd> m_files;
};

/// Removes the files of locks that this service took last, as this user, and that nobody holds now; and the folder when it is empty.
void removeUnusedGpuLocks(std::string_view serviceId, const char* folder = gpuLocksFolder);

} // namespace trialkeeper
