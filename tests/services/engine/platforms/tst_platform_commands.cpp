// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that meet while one of them waits for its platform, over a platform whose calls the test holds.
#include "tests/services/engine/engine_fixture.h"

#include <QFile>
#include <QPointer>
#include <QTimer>

using namespace core;
using fakes::FakePlatform;

namespace {

/// An engine with platforms of kind `lab`; each object that the engine makes of it is kept here, oldest first.
class Labs
{
public:
    Labs()
    {
        f.addKinds = [this](platforms::PlatformRegistry& kinds) {
            kinds.add([this] {
                auto platform = std::make_unique<FakePlatform>(f.world);
                platform->kind = u"lab"_s;
                platform->fields = {platforms::Field{.name = u"size"_s, .type = u"integer"_s}};
                platform->holdOpens = holdOpens;
                platform->holdCloses = holdCloses;
                platform->onCanReconfigure = onCanReconfigure;
                made.append(platform.get());
                return platform;
            });
            kinds.add([this] {
                auto platform = std::make_unique<FakePlatform>(f.world);
                platform->kind = u"passer"_s;
                return platform;
            });
        };
        f.restart();
        made.clear(); // the one that only described its kind
    }

    struct Asked
    {
        std::optional<Result<api::Reply>> reply;
        int order = 0; ///< 1: the first that was answered
        [[nodiscard]] bool ok() const { return reply && reply->has_value(); }
    };
    /// Does not wait for the answer.
    std::shared_ptr<Asked> ask(api::Command command)
    {
        auto asked = std::make_shared<Asked>();
        f.engine->execute(std::move(command), [this, asked](Result<api::Reply> reply) {
            asked->reply = std::move(reply);
            asked->order = ++m_answered;
        });
        return asked;
    }
    static api::PutPlatform put(int size, const QString& id = u"a"_s)
    {
        return {PlatformId(id), u"lab"_s, Json{{"size", size}}, std::nullopt};
    }
    static api::DeletePlatform remove(const QString& id = u"a"_s) { return {PlatformId(id)}; }
    [[nodiscard]] PlatformPtr record(const QString& id = u"a"_s) const
    {
        return f.engine->state().platforms.value(PlatformId(id));
    }
    [[nodiscard]] bool isReady(const QString& id = u"a"_s) const
    {
        return record(id) && record(id)->state == PlatformState::ready;
    }
    [[nodiscard]] Json file(const QString& id = u"a"_s) const
    {
        QFile file(f.folder.path() + u"/config/platforms/%1.json"_s.arg(id));
        return file.open(QIODevice::ReadOnly) ? *parseJson(file.readAll()) : Json();
    }
    /// Returns after another platform was made, opened, closed and removed: what was asked for earlier and waits for nothing that is
    /// held has been answered by then.
    void settle()
    {
        const PlatformId id(u"passer"_s);
        const auto opened = ask(api::PutPlatform{id, u"passer"_s, Json::object(), std::nullopt});
        QTRY_VERIFY(opened->ok() && isReady(id.value));
        const auto removed = ask(api::DeletePlatform{id});
        QTRY_VERIFY(removed->ok());
        m_answered -= 2;
    }

    EngineFixture f;
    QList<QPointer<FakePlatform>> made;
    bool holdOpens = false;
    bool holdCloses = false;
    std::function<Result<bool>(const Json&)> onCanReconfigure;

private:
    int m_answered = 0;
};

} // namespace

class TestPlatformCommands : public QObject
{
    Q_OBJECT

private slots:
    void deleteWhilePutCloses();
    void deleteWhileItOpens();
    void putWhilePutCloses();
    void putWhileItOpens();
    void anotherPlatformDoesNotWait();
    void checkWhilePutCloses();
    void deleteWhileItIsExamined();
    void engineEndsWhilePutCloses();
    void engineEndsWhileItOpens();
    void settingsChangeInPlace();
    void refusedSettingsChangeNothing();
    void outcomeOfAnEarlierPlacing();
    void metadataGoesWithItsPlatform();
    void settingsFilesOfAnyShape_data();
    void settingsFilesOfAnyShape();
};

void TestPlatformCommands::deleteWhilePutCloses()
{
    Labs labs;
    labs.holdCloses = true;
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok() && labs.isReady());
    const auto second = labs.ask(Labs::put(2));
    QTRY_VERIFY(labs.made[0]->calls.contains(u"close"_s));
    const auto removed = labs.ask(Labs::remove());
    labs.settle();
    QVERIFY(!second->reply && !removed->reply);
    labs.holdCloses = false;
    labs.made[0]->releaseCloses();
    QTRY_VERIFY(labs.made.size() >= 2);
    if (labs.made.last())
        labs.made.last()->holdCloses = false;
    QTRY_VERIFY(second->ok() && removed->ok());
    QCOMPARE(second->order, 2);
    QCOMPARE(removed->order, 3);
    QVERIFY(!labs.record());
    QVERIFY(labs.file().is_null());
}

void TestPlatformCommands::deleteWhileItOpens()
{
    Labs labs;
    labs.holdOpens = true;
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok());
    QVERIFY(!labs.isReady());
    const auto removed = labs.ask(Labs::remove());
    QTRY_VERIFY(removed->ok());
    QVERIFY(!labs.record());
    QTRY_VERIFY(!labs.made[0]);
}

void TestPlatformCommands::putWhilePutCloses()
{
    Labs labs;
    labs.holdCloses = true;
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok() && labs.isReady());
    const auto second = labs.ask(Labs::put(2));
    const auto third = labs.ask(Labs::put(3));
    api::PutPlatform stale = Labs::put(4);
    stale.ifMatch = 2; // true of the second alone
    const auto fourth = labs.ask(stale);
    labs.settle();
    QVERIFY(!second->reply && !third->reply && !fourth->reply);
    labs.holdCloses = false;
    for (int i = 0; i < 2; ++i) {
        QTRY_VERIFY(labs.made.size() > i && labs.made[i]);
        labs.made[i]->holdCloses = false;
        labs.made[i]->releaseCloses();
    }
    QTRY_VERIFY(third->ok() && fourth->reply);
    QVERIFY(second->order < third->order && third->order < fourth->order);
    QVERIFY(!fourth->ok());
    QCOMPARE(fourth->reply->error().kind, Kind::conflict);
    QTRY_VERIFY(labs.isReady());
    QCOMPARE(labs.record()->version, 3);
    QCOMPARE(labs.record()->settings["size"].get<int>(), 3);
    QCOMPARE(labs.file()["settings"]["size"].get<int>(), 3);
    QCOMPARE(labs.file()["version"].get<int>(), 3);
}

void TestPlatformCommands::metadataGoesWithItsPlatform()
{
    Labs labs;
    const PlatformId id(u"a"_s);
    const auto value = [&] {
        const auto asked = labs.ask(api::GetMetadata{id, u"trial_config"_s});
        return QTest::qWaitFor([&] { return asked->reply.has_value(); }) && asked->ok() ? (*asked->reply)->bytes
                                                                                        : QByteArray();
    };
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok());
    const auto set = labs.ask(api::SetMetadata{id, u"trial_config"_s, Json{{"command", "true"}}});
    QTRY_VERIFY(set->ok());
    labs.f.restart();
    QCOMPARE(value(), QByteArray("{\"command\":\"true\"}"));
    const auto removed = labs.ask(Labs::remove());
    QTRY_VERIFY(removed->ok());
    const auto another = labs.ask(Labs::put(2));
    QTRY_VERIFY(another->ok());
    QCOMPARE(value(), QByteArray());
    labs.f.restart();
    QCOMPARE(value(), QByteArray());
}

void TestPlatformCommands::putWhileItOpens()
{
    Labs labs;
    labs.holdOpens = true;
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok());
    labs.holdOpens = false;
    const auto second = labs.ask(Labs::put(2));
    QTRY_VERIFY(second->ok() && labs.isReady());
    // What became of the first opening is not the second's state.
    labs.settle();
    QVERIFY(labs.isReady());
    QCOMPARE(labs.record()->settings["size"].get<int>(), 2);
    QVERIFY(!labs.made[0]);
}

void TestPlatformCommands::anotherPlatformDoesNotWait()
{
    Labs labs;
    labs.holdCloses = true;
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok() && labs.isReady());
    labs.holdCloses = false;
    const auto second = labs.ask(Labs::put(2));
    const auto other = labs.ask(Labs::put(1, u"b"_s));
    QTRY_VERIFY(other->ok() && labs.isReady(u"b"_s));
    QVERIFY(!second->reply);
    const auto gone = labs.ask(Labs::remove(u"b"_s));
    QTRY_VERIFY(gone->ok());
    QVERIFY(!second->reply);
    labs.made[0]->releaseCloses();
    QTRY_VERIFY(second->ok());
}

void TestPlatformCommands::checkWhilePutCloses()
{
    Labs labs;
    labs.holdCloses = true;
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok() && labs.isReady());
    labs.holdCloses = false;
    const auto second = labs.ask(Labs::put(2));
    api::CheckPlatform look;
    look.id = PlatformId(u"a"_s);
    look.testTrial = false;
    const auto checked = labs.ask(look);
    labs.settle();
    QVERIFY(!checked->reply);
    labs.made[0]->releaseCloses();
    // It was asked for after the change, and is of what the change made.
    QTRY_VERIFY(second->ok() && checked->ok());
    QVERIFY(second->order < checked->order);
    QTRY_VERIFY(labs.made.last() && labs.made.last()->calls.contains(u"look"_s));
}

void TestPlatformCommands::deleteWhileItIsExamined()
{
    Labs labs;
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok() && labs.isReady());
    labs.made[0]->holdChecks = true;
    labs.made[0]->checkSteps = {CheckStep{u"agent"_s, u"Agent"_s, CheckState::ok, {}, {}, {}}};
    api::CheckPlatform look;
    look.id = PlatformId(u"a"_s);
    look.testTrial = false;
    const auto checked = labs.ask(look);
    QTRY_VERIFY(checked->ok());
    const OperationId operation((*checked->reply)->document["requestId"].get<QString>());
    const auto removed = labs.ask(Labs::remove());
    QTRY_VERIFY(removed->ok());
    // What is under way keeps the platform until it is done.
    QVERIFY(labs.made[0]);
    labs.made[0]->releaseChecks();
    QTRY_VERIFY(!labs.made[0]);
    QVERIFY(labs.f.engine->state().requests.value(operation)->state == OperationState::succeeded);
    QVERIFY(!labs.record());
}

void TestPlatformCommands::engineEndsWhilePutCloses()
{
    Labs labs;
    labs.holdCloses = true;
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok() && labs.isReady());
    labs.holdCloses = false;
    const auto second = labs.ask(Labs::put(2));
    QTRY_VERIFY(labs.made[0]->calls.contains(u"close"_s));
    const auto third = labs.ask(Labs::put(3));
    labs.settle();
    QTimer::singleShot(50, labs.made[0], [held = labs.made[0]] { held->releaseCloses(); });
    labs.f.stop();
    // The one that was under way is kept, the one that waited is refused, and nothing was opened any more.
    QVERIFY(second->ok());
    QVERIFY(third->reply && !third->ok());
    QCOMPARE(third->reply->error().kind, Kind::cancelled);
    QCOMPARE(labs.file()["settings"]["size"].get<int>(), 2);
    QCOMPARE(labs.made.size(), 1);
}

void TestPlatformCommands::engineEndsWhileItOpens()
{
    Labs labs;
    labs.holdOpens = true;
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok());
    labs.f.stop();
    QCOMPARE(labs.file()["settings"]["size"].get<int>(), 1);
    labs.holdOpens = false;
    labs.f.start();
    QTRY_VERIFY(labs.isReady());
}

void TestPlatformCommands::settingsChangeInPlace()
{
    Labs labs;
    QList<Json> asked;
    labs.onCanReconfigure = [&asked](const Json& settings) -> Result<bool> {
        asked.append(settings);
        return true;
    };
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok() && labs.isReady());
    QVERIFY(asked.isEmpty());
    const auto second = labs.ask(Labs::put(2));
    const auto third = labs.ask(Labs::put(3));
    QTRY_VERIFY(second->ok() && third->ok());
    QCOMPARE(labs.made.size(), 1);
    QCOMPARE(labs.made[0]->calls, (QStringList{u"open"_s, u"reconfigure"_s, u"reconfigure"_s}));
    QVERIFY(labs.isReady());
    QCOMPARE(labs.record()->version, 3);
    QCOMPARE(labs.file()["settings"]["size"].get<int>(), 3);
    QCOMPARE(asked.size(), 2);
    QCOMPARE(asked.last()["size"].get<int>(), 3);
}

void TestPlatformCommands::refusedSettingsChangeNothing()
{
    Labs labs;
    labs.onCanReconfigure = [](const Json&) -> Result<bool> { return fail(Kind::invalid, u"No such size."_s); };
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok() && labs.isReady());
    const auto second = labs.ask(Labs::put(2));
    QTRY_VERIFY(second->reply);
    QVERIFY(!second->ok());
    QCOMPARE(second->reply->error().message, u"No such size."_s);
    QVERIFY(labs.isReady());
    QCOMPARE(labs.record()->version, 1);
    QCOMPARE(labs.record()->settings["size"].get<int>(), 1);
    QCOMPARE(labs.file()["version"].get<int>(), 1);
    QCOMPARE(labs.made[0]->calls, QStringList{u"open"_s});
}

void TestPlatformCommands::outcomeOfAnEarlierPlacing()
{
    Labs labs;
    labs.onCanReconfigure = [](const Json&) -> Result<bool> { return true; };
    const auto first = labs.ask(Labs::put(1));
    QTRY_VERIFY(first->ok() && labs.isReady());
    Machine machine;
    machine.id = MachineId(u"a.one"_s);
    machine.platformId = PlatformId(u"a"_s);
    machine.state = MachineState::ready;
    FakePlatform& fake = *labs.made[0];
    fake.setMachines({machine});
    fake.interrupts = {machine.id};
    fake.holdSubmits = true;
    int submits = 0;
    fake.onSubmit = [&](const platforms::TrialSpec& spec) -> std::optional<platforms::SubmitOutcome> {
        if (++submits > 1)
            return std::nullopt;
        return platforms::SubmitOutcome{spec.id, {}, Error{Kind::cancelled, u"Its machine was removed."_s, {}}, false};
    };
    const ExperimentId e = labs.f.create([](ExperimentSpec& spec) { spec.platformId = PlatformId(u"a"_s); });
    const QList<TrialId> ids = labs.f.submit(e, 1);
    QTRY_COMPARE(submits, 1);
    // Its machine goes while the submit has not answered: it waits again at once, and is placed anew.
    const auto second = labs.ask(Labs::put(2));
    QTRY_VERIFY(second->ok());
    QTRY_COMPARE(submits, 2);
    fake.holdSubmits = false;
    fake.releaseSubmits();
    QTRY_COMPARE(labs.f.status(ids[0]), TrialStatus::running);
    labs.settle();
    QCOMPARE(submits, 2);
    QCOMPARE(fake.trial(ids[0])->starts, 1);
    QCOMPARE(labs.f.status(ids[0]), TrialStatus::running);
}

/// A file that was written by hand: its platform fails with a sentence, the others open.
void TestPlatformCommands::settingsFilesOfAnyShape_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("not JSON") << QByteArray("kind: lab");
    QTest::newRow("a list") << QByteArray("[]");
    QTest::newRow("no kind") << QByteArray("{}");
    QTest::newRow("a kind that is a number") << QByteArray(R"({"kind": 3, "settings": {}})");
    QTest::newRow("a version that is a text")
        << QByteArray(R"({"kind": "lab", "version": "2", "settings": {"size": 1}})");
    QTest::newRow("settings that are a list") << QByteArray(R"({"kind": "lab", "settings": [1]})");
    QTest::newRow("settings that are null") << QByteArray(R"({"kind": "lab", "settings": null})");
}

void TestPlatformCommands::settingsFilesOfAnyShape()
{
    QFETCH(QByteArray, text);
    Labs labs;
    const auto made = labs.ask(Labs::put(1));
    QTRY_VERIFY(made->ok() && labs.isReady());
    QFile file(labs.f.folder.path() + u"/config/platforms/b.json"_s);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    labs.f.restart();
    QTRY_VERIFY(labs.isReady());
    QTRY_VERIFY(labs.record(u"b"_s) && labs.record(u"b"_s)->state == PlatformState::failed);
    QVERIFY2(labs.record(u"b"_s)->message.contains(u"b.json"_s), qPrintable(labs.record(u"b"_s)->message));
}

QTEST_GUILESS_MAIN(TestPlatformCommands)
#include "tst_platform_commands.moc"
