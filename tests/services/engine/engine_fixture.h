// SPDX-License-Identifier: GPL-3.0-or-later
// A whole engine over a fake platform and a real store in a temporary folder, with a second life at will.
#pragma once

#include "services/api/mirror.h"
#include "services/core/one_shot.h"
#include "services/engine/engine.h"
#include "services/secrets/env_secrets.h"
#include "tests/fakes/fake_platform.h"

#include <QCoroTask>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

class EngineFixture
{
public:
    EngineFixture()
        : EngineFixture(ownClock)
    {
    }
    explicit EngineFixture(core::Clock& time)
        : clock(time)
    {
        start();
    }
    ~EngineFixture() { stop(); }

    void start()
    {
        kinds = std::make_unique<platforms::PlatformRegistry>();
        kinds->add([this] {
            auto platform = std::make_unique<fakes::FakePlatform>(world);
            platform->kind = u"local"_s;
            fake = platform.get();
            if (configure)
                configure(*platform);
            return platform;
        });
        if (addKinds)
            addKinds(*kinds);
        engine::EngineConfig config;
        config.dataDir = folder.path();
        config.configDir = folder.path() + u"/config"_s;
        config.serviceId = u"test"_s;
        config.storeWatch = storeWatch;
        config.ingest = ingest;
        engine = std::make_unique<engine::Engine>(config, clock, *secretStore, *kinds);
        QVERIFY2(QCoro::waitFor(engine->open()).has_value(), "the engine opens");
        mirror = std::make_unique<api::Mirror>();
        listener = engine->listen([this](const api::ChangePtr& change) {
            mirror->apply(*change);
            changes.append(change);
        });
    }
    void stop()
    {
        if (!engine)
            return;
        engine->stopListening(listener);
        QCoro::waitFor(engine->close());
        engine.reset();
    }
    void restart()
    {
        stop();
        start();
    }

    core::Result<api::Reply> ask(api::Command command)
    {
        std::optional<core::Result<api::Reply>> reply;
        engine->execute(std::move(command), [&](core::Result<api::Reply> r) { reply = std::move(r); });
        if (!QTest::qWaitFor([&] { return reply.has_value(); }, 30'000))
            return core::fail(core::Kind::timeout, u"no answer"_s);
        return std::move(*reply);
    }
    core::ExperimentId create(const std::function<void(core::ExperimentSpec&)>& modify = {})
    {
        api::CreateExperiment create;
        create.spec.name = u"test"_s;
        create.spec.platformId = core::PlatformId(u"local"_s);
        create.spec.trialCommand = u"true"_s;
        create.spec.trialConcurrency = 4;
        if (modify)
            modify(create.spec);
        const auto reply = ask(create);
        if (!reply) {
            qWarning().noquote() << reply.error().message;
            return {};
        }
        return core::ExperimentId(reply->document["id"].get<QString>());
    }
    QList<core::TrialId> submit(const core::ExperimentId& experiment, const QList<api::TrialSubmission>& requests)
    {
        api::SubmitTrials submit;
        submit.experiment = experiment;
        submit.trials = requests;
        const auto reply = ask(submit);
        QList<core::TrialId> ids;
        if (reply)
            for (const core::Json& trial : reply->document["trials"])
                ids.append(core::TrialId(trial["id"].get<QString>()));
        else
            qWarning().noquote() << reply.error().message;
        return ids;
    }
    QList<core::TrialId> submit(const core::ExperimentId& experiment, int count)
    {
        QList<api::TrialSubmission> requests(count);
        for (int i = 0; i < count; ++i)
            requests[i].parameters = "{\"x\": " + QByteArray::number(i) + "}";
        return submit(experiment, requests);
    }
    [[nodiscard]] core::TrialPtr trial(const core::TrialId& id) const
    {
        const engine::TrialEntry* entry = engine->state().trial(id);
        return entry ? entry->trial : nullptr;
    }
    [[nodiscard]] core::TrialStatus status(const core::TrialId& id) const { return trial(id)->status; }
    [[nodiscard]] core::ExperimentPtr experiment(const core::ExperimentId& id) const
    {
        return engine->state().experiment(id);
    }
    [[nodiscard]] std::vector<core::Json> metrics(const core::TrialId& id)
    {
        api::ReadMetrics read;
        read.cursors = {{id, 0}};
        read.limit = 10'000;
        const auto reply = ask(read);
        std::vector<core::Json> list;
        if (!reply)
            return list;
        const core::Json document = *core::parseJson(reply->bytes);
        for (const core::Json& metric : document["metrics"])
            list.push_back(metric);
        return list;
    }

    QTemporaryDir folder;
    core::SystemClock ownClock;
    core::Clock& clock;
    secrets::EnvSecrets secrets{{}};
    secrets::SecretStore* secretStore = &secrets; ///< not owned; from the next start() on
    std::shared_ptr<fakes::FakePlatform::World> world = std::make_shared<fakes::FakePlatform::World>();
    std::function<void(fakes::FakePlatform&)> configure;
    std::function<void(platforms::PlatformRegistry&)> addKinds; ///< besides `local`, from the next start() on
    store::WriteWatch storeWatch;                               ///< from the next start() on
    engine::IngestAccess ingest;                                ///< likewise
    std::unique_ptr<platforms::PlatformRegistry> kinds;
    fakes::FakePlatform* fake = nullptr; ///< the newest that was made; the engine's, once it is open
    std::unique_ptr<engine::Engine> engine;
    std::unique_ptr<api::Mirror> mirror;
    QList<api::ChangePtr> changes;
    int listener = 0;
};
