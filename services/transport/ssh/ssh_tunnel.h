// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh_hub.h"

#include <QPointer>
#include <QTcpServer>

class QUrl;

namespace transport {

/// A service as it is reached from here.
struct TunnelEnd
{
    QString url; ///< http://127.0.0.1:PORT
    QByteArray token;
};

/// What may be done where no service runs.
struct TunnelHelp
{
    bool mayStart = false;
    QStringList
        programs; ///< trialdeckd and what it needs, here; brought there where Trialdeck is not installed, if a person agrees
};

/// A way to a service on another computer, through a login there: no port is opened on it. Each connection to our end becomes a
/// channel of the session; a session that broke (a laptop that slept) is made anew with the next connection.
class SshTunnel : public QObject
{
    Q_OBJECT
public:
    /// `hub` outlives this.
    SshTunnel(SshHub* hub, SshAsk ask, QObject* parent = nullptr);
    ~SshTunnel() override;

    /// `ssh://[user@]host[:port][/DATA/DIR]`. Whoever calls keeps this until it is done.
    [[nodiscard]] Task<Result<TunnelEnd>> open(QUrl url, QString ownKnownHosts, TunnelHelp help);

private:
    struct Ran
    {
        QByteArray out;
        QByteArray err;
        int exitCode = -1;
    };
    Task<Result<Ran>> run(QByteArray command, QByteArray input);
    Task<Result<TunnelEnd>> find(QByteArray folder);
    Task<Result<>> startThere(QByteArray folder, TunnelHelp help);
    Task<Result<>> install(QStringList programs);
    Task<Result<>> connectSession();
    void accept();
    static Task<> carry(QPointer<SshTunnel> self, int descriptor);

    SshHub* m_hub;
    SshAsk m_ask;
    SshWish m_wish;
    std::shared_ptr<SshSession> m_session;
    std::vector<OneShot<Result<>>> m_waiting; ///< for the session that is being made
    bool m_connecting = false;
    QTcpServer m_server;
    QString m_socket; ///< path of the service's Unix socket on the other computer
};

} // namespace transport
