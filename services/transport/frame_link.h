// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent_link.h"
#include "command_channel.h"

#include "services/wire/frame.h"

#include <deque>
#include <memory>
#include <string>

namespace transport {

/// An agent at the other end of a channel: the queues of frames to it, frames and lines of the log from it, and one end. What the
/// ways to an agent add is how the channel comes to be.
class FrameLink : public AgentLink
{
    Q_OBJECT
public:
    ~FrameLink() override;

    [[nodiscard]] bool send(const QByteArray& json, const QByteArray& raw = {}, bool bulk = false) override;
    void close() override;
    [[nodiscard]] qint64 pendingBulkBytes() const override { return m_bulkBytes; }

protected:
    /// `name` stands before the agent's lines in the log; empty: none.
    explicit FrameLink(QString name, QObject* parent);

    /// What the channel brings goes to received(); frames are held back until letFramesTravel().
    void attach(std::unique_ptr<CommandChannel> channel);
    void letFramesTravel();
    /// Emits frame() for each that is complete; the link may be over, or gone, afterwards.
    void readFrames(const QByteArray& bytes);
    void end(const Error& error);

    [[nodiscard]] CommandChannel* channel() const { return m_channel.get(); }
    [[nodiscard]] bool isOver() const { return m_over; }
    [[nodiscard]] QString lastLogLine() const { return m_lastLogLine; }
    /// The end of what came on standard error, with a line that has no end yet.
    [[nodiscard]] QString errorTail() const { return QString::fromUtf8(m_errorTail).trimmed(); }

    virtual void received(const QByteArray& bytes) { readFrames(bytes); }
    virtual void wrote() { }
    /// Of a command that ended by itself, and without close().
    [[nodiscard]] virtual Error endedEarly(int exitCode) const;
    /// For a channel that broke.
    [[nodiscard]] virtual Error brokenBy(const Error& error) const { return error; }
    /// For bytes that are no frame.
    [[nodiscard]] virtual Error noFrame() const;
    /// Called once, before closed().
    virtual void ending() { }

private:
    void flush();
    void dropBulk();
    void logLines(const QByteArray& bytes, bool all);
    void onClosed(int exitCode, const Error& error);

    QString m_name;
    std::unique_ptr<CommandChannel> m_channel;
    trialkeeper::FrameDecoder m_decoder;
    QByteArray m_logTail; ///< a line without its end yet
    QString m_lastLogLine;
    QByteArray m_errorTail;
    qint64 m_logged = 0; ///< characters of such lines
    std::string m_control;
    std::deque<std::string> m_bulk;
    qint64 m_bulkBytes = 0;
    bool m_travel = false;
    bool m_closing = false;
    bool m_over = false;
};

} // namespace transport
