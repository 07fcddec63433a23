// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh_handles.h"
#include "ssh_session.h"

#include "services/core/result.h"

#include <QElapsedTimer>
#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <map>

namespace transport {

using namespace core;

/// A session and its channels, on an I/O thread; for SshSession, which calls it by queued calls and hears it by queued signals.
class SshWorker : public QObject
{
    Q_OBJECT
public:
    SshWorker(SshSessionHandle session, SshSilence silence);
    ~SshWorker() override;

    void begin();
    void openExec(int channel, const QByteArray& command);
    void openForward(int channel, const QByteArray& host, int port, int descriptor);
    void write(int channel, const QByteArray& bytes);
    void sendEof(int channel);
    /// Of what data() brought, so much was used.
    void consumed(int channel, qint64 bytes);
    void closeChannel(int channel);

signals:
    void channelOpened(int channel);
    void channelData(int channel, const QByteArray& bytes, bool standardError);
    void channelWritten(int channel, qint64 bytes);
    void channelClosed(int channel, int exitCode, const core::Error& error);
    void ended(const core::Error& error);

private:
    struct Channel;
    enum class Opening { waits, done, refused };

    void pump();
    bool step(int id, Channel& channel);
    Opening open(Channel& channel);
    bool readChannel(int id, Channel& channel);
    bool writeChannel(int id, Channel& channel);
    bool moveDescriptor(Channel& channel);
    void finish(int id, int exitCode, const Error& error);
    void noteHeard();
    void beat();
    void end(const Error& error);
    [[nodiscard]] Error broken() const;

    SshSilence m_silence;
    ssh_counter_struct m_traffic{}; ///< of the session's socket, which adds to it
    SshSessionHandle m_session;
    SshChannelHandle m_pump; ///< never opened: lets libssh read and write when no channel does
    std::map<int, std::unique_ptr<Channel>> m_channels;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
    QTimer m_beat;
    QElapsedTimer m_heard; ///< the server's last byte
    QElapsedTimer m_asked; ///< the first question behind it
    uint64_t m_heardBytes = 0;
    bool m_room = true; ///< the socket took all that libssh had for it
    bool m_over = false;
    bool m_pumping = false;
};

} // namespace transport
