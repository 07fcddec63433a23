// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/mirror.h"
#include "services/client/engine_client.h"

namespace fakes {

/// A client without an engine, on one thread: tests say what changes, and see what was asked.
class FakeEngineClient : public client::EngineClient
{
    Q_OBJECT
public:
    using EngineClient::EngineClient;

    void start() override { }
    void execute(api::Command command, std::function<void(core::Result<api::Reply>)> done) override;

    /// Tells the whole state: connected, and a full change.
    void begin(api::Change change = {});
    /// Tells the next change.
    void publish(api::Change change);
    /// Loses the link.
    void lose(const QString& message, qint64 lastContact);
    /// Answers the oldest command that waits.
    void answer(core::Result<api::Reply> reply);

    QList<api::Command> commands; ///< all that were asked

private:
    QList<std::function<void(core::Result<api::Reply>)>> m_waiting;
    qint64 m_revision = 0;
};

/// A small lab: one local machine without GPUs, one with four (a trial's, shared, someone's, reserved), one silent; an experiment with
/// trials of every status.
[[nodiscard]] api::Change sampleLab();

} // namespace fakes
