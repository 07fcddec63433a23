// SPDX-License-Identifier: GPL-3.0-or-later
// The logs of pods, from an HTTP server of the test.
#include "services/platforms/kubernetes/wire/pod_logs.h"
#include "services/wire/pod_frame.h"

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/web/fake_web_server.h"

#include <QCoroTask>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;

namespace {

constexpr const char* firstStamp = "2026-11-25T07:00:00.000000001Z ";
constexpr const char* secondStamp = "2026-11-25T07:00:01.000000002Z ";

LogPod podOf(const QString& name, bool hasEnded = false, const QByteArray& termination = {})
{
    return {name, u"uid-"_s + name, u"trial"_s, hasEnded, termination};
}

QByteArray endFrame()
{
    std::string frame;
    if (!trialkeeper::PodFrameWriter("t1", "7f").addWhole(frame, 'x', 0, "0 0 0 0 {}"))
        qFatal("no frame");
    return QByteArray::fromStdString(frame);
}

} // namespace

class TestPodLogs : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void stamps();
    void followsToTheEnd();
    void anEndBeforeThePodsIsNone();
    void aNodeThatDoesNotKnowThePodYet();
    void aCutConnectionGoesOnFromTheLastLine();
    void whatTheTerminationSaysComesLast();
    void bytesThatWereTakenAreForgotten();
    void aPodThatIsGone();
    void moreThanItHolds();
    void silentLogsGiveWay();
    void refusedLogsAreAskedForWithPauses();

private:
    [[nodiscard]] LogPart read(const LogPod& pod)
    {
        return m_logs->read({TrialRef{.trial = m_trial}, m_offset, m_identity}, pod);
    }
    /// Reads as ClusterPlatform does, and what came.
    QByteArray take(const LogPod& pod)
    {
        const LogPart part = read(pod);
        if (part.state == LogPart::State::another) {
            m_offset = 0;
            m_identity.clear();
            return {};
        }
        m_identity = part.identity;
        m_offset += part.bytes.size();
        m_isEnd = part.isEnd;
        return part.bytes;
    }
    void takeUntil(QByteArray& all, const LogPod& pod, const QByteArray& end)
    {
        QTRY_VERIFY_WITH_TIMEOUT((all += take(pod)).endsWith(end), 30'000);
    }

    const TrialId m_trial{u"t1"_s};
    qint64 m_offset = 0;
    QByteArray m_identity;
    bool m_isEnd = false;
    fakes::FakeClock m_clock;
    std::unique_ptr<Strand> m_strand;
    std::unique_ptr<fakes::FakeWebServer> m_server;
    std::unique_ptr<KubeClient> m_client;
    std::unique_ptr<PodLogs> m_logs;
};

void TestPodLogs::init()
{
    m_offset = 0;
    m_identity.clear();
    m_isEnd = false;
    m_strand = std::make_unique<Strand>(u"test"_s, 2);
    m_server = std::make_unique<fakes::FakeWebServer>();
    KubeAccess access;
    access.http.base = m_server->url();
    auto client = KubeClient::make(access, {{.clock = &m_clock, .strand = m_strand.get()}, nullptr});
    QVERIFY(client);
    m_client = std::move(*client);
    m_logs = std::make_unique<PodLogs>(m_client.get(), &m_clock, u"ml"_s);
}

void TestPodLogs::cleanup()
{
    QCoro::waitFor(m_logs->close());
    m_logs.reset();
    QCoro::waitFor(m_client->close());
    m_client.reset();
    m_server.reset();
    m_strand.reset();
}

void TestPodLogs::stamps()
{
    QCOMPARE(lastTimeStamp("2026-11-25T07:00:00.5Z a\n2026-11-25T07:00:01Z b\n2026-11-25T07:00:02Z cu"),
        "2026-11-25T07:00:01Z");
    QCOMPARE(lastTimeStamp("2026-11-25T07:00:00+01:00 a\nno stamp\n"), "2026-11-25T07:00:00+01:00");
    QCOMPARE(lastTimeStamp("2026-11-25T07:00:00Z cu"), "");
    QCOMPARE(lastTimeStamp("2026-11-25T07:00:00Za\n"), "");
    QCOMPARE(lastTimeStamp("\n\n"), "");
    QCOMPARE(lastTimeStamp({}), "");
}

void TestPodLogs::followsToTheEnd()
{
    fakes::FakeWebServer::Peer peer;
    m_server->on([&peer](const auto& one, const auto&) {
        peer = one;
        one.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n");
    });
    const QSignalSpy grew(m_logs.get(), &PodLogs::grew);
    QByteArray all = take(podOf(u"a"_s));
    QTRY_VERIFY_WITH_TIMEOUT(peer.isOpen(), 30'000);
    const QByteArray target = m_server->requests().first().target;
    QVERIFY2(target.startsWith("/api/v1/namespaces/ml/pods/a/log?"), target);
    for (const char* word : {"container=trial", "follow=true", "timestamps=true"})
        QVERIFY2(target.contains(word), target);
    QVERIFY(!target.contains("sinceTime"));
    peer.chunk(QByteArray(firstStamp) + "one\n");
    QTRY_COMPARE_WITH_TIMEOUT(grew.count(), 1, 30'000);
    takeUntil(all, podOf(u"a"_s), "one\n");
    QVERIFY(!m_isEnd); // it runs
    QVERIFY(take(podOf(u"a"_s)).isEmpty());
    const QByteArray last = secondStamp + endFrame();
    peer.chunk(last);
    takeUntil(all, podOf(u"a"_s), last);
    peer.chunk({});
    (void)take(podOf(u"a"_s, true)); // the watch says that it has ended
    QTRY_VERIFY_WITH_TIMEOUT(take(podOf(u"a"_s, true)).isEmpty() && m_isEnd, 30'000);
    QCOMPARE(all, QByteArray(firstStamp) + "one\n" + last);
    QCOMPARE(m_server->requests().size(), 1);
}

/// A node that goes down ends its connections in order. Its pod may have ended when it is back.
void TestPodLogs::anEndBeforeThePodsIsNone()
{
    QList<fakes::FakeWebServer::Peer> peers;
    m_server->on([&peers](const auto& one, const auto&) {
        peers.append(one);
        one.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n");
    });
    QByteArray all = take(podOf(u"a"_s));
    QTRY_COMPARE_WITH_TIMEOUT(peers.size(), 1, 30'000);
    peers[0].chunk(QByteArray(firstStamp) + "one\n");
    takeUntil(all, podOf(u"a"_s), "one\n");
    peers[0].chunk({});
    const LogPod ended = podOf(u"a"_s, true);
    QTRY_VERIFY_WITH_TIMEOUT(((void)take(ended), m_clock.advance(1'000), peers.size() == 2), 30'000);
    QVERIFY(!m_isEnd);
    // It was killed, and could not say how it ended: the node has no more.
    peers[1].chunk(QByteArray(firstStamp) + "one\n" + secondStamp + "two\n");
    QByteArray again;
    takeUntil(again, ended, "two\n");
    QVERIFY(!m_isEnd);
    peers[1].chunk({});
    QTRY_VERIFY_WITH_TIMEOUT(((void)take(ended), m_clock.advance(1'000), peers.size() == 3), 30'000);
    QVERIFY(!m_isEnd); // the node may have gone down once more
    peers[2].chunk(secondStamp + QByteArray("two\n"));
    peers[2].chunk({});
    again.clear();
    QTRY_VERIFY_WITH_TIMEOUT((again += take(ended), m_isEnd), 30'000);
    QCOMPARE(again, secondStamp + QByteArray("two\n"));
    QCOMPARE(m_server->requests().size(), 3);
}

/// What the API server makes of a kubelet's 404. It is one for about a second after its start.
void TestPodLogs::aNodeThatDoesNotKnowThePodYet()
{
    const QByteArray unknown =
        R"/({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"NotFound","code":404,)/"
        R"/("message":"the server could not find the requested resource ( pods/log a)","details":{"name":"a","kind":"pods/log"}})/";
    const QByteArray line = firstStamp + endFrame();
    int asked = 0;
    m_server->on([&](const auto& one, const auto&) {
        const bool isKnown = ++asked > 2;
        one.answer(isKnown ? 200 : 404, isKnown ? line : unknown, "Content-Type: text/plain\r\n");
    });
    QByteArray all;
    QTRY_VERIFY_WITH_TIMEOUT((all += take(podOf(u"a"_s, true)), m_clock.advance(1'000), m_isEnd), 30'000);
    QCOMPARE(all, line);
    QCOMPARE(asked, 3);
}

void TestPodLogs::aCutConnectionGoesOnFromTheLastLine()
{
    QList<fakes::FakeWebServer::Peer> peers;
    m_server->on([&peers](const auto& one, const auto&) {
        peers.append(one);
        one.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n");
    });
    QByteArray all = take(podOf(u"a"_s));
    QTRY_COMPARE_WITH_TIMEOUT(peers.size(), 1, 30'000);
    peers[0].chunk(QByteArray(firstStamp) + "one\n" + secondStamp + "tw");
    takeUntil(all, podOf(u"a"_s), "tw");
    const QByteArray identity = m_identity;
    peers[0].reset();
    (void)take(podOf(u"a"_s)); // what is held was taken
    QTRY_VERIFY_WITH_TIMEOUT((m_clock.advance(1'000), peers.size() == 2), 30'000);
    QVERIFY(m_server->requests().last().target.contains("sinceTime=2026-11-25T07%3A00%3A00.000000001Z"));
    peers[1].chunk(QByteArray(firstStamp) + "one\n" + secondStamp + "two\n");
    QByteArray again;
    takeUntil(again, podOf(u"a"_s), "two\n");
    QVERIFY(m_identity != identity); // the reader knows that lines may come again
    QCOMPARE(again, QByteArray(firstStamp) + "one\n" + secondStamp + "two\n");
}

void TestPodLogs::whatTheTerminationSaysComesLast()
{
    const QByteArray body = "a line\n" + endFrame();
    m_server->on([&body](const auto& one, const auto&) { one.answer(200, body, "Content-Type: text/plain\r\n"); });
    QByteArray all;
    takeUntil(all, podOf(u"a"_s, true, "$td1 frame"), "\n$td1 frame\n");
    QVERIFY(m_isEnd);
    QCOMPARE(all, body + "\n$td1 frame\n");
}

void TestPodLogs::bytesThatWereTakenAreForgotten()
{
    const QByteArray body = "a line\n" + endFrame();
    m_server->on([&body](const auto& one, const auto&) { one.answer(200, body, "Content-Type: text/plain\r\n"); });
    QByteArray all;
    takeUntil(all, podOf(u"a"_s, true), body);
    m_offset = 0; // somebody begins again
    QCOMPARE(read(podOf(u"a"_s, true)).state, LogPart::State::another);
    m_identity.clear();
    QByteArray again;
    takeUntil(again, podOf(u"a"_s, true), body);
    QCOMPARE(m_server->requests().size(), 2);
    // Of an earlier life: another log.
    m_identity = "of an earlier one";
    QCOMPARE(read(podOf(u"a"_s, true)).state, LogPart::State::another);
}

void TestPodLogs::aPodThatIsGone()
{
    m_server->on([](const auto& one, const auto&) {
        one.answer(404,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods \"a\" not found",)"
            R"("reason":"NotFound","details":{"name":"a","kind":"pods"},"code":404})");
    });
    (void)take(podOf(u"a"_s, true));
    QTRY_VERIFY_WITH_TIMEOUT(take(podOf(u"a"_s, true)).isEmpty() && m_isEnd, 30'000);
}

void TestPodLogs::moreThanItHolds()
{
    const QByteArray line = QByteArray(firstStamp) + QByteArray(1'000, 'x') + '\n';
    const QByteArray body = line.repeated(3'000) + endFrame(); // 3 MB
    m_server->on([&body](const auto& one, const auto&) { one.answer(200, body, "Content-Type: text/plain\r\n"); });
    (void)take(podOf(u"a"_s, true));
    QByteArray all;
    QTRY_VERIFY_WITH_TIMEOUT((all += take(podOf(u"a"_s, true))).size() == body.size(), 30'000);
    QVERIFY(all == body);
}

void TestPodLogs::silentLogsGiveWay()
{
    int asked = 0;
    m_server->on([&](const fakes::FakeWebServer::Peer& peer, const auto&) {
        ++asked;
        peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"); // and not a byte of the log
    });
    const auto follow = [this](int number, bool hasEnded) {
        LogWish wish;
        wish.trial.trial = TrialId(u"n%1"_s.arg(number));
        return m_logs->read(wish, podOf(u"p%1"_s.arg(number), hasEnded));
    };
    for (int i = 0; i < PodLogs::mostStreams + 2; ++i)
        std::ignore = follow(i, false);
    QTRY_COMPARE_WITH_TIMEOUT(asked, PodLogs::mostStreams, 60'000);
    std::ignore = follow(PodLogs::mostStreams + 1, true); // its container has ended: it comes first
    // A turn begins when the answer is there.
    QTRY_VERIFY_WITH_TIMEOUT((m_clock.advance(1'000), asked >= PodLogs::mostStreams + 2), 60'000);
    const QList<fakes::FakeWebServer::Request> requests = m_server->requests();
    QByteArray late;
    for (qsizetype i = PodLogs::mostStreams; i < requests.size(); ++i)
        late += requests.at(i).target + ' ';
    QVERIFY2(late.contains("/pods/p200/") && late.contains("/pods/p201/"), late);
}

void TestPodLogs::refusedLogsAreAskedForWithPauses()
{
    m_server->on([](const fakes::FakeWebServer::Peer& peer, const auto&) { peer.answer(500, "{}"); });
    constexpr int pods = PodLogs::mostStreams + 20;
    for (int i = 0; i < pods; ++i) {
        LogWish wish;
        wish.trial.trial = TrialId(u"n%1"_s.arg(i));
        std::ignore = m_logs->read(wish, podOf(u"p%1"_s.arg(i)));
    }
    QTRY_COMPARE_WITH_TIMEOUT(m_server->requests().size(), pods, 60'000);
    for (int turn = 0; turn < 50; ++turn)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    QCOMPARE(m_server->requests().size(), pods);
    m_clock.advance(10'000);
    QTRY_COMPARE_WITH_TIMEOUT(m_server->requests().size(), 2 * pods, 60'000);
}

QTEST_GUILESS_MAIN(TestPodLogs)
#include "tst_pod_logs.moc"
