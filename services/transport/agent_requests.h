// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent_wire.h"

#include "services/core/json.h"
#include "services/core/one_shot.h"

#include <functional>
#include <map>

namespace transport {

/// Numbered questions, each with one reply, which may come in parts.
class AgentRequests
{
public:
    enum class Taken : quint8 {
        more,
        enough, ///< the question is answered by it
        damaged ///< it does not follow what came before: the question is asked again, on a new connection
    };
    /// `isFirst` on each connection.
    using Part = std::function<Taken(const Json&, const QByteArray&, bool isFirst)>;

    explicit AgentRequests(AgentWire& wire)
        : m_wire(wire)
    {
    }

    /// Sends the message, now or when the agent is there. `part` gets each frame of the reply; with `firstBytes` the reply is over
    /// with the first frame of data that has bytes. Kind::invalid for a message that is too large for a frame.
    [[nodiscard]] OneShot<Result<Json>> ask(Json message, bool firstBytes = false, Part part = {});
    /// A frame of the agent with the member `req`. One of a question that is not open is ignored.
    void answer(const QString& name, const Json& message, const QByteArray& raw);
    /// Asks again what is open, on a new connection.
    void resend();
    /// Takes out what is open. The result resolves their tasks; resuming a caller may issue new requests or destroy this object.
    [[nodiscard]] std::function<void()> drop(const Error& error);

private:
    struct Open
    {
        QByteArray message;
        bool firstBytes = false;
        Part part;
        bool begun = false; ///< on this connection
        OneShot<Result<Json>> shot;
    };

    AgentWire& m_wire;
    std::map<qint64, Open> m_open;
    qint64 m_next = 1;
};

} // namespace transport
