// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent_link.h"

#include "app/trialkeeper/frame.h"
#include "ssh_hub.h"

#include <QPointer>

#include <deque>
#include <string>

namespace transport {

/// How to come to one machine's agent.
struct SshLinkPlan
{
    SshWish wish;
    AgentPlace place;
    QString ownKeeper; ///< of this computer; those of other processors lie beside it
    SshAsk ask;
};

/// The agent of a machine behind SSH: logs in, brings the agent there if it is not, and carries its frames over that one channel.
class SshLink : public AgentLink
{
    Q_OBJECT
public:
    SshLink(SshHub* hub, SshLinkPlan plan, QObject* parent = nullptr);
    ~SshLink() override;

    void start() override;
    [[nodiscard]] bool send(const QByteArray& json, const QByteArray& raw = {}, bool bulk = false) override;
    void close() override;
    [[nodiscard]] qint64 pendingBulkBytes() const override { return m_bulkBytes; }

private:
    static Task<> enter(QPointer<SshLink> self, SshHub* hub, SshLinkPlan plan);
    static Task<> bring(QPointer<SshLink> self, SshHub* hub, KeeperFile keeper);
    void begin(std::shared_ptr<SshSession> session, const QList<KeeperFile>& keepers);
    void onData(const QByteArray& bytes);
    void onErrorData(const QByteArray& bytes);
    void onClosed(int exitCode, const Error& error);
    void readFrames(const QByteArray& bytes);
    void flush();
    void end(const Error& error);
    void restartDeadline();

    SshHub* m_hub;
    SshLinkPlan m_plan;
    std::shared_ptr<SshSession> m_session;
    std::unique_ptr<SshChannel> m_channel;
    std::unique_ptr<AgentBootstrap> m_bootstrap; ///< until the agent runs
    std::unique_ptr<TimerHandle> m_deadline;
    trialkeeper::FrameDecoder m_decoder;
    QByteArray m_logTail;
    QString m_lastLogLine;
    qint64 m_startedMs = 0;

    std::string m_control;
    std::deque<std::string> m_bulk;
    qint64 m_bulkBytes = 0;
    bool m_open = false;
    bool m_closing = false;
    bool m_over = false;
};

} // namespace transport
