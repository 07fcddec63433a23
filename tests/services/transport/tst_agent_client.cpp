// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/transport/agent_client.h"

#include "tests/fakes/fake_agent_link.h"
#include "tests/fakes/fake_clock.h"

#include <QCoroTask>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace transport;
using fakes::FakeAgent;

namespace {

/// What a coroutine came to, kept until the test looks.
template <typename T>
struct Outcome
{
    std::optional<T> value;
};

template <typename T>
core::Task<> collect(core::Task<T> task, std::shared_ptr<Outcome<T>> into)
{
    into->value = co_await task;
}

template <typename T>
std::shared_ptr<Outcome<T>> watch(core::Task<T> task)
{
    auto outcome = std::make_shared<Outcome<T>>();
    collect(std::move(task), outcome);
    return outcome;
}

QByteArray text(const Json& json)
{
    return core::dumpJson(json);
}

QByteArray spec(const char* id)
{
    return QByteArray("{\"id\":\"") + id + "\"}";
}

} // namespace

class TestAgentClient : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();

    void helloNamesTrialsAndCursors();
    void manyTrialsTravelInSeveralMessages();
    void startsOfOneTurnTravelTogether();
    void hugeStartIsRefused();
    void refusedStart();
    void repeatedStartIsAdoptedOnce();
    void startSurvivesBreak_data();
    void startSurvivesBreak();
    void unknownStartIsResolvedLater();
    void cancelTakesBackAStartThatNeverLeft();
    void cancelTakesBackAnUnknownStart_data();
    void cancelTakesBackAnUnknownStart();
    void backOffGrowsAndEnds();
    void refusedLoginsBackOff();
    void lostIsToldOnce();
    void cursorsMoveWithRecords();
    void finalEventForgets();
    void requestIsAskedAgain();
    void readCollectsParts();
    void followStopsAtFirstBytes();
    void failedReadHasItsKind();
    void cancelsAreAnsweredTrialByTrial();
    void uploadKeepsTheWindow();
    void uploadIsSharedAndSkipped();
    void uploadFailsWithTheLink();
    void splitGpuTableIsJoined();
    void badFrameReconnects();
    void helloFailedIsTold();
    void silentAgentIsReplaced();
    void closeEndsEverything();

private:
    void open();

    std::shared_ptr<FakeAgent> m_agent;
    std::unique_ptr<fakes::FakeClock> m_clock;
    std::unique_ptr<AgentClient> m_client;
};

void TestAgentClient::init()
{
    m_agent = std::make_shared<FakeAgent>();
    m_clock = std::make_unique<fakes::FakeClock>();
    m_client = std::make_unique<AgentClient>(m_clock.get(), m_agent->factory(), u"svc"_s, u"box"_s, 0);
}

void TestAgentClient::cleanup()
{
    m_agent->script = {};
    QCoro::waitFor(m_client->close());
    m_client.reset();
}

void TestAgentClient::open()
{
    m_client->start();
    QTRY_VERIFY(m_client->isUp());
}

void TestAgentClient::helloNamesTrialsAndCursors()
{
    m_agent->helloTrials = Json::array({Json{{"id", "t1"}, {"state", "running"}}});
    QSignalSpy up(m_client.get(), &AgentClient::up);
    const auto adopted = watch(m_client->adopt({{u"t1"_s, AgentCursors{1, 2, 3, 4}}, {u"t2"_s, {}}}));
    open();
    QCOMPARE(up.size(), 1);
    const auto hello = up.at(0).at(0).value<AgentHello>();
    QCOMPARE(hello.base, u"/base"_s);
    QCOMPARE(hello.cpuCount, 8);
    const Json sent = m_agent->messages("hello").at(0).json;
    QCOMPARE(text(sent["serviceId"]), QByteArray("\"svc\""));
    QCOMPARE(text(sent["machineId"]), QByteArray("\"box\""));
    QCOMPARE(sent["trials"].size(), size_t(2));
    for (const Json& trial : sent["trials"]) {
        if (trial["id"] == "t1")
            QCOMPARE(text(trial["cursors"]), QByteArray(R"({"nni":1,"file":2,"stdout":3,"journal":4})"));
    }
    QVERIFY(adopted->value && *adopted->value);
    QCOMPARE((*adopted->value)->value(u"t1"_s), u"running"_s);
    QCOMPARE((*adopted->value)->value(u"t2"_s), u"unknown"_s);
    QVERIFY(m_client->watches(u"t1"_s));
    QVERIFY(!m_client->watches(u"t2"_s)); // no folder: not asked about again
}

void TestAgentClient::manyTrialsTravelInSeveralMessages()
{
    QHash<QString, AgentCursors> trials;
    for (int i = 0; i < 7'000; ++i) {
        trials.insert(u"t%1"_s.arg(i), {});
        m_agent->helloTrials.push_back(Json{{"id", u"t%1"_s.arg(i)}, {"state", "ended"}});
    }
    const auto adopted = watch(m_client->adopt(trials));
    open();
    QTRY_COMPARE(m_agent->messages("adopt").size(), 2);
    QVERIFY(adopted->value);
    QCOMPARE((*adopted->value)->size(), 7'000);
    QSet<QString> named;
    for (const auto& message : m_agent->received) {
        for (const Json& trial : message.json["trials"])
            named.insert(trial["id"].get<QString>());
    }
    QCOMPARE(named.size(), 7'000);
}

void TestAgentClient::startsOfOneTurnTravelTogether()
{
    open();
    const auto a = watch(m_client->startTrial(u"a"_s, spec("a")));
    const auto b = watch(m_client->startTrial(u"b"_s, spec("b")));
    QTRY_COMPARE(m_agent->messages("start").size(), 1);
    QCOMPARE(text(m_agent->messages("start").at(0).json["trials"]), QByteArray(R"([{"id":"a"},{"id":"b"}])"));
    QVERIFY(!a->value);
    m_agent->say(Json::parse(R"({"m":"started","results":[{"trial":"b","pid":12,"time":5,"repeat":false}]})"));
    QVERIFY(!a->value);
    QVERIFY(b->value && !b->value->error);
    QCOMPARE(b->value->pid, 12);
    m_agent->say(Json::parse(R"({"m":"started","results":[{"trial":"a","pid":11,"time":5,"repeat":false}]})"));
    QVERIFY(a->value && !a->value->repeat);
    QVERIFY(m_client->watches(u"a"_s));
}

void TestAgentClient::hugeStartIsRefused()
{
    open();
    const auto a = watch(m_client->startTrial(u"a"_s, QByteArray(2 * 1024 * 1024, 'x')));
    QVERIFY(a->value && a->value->error);
    QCOMPARE(a->value->error->kind, core::Kind::invalid);
    QVERIFY(!m_client->watches(u"a"_s));
}

void TestAgentClient::refusedStart()
{
    open();
    const auto a = watch(m_client->startTrial(u"a"_s, spec("a")));
    QTRY_COMPARE(m_agent->messages("start").size(), 1);
    m_agent->say(Json::parse(
        R"({"m":"started","results":[{"trial":"a","kind":"resource","message":"GPU is taken","detail":"uuid"}]})"));
    QVERIFY(a->value && a->value->error);
    QCOMPARE(a->value->error->kind, core::Kind::resource);
    QCOMPARE(a->value->error->message, u"GPU is taken"_s);
    QVERIFY(!a->value->unknown);
    QVERIFY(!m_client->watches(u"a"_s));
}

void TestAgentClient::repeatedStartIsAdoptedOnce()
{
    open();
    m_agent->script = [this](const QString& name, const Json& message, const QByteArray&) {
        if (name != u"start")
            return false;
        for (const Json& trial : message["trials"])
            m_agent->say(
                Json{{"m", "started"}, {"results", Json::array({Json{{"trial", trial["id"]}, {"repeat", true}}})}});
        return true;
    };
    const auto first = watch(m_client->startTrial(u"a"_s, spec("a")));
    QTRY_VERIFY(first->value);
    QVERIFY(first->value->repeat);
    QTRY_COMPARE(m_agent->messages("adopt").size(), 1);
    // It is watched by now: adopting it again would send its streams twice.
    const auto second = watch(m_client->startTrial(u"a"_s, spec("a")));
    QTRY_VERIFY(second->value);
    QCoreApplication::processEvents();
    QCOMPARE(m_agent->messages("adopt").size(), 1);
}

void TestAgentClient::startSurvivesBreak_data()
{
    QTest::addColumn<QString>("state"); // on disk, when the next agent looks
    QTest::addColumn<int>("starts");
    QTest::addColumn<bool>("repeat");
    QTest::newRow("it had happened") << u"running"_s << 1 << true;
    QTest::newRow("it had happened and ended") << u"ended"_s << 1 << true;
    QTest::newRow("it had been prepared") << u"prepared"_s << 2 << false;
    QTest::newRow("it had never arrived") << QString() << 2 << false;
}

void TestAgentClient::startSurvivesBreak()
{
    QFETCH(QString, state);
    QFETCH(int, starts);
    QFETCH(bool, repeat);
    open();
    const auto a = watch(m_client->startTrial(u"a"_s, spec("a")));
    QTRY_COMPARE(m_agent->messages("start").size(), 1);
    m_agent->die();
    QVERIFY(!m_client->isUp());
    if (!state.isEmpty())
        m_agent->helloTrials = Json::array({Json{{"id", "a"}, {"state", state}}});
    m_clock->advance(100);
    QTRY_VERIFY(m_client->isUp());
    QTRY_COMPARE(m_agent->messages("start").size(), starts);
    if (starts == 2)
        m_agent->say(Json::parse(R"({"m":"started","results":[{"trial":"a","pid":3,"time":5,"repeat":false}]})"));
    QTRY_VERIFY(a->value);
    QVERIFY(!a->value->error && !a->value->unknown);
    QCOMPARE(a->value->repeat, repeat);
    QVERIFY(m_agent->messages("adopt").isEmpty()); // hello named it
    QVERIFY(m_client->watches(u"a"_s));
}

void TestAgentClient::unknownStartIsResolvedLater()
{
    open();
    QSignalSpy resolved(m_client.get(), &AgentClient::startResolved);
    const auto sent = watch(m_client->startTrial(u"a"_s, spec("a")));
    QTRY_COMPARE(m_agent->messages("start").size(), 1);
    m_agent->refuses = true;
    m_agent->die();
    const auto queued = watch(m_client->startTrial(u"b"_s, spec("b")));
    for (int i = 0; i < 40; ++i) {
        m_clock->advance(100);
        QCoreApplication::processEvents();
    }
    QVERIFY(sent->value && sent->value->unknown);
    QCOMPARE(sent->value->error->kind, core::Kind::network);
    // What never left is refused for good, and not asked for behind anybody's back.
    QVERIFY(queued->value && !queued->value->unknown && queued->value->error);
    m_agent->refuses = false;
    m_agent->helloTrials = Json::array({Json{{"id", "a"}, {"state", "running"}}});
    m_clock->advance(10'000);
    QTRY_COMPARE(resolved.size(), 1);
    const auto outcome = resolved.at(0).at(0).value<StartOutcome>();
    QCOMPARE(outcome.trial, u"a"_s);
    QVERIFY(outcome.repeat && !outcome.error);
    QCOMPARE(m_agent->messages("start").size(), 1);
}

void TestAgentClient::cancelTakesBackAStartThatNeverLeft()
{
    const auto start = watch(m_client->startTrial(u"a"_s, spec("a")));
    const auto cancel = watch(m_client->cancel({u"a"_s}, u"user"_s, {}));
    QVERIFY(start->value && start->value->error);
    QCOMPARE(start->value->error->kind, core::Kind::cancelled);
    QVERIFY(cancel->value && *cancel->value);
    QCOMPARE((*cancel->value)->value(u"a"_s), u"unknown"_s);
    open();
    QCoreApplication::processEvents();
    QVERIFY(m_agent->messages("start").isEmpty());
    QVERIFY(m_agent->messages("cancel").isEmpty());
}

void TestAgentClient::cancelTakesBackAnUnknownStart_data()
{
    QTest::addColumn<bool>("sent");
    QTest::newRow("asked for without a link") << false;
    QTest::newRow("sent, and lost with the link like the start") << true;
}

void TestAgentClient::cancelTakesBackAnUnknownStart()
{
    QFETCH(bool, sent);
    open();
    const auto start = watch(m_client->startTrial(u"a"_s, spec("a")));
    QTRY_COMPARE(m_agent->messages("start").size(), 1);
    if (!sent)
        m_agent->die();
    const auto cancel = watch(m_client->cancel({u"a"_s}, u"user"_s, 7));
    if (sent) {
        QTRY_COMPARE(m_agent->messages("cancel").size(), 1);
        m_agent->die();
    }
    m_clock->advance(100);
    QTRY_VERIFY(m_client->isUp());
    QTRY_COMPARE(m_agent->messages("cancel").size(), sent ? 2 : 1);
    QCoreApplication::processEvents(); // a start that waits for the next turn
    QCOMPARE(text(m_agent->messages("cancel").last().json),
        QByteArray(R"({"m":"cancel","trials":["a"],"intent":"user","graceMs":7})"));
    QVERIFY(start->value && start->value->error && !start->value->unknown);
    QCOMPARE(m_agent->messages("start").size(), 1); // nothing shows that it happened, and it is not wanted any more
    m_agent->say(Json::parse(R"({"m":"cancelled","results":[{"trial":"a","state":"unknown"}]})"));
    QVERIFY(cancel->value && *cancel->value);
}

void TestAgentClient::backOffGrowsAndEnds()
{
    m_agent->refuses = true;
    m_client->start();
    QList<qint64> waits;
    int seen = 1;
    qint64 since = 0;
    qint64 now = 0;
    while (waits.size() < 8) {
        QTRY_VERIFY(m_agent->connections == seen);
        QCoreApplication::processEvents();
        m_clock->advance(100);
        now += 100;
        if (m_agent->connections > seen) {
            waits.append(now - since);
            since = now;
            seen = m_agent->connections;
        }
        QVERIFY(now < 60'000);
    }
    QCOMPARE(waits, (QList<qint64>{100, 200, 400, 800, 1'600, 3'200, 5'000, 5'000}));
}

/// A program that bans who fails too often counts them; a person who did something about it does not wait.
void TestAgentClient::refusedLoginsBackOff()
{
    m_client->setReconnect({500, 30'000, 60'000, 0, 1'800'000});
    m_agent->refuses = true;
    m_agent->refusal.kind = Kind::auth;
    m_client->start();
    int seen = 1;
    const auto nextInSeconds = [&] {
        QCoreApplication::processEvents(); // the connection ends
        int seconds = 0;
        for (; m_agent->connections == seen && seconds < 4'000; ++seconds)
            m_clock->advance(1'000);
        ++seen;
        return seconds;
    };
    for (const int minutes : {1, 2, 4, 8, 16, 30, 30})
        QCOMPARE(nextInSeconds(), minutes * 60);
    // A machine that cannot be reached for a while continues its row of refusals.
    m_agent->refusal.kind = Kind::network;
    QCOMPARE(nextInSeconds(), 30);
    m_agent->refusal.kind = Kind::auth;
    QCOMPARE(nextInSeconds(), 30 * 60);
    // A person answers.
    m_agent->asks = true;
    QCOMPARE(nextInSeconds(), 60);
    m_agent->asks = false;
    QCOMPARE(nextInSeconds(), 120);
    QCoreApplication::processEvents();
    // A person saves the settings, trusts a key, or wants it at once.
    m_client->reconnectNow();
    ++seen;
    QCOMPARE(nextInSeconds(), 60);
    // It was let in once.
    QCoreApplication::processEvents();
    m_agent->refuses = false;
    m_client->reconnectNow();
    ++seen;
    QTRY_VERIFY(m_client->isUp());
    m_agent->refuses = true;
    m_agent->die();
    QCOMPARE(nextInSeconds(), 1);
    QCOMPARE(nextInSeconds(), 60);
}

void TestAgentClient::lostIsToldOnce()
{
    open();
    QSignalSpy lost(m_client.get(), &AgentClient::lost);
    QSignalSpy up(m_client.get(), &AgentClient::up);
    m_agent->refuses = true;
    const qint64 died = m_clock->nowMs();
    m_agent->die();
    const auto list = watch(m_client->list(u"a"_s, {}, 10'000));
    for (int i = 0; i < 29; ++i) {
        m_clock->advance(100);
        QCoreApplication::processEvents();
    }
    QCOMPARE(lost.size(), 0);
    QVERIFY(!list->value);
    for (int i = 0; i < 100; ++i) {
        m_clock->advance(100);
        QCoreApplication::processEvents();
    }
    QCOMPARE(lost.size(), 1);
    QCOMPARE(lost.at(0).at(1).toLongLong(), died);
    QVERIFY(list->value && !*list->value);
    QCOMPARE(list->value->error().kind, core::Kind::network);
    // Nobody waits for an agent that is known to be away.
    const auto refused = watch(m_client->list(u"a"_s, {}, 10'000));
    QVERIFY(refused->value && !*refused->value);
    m_agent->refuses = false;
    m_clock->advance(5'000);
    QTRY_COMPARE(up.size(), 1);
}

void TestAgentClient::cursorsMoveWithRecords()
{
    m_agent->helloTrials = Json::array({Json{{"id", "a"}, {"state", "running"}}});
    const auto adopted = watch(m_client->adopt({{u"a"_s, {}}}));
    open();
    QSignalSpy records(m_client.get(), &AgentClient::records);
    m_agent->say(Json::parse(R"({"m":"records","trial":"a","stream":"nni","offset":0,"next":5,"time":9})"), "12345");
    m_agent->say(
        Json::parse(R"({"m":"records","trial":"a","stream":"stdout","offset":70,"next":90,"time":9,"reset":true})"),
        "x\n");
    m_agent->say(
        Json::parse(R"({"m":"records","trial":"stranger","stream":"nni","offset":0,"next":5,"time":9})"), "12345");
    m_agent->say(Json::parse(R"({"m":"event","trial":"a","offset":0,"next":33,"type":"running","time":9,"pid":1})"));
    QCOMPARE(records.size(), 2);
    const auto second = records.at(1).at(0).value<AgentRecords>();
    QCOMPARE(second.offset, 70);
    QCOMPARE(second.next, 90);
    QVERIFY(second.reset);
    QCOMPARE(second.bytes, QByteArray("x\n"));
    m_agent->die();
    m_clock->advance(100);
    QTRY_VERIFY(m_client->isUp());
    const Json sent = m_agent->messages("hello").last().json;
    QCOMPARE(text(sent["trials"]), QByteArray(R"([{"id":"a","cursors":{"nni":5,"file":0,"stdout":90,"journal":33}}])"));
}

void TestAgentClient::finalEventForgets()
{
    m_agent->helloTrials = Json::array({Json{{"id", "a"}, {"state", "running"}}});
    const auto adopted = watch(m_client->adopt({{u"a"_s, {}}}));
    open();
    QSignalSpy events(m_client.get(), &AgentClient::trialEvent);
    m_agent->say(Json::parse(
        R"({"m":"event","trial":"a","offset":0,"next":33,"type":"exited","final":true,"time":9,"exitCode":0})"));
    QCOMPARE(events.size(), 1);
    QVERIFY(!m_client->watches(u"a"_s));
    m_agent->say(Json::parse(
        R"({"m":"event","trial":"a","offset":0,"next":33,"type":"exited","final":true,"time":9,"exitCode":0})"));
    QCOMPARE(events.size(), 1);
}

void TestAgentClient::requestIsAskedAgain()
{
    open();
    const auto parameter = watch(m_client->sendParameter(u"a"_s, 2, "{\"x\": 1}"));
    QTRY_COMPARE(m_agent->messages("parameter").size(), 1);
    m_agent->die();
    m_clock->advance(100);
    QTRY_COMPARE(m_agent->messages("parameter").size(), 2);
    const Json again = m_agent->messages("parameter").at(1).json;
    QCOMPARE(text(again["text"]), QByteArray("\"{\\\"x\\\": 1}\""));
    QCOMPARE(text(again["index"]), QByteArray("2"));
    m_agent->say(Json{{"m", "parameterDone"}, {"req", again["req"]}});
    QVERIFY(parameter->value && *parameter->value);
}

void TestAgentClient::readCollectsParts()
{
    open();
    const auto read = watch(m_client->read(u"a"_s, u"stdout"_s, 10, 100, false));
    QTRY_COMPARE(m_agent->messages("read").size(), 1);
    const Json req = m_agent->messages("read").at(0).json["req"];
    m_agent->say(Json{{"m", "data"}, {"req", req}, {"offset", 10}, {"size", 16}, {"eof", false}}, "abc");
    QVERIFY(!read->value);
    m_agent->say(Json{{"m", "data"}, {"req", req}, {"offset", 13}, {"size", 16}, {"eof", true}}, "def");
    QVERIFY(read->value && *read->value);
    QCOMPARE((*read->value)->bytes, QByteArray("abcdef"));
    QCOMPARE((*read->value)->offset, 10);
    QCOMPARE((*read->value)->size, 16);
    QVERIFY(!(*read->value)->ended); // the trial may write more
}

void TestAgentClient::followStopsAtFirstBytes()
{
    open();
    const auto read = watch(m_client->read(u"a"_s, u"stdout"_s, 0, 100, true));
    QTRY_COMPARE(m_agent->messages("read").size(), 1);
    const Json req = m_agent->messages("read").at(0).json["req"];
    m_agent->say(Json{{"m", "data"}, {"req", req}, {"offset", 0}, {"size", 0}, {"eof", false}});
    QVERIFY(!read->value);
    m_agent->say(Json{{"m", "data"}, {"req", req}, {"offset", 0}, {"size", 2}, {"eof", false}}, "hi");
    QVERIFY(read->value && *read->value);
    QCOMPARE((*read->value)->bytes, QByteArray("hi"));
    QVERIFY(!(*read->value)->ended);
    QTRY_COMPARE(m_agent->messages("readStop").size(), 1);
    QCOMPARE(text(m_agent->messages("readStop").at(0).json["req"]), text(req));
    m_agent->say(
        Json{{"m", "data"}, {"req", req}, {"offset", 2}, {"size", 4}, {"eof", false}}, "ho"); // too late, harmless

    const auto ended = watch(m_client->read(u"a"_s, u"stdout"_s, 4, 100, true));
    QTRY_COMPARE(m_agent->messages("read").size(), 2);
    m_agent->say(Json{{"m", "data"}, {"req", m_agent->messages("read").at(1).json["req"]}, {"offset", 4}, {"size", 4},
        {"eof", true}});
    QVERIFY(ended->value && *ended->value);
    QVERIFY((*ended->value)->ended && (*ended->value)->bytes.isEmpty());
}

void TestAgentClient::failedReadHasItsKind()
{
    open();
    const auto read = watch(m_client->read(u"a"_s, u"output/x"_s, 0, 100, false));
    QTRY_COMPARE(m_agent->messages("read").size(), 1);
    const Json req = m_agent->messages("read").at(0).json["req"];
    m_agent->say(
        Json{{"m", "readFailed"}, {"req", req}, {"kind", "not_found"}, {"message", "There is no file output/x."}});
    QVERIFY(read->value && !*read->value);
    QCOMPARE(read->value->error().kind, core::Kind::not_found);
    QCOMPARE(read->value->error().message, u"There is no file output/x."_s);
}

void TestAgentClient::cancelsAreAnsweredTrialByTrial()
{
    open();
    const auto both = watch(m_client->cancel({u"a"_s, u"b"_s}, u"early"_s, {}));
    const auto again = watch(m_client->cancel({u"a"_s}, u"user"_s, {}));
    QTRY_COMPARE(m_agent->messages("cancel").size(), 2);
    m_agent->say(Json::parse(R"({"m":"cancelled","results":[{"trial":"a","state":"cancelling"}]})"));
    QVERIFY(!both->value && !again->value);
    m_agent->say(
        Json::parse(R"({"m":"cancelled","results":[{"trial":"b","state":"ended"},{"trial":"a","state":"ended"}]})"));
    QVERIFY(both->value && again->value);
    QCOMPARE((*both->value)->value(u"a"_s), u"cancelling"_s);
    QCOMPARE((*both->value)->value(u"b"_s), u"ended"_s);
    QCOMPARE((*again->value)->value(u"a"_s), u"ended"_s);
    const auto none = watch(m_client->cancel({}, u"user"_s, {}));
    QVERIFY(none->value && *none->value);
}

namespace {

core::Task<core::Result<QByteArray>> slice(QByteArray all, qint64 offset, qint64 size)
{
    co_return all.mid(offset, size);
}

} // namespace

void TestAgentClient::uploadKeepsTheWindow()
{
    open();
    QByteArray all;
    while (all.size() < 3'000'000)
        all += QByteArray::number(all.size()) + ' ';
    QByteArray got;
    bool acknowledge = false;
    bool last = false;
    m_agent->script = [&](const QString& name, const Json& message, const QByteArray& raw) {
        if (name == u"has")
            m_agent->say(Json{{"m", "has"}, {"sha", message["sha"]}, {"present", false}});
        if (name != u"put")
            return name == u"has";
        if (message["offset"].get<qint64>() != got.size())
            qFatal("a chunk out of order");
        got += raw;
        last = message["last"].get<bool>();
        if (acknowledge)
            m_agent->say(Json{{"m", "putAck"}, {"sha", message["sha"]}, {"offset", got.size()}});
        if (last)
            m_agent->say(Json{{"m", "putDone"}, {"sha", message["sha"]}});
        return true;
    };
    const auto put = watch(m_client->put(u"abc"_s, all.size(), [all](qint64 o, qint64 n) { return slice(all, o, n); }));
    QTRY_COMPARE(got.size(), 1024 * 1024);
    QCoreApplication::processEvents();
    QCOMPARE(got.size(), 1024 * 1024); // the window is full
    QVERIFY(!put->value);
    acknowledge = true;
    m_agent->say(Json{{"m", "putAck"}, {"sha", "abc"}, {"offset", got.size()}});
    QTRY_VERIFY(put->value);
    QVERIFY(*put->value);
    QVERIFY(last);
    QCOMPARE(got, all);
}

void TestAgentClient::uploadIsSharedAndSkipped()
{
    open();
    bool present = false;
    m_agent->script = [&](const QString& name, const Json& message, const QByteArray&) {
        if (name == u"has")
            m_agent->say(Json{{"m", "has"}, {"sha", message["sha"]}, {"present", present}});
        if (name == u"put")
            m_agent->say(Json{{"m", "putDone"}, {"sha", message["sha"]}});
        return name == u"has" || name == u"put";
    };
    const auto source = [](qint64 o, qint64 n) { return slice("tiny", o, n); };
    const auto one = watch(m_client->put(u"abc"_s, 4, source));
    const auto two = watch(m_client->put(u"abc"_s, 4, source));
    QTRY_VERIFY(one->value && two->value);
    QVERIFY(*one->value && *two->value);
    QCOMPARE(m_agent->messages("put").size(), 1);
    present = true;
    const auto three = watch(m_client->put(u"abc"_s, 4, source));
    QTRY_VERIFY(three->value);
    QVERIFY(*three->value);
    QCOMPARE(m_agent->messages("put").size(), 1);
}

void TestAgentClient::uploadFailsWithTheLink()
{
    open();
    const auto put = watch(m_client->put(u"abc"_s, 4, [](qint64 o, qint64 n) { return slice("tiny", o, n); }));
    const auto joined = watch(m_client->put(u"abc"_s, 4, [](qint64 o, qint64 n) { return slice("tiny", o, n); }));
    QTRY_COMPARE(m_agent->messages("has").size(), 1);
    m_agent->die();
    QVERIFY(put->value && !*put->value);
    QCOMPARE(put->value->error().kind, core::Kind::network);
    QVERIFY(joined->value && !*joined->value);
}

void TestAgentClient::splitGpuTableIsJoined()
{
    open();
    QSignalSpy gpu(m_client.get(), &AgentClient::gpu);
    m_agent->say(Json{{"m", "gpu"}, {"state", "ok"}, {"more", true}}, "<nvidia");
    QCOMPARE(gpu.size(), 0);
    m_agent->say(Json{{"m", "gpu"}, {"state", "ok"}, {"more", false}}, "_smi/>");
    QCOMPARE(gpu.size(), 1);
    QCOMPARE(gpu.at(0).at(1).toByteArray(), QByteArray("<nvidia_smi/>"));
}

void TestAgentClient::badFrameReconnects()
{
    open();
    m_agent->sayRaw("[1]");
    QVERIFY(!m_client->isUp());
    m_clock->advance(100);
    QTRY_VERIFY(m_client->isUp());
    QCOMPARE(m_agent->connections, 2);
    // Members of another type than promised are no reason to fall over.
    for (const char* text :
        {R"({"m":"records","trial":7,"stream":[],"offset":"x"})", R"({"m":"event"})", R"({"m":"started","results":7})",
            R"({"m":"cancelled","results":[null]})", R"({"m":"data","req":"1"})", R"({"m":"what is this"})",
            R"({"m":"failed","re":"cancel"})", R"({"m":"load"})", R"({"m":"started","results":[{"trial":{}}]})"})
        m_agent->sayRaw(text, "raw");
    QVERIFY(m_client->isUp());
}

void TestAgentClient::helloFailedIsTold()
{
    m_agent->answersHello = false;
    m_agent->script = [this](const QString& name, const Json&, const QByteArray&) {
        if (name == u"hello")
            m_agent->say(
                Json{{"m", "helloFailed"}, {"version", 9}, {"kind", "conflict"}, {"message", "I speak version 9."}});
        return true;
    };
    QSignalSpy lost(m_client.get(), &AgentClient::lost);
    m_client->start();
    for (int i = 0; i < 40; ++i) {
        m_clock->advance(100);
        QCoreApplication::processEvents();
    }
    QCOMPARE(lost.size(), 1);
    QVERIFY(lost.at(0).at(0).value<core::Error>().message.contains(u"I speak version 9."));
}

void TestAgentClient::silentAgentIsReplaced()
{
    m_agent->answersHello = false;
    m_client->start();
    QTRY_COMPARE(m_agent->messages("hello").size(), 1);
    m_agent->answersHello = true;
    m_clock->advance(10'100);
    QTRY_VERIFY(m_client->isUp());
    QCOMPARE(m_agent->connections, 2);
}

void TestAgentClient::closeEndsEverything()
{
    open();
    const auto list = watch(m_client->list(u"a"_s, {}, 10'000));
    const auto start = watch(m_client->startTrial(u"a"_s, spec("a")));
    QTRY_COMPARE(m_agent->messages("start").size(), 1);
    const auto unsent = watch(m_client->startTrial(u"b"_s, spec("b")));
    const auto cancel = watch(m_client->cancel({u"c"_s}, u"user"_s, {}));
    const auto put = watch(m_client->put(u"abc"_s, 4, [](qint64 o, qint64 n) { return slice("tiny", o, n); }));
    QSignalSpy lost(m_client.get(), &AgentClient::lost);
    QCoro::waitFor(m_client->close());
    QVERIFY(list->value && !*list->value);
    QCOMPARE(list->value->error().kind, core::Kind::cancelled);
    QVERIFY(start->value && start->value->unknown); // it may run
    QVERIFY(unsent->value && !unsent->value->unknown && unsent->value->error);
    QVERIFY(cancel->value && !*cancel->value);
    QVERIFY(put->value && !*put->value);
    const auto late = watch(m_client->startTrial(u"d"_s, spec("d")));
    QVERIFY(late->value && late->value->error);
    m_clock->advance(60'000);
    QCOMPARE(m_agent->connections, 1);
    QCOMPARE(lost.size(), 0);
}

QTEST_GUILESS_MAIN(TestAgentClient)
#include "tst_agent_client.moc"
