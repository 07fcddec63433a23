// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "device_login.h"
#include "login_memory.h"

#include "services/platforms/commands/command_host.h"
#include "services/transport/http/token_source.h"

#include <functional>

namespace platforms::azure {

/// Tokens of Entra ID, got as a TokenPlan says. One is got at a time, whatever number of clients and requests wait for it: they share what it
/// gives. It is kept until shortly before its end, or until a server refuses it. A login with a code asks the person once; its refresh token
/// is handed to `keep` each time that it changes. After a failure not again for `pauseMs`. On the service thread; Kind::auth: a person must do
/// something. Errors and logs hold no token and no secret.
class EntraTokenSource : public transport::TokenSource
{
public:
    static constexpr qint64 leewayMs =
        60'000; ///< before the end of a token; of one that lives shortly a tenth of its life
    static constexpr qint64 pauseMs = 10'000;
    static constexpr qint64 azLimitMs = 60'000; ///< for the program az, which may have to wake up first

    struct Plan
    {
        TokenPlan token;
        transport::HttpEnvironment environment;                ///< what it points to outlives the source
        CommandHost* commands = nullptr;                       ///< of this computer, for az; not owned
        std::shared_ptr<LoginMemory> logins;                   ///< may be null
        Sink* sink = nullptr;                                  ///< for questions; not owned
        QString subject;                                       ///< what a login is for, for a person
        std::function<void(const QString& refreshToken)> keep; ///< may be empty
    };
    explicit EntraTokenSource(Plan plan);

    [[nodiscard]] Task<Result<QByteArray>> authorization(QByteArray rejected, std::stop_token stop) override;

private:
    [[nodiscard]] QByteArray value() const { return "Bearer " + m_token->access; }
    [[nodiscard]] bool isGood(const QByteArray& rejected) const;
    [[nodiscard]] Error noted(Error error);

    [[nodiscard]] Task<Result<EntraToken>> get(std::stop_token stop);
    [[nodiscard]] Task<Result<EntraToken>> checkedGet(QByteArray rejected, std::stop_token stop);
    [[nodiscard]] Task<Result<EntraToken>> ask(QUrl server, transport::HttpRequest request, std::stop_token stop);
    [[nodiscard]] Task<Result<EntraToken>> askIdentity(std::stop_token stop);
    [[nodiscard]] Task<Result<EntraToken>> askAz(std::stop_token stop);
    [[nodiscard]] Task<Result<EntraToken>> askWithAssertion(std::stop_token stop);
    /// By a refresh token, or by asking the person.
    [[nodiscard]] Task<Result<EntraToken>> askDevice(std::stop_token stop);
    /// The newest one that is known; empty: none.
    [[nodiscard]] QString refreshToken() const;
    void keepRefreshToken(const QString& token);

    Plan m_plan;
    DeviceLogin m_device;
    std::optional<EntraToken> m_token;
    QString m_refresh; ///< as last kept
    bool m_isAsking = false;
    std::vector<OneShot<Result<EntraToken>>> m_waiting;
    std::optional<Error> m_failure; ///< of the last time
    qint64 m_failedMs = 0;          ///< of the steady clock
};

} // namespace platforms::azure
