// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "frame_link.h"
#include "process_channel.h"

#include <QTimer>

namespace transport {

/// The socket of a unit that starts agents outside of the service's own sandbox; shared by the links of a platform.
struct AgentUnit
{
    QString socket; ///< empty: there is none, and agents are children of this process
    int answerMs =
        2'500; ///< for so long an answer is waited for; after lostAfterMs (agent_client.h) the platform fails
    bool failureTold = false;
};

/// The agent of this computer, started by the unit, else as a child process of this one; what it writes to stderr goes to the log.
class LocalLink : public FrameLink
{
    Q_OBJECT
public:
    /// `program` is the trialkeeper, `folder` its DIR, made by the agent when it is not there.
    LocalLink(QString program, QString folder, std::shared_ptr<AgentUnit> unit = {}, QObject* parent = nullptr);

    void start() override;

    /// Of the agent while it runs, else 0.
    [[nodiscard]] qint64 processId() const { return m_pid; }

protected:
    void ending() override;

private:
    void startByUnit();
    void startAsChild();
    void fallBack(const Message& why);
    void dropAsked();
    void begin(std::unique_ptr<ProcessChannel> channel);

    QString m_program;
    QString m_folder;
    std::shared_ptr<AgentUnit> m_unit;
    std::unique_ptr<ProcessChannel> m_asked; ///< until the unit has answered
    QTimer m_patience;
    qint64 m_pid = 0;
};

} // namespace transport
