// SPDX-License-Identifier: GPL-3.0-or-later
// The promises of a training service, of the one over the engine, with trials of the platform `local`.
#include "tests/services/training_service_conformance.h"

#include "services/engine/engine_training_service.h"
#include "services/platforms/hosts/local_platform.h"
#include "services/secrets/env_secrets.h"

using namespace core;
using namespace training_service_test;

namespace {

class EngineSubject : public Subject
{
public:
    EngineSubject()
    {
        m_kinds.add([] { return std::make_unique<platforms::LocalPlatform>(); });
        open();
    }
    ~EngineSubject() override { close(); }
    std::unique_ptr<TrainingService> make(const QString& command) override
    {
        api::CreateExperiment create;
        create.spec.platformId = PlatformId(u"local"_s);
        create.spec.trialCommand = command;
        create.spec.trialConcurrency = concurrency();
        std::optional<Result<api::Reply>> reply;
        m_engine->execute(create, [&](Result<api::Reply> r) { reply = std::move(r); });
        if (!QTest::qWaitFor([&] { return reply.has_value(); }, 30'000) || !*reply)
            return nullptr;
        m_experiment = ExperimentId((*reply)->document["id"].get<QString>());
        return again();
    }
    /// For the same experiment.
    std::unique_ptr<TrainingService> again()
    {
        return std::make_unique<engine::EngineTrainingService>(*m_engine, m_experiment);
    }
    int concurrency() override { return 2; }
    bool quotesLogs() override { return true; }
    QString trials() override { return m_folder.filePath(u"agent/test/local/trials"_s); }
    void restart()
    {
        close();
        open();
    }

private:
    void open()
    {
        engine::EngineConfig config;
        config.dataDir = m_folder.path();
        config.configDir = m_folder.filePath(u"config"_s);
        config.serviceId = u"test"_s;
        config.keeperPath = QStringLiteral(TRIALDECK_BIN_DIR "/trialkeeper");
        m_engine = std::make_unique<engine::Engine>(config, m_clock, m_secrets, m_kinds);
        const auto opened = QCoro::waitFor(m_engine->open());
        if (!opened)
            qFatal("the engine does not open: %s", qPrintable(opened.error().message.text()));
    }
    void close()
    {
        QCoro::waitFor(m_engine->close());
        m_engine.reset();
    }

    QTemporaryDir m_folder;
    SystemClock m_clock;
    secrets::EnvSecrets m_secrets{{}};
    platforms::PlatformRegistry m_kinds;
    std::unique_ptr<engine::Engine> m_engine;
    ExperimentId m_experiment;
};

} // namespace

class TestEngineTrainingService : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<EngineSubject>(); }

private slots:
    void aSubmittedTrialIsDurable()
    {
        serve(u"touch \"$DIR/began.$NNI_TRIAL_SEQ_ID\"; await go"_s);
        fillUp();
        const QString id = submit(form(5)); // nothing is waited for behind it
        m_service.reset();
        auto& subject = *static_cast<EngineSubject*>(m_subject.get());
        subject.restart();
        m_service = subject.again();
        QCOMPARE(listed().size(), 3);
        QCOMPARE(listed().last(), id);
        QCOMPARE(status(id), TrialStatus::waiting);
        QCOMPARE(trial(id)->parameterCfg, form(5).value);
        touch(u"go"_s);
        QTRY_COMPARE_WITH_TIMEOUT(status(id), TrialStatus::succeeded, patience);
        QVERIFY(isThere(u"began.5"_s));
    }
};

QTEST_GUILESS_MAIN(TestEngineTrainingService)
#include "tst_engine_training_service.moc"
