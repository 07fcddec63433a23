// SPDX-License-Identifier: GPL-3.0-or-later
// A list that is kept current, with everything that goes wrong on the way.
#include "kube_setup.h"

#include "services/platforms/kubernetes/object_watch.h"

#include "fake_api_server.h"

#include <random>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;
using fakes::FakeApiServer;
using State = ObjectWatch::State;

namespace {

/// Keeps the phase alone.
Json phaseOf(const Json& object)
{
    const Json* status = memberOf(object, "status");
    return status ? Json(textOf(*status, "phase").toStdString()) : Json();
}

Json inPhase(const char* phase)
{
    return {{"status", {{"phase", phase}}}};
}

struct Watched
{
    explicit Watched(FakeApiServer& server)
        : setup(server.url())
    {
        setup.open();
        ObjectQuery query{podsResource(), u"ml"_s, u"app=trialdeck-trial"_s, {}};
        watch = std::make_unique<ObjectWatch>(setup.client.get(), setup.environment(), query, phaseOf);
        QObject::connect(watch.get(), &ObjectWatch::changed, watch.get(), [this](const ObjectChanges& changes) {
            QStringList words;
            // As one who keeps what is told does it.
            for (const KubeObject& object : changes.gone) {
                words += u'-' + object.key;
                if (objects.value(object.key).uid == object.uid)
                    objects.remove(object.key);
            }
            for (const QString& key : changes.put) {
                words += u'+' + key;
                if (!watch->objects().contains(key))
                    qFatal("a change without its object");
                objects.insert(key, watch->objects().value(key));
            }
            std::stable_partition(
                words.begin(), words.end(), [](const QString& word) { return word.startsWith(u'+'); });
            log += words.join(u' ');
        });
        QObject::connect(watch.get(), &ObjectWatch::synced, watch.get(), [this] { log += u"synced"_s; });
        QObject::connect(watch.get(), &ObjectWatch::lost, watch.get(), [this](const Error& error) {
            log += u"lost"_s;
            problem = error;
        });
    }
    ~Watched() { setup.wait(closed()); }

    /// The watch is open, for the client, too: only then may time pass in leaps.
    bool isOpen(FakeApiServer& server)
    {
        if (!spin([&] { return server.watches() == 1; }))
            return false;
        const qint64 before = watch->lastContactMs();
        setup.clock.advance(1);
        server.sendToWatches("\n");
        return spin([&] { return watch->lastContactMs() > before; });
    }
    /// All that was signalled since the last call.
    QString told() { return std::exchange(log, {}).join(u", "_s); }
    /// With a little time on the way, as changes are gathered for a moment.
    bool spin(const std::function<bool()>& until, qint64 stepMs = 2) { return setup.spin(until, stepMs); }
    bool become(State state, qint64 stepMs = 2)
    {
        return spin([&] { return watch->state() == state; }, stepMs);
    }
    [[nodiscard]] QString kept() const
    {
        QStringList all;
        for (const KubeObject& object : objects)
            all += object.key + (object.kept.is_string() ? u'=' + object.kept.get<QString>() : QString());
        all.sort();
        return all.join(u' ');
    }
    core::Task<bool> closed()
    {
        auto closing = watch->close();
        co_await closing;
        co_return true;
    }

    KubeSetup setup;
    std::unique_ptr<ObjectWatch> watch;
    QHash<QString, KubeObject> objects; ///< as they were told
    QStringList log;
    Error problem;
};

} // namespace

class TestObjectWatch : public QObject
{
    Q_OBJECT
private slots:
    void followed();
    void whatIsAsked();
    void pages();
    void pagesExpire();
    void pagesExpireAlways();
    void cutAtRandomBytes();
    void endsInOrder();
    void endsAtOnce();
    void tooOld_data();
    void tooOld();
    void tooOldAgainAndAgain();
    void anotherOfTheSameName();
    void bookmarks();
    void silence();
    void busy_data();
    void busy();
    void busyEvent();
    void failures();
    void unreachable();
    void refused_data();
    void refused();
    void mayNotWatch();
    void mayWatchLater();
    void damagedLine();
    void longLine();
    void noApiServer();
    void refreshed();
    void relisted();
    void closedAnyTime();
    void slowBytes();
    void manyPods();
};

void TestObjectWatch::followed()
{
    FakeApiServer server;
    server.put(u"a"_s, inPhase("Pending"));
    server.put(u"b"_s);
    Watched watched(server);
    QCOMPARE(watched.watch->state(), State::stopped);
    watched.watch->start();
    QCOMPARE(watched.watch->state(), State::starting);
    QVERIFY(watched.become(State::current));
    QCOMPARE(watched.told(), u"+a +b, synced"_s);
    QCOMPARE(watched.kept(), u"a=Pending b"_s);
    QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    server.put(u"c"_s, inPhase("Running"));
    QVERIFY(watched.spin([&] { return !watched.log.isEmpty(); }));
    QCOMPARE(watched.told(), u"+c"_s);
    server.put(u"a"_s, inPhase("Succeeded"));
    server.remove(u"b"_s);
    QVERIFY(watched.spin([&] { return watched.kept() == u"a=Succeeded c=Running"; }));
    QVERIFY(watched.watch->lastContactMs() > 0);
    watched.watch->start(); // does nothing
    QCOMPARE(server.web().requests().size(), 2);
}

void TestObjectWatch::whatIsAsked()
{
    FakeApiServer server;
    server.put(u"a"_s);
    Watched watched(server);
    watched.setup.random = 0;
    watched.watch->start();
    QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    const auto list = server.requests("list").first();
    const auto watch = server.requests("watch").first();
    QCOMPARE(list.target, "/api/v1/namespaces/ml/pods?labelSelector=app%3Dtrialdeck-trial&limit=500"_ba);
    QCOMPARE(watch.target,
        "/api/v1/namespaces/ml/pods?labelSelector=app%3Dtrialdeck-trial&watch=1&resourceVersion=101&allowWatchBookmarks=true&timeoutSeconds=300"_ba);
    QCOMPARE(watch.headers.value("accept-encoding"), "identity"_ba);
}

void TestObjectWatch::pages()
{
    FakeApiServer server;
    for (int i = 0; i < 1'234; ++i)
        server.put(u"p%1"_s.arg(i));
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.become(State::current));
    QCOMPARE(watched.watch->objects().size(), 1'234);
    QCOMPARE(server.requests("list").size(), 3);
    QCOMPARE(watched.log.size(), 2); // one change, and that it is synced
}

void TestObjectWatch::pagesExpire()
{
    FakeApiServer server;
    for (int i = 0; i < 1'001; ++i)
        server.put(u"p%1"_s.arg(i));
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.spin([&] { return server.requests("list").size() == 1; }));
    server.forgetPages();
    QVERIFY(watched.become(State::current));
    QCOMPARE(watched.watch->objects().size(), 1'001);
    QCOMPARE(watched.told().count(u'+'), 1'001);
    QCOMPARE(server.requests("list").size(), 1 + 1 + 3);
}

void TestObjectWatch::pagesExpireAlways()
{
    FakeApiServer server;
    for (int i = 0; i < 600; ++i)
        server.put(u"p%1"_s.arg(i));
    Watched watched(server);
    int lists = 0;
    watched.watch->start();
    // Each page's token is gone when it is used.
    QVERIFY(watched.spin([&] {
        if (const int now = int(server.requests("list").size()); now != lists) {
            lists = now;
            server.forgetPages();
        }
        return watched.watch->state() == State::current;
    }));
    QCOMPARE(watched.watch->objects().size(), 600);
    QVERIFY(!server.requests("list").last().target.contains("limit")); // in the end as a whole
}

void TestObjectWatch::cutAtRandomBytes()
{
    FakeApiServer server;
    std::mt19937 random(3);
    for (int i = 0; i < 20; ++i)
        server.put(u"p%1"_s.arg(i), inPhase("Pending"));
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.become(State::current));
    const QByteArray half =
        R"({"type":"MODIFIED","object":{"metadata":{"name":"p3","resourceVersion":"9999"},"status":{}}})";
    for (int round = 0; round < 40; ++round) {
        QVERIFY(watched.spin([&] { return server.watches() == 1; }, 20));
        for (int i = 0; i < 5; ++i) {
            const QString name = u"p%1"_s.arg(random() % 30);
            if (random() % 4 == 0)
                server.remove(name), server.put(name, inPhase("Again"));
            else
                server.put(name, inPhase(i % 2 ? "Running" : "Failed"));
        }
        server.cutWatches(half.first(qsizetype(random() % quint32(half.size()))));
        server.putUnseen(u"u%1"_s.arg(round)); // while nobody is connected
    }
    QVERIFY(watched.spin([&] { return server.watches() == 1; }, 20));
    server.put(u"last"_s);
    QVERIFY(watched.spin([&] { return watched.objects.contains(u"last"_s); }));
    QCOMPARE(server.requests("list").size(), 1); // every time from where it was
    const QString kept = watched.kept();
    watched.watch->refresh();
    QVERIFY(watched.spin([&] { return server.requests("list").size() == 2 && server.watches() == 1; }, 20));
    QCOMPARE(watched.kept(), kept); // nothing was missed, nothing made up
    QVERIFY(!watched.told().contains(u"lost"_s));
}

void TestObjectWatch::endsInOrder()
{
    FakeApiServer server;
    server.put(u"a"_s);
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.isOpen(server));
    for (int i = 0; i < 5; ++i) {
        watched.setup.clock.advance(300'000 / 60);
        server.endWatches();
        QVERIFY(watched.spin([&] { return server.watches() == 1; })); // at once
    }
    QCOMPARE(server.requests("list").size(), 1);
    QCOMPARE(server.requests("watch").size(), 6);
    QCOMPARE(watched.told(), u"+a, synced"_s);
}

void TestObjectWatch::endsAtOnce()
{
    // A proxy that takes watches and ends them.
    FakeApiServer server;
    server.put(u"a"_s);
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    server.endWatches();
    const qint64 ended = watched.setup.clock.steadyMs();
    QVERIFY(watched.spin([&] { return server.requests("watch").size() == 2; }));
    QVERIFY(watched.setup.clock.steadyMs() - ended >= 500); // a pause, not a circle
}

void TestObjectWatch::tooOld_data()
{
    QTest::addColumn<bool>("asStatus");
    QTest::newRow("as an event") << false;
    QTest::newRow("as the answer's status") << true;
}

void TestObjectWatch::tooOld()
{
    QFETCH(bool, asStatus);
    FakeApiServer server;
    for (const char* name : {"a", "b", "c"})
        server.put(QString::fromLatin1(name), inPhase("Pending"));
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.isOpen(server));
    QCOMPARE(watched.told(), u"+a +b +c, synced"_s);
    watched.setup.clock.advance(5'000);
    server.cutWatches();
    server.removeUnseen(u"a"_s);
    server.putUnseen(u"d"_s);
    server.forget(asStatus);
    QVERIFY(watched.spin([&] { return watched.watch->objects().contains(u"d"_s); })); // without a wait
    QCOMPARE(watched.told(), u"+d -a"_s);                                             // only what differs
    QCOMPARE(watched.kept(), u"b=Pending c=Pending d"_s);
    QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    QCOMPARE(server.requests("list").size(), 2);
}

void TestObjectWatch::tooOldAgainAndAgain()
{
    FakeApiServer server;
    server.put(u"a"_s);
    server.refuse("watch", 410, FakeApiServer::statusBody(410, "Expired", "too old"));
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.become(State::current));
    QVERIFY(watched.spin([&] { return watched.watch->state() == State::lost; }, 50));
    QVERIFY2(server.requests("list").size() < 8, qPrintable(QString::number(server.requests("list").size())));
    server.permit("watch");
    QVERIFY(watched.spin([&] { return server.watches() == 1; }, 100));
    QCOMPARE(watched.watch->state(), State::current);
}

void TestObjectWatch::anotherOfTheSameName()
{
    FakeApiServer server;
    server.put(u"a"_s, inPhase("Running"));
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.isOpen(server));
    watched.told();
    watched.setup.clock.advance(5'000);
    server.cutWatches();
    server.removeUnseen(u"a"_s);
    server.putUnseen(u"a"_s);
    server.forget();
    QVERIFY(watched.spin([&] { return !watched.log.isEmpty(); }));
    QCOMPARE(watched.told(), u"+a -a"_s);
    QCOMPARE(watched.watch->objects().value(u"a"_s).uid, u"uid-2"_s);
}

void TestObjectWatch::bookmarks()
{
    FakeApiServer server;
    server.put(u"a"_s);
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.isOpen(server));
    server.bookmark();
    const qint64 before = watched.watch->lastContactMs();
    watched.setup.clock.advance(60'000);
    server.bookmark();
    QVERIFY(watched.spin([&] { return watched.watch->lastContactMs() > before; }));
    server.forget(); // all before the bookmark
    server.endWatches();
    QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    QCOMPARE(FakeApiServer::parameter(server.requests("watch").last(), "resourceVersion"),
        QByteArray::number(server.version()));
    QCOMPARE(server.requests("list").size(), 1);
    QCOMPARE(watched.told(), u"+a, synced"_s); // a bookmark is no change
}

void TestObjectWatch::silence()
{
    FakeApiServer server;
    server.put(u"a"_s);
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.isOpen(server));
    watched.setup.clock.advance(179'000);
    QTest::qWait(5);
    QCOMPARE(server.requests("watch").size(), 1);
    watched.setup.clock.advance(1'000);
    QVERIFY(watched.spin([&] { return server.requests("watch").size() == 2 && server.watches() == 1; }));
    QCOMPARE(server.requests("list").size(), 1);
    QCOMPARE(watched.told(), u"+a, synced"_s);
}

void TestObjectWatch::busy_data()
{
    QTest::addColumn<QByteArray>("verb");
    QTest::newRow("list") << "list"_ba;
    QTest::newRow("watch") << "watch"_ba;
}

void TestObjectWatch::busy()
{
    QFETCH(QByteArray, verb);
    FakeApiServer server;
    server.put(u"a"_s);
    server.fault(verb, 429, FakeApiServer::statusBody(429, "TooManyRequests", "slow"), "Retry-After: 7\r\n");
    Watched watched(server);
    watched.setup.random = 0;
    watched.watch->start();
    QVERIFY(watched.spin([&] { return server.requests(verb).size() == 1; }));
    const qint64 asked = watched.setup.clock.steadyMs();
    QVERIFY(watched.spin([&] { return server.requests(verb).size() == 2; }, 20));
    const qint64 waited = watched.setup.clock.steadyMs() - asked;
    QVERIFY2(waited >= 7'000 && waited < 8'000, qPrintable(QString::number(waited)));
    QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    QCOMPARE(watched.told(), u"+a, synced"_s);
    QCOMPARE(server.requests("list").size(), verb == "list" ? 2 : 1);
}

void TestObjectWatch::busyEvent()
{
    FakeApiServer server;
    server.put(u"a"_s);
    Watched watched(server);
    watched.setup.random = 0;
    watched.watch->start();
    QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    server.sendToWatches(R"({"type":"ERROR","object":)"
        + FakeApiServer::statusBody(429, "TooManyRequests", "slow", R"({"retryAfterSeconds":9})") + "}\n");
    const qint64 asked = watched.setup.clock.steadyMs();
    QVERIFY(watched.spin([&] { return server.requests("watch").size() == 2; }, 20));
    const qint64 waited = watched.setup.clock.steadyMs() - asked;
    QVERIFY2(waited >= 9'000 && waited < 10'000, qPrintable(QString::number(waited)));
    QCOMPARE(server.requests("list").size(), 1);
}

void TestObjectWatch::failures()
{
    FakeApiServer server;
    server.put(u"a"_s);
    for (int i = 0; i < 5; ++i)
        server.fault("list", 500, FakeApiServer::statusBody(500, "InternalError", "etcd is slow"));
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.become(State::lost, 100));
    QCOMPARE(server.requests("list").size(), 3);
    QCOMPARE(watched.told(), u"lost"_s);
    QCOMPARE(watched.problem.message.text(), u"127.0.0.1 failed (500). It says: etcd is slow."_s);
    QVERIFY(watched.become(State::current, 100));
    QCOMPARE(watched.told(), u"+a, synced"_s);
}

void TestObjectWatch::unreachable()
{
    FakeApiServer server;
    server.put(u"a"_s);
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.isOpen(server));
    watched.told();
    server.web().stopListening();
    watched.setup.clock.advance(5'000);
    const qint64 contact = watched.watch->lastContactMs();
    server.cutWatches();
    QVERIFY(watched.become(State::lost, 100));
    QCOMPARE(watched.told(), u"lost"_s);
    QCOMPARE(watched.problem.kind, Kind::network);
    QVERIFY2(watched.problem.message.startsWith(u"The context \"lab\" of /k/config: "_s),
        qPrintable(watched.problem.message));
    QCOMPARE(watched.kept(), u"a"_s); // silence says nothing about them
    QCOMPARE(watched.watch->lastContactMs(), contact);
}

void TestObjectWatch::refused_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("shown");
    QTest::newRow("401")
        << 401 << FakeApiServer::statusBody(401, "Unauthorized", "Unauthorized")
        << u"auth: 127.0.0.1 does not accept the credentials of the kubeconfig (401). Log in to the cluster again, or choose another context."_s;
    QTest::newRow("403")
        << 403
        << FakeApiServer::statusBody(403, "Forbidden",
               R"(pods is forbidden: User "ada" cannot list resource "pods" in API group "" in the namespace "ml")")
        << u"auth: The account ada may not list pods in the namespace ml (403). Ask who administers the cluster for the right, or choose another namespace."_s;
    QTest::newRow("404")
        << 404 << "404 page not found\n"_ba
        << u"not_found: 127.0.0.1 does not know this kind of object (404). Is the operator installed in the cluster, and is the server's address right?"_s;
    QTest::newRow("400")
        << 400 << FakeApiServer::statusBody(400, "BadRequest", "unable to parse the selector")
        << u"invalid: 127.0.0.1 does not accept the request (400). It says: unable to parse the selector."_s;
}

void TestObjectWatch::refused()
{
    QFETCH(int, code);
    QFETCH(QByteArray, body);
    QFETCH(QString, shown);
    FakeApiServer server;
    server.put(u"a"_s);
    server.refuse("list", code, body);
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.become(State::refused));
    QCOMPARE(kindName(watched.problem.kind) + u": "_s + watched.problem.message, shown);
    watched.setup.clock.advance(3'600'000);
    QTest::qWait(5);
    QCOMPARE(server.requests("list").size(), 1); // a state, not a circle
    QCOMPARE(watched.told(), u"lost"_s);
    server.permit("list");
    watched.watch->start();
    QVERIFY(watched.become(State::current));
    QCOMPARE(watched.told(), u"+a, synced"_s);
}

void TestObjectWatch::mayNotWatch()
{
    FakeApiServer server;
    server.put(u"a"_s);
    server.refuse("watch", 403,
        FakeApiServer::statusBody(403, "Forbidden",
            R"(pods is forbidden: User "ada" cannot watch resource "pods" in API group "" in the namespace "ml")"));
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.spin([&] { return watched.watch->pollingReason().has_value(); }));
    QCOMPARE(watched.watch->state(), State::current);
    QVERIFY(watched.watch->pollingReason()->message.startsWith(u"The account ada may not watch pods"_s));
    QCOMPARE(watched.told(), u"+a, synced"_s);
    server.put(u"b"_s);
    for (int i = 0; i < 5; ++i) {
        const qsizetype lists = server.requests("list").size();
        const qint64 asked = watched.setup.clock.steadyMs();
        QVERIFY(watched.spin([&] { return server.requests("list").size() == lists + 1; }, 20));
        const qint64 waited = watched.setup.clock.steadyMs() - asked;
        QVERIFY2(waited >= 5'000 && waited < 6'000, qPrintable(QString::number(waited)));
    }
    QVERIFY(watched.spin([&] { return watched.watch->objects().size() == 2; }));
    QCOMPARE(server.requests("watch").size(), 1);
    QCOMPARE(watched.told(), u"+b"_s);
    QCOMPARE(watched.watch->pollMs(), 5'020);
    // The right was given in between.
    server.permit("watch");
    watched.watch->refresh();
    QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    QVERIFY(!watched.watch->pollingReason());
}

/// Nobody says that the right was given, so it is tried.
void TestObjectWatch::mayWatchLater()
{
    FakeApiServer server;
    server.put(u"a"_s);
    server.refuse("watch", 403, FakeApiServer::statusBody(403, "Forbidden", "pods is forbidden"));
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.spin([&] { return watched.watch->pollingReason().has_value(); }));
    QVERIFY(watched.spin([&] { return server.requests("watch").size() == 2; }, 2'000));
    QVERIFY(watched.spin([&] { return watched.watch->pollingReason().has_value(); }));
    QCOMPARE(watched.watch->state(), State::current);
    server.permit("watch");
    QVERIFY(watched.spin([&] { return server.watches() == 1; }, 2'000));
    QVERIFY(!watched.watch->pollingReason());
    QCOMPARE(server.requests("watch").size(), 3);
    QCOMPARE(watched.told(), u"+a, synced"_s);
}

void TestObjectWatch::damagedLine()
{
    FakeApiServer server;
    server.put(u"a"_s);
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.isOpen(server));
    watched.setup.clock.advance(5'000);
    server.sendToWatches("{\"type\":\"ADD\n");
    QVERIFY(watched.spin([&] { return server.requests("watch").size() == 2 && server.watches() == 1; }));
    server.put(u"b"_s);
    QVERIFY(watched.spin([&] { return watched.watch->objects().size() == 2; }));
    QCOMPARE(server.requests("list").size(), 1);
}

void TestObjectWatch::longLine()
{
    FakeApiServer server;
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.isOpen(server));
    watched.setup.clock.advance(5'000);
    server.sendToWatches(QByteArray(9 * 1024 * 1024, 'x'));
    QVERIFY(watched.spin([&] { return server.requests("watch").size() == 2 && server.watches() == 1; }));
}

void TestObjectWatch::noApiServer()
{
    FakeApiServer server;
    for (int i = 0; i < 3; ++i)
        server.fault("list", 200, "<html><title>Log in to the network</title></html>", "Content-Type: text/html\r\n");
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.become(State::lost, 100));
    QCOMPARE(watched.problem.kind, Kind::network);
    QVERIFY(watched.become(State::current, 100));
}

void TestObjectWatch::refreshed()
{
    FakeApiServer server;
    server.put(u"a"_s);
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    for (int i = 0; i < 5; ++i) {
        server.putUnseen(u"b%1"_s.arg(i));
        watched.watch->refresh();
        watched.watch->refresh(); // also while it lists
        QVERIFY(watched.spin([&] { return watched.watch->objects().size() == i + 2 && server.watches() == 1; }));
        watched.setup.clock.advance(ObjectWatch::batchMs);
        QCOMPARE(watched.told(), i == 0 ? u"+a, synced, +b0"_s : u"+b%1"_s.arg(i));
    }
}

void TestObjectWatch::relisted()
{
    FakeApiServer server;
    server.put(u"a"_s);
    Watched watched(server);
    watched.watch->start();
    for (int i = 0; i < 4; ++i) {
        QVERIFY(watched.spin([&] { return server.watches() == 1; }));
        for (int minute = 0; minute < 5; ++minute) {
            const qint64 before = watched.watch->lastContactMs();
            watched.setup.clock.advance(1);
            server.bookmark();
            QVERIFY(watched.spin([&] { return watched.watch->lastContactMs() > before; }));
            watched.setup.clock.advance(60'000);
        }
        server.endWatches();
        QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    }
    QCOMPARE(server.requests("list").size(), 2);
    QCOMPARE(server.requests("watch").size(), 5);
}

void TestObjectWatch::closedAnyTime()
{
    FakeApiServer server;
    for (int i = 0; i < 600; ++i)
        server.put(u"p%1"_s.arg(i));
    for (int rounds = 0; rounds < 12; ++rounds) {
        Watched watched(server);
        watched.watch->start();
        for (int i = 0; i < rounds; ++i)
            QCoreApplication::processEvents(QEventLoop::AllEvents, 2);
    } // its end awaits close()
    QVERIFY(true);
    // And closed before it was started.
    const Watched never(server);
    QCOMPARE(never.watch->state(), State::stopped);
}

void TestObjectWatch::slowBytes()
{
    FakeApiServer server;
    server.sendInPieces(3);
    server.put(u"a"_s);
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    for (int i = 0; i < 20; ++i)
        server.put(u"b%1"_s.arg(i), inPhase("Running"));
    QVERIFY(watched.spin([&] { return watched.watch->objects().size() == 21; }));
    QCOMPARE(server.requests("watch").size(), 1);
}

void TestObjectWatch::manyPods()
{
    // 2,000 pods as large as real ones; what is kept of them is small.
    FakeApiServer server;
    Json large = inPhase("Running");
    large["spec"] = std::string(8'000, 'x');
    for (int i = 0; i < 2'000; ++i)
        server.put(u"p%1"_s.arg(i), large);
    Watched watched(server);
    watched.watch->start();
    QVERIFY(watched.spin([&] { return server.watches() == 1; }));
    QCOMPARE(watched.watch->objects().size(), 2'000);
    QVERIFY(watched.spin([&] { return watched.objects.size() == 2'000; }));
    for (const KubeObject& object : std::as_const(watched.objects))
        QCOMPARE(dumpJson(object.kept), "\"Running\""_ba);
    for (const KubeObject& object : watched.watch->objects())
        QVERIFY(object.kept.is_null()); // of what was told nothing stays
    watched.told();
    for (int i = 0; i < 500; ++i)
        server.put(u"p%1"_s.arg(i), large);
    const QString last = QString::number(server.version());
    QVERIFY(watched.spin([&] { return watched.watch->objects().value(u"p499"_s).version == last; }));
    QVERIFY(watched.spin([&] { return watched.setup.clock.pending() == 2; })); // one for silence, one for the pool
    QVERIFY2(watched.log.size() < 200, qPrintable(QString::number(watched.log.size()))); // together, not one by one
}

QTEST_GUILESS_MAIN(TestObjectWatch)
#include "tst_object_watch.moc"
