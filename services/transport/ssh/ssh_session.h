// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh_login.h"

#include "services/transport/command_channel.h"

#include <QObject>
#include <QThread>

#include <map>
#include <memory>

namespace transport {

class SshChannel;
class SshWorker;

/// What silence of a server means.
struct SshSilence
{
    int beatMs = 5'000; ///< after so much a sign of life is asked for
    int endMs = 15'000; ///< after so much the session ends; not before a sign of life was asked for
};

/// The threads on which all sessions live: never wait, and share their sessions evenly. They end after the last session.
class SshIo
{
public:
    static constexpr int threads = 2;

    explicit SshIo(SshSilence silence);
    ~SshIo();
    SshIo(const SshIo&) = delete;
    SshIo& operator=(const SshIo&) = delete;

    [[nodiscard]] QThread* next();
    [[nodiscard]] SshSilence silence() const { return m_silence; }

private:
    SshSilence m_silence;
    QThread m_threads[threads];
    QObject m_last[threads]; ///< one on each thread: what is posted to it comes after all that was posted before
    int m_next = 0;
};

/// A session that is logged in: this object is its face on the service thread, the session itself is on an I/O thread. Silence is
/// answered by a keepalive, then by the end of the session.
class SshSession : public QObject
{
    Q_OBJECT
public:
    /// `jump` is the session that this one travels through; it lives as long.
    SshSession(SshLoggedIn login, std::shared_ptr<SshIo> io, std::shared_ptr<SshSession> jump);
    ~SshSession() override;

    [[nodiscard]] const SshLoginReport& report() const { return m_report; }
    [[nodiscard]] bool isAlive() const { return m_alive; }
    /// Runs a command by the account's shell.
    [[nodiscard]] std::unique_ptr<SshChannel> exec(const QByteArray& command);
    /// Connects `descriptor`, owned from now on, with host:port as the server sees it, or with a Unix socket there when `host` begins
    /// with `/`. It is closed when that fails or ends; `failed` is called with the reason if it could not be connected.
    void forward(const QString& host, int port, int descriptor, std::function<void(const Error&)> failed = {});

signals:
    void ended(const core::Error& error);

private:
    friend class SshChannel;
    void onEnded(const Error& error);
    void drop(int channel);

    SshLoginReport m_report;
    std::shared_ptr<SshIo> m_io; ///< whose threads delete the worker
    std::shared_ptr<SshSession> m_jump;
    SshWorker* m_worker; ///< deleted on its own thread
    std::map<int, SshChannel*> m_channels;
    std::map<int, std::function<void(const Error&)>> m_forwards; ///< until they are over
    int m_nextChannel = 1;
    bool m_alive = true;
};

/// A command on the server.
class SshChannel : public CommandChannel
{
    Q_OBJECT
public:
    ~SshChannel() override;

    void write(const QByteArray& bytes) override;
    [[nodiscard]] qint64 unwritten() const override { return m_unwritten; }
    void sendEof() override;

signals:
    void opened();

private:
    friend class SshSession;
    SshChannel(SshSession* session, int id);

    SshSession* m_session; ///< null after closed()
    int m_id;
    qint64 m_unwritten = 0;
};

} // namespace transport
