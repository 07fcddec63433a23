// SPDX-License-Identifier: GPL-3.0-or-later
#include "entra_token_source.h"

#include "login_call.h"
#include "token_requests.h"

#include "services/transport/http/patience.h"

#include <QFile>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::azure {

namespace {

constexpr qint64 mostOfAz = 1024 * 1024;    ///< bytes of its output
constexpr qint64 mostAssertion = 64 * 1024; ///< bytes of the file
/// Until a managed identity's service is asked again that answered 404: it is there a while after the machine.
constexpr qint64 identityPausesMs[] = {2'000, 6'000, 14'000, 30'000};

QUrl serverOf(const QUrl& address)
{
    return address.adjusted(QUrl::RemovePath | QUrl::RemoveQuery | QUrl::RemoveFragment);
}

} // namespace

EntraTokenSource::EntraTokenSource(Plan plan)
    : m_plan(std::move(plan))
    , m_device(m_plan.token, m_plan.environment, m_plan.sink, m_plan.subject)
    , m_refresh(m_plan.token.refreshToken.reveal())
{
}

bool EntraTokenSource::isGood(const QByteArray& rejected) const
{
    if (!m_token || value() == rejected)
        return false;
    const qint64 leeway = std::min(leewayMs, m_token->livesMs / 10);
    return m_plan.environment.clock->nowMs() < m_token->expiresMs - leeway;
}

Error EntraTokenSource::noted(Error error)
{
    if (error.kind != Kind::cancelled) {
        m_failure = error;
        m_failedMs = m_plan.environment.clock->steadyMs();
    }
    return error;
}

Task<Result<QByteArray>> EntraTokenSource::authorization(QByteArray rejected, std::stop_token stop)
{
    if (isGood(rejected))
        co_return value();
    Result<EntraToken> given = fail(Kind::internal, QString());
    if (m_isAsking) {
        const OneShot<Result<EntraToken>> shot;
        m_waiting.push_back(shot);
        given = co_await shot.wait();
    } else {
        if (m_failure && m_plan.environment.clock->steadyMs() - m_failedMs < pauseMs)
            co_return tl::unexpected(Error(*m_failure));
        m_isAsking = true;
        auto asking = checkedGet(rejected, stop);
        given = co_await asking;
        m_isAsking = false;
        std::vector<OneShot<Result<EntraToken>>> waiting = std::exchange(m_waiting, {});
        for (OneShot<Result<EntraToken>>& shot : waiting)
            shot.set(given);
    }
    if (!given)
        co_return fail(given);
    co_return "Bearer " + given->access;
}

Task<Result<EntraToken>> EntraTokenSource::checkedGet(QByteArray rejected, std::stop_token stop)
{
    auto getting = get(stop);
    Result<EntraToken> given = co_await getting;
    if (!given)
        co_return tl::unexpected(noted(given.error()));
    m_token = *given;
    if (!rejected.isEmpty() && value() == rejected) {
        m_token.reset();
        co_return tl::unexpected(noted({Kind::auth,
            u"Azure does not accept the token, and the login gives the same one again. Log in anew."_m, {}}));
    }
    m_failure.reset();
    co_return given;
}

Task<Result<EntraToken>> EntraTokenSource::get(std::stop_token stop)
{
    switch (m_plan.token.way) {
    case TokenWay::azCli:
        return askAz(std::move(stop));
    case TokenWay::deviceCode:
        return askDevice(std::move(stop));
    case TokenWay::clientSecret:
        return ask(m_plan.token.login, clientSecretRequest(m_plan.token), std::move(stop));
    case TokenWay::clientAssertion:
        return askWithAssertion(std::move(stop));
    case TokenWay::managedIdentity:
        return askIdentity(std::move(stop));
    }
    Q_UNREACHABLE();
}

Task<Result<EntraToken>> EntraTokenSource::ask(QUrl server, transport::HttpRequest request, std::stop_token stop)
{
    auto asking = loginCall(server, m_plan.token.authorities, m_plan.environment, std::move(request), stop);
    const Result<transport::HttpReply> reply = co_await asking;
    if (!reply)
        co_return fail(reply);
    if (!reply->isOk())
        co_return tl::unexpected(readTokenRefusal(reply->status, reply->body).error);
    const Json json =
        Json::parse(reply->body.constData(), reply->body.constData() + reply->body.size(), nullptr, false);
    co_return readToken(json, m_plan.environment.clock->nowMs());
}

Task<Result<EntraToken>> EntraTokenSource::askIdentity(std::stop_token stop)
{
    const QUrl server = serverOf(m_plan.token.identityAddress);
    for (const qint64 waitMs : identityPausesMs) {
        auto asking = loginCall(server, {}, m_plan.environment, identityRequest(m_plan.token), stop);
        const Result<transport::HttpReply> reply = co_await asking;
        if (!reply)
            co_return fail(reply, u"This computer has no managed identity of Azure that answers"_m);
        if (reply->status != 404 && reply->status != 410) {
            if (!reply->isOk())
                co_return tl::unexpected(readTokenRefusal(reply->status, reply->body).error);
            const Json json =
                Json::parse(reply->body.constData(), reply->body.constData() + reply->body.size(), nullptr, false);
            co_return readToken(json, m_plan.environment.clock->nowMs());
        }
        auto pausing = transport::pause(m_plan.environment.clock, waitMs, stop);
        const bool goesOn = co_await pausing;
        if (!goesOn)
            co_return tl::unexpected(transport::cancelledError());
    }
    co_return fail(Kind::auth, u"This computer has no managed identity of Azure that answers."_m);
}

Task<Result<EntraToken>> EntraTokenSource::askAz(std::stop_token stop)
{
    if (!m_plan.commands)
        co_return fail(Kind::internal, u"There is nothing to run the program az with."_m);
    CommandLine line;
    line.words = azWords(m_plan.token);
    line.timeoutMs = azLimitMs;
    line.outputLimit = mostOfAz;
    auto running = m_plan.commands->run(line, stop);
    const Result<CommandOutput> output = co_await running;
    if (!output)
        co_return fail(output);
    if (output->timedOut)
        co_return fail(Kind::timeout, u"The program az gave no token in time."_m);
    if (!output->succeeded())
        co_return tl::unexpected(azError(output->exitCode, output->errors));
    co_return readAzToken(output->output, m_plan.environment.clock->nowMs());
}

Task<Result<EntraToken>> EntraTokenSource::askWithAssertion(std::stop_token stop)
{
    const QString path = m_plan.token.assertionFile;
    auto reading = m_plan.environment.strand->run([path]() -> Result<QByteArray> {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return fail(
                Kind::auth, u"AZURE_FEDERATED_TOKEN_FILE: %1 cannot be read (%2)."_m.arg(path, file.errorString()));
        return file.read(mostAssertion).trimmed();
    });
    const Result<QByteArray> assertion = co_await reading;
    if (!assertion)
        co_return fail(assertion);
    auto asking = ask(m_plan.token.login, clientAssertionRequest(m_plan.token, *assertion), stop);
    co_return co_await asking;
}

QString EntraTokenSource::refreshToken() const
{
    // What another platform of the same login got is newer.
    const QString shared = m_plan.logins ? m_plan.logins->find(m_plan.token) : QString();
    return shared.isEmpty() ? m_refresh : shared;
}

void EntraTokenSource::keepRefreshToken(const QString& token)
{
    if (token.isEmpty())
        return;
    if (m_plan.logins)
        m_plan.logins->keep(m_plan.token, token);
    if (token == m_refresh)
        return;
    m_refresh = token;
    if (m_plan.keep)
        m_plan.keep(token);
}

Task<Result<EntraToken>> EntraTokenSource::askDevice(std::stop_token stop)
{
    QString sent;
    for (QString known = refreshToken(); !known.isEmpty() && known != sent; known = refreshToken()) {
        sent = known;
        auto asking = loginCall(m_plan.token.login, m_plan.token.authorities, m_plan.environment,
            refreshRequest(m_plan.token, known), stop);
        const Result<transport::HttpReply> reply = co_await asking;
        if (!reply)
            co_return fail(reply);
        if (reply->isOk()) {
            const Json json =
                Json::parse(reply->body.constData(), reply->body.constData() + reply->body.size(), nullptr, false);
            Result<EntraToken> token = readToken(json, m_plan.environment.clock->nowMs());
            if (token)
                keepRefreshToken(token->refresh.isEmpty() ? known : token->refresh);
            co_return token;
        }
        const TokenRefusal refusal = readTokenRefusal(reply->status, reply->body);
        if (refusal.what != TokenRefusal::What::grant)
            co_return tl::unexpected(Error(refusal.error));
        // It is over, or another platform was faster: then there is a newer one.
        if (m_plan.logins)
            m_plan.logins->forget(m_plan.token, known);
        if (m_refresh == known)
            m_refresh.clear();
    }
    auto loggingIn = m_device.logIn(stop);
    Result<EntraToken> token = co_await loggingIn;
    if (token)
        keepRefreshToken(token->refresh);
    co_return token;
}

} // namespace platforms::azure
