// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh_login.h"

#include <QObject>
#include <QThread>

#include <map>
#include <memory>

namespace transport {

class SshChannel;
class SshWorker;

/// The threads on which all sessions live: never wait, and share their sessions evenly.
class SshIo
{
public:
    static constexpr int threads = 2;

    SshIo();
    ~SshIo(); ///< every session is gone
    SshIo(const SshIo&) = delete;
    SshIo& operator=(const SshIo&) = delete;

    [[nodiscard]] QThread* next();

private:
    QThread m_threads[threads];
    QObject m_last[threads]; ///< one on each thread: what is posted to it comes after all that was posted before
    int m_next = 0;
};

/// A session that is logged in: this object is its face on the service thread, the session itself is on an I/O thread. Silence is
/// answered by a keepalive after 5 s, and by the end of the session after 15 s.
class SshSession : public QObject
{
    Q_OBJECT
public:
    /// `jump` is the session that this one travels through; it lives as long.
    SshSession(SshLoggedIn login, SshIo* io, std::shared_ptr<SshSession> jump);
    ~SshSession() override;

    [[nodiscard]] const SshLoginReport& report() const { return m_report; }
    [[nodiscard]] bool isAlive() const { return m_alive; }
    /// Runs a command by the account's shell.
    [[nodiscard]] std::unique_ptr<SshChannel> exec(const QByteArray& command);
    /// Connects `descriptor`, owned from now on, with host:port as the server sees it; it is closed when that fails or ends.
    /// `failed` hears why it could not be.
    void forward(const QString& host, int port, int descriptor, std::function<void(const Error&)> failed = {});

signals:
    void ended(const core::Error& error);

private:
    friend class SshChannel;
    void onEnded(const Error& error);
    void drop(int channel);

    SshLoginReport m_report;
    std::shared_ptr<SshSession> m_jump;
    SshWorker* m_worker; ///< deleted on its own thread
    std::map<int, SshChannel*> m_channels;
    std::map<int, std::function<void(const Error&)>> m_forwards; ///< until they are over
    int m_nextChannel = 1;
    bool m_alive = true;
};

/// A command's standard input, output and error. Destroying it closes the channel.
class SshChannel : public QObject
{
    Q_OBJECT
public:
    ~SshChannel() override;

    void write(const QByteArray& bytes);
    /// Bytes of write() that the session has not taken yet.
    [[nodiscard]] qint64 unwritten() const { return m_unwritten; }
    void sendEof();

signals:
    void opened();
    void data(const QByteArray& bytes);
    void errorData(const QByteArray& bytes);
    void written();
    /// Exactly once, nothing follows. `exitCode` is -1 when none was told; the error is empty when the command ended by itself.
    void closed(int exitCode, const core::Error& error);

private:
    friend class SshSession;
    SshChannel(SshSession* session, int id);

    SshSession* m_session; ///< null after closed()
    int m_id;
    qint64 m_unwritten = 0;
};

} // namespace transport
