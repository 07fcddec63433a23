// SPDX-License-Identifier: GPL-3.0-or-later
#include "queries.h"

#include "services/core/message/message_json.h"
#include "services/api/reply_builders.h"
#include "services/core/record_json.h"
#include "services/engine/trials/output_log.h"
#include "services/trial/parameter_id.h"

using namespace Qt::StringLiterals;

namespace engine {

static constexpr qint64 recordsAtOnce = 10'000;

Queries::Queries(EngineState& state, store::Store& store, PlatformManager& platforms)
    : m_state(state)
    , m_store(store)
    , m_platforms(platforms)
    , m_listener(state.changes().listen([this](const ChangePtr& change) { take(*change); }))
{
}

Queries::~Queries()
{
    m_state.changes().stopListening(m_listener);
}

void Queries::take(const Change& change)
{
    for (const MetricBatchPtr& batch : change.metrics)
        m_curves.extend(batch->trialId, batch->metrics);
    for (const TrialId& trial : change.removed.trials)
        m_curves.remove(trial);
}

Task<Result<Reply>> Queries::metrics(ReadMetrics command)
{
    QByteArray text = "{\"metrics\":[";
    qint64 left = command.limit;
    Json cursors = Json::array();
    bool first = true;
    // What was reported but waits for its commit belongs to the answer, here and below; while none succeeds, what is stored does.
    (void)co_await m_state.saved(store::Durability::normal);
    for (const MetricCursor& cursor : std::as_const(command.cursors)) {
        if (!m_state.trial(cursor.trial))
            co_return fail(Kind::not_found, u"There is no trial \"%1\"."_m.arg(cursor.trial.value));
        qint64 next = cursor.since;
        if (left > 0) {
            const Result<std::vector<Metric>> read = co_await m_store.readMetrics(cursor.trial, cursor.since, left);
            if (!read)
                co_return fail(read);
            const TrialEntry* entry = m_state.trial(cursor.trial);
            const QByteArray textId = entry ? trial::textParameterId(entry->trial->parameterCfg) : QByteArray();
            for (const Metric& metric : *read) {
                if (!first)
                    text += ',';
                first = false;
                appendMetricJson(text, cursor.trial, metric, textId);
                next = metric.sequence + 1;
            }
            left -= qint64(read->size());
        }
        cursors.push_back({{"trialId", cursor.trial.value}, {"since", next}});
    }
    text += "],\"next\":";
    text += command.cursors.size() == 1 ? QByteArray::number(cursors[0]["since"].get<qint64>()) : dumpJson(cursors);
    text += '}';
    co_return Reply{.bytes = text, .isJsonText = true};
}

Task<Result<Reply>> Queries::events(ReadTrialEvents command)
{
    if (!m_state.trial(command.trial))
        co_return fail(Kind::not_found, u"There is no trial \"%1\"."_m.arg(command.trial.value));
    (void)co_await m_state.saved(store::Durability::normal);
    const Result<QList<TrialEvent>> read = co_await m_store.readEvents(command.trial, command.since);
    if (!read)
        co_return fail(read);
    Json list = Json::array();
    for (const TrialEvent& event : *read)
        list.push_back(toJson(event));
    const qint64 next = read->isEmpty() ? command.since : read->last().sequence + 1;
    co_return Reply{.document = {{"events", list}, {"next", next}}};
}

Task<Result<>> Queries::complete(TrialId id, QString metric)
{
    // Again after each await: the trial may have reported more, and another reader may have filled the same curve.
    for (;;) {
        m_state.changes().flush();
        const TrialEntry* entry = m_state.trial(id);
        const qint64 next = m_curves.next(id, metric);
        if (!entry || next >= entry->trial->metricCount)
            co_return Result<>{};
        (void)co_await m_state.saved(store::Durability::normal);
        const Result<std::vector<Metric>> read = co_await m_store.readMetrics(id, next, recordsAtOnce);
        if (!read)
            co_return fail(read);
        if (read->empty() || !m_state.trial(id))
            co_return Result<>{};
        m_curves.add(id, metric, *read);
    }
}

Task<Result<Reply>> Queries::series(ReadSeries command)
{
    SeriesReplyBuilder answer(command);
    for (const TrialId& id : std::as_const(command.trials)) {
        if (!m_state.trial(id))
            co_return fail(Kind::not_found, u"There is no trial \"%1\"."_m.arg(id.value));
        const Result<> completed = co_await complete(id, command.metric);
        if (!completed)
            co_return fail(completed);
        series::Pyramid* curve = m_curves.find(id, command.metric);
        if (!curve) {
            answer.add(id, {});
            continue;
        }
        const TrialEntry* entry = m_state.trial(id);
        if (entry && entry->trial->startTime)
            curve->setOrigin(*entry->trial->startTime);
        answer.add(id, *curve);
    }
    co_return answer.reply();
}

Result<Reply> Queries::failures(const ReadFailures& command) const
{
    if (!m_state.experiment(command.experiment))
        return fail(Kind::not_found, u"There is no experiment \"%1\"."_m.arg(command.experiment.value));
    QList<const Trial*> trials;
    for (const TrialEntry* entry : m_state.trialsOf(command.experiment))
        trials.append(entry->trial.get());
    return failuresReply(trials);
}

Result<Queries::Place> Queries::placeOf(const TrialId& id) const
{
    const TrialEntry* entry = m_state.trial(id);
    if (!entry)
        return fail(Kind::not_found, u"There is no trial \"%1\"."_m.arg(id.value));
    if (!entry->state.submitted)
        return fail(Kind::not_found,
            isFinal(entry->trial->status) ? u"Trial %1 ended before it started; it has no files."_m.arg(id.value)
                                          : u"Trial %1 waits and has no files yet."_m.arg(id.value));
    if (entry->state.cleaned)
        return fail(Kind::not_found, u"The files of trial %1 were removed (cleanup)."_m.arg(id.value));
    Place place;
    place.platform = m_platforms.ready(entry->trial->platformId);
    if (!place.platform)
        return fail(Kind::resource, u"The platform %1 is not open."_m.arg(entry->trial->platformId.value));
    place.ref = TrialSupervisor::refOf(*entry, *m_state.experiment(entry->trial->experimentId));
    return place;
}

Task<Result<Reply>> Queries::logs(ListLogs command)
{
    const Result<Place> place = placeOf(command.trial);
    if (!place)
        co_return fail(place);
    const Result<QStringList> names = co_await place->platform->logNames(place->ref);
    if (!names)
        co_return fail(names);
    const TrialEntry* entry = m_state.trial(command.trial);
    QStringList output{u"stdout"_s};
    if (entry && names->contains(u"trial.log"_s)) {
        auto looking = outputLogs(&m_platforms, entry->trial->platformId, place->ref);
        output = co_await looking;
    }
    Json list = Json::array();
    for (const QString& name : *names)
        list.push_back(name);
    Json printed = Json::array();
    for (const QString& name : std::as_const(output))
        printed.push_back(name);
    const Json document = {{"logs", list}, {"default", output.first()}, {"output", printed}};
    co_return Reply{.document = document};
}

Task<Result<Reply>> Queries::log(ReadLog command)
{
    const Result<Place> place = placeOf(command.trial);
    if (!place)
        co_return fail(place);
    platforms::ReadRange range;
    range.offset = command.offset;
    range.limit = command.limit;
    range.tail = command.tail;
    range.follow = command.follow;
    const Result<platforms::Bytes> read = co_await place->platform->readLog(place->ref, command.name, range);
    if (!read)
        co_return fail(read);
    co_return Reply{.bytes = read->bytes, .offset = read->offset, .size = read->size, .end = read->end};
}

Task<Result<Reply>> Queries::files(ListFiles command)
{
    const Result<Place> place = placeOf(command.trial);
    if (!place)
        co_return fail(place);
    const Result<platforms::FileList> piece =
        co_await place->platform->listFiles(place->ref, command.after, command.limit);
    if (!piece)
        co_return fail(piece);
    Json list = Json::array();
    for (const platforms::FileEntry& entry : piece->files) {
        Json file = {{"path", entry.path}, {"size", entry.size}, {"modified", entry.modified},
            {"folder", entry.type == u"folder"}, {"type", entry.type}};
        if (!entry.message.isEmpty())
            core::addMessage(file, "message", entry.message);
        list.push_back(std::move(file));
    }
    const Json next = piece->next.isEmpty() ? Json() : Json(piece->next);
    const Json document = {{"files", list}, {"next", next}};
    co_return Reply{.document = document};
}

} // namespace engine
