// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent_link.h"
#include "agent_types.h"
#include "agent_wire.h"

#include "services/core/clock.h"
#include "services/core/json.h"
#include "services/core/one_shot.h"
#include "services/core/task.h"

#include <functional>
#include <memory>

namespace transport {

/// The connection to one machine's agent: one link after another, each opened with a hello that names the watched trials. A link
/// that ends is replaced after a delay that grows with each failure. Service thread only.
class AgentSession : public QObject, public AgentWire
{
    Q_OBJECT
public:
    using LinkFactory = std::function<std::unique_ptr<AgentLink>()>;
    /// Without an agent for so long, contact is lost.
    static constexpr qint64 lostAfterMs = 3'000;

    /// `clock` and `watched` outlive this.
    AgentSession(
        Clock* clock, LinkFactory makeLink, QString serviceId, QString machineId, const WatchedTrials& watched);
    ~AgentSession() override;

    void setReconnect(const AgentReconnect& reconnect) { m_reconnecting = reconnect; }
    /// Begins to connect, and goes on until beginClose().
    void start();
    /// Does not wait any longer for the next link, as a person wants it.
    void reconnectNow();
    /// The state is closed from now on; the link is still there.
    void beginClose();
    /// After beginClose(): ends the link. Resolves when the agent has ended, at the latest after 2 s.
    [[nodiscard]] Task<> endLink();

    [[nodiscard]] State state() const override;
    [[nodiscard]] const Error& lastError() const override { return m_lastError; }
    void send(const QByteArray& json) override;
    void sendBulk(const QByteArray& json, const QByteArray& raw) override;
    void linkAnew(const Error& error) override;

signals:
    /// The agent answered the hello; the state is up.
    void established(const transport::AgentHello& hello);
    /// Any other message.
    void received(const QString& name, const core::Json& message, const QByteArray& raw);
    /// The link ended, and another one follows.
    void broken();
    /// The state is lost from now on.
    void silenced(const core::Error& error);
    /// After silenced(), and again with each new reason; `since` in milliseconds since the epoch.
    void lost(const core::Error& error, qint64 since);
    void waiting(const core::Message& what, bool forPerson);
    void examined(const core::CheckStep& step);

private:
    void connectLink();
    void sendHello();
    void onFrame(const QByteArray& text, const QByteArray& raw);
    void onHello(const Json& message);
    void onAdopted(const Json& message);
    /// States of trials into m_hello; of those that nobody named only the first.
    void takeStates(const Json& trials);
    void finishHello();
    void onClosed(const Error& error);
    void onSilence();
    /// Ends a link that does not end by itself.
    void abandonLink(const Error& error);

    Clock* m_clock;
    LinkFactory m_makeLink;
    QString m_serviceId;
    QString m_machineId;
    const WatchedTrials& m_watched;

    std::unique_ptr<AgentLink> m_link;
    std::optional<AgentHello> m_hello; ///< answered, but not complete: adopts that belong to it are open
    int m_helloAdopts = 0;
    qint64 m_streamed = 0;     ///< number of the last of the link's messages that are numbered
    qsizetype m_strangers = 0; ///< in m_hello
    bool m_linkOpen = false;
    bool m_up = false;
    bool m_closed = false;
    bool m_lost = false;
    bool m_asks = false; ///< the link waits for a person
    qint64 m_upSteady = 0;
    qint64 m_downSince = 0; ///< wall clock
    int m_failures = 0;     ///< in a row
    int m_refusals = 0;     ///< in a row; an agent that cannot be reached in between does not end it
    AgentReconnect m_reconnecting;
    Error m_lastError;
    std::unique_ptr<TimerHandle> m_reconnect;
    std::unique_ptr<TimerHandle> m_helloTimeout;
    std::unique_ptr<TimerHandle> m_lostTimer;
    OneShot<bool> m_linkEnded;
};

} // namespace transport
