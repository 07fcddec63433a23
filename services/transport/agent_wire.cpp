// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_wire.h"

using namespace Qt::StringLiterals;

namespace transport {

std::optional<Error> AgentWire::refusal() const
{
    if (state() == State::closed)
        return Error{Kind::cancelled, u"The platform is being closed."_m, {}};
    if (state() == State::lost)
        return Error{Kind::network, u"There is no contact with the machine's agent."_m, {}};
    return std::nullopt;
}

} // namespace transport
