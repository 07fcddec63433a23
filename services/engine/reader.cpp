// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader.h"

#include "services/core/record_json.h"
#include "services/trial/failure_cause.h"
#include "services/trial/objective.h"

#include <charconv>
#include <cmath>

using namespace Qt::StringLiterals;

namespace engine {

/// Curves kept ready to be drawn again, while they have no more points than this together; a point costs about 25 bytes.
static constexpr qsizetype keptCurves = 8192;
static constexpr size_t keptPoints = 12'000'000;

Reader::Reader(Book& book, store::Store& store, PlatformDesk& platforms)
    : m_book(book)
    , m_store(store)
    , m_platforms(platforms)
{
}

Task<Result<Reply>> Reader::metrics(ReadMetrics command)
{
    QByteArray text = "{\"metrics\":[";
    qint64 left = command.limit;
    Json cursors = Json::array();
    bool first = true;
    // What was reported but waits for its commit belongs to the answer.
    m_book.save(store::Durability::normal);
    for (const MetricCursor& cursor : std::as_const(command.cursors)) {
        if (!m_book.trial(cursor.trial))
            co_return fail(Kind::not_found, u"There is no trial \"%1\"."_s.arg(cursor.trial.value));
        qint64 next = cursor.since;
        if (left > 0) {
            const Result<std::vector<Metric>> read = co_await m_store.readMetrics(cursor.trial, cursor.since, left);
            if (!read)
                co_return fail(read);
            for (const Metric& metric : *read) {
                if (!first)
                    text += ',';
                first = false;
                appendMetricJson(text, cursor.trial, metric);
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

Task<Result<Reply>> Reader::events(ReadTrialEvents command)
{
    if (!m_book.trial(command.trial))
        co_return fail(Kind::not_found, u"There is no trial \"%1\"."_s.arg(command.trial.value));
    m_book.save(store::Durability::normal);
    const Result<QList<TrialEvent>> read = co_await m_store.readEvents(command.trial, command.since);
    if (!read)
        co_return fail(read);
    Json list = Json::array();
    for (const TrialEvent& event : *read)
        list.push_back(toJson(event));
    const qint64 next = read->isEmpty() ? command.since : read->last().sequence + 1;
    co_return Reply{.document = {{"events", list}, {"next", next}}};
}

Task<Result<std::shared_ptr<series::Pyramid>>> Reader::pyramid(TrialId id, QString metric)
{
    const std::pair<TrialId, QString> key{id, metric};
    Curve curve = m_curves.value(key);
    if (!curve.pyramid)
        curve.pyramid = std::make_shared<series::Pyramid>();
    const TrialEntry* known = m_book.trial(id);
    if (known && curve.next < known->trial->metricCount)
        m_book.save(store::Durability::normal);
    for (;;) {
        // What was read up to the newest record needs no look at the disk.
        known = m_book.trial(id);
        if (known && curve.next >= known->trial->metricCount)
            break;
        const Result<std::vector<Metric>> read = co_await m_store.readMetrics(id, curve.next, 10'000);
        if (!read)
            co_return fail(read);
        for (const Metric& one : *read) {
            curve.next = one.sequence + 1;
            if (one.type == MetricType::request_parameter)
                continue;
            if (const std::optional<double> value = trial::objectiveValue(one.value, {metric, true}))
                curve.pyramid->append(double(one.step.value_or(one.sequence)), one.time, *value);
        }
        if (read->size() < 10'000)
            break;
    }
    const TrialEntry* entry = m_book.trial(id);
    if (entry && entry->trial->startTime)
        curve.pyramid->setOrigin(*entry->trial->startTime);
    curve.used = ++m_uses;
    keep(key, curve);
    co_return curve.pyramid;
}

void Reader::keep(const std::pair<TrialId, QString>& key, Curve curve)
{
    m_keptPoints -= m_curves.value(key).points;
    curve.points = curve.pyramid->size();
    m_keptPoints += curve.points;
    m_curves.insert(key, curve);
    while (m_curves.size() > 1 && (m_curves.size() > keptCurves || m_keptPoints > keptPoints)) {
        const auto oldest = std::min_element(
            m_curves.begin(), m_curves.end(), [](const Curve& a, const Curve& b) { return a.used < b.used; });
        m_keptPoints -= oldest->points;
        m_curves.erase(oldest);
    }
}

/// As short as it reads back exactly; null for what JSON cannot write.
static void appendNumber(QByteArray& out, const char* name, double value)
{
    out += name;
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    char text[32];
    const auto written = std::to_chars(text, text + sizeof text, value);
    out.append(text, written.ptr - text);
}

Task<Result<Reply>> Reader::series(ReadSeries command)
{
    series::Query query;
    query.axis = command.x == u"time" ? series::Axis::time
        : command.x == u"relative"    ? series::Axis::relative
                                      : series::Axis::step;
    query.columns = command.columns;
    // By hand: a chart asks for a hundred thousand columns, and a document of them would keep this thread busy.
    QByteArray text =
        "{\"metric\":" + dumpJson(Json(command.metric)) + ",\"x\":" + dumpJson(Json(command.x)) + ",\"series\":[";
    bool first = true;
    for (const TrialId& id : std::as_const(command.trials)) {
        if (!m_book.trial(id))
            co_return fail(Kind::not_found, u"There is no trial \"%1\"."_s.arg(id.value));
        const auto built = co_await pyramid(id, command.metric);
        if (!built)
            co_return fail(built);
        const auto [low, high] = (*built)->range(query.axis);
        query.from = command.from.value_or(low);
        query.to = command.to.value_or(high);
        text += first ? "{\"trialId\":" : ",{\"trialId\":";
        first = false;
        text += dumpJson(Json(id.value)) + ",\"total\":" + QByteArray::number(qint64((*built)->size()));
        appendNumber(text, ",\"from\":", query.from);
        appendNumber(text, ",\"to\":", query.to);
        text += ",\"columns\":[";
        bool firstColumn = true;
        for (const series::Column& column : (*built)->query(query)) {
            if (column.count == 0)
                continue;
            appendNumber(text, firstColumn ? "{\"x\":" : ",{\"x\":", column.x);
            firstColumn = false;
            appendNumber(text, ",\"min\":", column.min);
            appendNumber(text, ",\"max\":", column.max);
            appendNumber(text, ",\"first\":", column.first);
            appendNumber(text, ",\"last\":", column.last);
            appendNumber(text, ",\"firstX\":", column.firstX);
            appendNumber(text, ",\"lastX\":", column.lastX);
            text += ",\"count\":" + QByteArray::number(column.count)
                + ",\"nanCount\":" + QByteArray::number(column.nanCount) + '}';
        }
        text += "]}";
    }
    text += "]}";
    co_return Reply{.bytes = text, .isJsonText = true};
}

Result<Reply> Reader::failures(const ReadFailures& command) const
{
    if (!m_book.experiment(command.experiment))
        return fail(Kind::not_found, u"There is no experiment \"%1\"."_s.arg(command.experiment.value));
    struct Group
    {
        QString cause;
        QString failureClass;
        QString sample;
        QStringList machines;
        QStringList trials;
    };
    QHash<QString, Group> groups;
    for (const TrialEntry* entry : m_book.trialsOf(command.experiment)) {
        const Trial& trial = *entry->trial;
        if (trial.status != TrialStatus::failed)
            continue;
        const qsizetype mark = trial.reason.indexOf(errorLineMark);
        const QByteArray lastWords = mark < 0 ? QByteArray() : trial.reason.mid(mark + errorLineMark.size()).toUtf8();
        const trial::FailureCause cause = trial::failureCause(trial, lastWords);
        Group& group = groups[cause.key];
        if (group.trials.isEmpty()) {
            group.cause = cause.cause;
            group.failureClass = trial.failureClass;
            group.sample = cause.sample;
        }
        if (!trial.machineId.isEmpty() && !group.machines.contains(trial.machineId.value))
            group.machines.append(trial.machineId.value);
        group.trials.append(trial.id.value);
    }
    QList<Group> sorted = groups.values();
    std::sort(sorted.begin(), sorted.end(), [](const Group& a, const Group& b) {
        return a.trials.size() != b.trials.size() ? a.trials.size() > b.trials.size() : a.cause < b.cause;
    });
    Json list = Json::array();
    const auto words = [](const QStringList& strings) {
        Json array = Json::array();
        for (const QString& string : strings)
            array.push_back(string);
        return array;
    };
    for (const Group& group : sorted)
        list.push_back({{"cause", group.cause}, {"failureClass", group.failureClass}, {"count", group.trials.size()},
            {"machines", words(group.machines)}, {"sample", group.sample}, {"trialIds", words(group.trials)}});
    return Reply{.document = {{"groups", list}}};
}

Result<Reader::Place> Reader::placeOf(const TrialId& id) const
{
    const TrialEntry* entry = m_book.trial(id);
    if (!entry)
        return fail(Kind::not_found, u"There is no trial \"%1\"."_s.arg(id.value));
    if (!entry->state.submitted)
        return fail(Kind::not_found,
            isFinal(entry->trial->status) ? u"Trial %1 ended before it started; it has no files."_s.arg(id.value)
                                          : u"Trial %1 waits and has no files yet."_s.arg(id.value));
    if (entry->state.cleaned)
        return fail(Kind::not_found, u"The files of trial %1 were removed (cleanup)."_s.arg(id.value));
    Place place;
    place.platform = m_platforms.ready(entry->trial->platformId);
    if (!place.platform)
        return fail(Kind::resource, u"The platform %1 is not open."_s.arg(entry->trial->platformId.value));
    place.ref = TrialSupervisor::refOf(*entry, *m_book.experiment(entry->trial->experimentId));
    return place;
}

Task<Result<Reply>> Reader::logs(ListLogs command)
{
    const Result<Place> place = placeOf(command.trial);
    if (!place)
        co_return fail(place);
    const Result<QStringList> names = co_await place->platform->logNames(place->ref);
    if (!names)
        co_return fail(names);
    Json list = Json::array();
    for (const QString& name : *names)
        list.push_back(name);
    co_return Reply{.document = {{"logs", list}}};
}

Task<Result<Reply>> Reader::log(ReadLog command)
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

Task<Result<Reply>> Reader::files(ListFiles command)
{
    const Result<Place> place = placeOf(command.trial);
    if (!place)
        co_return fail(place);
    const Result<QList<platforms::FileEntry>> entries = co_await place->platform->listFiles(place->ref);
    if (!entries)
        co_return fail(entries);
    Json list = Json::array();
    for (const platforms::FileEntry& entry : *entries)
        list.push_back(
            {{"path", entry.path}, {"size", entry.size}, {"modified", entry.modified}, {"folder", entry.folder}});
    co_return Reply{.document = {{"files", list}}};
}

} // namespace engine
