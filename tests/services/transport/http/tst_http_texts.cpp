// SPDX-License-Identifier: GPL-3.0-or-later
// What requests are made of, where redirects lead, what errors say, and what no text may hold.
#include "services/transport/http/request_head.h"
#include "services/transport/http/redaction.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace transport;

class TestHttpTexts : public QObject
{
    Q_OBJECT
private slots:
    void targets_data();
    void targets();
    void redirects_data();
    void redirects();
    void redirectsOfSecrets();
    void heads();
    void headsThatBreak();
    void urls();
    void secrets_data();
    void secrets();
    void errors();
};

void TestHttpTexts::targets_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QString>("url"); // empty: refused
    const auto row = [](const char* name, const char* base, const char* target, const char* url) {
        QTest::newRow(name) << QString::fromUtf8(base) << QByteArray(target) << QString::fromUtf8(url);
    };
    row("path", "https://h:6443", "/api/v1?x=a%2Fb", "https://h:6443/api/v1?x=a%2Fb");
    row("below a path", "https://h/k8s/c-1/", "/api", "https://h/k8s/c-1/api");
    row("absolute", "https://h", "http://other:81/x", "http://other:81/x");
    row("without its user", "https://me:pw@h", "/x", "https://h/x");
    row("not encoded", "https://h", "/a b", "");
    row("a line end", "https://h", "/a\r\nX: y", "");
    row("another scheme", "https://h", "file:///etc/passwd", "");
    row("no host", "https://h", "http:///x", "");
    row("no slash", "https://h", "api", "");
}

void TestHttpTexts::targets()
{
    QFETCH(QString, base);
    QFETCH(QByteArray, target);
    QFETCH(QString, url);
    const Result<QUrl> found = resolvedTarget(QUrl(base), target);
    QCOMPARE(found ? found->toString(QUrl::FullyEncoded) : QString(), url);
    if (!found)
        QCOMPARE(found.error().kind, Kind::invalid);
}

void TestHttpTexts::redirects_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("location");
    QTest::addColumn<bool>("follows");
    QTest::addColumn<QString>("leads"); // `METHOD url`, `stays`, or a part of the refusal
    const auto row = [](const char* name, const char* method, int status, const char* location, bool follows,
                         const char* leads) {
        QTest::newRow(name) << QByteArray(method) << status << QByteArray(location) << follows
                            << QString::fromUtf8(leads);
    };
    row("GET", "GET", 302, "/b?c=d", false, "GET https://h:8443/b?c=d");
    row("GET elsewhere", "GET", 307, "https://i/b#f", false, "GET https://i/b");
    row("HEAD", "HEAD", 301, "b", false, "HEAD https://h:8443/a/b");
    row("POST", "POST", 307, "/b", false, "stays");
    row("POST, wanted", "POST", 308, "/b", true, "POST https://h:8443/b+body");
    row("POST 302, wanted", "POST", 302, "/b", true, "POST https://h:8443/b+body");
    row("POST 303, wanted", "POST", 303, "/b", true, "GET https://h:8443/b");
    row("POST, another port", "POST", 308, "https://h/b", true, "POST https://h/b+body");
    row("POST, another host", "POST", 308, "https://i/b", true, "redirects a request with data to another host, i");
    row("no location", "GET", 302, "", false, "stays");
    row("not modified", "GET", 304, "/b", false, "stays");
    row("to http", "GET", 302, "http://h:8443/b", false, "from https to http");
    row("to a file", "GET", 302, "file:///etc/passwd", false, "no address of HTTP");
    row("with a user", "GET", 302, "https://me:pw@h:8443/b", false, "GET https://h:8443/b");
    row("rubbish", "GET", 302, "https://[::", false, "no address of HTTP");
}

void TestHttpTexts::redirects()
{
    QFETCH(QByteArray, method);
    QFETCH(int, status);
    QFETCH(QByteArray, location);
    QFETCH(bool, follows);
    QFETCH(QString, leads);
    HttpRequest request;
    request.method = method;
    request.followsRedirects = follows;
    const auto found = redirectOf(QUrl(u"https://h:8443/a/x"_s), status, location, request);
    if (!found) {
        QCOMPARE(found.error().kind, Kind::platform);
        QVERIFY2(found.error().message.contains(leads), qPrintable(found.error().message));
        return;
    }
    QString words = u"stays"_s;
    if (*found) {
        words = QString::fromLatin1((*found)->method) + u' ' + (*found)->url.toString();
        if ((*found)->keepsBody && method == "POST")
            words += u"+body"_s;
    }
    QCOMPARE(words, leads);
}

void TestHttpTexts::redirectsOfSecrets()
{
    HttpRequest request;
    request.secrets = {"abcd"};
    const QUrl from(u"https://h:8443/a?key=abcd"_s);
    const auto same = redirectOf(from, 302, "https://h/b?key=abcd", request);
    QVERIFY(same && *same);
    QCOMPARE((*same)->url.toString(), u"https://h/b?key=abcd"_s);
    const auto other = redirectOf(from, 302, "https://i/login?from=abcd", request);
    QVERIFY(!other);
    QCOMPARE(other.error().kind, Kind::platform);
    QVERIFY(other.error().message.text().contains(u"to another host, i"_s));
}

void TestHttpTexts::heads()
{
    RequestHead head{"POST", QUrl(u"https://[::1]:6443/a%20b?c=%26"_s), "Bearer t", {{"X-A", "1"}}, 3};
    QCOMPARE(*requestHeadBytes(head, nullptr),
        QByteArray("POST /a%20b?c=%26 HTTP/1.1\r\nHost: [::1]:6443\r\nX-A: 1\r\nAuthorization: Bearer "
                   "t\r\nContent-Length: 3\r\n\r\n"));
    head.tokenHeader = "X-TOKEN";
    QVERIFY(requestHeadBytes(head, nullptr)->contains("\r\nX-TOKEN: Bearer t\r\n"));
    QVERIFY(!requestHeadBytes(head, nullptr)->contains("Authorization"));
    const QNetworkProxy proxy(QNetworkProxy::HttpProxy, u"p"_s, 3128, u"me"_s, u"pw"_s);
    QCOMPARE(*requestHeadBytes({"GET", QUrl(u"http://h"_s), {}, {}, {}}, &proxy),
        QByteArray("GET http://h/ HTTP/1.1\r\nHost: h\r\nProxy-Authorization: Basic bWU6cHc=\r\n\r\n"));
}

void TestHttpTexts::headsThatBreak()
{
    const QUrl url(u"https://h/"_s);
    for (const RequestHead& head :
        {RequestHead{"GET /\r\n", url, {}, {}, {}}, RequestHead{"GET", url, "Bearer a\nb", {}, {}},
            RequestHead{"GET", url, {}, {{"A", "b\r\nC: d"}}, {}}, RequestHead{"GET", url, {}, {{"A:", "b"}}, {}}}) {
        const auto bytes = requestHeadBytes(head, nullptr);
        QVERIFY(!bytes);
        QCOMPARE(bytes.error().kind, Kind::invalid);
        QVERIFY(!bytes.error().message.contains(u"Bearer"_s));
    }
}

void TestHttpTexts::urls()
{
    QCOMPARE(redactedUrl(QUrl(u"https://me:pw@h/a?userName=u&Password=p&sig=x%2B&api-version=1&access_token=t#f"_s)),
        u"https://h/a?userName=u&Password=…&sig=…&api-version=1&access_token=…"_s);
    QCOMPARE(redactedUrl(QUrl(u"http://h/a"_s)), u"http://h/a"_s);
}

void TestHttpTexts::secrets_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* name, const char* text, const char* shown) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(shown);
    };
    row("nothing", "Job u~j is not found.", "Job u~j is not found.");
    row("a header", "sent Authorization: Bearer abc.def-g, then", "sent Authorization: … …, then");
    row("JSON", R"({"token":"abc","user":"u","clientSecret" : "x\"y","n":1})",
        R"({"token":…,"user":"u","clientSecret" : …,"n":1})");
    row("a query", "GET /x?password=p%40&user=u failed", "GET /x?password=…&user=u failed");
    row("a form", "grant_type=refresh_token&refresh_token=abc&client_id=i",
        "grant_type=refresh_token&refresh_token=…&client_id=i");
    row("a JWT", "got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln back", "got … back");
    row("a URL with a user", "https://me:pw@h/x", "https://…@h/x");
    row("what is known", "the word hunter2 is wrong", "the word … is wrong");
    row("JSON that is cut", R"({"token":"abc)", R"({"token":…)");
}

void TestHttpTexts::secrets()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(redacted(text, {"hunter2", ""}), shown);
}

void TestHttpTexts::errors()
{
    const auto errorFor = [](int status, const QByteArray& body) {
        HttpReply reply;
        reply.status = status;
        reply.body = body;
        reply.url = QUrl(u"https://h/x"_s);
        return errorOf(reply);
    };
    QCOMPARE(errorFor(413, {}).kind, Kind::invalid);
    QVERIFY(errorFor(413, {}).message.contains(u"larger than the server accepts"_s));
    QCOMPARE(errorFor(403, "no right").detail, u"no right"_s);
    QCOMPARE(errorFor(500, "<html>\x1b[2J" + QByteArray(5'000, 'x')).detail.size(), 512);
    QVERIFY(!errorFor(500, R"({"password":"abc"})").detail.contains(u"abc"_s));
    for (const auto& [status, kind] : {std::pair(400, Kind::invalid), {401, Kind::auth}, {403, Kind::auth},
             {404, Kind::not_found}, {409, Kind::conflict}, {410, Kind::not_found}, {429, Kind::resource},
             {503, Kind::resource}, {504, Kind::timeout}, {500, Kind::platform}, {302, Kind::platform}})
        QCOMPARE(errorFor(status, {}).kind, kind);
}

QTEST_APPLESS_MAIN(TestHttpTexts)
#include "tst_http_texts.moc"
