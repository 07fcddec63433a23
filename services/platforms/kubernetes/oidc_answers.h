// SPDX-License-Identifier: GPL-3.0-or-later
// What an OpenID Connect provider is asked for another ID token, and what it says (OpenID Connect Discovery 1.0, RFC 6749 section 6). Pure.
#pragma once

#include "kube_credentials.h"

#include "services/transport/http/http_types.h"

namespace platforms::kubernetes {

/// How a client shows its secret.
enum class ClientProof {
    header, ///< `client_secret_basic`
    body,   ///< `client_secret_post`; also of a client without a secret
};

struct OidcProvider
{
    QUrl tokenEndpoint;
    QList<ClientProof> proofs; ///< that it takes, the one to begin with first; never empty

    bool operator==(const OidcProvider&) const = default;
};

/// The provider's address, without a slash at its end: https, or http of this computer itself. Kind::invalid: a sentence for a person.
[[nodiscard]] Result<QUrl> issuerUrl(const QString& text);
/// Below issuerUrl().
[[nodiscard]] transport::HttpRequest discoveryRequest();
/// Its configuration, an answer of any status. An error is a sentence about the provider; retryable() where its status says so.
[[nodiscard]] Result<OidcProvider> readProvider(const transport::HttpReply& reply, const QUrl& issuer);

/// With an absolute target. Sent once: the provider may take a refresh token once.
[[nodiscard]] transport::HttpRequest renewalRequest(
    const OidcProvider& provider, const OidcLogin& login, const QByteArray& refreshToken, ClientProof proof);
/// Tokens that can be sent. `refresh` is empty where the old one stays good. Precondition: the status is a success.
[[nodiscard]] Result<OidcTokens> readRenewal(const transport::HttpReply& reply);

/// Why it gave no tokens.
struct OidcRefusal
{
    enum class What {
        other,
        grant, ///< the refresh token is not good any more: a person must log in
        client ///< the client's id, secret, or way to show it
    };
    What what = What::other;
    Error error; ///< a sentence about the provider, without secrets; retryable() where its status says so
};
/// Precondition: !reply.isOk(). `secrets` are taken out of what it says.
[[nodiscard]] OidcRefusal renewalRefusal(const transport::HttpReply& reply, const QList<QByteArray>& secrets);

} // namespace platforms::kubernetes
