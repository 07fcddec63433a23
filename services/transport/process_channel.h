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
    ~ProcessChannel() override;

    void write(const QByteArray& bytes) override;
    [[nodiscard]] qint64 unwritten() const override { return m_waiting.size() - m_sent; }
    void sendEof() override;

    [[nodiscard]] qint64 processId() const { return m_pid; }

private:
    ProcessChannel(pid_t pid, int in, int out, int log);
    void flush();
    void readOutput();
    void readError();

    pid_t m_pid;
    int m_in;  ///< what it says
    int m_out; ///< what it hears
    int m_log; ///< its standard error
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
    std::unique_ptr<QSocketNotifier> m_logReadable;
    QByteArray m_waiting; ///< written up to m_sent
    qsizetype m_sent = 0;
    bool m_eofWanted = false;
};

} // namespace transport
