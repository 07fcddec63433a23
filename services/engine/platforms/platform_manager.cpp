// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_manager.h"

#include "cluster_metadata.h"
#include "live_trials.h"

#include "services/core/message/message_json.h"
#include "services/core/logging.h"
#include "services/core/record_json.h"
#include "services/platforms/platform_fields.h"
#include "services/trial/ingest_token.h"

#include <QRandomGenerator>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace engine {

/// The sink of one platform: turns its facts into the manager's signals.
class PlatformManager::PlatformSink : public platforms::Sink
{
public:
    PlatformSink(PlatformManager& manager, PlatformId id)
        : m_manager(manager)
        , m_id(std::move(id))
    {
    }
    void state(PlatformState state, const Message& message) override;
    void observed(const platforms::Observation& observation) override { emit m_manager.observed(m_id, observation); }
    void queues(const QList<PlatformQueue>& queues) override
    {
        const PlatformPtr record = m_manager.m_state.platforms.value(m_id);
        if (record && record->queues != queues)
            m_manager.changePlatform(m_id, [&](Platform& platform) { platform.queues = queues; });
    }
    void records(const platforms::RecordBytes& bytes) override { emit m_manager.records(m_id, bytes); }
    void machines(const QList<Machine>& machines) override { emit m_manager.machinesSeen(m_id, machines); }
    void computer(const MachineId& machine, const QString& bootId) override
    {
        emit m_manager.computerSeen(machine, bootId);
    }
    void lost(const MachineId& machine, qint64 since) override { emit m_manager.lost(m_id, machine, since); }
    void finding(const OperationId& request, const CheckStep& step) override
    {
        m_manager.m_requests.step(request, step);
    }
    void progress(const TrialId& trial, const Message& text) override { emit m_manager.progressed(trial, text); }
    void note(const TrialId& trial, TrialEventKind kind, const Message& text) override
    {
        emit m_manager.noted(trial, kind, text);
    }
    void prompt(const Prompt& prompt, std::function<void(PromptAnswer)> answered) override
    {
        m_manager.m_prompts.ask(prompt, answered);
    }
    void withdraw(const PromptId& prompt) override { m_manager.m_prompts.withdraw(prompt); }
    void secret(const QString& field, const QString& value) override
    {
        m_manager.storeSecret(m_id, this, field, value);
    }

private:
    PlatformManager& m_manager;
    PlatformId m_id;
};

/// One life of a platform, from the making of its object to its close. Work that is under way on it holds a share, so that neither
/// the platform nor its sink dies before that work ends.
struct PlatformManager::Entry
{
    enum class Stage { opening, open, closed };

    Entry(PlatformManager& manager, const PlatformId& platformId, std::unique_ptr<platforms::Platform> made)
        : id(platformId)
        , sink(manager, platformId)
        , platform(std::move(made))
    {
    }

    const PlatformId id;
    PlatformSink sink;
    const std::unique_ptr<platforms::Platform> platform; ///< dies before its sink
    Stage stage = Stage::opening;
};

void PlatformManager::PlatformSink::state(PlatformState state, const Message& message)
{
    m_manager.changePlatform(m_id, [&](Platform& platform) {
        platform.state = state;
        platform.message = message;
    });
}

PlatformManager::PlatformManager(const EngineConfig& config, EngineState& state, store::Store& store,
    secrets::SecretStore& secrets, platforms::PlatformRegistry& kinds, Scope& scope)
    : m_config(config)
    , m_state(state)
    , m_kinds(kinds)
    , m_scope(scope)
    , m_requests(state)
    , m_settings(config.configDir, secrets, kinds)
    , m_prompts(state)
    , m_metadata(store)
{
}

PlatformManager::~PlatformManager() = default;

static bool validId(const QString& id)
{
    static const QRegularExpression pattern(u"^[a-z0-9][a-z0-9._-]{0,62}$"_s);
    return pattern.match(id).hasMatch();
}

static auto ending()
{
    return fail(Kind::cancelled, u"The service is ending."_m);
}

Task<Result<>> PlatformManager::open()
{
    const Result<QList<PlatformPtr>> read = co_await m_settings.read();
    if (!read)
        co_return fail(read);
    for (const PlatformPtr& record : *read)
        m_state.platforms.insert(record->id, record);
    const PlatformId local(u"local"_s);
    if (!m_state.platforms.contains(local) && m_kinds.find(u"local"_s)) {
        auto record = std::make_shared<Platform>();
        record->id = local;
        record->kind = u"local"_s;
        record->version = 1;
        m_state.platforms.insert(local, record);
    }
    const auto records = m_state.platforms;
    for (const PlatformPtr& record : records) {
        m_state.changes().touch(record);
        if (record->state == PlatformState::opening)
            start(record->id);
    }
    co_return Result<>{};
}

bool PlatformManager::isEnding() const
{
    return m_scope.stopToken().stop_requested();
}

void PlatformManager::start(const PlatformId& id)
{
    const PlatformPtr record = m_state.platforms.value(id);
    Result<std::unique_ptr<platforms::Platform>> made = m_kinds.make(record->kind);
    if (!made) {
        m_entries.erase(id);
        changePlatform(id, [&](Platform& platform) {
            platform.state = PlatformState::failed;
            platform.message = made.error().message;
        });
        return;
    }
    const auto entry = std::make_shared<Entry>(*this, id, std::move(*made));
    m_entries[id] = entry;
    m_retryTimers.erase(id);
    changePlatform(id, [&](Platform& platform) {
        platform.state = PlatformState::opening;
        platform.retryTime.reset();
        platform.queues.clear();
        platform.message.clear();
        platform.capabilities = entry->platform->describe().capabilities;
    });
    m_scope.spawn(
        [this, entry, kind = record->kind, settings = record->settings] { return run(entry, kind, settings); });
}

Task<> PlatformManager::run(std::shared_ptr<Entry> entry, QString kind, Json settings)
{
    const Result<Json> full = co_await m_settings.withSecrets(entry->id, kind, settings);
    if (entry->stage == Entry::Stage::closed)
        co_return;
    Result<> result = full ? Result<>{} : Result<>(fail(full));
    if (full)
        result = co_await entry->platform->open(*full, contextOf(*entry, *full));
    // Another command closed it meanwhile: the state is of what came after it.
    if (entry->stage == Entry::Stage::closed || isEnding())
        co_return;
    if (!result) {
        qCWarning(lcPlatform) << entry->id.value << "cannot be opened:" << result.error().message
                              << result.error().detail;
        entry->stage = Entry::Stage::closed;
        const std::optional<qint64> delay =
            m_retries.failed(entry->id, result.error().kind, QRandomGenerator::global()->generateDouble());
        changePlatform(entry->id, [&](Platform& platform) {
            platform.state = PlatformState::failed;
            platform.message = result.error().message;
            if (delay)
                platform.retryTime = m_state.clock().nowMs() + *delay;
        });
        if (delay)
            m_retryTimers[entry->id] = m_state.clock().after(
                *delay, [this, id = entry->id] { m_scope.spawn([this, id] { return reopen(id); }); });
        co_return;
    }
    entry->stage = Entry::Stage::open;
    m_retries.over(entry->id);
    changePlatform(entry->id, [](Platform& platform) {
        if (platform.state == PlatformState::opening)
            platform.state = PlatformState::ready;
    });
    emit opened(entry->id);
}

Task<> PlatformManager::reopen(PlatformId id)
{
    const CommandQueue::Turn turn = co_await m_commands.turn(id);
    const PlatformPtr record = m_state.platforms.value(id);
    // Another command may have come first.
    if (!isEnding() && record && record->state == PlatformState::failed && record->retryTime)
        start(id);
}

Task<Result<Reply>> PlatformManager::retry(RetryPlatform command)
{
    const CommandQueue::Turn turn = co_await m_commands.turn(command.id);
    if (isEnding())
        co_return ending();
    const PlatformPtr record = m_state.platforms.value(command.id);
    if (!record)
        co_return fail(Kind::not_found, u"There is no platform \"%1\"."_m.arg(command.id.value));
    const auto entry = entryOf(command.id);
    if (!entry) // its settings file or its kind is at fault
        co_return fail(Kind::conflict, record->message);
    if (entry->stage == Entry::Stage::open)
        co_return fail(Kind::conflict, u"The platform %1 is open."_m.arg(command.id.value));
    if (entry->stage == Entry::Stage::closed) {
        m_retries.over(command.id);
        start(command.id);
    }
    co_return Reply{.document = toJson(*m_state.platforms.value(command.id))};
}

Task<> PlatformManager::end(std::shared_ptr<Entry> entry)
{
    if (!entry || entry->stage == Entry::Stage::closed)
        co_return;
    entry->stage = Entry::Stage::closed;
    co_await entry->platform->close();
}

Task<> PlatformManager::close()
{
    m_retryTimers.clear();
    // No turn is asked for: the service ends also when a command hangs. What runs ends by itself and opens nothing any more.
    std::vector<Task<>> ending;
    for (const auto& [id, entry] : std::map(m_entries))
        ending.push_back(end(entry));
    for (Task<>& task : ending)
        co_await task;
}

std::shared_ptr<PlatformManager::Entry> PlatformManager::entryOf(const PlatformId& id) const
{
    const auto it = m_entries.find(id);
    return it != m_entries.end() ? it->second : nullptr;
}

std::shared_ptr<PlatformManager::Entry> PlatformManager::openEntry(const PlatformId& id) const
{
    std::shared_ptr<Entry> entry = entryOf(id);
    return entry && entry->stage == Entry::Stage::open ? entry : nullptr;
}

platforms::Platform* PlatformManager::ready(const PlatformId& id) const
{
    const auto entry = openEntry(id);
    return entry ? entry->platform.get() : nullptr;
}

const platforms::KindDescription* PlatformManager::kindOf(const PlatformId& id) const
{
    const PlatformPtr record = m_state.platforms.value(id);
    return record ? m_kinds.find(record->kind) : nullptr;
}

Result<Json> PlatformManager::checkedOptions(const PlatformId& id, const Json& options) const
{
    const PlatformPtr record = m_state.platforms.value(id);
    const platforms::KindDescription* kind = record ? m_kinds.find(record->kind) : nullptr;
    if (!kind || kind->experimentFields.isEmpty())
        return options; // a kind without options of its own takes any and reads none
    Result<Json> checked = platforms::checkedOptions(kind->experimentFields, options);
    const platforms::Platform* rules = m_kinds.rules(record->kind);
    if (!checked || !rules)
        return checked;
    if (const Result<> works = rules->checkOptions(record->settings, *checked); !works)
        return fail(works);
    return checked;
}

platforms::Context PlatformManager::contextOf(Entry& entry, const Json& settings)
{
    platforms::Context context;
    context.id = entry.id;
    context.sink = &entry.sink;
    context.clock = &m_state.clock();
    context.dataDir = m_config.dataDir;
    context.serviceId = m_config.serviceId;
    context.placementKey = m_config.placementKey;
    context.posts = {m_config.ingest.url, trial::ingestMark(m_config.ingest.key)};
    context.keeperPath = m_config.keeperPath;
    context.cluster = platforms::clusterKey(entry.platform->describe().fields, settings);
    context.stop = m_scope.stopToken();
    return context;
}

Task<Result<Reply>> PlatformManager::put(PutPlatform command)
{
    if (!validId(command.id.value))
        co_return fail(Kind::invalid,
            u"A platform's id has 1 to 63 of the characters a-z, 0-9, '.', '_', '-', and begins with a letter or digit."_m);
    const CommandQueue::Turn turn = co_await m_commands.turn(command.id);
    auto putting = putInTurn(std::move(command));
    co_return co_await putting;
}

Task<Result<Reply>> PlatformManager::putInTurn(PutPlatform command)
{
    if (isEnding())
        co_return ending();
    const PlatformPtr before = m_state.platforms.value(command.id);
    if (command.ifMatch && (before ? before->version : 0) != *command.ifMatch)
        co_return fail(Kind::conflict,
            before ? u"The platform was changed by somebody else meanwhile: read it again."_m
                   : u"The platform was removed by somebody else meanwhile."_m,
            u"if-match"_s);
    if (before && before->kind != command.kind && hasLiveTrials(m_state, command.id))
        co_return fail(
            Kind::conflict, u"%1 has trials under way, so its kind cannot be changed."_m.arg(command.id.value));
    const platforms::KindDescription* kind = m_kinds.find(command.kind);
    if (!kind) {
        const Result<std::unique_ptr<platforms::Platform>> none = m_kinds.make(command.kind);
        co_return fail(Kind::invalid, none.error().message);
    }
    Json earlier = Json::object();
    if (before && before->kind == command.kind) {
        const Result<Json> full = co_await m_settings.withSecrets(command.id, command.kind, before->settings);
        if (!full)
            co_return fail(full);
        earlier = *full;
    }
    const Result<Json> merged = platforms::mergedSettings(kind->fields, command.settings, earlier);
    if (!merged)
        co_return fail(merged);
    const Result<Json> checked = platforms::checkedSettings(kind->fields, *merged);
    if (!checked)
        co_return fail(checked);
    const platforms::Platform* rules = m_kinds.rules(command.kind);
    const Result<Json> settings = rules->completed(*checked, earlier);
    if (!settings)
        co_return fail(settings);
    QList<MachineId> left = rules->leftBehind(earlier, *settings, command.id);
    const bool isOther =
        before && before->kind == command.kind && platforms::namesOther(kind->fields, earlier, *settings);
    if (isOther)
        left = machinesOfLive(m_state, command.id);
    if (const Result<> none = noLiveTrials(m_state, command.id, left); !none && !command.force)
        co_return isOther ? fail(none, u"These settings mean another cluster"_m) : fail(none);
    // Only this command ends the entry, but for the end of the service.
    const auto entry = entryOf(command.id);
    bool staysOpen = false;
    if (entry && entry->stage == Entry::Stage::open && before->kind == command.kind) {
        const Result<bool> can = entry->platform->canReconfigure(*settings);
        if (!can)
            co_return fail(can);
        staysOpen = *can;
    }
    const qint64 version = before ? before->version + 1 : 1;
    const Result<> written = co_await m_settings.write(command.id, command.kind, *settings, version);
    if (!written)
        co_return fail(written);

    if (command.force && !left.isEmpty())
        emit leftBehind(command.id, left);
    const Json shown = platforms::splitSecrets(kind->fields, *settings).shown;
    if (staysOpen) {
        changePlatform(command.id, [&](Platform& platform) {
            platform.settings = shown;
            platform.version = version;
        });
        const QList<MachineId> interrupted = co_await entry->platform->reconfigure(*settings);
        if (!isEnding())
            emit reconfigured(command.id, interrupted);
    } else {
        auto record = std::make_shared<Platform>();
        record->id = command.id;
        record->kind = command.kind;
        record->settings = shown;
        record->version = version;
        m_state.platforms.insert(command.id, record);
        m_retries.over(command.id);
        m_retryTimers.erase(command.id);
        co_await end(entry);
        m_state.changes().touch(PlatformPtr(record));
        if (!isEnding())
            start(command.id);
    }
    co_return Reply{.document = toJson(*m_state.platforms.value(command.id)), .created = !before};
}

Task<Result<Reply>> PlatformManager::remove(DeletePlatform command)
{
    const CommandQueue::Turn turn = co_await m_commands.turn(command.id);
    if (isEnding())
        co_return ending();
    if (!m_state.platforms.contains(command.id))
        co_return fail(Kind::not_found, u"There is no platform \"%1\"."_m.arg(command.id.value));
    if (command.id.value == u"local")
        co_return fail(Kind::conflict, u"The platform \"local\" is this computer and always there."_m);
    for (const ExperimentId& id : m_state.experimentOrder()) {
        const ExperimentPtr experiment = m_state.experiment(id);
        const bool ended = experiment->state == ExperimentState::stopped || experiment->state == ExperimentState::done
            || experiment->state == ExperimentState::error;
        if (experiment->spec.platformId == command.id && !ended)
            co_return fail(Kind::conflict,
                u"The experiment \"%1\" uses this platform: stop it first."_m.arg(experiment->spec.name));
    }
    if (hasLiveTrials(m_state, command.id))
        co_return fail(Kind::conflict, u"Trials are under way on %1: cancel them first."_m.arg(command.id.value));
    const auto entry = entryOf(command.id);
    m_entries.erase(command.id);
    m_retries.over(command.id);
    m_retryTimers.erase(command.id);
    m_state.platforms.remove(command.id);
    m_state.changes().removed(command.id);
    emit removed(command.id);
    m_metadata.removePlatform(command.id);
    co_await end(entry);
    co_await m_settings.remove(command.id);
    co_return Reply{.document = Json::object()};
}

Task<Result<Reply>> PlatformManager::removeMachine(RemoveMachine command)
{
    const MachinePtr machine = m_state.machines.value(command.machine);
    if (!machine)
        co_return fail(Kind::not_found, u"There is no machine \"%1\"."_m.arg(command.machine.value));
    const PlatformId id = machine->platformId;
    const CommandQueue::Turn turn = co_await m_commands.turn(id);
    if (isEnding())
        co_return ending();
    const PlatformPtr record = m_state.platforms.value(id);
    if (!record)
        co_return fail(Kind::not_found, u"There is no machine \"%1\" any more."_m.arg(command.machine.value));
    const Result<Json> settings = co_await m_settings.withSecrets(id, record->kind, record->settings);
    if (!settings)
        co_return fail(settings);
    const platforms::Platform* rules = m_kinds.rules(record->kind);
    if (!rules)
        co_return fail(Kind::conflict, u"There is no platform of kind \"%1\"."_m.arg(record->kind));
    const Result<Json> rest = rules->without(*settings, command.machine, id);
    if (!rest)
        co_return fail(rest);
    const auto isThere = [&](const TrialEntry* entry) {
        return entry->trial->platformId == id && entry->trial->machineId == command.machine && entry->state.submitted
            && !entry->state.cleaned;
    };
    if (command.dryRun) {
        Json live = Json::array();
        qint64 folders = 0;
        for (const TrialEntry* entry : m_state.trials()) {
            if (!isThere(entry))
                continue;
            ++folders;
            if (!isFinal(entry->trial->status))
                live.push_back(entry->trial->id.value);
        }
        co_return Reply{.document = {{"machineId", command.machine.value}, {"platformId", id.value},
                            {"address", machine->address}, {"trialFolders", folders}, {"liveTrials", live}}};
    }
    if (const Result<> none = noLiveTrials(m_state, id, {command.machine}); !none && !command.force)
        co_return fail(none);
    const auto entry = openEntry(id);
    if (entry && command.force) {
        QList<platforms::TrialRef> live;
        for (const TrialEntry* trial : m_state.trials())
            if (isThere(trial) && !isFinal(trial->trial->status))
                live.append({.trial = trial->trial->id,
                    .experiment = trial->trial->experimentId,
                    .machine = command.machine,
                    .handle = trial->state.handle,
                    .cursors = {}});
        // One that is not reached is cancelled when it is seen again.
        if (!live.isEmpty())
            std::ignore = co_await entry->platform->cancel(live, CancelIntent::user);
    }
    if (command.force)
        emit leftBehind(id, {command.machine});
    Result<> deleted = fail(Kind::conflict, u"The platform %1 is not open."_m.arg(id.value));
    if (entry)
        deleted = co_await entry->platform->removeAll(command.machine);
    if (isEnding())
        co_return ending();
    if (deleted) {
        for (TrialEntry* trial : m_state.trials())
            if (isThere(trial) && isFinal(trial->trial->status))
                m_state.changeState(*trial, [](store::TrialPrivate& state) { state.cleaned = 1; });
        emit cleared(command.machine);
    }
    auto putting = putInTurn(PutPlatform{id, record->kind, *rest, std::nullopt, command.force});
    const Result<Reply> put = co_await putting;
    if (!put)
        co_return fail(put);
    const Message message = deleted ? u"Everything of Trialdeck was deleted there."_m
                                    : u"What Trialdeck keeps there was not deleted: %1"_m.arg(deleted.error().message);
    Reply reply{
        .document = {{"machineId", command.machine.value}, {"platformId", id.value}, {"deleted", deleted.has_value()}}};
    core::addMessage(reply.document, "message", message);
    co_return reply;
}

Task<Result<Reply>> PlatformManager::check(CheckPlatform command)
{
    // The turn covers the beginning of a check. A check itself may wait for a person and holds no command up.
    const CommandQueue::Turn turn = co_await m_commands.turn(command.id);
    if (isEnding())
        co_return ending();
    if (!command.unsaved && !command.testTrial) {
        if (!m_state.platforms.value(command.id))
            co_return fail(Kind::not_found, u"There is no platform \"%1\"."_m.arg(command.id.value));
        const auto entry = openEntry(command.id);
        if (!entry)
            co_return fail(Kind::conflict, u"The platform %1 is not open."_m.arg(command.id.value));
        const OperationId request = m_requests.begin(u"check"_s, command.id.value);
        examine(request, entry, Json::object(), MachineId(), platforms::CheckExtent::look);
        co_return Reply{.document = {{"requestId", request.value}}, .accepted = true};
    }
    QString kindName = command.kind;
    Json settings = command.settings;
    if (!command.unsaved || !command.id.isEmpty()) {
        const PlatformPtr record = m_state.platforms.value(command.id);
        if (!record && !command.unsaved)
            co_return fail(Kind::not_found, u"There is no platform \"%1\"."_m.arg(command.id.value));
        if (record && (!command.unsaved || record->kind == kindName)) {
            kindName = record->kind;
            const Result<Json> full = co_await m_settings.withSecrets(record->id, kindName, record->settings);
            if (!full)
                co_return fail(full);
            // Changes that are not saved yet leave secrets out that are.
            const platforms::KindDescription* known = m_kinds.find(kindName);
            const Result<Json> merged =
                command.unsaved && known ? platforms::mergedSettings(known->fields, settings, *full) : full;
            if (!merged)
                co_return fail(merged);
            settings = *merged;
        }
    }
    const platforms::KindDescription* kind = m_kinds.find(kindName);
    Result<std::unique_ptr<platforms::Platform>> made = m_kinds.make(kindName);
    if (!kind || !made)
        co_return fail(Kind::invalid, made ? u"There is no such kind."_m : made.error().message);
    const Result<Json> checked = platforms::checkedSettings(kind->fields, settings);
    if (!checked)
        co_return fail(checked);
    const OperationId request = m_requests.begin(u"check"_s, command.id.value);
    const auto entry = std::make_shared<Entry>(*this, command.id, std::move(*made));
    examine(request, entry, *checked, MachineId(), platforms::CheckExtent::whole);
    co_return Reply{.document = {{"requestId", request.value}}, .accepted = true};
}

Task<Result<Reply>> PlatformManager::checkMachine(MachineId id)
{
    const MachinePtr machine = m_state.machines.value(id);
    if (!machine)
        co_return fail(Kind::not_found, u"There is no machine \"%1\"."_m.arg(id.value));
    const CommandQueue::Turn turn = co_await m_commands.turn(machine->platformId);
    if (isEnding())
        co_return ending();
    const auto entry = openEntry(machine->platformId);
    if (!entry)
        co_return fail(
            Kind::conflict, u"The platform %1 of this machine is not open."_m.arg(machine->platformId.value));
    const OperationId request = m_requests.begin(u"doctor"_s, id.value);
    examine(request, entry, Json::object(), id, platforms::CheckExtent::whole);
    co_return Reply{.document = {{"requestId", request.value}}, .accepted = true};
}

void PlatformManager::examine(const OperationId& request, const std::shared_ptr<Entry>& entry, const Json& settings,
    const MachineId& machine, platforms::CheckExtent extent)
{
    m_scope.spawn([this, request, entry, settings, machine, extent]() -> Task<> {
        const Result<> result =
            co_await entry->platform->check(request, settings, machine, extent, contextOf(*entry, settings));
        m_requests.finish(request, result);
    });
}

Task<Result<Reply>> PlatformManager::choices(PlatformChoices command)
{
    Result<std::unique_ptr<platforms::Platform>> made = m_kinds.make(command.kind);
    if (!made)
        co_return fail(Kind::not_found, made.error().message);
    const QString name =
        command.field.section(u'.', 0, 0).section(u'[', 0, 0); // `machineList[2].host` is of machineList
    const platforms::KindDescription kind = (*made)->describe();
    const QList<platforms::Field>& fields = kind.fields;
    const auto isIn = [&name](const QList<platforms::Field>& list) {
        return std::any_of(
            list.begin(), list.end(), [&name](const platforms::Field& field) { return field.name == name; });
    };
    if (!isIn(fields) && !isIn(kind.experimentFields))
        co_return fail(Kind::not_found, u"The kind \"%1\" has no setting \"%2\"."_m.arg(command.kind, command.field));
    Json settings = command.settings;
    const PlatformPtr record = m_state.platforms.value(command.id);
    if (record && record->kind == command.kind) {
        const Result<Json> saved = co_await m_settings.withSecrets(record->id, record->kind, record->settings);
        if (!saved)
            co_return fail(saved);
        const Result<Json> merged = platforms::mergedSettings(fields, settings, *saved);
        if (!merged)
            co_return fail(merged);
        settings = *merged;
    }
    // Held by this call, with the sink that the context points to.
    const auto entry = std::make_shared<Entry>(*this, command.id, std::move(*made));
    platforms::Platform* platform = entry->platform.get();
    const Result<QStringList> choices =
        co_await platform->choices(command.field, settings, contextOf(*entry, settings));
    if (!choices)
        co_return fail(choices);
    Json list = Json::array();
    for (const QString& choice : *choices)
        list.push_back(choice);
    Json document = {{"choices", list}};
    const Result<Json> details = co_await platform->choiceDetails(command.field, *choices);
    if (details && !details->empty())
        document["details"] = *details;
    co_return Reply{.document = document};
}

void PlatformManager::storeSecret(
    const PlatformId& id, const platforms::Sink* from, const QString& field, const QString& value)
{
    m_scope.spawn([this, id, from, field, value]() -> Task<> {
        const CommandQueue::Turn turn = co_await m_commands.turn(id);
        const auto entry = entryOf(id);
        const PlatformPtr record = m_state.platforms.value(id);
        if (!record || !entry || &entry->sink != from || entry->stage == Entry::Stage::closed)
            co_return; // the settings that it was a part of are gone
        const platforms::KindDescription* kind = m_kinds.find(record->kind);
        const bool isSecret = std::any_of(kind->fields.begin(), kind->fields.end(),
            [&](const platforms::Field& known) { return known.name == field && known.secret; });
        Result<Json> settings = fail(Kind::internal, u"There is no secret %1."_m.arg(field));
        if (isSecret)
            settings = co_await m_settings.withSecrets(id, record->kind, record->settings);
        Result<> written = settings ? Result<>{} : Result<>(fail(settings));
        if (settings) {
            (*settings)[field.toStdString()] = value;
            written = co_await m_settings.write(id, record->kind, *settings, record->version);
        }
        if (!written) {
            qCWarning(lcPlatform) << "the new" << field << "of" << id.value
                                  << "is not stored:" << written.error().message;
            co_return;
        }
        // Set for the first time, it is shown as set from now on.
        changePlatform(id, [&](Platform& platform) { platform.settings[field.toStdString()] = Json{{"set", true}}; });
    });
}

Task<Result<Reply>> PlatformManager::setMetadata(SetMetadata command)
{
    const CommandQueue::Turn turn = co_await m_commands.turn(command.id);
    if (isEnding())
        co_return ending();
    const PlatformPtr record = m_state.platforms.value(command.id);
    if (!record)
        co_return fail(Kind::not_found, u"There is no platform \"%1\"."_m.arg(command.id.value));
    const bool used = std::any_of(m_state.trials().begin(), m_state.trials().end(),
        [&](const TrialEntry* entry) { return entry->trial->platformId == command.id; });
    if (used)
        co_return fail(Kind::conflict,
            u"Metadata is set before the first trial of a platform; %1 has run trials."_m.arg(command.id.value));
    const Result<std::optional<Json>> settings =
        settingsOfMetadata(record->kind, command.key, command.value, record->settings);
    if (!settings)
        co_return fail(settings);
    if (*settings) {
        const PutPlatform put{command.id, record->kind, **settings, std::nullopt};
        const Result<Reply> changed = co_await putInTurn(put);
        if (!changed)
            co_return fail(changed);
        // Passwords are among these: the platform keeps them where secrets belong, and shows that they are set.
        if (command.key == u"machine_list")
            command.value = m_state.platforms.value(command.id)->settings.at("machineList");
    }
    const Result<> kept = co_await m_metadata.set(command.id, command.key, dumpJson(command.value));
    if (!kept)
        co_return fail(kept);
    co_return Reply{.document = command.value};
}

Result<Reply> PlatformManager::getMetadata(const GetMetadata& command) const
{
    if (!m_state.platforms.contains(command.id))
        return fail(Kind::not_found, u"There is no platform \"%1\"."_m.arg(command.id.value));
    const std::optional<QByteArray> value = m_metadata.value(command.id, command.key);
    if (!value)
        return fail(Kind::not_found, u"The metadata key \"%1\" was not set."_m.arg(command.key));
    return Reply{.bytes = *value, .isJsonText = true};
}

Task<Result<Reply>> PlatformManager::trust(MachineId id, QString fingerprint)
{
    const MachinePtr machine = m_state.machines.value(id);
    if (!machine)
        co_return fail(Kind::not_found, u"There is no machine \"%1\" of an open platform."_m.arg(id.value));
    const CommandQueue::Turn turn = co_await m_commands.turn(machine->platformId);
    if (isEnding())
        co_return ending();
    const auto entry = openEntry(machine->platformId);
    if (!entry)
        co_return fail(Kind::not_found, u"There is no machine \"%1\" of an open platform."_m.arg(id.value));
    const Result<> trusted = co_await entry->platform->trust(id, fingerprint);
    if (!trusted)
        co_return fail(trusted);
    const MachinePtr now = m_state.machines.value(id);
    co_return Reply{.document = now ? toJson(*now) : Json::object()};
}

void PlatformManager::changePlatform(const PlatformId& id, const std::function<void(Platform&)>& modify)
{
    const PlatformPtr before = m_state.platforms.value(id);
    if (!before)
        return; // it was removed
    auto next = std::make_shared<Platform>(*before);
    modify(*next);
    m_state.platforms.insert(id, next);
    m_state.changes().touch(PlatformPtr(next));
}

} // namespace engine
