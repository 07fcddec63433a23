// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to a platform beside its commands: it cannot be opened for a while, renews its own secrets, and would mean another cluster.
#include "services/engine/platforms/open_retries.h"
#include "services/secrets/file_secrets.h"
#include "tests/fakes/fake_clock.h"
#include "tests/services/engine/engine_fixture.h"

using namespace core;
using fakes::FakePlatform;

class TestPlatformLives : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup()
    {
        m->f.stop(); // before what it uses
        m.reset();
    }
    void retriesComeLaterAndLater();
    void aFailedOpenIsRepeated();
    void aPersonTriesAgain();
    void whatOnlyAPersonCanMendIsLeft();
    void aRenewedSecretIsKept();
    void choicesGetTheSavedSecrets();
    void anotherHostGetsNoSavedSecret();
    void anotherClusterNeedsForce();
    void optionsOfAnExperiment();

private:
    struct Bench
    {
        fakes::FakeClock clock;
        EngineFixture f{clock};
        secrets::FileSecrets secrets{f.folder.filePath(u"secrets.json"_s)};
        std::optional<Error> openError;
        QList<QPointer<FakePlatform>> made;
        [[nodiscard]] FakePlatform* fake() const { return made.last(); }
    };
    bool comes(const std::function<bool()>& condition, qint64 stepMs = 20)
    {
        return QTest::qWaitFor(
            [&] {
                if (condition())
                    return true;
                m->clock.advance(stepMs);
                return condition();
            },
            30'000);
    }
    Result<api::Reply> ask(api::Command command)
    {
        std::optional<Result<api::Reply>> reply;
        m->f.engine->execute(std::move(command), [&](Result<api::Reply> r) { reply = std::move(r); });
        if (!comes([&] { return reply.has_value(); }))
            return fail(Kind::timeout, u"no answer"_s);
        return std::move(*reply);
    }
    Result<api::Reply> put(const Json& settings, bool force = false)
    {
        return ask(api::PutPlatform{id, u"lab"_s, settings, std::nullopt, force});
    }
    Result<api::Reply> create(const Json& options, const QString& command = u"true"_s)
    {
        api::CreateExperiment create;
        create.spec.name = u"x"_s;
        create.spec.platformId = id;
        create.spec.trialCommand = command;
        create.spec.platformOptions = options;
        return ask(create);
    }
    [[nodiscard]] PlatformPtr record() const { return m->f.engine->state().platforms.value(id); }
    [[nodiscard]] bool is(PlatformState state) const { return record() && record()->state == state; }

    const PlatformId id{u"a"_s};
    std::unique_ptr<Bench> m;
};

void TestPlatformLives::init()
{
    m = std::make_unique<Bench>();
    m->f.addKinds = [this](platforms::PlatformRegistry& kinds) {
        kinds.add([this] {
            using platforms::Field;
            auto platform = std::make_unique<FakePlatform>(m->f.world);
            platform->kind = u"lab"_s;
            platform->capabilities = {true, false, false, false, true, true};
            platform->fields = {Field{.name = u"host"_s, .type = u"string"_s, .required = true, .namesCluster = true},
                Field{.name = u"note"_s, .type = u"string"_s},
                Field{.name = u"token"_s, .type = u"string"_s, .secret = true, .sentTo = {u"host"_s}}};
            platform->experimentFields = {Field{.name = u"image"_s, .type = u"string"_s, .required = true},
                Field{.name = u"cpus"_s, .type = u"integer"_s, .defaultValue = 2}};
            platform->ownRoles = true;
            platform->optionRules = [](const Json& options) -> Result<> {
                if (options.value("cpus", 0) > 64)
                    return fail(Kind::invalid, u"cpus: as many as 64."_s);
                return {};
            };
            platform->openError = m->openError;
            m->made.append(platform.get());
            return platform;
        });
    };
    m->f.secretStore = &m->secrets;
    m->f.restart();
}

void TestPlatformLives::retriesComeLaterAndLater()
{
    engine::OpenRetries retries;
    for (const qint64 delay : {5'000, 10'000, 20'000, 40'000, 80'000, 160'000, 300'000, 300'000})
        QCOMPARE(retries.failed(id, Kind::network, 0.5), delay);
    QCOMPARE(retries.failed(id, Kind::network, 0), 240'000);
    QCOMPARE(retries.failed(id, Kind::network, 0.999), 300'000);
    QCOMPARE(retries.failed(PlatformId(u"b"_s), Kind::auth, 0.999), qint64(5'000 * (0.8 + 0.4 * 0.999)));
    QCOMPARE(retries.failed(PlatformId(u"c"_s), Kind::auth, 0), 5'000);
    retries.over(id);
    QCOMPARE(retries.failed(id, Kind::network, 0.5), 5'000);
    QVERIFY(!retries.failed(id, Kind::invalid, 0.5));
    QVERIFY(!retries.failed(id, Kind::cancelled, 0.5));
    QCOMPARE(retries.failed(id, Kind::platform, 0.5), 5'000);
}

void TestPlatformLives::aFailedOpenIsRepeated()
{
    QVERIFY(put({{"host", "h"}}));
    QVERIFY(comes([&] { return is(PlatformState::ready); }));
    const auto created = create({{"image", "x"}});
    QVERIFY(created);
    api::SubmitTrials submit;
    submit.experiment = ExperimentId(created->document["id"].get<QString>());
    submit.trials = {api::TrialSubmission{.parameters = "{}"}};
    const auto submitted = ask(submit);
    QVERIFY(submitted);
    const TrialId trial(submitted->document["trials"][0]["id"].get<QString>());
    QVERIFY(comes([&] { return m->f.status(trial) == TrialStatus::running; }));
    m->f.stop();
    m->made.clear();
    m->openError = Error{Kind::network, u"h does not answer."_s, {}};
    m->f.start();
    const qsizetype described = 1; // the registry's own
    QVERIFY(comes([&] { return is(PlatformState::failed); }));
    QCOMPARE(record()->message.text(), u"h does not answer."_s);
    QVERIFY(record()->retryTime);
    const qint64 left = *record()->retryTime - m->clock.nowMs();
    QVERIFY2(left > 0 && left <= 6'000, qPrintable(QString::number(left)));
    QCOMPARE(m->made.size(), described + 1);
    m->clock.advance(left - 1);
    QCoreApplication::processEvents();
    QCOMPARE(m->made.size(), described + 1);
    QVERIFY(comes([&] { return m->made.size() == described + 2 && is(PlatformState::failed); }));
    QVERIFY(*record()->retryTime - m->clock.nowMs() >= 7'000);
    QCOMPARE(m->f.status(trial), TrialStatus::running); // silence changes nothing
    m->openError.reset();
    QVERIFY(comes([&] { return is(PlatformState::ready); }, 500));
    QVERIFY(!record()->retryTime);
    QVERIFY(comes([&] { return m->fake()->calls.contains(u"adopt "_s + trial.value); }));
    m->fake()->finish(trial);
    QVERIFY(comes([&] { return m->f.status(trial) == TrialStatus::succeeded; }));
}

void TestPlatformLives::aPersonTriesAgain()
{
    QVERIFY(ask(api::RetryPlatform{PlatformId(u"nowhere"_s)}).error().kind == Kind::not_found);
    m->openError = Error{Kind::network, u"h does not answer."_s, {}};
    QVERIFY(put({{"host", "h"}}));
    QVERIFY(comes([&] { return is(PlatformState::failed); }));
    const qsizetype made = m->made.size();
    QVERIFY(ask(api::RetryPlatform{id}));
    QVERIFY(comes([&] { return m->made.size() == made + 1 && is(PlatformState::failed); }));
    m->openError.reset();
    const auto reply = ask(api::RetryPlatform{id});
    QVERIFY(reply);
    QVERIFY(comes([&] { return is(PlatformState::ready); }));
    const auto open = ask(api::RetryPlatform{id});
    QVERIFY(!open);
    QCOMPARE(open.error().kind, Kind::conflict);
    // The timer of the failure before does not open it once more.
    const qsizetype opened = m->made.size();
    m->clock.advance(600'000);
    QTest::qWait(0);
    QCOMPARE(m->made.size(), opened);
}

void TestPlatformLives::whatOnlyAPersonCanMendIsLeft()
{
    m->openError = Error{Kind::invalid, u"There is no such host."_s, {}};
    QVERIFY(put({{"host", "h"}}));
    QVERIFY(comes([&] { return is(PlatformState::failed); }));
    QVERIFY(!record()->retryTime);
    const qsizetype made = m->made.size();
    for (int i = 0; i < 100; ++i) {
        m->clock.advance(10'000);
        QCoreApplication::processEvents();
    }
    QCOMPARE(m->made.size(), made);
    m->openError.reset();
    QVERIFY(put({{"host", "other"}}));
    QVERIFY(comes([&] { return is(PlatformState::ready); }));
}

void TestPlatformLives::aRenewedSecretIsKept()
{
    QVERIFY(put({{"host", "h"}, {"token", "old"}}));
    QVERIFY(comes([&] { return is(PlatformState::ready); }));
    QCOMPARE(m->fake()->openedWith["token"].get<QString>(), u"old"_s);
    const qsizetype made = m->made.size();
    const qint64 version = record()->version;
    m->fake()->sink()->secret(u"host"_s, u"not a secret"_s); // refused, with a line in the log
    m->fake()->sink()->secret(u"token"_s, u"new"_s);
    const auto keeps = [&](const QString& text) {
        auto reading = m->secrets.read(u"platform/a"_s);
        const auto kept = QCoro::waitFor(std::move(reading));
        return kept && kept->has_value() && (*kept)->contains(text);
    };
    QVERIFY(comes([&] { return keeps(u"new"_s); }));
    QCOMPARE(m->made.size(), made); // it was not opened again
    QCOMPARE(record()->version, version);
    QCOMPARE(dumpJson(record()->settings), QByteArray(R"({"host":"h","token":{"set":true}})"));
    m->f.restart();
    QVERIFY(comes([&] { return is(PlatformState::ready); }));
    QCOMPARE(m->fake()->openedWith["token"].get<QString>(), u"new"_s);
    QCOMPARE(m->fake()->openedWith["host"].get<QString>(), u"h"_s);
}

void TestPlatformLives::choicesGetTheSavedSecrets()
{
    QVERIFY(put({{"host", "h"}, {"token", "very secret"}}));
    QVERIFY(comes([&] { return is(PlatformState::ready); }));
    QVERIFY(ask(api::PlatformChoices{u"lab"_s, u"note"_s, Json{{"host", "h"}}, id}));
    QCOMPARE(dumpJson(m->f.world->choicesAsked), QByteArray(R"({"host":"h","token":"very secret"})"));
    QVERIFY(ask(api::PlatformChoices{u"lab"_s, u"note"_s, Json{{"host", "i"}}, {}}));
    QCOMPARE(dumpJson(m->f.world->choicesAsked), QByteArray(R"({"host":"i"})"));
}

void TestPlatformLives::anotherHostGetsNoSavedSecret()
{
    QVERIFY(put({{"host", "h"}, {"token", "very secret"}}));
    QVERIFY(comes([&] { return is(PlatformState::ready); }));
    const qsizetype made = m->made.size();
    api::CheckPlatform check;
    check.id = id;
    check.kind = u"lab"_s;
    check.settings = {{"host", "i"}, {"token", {{"set", true}}}};
    check.unsaved = true;
    for (const auto& reply :
        {put({{"host", "i"}}), ask(check), ask(api::PlatformChoices{u"lab"_s, u"note"_s, Json{{"host", "i"}}, id})}) {
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, Kind::invalid);
        QVERIFY2(reply.error().message.contains(u"token must be entered again"_s), qPrintable(reply.error().message));
    }
    QVERIFY(m->f.world->choicesAsked.is_null());
    QCOMPARE(record()->settings["host"].get<QString>(), u"h"_s);
    QVERIFY(is(PlatformState::ready));
    QVERIFY(put({{"host", "i"}, {"token", "another"}}));
    QVERIFY(comes([&] { return m->made.size() > made && is(PlatformState::ready); }));
    QCOMPARE(m->fake()->openedWith["token"].get<QString>(), u"another"_s);
}

void TestPlatformLives::anotherClusterNeedsForce()
{
    QVERIFY(put({{"host", "h"}}));
    QVERIFY(comes([&] { return is(PlatformState::ready); }));
    const QByteArray first = m->fake()->context().cluster;
    QVERIFY(!first.isEmpty());
    const auto created = create({{"image", "x"}});
    QVERIFY(created);
    api::SubmitTrials submit;
    submit.experiment = ExperimentId(created->document["id"].get<QString>());
    submit.trials = {api::TrialSubmission{.parameters = "{}"}};
    const auto submitted = ask(submit);
    QVERIFY(submitted);
    const TrialId trial(submitted->document["trials"][0]["id"].get<QString>());
    QVERIFY(comes([&] { return m->f.status(trial) == TrialStatus::running; }));
    QVERIFY(put({{"host", "h"}, {"note", "the same cluster"}}));
    QVERIFY(comes([&] { return is(PlatformState::ready); }));
    QCOMPARE(m->f.status(trial), TrialStatus::running);
    QCOMPARE(m->fake()->context().cluster, first);
    const auto refused = put({{"host", "i"}});
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Kind::conflict);
    QVERIFY2(refused.error().message.contains(trial.value), qPrintable(refused.error().message));
    QCOMPARE(record()->settings["host"].get<QString>(), u"h"_s);
    QVERIFY(put({{"host", "i"}}, true));
    QVERIFY(comes([&] { return m->f.status(trial) == TrialStatus::user_canceled; }));
    QVERIFY(comes([&] { return m->fake()->context().cluster != first; }));
    QVERIFY(put({{"host", "k"}})); // nothing is under way any more
}

void TestPlatformLives::optionsOfAnExperiment()
{
    QVERIFY(put({{"host", "h"}}));
    QVERIFY(comes([&] { return is(PlatformState::ready); }));
    const auto bad = create({{"img", "x"}, {"cpus", "two"}});
    QVERIFY(!bad);
    QCOMPARE(bad.error().kind, Kind::invalid);
    for (const QString& part : {u"img"_s, u"image is missing"_s, u"cpus must be a whole number"_s})
        QVERIFY2(bad.error().message.contains(part), qPrintable(bad.error().message));
    const auto refused = create({{"image", "x:1"}, {"cpus", 1'000}});
    QVERIFY(!refused);
    QCOMPARE(refused.error().message.text(), u"cpus: as many as 64."_s);
    const auto created = create({{"image", "x:1"}}, {}); // its kind needs no command
    QVERIFY2(created, created ? "" : qPrintable(created.error().message));
    QCOMPARE(dumpJson(created->document["platformOptions"]), QByteArray(R"({"image":"x:1","cpus":2})"));
    api::SubmitTrials submit;
    submit.experiment = ExperimentId(created->document["id"].get<QString>());
    submit.trials = {api::TrialSubmission{.parameters = "{}"}};
    const auto submitted = ask(submit);
    QVERIFY(submitted);
    const TrialId trial(submitted->document["trials"][0]["id"].get<QString>());
    QVERIFY(comes([&] { return m->fake()->trial(trial) != nullptr; }));
    QCOMPARE(dumpJson(m->fake()->trial(trial)->spec.platformOptions), QByteArray(R"({"image":"x:1","cpus":2})"));
    const auto kinds = ask(api::ReadPlatformKinds{});
    QVERIFY(kinds);
    for (const Json& kind : kinds->document["kinds"]) {
        if (kind["kind"] != "lab")
            continue;
        QCOMPARE(kind["experimentFields"].size(), size_t(2));
        QCOMPARE(kind["ownRoles"].get<bool>(), true);
        QCOMPARE(kind["fields"][0]["namesCluster"].get<bool>(), true);
    }
}

QTEST_GUILESS_MAIN(TestPlatformLives)
#include "tst_platform_lives.moc"
