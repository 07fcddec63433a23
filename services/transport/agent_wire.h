// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/result.h"

#include <QByteArray>

#include <optional>

namespace transport {

using namespace core;

/// What the parts of an AgentClient need of its connection; a test gives them one that only notes what is sent.
class AgentWire
{
public:
    enum class State {
        connecting, ///< what is asked for now is sent when the agent has answered
        up,
        lost,  ///< no contact for AgentClient::lostAfterMs, and still none
        closed ///< for good
    };

    virtual ~AgentWire() = default;
    [[nodiscard]] virtual State state() const = 0;
    /// Why the last link ended; empty when none has.
    [[nodiscard]] virtual const Error& lastError() const = 0;
    /// Sends a frame. One that is too large is logged and dropped. Does nothing without a link.
    virtual void send(const QByteArray& json) = 0;
    /// Sends a frame with raw bytes, which frames without overtake. `raw` has at most trialkeeper::maxRaw bytes; the state is up.
    virtual void sendBulk(const QByteArray& json, const QByteArray& raw) = 0;
    /// Ends this link, whose agent does not keep to the protocol; the next one begins from what was received well. Callers whose
    /// questions end with the link are resumed inside this call, and may destroy the client.
    virtual void linkAnew(const Error& error) = 0;

    [[nodiscard]] bool isUp() const { return state() == State::up; }
    /// Why nothing can be asked for; nothing when it can.
    [[nodiscard]] std::optional<Error> refusal() const;
};

} // namespace transport
