// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_commands.h"

#include "queue_places.h"

#include "services/core/json_scanner.h"
#include "services/core/record_json.h"
#include "services/trial/trial_command.h"

#include <QCoroSignal>
#include <QCryptographicHash>

using namespace Qt::StringLiterals;

namespace engine {

class TrialCommands::Signal : public QObject
{
    Q_OBJECT
signals:
    void committed();
};

TrialCommands::TrialCommands(
    EngineState& state, store::Store& store, PlatformManager& platforms, TrialSupervisor& supervisor)
    : m_state(state)
    , m_store(store)
    , m_platforms(platforms)
    , m_supervisor(supervisor)
    , m_committed(std::make_unique<Signal>())
{
}

TrialCommands::~TrialCommands() = default;

void TrialCommands::restore(const QList<store::IdempotencyRow>& rows)
{
    for (const store::IdempotencyRow& row : rows)
        m_answers.insert({row.scope, row.key}, row);
}

/// What makes two requests the same one, as bytes.
static void addFingerprint(QCryptographicHash& hash, const TrialSubmission& r)
{
    const auto add = [&](QByteArrayView part) {
        const qint64 size = part.size();
        hash.addData(QByteArrayView(reinterpret_cast<const char*>(&size), sizeof size));
        hash.addData(part);
    };
    add(r.clientId.toUtf8());
    add(r.parameters);
    add(r.formValue);
    add(QByteArray::number(r.formSequenceId) + ',' + QByteArray::number(r.formIndex) + ','
        + QByteArray::number(r.priority) + ',' + QByteArray::number(r.gpuNumber.value_or(-1)) + (r.hold ? ",h" : "")
        + (r.rerun ? ",r" : ""));
    add(r.tags.join(u'\n').toUtf8());
    add((r.platformId.value + u'/' + r.machineId.value).toUtf8());
}

static QByteArray fingerprintOf(const QList<TrialSubmission>& requests)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const TrialSubmission& request : requests)
        addFingerprint(hash, request);
    return hash.result();
}

/// Whether a repeated request with a known clientId describes the same trial.
static bool sameContent(const TrialSubmission& request, const Trial& trial)
{
    if (request.hasForm)
        return request.formValue == trial.parameterCfg && request.formSequenceId == trial.formSequenceId;
    return request.parameters == trial.parameters;
}

Result<TrialPtr> TrialCommands::make(
    const Experiment& experiment, const TrialSubmission& request, qint64 sequenceId) const
{
    auto trial = std::make_shared<Trial>();
    trial->id = TrialId(m_ids.make(u't', m_state.clock().nowMs()));
    trial->clientId = request.clientId;
    trial->experimentId = experiment.id;
    trial->platformId = request.platformId.isEmpty() ? experiment.spec.platformId : request.platformId;
    if (!m_state.platforms.contains(trial->platformId))
        return fail(Kind::invalid, u"There is no platform \"%1\"."_m.arg(trial->platformId.value));
    trial->sequenceId = sequenceId;
    trial->submitTime = m_state.clock().nowMs();
    trial->tags = request.tags;
    trial->priority = request.priority;
    trial->queueOrder = m_supervisor.nextOrder();
    trial->hold = request.hold;
    trial->gpuNumber = request.gpuNumber ? request.gpuNumber : experiment.spec.gpuNumber;
    if (trial->gpuNumber && *trial->gpuNumber < 0)
        return fail(Kind::invalid, u"gpuNumber must be 0 or more."_m);
    trial->wantedMachine = request.machineId;
    if (request.hasForm) {
        trial->parameterCfg = request.formValue;
        trial->parameters = trial::innerParameters(request.formValue).value_or("{}");
        trial->parameterIndex = request.formIndex;
        trial->formSequenceId = request.formSequenceId;
    } else {
        trial->parameters = request.parameters.isEmpty() ? QByteArray("{}") : request.parameters;
        trial->parameterCfg = trial::parameterCfg(sequenceId, trial->parameters);
        trial->formSequenceId = sequenceId;
    }
    if (isNestedDeeper(trial->parameters, maxAcceptedDepth))
        return fail(Kind::invalid, u"The parameters are %1."_m.arg(tooDeepWords()));
    trial->reason = trial->hold ? u"It is on hold."_m : u"It has just been accepted."_m;
    return TrialPtr(trial);
}

Task<> TrialCommands::untilFree(ExperimentId experiment, QList<TrialSubmission> requests, QString idempotencyKey)
{
    QStringList names;
    for (const TrialSubmission& request : requests)
        if (!request.clientId.isEmpty())
            names.append(request.clientId);
    if (!idempotencyKey.isEmpty())
        names.append(u"key:"_s + idempotencyKey);
    const auto busy = [&] {
        return std::any_of(names.begin(), names.end(), [&](const QString& name) {
            return m_pending.contains({experiment, name});
        });
    };
    while (!m_pending.isEmpty() && busy())
        co_await qCoro(m_committed.get(), &Signal::committed);
}

/// Kind::conflict for an experiment that is over.
static Result<> takesTrials(const Experiment& experiment)
{
    if (isClosed(experiment.state))
        return fail(Kind::conflict,
            u"The experiment \"%1\" is %2 and takes no trials any more."_m.arg(
                experiment.spec.name, experimentStateName(experiment.state)));
    return {};
}

/// The reply to a submission: a row for each request, in their order.
static Json listed(const QList<TrialPtr>& trials)
{
    Json list = Json::array();
    for (const TrialPtr& trial : trials)
        list.push_back(
            {{"id", trial->id.value}, {"clientId", trial->clientId.isEmpty() ? Json() : Json(trial->clientId)},
                {"sequenceId", trial->sequenceId}});
    return {{"trials", list}};
}

Result<std::optional<Reply>> TrialCommands::earlierReply(
    const ExperimentId& experiment, const QString& key, const QByteArray& fingerprint) const
{
    constexpr qint64 keptMs = 24 * 3'600'000;
    const auto known = m_answers.constFind({experiment.value, key});
    if (known == m_answers.cend() || known->time <= m_state.clock().nowMs() - keptMs)
        return std::nullopt;
    if (known->fingerprint != fingerprint)
        return fail(Kind::conflict, u"This Idempotency-Key was used for other trials."_m);
    return Reply{.bytes = known->reply, .isJsonText = true, .revision = m_state.changes().revision()};
}

Result<TrialPtr> TrialCommands::makeRerun(
    const Experiment& experiment, const TrialSubmission& request, qint64 sequenceId, const Trial& before) const
{
    Result<TrialPtr> made = make(experiment, request, sequenceId);
    if (!made)
        return made;
    auto next = std::make_shared<Trial>(**made);
    next->attempt = before.attempt + 1;
    next->retryOf = before.id;
    return TrialPtr(next);
}

Result<TrialCommands::Submitted> TrialCommands::resolve(
    const Experiment& experiment, const QList<TrialSubmission>& requests) const
{
    Submitted out;
    QHash<QString, TrialPtr> inThisCall;
    for (qsizetype i = 0; i < requests.size(); ++i) {
        const TrialSubmission& request = requests[i];
        TrialPtr existing;
        if (!request.clientId.isEmpty()) {
            existing = inThisCall.value(request.clientId);
            if (!existing)
                if (const TrialEntry* entry = m_state.byClientId(experiment.id, request.clientId))
                    existing = entry->trial;
        }
        const bool again = existing && request.rerun && isFinal(existing->status);
        if (existing && !again) {
            if (!sameContent(request, *existing))
                return fail(Kind::conflict,
                    u"The clientId \"%1\" belongs to a trial with other content (trial %2)."_m.arg(
                        request.clientId, existing->id.value));
            out.answers.append(existing);
            continue;
        }
        const qint64 sequence = experiment.nextSequenceId + out.created.size();
        const Result<TrialPtr> made =
            again ? makeRerun(experiment, request, sequence, *existing) : make(experiment, request, sequence);
        if (!made)
            return fail(made, requests.size() > 1 ? u"trials[%1]"_m.arg(i) : u"The trial"_m);
        out.created.append(*made);
        out.answers.append(*made);
        if (!request.clientId.isEmpty())
            inThisCall.insert(request.clientId, *made);
    }
    return out;
}

Task<Result<Reply>> TrialCommands::submit(SubmitTrials command)
{
    const ExperimentId id = command.experiment;
    const QString key = command.idempotencyKey;
    co_await untilFree(id, command.trials, key);
    // Nothing is awaited between here and commitNew(): numbers and clientIds that are free now are still free there.
    const ExperimentPtr experiment = m_state.experiment(id);
    if (!experiment)
        co_return fail(Kind::not_found, u"There is no experiment \"%1\"."_m.arg(id.value));
    if (const Result<> open = takesTrials(*experiment); !open)
        co_return fail(open);
    const QByteArray fingerprint = key.isEmpty() ? QByteArray() : fingerprintOf(command.trials);
    if (!key.isEmpty()) {
        const Result<std::optional<Reply>> earlier = earlierReply(id, key, fingerprint);
        if (!earlier)
            co_return fail(earlier);
        if (*earlier)
            co_return Reply(**earlier);
    }
    const Result<Submitted> submitted = resolve(*experiment, command.trials);
    if (!submitted)
        co_return fail(submitted);
    const Json document = listed(submitted->answers);
    std::optional<store::IdempotencyRow> answer;
    if (!key.isEmpty())
        answer = store::IdempotencyRow{id.value, key, fingerprint, dumpJson(document), m_state.clock().nowMs()};
    const bool created = !submitted->created.isEmpty();
    if (created || answer) {
        const Result<> committed = co_await commitNew(id, submitted->created, answer);
        if (!committed)
            co_return fail(committed, u"The trials were not accepted"_m);
    }
    co_return Reply{.document = document, .created = created};
}

Task<Result<>> TrialCommands::commitNew(
    ExperimentId id, QList<TrialPtr> trials, std::optional<store::IdempotencyRow> answer)
{
    m_state.change(id, [&](Experiment& experiment) { experiment.nextSequenceId += trials.size(); });
    // Only the trials are stored: the experiment's record in memory may be ahead of the stored trials, and its counts are derived
    // from the trials at load.
    store::Batch batch;
    QList<std::pair<ExperimentId, QString>> pending;
    batch.trials.reserve(trials.size());
    for (const TrialPtr& trial : std::as_const(trials)) {
        batch.trials.append({trial, {}});
        if (!trial->clientId.isEmpty())
            pending.append({id, trial->clientId});
    }
    if (answer) {
        batch.idempotency.append(*answer);
        pending.append({id, u"key:"_s + answer->key});
    }
    for (const auto& one : std::as_const(pending))
        m_pending.insert(one);
    Result<> committed = co_await m_store.committed(std::move(batch), store::Durability::full);
    for (const auto& one : std::as_const(pending))
        m_pending.remove(one);
    if (committed && !m_state.experiment(id))
        committed = fail(Kind::not_found, u"The experiment was deleted meanwhile."_m);
    if (committed) {
        accept(trials);
        if (answer)
            m_answers.insert({answer->scope, answer->key}, *answer);
        emit accepted(id);
    }
    if (!pending.isEmpty())
        emit m_committed->committed();
    co_return committed;
}

void TrialCommands::accept(const QList<TrialPtr>& trials)
{
    for (const TrialPtr& trial : trials) {
        TrialEntry& entry = m_state.add(trial);
        m_state.event(entry, TrialEventKind::accepted,
            trial->attempt > 1 ? u"Accepted as attempt %1."_m.arg(trial->attempt) : u"Accepted."_m);
        m_supervisor.enqueue(entry);
    }
    m_supervisor.passSoon();
}

void TrialCommands::generate(const ExperimentId& id, const QList<QByteArray>& parameters)
{
    const ExperimentPtr experiment = m_state.experiment(id);
    qint64 sequence = experiment->nextSequenceId;
    m_state.change(id, [&](Experiment& e) {
        e.nextSequenceId += parameters.size();
        e.generated += parameters.size();
    });
    for (const QByteArray& text : parameters) {
        TrialSubmission request;
        request.parameters = text;
        const Result<TrialPtr> made = make(*experiment, request, sequence++);
        if (!made)
            continue;
        TrialEntry& entry = m_state.add(*made);
        m_state.changeState(entry, [](store::TrialPrivate&) {});
        m_state.event(entry, TrialEventKind::accepted, u"Proposed by the search."_m);
        m_supervisor.enqueue(entry);
    }
    m_state.saveSoon(store::Durability::normal);
    m_supervisor.passSoon();
}

Result<QList<TrialEntry*>> TrialCommands::select(const TrialSelection& selection) const
{
    QList<TrialEntry*> entries;
    if (!selection.byFilter) {
        for (const QString& id : selection.ids) {
            TrialEntry* entry = m_state.trial(TrialId(id));
            if (!entry)
                return fail(Kind::not_found, u"There is no trial \"%1\"."_m.arg(id));
            entries.append(entry);
        }
        return entries;
    }
    const std::vector<TrialEntry*>& candidates =
        selection.experimentId.isEmpty() ? m_state.trials() : m_state.trialsOf(selection.experimentId);
    for (TrialEntry* entry : candidates) {
        const Trial& trial = *entry->trial;
        const bool tagged = std::all_of(
            selection.tags.begin(), selection.tags.end(), [&](const QString& tag) { return trial.tags.contains(tag); });
        if ((selection.platformId.isEmpty() || trial.platformId == selection.platformId)
            && (selection.machineId.isEmpty() || trial.machineId == selection.machineId)
            && (selection.statuses.isEmpty() || selection.statuses.contains(trial.status)) && tagged)
            entries.append(entry);
    }
    return entries;
}

static Reply replyOf(const QList<TrialEntry*>& entries, bool dryRun)
{
    Json ids = Json::array();
    for (const TrialEntry* entry : entries)
        ids.push_back(entry->trial->id.value);
    return Reply{.document = {{"count", entries.size()}, {"ids", ids}, {"dryRun", dryRun}}};
}

/// Of these, by machine, those that wait for a machine that does not answer, as services/api/out_of_reach.h lists them.
static Json silentOf(const QList<TrialEntry*>& entries)
{
    QMap<QString, Json> machines;
    for (const TrialEntry* entry : entries) {
        const Trial& trial = *entry->trial;
        if (trial.status != TrialStatus::unknown)
            continue;
        const QString machine = trial.machineId.isEmpty() ? trial.platformId.value : trial.machineId.value;
        Json& listed = machines[machine];
        if (listed.is_null())
            listed = {{"machineId", machine}, {"trialIds", Json::array()}};
        listed["trialIds"].push_back(trial.id.value);
    }
    Json list = Json::array();
    for (const Json& machine : std::as_const(machines))
        list.push_back(machine);
    return list;
}

Task<Result<Reply>> TrialCommands::cancel(CancelTrials command)
{
    Result<QList<TrialEntry*>> selected = select(command.selection);
    if (!selected)
        co_return fail(selected);
    // Cancelling what has ended is no error (NNI: mostly harmless), it just is not among what was cancelled.
    selected->removeIf([](const TrialEntry* entry) { return isFinal(entry->trial->status); });
    // These end when their machine answers; with force they end now.
    const Json silent = command.force ? Json::array() : silentOf(*selected);
    Reply reply = replyOf(*selected, command.dryRun);
    if (!silent.empty())
        reply.document["outOfReach"] = silent;
    if (command.dryRun)
        co_return reply;
    for (TrialEntry* entry : std::as_const(*selected)) {
        if (command.force && entry->trial->status == TrialStatus::unknown)
            m_supervisor.giveUpSilent(*entry);
        else
            m_supervisor.cancel(*entry, command.isEarlyStopped ? CancelIntent::early : CancelIntent::user, {});
    }
    const Result<> committed = co_await m_state.saved(store::Durability::full);
    if (!committed)
        co_return fail(committed);
    co_return reply;
}

Task<Result<Reply>> TrialCommands::retry(RetryTrials command)
{
    Result<QList<TrialEntry*>> selected = select(command.selection);
    if (!selected)
        co_return fail(selected);
    if (!command.selection.byFilter)
        for (const TrialEntry* entry : std::as_const(*selected))
            if (!isFinal(entry->trial->status))
                co_return fail(Kind::conflict,
                    u"Trial %1 has not ended (%2): cancel it first, then retry."_m.arg(
                        entry->trial->id.value, statusName(entry->trial->status)));
    // Of several attempts only the latest is retried; by a filter, only what did not succeed makes sense to repeat.
    QSet<TrialId> retried;
    for (const TrialEntry* entry : m_state.trials())
        if (!entry->trial->retryOf.isEmpty())
            retried.insert(entry->trial->retryOf);
    if (command.selection.byFilter)
        selected->removeIf([&](const TrialEntry* entry) {
            return !isFinal(entry->trial->status) || retried.contains(entry->trial->id);
        });
    if (command.dryRun)
        co_return replyOf(*selected, true);

    QMap<ExperimentId, QList<TrialPtr>> byExperiment;
    Json list = Json::array();
    for (const TrialEntry* entry : std::as_const(*selected)) {
        const Trial& old = *entry->trial;
        const ExperimentPtr experiment = m_state.experiment(old.experimentId);
        if (isClosed(experiment->state))
            co_return fail(Kind::conflict,
                u"The experiment \"%1\" is %2: its trials cannot be retried."_m.arg(
                    experiment->spec.name, experimentStateName(experiment->state)));
        TrialSubmission request;
        request.clientId = old.clientId;
        request.tags = command.overrides.tags.value_or(old.tags);
        request.priority = command.overrides.priority.value_or(old.priority);
        request.hold = command.overrides.hold.value_or(false);
        request.gpuNumber = command.overrides.gpuNumber ? command.overrides.gpuNumber : old.gpuNumber;
        request.platformId = command.overrides.platformId.isEmpty() ? old.platformId : command.overrides.platformId;
        request.machineId = command.overrides.machineId.isEmpty() ? old.wantedMachine : command.overrides.machineId;
        QList<TrialPtr>& made = byExperiment[old.experimentId];
        Result<TrialPtr> next = make(*experiment, request, experiment->nextSequenceId + made.size());
        if (!next)
            co_return fail(next);
        auto trial = std::make_shared<Trial>(**next);
        trial->parameters = old.parameters;
        trial->parameterCfg = old.parameterCfg; // the tuner's parameter_id stays: it is the same proposal
        trial->parameterIndex = old.parameterIndex;
        trial->formSequenceId = old.formSequenceId;
        trial->note = command.overrides.note.value_or(QString()); // what was noted is about the run before
        trial->attempt = old.attempt + 1;
        trial->retryOf = old.id;
        made.append(trial);
        list.push_back(
            {{"id", trial->id.value}, {"clientId", trial->clientId.isEmpty() ? Json() : Json(trial->clientId)},
                {"sequenceId", trial->sequenceId}, {"retryOf", old.id.value}});
    }
    for (auto it = byExperiment.begin(); it != byExperiment.end(); ++it) {
        const Result<> committed = co_await commitNew(it.key(), it.value(), std::nullopt);
        if (!committed)
            co_return fail(committed, u"The trials were not accepted"_m);
    }
    co_return Reply{.document = {{"count", list.size()}, {"trials", list}}, .created = true};
}

Task<Result<Reply>> TrialCommands::patch(PatchTrials command)
{
    const Result<QList<TrialEntry*>> selected = select(command.selection);
    if (!selected)
        co_return fail(selected);
    const TrialOverrides& set = command.set;
    const bool moves = set.gpuNumber || !set.platformId.isEmpty() || !set.machineId.isEmpty();
    for (const TrialEntry* entry : *selected) {
        if (moves && entry->state.submitted)
            co_return fail(Kind::conflict,
                u"Trial %1 has been placed already; what it needs cannot be changed any more."_m.arg(
                    entry->trial->id.value));
        if (set.formValue && isFinal(entry->trial->status))
            co_return fail(
                Kind::conflict, u"Trial %1 has ended and takes no parameters."_m.arg(entry->trial->id.value));
    }
    if (!set.platformId.isEmpty() && !m_state.platforms.contains(set.platformId))
        co_return fail(Kind::invalid, u"There is no platform \"%1\"."_m.arg(set.platformId.value));
    if (set.gpuNumber && *set.gpuNumber < 0)
        co_return fail(Kind::invalid, u"gpuNumber must be 0 or more."_m);
    if (set.note && set.note->size() > maxNoteLength)
        co_return fail(Kind::invalid, u"note must be a text of up to %1 characters."_m.arg(maxNoteLength));
    if (command.dryRun)
        co_return replyOf(*selected, true);

    const QList<TrialEntry*>& entries = *selected;
    for (TrialEntry* entry : entries) {
        if (isFinal(entry->trial->status) && !set.tags && !set.note)
            continue;
        m_state.change(*entry, [&](Trial& trial) {
            if (set.tags)
                trial.tags = *set.tags;
            if (set.note)
                trial.note = set.note->trimmed();
            if (isFinal(trial.status))
                return;
            trial.priority = set.priority.value_or(trial.priority);
            trial.hold = set.hold.value_or(trial.hold);
            if (set.gpuNumber)
                trial.gpuNumber = set.gpuNumber;
            if (!set.platformId.isEmpty())
                trial.platformId = set.platformId;
            if (!set.machineId.isEmpty())
                trial.wantedMachine = set.machineId;
        });
        if (!entry->state.submitted && !isFinal(entry->trial->status))
            m_supervisor.enqueue(*entry);
        if (set.formValue) {
            platforms::Platform* platform = m_platforms.ready(entry->trial->platformId);
            if (!platform)
                co_return fail(Kind::conflict, u"The platform %1 is not open."_m.arg(entry->trial->platformId.value));
            const QByteArray inner = trial::innerParameters(*set.formValue).value_or("{}");
            if (isNestedDeeper(inner, maxAcceptedDepth))
                co_return fail(Kind::invalid, u"The parameters are %1."_m.arg(tooDeepWords()));
            const platforms::TrialRef ref =
                TrialSupervisor::refOf(*entry, *m_state.experiment(entry->trial->experimentId));
            const Result<> sent = co_await platform->sendParameter(ref, set.formIndex, *set.formValue);
            if (!sent)
                co_return fail(sent);
            m_state.change(*entry, [&](Trial& trial) {
                trial.parameterCfg = *set.formValue;
                trial.parameters = trial::innerParameters(*set.formValue).value_or("{}");
                trial.parameterIndex = set.formIndex;
            });
            m_state.event(
                *entry, TrialEventKind::parameter, u"Got the next parameters (index %1)."_m.arg(set.formIndex));
        }
    }
    m_supervisor.passSoon();
    const Result<> committed = co_await m_state.saved(store::Durability::full);
    if (!committed)
        co_return fail(committed);
    co_return replyOf(entries, false);
}

Task<Result<Reply>> TrialCommands::move(MoveQueue command)
{
    QList<TrialEntry*> moved;
    QSet<TrialId> known;
    for (const QString& id : command.ids) {
        TrialEntry* entry = m_state.trial(TrialId(id));
        if (!entry)
            co_return fail(Kind::not_found, u"There is no trial \"%1\"."_m.arg(id));
        if (entry->state.submitted || isFinal(entry->trial->status))
            co_return fail(Kind::conflict, u"Trial %1 does not wait any more."_m.arg(id));
        if (known.contains(entry->trial->id))
            continue;
        known.insert(entry->trial->id);
        moved.append(entry);
    }
    const TrialEntry* before = command.before.isEmpty() ? nullptr : m_state.trial(TrialId(command.before));
    if (!before && !command.before.isEmpty())
        co_return fail(Kind::not_found, u"There is no trial \"%1\"."_m.arg(command.before));

    std::vector<TrialEntry*> stay;
    for (const TrialId& id : m_supervisor.queue().ordered())
        if (!known.contains(id))
            stay.push_back(m_state.trial(id));
    // Who is moved takes the priority of where it goes, else the move would have no effect.
    const std::optional<int> least = stay.empty() ? std::nullopt : std::optional(stay.back()->trial->priority);
    std::sort(stay.begin(), stay.end(),
        [](const TrialEntry* a, const TrialEntry* b) { return a->trial->queueOrder < b->trial->queueOrder; });
    std::vector<qint64> others;
    others.reserve(stay.size());
    for (const TrialEntry* entry : stay)
        others.push_back(entry->trial->queueOrder);
    // By its place, not by itself: it may have been started while the person looked at it.
    const auto at = before ? std::lower_bound(others.begin(), others.end(), before->trial->queueOrder) : others.end();
    const QueuePlaces places = queuePlaces(others, size_t(at - others.begin()), size_t(moved.size()));
    const auto put = [&](TrialEntry& entry, qint64 order, int priority) {
        m_state.change(entry, [&](Trial& trial) {
            trial.queueOrder = order;
            trial.priority = priority;
        });
        m_supervisor.enqueue(entry);
    };
    for (const auto& [index, order] : places.pushed)
        put(*stay[index], order, stay[index]->trial->priority);
    for (qsizetype i = 0; i < moved.size(); ++i) {
        const int own = moved[i]->trial->priority;
        put(*moved[i], places.moved[size_t(i)], before ? before->trial->priority : std::min(own, least.value_or(own)));
    }
    m_supervisor.passSoon();
    const Result<> committed = co_await m_state.saved(store::Durability::full);
    if (!committed)
        co_return fail(committed);
    co_return Reply{};
}

} // namespace engine

#include "trial_commands.moc"
