// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_manager.h"

#include "cluster_metadata.h"

#include "services/core/logging.h"
#include "services/core/record_json.h"
#include "services/platforms/platform_fields.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSaveFile>

using namespace Qt::StringLiterals;

namespace engine {

/// The sink of one platform: turns its facts into the desk's signals.
class PlatformManager::PlatformSink : public platforms::Sink
{
public:
    PlatformSink(PlatformManager& desk, PlatformId id)
        : m_manager(desk)
        , m_id(std::move(id))
    {
    }
    void state(PlatformState state, const QString& message) override;
    void observed(const platforms::Observation& observation) override { emit m_manager.observed(m_id, observation); }
    void records(const platforms::RecordBytes& bytes) override { emit m_manager.records(m_id, bytes); }
    void machines(const QList<Machine>& machines) override { emit m_manager.machinesSeen(m_id, machines); }
    void lost(const MachineId& machine, qint64 since) override { emit m_manager.lost(m_id, machine, since); }
    void finding(const OperationId& request, const CheckStep& step) override
    {
        m_manager.m_requests.step(request, step);
    }
    void progress(const TrialId& trial, const QString& text) override { emit m_manager.progressed(trial, text); }
    void note(const TrialId& trial, TrialEventKind kind, const QString& text) override
    {
        emit m_manager.noted(trial, kind, text);
    }
    void prompt(const Prompt& prompt, std::function<void(PromptAnswer)> answered) override;
    void withdraw(const PromptId& prompt) override { m_manager.forgetPrompt(prompt); }

private:
    PlatformManager& m_manager;
    PlatformId m_id;
};

struct PlatformManager::Entry
{
    PlatformId id;
    std::unique_ptr<PlatformSink> sink;
    std::unique_ptr<platforms::Platform> platform;
    bool isOpen = false;
    bool busy = false; ///< being opened or closed
};

void PlatformManager::PlatformSink::state(PlatformState state, const QString& message)
{
    const auto it = m_manager.m_entries.find(m_id);
    if (it == m_manager.m_entries.end())
        return;
    m_manager.changePlatform(*it->second, [&](Platform& platform) {
        platform.state = state;
        platform.message = message;
    });
}

void PlatformManager::PlatformSink::prompt(const Prompt& prompt, std::function<void(PromptAnswer)> answered)
{
    auto record = std::make_shared<Prompt>(prompt);
    if (record->id.isEmpty())
        record->id = PromptId(m_manager.m_ids.make(u'p', m_manager.m_state.clock().nowMs()));
    m_manager.m_promptAnswers.insert(record->id, std::move(answered));
    m_manager.m_state.prompts.insert(record->id, record);
    m_manager.m_state.changes().touch(PromptPtr(record));
}

PlatformManager::PlatformManager(const EngineConfig& config, EngineState& state, secrets::SecretStore& secrets,
    platforms::PlatformRegistry& kinds, Scope& scope)
    : m_config(config)
    , m_state(state)
    , m_secrets(secrets)
    , m_kinds(kinds)
    , m_scope(scope)
    , m_requests(state)
{
}

PlatformManager::~PlatformManager() = default;

QString PlatformManager::fileOf(const PlatformId& id) const
{
    return m_config.configDir + u"/platforms/"_s + id.value + u".json"_s;
}

static bool validId(const QString& id)
{
    static const QRegularExpression pattern(u"^[a-z0-9][a-z0-9._-]{0,62}$"_s);
    return pattern.match(id).hasMatch();
}

Task<Result<>> PlatformManager::open()
{
    struct Read
    {
        QList<std::pair<QString, QByteArray>> files;
    };
    const QString folder = m_config.configDir + u"/platforms"_s;
    auto reading = m_files.run([folder]() -> Result<Read> {
        Read read;
        if (!QDir().mkpath(folder))
            return fail(
                Kind::resource, u"The folder %1 cannot be made: choose another place with --data-dir."_s.arg(folder));
        const QStringList names = QDir(folder).entryList({u"*.json"_s}, QDir::Files, QDir::Name);
        for (const QString& name : names) {
            QFile file(folder + u'/' + name);
            if (!file.open(QIODevice::ReadOnly))
                return fail(Kind::resource, u"%1 cannot be read: %2."_s.arg(file.fileName(), file.errorString()));
            read.files.append({name.chopped(5), file.readAll()});
        }
        return read;
    });
    const Result<Read> read = co_await reading;
    if (!read)
        co_return fail(read);

    for (const auto& [name, text] : read->files) {
        auto record = std::make_shared<Platform>();
        record->id = PlatformId(name);
        record->state = PlatformState::failed;
        const Result<Json> json = parseJson(text);
        if (!json || !json->is_object()) {
            record->message = u"Its settings file %1 is not valid: %2"_s.arg(
                fileOf(record->id), json ? u"not an object."_s : json.error().message);
        } else {
            record->kind = QString::fromStdString(json->value("kind", std::string()));
            record->settings = json->contains("settings") ? (*json)["settings"] : Json::object();
            record->version = json->value("version", qint64(1));
            record->state = PlatformState::opening;
        }
        m_state.platforms.insert(record->id, record);
    }
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
        auto entry = std::make_unique<Entry>();
        entry->id = record->id;
        entry->sink = std::make_unique<PlatformSink>(*this, record->id);
        Entry& kept = *entry;
        m_entries[record->id] = std::move(entry);
        m_state.changes().touch(record);
        if (record->state == PlatformState::opening)
            start(kept);
    }
    co_return Result<>{};
}

void PlatformManager::start(Entry& entry)
{
    const PlatformId id = entry.id;
    const PlatformPtr record = m_state.platforms.value(id);
    Result<std::unique_ptr<platforms::Platform>> made = m_kinds.make(record->kind);
    if (!made) {
        changePlatform(entry, [&](Platform& platform) {
            platform.state = PlatformState::failed;
            platform.message = made.error().message;
        });
        return;
    }
    entry.platform = std::move(*made);
    entry.isOpen = false;
    entry.busy = true;
    changePlatform(entry, [&](Platform& platform) {
        platform.state = PlatformState::opening;
        platform.message.clear();
        platform.capabilities = entry.platform->describe().capabilities;
    });
    m_scope.spawn([this, id, settings = record->settings]() { return run(id, settings); });
}

Task<> PlatformManager::run(PlatformId id, Json settings)
{
    const QString kind = m_state.platforms.value(id)->kind;
    const Result<Json> full = co_await withSecrets(id, kind, settings);
    const auto it = m_entries.find(id);
    if (it == m_entries.end())
        co_return;
    Entry& entry = *it->second;
    Result<> result = full ? Result<>{} : Result<>(fail(full));
    if (full)
        result = co_await entry.platform->open(*full, contextOf(id, entry.sink.get()));
    entry.busy = false;
    if (m_scope.stopToken().stop_requested())
        co_return;
    if (!result) {
        qCWarning(lcPlatform) << id.value << "cannot be opened:" << result.error().message << result.error().detail;
        changePlatform(entry, [&](Platform& platform) {
            platform.state = PlatformState::failed;
            platform.message = result.error().message;
        });
        co_return;
    }
    entry.isOpen = true;
    changePlatform(entry, [](Platform& platform) {
        if (platform.state == PlatformState::opening)
            platform.state = PlatformState::ready;
    });
    emit opened(id);
}

Task<> PlatformManager::close()
{
    for (auto& [id, entry] : m_entries) {
        if (entry->platform) {
            entry->isOpen = false;
            co_await entry->platform->close();
        }
    }
}

platforms::Platform* PlatformManager::ready(const PlatformId& id) const
{
    const auto it = m_entries.find(id);
    return it != m_entries.end() && it->second->isOpen ? it->second->platform.get() : nullptr;
}

const platforms::KindDescription* PlatformManager::kindOf(const PlatformId& id) const
{
    const PlatformPtr record = m_state.platforms.value(id);
    return record ? m_kinds.find(record->kind) : nullptr;
}

static Json fieldJson(const platforms::Field& field)
{
    Json json = {{"name", field.name}, {"type", field.type}, {"required", field.required}, {"secret", field.secret},
        {"title", field.title}, {"help", field.help}, {"default", field.defaultValue}, {"choices", field.choices}};
    if (field.minimum)
        json["minimum"] = *field.minimum;
    if (!field.words.isEmpty())
        for (const QString& word : field.words)
            json["words"].push_back(word);
    for (const platforms::Field& item : field.items)
        json["items"].push_back(fieldJson(item));
    return json;
}

Json PlatformManager::kinds() const
{
    Json list = Json::array();
    for (const platforms::KindDescription& kind : m_kinds.kinds()) {
        Json fields = Json::array();
        for (const platforms::Field& field : kind.fields)
            fields.push_back(fieldJson(field));
        const PlatformCapabilities& c = kind.capabilities;
        list.push_back({{"kind", kind.kind}, {"title", kind.title}, {"fields", fields},
            {"capabilities",
                {{"logs", c.logs}, {"parameters", c.parameters}, {"machines", c.machines}, {"placement", c.placement},
                    {"files", c.files}}}});
    }
    return {{"kinds", list}};
}

platforms::Context PlatformManager::contextOf(const PlatformId& id, platforms::Sink* sink) const
{
    platforms::Context context;
    context.id = id;
    context.sink = sink;
    context.clock = &m_state.clock();
    context.dataDir = m_config.dataDir;
    context.serviceId = m_config.serviceId;
    context.keeperPath = m_config.keeperPath;
    context.stop = m_scope.stopToken();
    return context;
}

Task<Result<Json>> PlatformManager::withSecrets(PlatformId id, QString kind, Json shown)
{
    const platforms::KindDescription* description = m_kinds.find(kind);
    if (!description)
        co_return fail(Kind::invalid, u"There is no platform of kind \"%1\"."_s.arg(kind));
    const Result<std::optional<QString>> text = co_await m_secrets.read(u"platform/"_s + id.value);
    if (!text)
        co_return fail(text, u"Reading the secrets of %1"_s.arg(id.value));
    Json secrets = Json::object();
    if (*text) {
        const Result<Json> parsed = parseJson((*text)->toUtf8());
        if (parsed)
            secrets = *parsed;
    }
    co_return platforms::joinSecrets(description->fields, shown, secrets);
}

Task<Result<>> PlatformManager::writeSettings(PlatformId id, QString kind, Json settings, qint64 version)
{
    const platforms::KindDescription* description = m_kinds.find(kind);
    const platforms::SplitSettings split = platforms::splitSecrets(description->fields, settings);
    const bool anySecret = split.secrets.is_object() && !split.secrets.empty();
    if (anySecret) {
        const QString text = QString::fromUtf8(dumpJson(split.secrets));
        const Result<> written = co_await m_secrets.write(u"platform/"_s + id.value, text);
        if (!written)
            co_return fail(written, u"Keeping the secrets"_s);
    }
    const Json document = {{"kind", kind}, {"version", version}, {"settings", split.shown}};
    const QByteArray text = dumpJson(document, 2) + '\n';
    auto writing = m_files.run([path = fileOf(id), text]() -> Result<> {
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
            return fail(Kind::resource, u"The settings cannot be written to %1: %2."_s.arg(path, file.errorString()));
        return {};
    });
    co_return co_await writing;
}

bool PlatformManager::hasLiveTrials(const PlatformId& id) const
{
    return std::any_of(m_state.trials().begin(), m_state.trials().end(), [&](const TrialEntry* entry) {
        return entry->trial->platformId == id && entry->state.submitted && !isFinal(entry->trial->status);
    });
}

Task<Result<Reply>> PlatformManager::put(PutPlatform command)
{
    if (!validId(command.id.value))
        co_return fail(Kind::invalid,
            u"A platform's id has 1 to 63 of the characters a-z, 0-9, '.', '_', '-', and begins with a letter or digit."_s);
    const PlatformPtr before = m_state.platforms.value(command.id);
    if (command.ifMatch && (!before || before->version != *command.ifMatch))
        co_return fail(
            Kind::conflict, u"The platform was changed by somebody else meanwhile: read it again."_s, u"if-match"_s);
    if (before && before->kind != command.kind && hasLiveTrials(command.id))
        co_return fail(
            Kind::conflict, u"%1 has trials under way, so its kind cannot be changed."_s.arg(command.id.value));
    const platforms::KindDescription* kind = m_kinds.find(command.kind);
    if (!kind) {
        const Result<std::unique_ptr<platforms::Platform>> none = m_kinds.make(command.kind);
        co_return fail(Kind::invalid, none.error().message);
    }
    Json earlier = Json::object();
    if (before && before->kind == command.kind) {
        const Result<Json> full = co_await withSecrets(command.id, command.kind, before->settings);
        if (!full)
            co_return fail(full);
        earlier = *full;
    }
    const Json merged = platforms::mergedSettings(kind->fields, command.settings, earlier);
    const Result<Json> settings = platforms::checkedSettings(kind->fields, merged);
    if (!settings)
        co_return fail(settings);
    const qint64 version = before ? before->version + 1 : 1;
    const Result<> written = co_await writeSettings(command.id, command.kind, *settings, version);
    if (!written)
        co_return fail(written);

    auto record = std::make_shared<Platform>();
    record->id = command.id;
    record->kind = command.kind;
    record->settings = platforms::splitSecrets(kind->fields, *settings).shown;
    record->version = version;
    m_state.platforms.insert(command.id, record);
    std::unique_ptr<Entry>& entry = m_entries[command.id];
    if (!entry) {
        entry = std::make_unique<Entry>();
        entry->id = command.id;
        entry->sink = std::make_unique<PlatformSink>(*this, command.id);
    } else if (entry->platform) {
        entry->isOpen = false;
        co_await entry->platform->close();
    }
    m_state.changes().touch(PlatformPtr(record));
    start(*m_entries[command.id]);
    co_return Reply{.document = toJson(*m_state.platforms.value(command.id)), .created = !before};
}

Task<Result<Reply>> PlatformManager::remove(DeletePlatform command)
{
    const auto it = m_entries.find(command.id);
    if (it == m_entries.end())
        co_return fail(Kind::not_found, u"There is no platform \"%1\"."_s.arg(command.id.value));
    if (command.id.value == u"local")
        co_return fail(Kind::conflict, u"The platform \"local\" is this computer and always there."_s);
    for (const ExperimentId& id : m_state.experimentOrder()) {
        const ExperimentPtr experiment = m_state.experiment(id);
        const bool ended = experiment->state == ExperimentState::stopped || experiment->state == ExperimentState::done
            || experiment->state == ExperimentState::error;
        if (experiment->spec.platformId == command.id && !ended)
            co_return fail(Kind::conflict,
                u"The experiment \"%1\" uses this platform: stop it first."_s.arg(experiment->spec.name));
    }
    if (hasLiveTrials(command.id))
        co_return fail(Kind::conflict, u"Trials are under way on %1: cancel them first."_s.arg(command.id.value));
    const std::unique_ptr<Entry> entry = std::move(it->second);
    m_entries.erase(it);
    m_state.platforms.remove(command.id);
    m_state.changes().removed(command.id);
    emit removed(command.id);
    if (entry->platform)
        co_await entry->platform->close();
    const Result<> forgotten = co_await m_secrets.remove(u"platform/"_s + command.id.value);
    if (!forgotten)
        qCWarning(lcPlatform) << "secrets of" << command.id.value << "stay:" << forgotten.error().message;
    auto erasing = m_files.run([path = fileOf(command.id)] { QFile::remove(path); });
    co_await erasing;
    co_return Reply{.document = Json::object()};
}

Task<Result<Reply>> PlatformManager::check(CheckPlatform command)
{
    if (!command.unsaved && !command.testTrial) {
        if (!m_state.platforms.value(command.id))
            co_return fail(Kind::not_found, u"There is no platform \"%1\"."_s.arg(command.id.value));
        if (!ready(command.id))
            co_return fail(Kind::conflict, u"The platform %1 is not open."_s.arg(command.id.value));
        const OperationId request = m_requests.begin(u"check"_s, command.id.value);
        examine(request, command.id, MachineId(), platforms::CheckExtent::look);
        co_return Reply{.document = {{"requestId", request.value}}, .accepted = true};
    }
    QString kindName = command.kind;
    Json settings = command.settings;
    if (!command.unsaved || !command.id.isEmpty()) {
        const PlatformPtr record = m_state.platforms.value(command.id);
        if (!record && !command.unsaved)
            co_return fail(Kind::not_found, u"There is no platform \"%1\"."_s.arg(command.id.value));
        if (record && (!command.unsaved || record->kind == kindName)) {
            kindName = record->kind;
            const Result<Json> full = co_await withSecrets(record->id, kindName, record->settings);
            if (!full)
                co_return fail(full);
            // Changes that are not saved yet leave secrets out that are.
            const platforms::KindDescription* known = m_kinds.find(kindName);
            settings = command.unsaved && known ? platforms::mergedSettings(known->fields, settings, *full) : *full;
        }
    }
    const platforms::KindDescription* kind = m_kinds.find(kindName);
    Result<std::unique_ptr<platforms::Platform>> made = m_kinds.make(kindName);
    if (!kind || !made)
        co_return fail(Kind::invalid, made ? u"There is no such kind."_s : made.error().message);
    const Result<Json> checked = platforms::checkedSettings(kind->fields, settings);
    if (!checked)
        co_return fail(checked);
    const OperationId request = m_requests.begin(u"check"_s, command.id.value);
    m_scope.spawn([this, request, id = command.id, settings = *checked,
                      platform = std::shared_ptr<platforms::Platform>(std::move(*made))]() -> Task<> {
        auto sink = std::make_shared<PlatformSink>(*this, id);
        const Result<> result = co_await platform->check(
            request, settings, MachineId(), platforms::CheckExtent::whole, contextOf(id, sink.get()));
        m_requests.finish(request, result);
    });
    co_return Reply{.document = {{"requestId", request.value}}, .accepted = true};
}

Task<Result<Reply>> PlatformManager::checkMachine(MachineId id)
{
    const MachinePtr machine = m_state.machines.value(id);
    if (!machine)
        co_return fail(Kind::not_found, u"There is no machine \"%1\"."_s.arg(id.value));
    if (!ready(machine->platformId))
        co_return fail(
            Kind::conflict, u"The platform %1 of this machine is not open."_s.arg(machine->platformId.value));
    const OperationId request = m_requests.begin(u"doctor"_s, id.value);
    examine(request, machine->platformId, id, platforms::CheckExtent::whole);
    co_return Reply{.document = {{"requestId", request.value}}, .accepted = true};
}

/// Of a platform that is open; with a machine, that one alone.
void PlatformManager::examine(
    const OperationId& request, const PlatformId& platform, const MachineId& machine, platforms::CheckExtent extent)
{
    m_scope.spawn([this, request, platform, machine, extent]() -> Task<> {
        const auto it = m_entries.find(platform);
        if (it == m_entries.end())
            co_return;
        const Json none = Json::object();
        const Result<> result = co_await it->second->platform->check(
            request, none, machine, extent, contextOf(platform, it->second->sink.get()));
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
    const QList<platforms::Field> fields = (*made)->describe().fields;
    if (std::none_of(
            fields.begin(), fields.end(), [&name](const platforms::Field& field) { return field.name == name; }))
        co_return fail(Kind::not_found, u"The kind \"%1\" has no setting \"%2\"."_s.arg(command.kind, command.field));
    const Result<QStringList> choices = co_await (*made)->choices(command.field, command.settings);
    if (!choices)
        co_return fail(choices);
    Json list = Json::array();
    for (const QString& choice : *choices)
        list.push_back(choice);
    co_return Reply{.document = {{"choices", list}}};
}

static QString metadataName(const PlatformId& id, const QString& key)
{
    return u"metadata/"_s + id.value + u'/' + key;
}

Task<Result<Reply>> PlatformManager::setMetadata(SetMetadata command)
{
    const PlatformPtr record = m_state.platforms.value(command.id);
    if (!record)
        co_return fail(Kind::not_found, u"There is no platform \"%1\"."_s.arg(command.id.value));
    const bool used = std::any_of(m_state.trials().begin(), m_state.trials().end(),
        [&](const TrialEntry* entry) { return entry->trial->platformId == command.id; });
    if (used)
        co_return fail(Kind::conflict,
            u"Metadata is set before the first trial of a platform; %1 has run trials."_s.arg(command.id.value));
    const Result<std::optional<Json>> settings =
        settingsOfMetadata(record->kind, command.key, command.value, record->settings);
    if (!settings)
        co_return fail(settings);
    if (*settings) {
        const PutPlatform put{command.id, record->kind, **settings, std::nullopt};
        const Result<Reply> changed = co_await this->put(put);
        if (!changed)
            co_return fail(changed);
        // Passwords are among these: the platform keeps them where secrets belong, and shows that they are set.
        if (command.key == u"machine_list")
            command.value = m_state.platforms.value(command.id)->settings.at("machineList");
    }
    m_metadata.insert(metadataName(command.id, command.key), dumpJson(command.value));
    co_return Reply{.document = command.value};
}

Result<Reply> PlatformManager::getMetadata(const GetMetadata& command) const
{
    if (!m_state.platforms.contains(command.id))
        return fail(Kind::not_found, u"There is no platform \"%1\"."_s.arg(command.id.value));
    const auto it = m_metadata.constFind(metadataName(command.id, command.key));
    if (it == m_metadata.cend())
        return fail(Kind::not_found, u"The metadata key \"%1\" was not set."_s.arg(command.key));
    return Reply{.bytes = *it, .isJsonText = true};
}

Json PlatformManager::trialConfig(const PlatformId& id) const
{
    const QByteArray text = m_metadata.value(metadataName(id, u"trial_config"_s));
    const Result<Json> json = parseJson(text);
    return json ? *json : Json();
}

void PlatformManager::restoreMetadata(const QMap<QString, QByteArray>& values)
{
    for (auto it = values.begin(); it != values.end(); ++it)
        if (it.key().startsWith(u"metadata/"))
            m_metadata.insert(it.key(), it.value());
}

std::function<void(PromptAnswer)> PlatformManager::forgetPrompt(PromptId id)
{
    const std::function<void(PromptAnswer)> answered = m_promptAnswers.take(id);
    if (m_state.prompts.remove(id) > 0)
        m_state.changes().removed(id);
    return answered;
}

Task<Result<Reply>> PlatformManager::trust(MachineId id, QString fingerprint)
{
    const MachinePtr machine = m_state.machines.value(id);
    platforms::Platform* platform = machine ? ready(machine->platformId) : nullptr;
    if (!platform)
        co_return fail(Kind::not_found, u"There is no machine \"%1\" of an open platform."_s.arg(id.value));
    const Result<> trusted = co_await platform->trust(id, fingerprint);
    if (!trusted)
        co_return fail(trusted);
    const MachinePtr now = m_state.machines.value(id);
    co_return Reply{.document = now ? toJson(*now) : Json::object()};
}

Result<Reply> PlatformManager::answer(const AnswerPrompt& command)
{
    if (!m_state.prompts.contains(command.id))
        return fail(Kind::not_found, u"This question is not open any more."_s);
    const std::function<void(PromptAnswer)> answered = forgetPrompt(command.id);
    if (answered)
        answered(command.answer);
    return Reply{.document = Json::object()};
}

void PlatformManager::changePlatform(Entry& entry, const std::function<void(Platform&)>& modify)
{
    auto next = std::make_shared<Platform>(*m_state.platforms.value(entry.id));
    modify(*next);
    m_state.platforms.insert(entry.id, next);
    m_state.changes().touch(PlatformPtr(next));
}

} // namespace engine
