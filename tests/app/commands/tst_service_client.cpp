// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/data_dir_lock.h"
#include "app/cli/json_view.h"
#include "app/client/service_locator.h"
#include "tests/fakes/fake_service.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <csignal>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace app;

class TestServiceClient : public QObject
{
    Q_OBJECT
private:
    static Result<std::unique_ptr<ServiceClient>> locate(const ServiceWish& wish, QStringList* notes = nullptr)
    {
        return locateService(wish, [notes](const QString& text) {
            if (notes)
                *notes += text;
        });
    }

    static bool write(const QString& path, const QByteArray& text, bool executable = false)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return false;
        file.write(text);
        return !executable
            || file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    }

private slots:
    void sendsTheTokenAndReadsJson()
    {
        FakeService fake("tok");
        fake.json("GET /api/v1/platforms", R"({"platforms":[{"id":"local"}]})");
        ServiceClient client({fake.url() + u"/"_s, {}, 0, {}}, "tok");
        const Result<Json> reply = client.get(u"/platforms"_s);
        QVERIFY(reply);
        QCOMPARE(textOf(listOf(*reply, "platforms")[0], "id"), u"local"_s);
        QCOMPARE(fake.requests().first().headers.value("authorization"), QByteArray("Bearer tok"));
    }

    void encodesPathsAndQueries()
    {
        FakeService fake;
        fake.json("GET /api/v1/trials/a%2Fb%20c/files/x%3Fy", "{}");
        ServiceClient client({fake.url(), {}, 0, {}}, "secret");
        QUrlQuery query;
        addQuery(query, u"sort"_s, u"parameters.a+b&c=d"_s);
        QVERIFY(client.get(pathOf({u"trials"_s, u"a/b c"_s, u"files"_s}) + encodedFilePath(u"x?y"_s), query));
        QCOMPARE(fake.requests().first().query(), QByteArray("sort=parameters.a%2Bb%26c%3Dd"));
    }

    void sendsBodies()
    {
        FakeService fake;
        fake.json("PATCH /api/v1/experiments/e1", R"({"id":"e1"})");
        ServiceClient client({fake.url(), {}, 0, {}}, "secret");
        QVERIFY(client.write("PATCH", u"/experiments/e1"_s, R"({"a":1})", {{"Idempotency-Key", "k"}}));
        const FakeService::Request request = fake.requests().first();
        QCOMPARE(request.body, QByteArray(R"({"a":1})"));
        QCOMPARE(request.headers.value("content-type"), QByteArray("application/json"));
        QCOMPARE(request.headers.value("idempotency-key"), QByteArray("k"));
    }

    void errors_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<int>("expected");
        using K = core::Kind;
        QTest::newRow("conflict") << 409 << QByteArray("conflict") << int(K::conflict);
        QTest::newRow("not found") << 404 << QByteArray("not_found") << int(K::not_found);
        QTest::newRow("invalid") << 422 << QByteArray("invalid") << int(K::invalid);
        QTest::newRow("a platform's network is not ours") << 502 << QByteArray("network") << int(K::platform);
        QTest::newRow("a platform's timeout is not ours") << 504 << QByteArray("timeout") << int(K::platform);
        QTest::newRow("a word of later") << 500 << QByteArray("newKind") << int(K::internal);
    }
    void errors()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, kind);
        QFETCH(int, expected);
        FakeService fake;
        fake.problem("GET /api/v1/x", status, kind, "Do this instead.");
        ServiceClient client({fake.url(), {}, 0, {}}, "secret");
        const Result<Json> reply = client.get(u"/x"_s);
        QVERIFY(!reply);
        QCOMPARE(int(reply.error().kind), expected);
        QCOMPARE(reply.error().message, u"Do this instead."_s);
    }

    void aWrongTokenIsSaidSo()
    {
        FakeService fake;
        ServiceClient client({fake.url(), u"/my/token"_s, 0, {}}, "wrong");
        const Result<Json> reply = client.get(u"/platforms"_s);
        QCOMPARE(reply.error().kind, core::Kind::auth);
        QVERIFY(reply.error().message.contains(u"/my/token"_s));
        QVERIFY(!reply.error().message.contains(u"wrong"_s));
    }

    void nobodyThere()
    {
        QString url;
        {
            FakeService fake;
            url = fake.url();
        }
        ServiceClient client({url, {}, 0, {}}, {});
        QCOMPARE(client.get(u"/platforms"_s).error().kind, core::Kind::network);
        HttpCall call;
        call.path = u"/events"_s;
        QCOMPARE(client.stream(call, [](QByteArrayView) { return true; }).error().kind, core::Kind::network);
    }

    void hangUpIsNotReached()
    {
        FakeService fake;
        fake.on("GET /api/v1/x", FakeService::Reply{.hangUp = true});
        ServiceClient client({fake.url(), {}, 0, {}}, "secret");
        QCOMPARE(client.get(u"/x"_s).error().kind, core::Kind::network);
    }

    void silenceEndsInTime()
    {
        FakeService fake;
        fake.on("GET /api/v1/x", FakeService::Reply{.stream = true});
        ServiceClient client({fake.url(), {}, 0, {}}, "secret");
        HttpCall call;
        call.path = u"/x"_s;
        call.timeoutMs = 100;
        const Result<HttpAnswer> answer = client.send(call);
        QCOMPARE(answer.error().kind, core::Kind::network);
    }

    void streams()
    {
        FakeService fake;
        fake.events("first");
        ServiceClient client({fake.url(), {}, 0, {}}, "secret");
        HttpCall call;
        call.path = u"/events"_s;
        QByteArray got;
        connect(
            &fake, &FakeService::requested, this, [&] { QTimer::singleShot(0, this, [&] { fake.push("second"); }); });
        const Result<StreamEnd> ended = client.stream(call, [&](QByteArrayView bytes) {
            got.append(bytes);
            return !got.contains("second");
        });
        QCOMPARE(*ended, StreamEnd::stopped);
        QCOMPARE(got, QByteArray("first\nsecond\n"));
    }

    void streamEnds_data()
    {
        QTest::addColumn<bool>("clean");
        QTest::newRow("whole") << true;
        QTest::newRow("broken") << false;
    }
    void streamEnds()
    {
        QFETCH(bool, clean);
        FakeService fake;
        fake.events();
        ServiceClient client({fake.url(), {}, 0, {}}, "secret");
        HttpCall call;
        call.path = u"/events"_s;
        const Result<StreamEnd> ended = client.stream(call, [&](QByteArrayView) {
            QTimer::singleShot(0, this, [&] { fake.closeStreams(clean); });
            return true;
        });
        if (ended)
            QCOMPARE(*ended, StreamEnd::closed);
        else // Qt's network layer takes some broken connections for ended ones, and no ended one for broken.
            QCOMPARE((std::pair(clean, ended.error().kind)), (std::pair(false, core::Kind::network)));
    }

    void wakesAndPauses()
    {
        FakeService fake;
        fake.events();
        ServiceClient client({fake.url(), {}, 0, {}}, "secret");
        HttpCall call;
        call.path = u"/events"_s;
        const Result<StreamEnd> ended = client.stream(call, [&](QByteArrayView) {
            QTimer::singleShot(0, &client, [&] { client.wake(); });
            return true;
        });
        QCOMPARE(*ended, StreamEnd::woken);
        client.wake(); // Nothing waits: nothing happens.
        QVERIFY(client.pause(1));
        QTimer::singleShot(0, &client, [&] { client.wake(); });
        QVERIFY(!client.pause(60'000));
    }

    /// A request from inside the reader of a stream, as watching does it.
    void asksWhileStreaming()
    {
        FakeService fake;
        fake.events();
        fake.json("GET /api/v1/x", R"({"n":7})");
        ServiceClient client({fake.url(), {}, 0, {}}, "secret");
        HttpCall call;
        call.path = u"/events"_s;
        std::optional<qint64> number;
        const Result<StreamEnd> ended = client.stream(call, [&](QByteArrayView) {
            fake.push("more while we ask");
            number = numberOf(*client.get(u"/x"_s), "n");
            return false;
        });
        QVERIFY(ended);
        QCOMPARE(number, std::optional<qint64>(7));
    }

    void locatesByUrl()
    {
        FakeService fake;
        fake.json("GET /api/v1/platforms", "{}");
        QTemporaryDir folder;
        QVERIFY(write(folder.filePath(u"token"_s), "secret\n"));
        ServiceWish wish;
        wish.url = fake.url();
        wish.tokenFile = folder.filePath(u"token"_s);
        QVERIFY((*locate(wish))->get(u"/platforms"_s));
        wish.tokenFile = folder.filePath(u"none"_s);
        QCOMPARE(locate(wish).error().kind, core::Kind::auth);
        for (const QString& url : {u"host:80"_s, u"ftp://x"_s, u"http://"_s, u"8643"_s}) {
            wish.url = url;
            QCOMPARE(locate(wish).error().kind, core::Kind::invalid);
        }
    }

    void locatesByEndpointFile()
    {
        FakeService fake;
        fake.json("GET /api/v1/platforms", "{}");
        QTemporaryDir folder;
        ServiceWish wish;
        wish.paths = *resolvePaths(folder.path(), {}, u"/"_s);
        wish.mayStart = false;
        QVERIFY(write(folder.filePath(u"token"_s), "secret\n"));

        // An endpoint file without a held lock is left by a killed service.
        const Endpoint endpoint{fake.url(), folder.filePath(u"token"_s), ::getpid(), {}};
        QVERIFY(writeEndpoint(wish.paths.endpointFile(), endpoint));
        const auto none = locate(wish);
        QCOMPARE(none.error().kind, core::Kind::network);
        QVERIFY(none.error().message.contains(u"--no-start"_s));

        DataDirLock lock;
        QVERIFY(lock.take(wish.paths.lockFile(), wish.paths.endpointFile()));
        const auto client = locate(wish);
        QVERIFY(client);
        QVERIFY((*client)->get(u"/platforms"_s));

        // The same service by its url: the token is at hand.
        wish.url = fake.url();
        QVERIFY((*locate(wish))->get(u"/platforms"_s));
    }

    /// Its lock and its endpoint are those of a living one until a child that it had just forked runs its own program.
    void aServiceThatWasJustKilledIsNotConnected()
    {
        QTemporaryDir folder;
        ServiceWish wish;
        wish.paths = *resolvePaths(folder.path(), {}, u"/"_s);
        wish.mayStart = false;
        QVERIFY(write(folder.filePath(u"token"_s), "secret\n"));
        QProcess killed;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"LOCK_HOLDER_FORKS"_s, u"500"_s);
        killed.setProcessEnvironment(environment);
        killed.start(QStringLiteral(LOCK_HOLDER),
            {wish.paths.lockFile(), wish.paths.endpointFile(), u"http://127.0.0.1:9"_s, folder.filePath(u"token"_s)});
        while (!killed.canReadLine() && killed.waitForReadyRead(20'000)) { }
        QCOMPARE(killed.readLine(), QByteArray("held\n"));
        ::kill(pid_t(killed.processId()), SIGKILL);
        QTRY_VERIFY(!processAlive(killed.processId()));
        QVERIFY(DataDirLock::holder(wish.paths.lockFile()));
        const auto none = locate(wish);
        QVERIFY(!none);
        QVERIFY2(none.error().message.contains(u"--no-start"_s), qPrintable(none.error().message));
        killed.waitForFinished();
    }

    void aServiceThatNeverPublishesIsGivenUp()
    {
        QTemporaryDir folder;
        ServiceWish wish;
        wish.paths = *resolvePaths(folder.path(), {}, u"/"_s);
        wish.patienceMs = 150;
        DataDirLock lock;
        QVERIFY(lock.take(wish.paths.lockFile(), wish.paths.endpointFile()));
        const auto client = locate(wish);
        QCOMPARE(client.error().kind, core::Kind::network);
        QVERIFY(client.error().message.contains(QString::number(::getpid())));
    }

    void startsOne()
    {
        FakeService fake;
        fake.json("GET /api/v1/platforms", "{}");
        QTemporaryDir folder;
        ServiceWish wish;
        wish.paths = *resolvePaths(folder.filePath(u"data"_s), {}, u"/"_s);
        wish.dataDir = wish.paths.data;
        wish.daemon = folder.filePath(u"daemon"_s);
        QVERIFY(write(folder.filePath(u"token"_s), "secret\n"));
        // In place of the service: takes the lock, publishes the fake one, and stays until its stdin ends.
        QVERIFY(write(wish.daemon,
            "#!/bin/sh\necho \"args: $*\"\nsleep 300 | exec " LOCK_HOLDER " \"$3/lock\" \"$3/endpoint.json\" "
                + fake.url().toUtf8() + " " + folder.filePath(u"token"_s).toUtf8() + "\n",
            true));
        QStringList notes;
        const auto client = locate(wish, &notes);
        QVERIFY2(client, client ? "" : qPrintable(client.error().message));
        QVERIFY((*client)->get(u"/platforms"_s));
        QCOMPARE(notes.size(), 1);
        QVERIFY2(notes[0].contains(fake.url()), qPrintable(notes[0]));
        QFile log(wish.paths.logFile());
        QVERIFY(log.open(QIODevice::ReadOnly));
        QVERIFY(log.readAll().startsWith("args: --serve --data-dir " + wish.paths.data.toUtf8() + '\n'));
        const std::optional<qint64> holder = DataDirLock::holder(wish.paths.lockFile());
        QVERIFY(holder);
        QCOMPARE(::kill(pid_t(*holder), SIGTERM), 0);
        QTRY_VERIFY(!DataDirLock::holder(wish.paths.lockFile()));
    }

    void saysWhyTheStartedOneEnded()
    {
        QTemporaryDir folder;
        ServiceWish wish;
        wish.paths = *resolvePaths(folder.filePath(u"data"_s), {}, u"/"_s);
        wish.daemon = folder.filePath(u"daemon"_s);
        QVERIFY(write(wish.daemon, "#!/bin/sh\necho 'the disk is on fire' >&2\nexit 1\n", true));
        const auto client = locate(wish);
        QCOMPARE(client.error().kind, core::Kind::network);
        QVERIFY2(client.error().message.contains(u"the disk is on fire"_s), qPrintable(client.error().message));
        wish.daemon = folder.filePath(u"none"_s);
        QCOMPARE(locate(wish).error().kind, core::Kind::network);
    }
};

QTEST_GUILESS_MAIN(TestServiceClient)
#include "tst_service_client.moc"
