// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/experiments/plan_run.h"
#include "tests/fakes/fake_engine_client.h"

#include <QLocale>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using models::ExperimentPlan;
using models::PlanPlace;

namespace {

ExperimentPlan plan()
{
    ExperimentPlan plan;
    plan.file = u"/home/x/search.yml"_s;
    plan.spec.name = u"mnist"_s;
    plan.spec.trialCommand = u"python3 mnist.py"_s;
    plan.spec.objective.maximize = false;
    plan.spec.tunerName = u"Random"_s;
    plan.spec.searchSpace = Json{{"lr", {{"_type", "loguniform"}, {"_value", {0.001, 0.1}}}}};
    plan.spec.environment = {{u"TOKEN"_s, u"hush"_s}};
    plan.spec.maxDurationSeconds = 7'200;
    plan.kind = u"remote"_s;
    plan.settings = Json{{"machineList", Json::array({{{"host", "lab1"}, {"password", "p"}}})}};
    plan.environment = {{u"PATH"_s, u"/caller"_s}, {u"TOKEN"_s, u"other"_s}};
    return plan;
}

PlatformPtr platform(const QString& id, const QString& kind, const Json& settings)
{
    Platform platform;
    platform.id = PlatformId(id);
    platform.kind = kind;
    platform.settings = settings;
    return std::make_shared<const Platform>(platform);
}

} // namespace

class TestExperimentPlan : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_revision = 0;
        m_client = std::make_unique<fakes::FakeEngineClient>();
        m_mirror = std::make_unique<models::EngineMirror>(*m_client);
    }
    void cleanup()
    {
        m_run.reset();
        m_mirror.reset();
        m_client.reset();
    }

    void linesForAPerson()
    {
        QStringList lines;
        for (const auto& [name, value] : models::linesOf(plan()))
            lines += name + u'=' + value;
        for (const QString& wanted : {u"Name=mnist"_s, u"Objective=the least default"_s, u"Search=Random"_s,
                 u"  lr=loguniform 0.001, 0.1"_s, u"Environment=TOKEN"_s, u"Trials=no limit"_s})
            QVERIFY2(lines.contains(wanted), qPrintable(lines.join(u'\n')));
        QVERIFY(!lines.join(u'\n').contains(u"hush"_s));
    }

    void places()
    {
        const Json same = Json{{"machineList", Json::array({{{"host", "lab1"}, {"password", {{"set", true}}}}})}};
        const Json other = Json{{"machineList", Json::array({{{"host", "lab2"}}})}};
        begin({platform(u"local"_s, u"local"_s, Json::object()), platform(u"remote"_s, u"remote"_s, other)});
        QCOMPARE(models::placesOf(plan(), m_mirror->state()),
            (QList<PlanPlace>{{PlatformId(u"remote-2"_s), true}, {PlatformId(u"remote"_s), false}}));
        begin({platform(u"remote"_s, u"remote"_s, other), platform(u"lab"_s, u"remote"_s, same)});
        QCOMPARE(models::placesOf(plan(), m_mirror->state()),
            (QList<PlanPlace>{{PlatformId(u"lab"_s), false}, {PlatformId(u"remote"_s), false}}));
        ExperimentPlan ours = plan();
        ours.kind.clear();
        ours.spec.platformId = PlatformId(u"remote"_s);
        QCOMPARE(models::placesOf(ours, m_mirror->state()).first(), (PlanPlace{PlatformId(u"remote"_s), false}));
    }

    void callersEnvironmentOnThisComputerAlone()
    {
        begin({platform(u"local"_s, u"local"_s, Json::object()), platform(u"lab"_s, u"remote"_s, Json::object())});
        const ExperimentSpec here = models::specAt(plan(), PlatformId(u"local"_s), m_mirror->state());
        QCOMPARE(here.environment.value(u"PATH"_s), u"/caller"_s);
        QCOMPARE(here.environment.value(u"TOKEN"_s), u"hush"_s); // the file's own wins
        const ExperimentSpec there = models::specAt(plan(), PlatformId(u"lab"_s), m_mirror->state());
        QVERIFY(!there.environment.contains(u"PATH"_s));
        QCOMPARE(there.platformId, PlatformId(u"lab"_s));
    }

    void createdOnANewPlatform()
    {
        begin({});
        start(plan(), {PlatformId(u"remote"_s), true});
        QCOMPARE(m_client->commands.size(), 1);
        QVERIFY(std::get<api::PutPlatform>(m_client->commands[0]).settings == plan().settings);
        m_client->answer(api::Reply{});
        QCOMPARE(m_client->commands.size(), 2);
        const auto& create = std::get<api::CreateExperiment>(m_client->commands[1]);
        QCOMPARE(create.spec.platformId, PlatformId(u"remote"_s));
        QVERIFY(!create.idempotencyKey.isEmpty());
        m_client->answer(api::Reply{.document = Json{{"id", "e1"}}});
        QCOMPARE(m_created.value_or(ExperimentId()), ExperimentId(u"e1"_s));
    }

    void refused()
    {
        begin({});
        start(plan(), {PlatformId(u"remote"_s), true});
        m_client->answer(fail(Kind::invalid, u"machineList[0].host is no name."_s));
        QVERIFY2(m_created.error().message.contains(u"machineList[0].host"_s), qPrintable(m_created.error().message));
        ExperimentPlan tpe = plan();
        tpe.needsNni = u"TPE runs in NNI alone."_s;
        const qsizetype asked = m_client->commands.size();
        start(tpe, {PlatformId(u"remote"_s), false});
        QCOMPARE(m_created.error().message, tpe.needsNni);
        QCOMPARE(m_client->commands.size(), asked);
    }

    void codeIsSentFirst_data()
    {
        QTest::addColumn<bool>("known");
        QTest::newRow("new to the service") << false;
        QTest::newRow("known to the service") << true;
    }
    void codeIsSentFirst()
    {
        QFETCH(bool, known);
        begin({});
        start(withCode(), {PlatformId(u"remote"_s), true});
        QTRY_COMPARE_WITH_TIMEOUT(m_client->commands.size(), 1, 30'000);
        QCOMPARE(std::get<api::HasCode>(m_client->commands[0]).sha, u"abc"_s);
        if (known) {
            m_client->answer(api::Reply{});
        } else {
            m_client->answer(fail(Kind::not_found, u"There is no such code."_s));
            const auto& store = std::get<api::StoreCode>(m_client->commands[1]);
            QCOMPARE(store.sha, u"abc"_s);
            emit m_client->uploading(u"/tmp/of-another"_s, 3'000'000);
            emit m_client->uploading(store.file, 1'000'000);
            QVERIFY2(m_told.last().contains(QLocale().formattedDataSize(1'000'000)), qPrintable(m_told.last()));
            m_client->answer(api::Reply{});
        }
        QVERIFY(std::holds_alternative<api::PutPlatform>(m_client->commands.last()));
        m_client->answer(api::Reply{});
        const auto& create = std::get<api::CreateExperiment>(m_client->commands.last());
        QCOMPARE(create.spec.codeHash, u"abc"_s);
        QVERIFY(create.spec.codeDir.isEmpty() && !create.spec.codeInPlace);
        QTRY_VERIFY_WITH_TIMEOUT(m_held.expired(), 30'000); // the archive is not kept for nothing
    }

    void codeThatIsNotTakenMakesNothing()
    {
        begin({});
        start(withCode(), {PlatformId(u"remote"_s), true});
        QTRY_COMPARE_WITH_TIMEOUT(m_client->commands.size(), 1, 30'000);
        m_client->answer(fail(Kind::not_found, u"There is no such code."_s));
        m_client->answer(fail(Kind::resource, u"The disk is full."_s));
        QVERIFY2(m_created.error().message.endsWith(u"The disk is full."_s), qPrintable(m_created.error().message));
        QCOMPARE(m_client->commands.size(), 2);
        ExperimentPlan broken = withCode();
        broken.pack = []() -> Result<models::CodeArchive> { return fail(Kind::invalid, u"A link leads outside."_s); };
        start(broken, {PlatformId(u"remote"_s), true});
        QTRY_COMPARE_WITH_TIMEOUT(m_created.error().message, u"A link leads outside."_s, 30'000);
        QCOMPARE(m_client->commands.size(), 2);
    }

    void aClosedDialogAsksNothingMore()
    {
        begin({});
        start(withCode(), {PlatformId(u"remote"_s), false});
        QTRY_COMPARE_WITH_TIMEOUT(m_client->commands.size(), 1, 30'000);
        m_run.reset();
        m_client->answer(api::Reply{});
        QCOMPARE(m_client->commands.size(), 1);
    }

private:
    void begin(const QList<PlatformPtr>& platforms)
    {
        m_client->begin({.platforms = platforms});
        const qint64 wanted = ++m_revision;
        QTRY_COMPARE(m_mirror->state().revision(), wanted);
    }

    [[nodiscard]] ExperimentPlan withCode()
    {
        ExperimentPlan sent = plan();
        sent.spec.codeDir = u"/home/x/code"_s;
        sent.spec.codeInPlace = true;
        const auto held = std::make_shared<int>();
        m_held = held;
        sent.pack = [owner = std::make_shared<std::shared_ptr<int>>(held)] {
            return Result<models::CodeArchive>(
                models::CodeArchive{u"abc"_s, u"/tmp/x/code.tar.gz"_s, 2'000'000, std::exchange(*owner, {})});
        };
        return sent;
    }
    void start(const ExperimentPlan& plan, const PlanPlace& place)
    {
        m_created = fail(Kind::internal, u"not yet"_s);
        m_told.clear();
        m_run = std::make_unique<models::PlanRun>(*m_mirror, plan, place, nullptr);
        QObject::connect(m_run.get(), &models::PlanRun::finished, this,
            [this](const Result<ExperimentId>& result) { m_created = result; });
        QObject::connect(m_run.get(), &models::PlanRun::told, this, [this](const QString& text) { m_told += text; });
        m_run->start();
    }

    qint64 m_revision = 0;
    Result<ExperimentId> m_created;
    QStringList m_told;
    std::weak_ptr<int> m_held;
    std::unique_ptr<models::PlanRun> m_run;
    std::unique_ptr<fakes::FakeEngineClient> m_client;
    std::unique_ptr<models::EngineMirror> m_mirror;
};

QTEST_GUILESS_MAIN(TestExperimentPlan)
#include "tst_experiment_plan.moc"
