// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/experiment_plan.h"

#include "services/core/settings_match.h"
#include "tests/fakes/fake_engine_client.h"

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
        m_mirror.reset();
        m_client.reset();
    }

    void settingsThatSayTheSame_data()
    {
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<QByteArray>("wanted");
        QTest::addColumn<bool>("same");
        QTest::newRow("equal") << QByteArray(R"({"a": 1})") << QByteArray(R"({"a": 1})") << true;
        QTest::newRow("more shown") << QByteArray(R"({"a": 1, "b": 2})") << QByteArray(R"({"a": 1})") << true;
        QTest::newRow("other") << QByteArray(R"({"a": 2})") << QByteArray(R"({"a": 1})") << false;
        QTest::newRow("secret that is set")
            << QByteArray(R"({"p": {"set": true}})") << QByteArray(R"({"p": "x"})") << true;
        QTest::newRow("secret that is not")
            << QByteArray(R"({"p": {"set": false}})") << QByteArray(R"({"p": "x"})") << false;
        QTest::newRow("secret for an object")
            << QByteArray(R"({"p": {"set": true}})") << QByteArray(R"({"p": {}})") << false;
        QTest::newRow("longer list") << QByteArray(R"([1, 2])") << QByteArray(R"([1])") << false;
    }
    void settingsThatSayTheSame()
    {
        QFETCH(QByteArray, shown);
        QFETCH(QByteArray, wanted);
        QTEST(core::settingsSay(*parseJson(shown), *parseJson(wanted)), "same");
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
        Result<ExperimentId> created = fail(Kind::internal, u"not yet"_s);
        models::createPlanned(
            *m_mirror, plan(), {PlatformId(u"remote"_s), true}, [&](const auto& result) { created = result; });
        QCOMPARE(m_client->commands.size(), 1);
        QVERIFY(std::get<engine::PutPlatform>(m_client->commands[0]).settings == plan().settings);
        m_client->answer(engine::Reply{});
        QCOMPARE(m_client->commands.size(), 2);
        const auto& create = std::get<engine::CreateExperiment>(m_client->commands[1]);
        QCOMPARE(create.spec.platformId, PlatformId(u"remote"_s));
        QVERIFY(!create.idempotencyKey.isEmpty());
        m_client->answer(engine::Reply{.document = Json{{"id", "e1"}}});
        QCOMPARE(created.value_or(ExperimentId()), ExperimentId(u"e1"_s));
    }

    void refused()
    {
        begin({});
        QString said;
        const auto tellIt = [&said](const Result<ExperimentId>& result) {
            said = result ? QString() : result.error().message;
        };
        models::createPlanned(*m_mirror, plan(), {PlatformId(u"remote"_s), true}, tellIt);
        m_client->answer(fail(Kind::invalid, u"machineList[0].host is no name."_s));
        QVERIFY2(said.contains(u"machineList[0].host"_s), qPrintable(said));
        ExperimentPlan tpe = plan();
        tpe.needsNni = u"TPE runs in NNI alone."_s;
        const qsizetype asked = m_client->commands.size();
        models::createPlanned(*m_mirror, tpe, {PlatformId(u"remote"_s), false}, tellIt);
        QCOMPARE(said, tpe.needsNni);
        QCOMPARE(m_client->commands.size(), asked);
    }

private:
    void begin(const QList<PlatformPtr>& platforms)
    {
        m_client->begin({.platforms = platforms});
        const qint64 wanted = ++m_revision;
        QTRY_COMPARE(m_mirror->state().revision(), wanted);
    }

    qint64 m_revision = 0;
    std::unique_ptr<fakes::FakeEngineClient> m_client;
    std::unique_ptr<models::EngineMirror> m_mirror;
};

QTEST_GUILESS_MAIN(TestExperimentPlan)
#include "tst_experiment_plan.moc"
