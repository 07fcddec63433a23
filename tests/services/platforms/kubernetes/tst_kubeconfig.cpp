// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_fixtures.h"

#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

class TestKubeconfig : public QObject
{
    Q_OBJECT
private slots:
    void whole();
    void sameAsJson();
    void oddButRight_data();
    void oddButRight();
    void broken_data();
    void broken();
    void wrongTypes_data();
    void wrongTypes();
    void unusable_data();
    void unusable();
    void merged();
    void forms();
    void paths_data();
    void paths();
    void loaded();
    void inCluster();
    void files();
    void noSecretInErrors();
};

namespace {

const QString configPath = u"/home/ada/.kube/config"_s;

Result<KubeAccess> access(const QByteArray& text, const KubeFiles& files = {}, const KubeChoice& choice = {})
{
    const Result<Kubeconfig> config = readKubeconfig(text, configPath);
    if (!config)
        return fail(config);
    return accessOf(*config, choice, {u"/home/ada"_s, u"/"_s, {}}, files.reader());
}

} // namespace

void TestKubeconfig::whole()
{
    const QByteArray text = R"(apiVersion: v1
kind: Config
preferences: {}
current-context: lab
clusters:
- name: lab
  cluster:
    server: https://kube.lab:6443/prefix
    certificate-authority: certs/ca.crt
    certificate-authority-data: QUJD
    insecure-skip-tls-verify: false
    tls-server-name: kubernetes
    proxy-url: socks5://proxy:1080
    disable-compression: true
    extensions:
    - {name: other, extension: 1}
    - name: client.authentication.k8s.io/exec
      extension: {audience: lab}
users:
- name: ada
  user:
    client-certificate: /etc/ada.crt
    client-certificate-data: REVG
    client-key: ../ada.key
    client-key-data: R0hJ
    token: abc
    tokenFile: token
    username: ada
    password: "123"
    as: eve
    as-uid: 7
    as-groups: [g1, g2]
    as-user-extra: {scopes: [view, edit], none: null}
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: bin/login
      args: [--cluster, lab]
      env: [{name: A, value: b}]
      installHint: get it
      provideClusterInfo: true
      interactiveMode: Never
    auth-provider: {name: oidc, config: {id-token: x, extra-scopes: null}}
contexts:
- name: lab
  context: {cluster: lab, user: ada, namespace: ml, extensions: []}
)";
    const Result<Kubeconfig> config = readKubeconfig(text, configPath);
    QVERIFY2(config, config ? "" : qPrintable(config.error().message));
    QCOMPARE(config->currentContext, u"lab"_s);
    QCOMPARE(config->contexts, (QList<ConfigContext>{{u"lab"_s, configPath, u"lab"_s, u"ada"_s, u"ml"_s}}));
    const ConfigCluster& cluster = config->clusters.first();
    QCOMPARE(cluster.server, u"https://kube.lab:6443/prefix"_s);
    QCOMPARE(cluster.authority, (PemPlace{u"QUJD"_s, u"/home/ada/.kube/certs/ca.crt"_s}));
    QVERIFY(!cluster.isInsecure);
    QCOMPARE(cluster.serverName + cluster.proxyUrl, u"kubernetessocks5://proxy:1080"_s);
    QCOMPARE(dumpJson(cluster.pluginConfig), R"({"audience":"lab"})"_ba);
    const ConfigUser& user = config->users.first();
    QCOMPARE(user.certificate, (PemPlace{u"REVG"_s, u"/etc/ada.crt"_s}));
    QCOMPARE(user.key, (PemPlace{u"R0hJ"_s, u"/home/ada/ada.key"_s}));
    QCOMPARE(user.token + user.tokenFile, u"abc/home/ada/.kube/token"_s);
    QCOMPARE(user.userName + user.password, u"ada123"_s);
    QCOMPARE(user.impersonation.user + user.impersonation.uid, u"eve7"_s);
    QCOMPARE(user.impersonation.groups, (QStringList{u"g1"_s, u"g2"_s}));
    QCOMPARE(user.impersonation.extra, (QList<std::pair<QString, QStringList>>{{u"scopes"_s, {u"view"_s, u"edit"_s}}}));
    QVERIFY(user.exec && user.provider);
    QCOMPARE(user.exec->command, u"/home/ada/.kube/bin/login"_s);
    QCOMPARE(user.exec->arguments, (QStringList{u"--cluster"_s, u"lab"_s}));
    QCOMPARE(user.exec->environment, (QList<std::pair<QString, QString>>{{u"A"_s, u"b"_s}}));
    QCOMPARE(user.exec->apiVersion + user.exec->interactiveMode + user.exec->installHint,
        u"client.authentication.k8s.io/v1Neverget it"_s);
    QVERIFY(user.exec->wantsCluster);
    QCOMPARE(user.provider->name, u"oidc"_s);
    QCOMPARE(user.provider->config, (QMap<QString, QString>{{u"id-token"_s, u"x"_s}}));
}

void TestKubeconfig::sameAsJson()
{
    const QByteArray json = R"({"kind":"Config","clusters":[{"name":"c","cluster":{"server":"https://h"}}],
        "users":null,"contexts":[{"name":"x","context":{"cluster":"c","user":""}}],"current-context":""})";
    const Result<Kubeconfig> config = readKubeconfig(json, configPath);
    QVERIFY2(config, config ? "" : qPrintable(config.error().message));
    QCOMPARE(config->clusters.first().server, u"https://h"_s);
    QVERIFY(config->users.isEmpty());
}

void TestKubeconfig::oddButRight_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("shown"); ///< its warnings
    const QByteArray server = "server: 'https://h'";
    QTest::newRow("plain") << kubeconfigText(server, "token: abc") << QString();
    QTest::newRow("no kind")
        << "current-context: 1\nclusters: [{name: 2, cluster: {server: 'https://h'}}]\n"
           "users: [{name: 3, user: {token: a}}]\ncontexts: [{name: 1, context: {cluster: 2, user: 3}}]"_ba
        << QString();
    QTest::newRow("unknown members") << kubeconfigText(server + ", later: {a: [1]}", "token: abc, later: 7")
                                     << QString();
    QTest::newRow("no user") << kubeconfigText(server, "token: abc", "cluster: c")
                             << u"The context \"lab\" names no user, so no credentials are sent."_s;
    QTest::newRow("user without anything")
        << kubeconfigText(server, "") << u"The user \"u\" has no credentials, so none are sent."_s;
    QTest::newRow("http") << kubeconfigText("server: 'http://127.0.0.1:8001'", "token: abc")
                          << u"The server of the cluster \"c\" is reached without TLS, so no credentials are sent."_s;
    QTest::newRow("http without credentials") << kubeconfigText("server: 'http://127.0.0.1:8001'", "", "cluster: c")
                                              << u"The context \"lab\" names no user, so no credentials are sent."_s;
    QTest::newRow("insecure")
        << kubeconfigText(server + ", insecure-skip-tls-verify: true", "token: abc")
        << u"The certificate of the cluster \"c\" is not checked (insecure-skip-tls-verify), so anyone on the way can read the credentials. Give its certificate-authority instead."_s;
    QTest::newRow("the only context")
        << kubeconfigText(server, "token: abc").replace("current-context: lab", "current-context: ''")
        << u"/home/ada/.kube/config names no current context: the only one there, \"lab\", is used."_s;
}

void TestKubeconfig::oddButRight()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, shown);
    const Result<KubeAccess> made = access(text);
    QVERIFY2(made, qPrintable(shownAccess(made)));
    QCOMPARE(shownAccess(made), shown);
}

void TestKubeconfig::broken_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("shown");
    const QString no = u"invalid: /home/ada/.kube/config is no kubeconfig: "_s;
    QTest::newRow("empty") << QByteArray() << no + u"It is empty."_s;
    QTest::newRow("blank") << " \n\t\n"_ba << no + u"It is empty."_s;
    QTest::newRow("not YAML") << "a: [b"_ba
                              << no + u"Line 1, column 1: this is no YAML (end of sequence flow not found)."_s;
    QTest::newRow("not UTF-8") << "a: \xff"_ba
                               << no + u"Line 1, column 4: this is no UTF-8. Save the file with that encoding."_s;
    QTest::newRow("a list") << "- a"_ba << no + u"It must hold names and values at its top."_s;
    QTest::newRow("a word") << "hello"_ba << no + u"It must hold names and values at its top."_s;
    QTest::newRow("a Pod") << "kind: Pod\napiVersion: v1"_ba << no + u"Its kind is \"Pod\", not Config."_s;
    QTest::newRow("of a later version") << "kind: Config\napiVersion: v2"_ba
                                        << no + u"Its version is \"v2\"; only v1 is known."_s;
    QTest::newRow("another YAML") << "trialCommand: x"_ba << no + u"It names no clusters, users or contexts."_s;
    QTest::newRow("two documents") << "kind: Config\n---\nkind: Config"_ba
                                   << no + u"The file holds more than one YAML document; it must be one."_s;
    QTest::newRow("a name twice in one object")
        << "kind: Config\nkind: Config"_ba << no + u"Line 2, column 1: `kind` is given twice."_s;
    QTest::newRow("a name of two lines twice")
        << "\"a\\nb\": 1\n\"a\\nb\": 1"_ba << no + u"Line 2, column 1: `a⏎b` is given twice."_s;
    QTest::newRow("nested too deep") << "a: " + QByteArray(100, '[') + QByteArray(100, ']')
                                     << no + u"Line 1, column 68: it is nested more than 64 levels deep."_s;
    QTest::newRow("too large") << "a: " + QByteArray(1'100'000, 'x')
                               << no + u"This YAML is larger than 1 MiB, more than is read."_s;
    QTest::newRow("a cluster twice")
        << "clusters:\n- {name: c, cluster: {}}\n- {name: c, cluster: {}}"_ba
        << u"invalid: /home/ada/.kube/config, line 3: \"clusters[1].name\" is given twice: \"c\"."_s;
    QTest::newRow("a user twice")
        << "users: [{name: c}, {name: c}]"_ba
        << u"invalid: /home/ada/.kube/config, line 1: \"users[1].name\" is given twice: \"c\"."_s;
    QTest::newRow("a context without a name")
        << "contexts: [{context: {cluster: c}}]"_ba
        << u"invalid: /home/ada/.kube/config, line 1: \"contexts[0]\" needs a name."_s;
    QTest::newRow("a variable without a name")
        << kubeconfigText("", "exec: {env: [{value: x}]}")
        << u"invalid: /home/ada/.kube/config, line 7: \"users[0].user.exec.env[0]\" needs a name."_s;
}

void TestKubeconfig::broken()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, shown);
    const Result<Kubeconfig> config = readKubeconfig(text, configPath);
    QVERIFY(!config);
    QCOMPARE(kindName(config.error().kind) + u": "_s + config.error().message, shown);
}

void TestKubeconfig::wrongTypes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("member");
    QTest::addColumn<QString>("what");
    const QString text = u"must be text."_s;
    const QString quote = u"must be text: put quotes around it."_s;
    const QString list = u"must be a list."_s;
    const QString object = u"must hold names and values."_s;
    const QString flag = u"must be true or false."_s;
    for (const char* name : {"clusters", "users", "contexts"}) {
        const QByteArray member(name);
        QTest::newRow(name) << member + ": {}" << QString::fromLatin1(name) << list;
        QTest::newRow(qPrintable(QString::fromLatin1(name) + u" of words"_s))
            << member + ": [x]" << QString::fromLatin1(name) + u"[0]"_s << object;
        QTest::newRow(qPrintable(QString::fromLatin1(name) + u" name"_s))
            << member + ": [{name: [x]}]" << QString::fromLatin1(name) + u"[0].name"_s << text;
        QTest::newRow(qPrintable(QString::fromLatin1(name) + u" inner"_s))
            << member + ": [{name: x, " + member.chopped(1) + ": 7}]"
            << QString::fromLatin1(name) + u"[0]."_s + QString::fromLatin1(member.chopped(1)) << object;
    }
    QTest::newRow("kind") << "kind: [Config]"_ba << u"kind"_s << text;
    QTest::newRow("current-context") << "kind: Config\ncurrent-context: true"_ba << u"current-context"_s << quote;
    for (const char* name :
        {"server", "certificate-authority", "certificate-authority-data", "tls-server-name", "proxy-url"})
        QTest::newRow(name) << kubeconfigText(QByteArray(name) + ": [x]", "")
                            << u"clusters[0].cluster."_s + QString::fromLatin1(name) << text;
    QTest::newRow("insecure-skip-tls-verify") << kubeconfigText("insecure-skip-tls-verify: 'yes'", "")
                                              << u"clusters[0].cluster.insecure-skip-tls-verify"_s << flag;
    QTest::newRow("extensions") << kubeconfigText("extensions: 1", "") << u"clusters[0].cluster.extensions"_s << list;
    for (const char* name : {"client-certificate", "client-certificate-data", "client-key", "client-key-data", "token",
             "tokenFile", "username", "password", "as"})
        QTest::newRow(name) << kubeconfigText("", QByteArray(name) + ": {a: b}")
                            << u"users[0].user."_s + QString::fromLatin1(name) << text;
    QTest::newRow("a token of digits") << kubeconfigText("", "token: 0123") << u"users[0].user.token"_s << quote;
    QTest::newRow("a password of digits")
        << kubeconfigText("", "password: 1e5") << u"users[0].user.password"_s << quote;
    QTest::newRow("as-uid") << kubeconfigText("", "as-uid: [1]") << u"users[0].user.as-uid"_s << text;
    QTest::newRow("as-groups") << kubeconfigText("", "as-groups: x") << u"users[0].user.as-groups"_s << list;
    QTest::newRow("a group") << kubeconfigText("", "as-groups: [x, {}]") << u"users[0].user.as-groups[1]"_s << text;
    QTest::newRow("as-user-extra") << kubeconfigText("", "as-user-extra: [x]") << u"users[0].user.as-user-extra"_s
                                   << object;
    QTest::newRow("an extra") << kubeconfigText("", "as-user-extra: {k: v}") << u"users[0].user.as-user-extra.k"_s
                              << list;
    QTest::newRow("exec") << kubeconfigText("", "exec: x") << u"users[0].user.exec"_s << object;
    for (const char* name : {"command", "apiVersion", "installHint", "interactiveMode"})
        QTest::newRow(qPrintable(u"exec "_s + QString::fromLatin1(name)))
            << kubeconfigText("", "exec: {" + QByteArray(name) + ": [x]}")
            << u"users[0].user.exec."_s + QString::fromLatin1(name) << text;
    QTest::newRow("exec args") << kubeconfigText("", "exec: {args: x}") << u"users[0].user.exec.args"_s << list;
    QTest::newRow("exec argument") << kubeconfigText("", "exec: {args: [a, 1]}") << u"users[0].user.exec.args[1]"_s
                                   << quote;
    QTest::newRow("exec env") << kubeconfigText("", "exec: {env: {A: b}}") << u"users[0].user.exec.env"_s << list;
    QTest::newRow("exec value") << kubeconfigText("", "exec: {env: [{name: A, value: 1}]}")
                                << u"users[0].user.exec.env[0].value"_s << quote;
    QTest::newRow("exec provideClusterInfo")
        << kubeconfigText("", "exec: {provideClusterInfo: 1}") << u"users[0].user.exec.provideClusterInfo"_s << flag;
    QTest::newRow("auth-provider") << kubeconfigText("", "auth-provider: oidc") << u"users[0].user.auth-provider"_s
                                   << object;
    QTest::newRow("auth-provider config") << kubeconfigText("", "auth-provider: {name: oidc, config: x}")
                                          << u"users[0].user.auth-provider.config"_s << object;
    QTest::newRow("auth-provider value") << kubeconfigText("", "auth-provider: {name: oidc, config: {id-token: 1}}")
                                         << u"users[0].user.auth-provider.config.id-token"_s << quote;
    for (const char* name : {"cluster", "user", "namespace"})
        QTest::newRow(qPrintable(u"context "_s + QString::fromLatin1(name)))
            << kubeconfigText("", "", QByteArray(name) + ": [x]")
            << u"contexts[0].context."_s + QString::fromLatin1(name) << text;
}

void TestKubeconfig::wrongTypes()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, member);
    QFETCH(QString, what);
    const Result<Kubeconfig> config = readKubeconfig(text, configPath);
    QVERIFY(!config);
    QCOMPARE(config.error().kind, Kind::invalid);
    const QString sentence = config.error().message;
    QVERIFY2(sentence.startsWith(configPath + u", line "_s), qPrintable(sentence));
    QCOMPARE(sentence.mid(sentence.indexOf(u'"')), u"\"%1\" %2"_s.arg(member, what));
}

void TestKubeconfig::unusable_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("shown"); ///< after the context and the file, if it begins with a dot
    const QByteArray server = "server: 'https://h'";
    const QByteArray v1 = "apiVersion: client.authentication.k8s.io/v1, ";
    const auto row = [](const char* name, const QByteArray& text, const QString& shown) {
        QTest::newRow(name) << text << shown;
    };
    row("no context at all", "kind: Config",
        u"/home/ada/.kube/config names no context. Get a kubeconfig as the cluster's documentation says."_s);
    row("no current context", "contexts: [{name: b, context: {cluster: c}}, {name: a, context: {cluster: c}}]",
        u"/home/ada/.kube/config names no current context. Choose one in the settings: b, a."_s);
    row("unknown context", kubeconfigText(server, "").replace("current-context: lab", "current-context: x"),
        u"There is no context \"x\" in /home/ada/.kube/config. Choose one of these: lab."_s);
    row("context without a cluster", kubeconfigText(server, "", "user: u"),
        u".It names no cluster. Add one, or choose another context."_s);
    row("unknown cluster", kubeconfigText(server, "", "cluster: x"), u".There is no cluster \"x\", which it names."_s);
    row("unknown user", kubeconfigText(server, "", "cluster: c, user: x"),
        u".There is no user \"x\", which it names."_s);
    row("odd namespace", kubeconfigText(server, "", "cluster: c, user: u, namespace: My_Team"),
        u".The namespace \"My_Team\" is none that Kubernetes takes: lower-case letters, digits and dashes."_s);
    row("no server", kubeconfigText("", ""), u".Its cluster \"c\" names no server."_s);
    for (const char* address : {"h:6443", "ftp://h", "https://", "https://h:x", "//h", "https://a b"})
        row(qPrintable(u"server "_s + QString::fromLatin1(address)),
            kubeconfigText("server: '" + QByteArray(address) + "'", ""),
            u".The server of its cluster \"c\" is no address that begins with https:// or http://."_s);
    row("a password in the server", kubeconfigText("server: 'https://ada:hunter2@h'", ""),
        u".The server of its cluster \"c\" holds a password in its address. Put it into the entry of the user."_s);
    row("a proxy with TLS", kubeconfigText(server + ", proxy-url: 'https://ada:hunter2@p:1'", ""),
        u".The proxy https://p:1 is to be spoken to with TLS, which is not supported. Use one with http:// or socks5://."_s);
    row("an odd proxy", kubeconfigText(server + ", proxy-url: 'ftp://ada:hunter2@p:1'", ""),
        u".The proxy must be an address such as http://proxy:3128 or socks5://proxy:1080."_s);
    row("base64 of the authority", kubeconfigText(server + ", certificate-authority-data: 'QUJ!'", ""),
        u".certificate-authority-data of the cluster \"c\" is damaged: it is no base64."_s);
    row("PEM of the authority", kubeconfigText(server + ", certificate-authority-data: QUJD", ""),
        u".The certificate-authority of the cluster \"c\" is no certificate: it must be PEM text."_s);
    row("authority that is not there", kubeconfigText(server + ", certificate-authority: x.crt", ""),
        u".certificate-authority of the cluster \"c\": The file /home/ada/.kube/x.crt is not there."_s);
    row("a path of two lines", kubeconfigText(server + ", certificate-authority: \"/a\\nb\"", ""),
        u".certificate-authority of the cluster \"c\": The file /a⏎b is not there."_s);
    row("authority and insecure",
        kubeconfigText(server + ", certificate-authority: x.crt, insecure-skip-tls-verify: true", ""),
        u".Its cluster \"c\" names an authority and says insecure-skip-tls-verify, which contradict each other. Remove the latter."_s);
    row("certificate without a key", kubeconfigText(server, "client-certificate-data: QUJD"),
        u".The user \"u\" has a client certificate, but no client-key."_s);
    row("key without a certificate", kubeconfigText(server, "client-key-data: QUJD"),
        u".The user \"u\" has a client key, but no client-certificate."_s);
    row("certificate that is none", kubeconfigText(server, "client-certificate-data: QUJD, client-key-data: QUJD"),
        u".The client-certificate of the user \"u\" is no certificate: it must be PEM text."_s);
    row("key that is not there", kubeconfigText(server, "client-certificate-data: QUJD, client-key: /x.key"),
        u".client-key of the user \"u\": The file /x.key is not there."_s);
    row("base64 of the key", kubeconfigText(server, "client-certificate-data: QUJD, client-key-data: 'hunter2!'"),
        u".client-key-data of the user \"u\" is damaged: it is no base64."_s);
    row("token and password", kubeconfigText(server, "token: hunter2, username: a, password: hunter2"),
        u".The user \"u\" has a token and a password, of which only one can be sent. Remove the other."_s);
    row("token of two lines", kubeconfigText(server, "token: \"hunter2\\nX-A: b\""),
        u".The token of the user \"u\" holds characters that none has. Copy it again."_s);
    row("password alone", kubeconfigText(server, "password: hunter2"),
        u".The user \"u\" has a password, but no username."_s);
    row("colon in the name", kubeconfigText(server, "username: 'a:b', password: hunter2"),
        u".The username of the user \"u\" holds a colon, which none can."_s);
    row("plugin without a command", kubeconfigText(server, "exec: {" + v1 + "args: [x]}"),
        u".The exec plugin of the user \"u\" names no command."_s);
    row("plugin of v1alpha1",
        kubeconfigText(server, "exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: aws}"),
        u".The exec plugin of the user \"u\" speaks v1alpha1, which Kubernetes has given up. Update the plugin, and write the kubeconfig anew with its own command."_s);
    row("plugin without a version", kubeconfigText(server, "exec: {command: aws}"),
        u".The exec plugin of the user \"u\" must say its apiVersion: client.authentication.k8s.io/v1 or …/v1beta1."_s);
    row("plugin with a terminal", kubeconfigText(server, "exec: {" + v1 + "command: aws, interactiveMode: Always}"),
        u".The exec plugin of the user \"u\" asks a person at a terminal (interactiveMode Always), and there is none here. Use a plugin that keeps its login, or a token."_s);
    row("plugin of an odd mode", kubeconfigText(server, "exec: {" + v1 + "command: aws, interactiveMode: Maybe}"),
        u".The interactiveMode of the exec plugin of the user \"u\" must be Never, IfAvailable or Always."_s);
    row("plugin with an odd variable",
        kubeconfigText(server, "exec: {" + v1 + "command: aws, env: [{name: 'A=B', value: hunter2}]}"),
        u".The exec plugin of the user \"u\" sets \"A=B\", which is no name of a variable."_s);
    row("plugin and provider", kubeconfigText(server, "exec: {" + v1 + "command: aws}, auth-provider: {name: oidc}"),
        u".The user \"u\" has an exec plugin and an auth-provider, of which only one can be used. Remove the other."_s);
    row("gcp", kubeconfigText(server, "auth-provider: {name: gcp}"),
        u".The user \"u\" logs in with the auth-provider gcp, which Kubernetes has given up. Install gke-gcloud-auth-plugin, and write the kubeconfig anew with `gcloud container clusters get-credentials`."_s);
    row("azure", kubeconfigText(server, "auth-provider: {name: azure}"),
        u".The user \"u\" logs in with the auth-provider azure, which Kubernetes has given up. Install kubelogin, and convert the kubeconfig with `kubelogin convert-kubeconfig`."_s);
    row("another provider", kubeconfigText(server, "auth-provider: {name: openstack}"),
        u".The user \"u\" logs in with the auth-provider \"openstack\", which is not known here. Use a token, a client certificate or an exec plugin."_s);
    row("oidc without a token", kubeconfigText(server, "auth-provider: {name: oidc, config: {refresh-token: hunter2}}"),
        u".The user \"u\" logs in with the auth-provider oidc and holds no id-token. Log in with kubectl first; better, use the exec plugin kubelogin (kubectl oidc-login)."_s);
    row("groups of nobody", kubeconfigText(server, "token: hunter2, as-groups: [g]"),
        u".The user \"u\" has as-uid, as-groups or as-user-extra, but no `as` that says for whom it acts."_s);
    row("a header in a group", kubeconfigText(server, "token: hunter2, as: a, as-groups: [\"g\\r\\nX: y\"]"),
        u".The user \"u\" acts for another one (Impersonate-Group) with characters that cannot be sent."_s);
}

void TestKubeconfig::unusable()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, shown);
    if (shown.startsWith(u'.'))
        shown.replace(0, 1, u"The context \"lab\" of /home/ada/.kube/config cannot be used: "_s);
    const Result<KubeAccess> made = access(text);
    QVERIFY(!made);
    QCOMPARE(made.error().kind, Kind::invalid);
    QCOMPARE(made.error().message.text(), shown);
    QVERIFY2(!shownAccess(made).contains(u"hunter2"_s), qPrintable(shownAccess(made)));
}

void TestKubeconfig::merged()
{
    const auto first = readKubeconfig("clusters: [{name: c, cluster: {server: 'https://one'}}]\ncontexts: [{name: a, "
                                      "context: {cluster: c}}]\ncurrent-context: ''",
        u"/1/config"_s);
    const auto second =
        readKubeconfig("clusters: [{name: c, cluster: {server: 'https://two', tls-server-name: n}}, {name: d}]\n"
                       "users: [{name: u, user: {tokenFile: t}}]\ncurrent-context: b",
            u"/2/config"_s);
    const auto third = readKubeconfig(
        "contexts: [{name: a, context: {cluster: x}}, {name: b, context: {cluster: d}}]\ncurrent-context: a",
        u"/3/config"_s);
    QVERIFY(first && second && third);
    const Kubeconfig all = mergedKubeconfigs({*first, *second, *third});
    QCOMPARE(all.currentContext, u"b"_s);
    QCOMPARE(all.clusters.size(), 2);
    QCOMPARE(all.clusters[0].server + all.clusters[0].serverName, u"https://one"_s); // entries are never mixed
    QCOMPARE(all.contexts,
        (QList<ConfigContext>{{u"a"_s, u"/1/config"_s, u"c"_s, {}, {}}, {u"b"_s, u"/3/config"_s, u"d"_s, {}, {}}}));
    QCOMPARE(all.users.first().tokenFile, u"/2/t"_s); // of the folder of its own file
    QCOMPARE(all.files, (QStringList{u"/1/config"_s, u"/2/config"_s, u"/3/config"_s}));
}

void TestKubeconfig::forms()
{
    const auto config = readKubeconfig(
        "contexts: [{name: a, context: {cluster: c, namespace: x}}, {name: b, context: {cluster: c}},\n"
        " {name: d, context: {cluster: e, namespace: y}}, {name: f, context: {cluster: c, namespace: x}}]\n"
        "current-context: d",
        configPath);
    QVERIFY(config);
    QCOMPARE(contextNames(*config), (QStringList{u"d"_s, u"a"_s, u"b"_s, u"f"_s}));
    QCOMPARE(namespacesOf(*config, u"b"_s), (QStringList{u"default"_s, u"x"_s}));
    QCOMPARE(namespacesOf(*config, u"d"_s), (QStringList{u"y"_s}));
    QCOMPARE(namespacesOf(*config, u"z"_s), QStringList());
}

void TestKubeconfig::paths_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QStringList>("paths"); ///< empty: refused
    QTest::newRow("neither") << QString() << QString() << QStringList{u"/home/ada/.kube/config"_s};
    QTest::newRow("given alone") << u"/x/../y"_s << u"/a:/b"_s << QStringList{u"/y"_s};
    QTest::newRow("given below home") << u"~/k"_s << QString() << QStringList{u"/home/ada/k"_s};
    QTest::newRow("given and relative") << u"k"_s << QString() << QStringList();
    QTest::newRow("a list") << QString() << u"/a::b:/a:/c/"_s << QStringList{u"/a"_s, u"/here/b"_s, u"/c"_s};
}

void TestKubeconfig::paths()
{
    QFETCH(QString, given);
    QFETCH(QString, variable);
    QFETCH(QStringList, paths);
    const auto made = kubeconfigPaths(given, {u"/home/ada"_s, u"/here"_s, {{u"KUBECONFIG"_s, variable}}});
    QCOMPARE(made.has_value(), !paths.isEmpty());
    if (!made)
        QCOMPARE(made.error().message.text(), u"The path of the kubeconfig, k, must be absolute, or begin with ~/."_s);
    else
        QCOMPARE(*made, (KubeconfigPaths{paths, !given.isEmpty()}));
}

void TestKubeconfig::loaded()
{
    const KubeSurroundings list{u"/home/ada"_s, u"/"_s, {{u"KUBECONFIG"_s, u"/a:/b:/c"_s}}};
    KubeFiles files;
    const auto shown = [&](const QString& given, const KubeSurroundings& surroundings) {
        const auto config = loadKubeconfig(given, surroundings, files.reader());
        return config ? config->files.join(u' ')
                      : kindName(config.error().kind) + u": "_s + config.error().message.text();
    };
    QCOMPARE(shown({}, list),
        u"not_found: There is no kubeconfig: /a, /b, /c is not there. Get one as the cluster's documentation says, or name its file in the settings."_s);
    files.files = {{u"/b"_s, kubeconfigText("server: 'https://h'", "")}};
    QCOMPARE(shown({}, list), u"/b"_s); // those that are missing are passed over
    QCOMPARE(shown(u"/a"_s, list), u"not_found: The kubeconfig cannot be used: The file /a is not there."_s);
    files.files.insert(u"/c"_s, "x");
    QCOMPARE(shown({}, list), u"invalid: /c is no kubeconfig: It must hold names and values at its top."_s);
    QCOMPARE(shown(u"/b"_s, list), u"/b"_s);
}

void TestKubeconfig::inCluster()
{
    KubeSurroundings pod{u"/home/ada"_s, u"/"_s,
        {{u"KUBERNETES_SERVICE_HOST"_s, u"fd00::1"_s}, {u"KUBERNETES_SERVICE_PORT"_s, u"443"_s}}};
    const QString folder = u"/var/run/secrets/kubernetes.io/serviceaccount/"_s;
    KubeFiles files{{{folder + u"namespace"_s, "ml\n"}}};
    const auto own = loadKubeconfig({}, pod, files.reader());
    QVERIFY(own);
    QCOMPARE(own->clusters.first().server, u"https://[fd00::1]:443"_s);
    QCOMPARE(own->clusters.first().authority.path, folder + u"ca.crt"_s);
    QCOMPARE(own->users.first().tokenFile, folder + u"token"_s);
    QCOMPARE(own->contexts.first().inNamespace, u"ml"_s);
    pod.environment.insert(u"POD_NAMESPACE"_s, u"other"_s);
    QCOMPARE(loadKubeconfig({}, pod, files.reader())->contexts.first().inNamespace, u"other"_s);
    // What a person has wins.
    files.files.insert(u"/home/ada/.kube/config"_s, kubeconfigText("server: 'https://h'", ""));
    QCOMPARE(loadKubeconfig({}, pod, files.reader())->currentContext, u"lab"_s);
    // One that names nothing does not.
    files.files.insert(u"/home/ada/.kube/config"_s, "kind: Config\ncontexts: []");
    QCOMPARE(loadKubeconfig({}, pod, files.reader())->currentContext, u"in-cluster"_s);
}

void TestKubeconfig::files()
{
    QTemporaryDir folder;
    const auto shown = [&](const QString& name) {
        const auto bytes = readKubeFile(folder.filePath(name));
        return bytes ? QString::fromUtf8(*bytes)
                     : QString(kindName(bytes.error().kind) + u": "_s + bytes.error().message.text())
                           .replace(folder.path(), u"~"_s);
    };
    const auto write = [&](const QString& name, const QByteArray& bytes) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    };
    write(u"whole"_s, "abc");
    QCOMPARE(shown(u"whole"_s), u"abc"_s);
    QCOMPARE(shown(u"none"_s), u"not_found: The file ~/none is not there."_s);
    QDir(folder.path()).mkdir(u"folder"_s);
    QCOMPARE(shown(u"folder"_s), u"invalid: ~/folder is a folder, not a file."_s);
    write(u"large"_s, QByteArray(1024 * 1024 + 1, 'x'));
    QCOMPARE(shown(u"large"_s), u"invalid: The file ~/large is larger than 1 MiB, more than is read."_s);
    QFile::link(u"/dev/zero"_s, folder.filePath(u"device"_s));
    QCOMPARE(shown(u"device"_s), u"invalid: ~/device is no ordinary file."_s);
    if (::geteuid() == 0)
        return; // root reads everything
    QFile::setPermissions(folder.filePath(u"whole"_s), QFile::Permissions());
    QCOMPARE(shown(u"whole"_s), u"invalid: The file ~/whole cannot be read: Permission denied"_s);
}

void TestKubeconfig::noSecretInErrors()
{
    // Each value of a secret, in a file that is broken behind or around it.
    for (const QByteArray& secret : {"token: hunter2hunter2"_ba, "password: hunter2hunter2"_ba,
             "client-key-data: hunter2hunter2"_ba, "exec: {command: x, env: [{name: A, value: hunter2hunter2}]}"_ba})
        for (const QByteArray& text : {kubeconfigText("server: 'https://h'", secret) + "]",
                 kubeconfigText("server: [", secret), kubeconfigText("server: 'https://h'", secret + ", " + secret),
                 kubeconfigText("server: 'https://h'", secret + ", as: [x]"), kubeconfigText("", secret),
                 kubeconfigText("server: 'https://h'", secret).replace("hunter2hunter2", "[hunter2hunter2]"),
                 kubeconfigText("server: 'https://h'", secret).replace("hunter2hunter2", "{hunter2hunter2: 1}")}) {
            const Result<KubeAccess> made = access(text);
            QVERIFY2(!shownAccess(made).contains(u"hunter2"_s), qPrintable(shownAccess(made)));
        }
}

QTEST_GUILESS_MAIN(TestKubeconfig)
#include "tst_kubeconfig.moc"
