// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/trialkeeper/base/users.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace trialkeeper {

/// What nvidia-smi does not tell of the processes in its table, as far as this machine shows it: [{pid, user, command, trial?}].
/// `trials` is our folder of trials: what has one of them in its environment belongs to it. A user that neither `users` nor
/// /etc/passwd names is put into `unknown`, and reported as `uid N`.
[[nodiscard]] nlohmann::json gpuProcesses(
    std::string_view xml, const std::string& trials, const UserNames& users, std::vector<uid_t>& unknown);

} // namespace trialkeeper
