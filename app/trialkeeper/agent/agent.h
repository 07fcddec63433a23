// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "output.h"
#include "watcher.h"

#include "app/trialkeeper/base/children.h"
#include "app/trialkeeper/base/loop.h"
#include "app/trialkeeper/base/places.h"

#include <string>

namespace trialkeeper {

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

} // namespace trialkeeper
