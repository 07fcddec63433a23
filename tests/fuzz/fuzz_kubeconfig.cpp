// SPDX-License-Identifier: GPL-3.0-or-later
// Kubeconfigs that people and programs wrote, and what exec plugins and providers of OpenID Connect answer.
#include "fuzz_driver.h"

#include "services/platforms/kubernetes/exec_credential.h"
#include "services/platforms/kubernetes/jwt_expiry.h"
#include "services/platforms/kubernetes/kube_access.h"
#include "services/platforms/kubernetes/kube_paths.h"
#include "services/platforms/kubernetes/kube_proxy.h"
#include "services/platforms/kubernetes/kubeconfig_tokens.h"
#include "services/platforms/kubernetes/oidc_answers.h"
#include "services/transport/http/wire/response_head.h"

#include <QSet>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

namespace {

void checkError(const Error& error)
{
    require(!error.message.isEmpty() && error.message.hasKey(), "an error is a sentence of ours");
    require(!error.message.contains(u"\n"), "an error is one line");
}

template <typename Entry>
void checkNames(const QList<Entry>& entries)
{
    QSet<QString> names;
    for (const Entry& entry : entries) {
        require(!entry.name.isEmpty() && !names.contains(entry.name), "entries have names of their own");
        names.insert(entry.name);
    }
}

void checkAccess(const Kubeconfig& config, const QString& context)
{
    const KubeFileReader read = [](const QString& path) -> Result<QByteArray> {
        require(path.startsWith(u'/'), "a path is absolute");
        return fail(Kind::not_found, u"There is no file."_m);
    };
    KubeChoice choice;
    choice.context = context;
    const Result<KubeAccess> access = accessOf(config, choice, {}, read);
    if (!access) {
        checkError(access.error());
        return;
    }
    require(isDnsLabel(access->inNamespace), "a namespace is a name");
    require(!access->http.base.host().isEmpty() && access->http.base.userInfo().isEmpty(), "a server is a host");
    require(access->http.base.scheme() == u"https" || access->credentials.index() == 0,
        "without TLS nothing is sent of us");
    require(access->http.tls.certificate.isEmpty() == access->http.tls.key.isEmpty(), "a certificate has its key");
    for (const auto& [name, value] : access->impersonation)
        require(transport::isFieldName(name) && transport::isFieldValue(value), "headers can be sent");
    if (const auto* token = std::get_if<StaticToken>(&access->credentials))
        require(transport::isFieldValue(token->token), "a token can be sent");
}

void checkPlugin(const QByteArray& text)
{
    const QString version = u"client.authentication.k8s.io/v1"_s;
    const Result<ExecCredential> given = readExecCredential(text, version);
    if (!given) {
        checkError(given.error());
        require(given.error().detail.isEmpty(), "nothing of an answer is repeated");
    } else {
        require(!given->token.isEmpty() || !given->certificate.isEmpty(), "something was given");
        require(given->certificate.isEmpty() == given->key.isEmpty(), "a certificate has its key");
        require(transport::isFieldValue(given->token), "a token can be sent");
    }
    ExecPlugin plugin;
    plugin.command = QString::fromUtf8(text.left(100));
    plugin.installHint = QString::fromUtf8(text);
    for (const int code : {1, 126, 127}) {
        ExecEnd end;
        end.exitCode = code;
        end.errors = text;
        const Error error = execError(plugin, end);
        checkError(error);
        require(error.message.size() < 2'000, "an error is of bounded size");
    }
    require(!jwtExpiryMs(text) || *jwtExpiryMs(text) >= 0, "a time is one");
}

void checkProvider(const QByteArray& text)
{
    transport::HttpReply reply;
    reply.body = text;
    reply.json = parseJson(text).value_or(Json());
    const QUrl issuer(u"https://idp.lab"_s);
    reply.status = 200;
    if (const Result<OidcProvider> provider = readProvider(reply, issuer)) {
        require(provider->tokenEndpoint.scheme() == u"https" && !provider->tokenEndpoint.host().isEmpty(),
            "secrets are sent with TLS");
        require(!provider->proofs.isEmpty() && provider->proofs.size() <= 2, "a client can show its secret");
        const auto request = renewalRequest(*provider, {}, text, provider->proofs.first());
        require(request.body.count('&') == 2, "a token is one field of a form");
    } else {
        checkError(provider.error());
    }
    if (const Result<OidcTokens> tokens = readRenewal(reply))
        require(!tokens->id.isEmpty() && transport::isFieldValue(tokens->id), "a token can be sent");
    else
        checkError(tokens.error());
    for (const int status : {400, 401, 503}) {
        reply.status = status;
        const OidcRefusal refusal = renewalRefusal(reply, {"hunter2hunter2"});
        checkError(refusal.error);
        require(!refusal.error.message.contains(u"hunter2hunter2"), "an error holds no secret");
        require(refusal.error.detail.isEmpty(), "nothing of an answer is repeated");
    }
    if (const Result<QUrl> url = issuerUrl(QString::fromUtf8(text.left(500))))
        require(!url->host().isEmpty() && url->userInfo().isEmpty(), "an issuer is a host");
}

/// Tokens are put in so that they are read again, and nothing else changes.
void checkTokens(const QByteArray& text, const Kubeconfig& config)
{
    const QString file = u"/home/ada/.kube/config"_s;
    for (const ConfigUser& user : config.users) {
        const OidcTokens given{"I.1-x", "R"};
        const Result<QByteArray> written = withOidcTokens(text, user.name, given);
        if (!written) {
            checkError(written.error());
            continue;
        }
        const Result<Kubeconfig> again = readKubeconfig(*written, file);
        require(again && again->users.size() == config.users.size(), "it is the same kubeconfig");
        require(again->contexts == config.contexts, "contexts stay");
        if (user.provider && user.provider->name == u"oidc")
            require(readOidcTokens(*written, file, user.name) == given, "tokens are read as they were written");
        require(withOidcTokens(*written, user.name, given) == *written, "written again it is the same");
    }
}

} // namespace

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    checkPlugin(text);
    checkProvider(text);
    const QString words = QString::fromUtf8(text.left(2'000));
    for (const auto& proxy : {proxyOfText(words),
             environmentProxy(QUrl(u"https://h:6443"_s), {{u"HTTPS_PROXY"_s, u"p:1"_s}, {u"NO_PROXY"_s, words}})})
        require(proxy || !proxy.error().message.isEmpty(), "an error has a sentence");
    const Result<Kubeconfig> config = readKubeconfig(text, u"/home/ada/.kube/config"_s);
    if (!config) {
        checkError(config.error());
        require(config.error().kind == Kind::invalid, "a file that cannot be used is invalid");
        require(config.error().message.startsWith(u"/home/ada/.kube/config"), "an error names its file");
        return;
    }
    checkTokens(text, *config);
    checkNames(config->clusters);
    checkNames(config->users);
    checkNames(config->contexts);
    checkAccess(*config, {});
    for (const ConfigContext& context : config->contexts)
        checkAccess(*config, context.name);
    require(mergedKubeconfigs({*config, *config}).contexts == config->contexts, "merged with itself it is the same");
}
