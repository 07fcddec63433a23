// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trialkeeper {

/// Where everything of one service and machine lies (services/wire/protocol.h, 4).
struct Places
{
    std::string base;
    std::string serviceId;
    std::string machineId;

    [[nodiscard]] std::string own() const { return base + '/' + serviceId + '/' + machineId; }
    [[nodiscard]] std::string trials() const { return own() + "/trials"; }
    [[nodiscard]] std::string trial(const std::string& id) const { return trials() + '/' + id; }
    [[nodiscard]] std::string code() const { return base + "/code"; }
};

} // namespace trialkeeper
