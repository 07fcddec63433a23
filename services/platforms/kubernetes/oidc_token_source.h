// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kubeconfig_tokens.h"

#include "services/transport/http/http_settings.h"
#include "services/transport/http/token_source.h"

#include <functional>

namespace platforms::kubernetes {

/// The ID token of an OpenID Connect account, renewed with its refresh token when it has expired or was refused, and written back into the
/// kubeconfig. Before, the file is read again: another program may have renewed it. One renewal at a time for each folder of kubeconfigs,
/// whatever process it is in. Once the refresh token is on its way a stop waits for the answer, 10 s at most: the provider may take a
/// refresh token once, and then only the answer has one that is good. After a failure not again for `pauseMs`, and a refresh token that
/// was refused is not sent again. On the client's thread, files on the strand.
class OidcTokenSource : public transport::TokenSource
{
public:
    static constexpr qint64 leewayMs = 10'000; ///< before the token expires
    static constexpr qint64 pauseMs = 30'000;
    static constexpr qint64 lockMs = 30'000; ///< how long another one's renewal is waited for
    static constexpr qint64 againMs = 200;   ///< until a lock is tried again
    static constexpr qint64 lockFileMs = 2'000;
    static constexpr qint64 raceMs = 1'000; ///< after which the file has the tokens of whoever was faster

    /// What `environment` points to must outlive this. `remark`, which may be empty, is called while renewed tokens cannot be written.
    OidcTokenSource(
        OidcLogin login, transport::HttpEnvironment environment, std::function<void(const Message&)> remark);

    [[nodiscard]] Task<Result<QByteArray>> authorization(QByteArray rejected, std::stop_token stop) override;

private:
    [[nodiscard]] bool isGood(const QByteArray& rejected) const;
    [[nodiscard]] QByteArray value() const { return "Bearer " + m_tokens.id; }
    /// Why it must be renewed, for a sentence that goes on.
    [[nodiscard]] Message need() const;
    [[nodiscard]] Error failed(Error cause);

    [[nodiscard]] Task<std::shared_ptr<RenewalLock>> lock(std::stop_token stop);
    [[nodiscard]] Task<> readFile();
    /// Until m_tokens are good, or with what prevents that.
    [[nodiscard]] Task<Result<>> renew(QByteArray rejected, std::stop_token stop);
    [[nodiscard]] Task<Result<OidcTokens>> askProvider(std::stop_token stop);
    [[nodiscard]] Task<Result<transport::HttpReply>> ask(
        QUrl base, transport::HttpRequest request, std::stop_token stop);
    [[nodiscard]] Task<> store(OidcTokens tokens);

    OidcLogin m_login;
    transport::HttpEnvironment m_environment;
    std::function<void(const Message&)> m_remark;
    OidcTokens m_tokens;
    OidcTokens m_seen;              ///< in the file when it was last read or written
    QByteArray m_refused;           ///< refresh token that the provider does not take any more; empty: none
    std::optional<Error> m_refusal; ///< of `m_refused`
    std::optional<Error> m_failure; ///< of the last renewal
    qint64 m_failedMs = 0;          ///< of the steady clock
    bool m_isUnwritten = false;     ///< the remark says that tokens could not be written
};

} // namespace platforms::kubernetes
