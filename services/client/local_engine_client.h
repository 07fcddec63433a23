// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine_client.h"

#include "services/api/engine_port.h"

namespace client {

using namespace api;

/// The engine of this process, on its own thread: calls go through the port, answers come home as events.
class LocalEngineClient : public EngineClient
{
    Q_OBJECT
public:
    /// The port must outlive the client.
    explicit LocalEngineClient(EnginePort& port, QObject* parent = nullptr);
    ~LocalEngineClient() override;

    void start() override;
    void execute(Command command, std::function<void(Result<Reply>)> done) override;

private:
    struct Home;

    EnginePort& m_port;
    std::shared_ptr<Home> m_home;
    int m_listener = 0;
};

} // namespace client
