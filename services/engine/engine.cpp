// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine.h"

#include "services/api/overloaded.h"
#include "services/core/logging.h"
#include "services/platforms/kind_json.h"

#include <QRandomGenerator>
#include <QThread>

using namespace Qt::StringLiterals;

namespace engine {

static QString newEpoch()
{
    return QString::number(QRandomGenerator::global()->generate64() & 0xffffffffffULL, 36);
}

Engine::Engine(EngineConfig config, Clock& clock, secrets::SecretStore& secrets, platforms::PlatformRegistry& kinds,
    QObject* parent)
    : QObject(parent)
    , m_config(std::move(config))
    , m_store(m_config.dataDir, m_config.storeWatch)
    , m_changes(
          newEpoch(),
          [this] {
              // The first at once, what comes in the same turn of the event loop with it.
              QMetaObject::invokeMethod(
                  this, [this] { m_changes.flush(); }, Qt::QueuedConnection);
          },
          [this](Change& change) { m_state.fill(change); })
    , m_state(m_changes, m_store, clock)
    , m_platforms(m_config, m_state, m_store, secrets, kinds, m_scope)
    , m_machines(m_state, m_store)
    , m_left(m_state, m_store, m_platforms, m_machines, m_scope)
    , m_supervisor(m_state, m_platforms, m_machines, m_left, m_scope)
    , m_trials(m_state, m_store, m_platforms, m_supervisor)
    , m_experiments(m_state, m_store, m_platforms, m_supervisor, m_trials, m_left, m_scope)
    , m_queries(m_state, m_store, m_platforms)
{
    connect(&m_platforms, &PlatformManager::machinesSeen, &m_machines, &MachineRegistry::seen);
    connect(&m_platforms, &PlatformManager::machinesSeen, &m_left,
        [this](const PlatformId&, const QList<Machine>& machines) { m_left.seen(machines); });
    connect(&m_platforms, &PlatformManager::computerSeen, &m_machines, &MachineRegistry::computer);
    connect(&m_platforms, &PlatformManager::removed, &m_machines, &MachineRegistry::platformGone);
    connect(&m_store, &store::Store::trouble, this, [](const Error& error) {
        if (error.message.isEmpty())
            qCInfo(lcStore) << "the store can be written again";
        else
            qCWarning(lcStore) << error.message << error.detail;
    });
}

Engine::~Engine() = default;

Task<Result<>> Engine::open()
{
    const Result<store::Loaded> loaded = co_await m_store.open();
    if (!loaded)
        co_return fail(loaded);
    if (const qsizetype orphans = m_state.load(loaded->experiments, loaded->trials, loaded->eventCounts); orphans > 0)
        qCWarning(lcEngine).noquote()
            << u"The store is damaged: the experiments of %1 trials are missing, so these trials are not shown. They stay in the store."_m
                   .arg(orphans);
    m_machines.restore(loaded->reservations, loaded->values);
    m_left.restore(loaded->values);
    m_platforms.metadata().restore(loaded->values);
    m_trials.restore(loaded->idempotency);
    m_supervisor.restore();
    const Result<> opened = co_await m_platforms.open();
    if (!opened)
        co_return fail(opened);
    m_experiments.restore(loaded->idempotency, loaded->values);
    co_return Result<>{};
}

Task<> Engine::close()
{
    m_closing = true;
    m_scope.requestStop();
    co_await m_platforms.close();
    if (!co_await m_scope.drain())
        qCWarning(lcEngine) << "work was still under way when the service ended, begun at" << m_scope.origins();
    co_await m_state.saved(store::Durability::full);
    co_await m_store.close();
    m_changes.flush();
}

void Engine::execute(Command command, std::function<void(Result<Reply>)> done)
{
    if (QThread::currentThread() != thread()) {
        QMetaObject::invokeMethod(
            this,
            [this, command = std::move(command), done = std::move(done)]() mutable {
                execute(std::move(command), std::move(done));
            },
            Qt::QueuedConnection);
        return;
    }
    if (m_closing) {
        done(fail(Kind::cancelled, u"The service is ending."_m));
        return;
    }
    m_scope.spawn([this, command = std::move(command), done = std::move(done)]() { return run(command, done); });
}

Task<> Engine::run(Command command, std::function<void(Result<Reply>)> done)
{
    Result<Reply> reply = co_await dispatch(std::move(command));
    m_changes.flush(); // who asked sees the effect in every mirror before the answer
    if (reply)
        reply->revision = m_changes.revision();
    done(std::move(reply));
}

int Engine::listen(std::function<void(ChangePtr)> changed)
{
    const int listener = m_nextListener++;
    const auto begin = [this, listener, changed = std::move(changed)] {
        m_listeners.insert(listener, m_changes.listen(changed));
    };
    if (QThread::currentThread() == thread())
        begin();
    else
        QMetaObject::invokeMethod(this, begin, Qt::QueuedConnection);
    return listener;
}

void Engine::stopListening(int listener)
{
    const auto end = [this, listener] { m_changes.stopListening(m_listeners.take(listener)); };
    if (QThread::currentThread() == thread())
        end();
    else
        QMetaObject::invokeMethod(this, end, Qt::QueuedConnection);
}

void Engine::post(api::PostMetrics metrics, std::function<void(Result<api::PostReply>)> done)
{
    QMetaObject::invokeMethod(
        this,
        [this, metrics = std::move(metrics), done = std::move(done)] {
            if (m_closing)
                return done(fail(Kind::cancelled, u"The service is ending."_m));
            m_scope.spawn([this, metrics, done]() -> Task<> {
                auto posting = m_supervisor.post(metrics);
                Result<api::PostReply> reply = co_await posting;
                done(std::move(reply));
            });
        },
        Qt::QueuedConnection);
}

static Task<Result<Reply>> immediately(Result<Reply> reply)
{
    co_return reply;
}

Task<Result<Reply>> Engine::dispatch(Command command)
{
    // Named first: GCC 12 destroys a temporary inside a co_await expression twice.
    Task<Result<Reply>> answer =
        std::visit(Overloaded{
                       [&](PutPlatform& c) { return m_platforms.put(std::move(c)); },
                       [&](DeletePlatform& c) { return m_platforms.remove(std::move(c)); },
                       [&](CheckPlatform& c) { return m_platforms.check(std::move(c)); },
                       [&](RetryPlatform& c) { return m_platforms.retry(std::move(c)); },
                       [&](PlatformChoices& c) { return m_platforms.choices(std::move(c)); },
                       [&](SetMetadata& c) { return m_platforms.setMetadata(std::move(c)); },
                       [&](GetMetadata& c) { return immediately(m_platforms.getMetadata(c)); },
                       [&](ReserveGpu& c) { return m_machines.reserve(std::move(c)); },
                       [&](ActOnMachine& c) {
                           switch (c.action) {
                           case MachineAction::drain:
                           case MachineAction::undrain:
                               return m_machines.setDrained(c.machine, c.action == MachineAction::drain);
                           case MachineAction::check:
                               return m_platforms.checkMachine(c.machine);
                           case MachineAction::trust:
                               break;
                           }
                           return m_platforms.trust(c.machine, c.fingerprint);
                       },
                       [&](RemoveMachine& c) { return m_platforms.removeMachine(std::move(c)); },
                       [&](AnswerPrompt& c) { return immediately(m_platforms.prompts().answer(c)); },
                       [&](CreateExperiment& c) { return m_experiments.create(std::move(c)); },
                       [&](PatchExperiment& c) { return m_experiments.patch(std::move(c)); },
                       [&](ActOnExperiment& c) { return m_experiments.act(std::move(c)); },
                       [&](RenewLease& c) { return m_experiments.renew(std::move(c)); },
                       [&](StoreCode& c) { return m_experiments.storeCode(std::move(c)); },
                       [&](HasCode& c) { return m_experiments.hasCode(std::move(c)); },
                       [&](SubmitTrials& c) { return m_trials.submit(std::move(c)); },
                       [&](CancelTrials& c) { return m_trials.cancel(std::move(c)); },
                       [&](RetryTrials& c) { return m_trials.retry(std::move(c)); },
                       [&](PatchTrials& c) { return m_trials.patch(std::move(c)); },
                       [&](MoveQueue& c) { return m_trials.move(std::move(c)); },
                       [&](ReadMetrics& c) { return m_queries.metrics(std::move(c)); },
                       [&](ReadTrialEvents& c) { return m_queries.events(std::move(c)); },
                       [&](ReadFailures& c) { return immediately(m_queries.failures(c)); },
                       [&](ReadSeries& c) { return m_queries.series(std::move(c)); },
                       [&](ListLogs& c) { return m_queries.logs(std::move(c)); },
                       [&](ReadLog& c) { return m_queries.log(std::move(c)); },
                       [&](ListFiles& c) { return m_queries.files(std::move(c)); },
                       [&](ReadGpuUsage& c) { return immediately(m_machines.usage(c)); },
                       [&](ReadPlatformKinds&) {
                           return immediately(Reply{.document = platforms::kindsJson(m_platforms.kinds())});
                       },
                   },
            command);
    co_return co_await std::move(answer);
}

} // namespace engine
