// SPDX-License-Identifier: GPL-3.0-or-later
// What travels as bytes: logs, followed logs, output files and uploads.
#include "raw_client.h"

#include <QCryptographicHash>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;

class TestApiTransfers : public QObject
{
    Q_OBJECT
private slots:
    void logs();
    void followedLog();
    void followedLogStopsWithTheClient();
    void files();
    void upload();
    void uploadOfSomethingElse();
};

void TestApiTransfers::logs()
{
    ServerFixture server;
    RawResponse response = server.get("/api/v1/trials/t00000000000001/logs/stdout?offset=6&limit=4");
    QCOMPARE(response.body, QByteArray("line"));
    QCOMPARE(response.headers["x-offset"], QByteArray("6"));
    QCOMPARE(response.headers["x-next-offset"], QByteArray("10"));
    QCOMPARE(response.headers["x-size"], QByteArray("23"));
    QVERIFY(!response.headers.contains("x-end"));
    response = server.get("/api/v1/trials/t00000000000001/logs/stdout?tail=5");
    QCOMPARE(response.body, QByteArray("line\n"));
    QCOMPARE(response.headers["x-end"], QByteArray("true"));
    QCOMPARE(response.headers["content-type"], QByteArray("text/plain; charset=utf-8"));
    QCOMPARE(response.headers["x-content-type-options"], QByteArray("nosniff"));
}

void TestApiTransfers::followedLog()
{
    ServerFixture server;
    QMutex mutex;
    QList<api::ReadLog> asked;
    server.engine.setHandler([&](const api::Command& command, const auto& done) {
        const auto read = std::get<api::ReadLog>(command);
        const QMutexLocker lock(&mutex);
        asked.append(read);
        api::Reply reply;
        reply.offset = read.tail ? 100 : read.offset;
        reply.bytes = asked.size() == 2 ? QByteArray() : "piece " + QByteArray::number(asked.size()) + '\n';
        reply.size = reply.offset + reply.bytes.size();
        reply.end = asked.size() == 4;
        done(reply);
        return true;
    });
    const RawResponse response = server.get("/api/v1/trials/t00000000000001/logs/stdout?tail=10&follow=true");
    QCOMPARE(response.status, 200);
    QCOMPARE(response.headers["x-offset"], QByteArray("100"));
    QCOMPARE(response.body, QByteArray("piece 1\npiece 3\npiece 4\n"));
    QCOMPARE(asked.size(), 4);
    QCOMPARE(*asked[0].tail, 10);
    QVERIFY(!asked[1].tail && asked[1].offset == 108);
    QCOMPARE(asked[3].offset, 116);
    QVERIFY(asked[3].follow);
}

void TestApiTransfers::followedLogStopsWithTheClient()
{
    ServerFixture server;
    std::atomic<int> asked = 0;
    fakes::FakeEnginePort::Done held;
    server.engine.setHandler([&](const api::Command& command, const auto& done) {
        api::Reply reply;
        reply.bytes = "x\n";
        reply.offset = std::get<api::ReadLog>(command).offset;
        if (++asked == 1)
            done(reply);
        else
            held = done; // the log is silent
        return true;
    });
    {
        RawClient client(server.port());
        client.send(request("GET", "/api/v1/trials/t00000000000001/logs/stdout?follow=true"));
        QCOMPARE(client.head().status, 200);
        QCOMPARE(client.chunk(), QByteArray("x\n"));
        QTRY_COMPARE(asked.load(), 2);
    }
    // The client has left; only this and the question's own connection are open after a moment.
    const auto connections = [&] {
        const QByteArray text = server.get("/metrics").body;
        const qsizetype at = text.indexOf("\ntrialdeck_http_connections ") + 28;
        return text.mid(at, text.indexOf('\n', at) - at).toInt();
    };
    QVERIFY(QTest::qWaitFor([&] { return connections() == 1; }));
    held(api::Reply{.bytes = "late\n"});
    QCOMPARE(server.get("/api/v1/version").status, 200);
    QCOMPARE(asked.load(), 2);
}

void TestApiTransfers::files()
{
    ServerFixture server;
    const QByteArray content(2'500'000, 'f');
    QStringList names;
    server.engine.setHandler([&](const api::Command& command, const auto& done) {
        const auto* read = std::get_if<api::ReadLog>(&command);
        if (!read)
            return false;
        names.append(read->name);
        api::Reply reply;
        reply.offset = read->offset;
        reply.size = content.size();
        reply.bytes = content.mid(read->offset, read->limit);
        done(reply);
        return true;
    });
    RawResponse response = server.get("/api/v1/trials/t00000000000001/files/model/best%20one.bin");
    QCOMPARE(response.status, 200);
    QVERIFY(response.body == content);
    QCOMPARE(response.headers["x-size"], QByteArray("2500000"));
    QCOMPARE(names, QStringList(3, u"output/model/best one.bin"_s));
    response = server.get("/api/v1/trials/t00000000000001/files/a?offset=10&limit=5");
    QCOMPARE(response.body.size(), 5);
    QCOMPARE(response.headers["x-next-offset"], QByteArray("15"));
    QCOMPARE(server.get("/api/v1/trials/t00000000000001/files").json()["files"][0]["path"].get<QString>(), u"model"_s);
}

void TestApiTransfers::upload()
{
    QTemporaryDir folder;
    http::ApiConfig config;
    config.uploadDir = folder.filePath(u"uploads"_s);
    config.limits.uploadBytes = 40 * 1024 * 1024;
    ServerFixture server(config);
    QString stored;
    QByteArray storedHash;
    server.engine.setHandler([&](const api::Command& command, const auto& done) {
        const auto code = std::get<api::StoreCode>(command);
        stored = code.file;
        QFile file(code.file);
        if (file.open(QIODevice::ReadOnly)) {
            QCryptographicHash hash(QCryptographicHash::Sha256);
            hash.addData(&file);
            storedHash = hash.result().toHex();
        }
        api::Reply reply;
        reply.document = {{"codeHash", code.sha}};
        reply.created = true;
        done(reply);
        return true;
    });
    // Larger than any other body may be.
    QByteArray content(20 * 1024 * 1024, 'c');
    content[77] = 'x';
    const QByteArray sha = QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex();
    RawResponse response = server.exchange(request("PUT", "/api/v1/code/" + sha, content));
    QCOMPARE(response.status, 201);
    QCOMPARE(response.json()["codeHash"].get<QString>(), QString::fromLatin1(sha));
    QCOMPARE(storedHash, sha);
    QVERIFY(stored.startsWith(config.uploadDir));
    QFile::remove(stored);
    // Beyond its own limit.
    response = server.exchange(request("PUT", "/api/v1/code/" + sha, {}, "Content-Length: 41943041\r\n"));
    QCOMPARE(response.status, 413);
    // A client that leaves in the middle leaves nothing behind.
    {
        RawClient client(server.port());
        client.send(request("PUT", "/api/v1/code/" + sha, content).chopped(1000));
        client.reset();
    }
    QTRY_VERIFY(QDir(config.uploadDir).isEmpty());
}

void TestApiTransfers::uploadOfSomethingElse()
{
    QTemporaryDir folder;
    http::ApiConfig config;
    config.uploadDir = folder.path();
    ServerFixture server(config);
    const qsizetype before = server.engine.commands().size();
    const RawResponse response =
        server.exchange(request("PUT", "/api/v1/code/" + QByteArray(64, 'a'), "something else"));
    QCOMPARE(response.status, 422);
    QVERIFY(response.json()["detail"].get<QString>().contains(u"SHA-256"_s));
    QCOMPARE(server.engine.commands().size(), before);
    QTRY_VERIFY(QDir(folder.path()).isEmpty());
    // No byte at all has a hash too.
    const QByteArray sha = QCryptographicHash::hash({}, QCryptographicHash::Sha256).toHex();
    QCOMPARE(server.exchange(request("PUT", "/api/v1/code/" + sha, "")).status, 201);
}

QTEST_GUILESS_MAIN(TestApiTransfers)
#include "tst_api_transfers.moc"
