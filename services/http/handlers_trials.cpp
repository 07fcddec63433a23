// SPDX-License-Identifier: GPL-3.0-or-later
#include "handlers.h"

#include "api_decode.h"
#include "handler_support.h"

#include "services/api/trial_query.h"
#include "services/core/record_json.h"

using namespace Qt::StringLiterals;

namespace http::handlers {

using api::Mirror;

static constexpr qint64 anyNumber = std::numeric_limits<qint64>::max();
static constexpr qsizetype maxPathText = 3 * 4'096;  ///< PATH_MAX bytes, each written as =HH
static constexpr qint64 maxPiece = 16 * 1024 * 1024; ///< of a log or file in one answer
static constexpr qint64 filePiece = 1024 * 1024;     ///< of a file that is streamed

// ---------------------------------------------------------------------------------------------------------------- trials

static Outcome revised(api::Command command)
{
    return execute(std::move(command), doneText, Execute::Shape::revised);
}

Result<Outcome> submitTrials(Call& call, const View& view)
{
    auto experiment = experimentOf(call, view);
    if (!experiment)
        return fail(experiment);
    auto trials = decodeTrials(call.body);
    if (!trials)
        return fail(trials);
    return revised(api::SubmitTrials{(*experiment)->id, *std::move(trials), call.idempotencyKey});
}

Result<Outcome> listTrials(Call& call, const View& view)
{
    api::TrialQuery query;
    QStringList statuses;
    QString order = u"asc"_s;
    QString after;
    QStringList fields;
    call.query.read("experimentId", query.experimentId.value);
    call.query.read("platformId", query.platformId.value);
    call.query.read("machineId", query.machineId.value);
    call.query.read("clientId", query.clientId);
    call.query.read("status", statuses);
    call.query.read("sort", query.sort);
    call.query.read("order", order);
    call.query.read("fields", fields);
    call.query.read("limit", query.limit, 1, maxListLimit);
    call.query.read("after", after);
    if (order != u"asc" && order != u"desc")
        call.query.refuse(u"The parameter \"order\" must be asc or desc."_m);
    for (const QString& word : statuses) {
        if (const auto status = statusFromName(word))
            query.statuses.append(*status);
        else
            call.query.refuse(u"\"%1\" is no status of a trial."_m.arg(word));
    }
    if (auto good = call.query.finish(); !good)
        return fail(good);
    auto mask = api::trialFieldMask(fields.join(u','));
    if (!mask)
        return fail(mask);
    query.fields = *mask;
    query.descending = order == u"desc";
    query.after = after.toLatin1();
    const QByteArray tag = revisionTag(view.mirror);
    if (auto same = notModified(call, tag))
        return Outcome(*std::move(same));
    auto page = api::queryTrials(view.mirror, query);
    if (!page)
        return fail(page);
    Answer answer = json(api::trialPageJson(*page, query.fields, view.mirror.revision()));
    answer.setHeader("ETag", tag);
    return Outcome(std::move(answer));
}

static Result<TrialPtr> trialOf(const Call& call, const View& view)
{
    TrialPtr trial = findTrial(view.mirror, call.captures[0]);
    if (!trial)
        return missing(u"trial"_s, call.captures[0]);
    return trial;
}

static api::TrialSelection only(const TrialPtr& trial)
{
    api::TrialSelection selection;
    selection.ids = {trial->id.value};
    return selection;
}

Result<Outcome> getTrial(Call& call, const View& view)
{
    auto trial = trialOf(call, view);
    if (!trial)
        return fail(trial);
    return Outcome(json(trialText(**trial)));
}

Result<Outcome> patchTrial(Call& call, const View& view)
{
    auto trial = trialOf(call, view);
    if (!trial)
        return fail(trial);
    auto body = decodeObject(call.body);
    if (!body)
        return fail(body);
    auto set = decodeOverrides(*body);
    if (!set)
        return fail(set);
    return execute(
        api::PatchTrials{only(*trial), *std::move(set), false}, trialNow((*trial)->id), Execute::Shape::record);
}

Result<Outcome> cancelTrial(Call& call, const View& view)
{
    auto trial = trialOf(call, view);
    if (!trial)
        return fail(trial);
    auto body = decodeObject(call.body, true);
    if (!body)
        return fail(body);
    api::CancelTrials command{only(*trial), false, false};
    JsonReader reader(*body);
    reader.read("isEarlyStopped", command.isEarlyStopped);
    reader.read("force", command.force);
    if (auto good = reader.finish(); !good)
        return fail(good);
    return execute(std::move(command), trialNow((*trial)->id), Execute::Shape::record);
}

Result<Outcome> retryTrial(Call& call, const View& view)
{
    auto trial = trialOf(call, view);
    if (!trial)
        return fail(trial);
    auto body = decodeObject(call.body, true);
    if (!body)
        return fail(body);
    auto overrides = decodeOverrides(*body);
    if (!overrides)
        return fail(overrides);
    return revised(api::RetryTrials{only(*trial), *std::move(overrides), false});
}

Result<Outcome> cancelTrials(Call& call, const View& view)
{
    auto body = decodeObject(call.body);
    if (!body)
        return fail(body);
    JsonReader reader(*body);
    api::CancelTrials command{readSelection(reader, view.mirror)};
    reader.read("isEarlyStopped", command.isEarlyStopped);
    reader.read("dryRun", command.dryRun);
    reader.read("force", command.force);
    if (auto good = reader.finish(); !good)
        return fail(good);
    return revised(std::move(command));
}

/// The member `name` as overrides; its problems are the reader's.
static api::TrialOverrides readOverrides(JsonReader& reader, const char* name)
{
    const Json* member = reader.take(name);
    if (!member)
        return {};
    auto overrides = decodeOverrides(*member, QString::fromLatin1(name));
    if (overrides)
        return *std::move(overrides);
    reader.refuse(overrides.error().message);
    return {};
}

Result<Outcome> retryTrials(Call& call, const View& view)
{
    auto body = decodeObject(call.body);
    if (!body)
        return fail(body);
    JsonReader reader(*body);
    api::RetryTrials command{readSelection(reader, view.mirror)};
    command.overrides = readOverrides(reader, "overrides");
    reader.read("dryRun", command.dryRun);
    if (auto good = reader.finish(); !good)
        return fail(good);
    return revised(std::move(command));
}

Result<Outcome> patchTrials(Call& call, const View& view)
{
    auto body = decodeObject(call.body);
    if (!body)
        return fail(body);
    JsonReader reader(*body);
    api::PatchTrials command{readSelection(reader, view.mirror)};
    if (!reader.has("set"))
        reader.refuse(u"set is required: what to change."_m);
    command.set = readOverrides(reader, "set");
    reader.read("dryRun", command.dryRun);
    if (auto good = reader.finish(); !good)
        return fail(good);
    return revised(std::move(command));
}

Result<Outcome> moveQueue(Call& call, const View& view)
{
    auto body = decodeObject(call.body);
    if (!body)
        return fail(body);
    api::MoveQueue command;
    JsonReader reader(*body);
    reader.read("ids", command.ids);
    if (command.ids.isEmpty())
        reader.refuse(u"ids is required: which trials are moved."_m);
    std::optional<QString> before;
    reader.read("before", before);
    if (auto good = reader.finish(); !good)
        return fail(good);
    const auto own = [&](const QString& id) {
        const TrialPtr trial = findTrial(view.mirror, id);
        return trial ? trial->id.value : id;
    };
    for (QString& id : command.ids)
        id = own(id);
    if (before)
        command.before = own(*before);
    return execute(std::move(command));
}

Result<Outcome> trialEvents(Call& call, const View& view)
{
    auto trial = trialOf(call, view);
    if (!trial)
        return fail(trial);
    api::ReadTrialEvents command{(*trial)->id, 0};
    call.query.read("since", command.since, 0, anyNumber);
    if (auto good = call.query.finish(); !good)
        return fail(good);
    return execute(std::move(command));
}

Result<Outcome> listLogs(Call& call, const View& view)
{
    auto trial = trialOf(call, view);
    if (!trial)
        return fail(trial);
    return execute(api::ListLogs{(*trial)->id});
}

Result<Outcome> readLog(Call& call, const View& view)
{
    auto trial = trialOf(call, view);
    if (!trial)
        return fail(trial);
    api::ReadLog read{(*trial)->id, call.captures[1]};
    if (read.name.contains(u'/'))
        return fail(Kind::invalid, u"The name of a log holds no slash."_m);
    call.query.read("offset", read.offset, 0, anyNumber);
    call.query.read("limit", read.limit, 1, maxPiece);
    call.query.read("tail", read.tail, 0, anyNumber);
    call.query.read("follow", read.follow);
    if (auto good = call.query.finish(); !good)
        return fail(good);
    if (read.follow)
        return Outcome(StreamBytes{std::move(read), "text/plain; charset=utf-8"});
    return Outcome(Execute{std::move(read), {}, false, Execute::Shape::log});
}

Result<Outcome> listFiles(Call& call, const View& view)
{
    auto trial = trialOf(call, view);
    if (!trial)
        return fail(trial);
    api::ListFiles list{(*trial)->id, {}};
    if (call.query.has("after"))
        call.query.read("after", list.after);
    call.query.read("limit", list.limit, 1, maxListLimit);
    const QStringList parts = list.after.split(u'/');
    if (call.query.has("after")
        && (list.after.size() > maxPathText || std::any_of(parts.begin(), parts.end(), [](const QString& part) {
               return part.isEmpty() || part == u"." || part == u"..";
           })))
        call.query.refuse(u"after must be the text that `next` of the list before had."_m);
    if (auto good = call.query.finish(); !good)
        return fail(good);
    return execute(std::move(list));
}

Result<Outcome> readFile(Call& call, const View& view)
{
    auto trial = trialOf(call, view);
    if (!trial)
        return fail(trial);
    const QString path = call.captures[1];
    const QStringList parts = path.split(u'/');
    if (std::any_of(
            parts.begin(), parts.end(), [](const QString& p) { return p.isEmpty() || p == u"." || p == u".."; }))
        return fail(Kind::invalid, u"The path of a file has no empty part, no \".\" and no \"..\"."_m);
    api::ReadLog read{(*trial)->id, u"output/"_s + path};
    std::optional<qint64> limit;
    call.query.read("offset", read.offset, 0, anyNumber);
    call.query.read("limit", limit, 1, maxPiece);
    if (auto good = call.query.finish(); !good)
        return fail(good);
    read.limit = limit.value_or(filePiece);
    if (!limit)
        return Outcome(StreamBytes{std::move(read), "application/octet-stream"});
    return Outcome(Execute{std::move(read), {}, false, Execute::Shape::file});
}

// --------------------------------------------------------------------------------------------------------------- metrics

Result<Outcome> trialMetrics(Call& call, const View& view)
{
    auto trial = trialOf(call, view);
    if (!trial)
        return fail(trial);
    api::ReadMetrics command;
    qint64 since = 0;
    call.query.read("since", since, 0, anyNumber);
    call.query.read("limit", command.limit, 1, maxListLimit);
    if (auto good = call.query.finish(); !good)
        return fail(good);
    command.cursors.append({(*trial)->id, since});
    return execute(std::move(command));
}

Result<Outcome> readMetrics(Call& call, const View& view)
{
    auto command = decodeMetricCursors(call.body, view.mirror);
    if (!command)
        return fail(command);
    return execute(*std::move(command));
}

Result<Outcome> readSeries(Call& call, const View& view)
{
    auto command = decodeSeries(call.body, view.mirror);
    if (!command)
        return fail(command);
    return execute(*std::move(command));
}

// ---------------------------------------------------------------------------------------------------------------- events

Result<Outcome> followEvents(Call& call, const View&)
{
    FollowEvents out;
    QString since;
    QStringList topics;
    QString metrics = u"all"_s;
    call.query.read("since", since);
    call.query.read("topics", topics);
    call.query.read("metrics", metrics);
    call.query.read("experimentId", out.filter.experiment.value);
    QStringList names;
    for (const auto& [name, bit] : eventTopics())
        names.append(name);
    if (!topics.isEmpty())
        out.filter.topics = 0;
    for (const QString& topic : topics) {
        const qsizetype i = names.indexOf(topic);
        if (i < 0)
            call.query.refuse(u"\"%1\" is no topic; there are %2."_m.arg(topic, names.join(u", ")));
        else
            out.filter.topics |= eventTopics()[i].second;
    }
    if (metrics == u"none")
        out.filter.mode = MetricsMode::none;
    else if (metrics == u"last")
        out.filter.mode = MetricsMode::last;
    else if (metrics != u"all")
        call.query.refuse(u"The parameter \"metrics\" must be none, last or all."_m);
    if (auto good = call.query.finish(); !good)
        return fail(good);
    if (!since.isEmpty()) {
        out.since = eventPlaceFromText(since);
        if (!out.since)
            out.since = EventPlace{};
    }
    return Outcome(std::move(out));
}

} // namespace http::handlers
