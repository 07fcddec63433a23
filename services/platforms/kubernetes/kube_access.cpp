// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_access.h"

#include "kube_paths.h"
#include "kube_proxy.h"

#include "services/core/printable.h"
#include "services/transport/http/redaction.h"
#include "services/transport/http/wire/response_head.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QSslCertificate>
#include <QSslKey>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

QString quotedName(const QString& name)
{
    return printable(name, 150);
}

template <typename Entry>
const Entry* entryNamed(const QList<Entry>& entries, const QString& name)
{
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&name](const Entry& one) { return one.name == name; });
    return found == entries.end() ? nullptr : &*found;
}

tl::unexpected<Error> unusable(const Message& why)
{
    return fail(Kind::invalid, why);
}

/// Builds the access to one context; errors are those of a part, without the context.
class AccessBuilder
{
public:
    AccessBuilder(const KubeChoice& choice, const KubeSurroundings& surroundings, const KubeFileReader& read)
        : m_choice(choice)
        , m_surroundings(surroundings)
        , m_read(read)
    {
    }

    [[nodiscard]] Result<KubeAccess> build(const ConfigContext& context, const Kubeconfig& config);
    QList<Message> warnings;

private:
    [[nodiscard]] Result<> addNamespace(const ConfigContext& context);
    [[nodiscard]] Result<> addServer(const ConfigCluster& cluster);
    [[nodiscard]] Result<> addTrust(const ConfigCluster& cluster);
    [[nodiscard]] Result<> addUser(const ConfigUser& user, const ConfigCluster& cluster);
    [[nodiscard]] Result<> addCertificate(const ConfigUser& user);
    [[nodiscard]] Result<> addImpersonation(const ConfigUser& user);
    [[nodiscard]] Result<KubeCredentials> credentialsOf(const ConfigUser& user, const ConfigCluster& cluster);
    [[nodiscard]] Result<KubeCredentials> pluginLogin(const ConfigUser& user, const ConfigCluster& cluster) const;
    [[nodiscard]] Result<KubeCredentials> providerLogin(const ConfigUser& user);
    [[nodiscard]] Result<QByteArray> pem(const PemPlace& place, const QString& member, const Message& owner);
    [[nodiscard]] Json clusterForPlugin(const ConfigCluster& cluster) const;

    const KubeChoice& m_choice;
    const KubeSurroundings& m_surroundings;
    const KubeFileReader& m_read;
    KubeAccess m_access;
};

Result<KubeAccess> AccessBuilder::build(const ConfigContext& context, const Kubeconfig& config)
{
    if (context.cluster.isEmpty())
        return unusable(u"It names no cluster. Add one, or choose another context."_m);
    const ConfigCluster* cluster = entryNamed(config.clusters, context.cluster);
    if (!cluster)
        return unusable(u"There is no cluster \"%1\", which it names."_m.arg(quotedName(context.cluster)));
    const ConfigUser* user = entryNamed(config.users, context.user);
    if (!user && !context.user.isEmpty())
        return unusable(u"There is no user \"%1\", which it names."_m.arg(quotedName(context.user)));
    if (!user)
        warnings += u"The context \"%1\" names no user, so no credentials are sent."_m.arg(quotedName(context.name));
    m_access.context = context.name;
    m_access.file = context.file;
    m_access.user = context.user;
    if (const Result<> done = addNamespace(context); !done)
        return fail(done);
    if (const Result<> done = addServer(*cluster); !done)
        return fail(done);
    if (const Result<> done = addTrust(*cluster); !done)
        return fail(done);
    if (user)
        if (const Result<> done = addUser(*user, *cluster); !done)
            return fail(done);
    return m_access;
}

Result<> AccessBuilder::addNamespace(const ConfigContext& context)
{
    m_access.inNamespace = !m_choice.inNamespace.isEmpty() ? m_choice.inNamespace
        : context.inNamespace.isEmpty()                    ? u"default"_s
                                                           : context.inNamespace;
    if (!isDnsLabel(m_access.inNamespace))
        return unusable(
            u"The namespace \"%1\" is none that Kubernetes takes: lower-case letters, digits and dashes."_m.arg(
                quotedName(m_access.inNamespace)));
    return {};
}

Result<> AccessBuilder::addServer(const ConfigCluster& cluster)
{
    if (cluster.server.isEmpty())
        return unusable(u"Its cluster \"%1\" names no server."_m.arg(quotedName(cluster.name)));
    const QUrl url(cluster.server, QUrl::StrictMode);
    const bool isKnown = url.scheme() == u"https" || url.scheme() == u"http";
    if (!url.isValid() || !isKnown || url.host().isEmpty())
        return unusable(u"The server of its cluster \"%1\" is no address that begins with https:// or http://."_m.arg(
            quotedName(cluster.name)));
    if (!url.userInfo().isEmpty())
        return unusable(
            u"The server of its cluster \"%1\" holds a password in its address. Put it into the entry of the user."_m
                .arg(quotedName(cluster.name)));
    m_access.http.base = url.adjusted(QUrl::RemoveQuery | QUrl::RemoveFragment | QUrl::StripTrailingSlash);
    const Result<transport::ProxySettings> proxy =
        cluster.proxyUrl.isEmpty() ? environmentProxy(url, m_surroundings.environment) : proxyOfText(cluster.proxyUrl);
    if (!proxy)
        return fail(proxy);
    m_access.http.proxy = *proxy;
    return {};
}

Result<> AccessBuilder::addTrust(const ConfigCluster& cluster)
{
    transport::TlsSettings& tls = m_access.http.tls;
    tls.serverName = cluster.serverName;
    tls.isInsecure = cluster.isInsecure;
    if (cluster.isInsecure && !cluster.authority.isEmpty())
        return unusable(
            u"Its cluster \"%1\" names an authority and says insecure-skip-tls-verify, which contradict each other. Remove the latter."_m
                .arg(quotedName(cluster.name)));
    if (cluster.isInsecure)
        warnings +=
            u"The certificate of the cluster \"%1\" is not checked (insecure-skip-tls-verify), so anyone on the way can read the credentials. Give its certificate-authority instead."_m
                .arg(quotedName(cluster.name));
    if (cluster.authority.isEmpty() || m_access.http.base.scheme() == u"http")
        return {};
    const Result<QByteArray> authority =
        pem(cluster.authority, u"certificate-authority"_s, u"the cluster \"%1\""_m.arg(quotedName(cluster.name)));
    if (!authority)
        return fail(authority);
    if (QSslCertificate::fromData(*authority, QSsl::Pem).isEmpty())
        return unusable(
            u"The certificate-authority of the cluster \"%1\" is no certificate: it must be PEM text."_m.arg(
                quotedName(cluster.name)));
    tls.authorities = *authority;
    return {};
}

/// `owner`: in words, for sentences.
Result<QByteArray> AccessBuilder::pem(const PemPlace& place, const QString& member, const Message& owner)
{
    if (!place.data.isEmpty() && !place.path.isEmpty())
        warnings +=
            u"%1 of %2 is given twice, in the kubeconfig and as a file: the one in the kubeconfig is used."_m.arg(
                member, owner);
    if (place.data.isEmpty()) {
        Result<QByteArray> bytes = m_read(place.path);
        if (!bytes) {
            Error error = bytes.error();
            error.kind = Kind::invalid;
            error.message = u"%1 of %2: %3"_m.arg(
                member, owner, error.message.withWords([](const QString& words) { return printable(words, 300); }));
            return tl::unexpected(error);
        }
        return bytes;
    }
    QByteArray text = place.data.toLatin1();
    text.removeIf([](char c) { return c == '\n' || c == '\r' || c == ' ' || c == '\t'; });
    const auto decoded = QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded || (*decoded).isEmpty())
        return unusable(u"%1-data of %2 is damaged: it is no base64."_m.arg(member, owner));
    return *decoded;
}

Result<> AccessBuilder::addUser(const ConfigUser& user, const ConfigCluster& cluster)
{
    const Result<KubeCredentials> credentials = credentialsOf(user, cluster);
    if (!credentials)
        return fail(credentials);
    if (Result<> done = addImpersonation(user); !done)
        return done;
    const bool hasAny = credentials->index() != 0 || !user.certificate.isEmpty();
    if (m_access.http.base.scheme() == u"http") {
        // Whoever listens would have them. A proxy of kubectl, which is what has such an address, needs none.
        if (hasAny)
            warnings += u"The server of the cluster \"%1\" is reached without TLS, so no credentials are sent."_m.arg(
                quotedName(cluster.name));
        return {};
    }
    m_access.credentials = *credentials;
    return addCertificate(user);
}

Result<> AccessBuilder::addCertificate(const ConfigUser& user)
{
    const Message owner = u"the user \"%1\""_m.arg(quotedName(user.name));
    const QString name = quotedName(user.name);
    if (user.certificate.isEmpty() && user.key.isEmpty())
        return {};
    if (user.key.isEmpty())
        return unusable(u"The user \"%1\" has a client certificate, but no client-key."_m.arg(name));
    if (user.certificate.isEmpty())
        return unusable(u"The user \"%1\" has a client key, but no client-certificate."_m.arg(name));
    const Result<QByteArray> certificate = pem(user.certificate, u"client-certificate"_s, owner);
    if (!certificate)
        return fail(certificate);
    const Result<QByteArray> key = pem(user.key, u"client-key"_s, owner);
    if (!key)
        return fail(key);
    const QList<QSslCertificate> chain = QSslCertificate::fromData(*certificate, QSsl::Pem);
    if (chain.isEmpty())
        return unusable(
            u"The client-certificate of the user \"%1\" is no certificate: it must be PEM text."_m.arg(name));
    if (key->contains("ENCRYPTED"))
        return unusable(
            u"The client-key of the user \"%1\" is protected by a passphrase. Put the key there without one."_m.arg(
                name));
    if (QSslKey(*key, QSsl::Rsa).isNull() && QSslKey(*key, QSsl::Ec).isNull())
        return unusable(u"The client-key of the user \"%1\" is no key of RSA or EC: it must be PEM text."_m.arg(name));
    const QDateTime ends = chain.first().expiryDate();
    if (m_choice.nowMs > 0 && ends.isValid() && ends.toMSecsSinceEpoch() < m_choice.nowMs)
        warnings +=
            u"The client certificate of the user \"%1\" expired on %2. Get a new kubeconfig of the cluster."_m.arg(
                name, ends.toUTC().date().toString(Qt::ISODate));
    m_access.http.tls.certificate = *certificate;
    m_access.http.tls.key = *key;
    return {};
}

Result<KubeCredentials> AccessBuilder::credentialsOf(const ConfigUser& user, const ConfigCluster& cluster)
{
    const QString name = quotedName(user.name);
    const bool hasToken = !user.token.isEmpty() || !user.tokenFile.isEmpty();
    const bool hasLogin = !user.userName.isEmpty() || !user.password.isEmpty();
    if (hasToken && hasLogin)
        return unusable(
            u"The user \"%1\" has a token and a password, of which only one can be sent. Remove the other."_m.arg(
                name));
    if (!transport::isFieldValue(user.token.toUtf8()))
        return unusable(u"The token of the user \"%1\" holds characters that none has. Copy it again."_m.arg(name));
    if (!user.tokenFile.isEmpty())
        return KubeCredentials(TokenFile{user.tokenFile, user.token.toUtf8()});
    if (hasToken)
        return KubeCredentials(StaticToken{user.token.toUtf8()});
    if (hasLogin && (user.userName.isEmpty() || user.userName.contains(u':')))
        return unusable(user.userName.isEmpty()
                ? u"The user \"%1\" has a password, but no username."_m.arg(name)
                : u"The username of the user \"%1\" holds a colon, which none can."_m.arg(name));
    if (hasLogin)
        return KubeCredentials(BasicLogin{user.userName.toUtf8(), user.password.toUtf8()});
    if (!user.certificate.isEmpty())
        return KubeCredentials(NoCredentials{});
    if (user.exec && user.provider)
        return unusable(
            u"The user \"%1\" has an exec plugin and an auth-provider, of which only one can be used. Remove the other."_m
                .arg(name));
    if (user.exec)
        return pluginLogin(user, cluster);
    if (user.provider)
        return providerLogin(user);
    if (user.key.isEmpty())
        warnings += u"The user \"%1\" has no credentials, so none are sent."_m.arg(name);
    return KubeCredentials(NoCredentials{});
}

Result<KubeCredentials> AccessBuilder::pluginLogin(const ConfigUser& user, const ConfigCluster& cluster) const
{
    const ExecPlugin& plugin = *user.exec;
    const QString name = quotedName(user.name);
    const QString prefix = u"client.authentication.k8s.io/"_s;
    if (plugin.command.isEmpty())
        return unusable(u"The exec plugin of the user \"%1\" names no command."_m.arg(name));
    if (plugin.apiVersion == prefix + u"v1alpha1"_s)
        return unusable(
            u"The exec plugin of the user \"%1\" speaks v1alpha1, which Kubernetes has given up. Update the plugin, and write the kubeconfig anew with its own command."_m
                .arg(name));
    if (plugin.apiVersion != prefix + u"v1"_s && plugin.apiVersion != prefix + u"v1beta1"_s)
        return unusable(
            u"The exec plugin of the user \"%1\" must say its apiVersion: client.authentication.k8s.io/v1 or …/v1beta1."_m
                .arg(name));
    if (plugin.interactiveMode == u"Always")
        return unusable(
            u"The exec plugin of the user \"%1\" asks a person at a terminal (interactiveMode Always), and there is none here. Use a plugin that keeps its login, or a token."_m
                .arg(name));
    if (!plugin.interactiveMode.isEmpty() && plugin.interactiveMode != u"Never"
        && plugin.interactiveMode != u"IfAvailable")
        return unusable(
            u"The interactiveMode of the exec plugin of the user \"%1\" must be Never, IfAvailable or Always."_m.arg(
                name));
    for (const auto& [variable, value] : plugin.environment) {
        const auto isNameCharacter = [](QChar c) { return c == u'_' || (c.unicode() < 128 && c.isLetterOrNumber()); };
        if (!std::all_of(variable.begin(), variable.end(), isNameCharacter) || variable.front().isDigit())
            return unusable(u"The exec plugin of the user \"%1\" sets \"%2\", which is no name of a variable."_m.arg(
                name, quotedName(variable)));
    }
    if (m_choice.plugins && !m_choice.plugins->contains(plugin.command)
        && !m_choice.plugins->contains(QFileInfo(plugin.command).fileName()))
        return unusable(
            u"The user \"%1\" has its credentials from the program %2, which the settings do not allow. Allow it there, or choose another context."_m
                .arg(name, quotedName(plugin.command)));
    return KubeCredentials(PluginLogin{plugin, plugin.wantsCluster ? clusterForPlugin(cluster) : Json()});
}

Json AccessBuilder::clusterForPlugin(const ConfigCluster& cluster) const
{
    Json json = {{"server", cluster.server}};
    if (!cluster.serverName.isEmpty())
        json["tls-server-name"] = cluster.serverName;
    if (cluster.isInsecure)
        json["insecure-skip-tls-verify"] = true;
    if (const QByteArray& authorities = m_access.http.tls.authorities; !authorities.isEmpty())
        json["certificate-authority-data"] = authorities.toBase64().toStdString();
    if (!cluster.proxyUrl.isEmpty())
        json["proxy-url"] = cluster.proxyUrl;
    json["config"] = cluster.pluginConfig;
    return json;
}

Result<KubeCredentials> AccessBuilder::providerLogin(const ConfigUser& user)
{
    const QString name = quotedName(user.name);
    const QString kind = user.provider->name;
    if (kind == u"gcp")
        return unusable(
            u"The user \"%1\" logs in with the auth-provider gcp, which Kubernetes has given up. Install gke-gcloud-auth-plugin, and write the kubeconfig anew with `gcloud container clusters get-credentials`."_m
                .arg(name));
    if (kind == u"azure")
        return unusable(
            u"The user \"%1\" logs in with the auth-provider azure, which Kubernetes has given up. Install kubelogin, and convert the kubeconfig with `kubelogin convert-kubeconfig`."_m
                .arg(name));
    if (kind != u"oidc")
        return unusable(
            u"The user \"%1\" logs in with the auth-provider \"%2\", which is not known here. Use a token, a client certificate or an exec plugin."_m
                .arg(name, quotedName(kind)));
    const QMap<QString, QString>& config = user.provider->config;
    OidcLogin login;
    login.user = user.name;
    login.file = user.file;
    login.issuer = config.value(u"idp-issuer-url"_s).trimmed();
    login.clientId = config.value(u"client-id"_s).trimmed();
    login.clientSecret = config.value(u"client-secret"_s).toUtf8();
    login.tokens = {
        config.value(u"id-token"_s).trimmed().toUtf8(), config.value(u"refresh-token"_s).trimmed().toUtf8()};
    login.environment = proxyVariables(m_surroundings.environment);
    const bool canRenew = !login.issuer.isEmpty() && !login.clientId.isEmpty() && !login.tokens.refresh.isEmpty();
    if (login.tokens.id.isEmpty() && !canRenew)
        return unusable(
            u"The user \"%1\" logs in with the auth-provider oidc and holds no id-token. Log in with kubectl first; better, use the exec plugin kubelogin (kubectl oidc-login)."_m
                .arg(name));
    if (!transport::isFieldValue(login.tokens.id))
        return unusable(u"The id-token of the user \"%1\" holds characters that none has. Log in again."_m.arg(name));
    PemPlace authority{config.value(u"idp-certificate-authority-data"_s), config.value(u"idp-certificate-authority"_s)};
    if (!authority.path.isEmpty())
        authority.path = QDir::cleanPath(QDir(QFileInfo(user.file).absolutePath()).absoluteFilePath(authority.path));
    if (!authority.isEmpty()) {
        const QString member = u"idp-certificate-authority"_s;
        const Result<QByteArray> bytes = pem(authority, member, u"the user \"%1\""_m.arg(name));
        if (!bytes)
            return fail(bytes);
        if (QSslCertificate::fromData(*bytes, QSsl::Pem).isEmpty())
            return unusable(
                u"The idp-certificate-authority of the user \"%1\" is no certificate: it must be PEM text."_m.arg(
                    name));
        login.authorities = *bytes;
    }
    return KubeCredentials(login);
}

Result<> AccessBuilder::addImpersonation(const ConfigUser& user)
{
    const Impersonation& whom = user.impersonation;
    const QString name = quotedName(user.name);
    if (whom.isEmpty())
        return {};
    if (whom.user.isEmpty())
        return unusable(
            u"The user \"%1\" has as-uid, as-groups or as-user-extra, but no `as` that says for whom it acts."_m.arg(
                name));
    transport::HttpHeaders headers = {{"Impersonate-User", whom.user.toUtf8()}};
    if (!whom.uid.isEmpty())
        headers.append({"Impersonate-Uid", whom.uid.toUtf8()});
    for (const QString& group : whom.groups)
        headers.append({"Impersonate-Group", group.toUtf8()});
    for (const auto& [key, values] : whom.extra)
        for (const QString& value : values)
            headers.append({"Impersonate-Extra-" + QUrl::toPercentEncoding(key.toLower()), value.toUtf8()});
    for (const auto& [header, value] : headers)
        if (!transport::isFieldName(header) || !transport::isFieldValue(value))
            return unusable(u"The user \"%1\" acts for another one (%2) with characters that cannot be sent."_m.arg(
                name, QString::fromLatin1(header).left(150)));
    m_access.impersonation = headers;
    return {};
}

/// The context that counts. An error names the files.
Result<ConfigContext> chosenContext(const Kubeconfig& config, const QString& wanted, QList<Message>& warnings)
{
    const QString files = config.files.join(u", "_s);
    const QString known = printable(contextNames(config).join(u", "_s), 600);
    if (config.contexts.isEmpty())
        return unusable(u"%1 names no context. Get a kubeconfig as the cluster's documentation says."_m.arg(files));
    const QString name = wanted.isEmpty() ? config.currentContext : wanted;
    if (name.isEmpty() && config.contexts.size() == 1) {
        warnings += u"%1 names no current context: the only one there, \"%2\", is used."_m.arg(
            files, quotedName(config.contexts.first().name));
        return config.contexts.first();
    }
    if (name.isEmpty())
        return unusable(u"%1 names no current context. Choose one in the settings: %2."_m.arg(files, known));
    if (const ConfigContext* context = entryNamed(config.contexts, name))
        return *context;
    return unusable(
        u"There is no context \"%1\" in %2. Choose one of these: %3."_m.arg(quotedName(name), files, known));
}

} // namespace

Result<KubeAccess> accessOf(const Kubeconfig& config, const KubeChoice& choice, const KubeSurroundings& surroundings,
    const KubeFileReader& read)
{
    QList<Message> warnings;
    const Result<ConfigContext> context = chosenContext(config, choice.context, warnings);
    if (!context)
        return fail(context);
    AccessBuilder builder(choice, surroundings, read);
    Result<KubeAccess> access = builder.build(*context, config);
    if (!access)
        return fail(access, u"The context \"%1\" of %2 cannot be used"_m.arg(quotedName(context->name), context->file));
    access->warnings = warnings + builder.warnings;
    return access;
}

} // namespace platforms::kubernetes
