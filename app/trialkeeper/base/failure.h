// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trialkeeper {

/// A failure to answer with.
struct Failure
{
    std::string kind;
    std::string message;
    std::string detail;
};

} // namespace trialkeeper
