// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "children.h"
#include "loop.h"
#include "output.h"
#include "watcher.h"

#include <string>

namespace trialkeeper {

/// Where everything of one service and machine lies (protocol.h, 4).
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

/// What the parts of an agent share. They outlive all of them; one thread.
struct Agent
{
    Loop loop;
    Output out;
    Children children;
    Watcher watcher;
    Places places;
    std::string shell;                    ///< bash, else sh; absolute
    std::vector<std::string> environment; ///< NAME=value that trials inherit
    std::uint64_t openFiles = 0;          ///< soft limit that trials get

    explicit Agent(int outFd)
        : out(loop, outFd)
        , children(loop)
        , watcher(loop)
    {
    }
};

/// A failure to answer with.
struct Failure
{
    std::string kind;
    std::string message;
    std::string detail;
};

} // namespace trialkeeper
