// SPDX-License-Identifier: GPL-3.0-or-later
// What an agent may send, a line a message, to a service that has a question of each kind open: kept within agent_limits.h, and made
// into facts. The machine may be anybody's.
#include "fuzz_driver.h"

#include "services/core/record_json.h"
#include "services/platforms/hosts/agent_facts.h"
#include "services/platforms/keeper/keeper_events.h"
#include "services/transport/agent_client.h"
#include "services/transport/agent_limits.h"
#include "tests/fakes/fake_agent_link.h"
#include "tests/fakes/fake_clock.h"

#include <QCoreApplication>
#include <QCoroTask>

using namespace Qt::StringLiterals;
using namespace transport;

namespace {

/// How many questions were asked, and how many came to an end.
struct Questions
{
    int asked = 0;
    int ended = 0;
};

template <typename T, typename Look>
core::Task<> ask(core::Task<T> question, Questions* questions, Look look)
{
    ++questions->asked;
    const T answer = co_await question;
    look(answer);
    ++questions->ended;
}

bool isLine(const QString& text, qsizetype most)
{
    return text.size() <= most && std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= 0x20; });
}

void checkFacts(core::Machine& machine, const core::Json& message, const QByteArray& raw)
{
    if (const auto seen = platforms::observationOf(core::TrialId(u"t1"_s), message)) {
        require(seen->reason.size() <= limits::messageChars, "a reason is within its limit");
        require(isLine(seen->failureClass.word(), limits::wordChars), "a failure class is a word");
        require(!core::isFinal(seen->status) || seen->endTime, "an end has its time");
    }
    (void)platforms::applyLoad(machine, message);
    require(!platforms::applyLoad(machine, message), "the same load is no change");
    require(machine.cpuCount >= 0 && machine.cpuCount <= limits::mostCpus, "a machine has so many cores");
    (void)platforms::applyGpus(machine, message, raw);
    require(!platforms::applyGpus(machine, message, raw), "the same table is no change");
    require(machine.gpus.size() <= limits::mostGpus, "a machine has so many GPUs");
    const auto read = core::machineFromJson(core::toJson(machine));
    require(read && read->gpus.size() == machine.gpus.size(), "a machine can be told to clients");
}

} // namespace

void fuzzOne(std::string_view data)
{
    static int argc = 1;
    static char name[] = "fuzz";
    static char* argv[] = {name, nullptr};
    static const QCoreApplication application(argc, argv);
    static const auto quiet = qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    (void)quiet;

    const auto agent = std::make_shared<fakes::FakeAgent>();
    fakes::FakeClock clock;
    auto client = std::make_unique<AgentClient>(&clock, agent->factory(), u"svc"_s, u"box"_s, 1'000);
    core::Machine machine;
    int events = 0;
    int findings = 0;
    QObject::connect(client.get(), &AgentClient::trialEvent, [&](const QString& trial, const core::Json& event) {
        require(trial == u"t1" || trial == u"t2" || trial == u"t3", "an event is of a trial that is watched");
        require(++events <= 4 * limits::mostEvents, "events are counted");
        checkFacts(machine, event, {});
    });
    QObject::connect(client.get(), &AgentClient::records, [](const AgentRecords& records) {
        require(records.trial == u"t1" || records.trial == u"t2" || records.trial == u"t3",
            "records are of a trial that is watched");
    });
    QObject::connect(client.get(), &AgentClient::finding, [&](const QString& trial, const QString& text) {
        require(isLine(trial, limits::idChars) && isLine(text, limits::findingChars + 1), "a finding is a line");
        require(++findings <= 4 * limits::mostTrialFindings, "findings are counted");
    });
    QObject::connect(client.get(), &AgentClient::load, [&](const core::Json& load) { checkFacts(machine, load, {}); });
    QObject::connect(client.get(), &AgentClient::gpu, [&](const core::Json& gpu, const QByteArray& xml) {
        require(xml.size() <= limits::gpuTableBytes, "a table is within its limit");
        checkFacts(machine, gpu, xml);
    });
    QObject::connect(client.get(), &AgentClient::up, [](const AgentHello& hello) {
        require(isLine(hello.hostname, limits::nameChars) && isLine(hello.user, limits::nameChars)
                && isLine(hello.base, limits::pathChars),
            "a hello's names are lines");
        require(hello.trials.size() <= limits::mostStrangers + 3, "a hello names so many trials");
    });

    Questions questions;
    const auto nothing = [](const auto&) {};
    client->start();
    for (int i = 0; i < 8 && !client->isUp(); ++i)
        QCoreApplication::processEvents();
    require(client->isUp(), "the client is connected");
    const QHash<QString, AgentCursors> known{{u"t1"_s, {1, 2, 3, 4}}, {u"t2"_s, {}}};
    agent->script = [](const QString&, const core::Json&, const QByteArray&) { return true; }; // answers nothing itself
    ask(client->adopt(known), &questions, nothing);
    ask(client->startTrial(u"t3"_s, "{\"id\":\"t3\"}"), &questions, nothing);
    ask(client->cancel({u"t1"_s}, u"user"_s, 5'000), &questions, nothing);
    ask(client->sendParameter(u"t1"_s, 1, "{}"), &questions, nothing);
    ask(client->read(u"t1"_s, u"stdout"_s, 0, 100, true), &questions, [](const Result<AgentData>& part) {
        require(!part || part->bytes.size() <= 100, "no more is read than was asked for");
    });
    ask(client->list(u"t1"_s, {}, 100), &questions, [](const Result<AgentFiles>& files) {
        require(!files || files->files.size() <= qsizetype(trialkeeper::maxListEntries), "a list has a page's entries");
    });
    const AgentClient::Source source = [](qint64, qint64 size) -> core::Task<core::Result<QByteArray>> {
        co_return QByteArray(size, 'x');
    };
    ask(client->put(QString(64, u'a'), 10, source), &questions, nothing);
    ask(client->doctor([](const core::Json&) {}), &questions, nothing);
    ask(client->remove({u"t2"_s}), &questions, nothing);
    QCoreApplication::processEvents();

    // A line is a message; what stands behind a tab in it is its raw part.
    int lines = 0;
    for (size_t at = 0; at < data.size() && lines < 200; ++lines) {
        const size_t end = std::min(data.find('\n', at), data.size());
        const std::string_view line = data.substr(at, end - at);
        const size_t tab = std::min(line.find('\t'), line.size());
        const QByteArray raw(line.data() + tab, qsizetype(line.size() - tab));
        agent->sayRaw(QByteArray(line.data(), qsizetype(tab)), raw.mid(1));
        if (!agent->connected()) {
            clock.advance(5'000); // until it is connected anew
            QCoreApplication::processEvents();
        }
        at = end + 1;
    }
    QCoreApplication::processEvents();
    agent->script = {};
    QCoro::waitFor(client->close());
    client.reset();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
    require(questions.ended == questions.asked, "each question comes to an end");
}
