// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that are counted: when they wait, and for whom.
#include "azure_setup.h"

#include "services/platforms/azure/arm_client.h"

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::azure;
using fakes::FakeWebServer;

namespace {

struct ArmLab
{
    ArmLab()
    {
        server.on([this](const FakeWebServer::Peer& peer, const FakeWebServer::Request&) {
            times.append(setup.clock.steadyMs());
            const auto [status, headers] =
                answers.isEmpty() ? std::pair<int, QByteArray>(200, {}) : answers.takeFirst();
            peer.answer(status, "{}", "Content-Type: application/json\r\n" + headers);
        });
        transport::HttpSettings settings;
        settings.base = server.url();
        auto made = ArmClient::make(settings, setup.environment(), nullptr);
        if (!made)
            qFatal("%s", qPrintable(made.error().message.text()));
        client = std::move(*made);
    }
    ~ArmLab() { setup.wait(closed()); }
    [[nodiscard]] static transport::HttpRequest request(const QByteArray& method = "GET", int attempts = 3)
    {
        transport::HttpRequest made;
        made.method = method;
        made.target = "/x";
        made.attempts = attempts;
        return made;
    }
    int send(const transport::HttpRequest& request, qint64 stepMs = 100)
    {
        const Result<transport::HttpReply> reply = setup.wait(client->send(request, {}), stepMs);
        return reply ? reply->status : -1;
    }
    core::Task<bool> closed()
    {
        auto closing = client->close();
        co_await closing;
        co_return true;
    }

    AzureSetup setup;
    FakeWebServer server;
    std::unique_ptr<ArmClient> client;
    QList<std::pair<int, QByteArray>> answers; ///< before the good ones; status and lines of the head
    QList<qint64> times;                       ///< of requests
};

} // namespace

class TestArmClient : public QObject
{
    Q_OBJECT
private slots:
    void waitsAsLongAsItIsTold();
    void othersWaitToo();
    void writesDoNotWaitForReads();
    void slowerWhenFewAreLeft();
    void oneAttempt();
    void repeatsFaults();
    void stopsWhileItWaits();
};

void TestArmClient::waitsAsLongAsItIsTold()
{
    ArmLab lab;
    lab.answers = {{429, "Retry-After: 7\r\n"}};
    QCOMPARE(lab.send(ArmLab::request()), 200);
    QCOMPARE(lab.times.size(), 2);
    QVERIFY2(lab.times[1] - lab.times[0] >= 7'000, qPrintable(QString::number(lab.times[1] - lab.times[0])));
}

void TestArmClient::othersWaitToo()
{
    ArmLab lab;
    lab.answers = {{429, "Retry-After: 20\r\n"}};
    QCOMPARE(lab.send(ArmLab::request("GET", 1)), 429);
    QCOMPARE(lab.send(ArmLab::request("GET", 1)), 200);
    QVERIFY(lab.times[1] - lab.times[0] >= 20'000);
}

void TestArmClient::writesDoNotWaitForReads()
{
    ArmLab lab;
    lab.answers = {{429, "Retry-After: 20\r\n"}};
    QCOMPARE(lab.send(ArmLab::request("GET", 1)), 429);
    QCOMPARE(lab.send(ArmLab::request("PUT", 1)), 200);
    QVERIFY(lab.times[1] - lab.times[0] < 20'000);
}

void TestArmClient::slowerWhenFewAreLeft()
{
    ArmLab lab;
    lab.answers = {{200, "x-ms-ratelimit-remaining-subscription-reads: 2\r\n"},
        {200, "x-ms-ratelimit-remaining-subscription-reads: 900\r\n"}};
    for (int i = 0; i < 3; ++i)
        QCOMPARE(lab.send(ArmLab::request()), 200);
    QVERIFY(lab.times[1] - lab.times[0] >= 3'000);
    QVERIFY(lab.times[2] - lab.times[1] < 3'000);
}

void TestArmClient::oneAttempt()
{
    ArmLab lab;
    lab.answers = {{503, ""}, {200, ""}};
    QCOMPARE(lab.send(ArmLab::request("PUT", 1)), 503);
    QCOMPARE(lab.times.size(), 1);
}

void TestArmClient::repeatsFaults()
{
    ArmLab lab;
    lab.answers = {{500, ""}, {502, ""}};
    QCOMPARE(lab.send(ArmLab::request()), 200);
    QCOMPARE(lab.times.size(), 3);
    lab.answers = {{500, ""}, {500, ""}, {500, ""}, {500, ""}};
    QCOMPARE(lab.send(ArmLab::request()), 500);
    QCOMPARE(lab.times.size(), 6);
    lab.answers = {{500, ""}};
    QCOMPARE(lab.send(ArmLab::request("POST")), 500); // a POST is repeated only where it is marked repeatable
    QCOMPARE(lab.times.size(), 7);
}

void TestArmClient::stopsWhileItWaits()
{
    ArmLab lab;
    lab.answers = {{429, "Retry-After: 60\r\n"}};
    std::stop_source stop;
    const Pending sending(lab.client->send(ArmLab::request(), stop.get_token()));
    QVERIFY(lab.setup.spin([&] { return lab.times.size() == 1; }));
    for (int i = 0; i < 20; ++i)
        lab.setup.spin([n = 0]() mutable { return ++n > 1; });
    stop.request_stop();
    QVERIFY(lab.setup.spin([&] { return sending.isDone(); }));
    QCOMPARE(sending.value().error().kind, Kind::cancelled);
    QCOMPARE(lab.times.size(), 1);
}

QTEST_GUILESS_MAIN(TestArmClient)
#include "tst_arm_client.moc"
