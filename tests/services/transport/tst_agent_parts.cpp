// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of an AgentClient, each over a wire that notes what is sent.
#include "recorded_wire.h"

#include "services/transport/agent_batches.h"
#include "services/transport/agent_requests.h"
#include "services/transport/agent_starts.h"
#include "services/transport/agent_uploads.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace transport;

namespace {

const Error broken{Kind::network, u"The cable was cut."_s, {}};

template <typename T>
std::shared_ptr<std::optional<T>> watch(OneShot<T> shot)
{
    auto value = std::make_shared<std::optional<T>>();
    const auto follow = [](OneShot<T> watched, std::shared_ptr<std::optional<T>> into) -> Task<> {
        into->emplace(co_await watched.wait());
    };
    follow(shot, value);
    return value;
}

} // namespace

class TestAgentParts : public QObject
{
    Q_OBJECT
private slots:
    void refusalByState_data();
    void refusalByState();
    void startThatMayHaveHappened_data();
    void startThatMayHaveHappened();
    void startTakenBack();
    void startsEndWithTheClient();
    void answersGoToTheOldestBatch();
    void batchFailsWithItsFirstError();
    void helloAnswersBatches();
    void requestIsAskedAgainAndAnsweredOnce();
    void firstBytesStopTheRest();
    void droppedCallersMayAskAgain();
    void uploadEndsWithItsLink();
};

void TestAgentParts::refusalByState_data()
{
    using State = AgentWire::State;
    QTest::addColumn<int>("state");
    QTest::addColumn<std::optional<int>>("kind");
    QTest::newRow("connecting") << int(State::connecting) << std::optional<int>();
    QTest::newRow("up") << int(State::up) << std::optional<int>();
    QTest::newRow("lost") << int(State::lost) << std::optional<int>(int(Kind::network));
    QTest::newRow("closed") << int(State::closed) << std::optional<int>(int(Kind::cancelled));
}

void TestAgentParts::refusalByState()
{
    QFETCH(int, state);
    QFETCH(std::optional<int>, kind);
    RecordedWire wire;
    wire.now = AgentWire::State(state);
    AgentRequests requests(wire);
    const auto reply = watch(requests.ask({{"m", "list"}}));
    QCOMPARE(reply->has_value(), kind.has_value());
    if (kind)
        QCOMPARE(int((*reply)->error().kind), *kind);
    QCOMPARE(wire.sent.size(), wire.isUp() ? 1 : 0);
    requests.drop(broken)();
    QVERIFY(reply->has_value());
}

void TestAgentParts::startThatMayHaveHappened_data()
{
    QTest::addColumn<bool>("sent");
    QTest::addColumn<QString>("onDisk");
    QTest::addColumn<bool>("askedAgain");
    QTest::newRow("sent, running") << true << u"running"_s << false;
    QTest::newRow("sent, ended") << true << u"ended"_s << false;
    QTest::newRow("sent, prepared") << true << u"prepared"_s << true;
    QTest::newRow("sent, unknown") << true << u"unknown"_s << true;
    QTest::newRow("never sent") << false << u"unknown"_s << true;
}

void TestAgentParts::startThatMayHaveHappened()
{
    QFETCH(bool, sent);
    QFETCH(QString, onDisk);
    QFETCH(bool, askedAgain);
    RecordedWire wire;
    WatchedTrials watched;
    AgentStarts starts(wire, watched);
    wire.now = sent ? AgentWire::State::up : AgentWire::State::connecting;
    const auto outcome = watch(starts.ask(u"t"_s, R"({"id":"t"})"));
    QVERIFY(watched.contains(u"t"_s));
    QTRY_COMPARE(wire.sent.size(), sent ? 1 : 0);
    wire.sent.clear();
    wire.now = AgentWire::State::up;
    starts.reconnected({{u"t"_s, onDisk}});
    QCoreApplication::processEvents();
    QCOMPARE(wire.sent.size(), askedAgain ? 1 : 0);
    QCOMPARE(outcome->has_value(), !askedAgain);
    QCOMPARE(starts.contains(u"t"_s), askedAgain);
    if (!askedAgain)
        QVERIFY((*outcome)->repeat && !(*outcome)->error);
    starts.drop(broken, true)();
    QVERIFY(outcome->has_value());
}

void TestAgentParts::startTakenBack()
{
    RecordedWire wire;
    WatchedTrials watched;
    AgentStarts starts(wire, watched);
    const auto sent = watch(starts.ask(u"sent"_s, R"({"id":"sent"})"));
    QTRY_COMPARE(wire.sent.size(), 1);
    wire.now = AgentWire::State::connecting;
    const auto waits = watch(starts.ask(u"waits"_s, R"({"id":"waits"})"));
    QCOMPARE(starts.cancel({u"sent"_s, u"waits"_s, u"other"_s}), QStringList{u"waits"_s});
    QVERIFY(*waits && (*waits)->error && (*waits)->error->kind == Kind::cancelled);
    QVERIFY(!*sent && !watched.contains(u"waits"_s));
    // The one that may have happened did not: it is not asked for again.
    wire.now = AgentWire::State::up;
    starts.reconnected({{u"sent"_s, u"prepared"_s}});
    QVERIFY(*sent && (*sent)->error && (*sent)->error->kind == Kind::cancelled);
    QCoreApplication::processEvents();
    QCOMPARE(wire.sent.size(), 1);
}

void TestAgentParts::startsEndWithTheClient()
{
    RecordedWire wire;
    WatchedTrials watched;
    AgentStarts starts(wire, watched);
    QSignalSpy later(&starts, &AgentStarts::resolvedLater);
    const auto first = watch(starts.ask(u"t"_s, R"({"id":"t"})"));
    QTRY_COMPARE(wire.sent.size(), 1);
    starts.drop(broken, false)();
    QVERIFY(*first && (*first)->unknown && (*first)->error->message == broken.message);
    QVERIFY(starts.contains(u"t"_s));
    starts.reconnected({{u"t"_s, u"running"_s}});
    QCOMPARE(later.size(), 1);
    const auto second = watch(starts.ask(u"u"_s, R"({"id":"u"})"));
    starts.drop(broken, true)();
    QVERIFY(*second && !(*second)->unknown && !starts.contains(u"u"_s));
}

void TestAgentParts::answersGoToTheOldestBatch()
{
    RecordedWire wire;
    AgentBatches batches(wire);
    const auto first = watch(batches.ask({u"a"_s, u"b"_s}, "{}"));
    const auto second = watch(batches.ask({u"a"_s}, "{}"));
    batches.answer(Json::parse(R"([{"trial":"a","state":"ended"}])"));
    QVERIFY(!*first && !*second);
    batches.answer(Json::parse(R"([{"id":"a","state":"unknown"},{"id":"b","state":"running"},{"id":"c"}])"));
    QVERIFY(*first && *second);
    QCOMPARE((**first)->value(u"a"_s), u"ended"_s);
    QCOMPARE((**first)->value(u"b"_s), u"running"_s);
    QCOMPARE((**second)->value(u"a"_s), u"unknown"_s);
    QVERIFY(*watch(batches.ask({}, "{}")));
    QCOMPARE(wire.sent.size(), 2);
}

void TestAgentParts::batchFailsWithItsFirstError()
{
    RecordedWire wire;
    AgentBatches batches(wire);
    const auto reply = watch(batches.ask({u"a"_s, u"b"_s}, "{}"));
    batches.answer(Json::parse(R"([{"trial":"a","kind":"resource","message":"full"}])"));
    QVERIFY(!*reply);
    batches.answer(Json::parse(R"([{"trial":"b","kind":"internal","message":"odd"}])"));
    QVERIFY(*reply && !**reply);
    QCOMPARE((*reply)->error().message, u"full"_s);
}

void TestAgentParts::helloAnswersBatches()
{
    RecordedWire wire;
    wire.now = AgentWire::State::connecting;
    AgentBatches batches(wire);
    const auto reply = watch(batches.ask({u"a"_s, u"b"_s}, "{}"));
    batches.answerFrom({{u"a"_s, u"running"_s}})();
    QVERIFY(*reply && **reply);
    QCOMPARE((**reply)->value(u"a"_s), u"running"_s);
    QCOMPARE((**reply)->value(u"b"_s), u"unknown"_s);
    batches.resend();
    QVERIFY(wire.sent.isEmpty());
}

void TestAgentParts::requestIsAskedAgainAndAnsweredOnce()
{
    RecordedWire wire;
    AgentRequests requests(wire);
    const auto reply = watch(requests.ask({{"m", "list"}}));
    requests.resend();
    QCOMPARE(wire.sent.size(), 2);
    QCOMPARE(dumpJson(wire.sent[0]), dumpJson(wire.sent[1]));
    const Json answer{{"m", "listed"}, {"req", wire.sent[0]["req"]}};
    requests.answer(u"listed"_s, answer, {});
    QVERIFY(*reply && **reply);
    requests.answer(u"listed"_s, answer, {});
    requests.resend();
    QCOMPARE(wire.sent.size(), 2);
}

void TestAgentParts::firstBytesStopTheRest()
{
    RecordedWire wire;
    AgentRequests requests(wire);
    const auto reply = watch(requests.ask({{"m", "read"}}, true));
    const Json part{{"m", "data"}, {"req", wire.sent[0]["req"]}};
    requests.answer(u"data"_s, part, {});
    QVERIFY(!*reply);
    requests.answer(u"data"_s, part, "bytes");
    QVERIFY(*reply && **reply);
    QCOMPARE(wire.sent.size(), 2);
    QCOMPARE(wire.sent[1]["m"].get<QString>(), u"readStop"_s);
}

void TestAgentParts::droppedCallersMayAskAgain()
{
    RecordedWire wire;
    AgentRequests requests(wire);
    OneShot<Result<Json>> shot = requests.ask({{"m", "list"}});
    std::optional<OneShot<Result<Json>>> again;
    const auto follow = [](OneShot<Result<Json>> first, AgentRequests* asked,
                            std::optional<OneShot<Result<Json>>>* second) -> Task<> {
        std::ignore = co_await first.wait();
        Json message{{"m", "list"}};
        second->emplace(asked->ask(std::move(message)));
    };
    follow(shot, &requests, &again);
    requests.drop(broken)();
    QVERIFY(again && !again->isSet());
    QCOMPARE(wire.sent.size(), 2);
}

void TestAgentParts::uploadEndsWithItsLink()
{
    RecordedWire wire;
    AgentUploads uploads(wire);
    std::optional<Result<>> result;
    const auto follow = [](AgentUploads* to, std::optional<Result<>>* into) -> Task<> {
        AgentUploads::Source source = [](qint64, qint64 size) -> Task<Result<QByteArray>> {
            co_return QByteArray(size, 'x');
        };
        const QString sha = u"abc"_s;
        *into = co_await to->put(sha, 10, source, {});
    };
    follow(&uploads, &result);
    QCOMPARE(wire.sent.size(), 1);
    uploads.answer(u"has"_s, {{"sha", "abc"}, {"present", false}});
    QTRY_COMPARE(wire.rawBytes, 10);
    QVERIFY(!result);
    uploads.drop(broken)();
    QVERIFY(result && !*result);
    QCOMPARE(result->error().message, broken.message);
}

QTEST_GUILESS_MAIN(TestAgentParts)
#include "tst_agent_parts.moc"
