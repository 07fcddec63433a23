// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent_wire.h"

#include "services/core/json.h"
#include "services/core/one_shot.h"

#include <QHash>
#include <QSet>
#include <QStringList>

#include <functional>
#include <list>
#include <memory>

namespace transport {

/// Questions of one kind (adopt, or cancel) whose answer comes trial by trial, in any number of frames.
class AgentBatches
{
public:
    using States = QHash<QString, QString>; ///< by trial

    explicit AgentBatches(AgentWire& wire)
        : m_wire(wire)
    {
    }

    /// Sends the message, now or when the agent is there. The states, one of each trial, or the first error.
    [[nodiscard]] OneShot<Result<States>> ask(const QStringList& trials, QByteArray message);
    /// States from a frame of the agent; each belongs to the oldest question that waits for its trial.
    void answer(const Json& states);
    /// Everything is answered from the states of a hello; a trial that it lacks is `unknown`.
    [[nodiscard]] std::function<void()> answerFrom(const States& hello);
    /// Asks again what is open, on a new connection.
    void resend();
    /// Takes out what is open. The result resolves their tasks; resuming a caller may issue new requests or destroy this object.
    [[nodiscard]] std::function<void()> drop(const Error& error);

private:
    struct Batch
    {
        QByteArray message;
        QSet<QString> open;
        States states;
        std::optional<Error> error; ///< of the first trial that it failed for
        OneShot<Result<States>> shot;
    };
    using BatchPtr = std::shared_ptr<Batch>;

    AgentWire& m_wire;
    std::list<BatchPtr> m_batches; ///< oldest first
};

} // namespace transport
