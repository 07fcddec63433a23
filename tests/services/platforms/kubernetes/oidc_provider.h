// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/clock.h"
#include "services/platforms/kubernetes/kubeconfig_tokens.h"
#include "tests/fakes/web/fake_web_server.h"

#include <QTemporaryDir>
#include <QUrlQuery>

inline constexpr qint64 hourMs = 3'600'000;

/// `number` makes it another one.
inline QByteArray idToken(qint64 expiresMs, int number)
{
    const QByteArray claims =
        "{\"exp\":" + QByteArray::number(expiresMs / 1'000) + ",\"n\":" + QByteArray::number(number) + '}';
    return "eyJhbGciOiJub25lIn0." + claims.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)
        + ".c2ln";
}

/// A provider of one account, with a kubeconfig that knows its tokens. A refresh token is good once: the next answer has another one.
class FakeOidcProvider
{
    using Peer = fakes::FakeWebServer::Peer;
    using Request = fakes::FakeWebServer::Request;

public:
    explicit FakeOidcProvider(core::Clock* clock, std::optional<QSslConfiguration> tls = {})
        : server(std::move(tls))
        , m_clock(clock)
    {
        server.on([this](const Peer& peer, const Request& request) {
            if (request.target == "/dex/.well-known/openid-configuration") {
                if (answersDiscovery)
                    peer.answer(discoveryStatus, discovery.isEmpty() ? configuration() : discovery);
                return;
            }
            ++asked;
            forms.append(request.body);
            proofs.append(request.headers.value("authorization"));
            if (answersTokens)
                answer(peer, request);
            else
                m_held = {peer, request};
        });
        saveTokens({idToken(clock->nowMs() + hourMs, 0), "r0"});
    }

    [[nodiscard]] QByteArray configuration() const
    {
        const QByteArray url = server.url().toString().toUtf8() + "/dex";
        return "{\"issuer\":\"" + url + "\",\"token_endpoint\":\"" + url + "/token\"" + methods + '}';
    }
    void release() { answer(m_held.first, m_held.second); }
    void saveTokens(const platforms::kubernetes::OidcTokens& both) const
    {
        save("# mine\nusers:\n- {name: ada, user: {auth-provider: {name: oidc, config: {id-token: " + both.id
            + ", refresh-token: " + both.refresh + "}}}}\n");
    }
    void save(const QByteArray& text) const
    {
        QFile file(path());
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write");
    }
    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("config")); }
    [[nodiscard]] platforms::kubernetes::OidcTokens saved() const
    {
        return platforms::kubernetes::readOidcTokens(
            platforms::kubernetes::readKubeFile(path()).value_or(QByteArray()), path(), QStringLiteral("ada"))
            .value_or(platforms::kubernetes::OidcTokens());
    }
    [[nodiscard]] platforms::kubernetes::OidcLogin login() const
    {
        platforms::kubernetes::OidcLogin login;
        login.user = QStringLiteral("ada");
        login.file = path();
        login.issuer = server.url().toString() + QStringLiteral("/dex/");
        login.clientId = QStringLiteral("k");
        login.clientSecret = "geheim";
        login.tokens = saved();
        return login;
    }

    fakes::FakeWebServer server;
    QByteArray discovery; ///< empty: the right one
    int discoveryStatus = 200;
    QByteArray methods;
    bool answersDiscovery = true;
    bool answersTokens = true; ///< false: when release() is called
    QByteArray tokens;         ///< what each answer is; empty: the right one
    int tokenStatus = 200;
    QByteArray good = "r0"; ///< the refresh token that it takes
    qint64 livesMs = hourMs;
    int asked = 0;
    QByteArrayList forms;
    QByteArrayList proofs;

private:
    void answer(const Peer& peer, const Request& request)
    {
        const QUrlQuery form(QString::fromUtf8(request.body));
        if (!tokens.isEmpty()) {
            peer.answer(tokenStatus, tokens);
        } else if (form.queryItemValue(QStringLiteral("refresh_token")).toUtf8() != good) {
            peer.answer(400, R"({"error":"invalid_grant","error_description":"Unknown token"})");
        } else {
            good = "r" + QByteArray::number(asked);
            peer.answer(200,
                "{\"id_token\":\"" + idToken(m_clock->nowMs() + livesMs, asked) + "\",\"refresh_token\":\"" + good
                    + "\"}");
        }
    }

    core::Clock* m_clock;
    QTemporaryDir m_folder;
    std::pair<Peer, Request> m_held;
};
