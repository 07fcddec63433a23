// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/json.h"
#include "services/transport/agent_link.h"

#include <QPointer>

#include <functional>
#include <memory>

namespace fakes {

class FakeAgent;

/// One connection to a FakeAgent. What is sent reaches the agent's script in a later turn of the event loop, as over a wire.
class FakeAgentLink : public transport::AgentLink
{
    Q_OBJECT
public:
    explicit FakeAgentLink(std::shared_ptr<FakeAgent> agent);
    ~FakeAgentLink() override;

    void start() override;
    [[nodiscard]] bool send(const QByteArray& json, const QByteArray& raw = {}, bool bulk = false) override;
    void close() override;
    [[nodiscard]] qint64 pendingBulkBytes() const override { return 0; }

private:
    friend class FakeAgent;
    std::shared_ptr<FakeAgent> m_agent;
    bool m_over = false;
};

/// An agent played by the test: every message that arrives is kept, and answered by `script`, else (hello, adopt) by default. Outlives
/// its connections, as a trial's folder does.
class FakeAgent : public std::enable_shared_from_this<FakeAgent>
{
public:
    struct Message
    {
        core::Json json;
        QByteArray raw;
    };

    /// Gives links to this agent; the agent must be owned by a shared_ptr.
    [[nodiscard]] std::function<std::unique_ptr<transport::AgentLink>()> factory();

    /// Sends a message from the agent to the service now.
    void say(core::Json json, const QByteArray& raw = {});
    void sayRaw(const QByteArray& json, const QByteArray& raw = {});
    /// The connection breaks, as when the agent is killed.
    void die();

    [[nodiscard]] QList<Message> messages(const char* name) const;
    [[nodiscard]] bool connected() const { return m_link && !m_link->m_over; }

    /// Handles a message; false lets the default answer (hello, adopt) be given.
    std::function<bool(const QString& name, const core::Json& message, const QByteArray& raw)> script;
    core::Json helloTrials = core::Json::array(); ///< what is on the agent's disk
    QList<Message> received;
    int connections = 0;
    bool refuses = false; ///< new connections break at once, with this error
    core::Error refusal{core::Kind::network, QStringLiteral("The fake agent refuses."), {}};
    bool asks = false; ///< a person is asked, and answers, before they break
    bool answersHello = true;

private:
    friend class FakeAgentLink;
    void receive(const QByteArray& json, const QByteArray& raw);

    QPointer<FakeAgentLink> m_link;
};

} // namespace fakes
