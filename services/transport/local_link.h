// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent_link.h"

#include "app/trialkeeper/frame.h"

#include <QSocketNotifier>

#include <deque>
#include <memory>
#include <string>
#include <sys/types.h>

namespace transport {

/// The agent as a child process of this one, over a pair of sockets. The child has its own process group (Ctrl-C in a terminal is
/// not for it), none of our descriptors, and an environment without our secrets; what it writes to stderr goes to the log.
class LocalLink : public AgentLink
{
    Q_OBJECT
public:
    /// `program` is the trialkeeper, `folder` its DIR, made by the agent when it is not there.
    LocalLink(QString program, QString folder, QObject* parent = nullptr);
    ~LocalLink() override;

    void start() override;
    [[nodiscard]] bool send(const QByteArray& json, const QByteArray& raw = {}, bool bulk = false) override;
    void close() override;
    [[nodiscard]] qint64 pendingBulkBytes() const override { return m_bulkBytes; }

    /// Of the agent while it runs, else 0.
    [[nodiscard]] qint64 processId() const { return m_pid; }

private:
    Result<> spawn();
    void readFrames();
    void readLog();
    void logLines(bool all);
    void flush();
    void end(const Error& error);
    void release();

    QString m_program;
    QString m_folder;
    pid_t m_pid = 0;
    int m_in = -1;  ///< what the agent sends
    int m_out = -1; ///< what it receives
    int m_log = -1;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
    std::unique_ptr<QSocketNotifier> m_logReadable;
    trialkeeper::FrameDecoder m_decoder;
    std::string m_logTail; ///< of stderr: a line without its end yet
    QString m_lastLogLine;

    std::string m_sending; ///< on its way, written up to m_sent
    size_t m_sent = 0;
    std::string m_control;
    std::deque<std::string> m_bulk;
    qint64 m_bulkBytes = 0;
    bool m_started = false;
    bool m_closing = false;
    bool m_over = false;
};

} // namespace transport
