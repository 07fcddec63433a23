// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/context.h"
#include "services/client/local_engine_client.h"

#include <QThread>

namespace app {

/// The service of this process, on a thread of its own, as a client of the window's thread. Commands wait until it is open; what
/// goes wrong then is reported as a lost link. The caller holds the lock of the data directory.
class OwnEngine : public client::EngineClient
{
    Q_OBJECT
public:
    OwnEngine(CommandLine line, commands::Surroundings around, Paths paths, QObject* parent = nullptr);
    ~OwnEngine() override; ///< ends the service; trials go on

    void start() override;
    void execute(api::Command command, std::function<void(core::Result<api::Reply>)> done) override;
    /// Ends the service: `ended` comes on this thread when the data directory is free but for the lock.
    void end(const std::function<void()>& ended);

private:
    class Thread;

    void onOpened(api::EnginePort* port, const core::Error& error);

    std::unique_ptr<Thread> m_thread;
    std::unique_ptr<client::LocalEngineClient> m_client;
    QList<std::pair<api::Command, std::function<void(core::Result<api::Reply>)>>> m_waiting;
    std::optional<core::Error> m_error;
    bool m_started = false;
    bool m_ending = false;
};

} // namespace app
