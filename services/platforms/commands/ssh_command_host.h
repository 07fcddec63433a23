// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command_frame.h"
#include "command_host.h"

#include "services/transport/ssh/ssh_hub.h"

#include <QPointer>

#include <map>

namespace platforms {

struct SshCommandPlan
{
    transport::SshWish wish;
    CommandPlace place;
    transport::SshAsk ask;
};

/// When a lost connection is tried again: after `firstMs`, then twice as long each time up to `longestMs`, each changed by chance
/// by up to the fraction `jitter`.
struct SshCommandReconnect
{
    qint64 firstMs = 1'000;
    qint64 longestMs = 60'000;
    double jitter = 0.3;
};

/// Commands of a login node: all over one SSH session, or each by the program `ssh` where the wish says so. A lost session is opened again
/// in the background until a login is refused for good (Kind::auth, conflict or invalid), which waits for open(). While there is none, run()
/// joins a login in progress, with its questions, and else fails at once with the error of the last.
class SshCommandHost : public CommandHost
{
    Q_OBJECT
public:
    /// `hub` is not owned, and outlives this.
    SshCommandHost(
        transport::SshHub* hub, SshCommandPlan plan, SshCommandReconnect reconnect = {}, QObject* parent = nullptr);
    ~SshCommandHost() override;

    [[nodiscard]] Task<Result<>> open() override;
    /// Accepts the host key with this fingerprint, which was offered and not accepted; open() then succeeds.
    [[nodiscard]] Task<Result<>> trust(QString fingerprint);

    [[nodiscard]] bool isHere() const override { return false; }
    [[nodiscard]] bool isConnected() const override { return m_isUp; }
    [[nodiscard]] Message name() const override { return m_plan.wish.host; }
    /// Of the latest login; none by the program `ssh`.
    [[nodiscard]] const std::optional<transport::SshLoginReport>& report() const { return m_report; }
    /// The end of what the account's startup files print though no person is there; empty where they are quiet, as they should be.
    [[nodiscard]] const QByteArray& noise() const { return m_noise; }

signals:
    /// A login was refused for good.
    void refused(const core::Error& error);

protected:
    [[nodiscard]] Task<Result<CommandOutput>> execute(CommandLine line, std::stop_token stop) override;
    void disconnectHost() override;

private:
    using Session = std::shared_ptr<transport::SshSession>;

    static Task<> logIn(QPointer<SshCommandHost> self, transport::SshHub* hub, SshCommandPlan plan);
    Task<> tryProgram();
    void beginLogin();
    void loggedIn(const Result<Session>& session);
    void settleLogin(const Result<>& result);
    void onLost(const Error& error);
    void retryLater();
    Task<Result<>> ready(std::stop_token stop);
    Task<Result<CommandOutput>> runFramed(CommandLine line, std::stop_token stop);
    [[nodiscard]] Result<std::unique_ptr<transport::CommandChannel>> openChannel(const QByteArray& command);
    void signalFar(const QByteArray& command);

    transport::SshHub* m_hub;
    SshCommandPlan m_plan;
    SshCommandReconnect m_reconnect;
    Session m_session;
    std::optional<transport::SshLoginReport> m_report;
    QByteArray m_noise;
    bool m_isUp = false;
    bool m_isLoggingIn = false;
    std::vector<OneShot<Result<>>> m_joined; ///< who waits for the login in progress
    Error m_lastError;                       ///< of the last login or session
    int m_attempts = 0;                      ///< in vain, since the last session
    std::unique_ptr<TimerHandle> m_retry;
    bool m_isRefused = false;
    std::map<int, std::unique_ptr<transport::CommandChannel>> m_signals; ///< commands that end others
    int m_nextSignal = 0;
};

} // namespace platforms
