// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_http.h"

#include "services/api/error_marks.h"
#include "services/api/out_of_reach.h"
#include "services/core/message/message_json.h"
#include "services/core/record_json.h"

#include <QUrl>

using namespace Qt::StringLiterals;

namespace client {

namespace {

QByteArray escaped(const QString& text)
{
    return QUrl::toPercentEncoding(text);
}

/// A path made of literal parts and ids.
template <typename... Parts>
QByteArray path(Parts... parts)
{
    QByteArray out = "/api/v1";
    const auto add = [&](const auto& part) {
        out += '/';
        if constexpr (std::is_convertible_v<decltype(part), QString>)
            out += escaped(part);
        else
            out += part;
    };
    (add(parts), ...);
    return out;
}

HttpRequest request(QByteArray method, QByteArray target)
{
    return {std::move(method), std::move(target)};
}

HttpRequest request(QByteArray method, QByteArray target, const Json& body)
{
    HttpRequest out{std::move(method), std::move(target)};
    out.body = dumpJson(body);
    return out;
}

void setIfMatch(HttpRequest& request, std::optional<qint64> version)
{
    if (version)
        request.headers.emplaceBack("If-Match", '"' + QByteArray::number(*version) + '"');
}

Json words(const QStringList& list)
{
    Json out = Json::array();
    for (const QString& word : list)
        out.push_back(word);
    return out;
}

Json formJson(const QByteArray& value, int index)
{
    return {{"hyperParameters", {{"value", value.toStdString()}, {"index", index}}}};
}

Json toJson(const TrialOverrides& set)
{
    Json out = Json::object();
    if (set.gpuNumber)
        out["gpuNumber"] = *set.gpuNumber;
    if (!set.platformId.isEmpty())
        out["platformId"] = set.platformId.value;
    if (!set.machineId.isEmpty())
        out["machineId"] = set.machineId.value;
    if (set.tags)
        out["tags"] = words(*set.tags);
    if (set.note)
        out["note"] = *set.note;
    if (set.priority)
        out["priority"] = *set.priority;
    if (set.hold)
        out["hold"] = *set.hold;
    if (set.formValue)
        out["form"] = formJson(*set.formValue, set.formIndex);
    return out;
}

/// `ids` or `filter`, and `dryRun`.
Json toJson(const TrialSelection& selection, bool dryRun)
{
    Json out = Json::object();
    if (selection.byFilter) {
        Json filter = Json::object();
        if (!selection.experimentId.isEmpty())
            filter["experimentId"] = selection.experimentId.value;
        if (!selection.platformId.isEmpty())
            filter["platformId"] = selection.platformId.value;
        if (!selection.machineId.isEmpty())
            filter["machineId"] = selection.machineId.value;
        for (const TrialStatus status : selection.statuses)
            filter["status"].push_back(statusName(status));
        if (!selection.tags.isEmpty())
            filter["tags"] = words(selection.tags);
        out["filter"] = std::move(filter);
    } else {
        out["ids"] = words(selection.ids);
    }
    if (dryRun)
        out["dryRun"] = true;
    return out;
}

/// Written by hand: the parameters go out byte for byte.
void append(QByteArray& out, const TrialSubmission& trial)
{
    Json rest = Json::object();
    if (!trial.clientId.isEmpty())
        rest["clientId"] = trial.clientId;
    if (trial.hasForm) {
        rest["form"] = formJson(trial.formValue, trial.formIndex);
        rest["form"]["sequenceId"] = trial.formSequenceId;
    }
    if (!trial.tags.isEmpty())
        rest["tags"] = words(trial.tags);
    if (trial.priority != 0)
        rest["priority"] = trial.priority;
    if (trial.hold)
        rest["hold"] = true;
    if (trial.gpuNumber)
        rest["gpuNumber"] = *trial.gpuNumber;
    if (!trial.platformId.isEmpty())
        rest["platformId"] = trial.platformId.value;
    if (!trial.machineId.isEmpty())
        rest["machineId"] = trial.machineId.value;
    if (trial.rerun)
        rest["rerun"] = true;
    QByteArray text = dumpJson(rest);
    if (!trial.hasForm && !trial.parameters.isEmpty()) {
        text.chop(1);
        text += rest.empty() ? "\"parameters\":" : ",\"parameters\":";
        text += trial.parameters + '}';
    }
    out += text;
}

HttpRequest requestOf(const PutPlatform& c)
{
    HttpRequest out = request("PUT", path("platforms", c.id.value) + (c.force ? "?force=true" : ""),
        {{"kind", c.kind}, {"settings", c.settings}});
    if (c.ifMatch == 0)
        out.headers.emplaceBack("If-None-Match", "*");
    else
        setIfMatch(out, c.ifMatch);
    return out;
}

HttpRequest requestOf(const DeletePlatform& c)
{
    return request("DELETE", path("platforms", c.id.value));
}

HttpRequest requestOf(const CheckPlatform& c)
{
    if (!c.unsaved)
        return request(
            "POST", path("platforms", c.id.value, "check"), c.testTrial ? Json::object() : Json{{"testTrial", false}});
    Json body = {{"kind", c.kind}, {"settings", c.settings}};
    if (!c.id.isEmpty())
        body["id"] = c.id.value;
    return request("POST", path("platforms:check"), body);
}

HttpRequest requestOf(const RetryPlatform& c)
{
    return request("POST", path("platforms", c.id.value, "retry"), Json::object());
}

HttpRequest requestOf(const PlatformChoices& c)
{
    Json body = {{"field", c.field}, {"settings", c.settings}};
    if (!c.id.isEmpty())
        body["id"] = c.id.value;
    return request("POST", path("platform-kinds", c.kind, "choices"), body);
}

HttpRequest requestOf(const SetMetadata& c)
{
    return request("PUT", path("platforms", c.id.value, "metadata", c.key), c.value);
}

HttpRequest requestOf(const GetMetadata& c)
{
    return request("GET", path("platforms", c.id.value, "metadata", c.key));
}

HttpRequest requestOf(const ReserveGpu& c)
{
    const QByteArray target = path("machines", c.machine.value, "gpus", QByteArray::number(c.index), "reservation");
    return c.release ? request("DELETE", target) : request("PUT", target, {{"note", c.note}});
}

HttpRequest requestOf(const ActOnMachine& c)
{
    switch (c.action) {
    case MachineAction::trust:
        return request("POST", path("machines", c.machine.value, "trust"), {{"fingerprint", c.fingerprint}});
    case MachineAction::drain:
        return request("POST", path("machines", c.machine.value, "drain"), Json::object());
    case MachineAction::undrain:
        return request("POST", path("machines", c.machine.value, "undrain"), Json::object());
    case MachineAction::check:
        break;
    }
    return request("POST", path("machines", c.machine.value, "check"), Json::object());
}

HttpRequest requestOf(const RemoveMachine& c)
{
    const char* query = c.force && c.dryRun ? "?force=true&dryRun=true"
        : c.force                           ? "?force=true"
        : c.dryRun                          ? "?dryRun=true"
                                            : "";
    return request("DELETE", path("machines", c.machine.value) + query);
}

HttpRequest requestOf(const AnswerPrompt& c)
{
    Json body = {{"remember", c.answer.remember}};
    if (c.answer.cancel)
        body["cancel"] = true;
    else if (c.answer.accept)
        body["accept"] = true;
    else
        body["answers"] = words(c.answer.answers);
    return request("POST", path("prompts", c.id.value), body);
}

HttpRequest requestOf(const CreateExperiment& c)
{
    HttpRequest out = request("POST", path("experiments"), core::toJson(c.spec));
    if (!c.idempotencyKey.isEmpty())
        out.headers.emplaceBack("Idempotency-Key", c.idempotencyKey.toUtf8());
    return out;
}

HttpRequest requestOf(const PatchExperiment& c)
{
    Json body = Json::object();
    if (c.name)
        body["name"] = *c.name;
    if (c.trialConcurrency)
        body["trialConcurrency"] = *c.trialConcurrency;
    const auto limit = [&](const char* name, const std::optional<std::optional<qint64>>& value) {
        if (value)
            body[name] = *value ? Json(**value) : Json(nullptr);
    };
    limit("maxTrialNumber", c.maxTrialNumber);
    limit("maxDurationSeconds", c.maxDurationSeconds);
    limit("maxTrialDurationSeconds", c.maxTrialDurationSeconds);
    if (c.tags)
        body["tags"] = words(*c.tags);
    if (c.searchSpace)
        body["searchSpace"] = *c.searchSpace;
    HttpRequest out = request("PATCH", path("experiments", c.id.value), body);
    setIfMatch(out, c.ifMatch);
    return out;
}

HttpRequest requestOf(const ActOnExperiment& c)
{
    const char* force = c.force ? "?force=true" : "";
    switch (c.action) {
    case ExperimentAction::remove:
        return request("DELETE", path("experiments", c.id.value) + force);
    case ExperimentAction::pause:
        return request("POST", path("experiments", c.id.value, "pause"), Json::object());
    case ExperimentAction::resume:
        return request("POST", path("experiments", c.id.value, "resume"), Json::object());
    case ExperimentAction::stop:
        return request("POST", path("experiments", c.id.value, "stop") + force, Json::object());
    case ExperimentAction::cleanup:
        break;
    }
    return request("POST", path("experiments", c.id.value, "cleanup") + force, Json::object());
}

HttpRequest requestOf(const RenewLease& c)
{
    return request("PUT", path("experiments", c.id.value, "lease"),
        {{"holder", c.holder}, {"seconds", c.seconds}, {"remedy", c.remedy}});
}

HttpRequest requestOf(const StoreCode& c)
{
    HttpRequest out = request("PUT", path("code", c.sha));
    out.file = c.file;
    out.contentType = "application/gzip";
    return out;
}

HttpRequest requestOf(const SubmitTrials& c)
{
    HttpRequest out = request("POST", path("experiments", c.experiment.value, "trials"));
    out.body = "{\"trials\":[";
    for (qsizetype i = 0; i < c.trials.size(); ++i) {
        if (i)
            out.body += ',';
        append(out.body, c.trials[i]);
    }
    out.body += "]}";
    if (!c.idempotencyKey.isEmpty())
        out.headers.emplaceBack("Idempotency-Key", c.idempotencyKey.toUtf8());
    return out;
}

HttpRequest requestOf(const CancelTrials& c)
{
    Json body = toJson(c.selection, c.dryRun);
    if (c.isEarlyStopped)
        body["isEarlyStopped"] = true;
    if (c.force)
        body["force"] = true;
    return request("POST", path("trials", "cancel"), body);
}

HttpRequest requestOf(const RetryTrials& c)
{
    Json body = toJson(c.selection, c.dryRun);
    body["overrides"] = toJson(c.overrides);
    return request("POST", path("trials", "retry"), body);
}

HttpRequest requestOf(const PatchTrials& c)
{
    Json body = toJson(c.selection, c.dryRun);
    body["set"] = toJson(c.set);
    return request("PATCH", path("trials"), body);
}

HttpRequest requestOf(const MoveQueue& c)
{
    Json body = {{"ids", words(c.ids)}};
    if (!c.before.isEmpty())
        body["before"] = c.before;
    return request("POST", path("queue", "move"), body);
}

HttpRequest requestOf(const ReadMetrics& c)
{
    Json cursors = Json::array();
    for (const MetricCursor& cursor : c.cursors)
        cursors.push_back({{"trialId", cursor.trial.value}, {"since", cursor.since}});
    return request("POST", path("metrics", "read"), {{"cursors", cursors}, {"limit", c.limit}});
}

HttpRequest requestOf(const ReadTrialEvents& c)
{
    return request("GET", path("trials", c.trial.value, "events") + "?since=" + QByteArray::number(c.since));
}

HttpRequest requestOf(const ReadFailures& c)
{
    return request("GET", path("experiments", c.experiment.value, "failures"));
}

HttpRequest requestOf(const ReadSeries& c)
{
    Json ids = Json::array();
    for (const TrialId& id : c.trials)
        ids.push_back(id.value);
    Json body = {{"trialIds", ids}, {"metric", c.metric}, {"x", c.x}, {"columns", c.columns}};
    if (c.from)
        body["from"] = *c.from;
    if (c.to)
        body["to"] = *c.to;
    return request("POST", path("series"), body);
}

HttpRequest requestOf(const ListLogs& c)
{
    return request("GET", path("trials", c.trial.value, "logs"));
}

HttpRequest requestOf(const ReadLog& c)
{
    HttpRequest out{"GET", {}};
    out.isBytes = true;
    if (c.name.startsWith(u"output/")) {
        QByteArray encoded;
        for (const QString& part : c.name.mid(7).split(u'/'))
            encoded += '/' + escaped(part);
        out.target = path("trials", c.trial.value, "files") + encoded;
    } else {
        out.target = path("trials", c.trial.value, "logs", c.name);
        out.isStream = c.follow;
    }
    out.target += "?limit=" + QByteArray::number(c.limit);
    if (c.tail && !c.name.startsWith(u"output/"))
        out.target += "&tail=" + QByteArray::number(*c.tail);
    else
        out.target += "&offset=" + QByteArray::number(c.offset);
    if (out.isStream)
        out.target += "&follow=true";
    return out;
}

HttpRequest requestOf(const ListFiles& c)
{
    HttpRequest out = request("GET", path("trials", c.trial.value, "files"));
    out.target += "?limit=" + QByteArray::number(c.limit);
    if (!c.after.isEmpty())
        out.target += "&after=" + escaped(c.after);
    return out;
}

HttpRequest requestOf(const HasCode& c)
{
    return request("HEAD", path("code", c.sha));
}

HttpRequest requestOf(const ReadPlatformKinds&)
{
    return request("GET", path("platform-kinds"));
}

HttpRequest requestOf(const ReadGpuUsage& c)
{
    return request("GET", path("gpu-usage") + "?since=" + QByteArray::number(c.since));
}

} // namespace

HttpRequest httpRequestOf(const Command& command)
{
    return std::visit([](const auto& c) { return requestOf(c); }, command);
}

Error errorFromProblem(int status, const QByteArray& body)
{
    const auto json = parseJson(body);
    if (json && json->is_object() && json->contains("kind") && json->contains("detail") && (*json)["kind"].is_string()
        && (*json)["detail"].is_string()) {
        const core::Message message = core::readMessage(*json, "detail");
        if (const auto machines = json->find("outOfReach"); machines != json->end() && machines->is_array())
            return api::outOfReachError(message, *machines);
        const auto force = json->find("force");
        return Error{kindFromName(QString::fromStdString((*json)["kind"].get<std::string>())), message,
            force != json->end() && *force == true ? api::forceMark : QString()};
    }
    const Kind kind = status == 401 || status == 403 ? Kind::auth
        : status == 404                              ? Kind::not_found
        : status == 409 || status == 412             ? Kind::conflict
        : status == 408 || status == 504             ? Kind::timeout
        : status == 503                              ? Kind::resource
        : status == 502                              ? Kind::network
        : status >= 400 && status < 500              ? Kind::invalid
                                                     : Kind::internal;
    return Error{kind, u"The service answered with status %1."_m.arg(status), QString::fromUtf8(body.left(2000))};
}

} // namespace client
