// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_engine_port.h"

#include "services/api/out_of_reach.h"
#include "services/api/overloaded.h"
#include "services/core/record_json.h"

#include <QMutexLocker>
#include <QSemaphore>

#include <map>

using namespace Qt::StringLiterals;

namespace fakes {

using namespace core;
using namespace api;

struct FakeEnginePort::State
{
    Mirror mirror;
    QString epoch = u"epoch1"_s;
    qint64 revision = 1;
    int nextTrial = 2;
    std::map<int, std::function<void(ChangePtr)>> listeners;
    Handler handler;
    QHash<QString, Json> metadata;

    ChangePtr full() const
    {
        auto out = std::make_shared<Change>();
        out->epoch = epoch;
        out->revision = revision;
        out->full = true;
        out->platforms = mirror.platforms().list();
        out->machines = mirror.machines().list();
        out->experiments = mirror.experiments().list();
        out->trials = QList<TrialPtr>(mirror.trials().begin(), mirror.trials().end());
        out->prompts = mirror.prompts().list();
        out->requests = mirror.requests().list();
        return out;
    }
    void tell(const ChangePtr& change)
    {
        mirror.apply(*change);
        for (const auto& [number, changed] : std::map(listeners))
            changed(change);
    }
    void publish(Change change)
    {
        change.epoch = epoch;
        change.revision = ++revision;
        change.full = false;
        tell(std::make_shared<const Change>(std::move(change)));
    }

    void publish(const TrialPtr& trial) { publish(Change{.trials = {trial}}); }

    // The small answers.
    Result<Reply> answer(const Command& command);
    Result<QList<TrialPtr>> select(const TrialSelection& selection) const;
    Result<Reply> submit(const SubmitTrials& c);
    Result<Reply> act(const ActOnExperiment& c);
    Reply accepted(const QString& kind, const QString& subject);
    QList<TrialPtr> changeAll(const QList<TrialPtr>& trials, const std::function<void(Trial&)>& modify);
};

Trial sampleTrial(int number, const QString& experiment)
{
    Trial trial;
    trial.id = TrialId(u"t%1"_s.arg(number, 14, 10, QLatin1Char('0')));
    trial.experimentId = ExperimentId(experiment);
    trial.platformId = PlatformId(u"local"_s);
    trial.sequenceId = number;
    trial.submitTime = 1'750'000'000'000 + number;
    trial.parameters = "{\"lr\":" + QByteArray::number(number) + "e-4}";
    trial.parameterCfg =
        "{\"parameter_id\":" + QByteArray::number(number) + ",\"parameters\":" + trial.parameters + '}';
    trial.reason = u"waits for a free slot"_s;
    return trial;
}

MetricBatchPtr sampleMetrics(const TrialId& trial, qint64 first, int count, const QString& experiment)
{
    auto batch = std::make_shared<MetricBatch>();
    batch->trialId = trial;
    batch->experimentId = ExperimentId(experiment);
    for (int i = 0; i < count; ++i) {
        Metric metric;
        metric.sequence = first + i;
        metric.step = first + i;
        metric.data = QByteArray::number(0.5 + double(first + i));
        metric.value = parseMetricValue(metric.data);
        metric.time = 1'750'000'000'000 + i;
        batch->metrics.push_back(metric);
    }
    return batch;
}

static Change firstState()
{
    Change state;
    state.epoch = u"epoch1"_s;
    state.revision = 1;
    state.full = true;
    Platform platform{PlatformId(u"local"_s), u"local"_s};
    platform.state = PlatformState::ready;
    platform.capabilities = {true, true, true, true, true};
    platform.version = 1;
    state.platforms = {shared(platform)};
    Machine machine{MachineId(u"gpu-box-1"_s), PlatformId(u"local"_s), u"127.0.0.1"_s};
    machine.state = MachineState::ready;
    machine.lastContact = 1'750'000'000'000;
    machine.cpuCount = 8;
    machine.memoryTotal = 16'000'000'000;
    Gpu gpu{0, u"GPU-1"_s, u"H200"_s, 140'000'000'000, 1'000'000};
    gpu.reservations = {GpuReservation{GpuHolder::trial, TrialId(u"t00000000000001"_s), 1'750'000'000'000, {}}};
    machine.gpus = {gpu};
    state.machines = {shared(machine)};
    Experiment experiment;
    experiment.id = ExperimentId(u"e00000000000001"_s);
    experiment.spec.name = u"demo"_s;
    experiment.spec.platformId = PlatformId(u"local"_s);
    experiment.spec.trialCommand = u"python3 train.py"_s;
    experiment.state = ExperimentState::running;
    experiment.createdTime = 1'750'000'000'000;
    experiment.version = 1;
    state.experiments = {shared(experiment)};
    state.trials = {shared(sampleTrial(1))};
    Prompt prompt{
        PromptId(u"p00000000000001"_s), u"hostKey"_s, u"gpu-box-1"_s, u"Is this its key?"_s, {{u"Key"_s, true}}};
    state.prompts = {shared(prompt)};
    Operation request{OperationId(u"r00000000000001"_s), u"check"_s, u"local"_s, OperationState::running};
    request.createdTime = 1'750'000'000'000;
    request.steps = {CheckStep{u"folder"_s, u"The folder can be written"_s, CheckState::ok, {}, {}}};
    state.requests = {shared(request)};
    return state;
}

FakeEnginePort::FakeEnginePort()
    : m_context(std::make_unique<QObject>())
    , m_state(std::make_unique<State>())
{
    m_state->mirror.apply(firstState());
    m_thread.setObjectName(u"service"_s);
    m_context->moveToThread(&m_thread);
    m_thread.start();
}

FakeEnginePort::~FakeEnginePort()
{
    settle();
    m_thread.quit();
    m_thread.wait();
}

void FakeEnginePort::execute(Command command, std::function<void(Result<Reply>)> done)
{
    {
        const QMutexLocker lock(&m_mutex);
        m_commands.append(command);
    }
    QMetaObject::invokeMethod(m_context.get(), [this, command = std::move(command), done = std::move(done)] {
        if (m_state->handler && m_state->handler(command, done))
            return;
        Result<Reply> reply = m_state->answer(command);
        if (reply && reply->revision == 0)
            reply->revision = m_state->revision;
        done(std::move(reply));
    });
}

int FakeEnginePort::listen(std::function<void(ChangePtr)> changed)
{
    const QMutexLocker lock(&m_mutex);
    const int number = m_nextListener++;
    ++m_listenerCount;
    QMetaObject::invokeMethod(m_context.get(), [this, number, changed = std::move(changed)] {
        changed(m_state->full());
        m_state->listeners.emplace(number, changed);
    });
    return number;
}

void FakeEnginePort::stopListening(int listener)
{
    const QMutexLocker lock(&m_mutex);
    --m_listenerCount;
    QMetaObject::invokeMethod(m_context.get(), [this, listener] { m_state->listeners.erase(listener); });
}

void FakeEnginePort::setHandler(Handler handler)
{
    QMetaObject::invokeMethod(m_context.get(), [this, handler = std::move(handler)] { m_state->handler = handler; });
    settle();
}

void FakeEnginePort::publish(Change change)
{
    QMetaObject::invokeMethod(m_context.get(), [this, change = std::move(change)] { m_state->publish(change); });
}

void FakeEnginePort::restart(const QString& epoch)
{
    QMetaObject::invokeMethod(m_context.get(), [this, epoch] {
        m_state->epoch = epoch;
        m_state->revision = 0;
        m_state->tell(m_state->full());
    });
}

void FakeEnginePort::settle()
{
    QSemaphore done;
    QMetaObject::invokeMethod(m_context.get(), [&done] { done.release(); });
    done.acquire();
}

QList<Command> FakeEnginePort::commands() const
{
    const QMutexLocker lock(&m_mutex);
    return m_commands;
}

int FakeEnginePort::listeners() const
{
    const QMutexLocker lock(&m_mutex);
    return m_listenerCount;
}

// ----------------------------------------------------------------------------------------------------------------- answers

namespace {

Reply document(Json json)
{
    Reply reply;
    reply.document = std::move(json);
    return reply;
}

auto missing(const QString& what, const QString& id)
{
    return fail(Kind::not_found, u"There is no %1 \"%2\"."_s.arg(what, id));
}

Json idsOf(const QList<TrialPtr>& trials)
{
    Json ids = Json::array();
    for (const TrialPtr& trial : trials)
        ids.push_back(trial->id.value);
    return ids;
}

Reply selected(const QList<TrialPtr>& trials, bool dryRun)
{
    return document({{"count", trials.size()}, {"ids", idsOf(trials)}, {"dryRun", dryRun}});
}

} // namespace

Result<QList<TrialPtr>> FakeEnginePort::State::select(const TrialSelection& selection) const
{
    QList<TrialPtr> out;
    if (!selection.byFilter) {
        for (const QString& id : selection.ids) {
            const TrialPtr trial = mirror.trial(TrialId(id));
            if (!trial)
                return missing(u"trial"_s, id);
            out.append(trial);
        }
        return out;
    }
    for (const TrialPtr& trial : mirror.trials()) {
        if ((selection.experimentId.isEmpty() || trial->experimentId == selection.experimentId)
            && (selection.statuses.isEmpty() || selection.statuses.contains(trial->status)))
            out.append(trial);
    }
    return out;
}

QList<TrialPtr> FakeEnginePort::State::changeAll(
    const QList<TrialPtr>& trials, const std::function<void(Trial&)>& modify)
{
    QList<TrialPtr> out;
    for (const TrialPtr& trial : trials) {
        Trial next = *trial;
        modify(next);
        out.append(shared(next));
    }
    publish(Change{.trials = out});
    return out;
}

Reply FakeEnginePort::State::accepted(const QString& kind, const QString& subject)
{
    Operation request{
        OperationId(u"r%1"_s.arg(revision, 14, 10, QLatin1Char('0'))), kind, subject, OperationState::running};
    request.createdTime = 1'750'000'000'000;
    publish(Change{.requests = {shared(request)}});
    Reply reply = document({{"requestId", request.id.value}});
    reply.accepted = true;
    return reply;
}

Result<Reply> FakeEnginePort::State::submit(const SubmitTrials& c)
{
    if (!mirror.experiments().find(c.experiment))
        return missing(u"experiment"_s, c.experiment.value);
    Json list = Json::array();
    QList<TrialPtr> made;
    for (const TrialSubmission& request : c.trials) {
        Trial trial = sampleTrial(nextTrial++, c.experiment.value);
        trial.clientId = request.clientId;
        trial.parameters = request.hasForm ? QByteArray() : request.parameters;
        if (request.hasForm)
            trial.parameterCfg = request.formValue;
        trial.tags = request.tags;
        trial.priority = request.priority;
        trial.hold = request.hold;
        trial.gpuNumber = request.gpuNumber;
        made.append(shared(trial));
        list.push_back({{"id", trial.id.value}, {"clientId", trial.clientId.isEmpty() ? Json() : Json(trial.clientId)},
            {"sequenceId", trial.sequenceId}});
    }
    publish(Change{.trials = made});
    Reply reply = document({{"trials", list}});
    reply.created = true;
    return reply;
}

Result<Reply> FakeEnginePort::State::act(const ActOnExperiment& c)
{
    const ExperimentPtr present = mirror.experiments().find(c.id);
    if (!present)
        return missing(u"experiment"_s, c.id.value);
    // A machine whose trial is UNKNOWN does not answer.
    Json silent = Json::array();
    for (const TrialPtr& trial : mirror.trialsOf(c.id))
        if (trial->status == TrialStatus::unknown)
            silent.push_back({{"machineId", trial->machineId.value}, {"trialIds", {trial->id.value}}});
    const bool ends = c.action != ExperimentAction::pause && c.action != ExperimentAction::resume;
    if (ends && !c.force && !silent.empty())
        return tl::unexpected(api::outOfReachError(u"Machines do not answer."_s, silent));
    if (c.action == ExperimentAction::cleanup)
        return accepted(u"cleanup"_s, c.id.value);
    if (c.action == ExperimentAction::remove) {
        Change change;
        change.removed.experiments = {c.id};
        publish(change);
        return document(silent.empty() ? Json::object() : Json{{"outOfReach", silent}});
    }
    Experiment next = *present;
    next.state = c.action == ExperimentAction::pause ? ExperimentState::paused
        : c.action == ExperimentAction::resume       ? ExperimentState::running
                                                     : ExperimentState::stopped;
    ++next.version;
    publish(Change{.experiments = {shared(next)}});
    return document(toJson(next));
}

Result<Reply> FakeEnginePort::State::answer(const Command& command)
{
    return std::visit(
        Overloaded{
            [&](const PutPlatform& c) -> Result<Reply> {
                const PlatformPtr before = mirror.platforms().find(c.id);
                Platform platform{c.id, c.kind, c.settings};
                platform.version = before ? before->version + 1 : 1;
                publish(Change{.platforms = {shared(platform)}});
                Reply reply = document(toJson(platform));
                reply.created = !before;
                return reply;
            },
            [&](const DeletePlatform& c) -> Result<Reply> {
                Change change;
                change.removed.platforms = {c.id};
                publish(change);
                return document(Json::object());
            },
            [&](const CheckPlatform& c) -> Result<Reply> { return accepted(u"check"_s, c.id.value); },
            [&](const RetryPlatform& c) -> Result<Reply> {
                Platform platform = *mirror.platforms().find(c.id);
                platform.state = PlatformState::opening;
                publish(Change{.platforms = {shared(platform)}});
                return document(toJson(platform));
            },
            [&](const PlatformChoices&) -> Result<Reply> {
                return document({{"choices", {"0", "1"}}});
            },
            [&](const SetMetadata& c) -> Result<Reply> {
                metadata.insert(c.id.value + u'/' + c.key, c.value);
                return document(c.value);
            },
            [&](const GetMetadata& c) -> Result<Reply> {
                const auto it = metadata.constFind(c.id.value + u'/' + c.key);
                if (it == metadata.cend())
                    return missing(u"metadata"_s, c.key);
                Reply reply;
                reply.bytes = dumpJson(*it);
                reply.isJsonText = true;
                return reply;
            },
            [&](const ReserveGpu& c) -> Result<Reply> {
                Machine machine = *mirror.machines().find(c.machine);
                machine.gpus[0].reservations.clear();
                if (!c.release)
                    machine.gpus[0].reservations = {GpuReservation{GpuHolder::person, {}, 1'750'000'000'000, c.note}};
                publish(Change{.machines = {shared(machine)}});
                return document(toJson(machine));
            },
            [&](const ActOnMachine& c) -> Result<Reply> {
                if (c.action == MachineAction::check)
                    return accepted(u"doctor"_s, c.machine.value);
                Machine machine = *mirror.machines().find(c.machine);
                machine.state = c.action == MachineAction::drain ? MachineState::drained : MachineState::ready;
                publish(Change{.machines = {shared(machine)}});
                return document(toJson(machine));
            },
            [&](const RemoveMachine& c) -> Result<Reply> {
                Json live = Json::array();
                for (const TrialPtr& trial : mirror.trials())
                    if (trial->machineId == c.machine && !isFinal(trial->status))
                        live.push_back(trial->id.value);
                if (c.dryRun)
                    return document(Json{{"machineId", c.machine.value}, {"platformId", "local"}, {"trialFolders", 3},
                        {"liveTrials", live}});
                if (!live.empty() && !c.force)
                    return fail(Kind::conflict, u"Trials are under way on %1."_s.arg(c.machine.value));
                Change change;
                change.removed.machines = {c.machine};
                publish(change);
                return document(Json{{"machineId", c.machine.value}, {"platformId", "local"}, {"deleted", live.empty()},
                    {"message", "It is silent."}});
            },
            [&](const AnswerPrompt& c) -> Result<Reply> {
                if (!mirror.prompts().find(c.id))
                    return missing(u"question"_s, c.id.value);
                Change change;
                change.removed.prompts = {c.id};
                publish(change);
                return document(Json::object());
            },
            [&](const CreateExperiment& c) -> Result<Reply> {
                Experiment experiment;
                experiment.id = ExperimentId(u"e%1"_s.arg(revision + 10, 14, 10, QLatin1Char('0')));
                experiment.spec = c.spec;
                experiment.createdTime = 1'750'000'000'000;
                experiment.version = 1;
                publish(Change{.experiments = {shared(experiment)}});
                Reply reply = document(toJson(experiment));
                reply.created = true;
                return reply;
            },
            [&](const PatchExperiment& c) -> Result<Reply> {
                const ExperimentPtr present = mirror.experiments().find(c.id);
                if (!present)
                    return missing(u"experiment"_s, c.id.value);
                Experiment next = *present;
                if (c.name)
                    next.spec.name = *c.name;
                if (c.trialConcurrency)
                    next.spec.trialConcurrency = *c.trialConcurrency;
                if (c.maxTrialNumber)
                    next.spec.maxTrialNumber = *c.maxTrialNumber;
                ++next.version;
                publish(Change{.experiments = {shared(next)}});
                return document(toJson(next));
            },
            [&](const ActOnExperiment& c) -> Result<Reply> { return act(c); },
            [&](const RenewLease& c) -> Result<Reply> {
                const ExperimentPtr present = mirror.experiments().find(c.id);
                if (!present)
                    return missing(u"experiment"_s, c.id.value);
                return document(toJson(*present));
            },
            [&](const StoreCode& c) -> Result<Reply> {
                Reply reply = document({{"codeHash", c.sha}});
                reply.created = true;
                return reply;
            },
            [&](const SubmitTrials& c) -> Result<Reply> { return submit(c); },
            [&](const CancelTrials& c) -> Result<Reply> {
                const auto trials = select(c.selection);
                if (!trials)
                    return fail(trials);
                if (!c.dryRun)
                    changeAll(*trials, [&](Trial& trial) {
                        trial.status = c.isEarlyStopped ? TrialStatus::early_stopped : TrialStatus::user_canceled;
                    });
                return selected(*trials, c.dryRun);
            },
            [&](const RetryTrials& c) -> Result<Reply> {
                const auto trials = select(c.selection);
                if (!trials)
                    return fail(trials);
                if (c.dryRun)
                    return selected(*trials, true);
                Json list = Json::array();
                for (const TrialPtr& old : *trials) {
                    Trial next = sampleTrial(nextTrial++, old->experimentId.value);
                    next.clientId = old->clientId;
                    next.retryOf = old->id;
                    next.attempt = old->attempt + 1;
                    publish(shared(next));
                    list.push_back({{"id", next.id.value}, {"clientId", nullptr}, {"sequenceId", next.sequenceId},
                        {"retryOf", old->id.value}});
                }
                Reply reply = document({{"count", list.size()}, {"trials", list}});
                reply.created = true;
                return reply;
            },
            [&](const PatchTrials& c) -> Result<Reply> {
                const auto trials = select(c.selection);
                if (!trials)
                    return fail(trials);
                if (!c.dryRun)
                    changeAll(*trials, [&](Trial& trial) {
                        trial.priority = c.set.priority.value_or(trial.priority);
                        trial.hold = c.set.hold.value_or(trial.hold);
                        trial.tags = c.set.tags.value_or(trial.tags);
                        trial.note = c.set.note.value_or(trial.note);
                        trial.parameterCfg = c.set.formValue.value_or(trial.parameterCfg);
                    });
                return selected(*trials, c.dryRun);
            },
            [&](const MoveQueue&) -> Result<Reply> { return document(Json::object()); },
            [&](const ReadMetrics& c) -> Result<Reply> {
                Reply reply;
                reply.isJsonText = true;
                reply.bytes = "{\"metrics\":[";
                const MetricBatchPtr batch =
                    sampleMetrics(c.cursors[0].trial, c.cursors[0].since, int(std::min<qint64>(c.limit, 3)));
                for (const Metric& metric : batch->metrics) {
                    if (!reply.bytes.endsWith('['))
                        reply.bytes += ',';
                    appendMetricJson(reply.bytes, batch->trialId, metric);
                }
                reply.bytes += "],\"next\":" + QByteArray::number(batch->metrics.back().sequence + 1) + '}';
                return reply;
            },
            [&](const ReadTrialEvents& c) -> Result<Reply> {
                const TrialEvent event{c.since, 1'750'000'000'000, TrialEventKind::accepted, u"Accepted."_s};
                return document({{"events", {toJson(event)}}, {"next", c.since + 1}});
            },
            [&](const ReadFailures&) -> Result<Reply> {
                return document({{"groups",
                    {{{"cause", "out of memory"}, {"count", 1}, {"machines", {"gpu-box-1"}}, {"sample", "Killed"},
                        {"trialIds", {"t00000000000001"}}}}}});
            },
            [&](const ReadSeries& c) -> Result<Reply> {
                Json column = {{"x", 0}, {"min", 0.1}, {"max", 0.9}, {"first", 0.1}, {"last", 0.9}, {"count", 4}};
                return document({{"series", {{{"trialId", c.trials[0].value}, {"columns", {column}}}}}});
            },
            [&](const ListLogs&) -> Result<Reply> {
                return document({{"logs", {"stdout", "stderr"}}, {"default", "stdout"}, {"output", {"stdout"}}});
            },
            [&](const ReadLog& c) -> Result<Reply> {
                static const QByteArray text = "first line\nsecond line\n";
                Reply reply;
                reply.size = text.size();
                reply.offset =
                    c.tail ? std::max<qint64>(0, text.size() - *c.tail) : std::min<qint64>(c.offset, text.size());
                reply.bytes = text.mid(reply.offset, c.limit);
                reply.end = reply.offset + reply.bytes.size() == text.size();
                return reply;
            },
            [&](const ListFiles&) -> Result<Reply> {
                return document({{"files",
                                     {{{"path", "model"}, {"size", 0}, {"modified", 1'750'000'000'000},
                                         {"folder", true}, {"type", "folder"}}}},
                    {"next", nullptr}});
            },
            [&](const HasCode& c) -> Result<Reply> {
                return document({{"codeHash", c.sha}});
            },
            [&](const ReadGpuUsage&) -> Result<Reply> {
                return document({{"samples",
                    {{{"time", 1'750'000'000'000}, {"gpus", 8}, {"ours", 5}, {"foreign", 1}, {"reserved", 1},
                        {"silent", 0}, {"free", 1}}}}});
            },
            [&](const ReadPlatformKinds&) -> Result<Reply> {
                return document({{"kinds",
                    {{{"kind", "local"}, {"title", "This computer"},
                        {"fields", {{{"name", "gpuIndices"}, {"type", "indices"}, {"secret", false}}}}}}}});
            },
        },
        command);
}

} // namespace fakes
