// SPDX-License-Identifier: GPL-3.0-or-later
// What of a kubeconfig reaches the connection, with real certificates.
#include "kube_fixtures.h"

#include "services/platforms/kubernetes/kube_proxy.h"
#include "services/transport/http/http_tls.h"

#include "tests/fakes/web/test_certificates.h"

#include <QSslCertificate>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using transport::ProxySettings;

class TestKubeAccess : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void server();
    void certificates();
    void dataWins();
    void expiredCertificate();
    void encryptedKey();
    void credentials_data();
    void credentials();
    void httpSendsNothing();
    void impersonation();
    void plugins();
    void allowedPlugins();
    void providers();
    void choices();
    void proxies_data();
    void proxies();
    void proxiesWithTls();
    void environmentProxies_data();
    void environmentProxies();

private:
    Result<KubeAccess> access(const QByteArray& text, const KubeFiles& files = {}, const KubeChoice& choice = {}) const
    {
        const Result<Kubeconfig> config = readKubeconfig(text, u"/k/config"_s);
        if (!config)
            return fail(config);
        return accessOf(*config, choice, {u"/home/ada"_s, u"/"_s, {}}, files.reader());
    }
    TestCertificates m_certificates;
};

void TestKubeAccess::initTestCase()
{
    if (!m_certificates.make())
        QSKIP("there is no openssl here");
}

void TestKubeAccess::server()
{
    const auto made = access(kubeconfigText(
        "server: 'https://kube.lab:6443/k8s/c-1/?a=b#c', tls-server-name: kubernetes, proxy-url: 'socks5://p'",
        "token: abc", "cluster: c, user: u, namespace: ml"));
    QVERIFY2(made, qPrintable(shownAccess(made)));
    QCOMPARE(made->http.base, QUrl(u"https://kube.lab:6443/k8s/c-1"_s));
    QCOMPARE(made->http.tls.serverName, u"kubernetes"_s);
    QCOMPARE(made->http.proxy.url, QUrl(u"socks5://p"_s));
    QCOMPARE(made->inNamespace + made->context + made->user + made->file, u"mllabu/k/config"_s);
    QVERIFY(!made->http.tls.isInsecure);
    QVERIFY(made->http.tls.authorities.isEmpty()); // those of the system
}

void TestKubeAccess::certificates()
{
    const KubeFiles files{{{u"/k/ca.crt"_s, m_certificates.file(u"ca.pem"_s) + m_certificates.file(u"server.pem"_s)},
        {u"/k/c.crt"_s, m_certificates.file(u"client.pem"_s)}}};
    QByteArray key = m_certificates.file(u"client.key"_s).toBase64();
    key.insert(20, "\\n ").insert(60, "\\r\\n"); // lines of base64
    const auto made = access(kubeconfigText("server: 'https://h', certificate-authority: ca.crt",
                                 "client-certificate: c.crt, client-key-data: \"" + key + "\""),
        files);
    QVERIFY2(made, qPrintable(shownAccess(made)));
    QCOMPARE(shownAccess(made), QString());
    QCOMPARE(QSslCertificate::fromData(made->http.tls.authorities).size(), 2); // several in one file
    QCOMPARE(made->http.tls.certificate, m_certificates.file(u"client.pem"_s));
    QCOMPARE(made->http.tls.key, m_certificates.file(u"client.key"_s));
    QVERIFY(std::holds_alternative<NoCredentials>(made->credentials));
    QVERIFY(transport::HttpTls::make(made->http.tls));
}

void TestKubeAccess::dataWins()
{
    const QByteArray ca = m_certificates.file(u"ca.pem"_s).toBase64();
    const auto made =
        access(kubeconfigText("server: 'https://h', certificate-authority: none.crt, certificate-authority-data: " + ca,
            "client-certificate: none.crt, client-certificate-data: " + m_certificates.file(u"client.pem"_s).toBase64()
                + ", client-key-data: " + m_certificates.file(u"client.key"_s).toBase64()));
    QVERIFY2(made, qPrintable(shownAccess(made)));
    QCOMPARE(made->http.tls.authorities, m_certificates.file(u"ca.pem"_s));
    QCOMPARE(shownAccess(made),
        u"certificate-authority of the cluster \"c\" is given twice, in the kubeconfig and as a file: the one in the "
        u"kubeconfig is used.\n"
        u"client-certificate of the user \"u\" is given twice, in the kubeconfig and as a file: the one in the kubeconfig is used."_s);
}

void TestKubeAccess::expiredCertificate()
{
    const QByteArray user = "client-certificate-data: " + m_certificates.file(u"client.pem"_s).toBase64()
        + ", client-key-data: " + m_certificates.file(u"client.key"_s).toBase64();
    KubeChoice choice;
    choice.nowMs = QDateTime::currentMSecsSinceEpoch();
    QCOMPARE(shownAccess(access(kubeconfigText("server: 'https://h'", user), {}, choice)), QString());
    choice.nowMs += qint64(30) * 86'400'000;
    const QString shown = shownAccess(access(kubeconfigText("server: 'https://h'", user), {}, choice));
    QVERIFY2(shown.startsWith(u"The client certificate of the user \"u\" expired on 2"_s), qPrintable(shown));
}

void TestKubeAccess::encryptedKey()
{
    const QByteArray user =
        "client-certificate-data: " + m_certificates.file(u"client.pem"_s).toBase64() + ", client-key-data: ";
    const QByteArray encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    QCOMPARE(shownAccess(access(kubeconfigText("server: 'https://h'", user + encrypted.toBase64()))),
        u"invalid: The context \"lab\" of /k/config cannot be used: The client-key of the user \"u\" is protected by a passphrase. Put the key there without one."_s);
    QCOMPARE(shownAccess(access(kubeconfigText("server: 'https://h'", user + "QUJD"))),
        u"invalid: The context \"lab\" of /k/config cannot be used: The client-key of the user \"u\" is no key of RSA or EC: it must be PEM text."_s);
}

void TestKubeAccess::credentials_data()
{
    QTest::addColumn<QByteArray>("user");
    QTest::addColumn<QString>("shown");
    const QByteArray exec = ", exec: {apiVersion: client.authentication.k8s.io/v1, command: aws}";
    QTest::newRow("token") << "token: ' abc '"_ba << u"token abc"_s;
    QTest::newRow("token before a plugin") << "token: abc" + exec << u"token abc"_s;
    QTest::newRow("file") << "tokenFile: t"_ba << u"file /k/t "_s;
    QTest::newRow("file and token") << "tokenFile: /t, token: abc"_ba << u"file /t abc"_s;
    QTest::newRow("login") << "username: ada, password: 'a:b'"_ba << u"login ada a:b"_s;
    QTest::newRow("login without a password") << "username: ada"_ba << u"login ada "_s;
    QTest::newRow("login before a plugin") << "username: ada" + exec << u"login ada "_s;
    QTest::newRow("plugin") << exec.mid(2) << u"plugin aws"_s;
    QTest::newRow("ID token") << "auth-provider: {name: oidc, config: {id-token: abc}}"_ba
                              << u"oidc u /k/config   "_s + u" abc "_s;
    QTest::newRow("refresh token")
        << "auth-provider: {name: oidc, config: {idp-issuer-url: 'https://i/x', client-id: k, client-secret: ' s', refresh-token: r}}"_ba
        << u"oidc u /k/config https://i/x k  s  r"_s;
    QTest::newRow("none") << QByteArray() << u"none"_s;
}

void TestKubeAccess::credentials()
{
    QFETCH(QByteArray, user);
    QFETCH(QString, shown);
    const auto made = access(kubeconfigText("server: 'https://h'", user));
    QVERIFY2(made, qPrintable(shownAccess(made)));
    struct Shower
    {
        QByteArray operator()(const NoCredentials&) const { return "none"; }
        QByteArray operator()(const StaticToken& token) const { return "token " + token.token; }
        QByteArray operator()(const TokenFile& file) const { return "file " + file.path.toUtf8() + ' ' + file.first; }
        QByteArray operator()(const BasicLogin& login) const { return "login " + login.user + ' ' + login.password; }
        QByteArray operator()(const PluginLogin& login) const { return "plugin " + login.plugin.command.toUtf8(); }
        QByteArray operator()(const OidcLogin& login) const
        {
            return "oidc " + login.user.toUtf8() + ' ' + login.file.toUtf8() + ' ' + login.issuer.toUtf8() + ' '
                + login.clientId.toUtf8() + ' ' + login.clientSecret + ' ' + login.tokens.id + ' '
                + login.tokens.refresh;
        }
    };
    QCOMPARE(QString::fromUtf8(std::visit(Shower{}, made->credentials)), shown);
}

void TestKubeAccess::httpSendsNothing()
{
    const auto made = access(kubeconfigText("server: 'http://127.0.0.1:8001', certificate-authority: none",
        "token: abc, client-certificate: none, client-key: none, as: eve"));
    QVERIFY2(made, qPrintable(shownAccess(made)));
    QVERIFY(std::holds_alternative<NoCredentials>(made->credentials));
    QVERIFY(
        made->http.tls.certificate.isEmpty() && made->http.tls.key.isEmpty() && made->http.tls.authorities.isEmpty());
}

void TestKubeAccess::impersonation()
{
    const auto made = access(kubeconfigText("server: 'https://h'",
        "token: a, as: eve, as-uid: 7, as-groups: [g, 'h i'], as-user-extra: {Acme.org/Scopes: [view, edit], b: []}"));
    QVERIFY2(made, qPrintable(shownAccess(made)));
    QCOMPARE(made->impersonation,
        (transport::HttpHeaders{{"Impersonate-User", "eve"}, {"Impersonate-Uid", "7"}, {"Impersonate-Group", "g"},
            {"Impersonate-Group", "h i"}, {"Impersonate-Extra-acme.org%2Fscopes", "view"},
            {"Impersonate-Extra-acme.org%2Fscopes", "edit"}}));
}

void TestKubeAccess::plugins()
{
    const QByteArray cluster =
        "server: 'https://h', tls-server-name: n, proxy-url: 'http://p', certificate-authority: ca.crt, extensions: "
        "[{name: client.authentication.k8s.io/exec, extension: {a: 1}}]";
    const KubeFiles files{{{u"/k/ca.crt"_s, m_certificates.file(u"ca.pem"_s)}}};
    const QByteArray plugin =
        "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./aws, args: [a], env: [{name: A_1, value: b}]";
    const auto without = access(kubeconfigText(cluster, plugin + "}"), files);
    QVERIFY2(without, qPrintable(shownAccess(without)));
    const auto& login = std::get<PluginLogin>(without->credentials);
    QCOMPARE(login.plugin.command, u"/k/aws"_s);
    QVERIFY(login.cluster.is_null());
    const auto with = access(kubeconfigText(cluster, plugin + ", provideClusterInfo: true}"), files);
    QCOMPARE(dumpJson(std::get<PluginLogin>(with->credentials).cluster),
        R"({"server":"https://h","tls-server-name":"n","certificate-authority-data":")"
            + m_certificates.file(u"ca.pem"_s).toBase64() + R"(","proxy-url":"http://p","config":{"a":1}})");
}

void TestKubeAccess::allowedPlugins()
{
    const QByteArray text =
        kubeconfigText("server: 'https://h'", "exec: {apiVersion: client.authentication.k8s.io/v1, command: /opt/aws}");
    const auto shown = [&](const QStringList& allowed) {
        KubeChoice choice;
        choice.plugins = allowed;
        return shownAccess(access(text, {}, choice));
    };
    QCOMPARE(shown({u"aws"_s}), QString());
    QCOMPARE(shown({u"x"_s, u"/opt/aws"_s}), QString());
    QCOMPARE(shown({}),
        u"invalid: The context \"lab\" of /k/config cannot be used: The user \"u\" has its credentials from the program /opt/aws, which the settings do not allow. Allow it there, or choose another context."_s);
    QVERIFY(!shown({u"/usr/bin/aws"_s}).isEmpty());
}

void TestKubeAccess::providers()
{
    const auto shown = [&](const QByteArray& config, const KubeFiles& files = {}) {
        const auto made = access(
            kubeconfigText("server: 'https://h'", "auth-provider: {name: oidc, config: {" + config + "}}"), files);
        const auto* login = made ? std::get_if<OidcLogin>(&made->credentials) : nullptr;
        return login ? QString::fromUtf8(login->authorities) : shownAccess(made);
    };
    const QString head = u"invalid: The context \"lab\" of /k/config cannot be used: "_s;
    const QString none = head
        + u"The user \"u\" logs in with the auth-provider oidc and holds no id-token. Log in with kubectl first; better, use the exec plugin kubelogin (kubectl oidc-login)."_s;
    QCOMPARE(shown(""), none);
    QCOMPARE(shown("idp-issuer-url: 'https://i', refresh-token: r"), none); // whose client?
    QCOMPARE(shown("id-token: \"a\\nb\""),
        head + u"The id-token of the user \"u\" holds characters that none has. Log in again."_s);
    const QByteArray ca = m_certificates.file(u"ca.pem"_s);
    QCOMPARE(shown("id-token: a, idp-certificate-authority-data: " + ca.toBase64()), QString::fromUtf8(ca));
    QCOMPARE(shown("id-token: a, idp-certificate-authority: i.crt", {{{u"/k/i.crt"_s, ca}}}), QString::fromUtf8(ca));
    QCOMPARE(shown("id-token: a, idp-certificate-authority: i.crt"),
        head + u"idp-certificate-authority of the user \"u\": The file /k/i.crt is not there."_s);
    QCOMPARE(shown("id-token: a, idp-certificate-authority-data: YWJj"),
        head + u"The idp-certificate-authority of the user \"u\" is no certificate: it must be PEM text."_s);
}

void TestKubeAccess::choices()
{
    const QByteArray text =
        "clusters: [{name: c, cluster: {server: 'https://h'}}]\nusers: [{name: u, user: {token: a}}]\n"
        "contexts: [{name: x, context: {cluster: c, user: u, namespace: one}}, {name: y, context: {cluster: c, user: "
        "u}}]\n"
        "current-context: y";
    const auto chosen = [&](const QString& context, const QString& inNamespace) {
        KubeChoice choice;
        choice.context = context;
        choice.inNamespace = inNamespace;
        const auto made = access(text, {}, choice);
        return made ? made->context + u'/' + made->inNamespace : shownAccess(made);
    };
    QCOMPARE(chosen({}, {}), u"y/default"_s);
    QCOMPARE(chosen(u"x"_s, {}), u"x/one"_s);
    QCOMPARE(chosen(u"x"_s, u"two"_s), u"x/two"_s);
    QCOMPARE(chosen(u"z"_s, {}), u"invalid: There is no context \"z\" in /k/config. Choose one of these: y, x."_s);
    QVERIFY(chosen(u"x"_s, u"../kube-system"_s).startsWith(u"invalid"_s));
}

void TestKubeAccess::proxies_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("url"); ///< empty: refused
    QTest::newRow("http") << u"http://ada:x@proxy:3128"_s << u"http://ada:x@proxy:3128"_s;
    QTest::newRow("without a scheme") << u"proxy:3128"_s << u"http://proxy:3128"_s;
    QTest::newRow("socks5") << u"socks5://proxy"_s << u"socks5://proxy"_s;
    QTest::newRow("socks5h") << u"socks5h://proxy:1"_s << u"socks5://proxy:1"_s;
    QTest::newRow("https") << u"https://proxy:3128"_s << QString();
    QTest::newRow("ftp") << u"ftp://proxy:3128"_s << QString();
    QTest::newRow("no host") << u"http://"_s << QString();
    QTest::newRow("spaces") << u"a b"_s << QString();
}

void TestKubeAccess::proxies()
{
    QFETCH(QString, text);
    QFETCH(QString, url);
    const auto made = proxyOfText(text);
    QCOMPARE(made.has_value(), !url.isEmpty());
    QCOMPARE(made ? made->url : QUrl(), QUrl(url));
    if (!made)
        QVERIFY(made.error().kind == Kind::invalid && !made.error().message.isEmpty());
}

void TestKubeAccess::proxiesWithTls()
{
    const QString said =
        u"The proxy https://proxy:3128 is to be spoken to with TLS, which is not supported. Use one with http:// or socks5://."_s;
    const auto named = access(kubeconfigText("server: 'https://h', proxy-url: 'https://ada:x@proxy:3128'", ""));
    QCOMPARE(shownAccess(named), u"invalid: The context \"lab\" of /k/config cannot be used: "_s + said);
    const auto ofEnvironment =
        environmentProxy(QUrl(u"https://kube.lab"_s), {{u"HTTPS_PROXY"_s, u"https://proxy:3128"_s}});
    QVERIFY(!ofEnvironment);
    QCOMPARE(ofEnvironment.error().message.text(), said);
}

void TestKubeAccess::environmentProxies_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QString>("exempt");
    QTest::addColumn<bool>("isUsed");
    const auto row = [](const char* server, const char* exempt, bool isUsed) {
        QTest::newRow(qPrintable(u"%1 with %2"_s.arg(QLatin1StringView(server), QLatin1StringView(exempt))))
            << QString::fromLatin1(server) << QString::fromLatin1(exempt) << isUsed;
    };
    row("https://kube.lab:6443", "", true);
    row("https://kube.lab:6443", "*", false);
    row("https://kube.lab:6443", "other, kube.lab", false);
    row("https://kube.lab:6443", "KUBE.LAB", false);
    row("https://kube.lab:6443", "lab", false);
    row("https://kube.lab:6443", "be.lab", true);
    row("https://kube.lab:6443", ".lab", false);
    row("https://kube.lab:6443", "*.lab", false);
    row("https://lab:6443", ".lab", true);
    row("https://kube.lab:6443", "kube.lab:6443", false);
    row("https://kube.lab:6443", "kube.lab:443", true);
    row("https://kube.lab", "kube.lab:443", false);
    row("https://10.1.2.3:6443", "10.0.0.0/8", false);
    row("https://11.1.2.3:6443", "10.0.0.0/8", true);
    row("https://10.1.2.3:6443", "10.1.2.3", false);
    row("https://[fd00::1]:6443", "fd00::/8", false);
    row("https://[fd00::1]:6443", "fd00::1", false);
    row("https://[fd00::1]:6443", "[fd00::1]:6443", false);
    row("https://localhost:6443", "", false);
    row("https://127.0.0.1:6443", "", false);
    row("https://[::1]:6443", "", false);
    row("https://kube.lab:6443", ",,/,:,[", true);
}

void TestKubeAccess::environmentProxies()
{
    QFETCH(QString, server);
    QFETCH(QString, exempt);
    QFETCH(bool, isUsed);
    const auto made = environmentProxy(QUrl(server), {{u"https_proxy"_s, u"p:1"_s}, {u"NO_PROXY"_s, exempt}});
    QVERIFY(made);
    QCOMPARE(made->mode, isUsed ? ProxySettings::Mode::url : ProxySettings::Mode::none);
    const auto plain = environmentProxy(QUrl(u"http://kube.lab"_s), {{u"https_proxy"_s, u"p:1"_s}});
    QCOMPARE(plain->mode, ProxySettings::Mode::none);
}

QTEST_GUILESS_MAIN(TestKubeAccess)
#include "tst_kube_access.moc"
