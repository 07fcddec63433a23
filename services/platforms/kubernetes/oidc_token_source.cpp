// SPDX-License-Identifier: GPL-3.0-or-later
#include "oidc_token_source.h"

#include "jwt_expiry.h"
#include "kube_proxy.h"
#include "oidc_answers.h"

#include "services/core/logging.h"
#include "services/core/printable.h"
#include "services/transport/http/http_client.h"
#include "services/transport/http/patience.h"
#include "services/transport/http/wire/response_head.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

OidcTokenSource::OidcTokenSource(
    OidcLogin login, transport::HttpEnvironment environment, std::function<void(const Message&)> remark)
    : m_login(std::move(login))
    , m_environment(std::move(environment))
    , m_remark(std::move(remark))
    , m_tokens(m_login.tokens)
    , m_seen(m_login.tokens)
{
}

bool OidcTokenSource::isGood(const QByteArray& rejected) const
{
    if (m_tokens.id.isEmpty() || !transport::isFieldValue(m_tokens.id) || value() == rejected)
        return false;
    const std::optional<qint64> expires =
        jwtExpiryMs(m_tokens.id); // one that does not say when is the server's to judge
    return !expires || *expires - leewayMs > m_environment.clock->nowMs();
}

Message OidcTokenSource::need() const
{
    const QString user = printable(m_login.user, 150);
    const std::optional<qint64> expires = jwtExpiryMs(m_tokens.id);
    if (m_tokens.id.isEmpty())
        return u"The user \"%1\" has no ID token"_m.arg(user);
    if (expires && *expires - leewayMs <= m_environment.clock->nowMs())
        return u"The ID token of the user \"%1\" expired at %2"_m.arg(
            user, QDateTime::fromMSecsSinceEpoch(*expires, Qt::UTC).toString(Qt::ISODate));
    return u"The cluster does not accept the ID token of the user \"%1\" (401)"_m.arg(user);
}

Error OidcTokenSource::failed(Error cause)
{
    if (cause.kind == Kind::cancelled)
        return cause;
    const Message why = retryable(cause.kind)
        ? u"%1, and it cannot be renewed now: %2"_m.arg(need(), cause.message)
        : u"%1, and it cannot be renewed: %2 Log in to the cluster again; better, use the exec plugin kubelogin (kubectl oidc-login)."_m
              .arg(need(), cause.message);
    m_failure = Error{retryable(cause.kind) ? cause.kind : Kind::auth, why, {}};
    m_failedMs = m_environment.clock->steadyMs();
    return *m_failure;
}

Task<Result<QByteArray>> OidcTokenSource::authorization(QByteArray rejected, std::stop_token stop)
{
    if (isGood(rejected))
        co_return value();
    if (m_failure && m_environment.clock->steadyMs() - m_failedMs < pauseMs)
        co_return tl::unexpected(Error(*m_failure));
    auto renewing = renew(rejected, stop);
    const Result<> renewed = co_await renewing;
    if (!renewed)
        co_return tl::unexpected(failed(renewed.error()));
    m_failure.reset();
    co_return value();
}

Task<std::shared_ptr<RenewalLock>> OidcTokenSource::lock(std::stop_token stop)
{
    const qint64 end = m_environment.clock->steadyMs() + lockMs;
    for (;;) {
        auto trying = m_environment.strand->run([file = m_login.file] { return RenewalLock::tryTake(file); });
        std::shared_ptr<RenewalLock> taken = co_await trying;
        if (taken || m_environment.clock->steadyMs() >= end)
            co_return taken;
        auto pausing = transport::pause(m_environment.clock, againMs, stop);
        const bool goesOn = co_await pausing;
        if (!goesOn)
            co_return taken;
    }
}

Task<> OidcTokenSource::readFile()
{
    auto reading = m_environment.strand->run([file = m_login.file, user = m_login.user]() -> Result<OidcTokens> {
        const Result<QByteArray> text = readKubeFile(file);
        return text ? readOidcTokens(*text, file, user) : Result<OidcTokens>(fail(text));
    });
    const Result<OidcTokens> there = co_await reading;
    if (there && *there != m_seen)
        m_tokens = m_seen = *there;
}

Task<Result<>> OidcTokenSource::renew(QByteArray rejected, std::stop_token stop)
{
    auto locking = lock(stop);
    const std::shared_ptr<RenewalLock> alone = co_await locking;
    auto reading = readFile();
    co_await reading;
    for (bool isAgain = false;; isAgain = true) {
        if (isGood(rejected))
            co_return Result<>{};
        if (!m_refused.isEmpty() && m_tokens.refresh == m_refused)
            co_return tl::unexpected(Error(*m_refusal));
        auto asking = askProvider(stop);
        const Result<OidcTokens> given = co_await asking;
        if (given) {
            const bool isSame = "Bearer " + given->id == rejected;
            if (!given->refresh.isEmpty())
                m_tokens.refresh = given->refresh;
            m_tokens.id = given->id;
            auto storing = store(m_tokens);
            co_await storing;
            if (isSame)
                co_return fail(Kind::auth, u"The provider gave the same ID token again."_m);
            if (!isGood(rejected))
                co_return fail(Kind::auth,
                    u"The provider gave an ID token that has expired already. Check the clock of this computer."_m);
            co_return Result<>{};
        }
        if (isAgain || m_refused.isEmpty() || m_tokens.refresh != m_refused)
            co_return fail(given);
        // A program that knows nothing of the lock, as kubectl, may have used it first.
        auto pausing = transport::pause(m_environment.clock, raceMs, stop);
        co_await pausing;
        auto readingAgain = readFile();
        co_await readingAgain;
    }
}

Task<Result<OidcTokens>> OidcTokenSource::askProvider(std::stop_token stop)
{
    const auto lacks = [](const QString& member) {
        return fail(Kind::auth, u"the kubeconfig holds no %1."_m.arg(member));
    };
    if (m_tokens.refresh.isEmpty())
        co_return lacks(u"refresh-token"_s);
    if (m_login.issuer.isEmpty())
        co_return lacks(u"idp-issuer-url"_s);
    if (m_login.clientId.isEmpty())
        co_return lacks(u"client-id"_s);
    const Result<QUrl> issuer = issuerUrl(m_login.issuer);
    if (!issuer)
        co_return fail(issuer);
    auto discovering = ask(*issuer, discoveryRequest(), stop);
    const Result<transport::HttpReply> described = co_await discovering;
    if (!described)
        co_return fail(described);
    const Result<OidcProvider> provider = readProvider(*described, *issuer);
    if (!provider)
        co_return fail(provider);
    if (stop.stop_requested())
        co_return tl::unexpected(transport::cancelledError());
    const QByteArray refresh = m_tokens.refresh;
    const QUrl base = provider->tokenEndpoint.adjusted(QUrl::RemovePath | QUrl::RemoveQuery);
    Error refusal;
    for (const ClientProof proof : provider->proofs) {
        auto asking = ask(base, renewalRequest(*provider, m_login, refresh, proof), {});
        const Result<transport::HttpReply> reply = co_await asking;
        if (!reply)
            co_return fail(reply);
        if (reply->isOk())
            co_return readRenewal(*reply);
        const OidcRefusal refused = renewalRefusal(*reply, {refresh, m_login.clientSecret, m_tokens.id});
        refusal = refused.error;
        if (refused.what == OidcRefusal::What::grant) {
            m_refused = refresh;
            m_refusal = refusal;
        }
        if (refused.what != OidcRefusal::What::client || m_login.clientSecret.isEmpty())
            break;
    }
    co_return tl::unexpected(refusal);
}

/// A client of its own: the provider is trusted otherwise than the cluster, and shown nothing of it.
Task<Result<transport::HttpReply>> OidcTokenSource::ask(QUrl base, transport::HttpRequest request, std::stop_token stop)
{
    transport::HttpSettings settings;
    settings.base = base;
    settings.tls.authorities = m_login.authorities;
    const Result<transport::ProxySettings> proxy = environmentProxy(base, m_login.environment);
    if (!proxy)
        co_return fail(proxy);
    settings.proxy = *proxy;
    auto client = transport::HttpClient::make(settings, m_environment);
    if (!client)
        co_return fail(client);
    auto sending = (*client)->send(std::move(request), stop);
    Result<transport::HttpReply> reply = co_await sending;
    auto closing = (*client)->close();
    co_await closing;
    co_return reply;
}

Task<> OidcTokenSource::store(OidcTokens tokens)
{
    Result<> stored;
    const qint64 end = m_environment.clock->steadyMs() + lockFileMs;
    for (;;) {
        auto storing = m_environment.strand->run(
            [login = m_login, seen = m_seen, tokens] { return storeOidcTokens(login, seen, tokens); });
        stored = co_await storing;
        if (stored || stored.error().kind != Kind::conflict || m_environment.clock->steadyMs() >= end)
            break;
        auto pausing = transport::pause(m_environment.clock, againMs, {}); // also while it closes
        co_await pausing;
    }
    if (stored) {
        m_seen = tokens;
        if (std::exchange(m_isUnwritten, false) && m_remark)
            m_remark({});
        co_return;
    }
    if (std::exchange(m_isUnwritten, true))
        co_return;
    const Message why =
        u"The renewed login of the user \"%1\" cannot be written into %2: %3 It is good until this service ends; kubectl may ask for a login before."_m
            .arg(printable(m_login.user, 150), m_login.file, stored.error().message);
    qCWarning(lcPlatform).noquote() << why.text();
    if (m_remark)
        m_remark(why);
}

} // namespace platforms::kubernetes
