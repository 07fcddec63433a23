// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command_channel.h"

#include <QByteArrayList>
#include <QSocketNotifier>

#include <memory>
#include <sys/types.h>

namespace transport {

/// A child of this process. It has its own process group (Ctrl-C in a terminal is not for it), none of our descriptors, and an
/// environment without our secrets.
class ProcessChannel : public CommandChannel
{
    Q_OBJECT
public:
    /// `words[0]` is the program's path. Nothing is signalled from inside this call.
    [[nodiscard]] static Result<std::unique_ptr<ProcessChannel>> start(const QByteArrayList& words);
    /// An agent for `folder` that another program starts outside of our sandbox, asked for over the Unix socket `socket`
    /// (services/wire/handover.h). handedOver() follows, and before handedOver(true) nothing else.
    [[nodiscard]] static Result<std::unique_ptr<ProcessChannel>> handOver(const QString& socket, const QString& folder);
    ~ProcessChannel() override;

    void write(const QByteArray& bytes) override;
    [[nodiscard]] qint64 unwritten() const override { return m_waiting.size() - m_sent; }
    void sendEof() override;

    [[nodiscard]] qint64 processId() const { return m_pid; }

signals:
    /// Once, of a channel that handOver() made. False: nothing was started, and nothing follows.
    void handedOver(bool accepted);

private:
    struct Ends;
    ProcessChannel(pid_t pid, const Ends& ends);
    void listen();
    void readAnswer();
    void flush();
    void readOutput();
    void readError();

    pid_t m_pid;        ///< 0: not known
    int m_process = -1; ///< a descriptor of a process that is not our child (pidfd)
    int m_request = -1; ///< the connection over which one was asked for, until it is answered
    int m_in;           ///< its standard output
    int m_out;          ///< its standard input
    int m_log;          ///< its standard error
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
    std::unique_ptr<QSocketNotifier> m_logReadable;
    std::unique_ptr<QSocketNotifier> m_answerable;
    QByteArray m_waiting; ///< written up to m_sent
    qsizetype m_sent = 0;
    bool m_eofWanted = false;
};

} // namespace transport
