// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment_commands.h"

#include "services/core/logging.h"
#include "services/core/record_json.h"
#include "services/platforms/platform_fields.h"
#include "services/trial/pattern_stream.h"
#include "services/trial/trial_command.h"

#include <QCryptographicHash>
#include <QRegularExpression>
#include <QScopeGuard>

using namespace Qt::StringLiterals;

namespace engine {

static bool ended(ExperimentState state)
{
    return state == ExperimentState::stopped || state == ExperimentState::done || state == ExperimentState::error;
}

static bool wantsCode(const ExperimentSpec& spec)
{
    return !spec.codeInPlace && (!spec.codeDir.isEmpty() || !spec.codeHash.isEmpty());
}

ExperimentCommands::ExperimentCommands(EngineState& state, store::Store& store, PlatformManager& platforms,
    TrialSupervisor& supervisor, TrialCommands& trials, LeftBehind& left, Scope& scope)
    : m_state(state)
    , m_store(store)
    , m_platforms(platforms)
    , m_supervisor(supervisor)
    , m_trials(trials)
    , m_scope(scope)
    , m_code(state, platforms.config(), scope.stopToken())
    , m_cleanup(state, platforms, supervisor, left, m_code)
    , m_leases(state, store)
{
    connect(&supervisor, &TrialSupervisor::trialEnded, this, &ExperimentCommands::advance);
    connect(&supervisor, &TrialSupervisor::startFailed, this,
        [this](const ExperimentId& id) { m_scope.spawn([this, id] { return lookForCode(id); }); });
    connect(&trials, &TrialCommands::accepted, this, &ExperimentCommands::advance);
    // The supervisor, which is older, has made them UNKNOWN by then.
    connect(&platforms, &PlatformManager::lost, this, &ExperimentCommands::lost);
    connect(&platforms, &PlatformManager::opened, this, [this](const PlatformId& id) {
        for (const ExperimentId& experiment : m_state.experimentOrder())
            if (m_state.experiment(experiment)->spec.platformId == id)
                advance(experiment);
    });
}

// ------------------------------------------------------------------------------------------------------------- creation

static Result<> checkName(const QString& name)
{
    static constexpr qsizetype longest = 256;
    if (name.size() > longest)
        return fail(Kind::invalid, u"The name of an experiment has at most %1 characters."_m.arg(longest));
    return {};
}

Result<ExperimentSpec> ExperimentCommands::validated(ExperimentSpec spec) const
{
    if (spec.platformId.isEmpty())
        spec.platformId = PlatformId(u"local"_s);
    if (!m_state.platforms.contains(spec.platformId)) {
        QStringList known;
        for (const PlatformPtr& platform : m_state.platforms)
            known.append(platform->id.value);
        known.sort();
        return fail(Kind::invalid,
            u"There is no platform \"%1\"; there are: %2."_m.arg(spec.platformId.value, known.join(u", "_s)));
    }
    const Json defaults = m_platforms.metadata().trialConfig(spec.platformId);
    if (defaults.is_object()) {
        // NNI's trial_config (nni.md 4.1): what the caller left out.
        if (spec.trialCommand.isEmpty() && defaults.contains("command") && defaults["command"].is_string())
            spec.trialCommand = defaults["command"].get<QString>();
        if (spec.codeDir.isEmpty() && spec.codeHash.isEmpty() && defaults.contains("codeDir")
            && defaults["codeDir"].is_string())
            spec.codeDir = defaults["codeDir"].get<QString>();
        if (!spec.gpuNumber && defaults.contains("gpuNum") && defaults["gpuNum"].is_number_integer())
            spec.gpuNumber = defaults["gpuNum"].get<int>();
    }
    const platforms::KindDescription* kind = m_platforms.kindOf(spec.platformId);
    if (spec.trialCommand.trimmed().isEmpty() && !(kind && kind->ownRoles))
        return fail(Kind::invalid,
            u"trialCommand is required: the command that runs one trial, for example \"python3 train.py\"."_m);
    Result<Json> options = m_platforms.checkedOptions(spec.platformId, spec.platformOptions);
    if (!options)
        return fail(options);
    spec.platformOptions = std::move(*options);
    if (const Result<> fits = checkName(spec.name); !fits)
        return fail(fits);
    if (const Result<> fits = trial::checkArgumentSize(
            u"trialCommand with setup"_m, spec.trialCommand.toUtf8().size() + spec.setup.toUtf8().size());
        !fits)
        return fail(fits);
    for (auto it = spec.environment.begin(); it != spec.environment.end(); ++it)
        if (const Result<> fits = trial::checkArgumentSize(
                u"environment: \"%1\""_s.arg(it.key().left(64)), it.key().toUtf8().size() + it.value().toUtf8().size());
            !fits)
            return fail(fits);
    if (!spec.searchSpace.is_null()) {
        const Result<search::SearchSpace> space = search::parseSearchSpace(spec.searchSpace);
        if (!space)
            return fail(space, u"searchSpace"_s);
        if (spec.tunerName.isEmpty())
            spec.tunerName = u"Random"_s;
        if (spec.tunerName != u"Random" && spec.tunerName != u"GridSearch")
            return fail(Kind::invalid,
                u"The tuner \"%1\" is not built in: Random and GridSearch are; another tuner drives an experiment "
                u"without a "
                "searchSpace by submitting trials."_m.arg(spec.tunerName));
        if (space->parameters.empty())
            return fail(Kind::invalid, u"searchSpace names no parameter."_m);
        if (spec.tunerName == u"Random" && !spec.tunerArgs.contains("seed")) {
            // Kept with the experiment, so that the search can be repeated and continues unchanged after a restart.
            const size_t seed = qHash(m_state.clock().nowMs(), size_t(m_state.experimentOrder().size()) + 1);
            spec.tunerArgs["seed"] = qint64(seed & 0x7fffffff);
        }
    } else if (!spec.tunerName.isEmpty()) {
        return fail(Kind::invalid, u"The tuner \"%1\" needs a searchSpace."_m.arg(spec.tunerName));
    }
    if (!spec.metricPattern.isEmpty()) {
        const Result<> pattern = trial::checkMetricPattern(spec.metricPattern);
        if (!pattern)
            return fail(pattern);
    }
    static const QRegularExpression variable(u"^[A-Za-z_][A-Za-z0-9_]*$"_s);
    for (auto it = spec.environment.begin(); it != spec.environment.end(); ++it)
        if (!variable.match(it.key()).hasMatch() || it.value().contains(QChar(0)))
            return fail(Kind::invalid,
                u"environment: \"%1\" is no name of a variable, or its value holds a null."_m.arg(it.key()));
    if (!spec.codeDir.isEmpty() && !spec.codeHash.isEmpty())
        return fail(Kind::invalid, u"Give codeDir or codeHash, not both."_m);
    if (spec.codeInPlace && spec.codeDir.isEmpty())
        return fail(Kind::invalid, u"codeMode inPlace needs codeDir."_m);
    return spec;
}

Task<Result<Reply>> ExperimentCommands::create(CreateExperiment command)
{
    const QByteArray fingerprint = QCryptographicHash::hash(dumpJson(toJson(command.spec)), QCryptographicHash::Sha1);
    if (!command.idempotencyKey.isEmpty()) {
        const auto known = m_answers.constFind(command.idempotencyKey);
        if (known != m_answers.cend() && known->time > m_state.clock().nowMs() - 24 * 3'600'000) {
            if (known->fingerprint != fingerprint)
                co_return fail(Kind::conflict, u"This Idempotency-Key was used for another experiment."_m);
            const ExperimentPtr experiment = m_state.experiment(ExperimentId(QString::fromUtf8(known->reply)));
            if (experiment)
                co_return Reply{.document = toJson(*experiment), .created = true};
        }
    }
    Result<ExperimentSpec> spec = validated(command.spec);
    if (!spec)
        co_return fail(spec);
    // What its folder holds must be within the limits before the experiment is accepted; it is read once more when it is packed.
    CodeClaim uploaded;
    if (!spec->codeDir.isEmpty()) {
        const Result<QString> dir = co_await m_code.examined(spec->codeDir, spec->codeInPlace);
        if (!dir)
            co_return fail(dir);
        spec->codeDir = *dir;
    } else if (!spec->codeHash.isEmpty()) {
        uploaded = m_code.claim(spec->codeHash);
        const bool there = co_await m_code.has(spec->codeHash);
        if (!there)
            co_return fail(Kind::invalid,
                u"No code with the hash %1 was uploaded: PUT /api/v1/code/{sha256} first."_m.arg(spec->codeHash));
    }

    auto experiment = std::make_shared<Experiment>();
    experiment->createdTime = m_state.clock().nowMs();
    experiment->id = ExperimentId(m_ids.make(u'e', experiment->createdTime));
    experiment->spec = *spec;
    experiment->version = 1;
    if (experiment->spec.name.isEmpty())
        experiment->spec.name = experiment->id.value;
    store::Batch batch;
    batch.experiments.append(experiment);
    if (!command.idempotencyKey.isEmpty()) {
        const store::IdempotencyRow row{u"experiments"_s, command.idempotencyKey, fingerprint,
            experiment->id.value.toUtf8(), m_state.clock().nowMs()};
        m_answers.insert(command.idempotencyKey, row);
        batch.idempotency.append(row);
    }
    const Result<> committed = co_await m_store.committed(std::move(batch), store::Durability::full);
    if (!committed) {
        m_answers.remove(command.idempotencyKey);
        co_return fail(committed, u"The experiment was not created"_m);
    }
    const ExperimentId id = experiment->id;
    m_state.add(experiment);
    m_scope.spawn([this, id] { return prepare(id); });
    co_return Reply{.document = toJson(*m_state.experiment(id)), .created = true};
}

Task<> ExperimentCommands::prepare(ExperimentId id)
{
    const ExperimentPtr experiment = m_state.experiment(id);
    if (m_preparing.contains(id))
        co_return;
    m_preparing.insert(id);
    const auto done = qScopeGuard([&] { m_preparing.remove(id); });
    CodeClaim code; // until the experiment has its hash
    if (wantsCode(experiment->spec)) {
        const Result<CodeClaim> taken = co_await m_code.take(experiment->spec);
        const ExperimentPtr now = m_state.experiment(id);
        if (!now || ended(now->state) || m_scope.stopToken().stop_requested())
            co_return;
        if (!taken) {
            setState(id, ExperimentState::error, taken.error().message);
            for (TrialEntry* entry : m_state.trialsOf(id))
                m_supervisor.cancel(
                    *entry, CancelIntent::system, u"The experiment could not be prepared: "_m + taken.error().message);
            m_state.saveSoon(store::Durability::full);
            co_return;
        }
        code = *taken;
        m_state.change(id, [&](Experiment& e) { e.spec.codeHash = *code; });
    }
    const ExperimentPtr now = m_state.experiment(id);
    if (!now)
        co_return;
    m_state.change(id, [&](Experiment& e) {
        if (!e.startTime)
            e.startTime = m_state.clock().nowMs();
    });
    if (now->state == ExperimentState::preparing)
        setState(id, ExperimentState::running);
    m_state.saveSoon(store::Durability::full);
    armDuration(*m_state.experiment(id));
    advance(id);
}

void ExperimentCommands::restore(const QList<store::IdempotencyRow>& rows, const QMap<QString, QByteArray>& values)
{
    m_leases.restore(values);
    for (const store::IdempotencyRow& row : rows)
        if (row.scope == u"experiments")
            m_answers.insert(row.key, row);
    for (const ExperimentId& id : m_state.experimentOrder()) {
        const ExperimentPtr experiment = m_state.experiment(id);
        if (experiment->state == ExperimentState::stopped || experiment->state == ExperimentState::error) {
            for (TrialEntry* entry : m_state.trialsOf(id))
                m_supervisor.cancel(*entry, CancelIntent::system, u"its experiment has ended"_m);
        } else if (!experiment->startTime || experiment->state == ExperimentState::preparing) {
            m_scope.spawn([this, id] { return prepare(id); });
        } else {
            armDuration(*experiment);
            advance(id);
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- search

ExperimentCommands::Search* ExperimentCommands::searchOf(const Experiment& experiment)
{
    if (experiment.spec.searchSpace.is_null())
        return nullptr;
    std::shared_ptr<Search>& search = m_searches[experiment.id];
    if (search)
        return search.get();
    Result<search::SearchSpace> space = search::parseSearchSpace(experiment.spec.searchSpace);
    if (!space)
        return nullptr; // was validated; a store edited by hand just does not go on
    search = std::make_shared<Search>();
    if (experiment.spec.tunerName == u"GridSearch") {
        search->grid.emplace(std::move(*space));
        search->grid->skip(quint64(experiment.generated));
    } else {
        const qint64 seed = experiment.spec.tunerArgs.value("seed", qint64(0));
        search->random.emplace(std::move(*space), quint64(seed), quint64(experiment.generated));
    }
    return search.get();
}

void ExperimentCommands::propose(const ExperimentId& id)
{
    const ExperimentPtr experiment = m_state.experiment(id);
    Search* search = searchOf(*experiment);
    if (!search || search->exhausted)
        return;
    // A few ahead of what can run: the queue shows what comes, and a trial that ends is followed at once.
    const qint64 ahead = std::max<qint64>(16, 2 * qint64(experiment->spec.trialConcurrency));
    const qint64 open = experiment->count(TrialStatus::waiting) + experiment->count(TrialStatus::running)
        + experiment->count(TrialStatus::unknown);
    qint64 wanted = ahead - open;
    if (open > ahead / 2 + experiment->spec.trialConcurrency / 2)
        return;
    if (experiment->spec.maxTrialNumber)
        wanted = std::min(wanted, *experiment->spec.maxTrialNumber - trialNumber(id));
    QList<QByteArray> parameters;
    for (; wanted > 0; --wanted) {
        if (search->random) {
            parameters.append(dumpJson(search->random->next()));
        } else if (const std::optional<Json> point = search->grid->next()) {
            parameters.append(dumpJson(*point));
        } else {
            search->exhausted = true;
            break;
        }
    }
    if (!parameters.isEmpty())
        m_trials.generate(id, parameters);
}

qint64 ExperimentCommands::trialNumber(const ExperimentId& id) const
{
    return qint64(m_state.trialsOf(id).size());
}

bool ExperimentCommands::hasLiveTrials(const Experiment& experiment) const
{
    return experiment.count(TrialStatus::waiting) + experiment.count(TrialStatus::running)
        + experiment.count(TrialStatus::unknown)
        > 0;
}

void ExperimentCommands::advance(const ExperimentId& id)
{
    ExperimentPtr experiment = m_state.experiment(id);
    if (!experiment)
        return;
    if (experiment->state == ExperimentState::stopping) {
        if (!hasLiveTrials(*experiment))
            setState(id, ExperimentState::stopped);
    } else if (experiment->state == ExperimentState::running) {
        propose(id);
        experiment = m_state.experiment(id);
        const Search* search = searchOf(*experiment);
        const bool full = experiment->spec.maxTrialNumber && trialNumber(id) >= *experiment->spec.maxTrialNumber;
        if ((full || (search && search->exhausted)) && !hasLiveTrials(*experiment))
            setState(id, ExperimentState::done);
    } else if (experiment->state == ExperimentState::done && hasLiveTrials(*experiment)) {
        reopen(id); // trials were submitted or retried
    }
    experiment = m_state.experiment(id);
    if (ended(experiment->state)) {
        m_durations.remove(id);
        m_forced.remove(id);
        for (const Cleanup& cleanup : m_cleanups.take(id))
            m_scope.spawn([this, id, cleanup] { return cleanUp(id, cleanup.request, cleanup.force); });
    }
}

void ExperimentCommands::reopen(const ExperimentId& id)
{
    // Its code may have been cleaned up.
    const bool prepares = wantsCode(m_state.experiment(id)->spec);
    setState(id, prepares ? ExperimentState::preparing : ExperimentState::running);
    if (prepares)
        m_scope.spawn([this, id] { return prepare(id); });
}

Task<> ExperimentCommands::lookForCode(ExperimentId id)
{
    const ExperimentPtr experiment = m_state.experiment(id);
    if (!experiment || !wantsCode(experiment->spec) || experiment->spec.codeHash.isEmpty())
        co_return;
    const bool isTaken = co_await m_code.isTaken(experiment->spec.codeHash);
    if (isTaken)
        co_return;
    const ExperimentPtr now = m_state.experiment(id);
    if (now && now->state == ExperimentState::running && !m_scope.stopToken().stop_requested())
        reopen(id);
}

void ExperimentCommands::setState(const ExperimentId& id, ExperimentState state, const Message& message)
{
    if (ended(state) || state == ExperimentState::stopping)
        m_leases.end(id);
    m_state.change(id, [&](Experiment& experiment) {
        experiment.state = state;
        experiment.message = message.isEmpty() ? m_leases.message(id) : message;
        if (ended(state))
            experiment.endTime = m_state.clock().nowMs();
        else
            experiment.endTime.reset();
    });
    m_state.saveSoon(store::Durability::full);
    m_supervisor.passSoon();
}

void ExperimentCommands::armDuration(const Experiment& experiment)
{
    m_durations.remove(experiment.id);
    if (!experiment.spec.maxDurationSeconds || !experiment.startTime || ended(experiment.state))
        return;
    const qint64 limit = *experiment.spec.maxDurationSeconds * 1'000;
    const qint64 left = std::clamp<qint64>(*experiment.startTime + limit - m_state.clock().nowMs(), 0, limit);
    m_durations.insert(experiment.id, m_state.clock().after(left, [this, id = experiment.id] {
        const ExperimentPtr late = m_state.experiment(id);
        if (!late || ended(late->state) || late->state == ExperimentState::stopping)
            return;
        // NNI: no more trials, those that run may end (NO_MORE_TRIAL).
        setState(id, ExperimentState::stopping, u"Its time limit (maxDurationSeconds) is reached."_m);
        for (TrialEntry* entry : m_state.trialsOf(id))
            if (!entry->state.submitted)
                m_supervisor.cancel(*entry, CancelIntent::system, u"the experiment's time limit was reached"_m);
        advance(id);
    }));
}

// -------------------------------------------------------------------------------------------------------------- changes

Task<Result<Reply>> ExperimentCommands::patch(PatchExperiment command)
{
    const ExperimentPtr before = m_state.experiment(command.id);
    if (!before)
        co_return fail(Kind::not_found, u"There is no experiment \"%1\"."_m.arg(command.id.value));
    if (command.ifMatch && *command.ifMatch != before->version)
        co_return fail(
            Kind::conflict, u"The experiment was changed by somebody else meanwhile: read it again."_m, u"if-match"_s);
    if (command.searchSpace && !command.searchSpace->is_null()) {
        const Result<search::SearchSpace> space = search::parseSearchSpace(*command.searchSpace);
        if (!space)
            co_return fail(space, u"searchSpace"_s);
    }
    if (const Result<> fits = checkName(command.name.value_or(QString())); !fits)
        co_return fail(fits);
    bool goesOn = false;
    m_state.change(command.id, [&](Experiment& experiment) {
        ExperimentSpec& spec = experiment.spec;
        ++experiment.version;
        spec.name = command.name.value_or(spec.name);
        spec.trialConcurrency = command.trialConcurrency.value_or(spec.trialConcurrency);
        if (command.maxTrialNumber)
            spec.maxTrialNumber = *command.maxTrialNumber;
        if (command.maxDurationSeconds)
            spec.maxDurationSeconds = *command.maxDurationSeconds;
        if (command.maxTrialDurationSeconds)
            spec.maxTrialDurationSeconds = *command.maxTrialDurationSeconds;
        spec.tags = command.tags.value_or(spec.tags);
        if (command.searchSpace)
            spec.searchSpace = *command.searchSpace;
        // A raised limit lets a finished search go on.
        goesOn = experiment.state == ExperimentState::done && !spec.searchSpace.is_null()
            && (!spec.maxTrialNumber || *spec.maxTrialNumber > trialNumber(command.id));
    });
    if (goesOn)
        reopen(command.id);
    if (command.searchSpace)
        m_searches.remove(command.id);
    armDuration(*m_state.experiment(command.id));
    m_supervisor.limitsChanged(command.id);
    advance(command.id);
    const Result<> committed = co_await m_state.saved(store::Durability::full);
    if (!committed)
        co_return fail(committed);
    co_return Reply{.document = toJson(*m_state.experiment(command.id))};
}

void ExperimentCommands::stop(const ExperimentId& id, const Message& why, bool force)
{
    if (m_state.experiment(id)->state != ExperimentState::stopping) {
        setState(id, ExperimentState::stopping);
        const std::vector<TrialEntry*> trials = m_state.trialsOf(id);
        for (TrialEntry* entry : trials)
            m_supervisor.cancel(*entry, CancelIntent::user, why);
    }
    if (force) {
        m_forced.insert(id);
        m_cleanup.giveUpSilent(id);
    }
    advance(id);
}

void ExperimentCommands::lost()
{
    for (const ExperimentId& id : m_state.experimentOrder()) {
        const ExperimentPtr experiment = m_state.experiment(id);
        if (experiment->state != ExperimentState::stopping || experiment->count(TrialStatus::unknown) == 0)
            continue;
        if (m_forced.contains(id)) {
            m_cleanup.giveUpSilent(id);
        } else if (const Result<> reached = m_cleanup.reached(id, false); !reached) {
            m_state.change(id, [&](Experiment& e) { e.message = reached.error().message; });
            m_state.saveSoon(store::Durability::normal);
        }
    }
}

Task<Result<Reply>> ExperimentCommands::act(ActOnExperiment command)
{
    const ExperimentPtr experiment = m_state.experiment(command.id);
    if (!experiment)
        co_return fail(Kind::not_found, u"There is no experiment \"%1\"."_m.arg(command.id.value));
    const ExperimentState state = experiment->state;
    const Message refused = u"The experiment \"%1\" is %2."_m.arg(experiment->spec.name, experimentStateName(state));
    switch (command.action) {
    case ExperimentAction::pause:
        if (state == ExperimentState::running || state == ExperimentState::preparing)
            setState(command.id, ExperimentState::paused);
        else if (state != ExperimentState::paused)
            co_return fail(Kind::conflict, refused + u" Only a running one can be paused."_m);
        break;
    case ExperimentAction::resume:
        if (state == ExperimentState::paused)
            setState(command.id,
                experiment->startTime && !m_preparing.contains(command.id) ? ExperimentState::running
                                                                           : ExperimentState::preparing);
        else if (state != ExperimentState::running && state != ExperimentState::preparing)
            co_return fail(Kind::conflict, refused + u" Only a paused one can be resumed."_m);
        advance(command.id);
        break;
    case ExperimentAction::stop:
        if (ended(state))
            break;
        if (const Result<> reached = m_cleanup.reached(command.id, false); !reached && !command.force)
            co_return fail(reached);
        stop(command.id, u"the experiment was stopped"_m, command.force);
        break;
    case ExperimentAction::cleanup: {
        if (const Result<> reached = m_cleanup.reached(command.id, true); !reached && !command.force)
            co_return fail(reached);
        const OperationId request = m_platforms.requests().begin(u"cleanup"_s, command.id.value);
        if (ended(state)) {
            m_scope.spawn([this, command, request] { return cleanUp(command.id, request, command.force); });
        } else {
            m_cleanups[command.id].append({request, command.force});
            stop(command.id, u"the experiment was stopped to clean up"_m, command.force);
        }
        co_return Reply{.document = {{"requestId", request.value}}, .accepted = true};
    }
    case ExperimentAction::remove: {
        auto removing = remove(command.id, command.force);
        const Result<Reply> removed = co_await removing;
        co_return Result<Reply>(removed);
    }
    }
    const Result<> committed = co_await m_state.saved(store::Durability::full);
    if (!committed)
        co_return fail(committed);
    co_return Reply{.document = toJson(*m_state.experiment(command.id))};
}

Task<Result<Reply>> ExperimentCommands::remove(ExperimentId id, bool force)
{
    const ExperimentPtr experiment = m_state.experiment(id);
    const std::vector<TrialEntry*> trials = m_state.trialsOf(id);
    const bool runs = std::any_of(trials.begin(), trials.end(), [&](const TrialEntry* entry) {
        const TrialStatus status = entry->trial->status;
        return !isFinal(status) && status != TrialStatus::unknown && (!force || m_cleanup.isReached(*entry));
    });
    if (runs)
        co_return fail(Kind::conflict,
            u"The experiment \"%1\" is %2. Stop it first: it has trials under way."_m.arg(
                experiment->spec.name, experimentStateName(experiment->state)));
    if (const Result<> reached = m_cleanup.reached(id, true); !reached && !force)
        co_return fail(reached);
    if (hasLiveTrials(*experiment))
        stop(id, u"the experiment was deleted"_m, true);
    const OperationId request = m_platforms.requests().begin(u"cleanup"_s, id.value);
    if (!ended(m_state.experiment(id)->state))
        setState(id, ExperimentState::stopped);
    auto cleaning = m_cleanup.run(id, request, force);
    const Json left = co_await cleaning;
    const OperationPtr done = m_state.requests.value(request);
    if (done && done->state == OperationState::failed)
        co_return fail(Kind::platform, u"Its folders could not be removed: %1"_m.arg(done->message));
    const Result<> flushed = co_await m_state.saved(store::Durability::normal);
    if (!flushed)
        co_return fail(flushed);
    store::Batch batch;
    batch.removedExperiments.append(id);
    const Result<> committed = co_await m_store.committed(std::move(batch), store::Durability::full);
    if (!committed)
        co_return fail(committed);
    m_searches.remove(id);
    m_durations.remove(id);
    m_state.remove(id);
    Reply reply{.document = Json::object()};
    if (!left.empty())
        reply.document["outOfReach"] = left;
    co_return reply;
}

Task<> ExperimentCommands::cleanUp(ExperimentId id, OperationId request, bool force)
{
    auto cleaning = m_cleanup.run(id, request, force);
    const Json left = co_await cleaning;
    Q_UNUSED(left) // its steps say it
}

// ----------------------------------------------------------------------------------------------------------------- code

Task<Result<Reply>> ExperimentCommands::storeCode(StoreCode command)
{
    const Result<> stored = co_await m_code.keep(command.sha, command.file);
    if (!stored)
        co_return fail(stored);
    co_return Reply{.document = {{"codeHash", command.sha}}, .created = true};
}

Task<Result<Reply>> ExperimentCommands::hasCode(HasCode command)
{
    const bool there = co_await m_code.has(command.sha);
    if (!there)
        co_return fail(Kind::not_found, u"There is no code with this hash."_m);
    co_return Reply{.document = {{"codeHash", command.sha}}};
}

} // namespace engine
