// SPDX-License-Identifier: GPL-3.0-or-later
// An agent of a hostile machine sends more than the protocol allows: the service keeps no more than agent_limits.h says.
#include "recorded_wire.h"

#include "services/transport/agent_client.h"
#include "services/transport/agent_limits.h"

#include "tests/fakes/fake_agent_link.h"
#include "tests/fakes/fake_clock.h"

#include <QCoroTask>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace transport;
using fakes::FakeAgent;

namespace {

template <typename T>
core::Task<> collect(core::Task<T> task, std::shared_ptr<std::optional<T>> into)
{
    into->emplace(co_await task);
}

template <typename T>
std::shared_ptr<std::optional<T>> watch(core::Task<T> task)
{
    auto outcome = std::make_shared<std::optional<T>>();
    collect(std::move(task), outcome);
    return outcome;
}

} // namespace

class TestAgentLimits : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();

    void helloTexts();
    void helloTrials();
    void helloFailed();
    void gpuTable();
    void findings();
    void events();
    void files();
    void order_data();
    void order();
    void partsThatDoNotFollow();
    void data_data();
    void data();
    void doctor();
    void errors_data();
    void errors();
    void removed();
    void started();
    void acknowledgedBytes();

private:
    void open();
    /// Waits until the client asked, and gives the number of its question.
    Json asked(const char* name);

    std::shared_ptr<FakeAgent> m_agent;
    std::unique_ptr<fakes::FakeClock> m_clock;
    std::unique_ptr<AgentClient> m_client;
};

void TestAgentLimits::init()
{
    m_agent = std::make_shared<FakeAgent>();
    m_clock = std::make_unique<fakes::FakeClock>();
    m_client = std::make_unique<AgentClient>(m_clock.get(), m_agent->factory(), u"svc"_s, u"box"_s, 0);
}

void TestAgentLimits::cleanup()
{
    m_agent->script = {};
    QCoro::waitFor(m_client->close());
    m_client.reset();
}

void TestAgentLimits::open()
{
    m_client->start();
    QTRY_VERIFY(m_client->isUp());
}

Json TestAgentLimits::asked(const char* name)
{
    if (!QTest::qWaitFor([&] { return !m_agent->messages(name).isEmpty(); }))
        return {};
    return m_agent->messages(name).last().json["req"];
}

void TestAgentLimits::helloTexts()
{
    m_agent->answersHello = false;
    m_agent->script = [this](const QString& name, const Json&, const QByteArray&) {
        if (name != u"hello")
            return false;
        const QString evil = u"\u001b[31ma\nb\u202ec"_s;
        m_agent->say(Json{{"m", "hello"}, {"arch", evil}, {"bootId", evil}, {"hostname", evil + QString(100'000, u'h')},
            {"user", evil + QString(100'000, u'u')}, {"base", u"/"_s + QString(100'000, u'b')},
            {"cpuCount", qint64(1) << 40}, {"memoryTotal", -5}, {"time", 1}, {"trials", Json::array()}});
        return true;
    };
    QSignalSpy up(m_client.get(), &AgentClient::up);
    open();
    const auto hello = up.at(0).at(0).value<AgentHello>();
    QCOMPARE(hello.arch, u"[31mabc"_s);
    QCOMPARE(hello.bootId, u"[31mabc"_s);
    QVERIFY(hello.hostname.startsWith(u"[31mabchhh"_s));
    QCOMPARE(hello.hostname.size(), limits::nameChars);
    QCOMPARE(hello.user.size(), limits::nameChars);
    QCOMPARE(hello.base.size(), limits::pathChars);
    QCOMPARE(hello.cpuCount, limits::mostCpus);
    QCOMPARE(hello.memoryTotal, 0);
}

void TestAgentLimits::helloTrials()
{
    Json trials = Json::array();
    for (int i = 0; i < 3 * limits::mostStrangers; ++i)
        trials.push_back(Json{{"id", u"s%1"_s.arg(i)}, {"state", "running"}});
    trials.push_back(Json{{"id", QString(limits::idChars + 1, u'l')}, {"state", "running"}});
    trials.push_back(Json{{"id", "named"}, {"state", QString(100'000, u'x')}});
    m_agent->helloTrials = trials;
    QSignalSpy up(m_client.get(), &AgentClient::up);
    const auto adopted = watch(m_client->adopt({{u"named"_s, {}}}));
    open();
    const auto hello = up.at(0).at(0).value<AgentHello>();
    QCOMPARE(hello.trials.size(), limits::mostStrangers + 1);
    QCOMPARE(hello.trials.value(u"named"_s).size(), limits::wordChars);
    QVERIFY(!hello.trials.contains(QString(limits::idChars + 1, u'l')));
    QVERIFY(*adopted && **adopted);
    QCOMPARE((**adopted)->size(), 1);
}

void TestAgentLimits::helloFailed()
{
    m_agent->answersHello = false;
    m_agent->script = [this](const QString& name, const Json&, const QByteArray&) {
        if (name == u"hello")
            m_agent->say(Json{{"m", "helloFailed"}, {"kind", "conflict"}, {"message", QString(900'000, u'x')}});
        return true;
    };
    QSignalSpy lost(m_client.get(), &AgentClient::lost);
    m_client->start();
    QTRY_COMPARE(lost.size(), 1);
    QVERIFY(lost.at(0).at(0).value<core::Error>().message.size() < limits::messageChars + 100);
}

void TestAgentLimits::gpuTable()
{
    open();
    QSignalSpy gpu(m_client.get(), &AgentClient::gpu);
    const QByteArray part(trialkeeper::maxRaw, 'x');
    for (qsizetype sent = 0; sent <= 3 * limits::gpuTableBytes; sent += part.size())
        m_agent->say(Json{{"m", "gpu"}, {"state", "ok"}, {"more", true}}, part);
    QCOMPARE(gpu.size(), 1); // told at once, and once
    QCOMPARE(gpu.at(0).at(0).value<core::Json>()["state"].get<QString>(), u"tooLarge"_s);
    QVERIFY(gpu.at(0).at(1).toByteArray().isEmpty());
    m_agent->say(Json{{"m", "gpu"}, {"state", "ok"}, {"more", false}}, "the end");
    QCOMPARE(gpu.size(), 1);
    m_agent->say(Json{{"m", "gpu"}, {"state", "ok"}}, "the next");
    QCOMPARE(gpu.size(), 2);
    QCOMPARE(gpu.at(1).at(1).toByteArray(), QByteArray("the next"));
    // A table of the very size is one.
    for (qsizetype sent = 0; sent < limits::gpuTableBytes; sent += part.size())
        m_agent->say(Json{{"m", "gpu"}, {"state", "ok"}, {"more", true}}, part);
    m_agent->say(Json{{"m", "gpu"}, {"state", "ok"}});
    QCOMPARE(gpu.size(), 3);
    QCOMPARE(gpu.at(2).at(1).toByteArray().size(), limits::gpuTableBytes);
}

void TestAgentLimits::findings()
{
    m_agent->helloTrials = Json::array({Json{{"id", "a"}, {"state", "running"}}});
    const auto adopted = watch(m_client->adopt({{u"a"_s, {}}}));
    open();
    QSignalSpy finding(m_client.get(), &AgentClient::finding);
    m_agent->say(Json{{"m", "finding"}, {"trial", "of another machine"}, {"text", "x"}});
    QCOMPARE(finding.size(), 0);
    m_agent->say(Json{{"m", "finding"}, {"trial", "a"}, {"text", u"\u001b]0;a\nb"_s + QString(900'000, u'x')}});
    QCOMPARE(finding.at(0).at(1).value<core::Message>().size(), limits::findingChars);
    QVERIFY(finding.at(0).at(1).value<core::Message>().startsWith(u"]0;ab"_s));
    for (int i = 0; i < 1'000; ++i)
        m_agent->say(Json{{"m", "finding"}, {"trial", "a"}, {"text", "x"}});
    QCOMPARE(finding.size(), limits::mostTrialFindings);
    QVERIFY2(finding.last().at(1).value<core::Message>().contains(u"no more of them"_s),
        qPrintable(finding.last().at(1).value<core::Message>()));
    finding.clear();
    for (int i = 0; i < 1'000; ++i)
        m_agent->say(Json{{"m", "finding"}, {"trial", ""}, {"text", "x"}});
    QCOMPARE(finding.size(), limits::mostMachineFindings);
    // A new link gives no new room.
    m_agent->die();
    m_clock->advance(100);
    QTRY_VERIFY(m_client->isUp());
    finding.clear();
    m_agent->say(Json{{"m", "finding"}, {"trial", "a"}, {"text", "x"}});
    m_agent->say(Json{{"m", "finding"}, {"trial", ""}, {"text", "x"}});
    QCOMPARE(finding.size(), 0);
}

void TestAgentLimits::events()
{
    m_agent->helloTrials = Json::array({Json{{"id", "a"}, {"state", "running"}}});
    const auto adopted = watch(m_client->adopt({{u"a"_s, {}}}));
    open();
    QSignalSpy event(m_client.get(), &AgentClient::trialEvent);
    for (int i = 0; i < 3 * limits::mostEvents; ++i)
        m_agent->say(Json{{"m", "event"}, {"trial", "a"}, {"next", i}, {"type", "running"}, {"pid", 1}});
    QCOMPARE(event.size(), limits::mostEvents);
    m_agent->say(Json{{"m", "event"}, {"trial", "a"}, {"next", 1}, {"type", "exited"}, {"final", true}});
    QCOMPARE(event.size(), limits::mostEvents + 1);
    QVERIFY(!m_client->watches(u"a"_s));
}

void TestAgentLimits::files()
{
    open();
    const auto list = watch(m_client->list(u"a"_s, {}, 10'000));
    Json entries = Json::array({Json{{"path", QString(limits::pathChars + 1, u'p')}, {"size", 1}}});
    for (unsigned i = 0; i < 2 * trialkeeper::maxListEntries; ++i)
        entries.push_back(Json{{"path", u"output/%1"_s.arg(i)}, {"size", 1}, {"mtime", 1}, {"type", "file"}});
    m_agent->say(Json{{"m", "files"}, {"req", asked("list")}, {"entries", entries}});
    QVERIFY(*list && **list);
    QCOMPARE((**list)->files.size(), qsizetype(trialkeeper::maxListEntries));
    QCOMPARE((**list)->files[0].path.size(), limits::pathChars);
    QCOMPARE((**list)->files[0].message, u"Its path is too long."_s);
    QCOMPARE((**list)->files[1].path, u"output/0"_s);
}

void TestAgentLimits::order_data()
{
    QTest::addColumn<int>("second");
    QTest::newRow("twice") << 1;
    QTest::newRow("one is missing") << 3;
}

/// Records that come twice, or before others, do not count: the next link begins behind those that came well.
void TestAgentLimits::order()
{
    QFETCH(int, second);
    m_agent->helloTrials = Json::array({Json{{"id", "a"}, {"state", "running"}}});
    const auto adopted = watch(m_client->adopt({{u"a"_s, {}}}));
    open();
    QSignalSpy records(m_client.get(), &AgentClient::records);
    Json message{
        {"m", "records"}, {"trial", "a"}, {"stream", "nni"}, {"offset", 0}, {"next", 5}, {"time", 9}, {"seq", 1}};
    m_agent->say(message, "12345");
    message["seq"] = second;
    m_agent->say(message, "67890");
    QCOMPARE(records.size(), 1);
    QVERIFY(!m_client->isUp());
    m_clock->advance(100);
    QTRY_VERIFY(m_client->isUp());
    const Json hello = m_agent->messages("hello").last().json;
    QCOMPARE(hello["trials"][0]["cursors"]["nni"].get<int>(), 5);
    message["seq"] = 1; // they are counted anew
    message["offset"] = 5;
    m_agent->say(message, "67890");
    QCOMPARE(records.size(), 2);
    QVERIFY(m_client->isUp());
}

void TestAgentLimits::partsThatDoNotFollow()
{
    open();
    const auto read = watch(m_client->read(u"a"_s, u"stdout"_s, 10, 100, false));
    const Json first = asked("read");
    Json part{{"m", "data"}, {"req", first}, {"offset", 13}, {"size", 16}, {"eof", false}};
    m_agent->say(part, "def");
    QVERIFY(!m_client->isUp());
    m_clock->advance(100);
    QTRY_COMPARE(m_agent->messages("read").size(), 2);
    part["offset"] = 10;
    m_agent->say(part, "abc");
    part["eof"] = true;
    m_agent->say(part, "abc");
    QVERIFY(!*read);
    m_clock->advance(1'000);
    QTRY_COMPARE(m_agent->messages("read").size(), 3);
    part["eof"] = false;
    m_agent->say(part, "abc");
    part["offset"] = 13;
    part["eof"] = true;
    m_agent->say(part, "def");
    QVERIFY(*read && **read);
    QCOMPARE((**read)->offset, 10);
    QCOMPARE((**read)->bytes, QByteArray("abcdef"));
}

void TestAgentLimits::data_data()
{
    QTest::addColumn<bool>("follow");
    QTest::newRow("read") << false;
    QTest::newRow("followed") << true;
}

void TestAgentLimits::data()
{
    QFETCH(bool, follow);
    open();
    const auto read = watch(m_client->read(u"a"_s, u"stdout"_s, 0, 100, follow));
    const Json req = asked("read");
    const QByteArray part(trialkeeper::maxRaw, 'x');
    for (qsizetype at = 0; at < 20 * part.size(); at += part.size())
        m_agent->say(Json{{"m", "data"}, {"req", req}, {"offset", at}, {"size", 1}, {"eof", false}}, part);
    QVERIFY(*read && **read);
    QCOMPARE((**read)->bytes.size(), 100);
    QCOMPARE((**read)->offset, 0);
    QTRY_COMPARE(m_agent->messages("readStop").size(), 1);
}

void TestAgentLimits::doctor()
{
    open();
    QList<Json> steps;
    const auto examined = watch(m_client->doctor([&steps](const Json& step) { steps.append(step); }));
    const Json req = asked("doctor");
    for (int i = 0; i < 3 * limits::mostDoctorSteps; ++i)
        m_agent->say(Json{{"m", "finding"}, {"req", req}, {"id", "x"}, {"title", "t"}, {"state", "ok"}});
    QCOMPARE(steps.size(), limits::mostDoctorSteps + 1);
    QCOMPARE(steps.last()["state"].get<QString>(), u"warn"_s);
    QVERIFY(*examined && **examined);
}

void TestAgentLimits::errors_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("failed") << u"failed"_s;
    QTest::newRow("readFailed") << u"readFailed"_s;
}

void TestAgentLimits::errors()
{
    QFETCH(QString, name);
    open();
    const auto read = watch(m_client->read(u"a"_s, u"stdout"_s, 0, 100, false));
    m_agent->say(Json{{"m", name}, {"req", asked("read")}, {"re", "read"}, {"kind", "not_found"},
        {"message", u"\u001bone\ntwo"_s + QString(900'000, u'x')}});
    QVERIFY(*read && !**read);
    QCOMPARE((*read)->error().kind, core::Kind::not_found);
    QCOMPARE((*read)->error().message.size(), limits::messageChars);
    QVERIFY((*read)->error().message.startsWith(u"one\ntwo"_s));
}

void TestAgentLimits::removed()
{
    open();
    const auto removing = watch(m_client->removeCode({u"abc"_s}));
    Json failed = Json::array();
    for (int i = 0; i < 3; ++i)
        failed.push_back(Json{{"id", QString(10'000, u'i')}, {"message", QString(300'000, u'x')}});
    m_agent->say(Json{{"m", "removed"}, {"req", asked("removeCode")}, {"failed", failed}});
    QVERIFY(*removing && !**removing);
    QVERIFY((*removing)->error().message.size() < limits::messageChars + 100);
    QCOMPARE((*removing)->error().detail.size(), limits::idChars);
}

void TestAgentLimits::started()
{
    open();
    const auto start = watch(m_client->startTrial(u"a"_s, R"({"id":"a"})"));
    QTRY_COMPARE(m_agent->messages("start").size(), 1);
    m_agent->say(Json{{"m", "started"},
        {"results",
            Json::array({Json{{"trial", "a"}, {"kind", "resource"}, {"message", QString(300'000, u'x')},
                {"detail", QString(300'000, u'y')}}})}});
    QVERIFY(*start && (*start)->error);
    QCOMPARE((*start)->error->message.size(), limits::messageChars);
    QCOMPARE((*start)->error->detail.size(), limits::messageChars);
}

/// An agent that claims to have more than it was sent does not get all of the code into our queue at once.
void TestAgentLimits::acknowledgedBytes()
{
    RecordedWire wire;
    AgentUploads uploads(wire);
    constexpr qint64 size = 16 * 1024 * 1024;
    qint64 progress = 0;
    std::optional<Result<>> result;
    const auto follow = [](AgentUploads* to, std::optional<Result<>>* into, AgentUploads::Progress told) -> Task<> {
        AgentUploads::Source source = [](qint64, qint64 wanted) -> Task<Result<QByteArray>> {
            co_return QByteArray(wanted, 'x');
        };
        const QString sha = u"abc"_s;
        *into = co_await to->put(sha, size, source, told);
    };
    follow(&uploads, &result, [&progress](qint64 bytes) { progress = bytes; });
    uploads.answer(u"has"_s, {{"sha", "abc"}, {"present", false}});
    QTRY_COMPARE(wire.rawBytes, qint64(trialkeeper::putWindow));
    uploads.answer(u"putAck"_s, {{"sha", "abc"}, {"offset", qint64(1) << 50}});
    QCoreApplication::processEvents();
    QCOMPARE(wire.rawBytes, 2 * qint64(trialkeeper::putWindow));
    QCOMPARE(progress, qint64(trialkeeper::putWindow));
    uploads.drop(Error{Kind::network, u"The end."_s, {}})();
    QVERIFY(result && !*result);
}

QTEST_GUILESS_MAIN(TestAgentLimits)
#include "tst_agent_limits.moc"
