// SPDX-License-Identifier: GPL-3.0-or-later
#include "oidc_answers.h"

#include "services/core/printable.h"
#include "services/transport/http/redaction.h"
#include "services/transport/http/wire/response_head.h"

#include <QHostAddress>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr qsizetype longestAnswer = 1024 * 1024;
constexpr int oidcAnswerMs = 10'000;

bool isOfThisComputer(const QUrl& url)
{
    return url.host() == "localhost"_L1 || QHostAddress(url.host()).isLoopback();
}

/// Whether secrets may be sent there.
bool isSafe(const QUrl& url)
{
    const bool isKnown = url.scheme() == "https"_L1 || (url.scheme() == "http"_L1 && isOfThisComputer(url));
    return url.isValid() && isKnown && !url.host().isEmpty() && url.userInfo().isEmpty() && !url.hasFragment();
}

/// As a form has it (application/x-www-form-urlencoded): each byte that is no letter, digit or one of `-._` as %XX.
QByteArray formText(const QByteArray& text)
{
    return text.toPercentEncoding({}, "~");
}

/// Whether it may mend itself.
Kind kindOfAnswer(int status)
{
    return status >= 500 || status == 429 || status == 408 ? Kind::resource : Kind::auth;
}

QByteArray tokenIn(const Json& json, const char* name)
{
    return textOf(json, name).trimmed().toUtf8();
}

} // namespace

Result<QUrl> issuerUrl(const QString& text)
{
    const QUrl url(text.trimmed(), QUrl::StrictMode);
    if (!isSafe(url) || url.hasQuery())
        return fail(Kind::invalid, u"the idp-issuer-url must be an address that begins with https://."_m);
    QUrl issuer = url.adjusted(QUrl::StripTrailingSlash);
    if (issuer.path() == "/"_L1)
        issuer.setPath({});
    return issuer;
}

transport::HttpRequest discoveryRequest()
{
    transport::HttpRequest request;
    request.target = "/.well-known/openid-configuration";
    request.accept = "application/json";
    request.attempts = 2;
    request.timeoutMs = oidcAnswerMs;
    request.maxBytes = longestAnswer;
    return request;
}

Result<OidcProvider> readProvider(const transport::HttpReply& reply, const QUrl& issuer)
{
    const QString name = printable(transport::redactedUrl(issuer), 200);
    if (!reply.isOk())
        return fail(kindOfAnswer(reply.status),
            u"%1 answered with status %2 where it should say how tokens are renewed. Check the idp-issuer-url."_m
                .arg(name)
                .arg(reply.status));
    const QString said = textOf(reply.json, "issuer");
    const Result<QUrl> own = issuerUrl(said);
    if (!own || *own != issuer) // another provider, or one that is not who it should be
        return fail(Kind::auth,
            u"%1 answers for the issuer \"%2\". Write the right one into idp-issuer-url."_m.arg(
                name, printable(transport::redacted(said), 200)));
    OidcProvider provider;
    provider.tokenEndpoint = QUrl(textOf(reply.json, "token_endpoint"), QUrl::StrictMode);
    const bool isPlain = provider.tokenEndpoint.scheme() == "http"_L1 && issuer.scheme() != "http"_L1;
    if (!isSafe(provider.tokenEndpoint) || isPlain)
        return fail(Kind::auth, u"%1 names no token_endpoint that begins with https://."_m.arg(name));
    const Json* methods = memberOf(reply.json, "token_endpoint_auth_methods_supported");
    const auto takes = [methods](const char* method) {
        return methods && methods->is_array() && std::find(methods->begin(), methods->end(), method) != methods->end();
    };
    const bool takesBody = takes("client_secret_post");
    const bool takesHeader = takes("client_secret_basic");
    if (takesHeader || !takesBody)
        provider.proofs += ClientProof::header;
    if (takesBody || !takesHeader)
        provider.proofs += ClientProof::body;
    return provider;
}

transport::HttpRequest renewalRequest(
    const OidcProvider& provider, const OidcLogin& login, const QByteArray& refreshToken, ClientProof proof)
{
    transport::HttpRequest request;
    request.method = "POST";
    request.target = provider.tokenEndpoint.toEncoded();
    request.accept = "application/json";
    request.contentType = "application/x-www-form-urlencoded";
    request.body = "grant_type=refresh_token&refresh_token=" + formText(refreshToken);
    request.timeoutMs = oidcAnswerMs;
    request.maxBytes = longestAnswer;
    const QByteArray id = formText(login.clientId.toUtf8());
    const QByteArray secret = formText(login.clientSecret);
    if (!secret.isEmpty() && proof == ClientProof::header) {
        request.headers.append({"Authorization", "Basic " + (id + ':' + secret).toBase64()});
    } else {
        request.body += "&client_id=" + id;
        if (!secret.isEmpty())
            request.body += "&client_secret=" + secret;
    }
    return request;
}

Result<OidcTokens> readRenewal(const transport::HttpReply& reply)
{
    OidcTokens tokens{tokenIn(reply.json, "id_token"), tokenIn(reply.json, "refresh_token")};
    if (tokens.id.isEmpty())
        return fail(Kind::auth,
            u"%1 gave no id_token. Some providers give none with a refresh-token, or only to a login with the scope openid."_m
                .arg(printable(reply.url.host(), 200)));
    if (!transport::isFieldValue(tokens.id))
        return fail(
            Kind::auth, u"%1 gave an id_token with characters that none has."_m.arg(printable(reply.url.host(), 200)));
    return tokens;
}

OidcRefusal renewalRefusal(const transport::HttpReply& reply, const QList<QByteArray>& secrets)
{
    const QString host = printable(reply.url.host(), 200);
    const Result<Json> json = parseJson(reply.body);
    const QString code = json ? textOf(*json, "error") : QString();
    const QString described = json ? textOf(*json, "error_description") : QString();
    const auto shown = [&](const QString& text) { return printable(transport::redacted(text, secrets), 300); };
    const QString said = described.isEmpty() ? shown(code) : u"%1: %2"_s.arg(shown(code), shown(described));
    OidcRefusal refusal;
    if (code == "invalid_grant"_L1) {
        refusal.what = OidcRefusal::What::grant;
        refusal.error = {Kind::auth, u"%1 does not accept the refresh-token any more (%2)."_m.arg(host, said), {}};
    } else if (code == "invalid_client"_L1 || code == "unauthorized_client"_L1 || reply.status == 401) {
        refusal.what = OidcRefusal::What::client;
        refusal.error = {Kind::auth,
            u"%1 does not accept the client-id and client-secret of the kubeconfig (%2)."_m.arg(
                host, said.isEmpty() ? QString::number(reply.status) : said),
            {}};
    } else {
        refusal.error = {kindOfAnswer(reply.status),
            said.isEmpty() ? u"%1 answered with status %2 to the request for a token."_m.arg(host).arg(reply.status)
                           : u"%1 refuses to give a token (%2)."_m.arg(host, said),
            {}};
    }
    return refusal;
}

} // namespace platforms::kubernetes
