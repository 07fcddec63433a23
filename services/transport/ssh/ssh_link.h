// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh_hub.h"

#include "services/transport/agent_bootstrap.h"
#include "services/transport/frame_link.h"

#include <QPointer>

namespace transport {

/// How to come to one machine's agent.
struct SshLinkPlan
{
    SshWish wish;
    AgentPlace place;
    QString ownKeeper; ///< of this computer; those of other processors lie beside it
    SshAsk ask;
    /// From the login to the agent's first word, between steps of bringing it, and between the bytes of its program.
    qint64 startWithinMs = 30'000;
};

/// The agent of a machine behind SSH: logs in, brings the agent there if it is not, and carries its frames over that one channel.
class SshLink : public FrameLink
{
    Q_OBJECT
public:
    SshLink(SshHub* hub, SshLinkPlan plan, QObject* parent = nullptr);
    ~SshLink() override;

    void start() override;

protected:
    void received(const QByteArray& bytes) override;
    void wrote() override;
    [[nodiscard]] Error endedEarly(int exitCode) const override;
    [[nodiscard]] Error brokenBy(const Error& error) const override;
    [[nodiscard]] Error noFrame() const override;
    void ending() override { m_deadline.reset(); }

private:
    static Task<> enter(QPointer<SshLink> self, SshHub* hub, SshLinkPlan plan);
    static Task<> logIn(QPointer<SshLink> self, SshHub* hub, SshLinkPlan plan);
    static Task<> bring(QPointer<SshLink> self, SshHub* hub, KeeperFile keeper);
    void begin(const QList<KeeperFile>& keepers);
    void arrived();
    void restartDeadline();
    [[nodiscard]] Error late() const;
    [[nodiscard]] QString byHand() const;
    void failed();

    SshHub* m_hub;
    SshLinkPlan m_plan;
    std::shared_ptr<SshSession> m_session;       ///< none where the program `ssh` is the way
    std::unique_ptr<AgentBootstrap> m_bootstrap; ///< until the agent runs
    std::unique_ptr<TimerHandle> m_deadline;
    bool m_failed = false;   ///< the bootstrap reported an error; output from before it may still arrive
    bool m_spoken = false;   ///< the agent sent something
    qint64 m_agentBytes = 0; ///< of the agent's program, once it is on its way
    int m_agentStep = 0;     ///< of agentSteps: the last progress message
};

} // namespace transport
