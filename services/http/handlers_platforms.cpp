// SPDX-License-Identifier: GPL-3.0-or-later
#include "handlers.h"

#include "api_decode.h"
#include "handler_support.h"

#include "services/core/record_json.h"

#include <QFile>

using namespace Qt::StringLiterals;

/// Resources of a static library must be asked for by name, outside of any namespace.
static void initResources()
{
    Q_INIT_RESOURCE(api);
}

namespace http::handlers {

using api::Mirror;

// --------------------------------------------------------------------------------------------------------------- service

Result<Outcome> health(Call&, const View& view)
{
    return Outcome(json(QByteArray("{\"status\":\"") + (view.mirror.isReady() ? "ok" : "starting")
        + "\",\"uptimeSeconds\":" + QByteArray::number(view.uptimeSeconds) + '}'));
}

Result<Outcome> version(Call& call, const View& view)
{
    if (auto good = call.query.finish(); !good)
        return fail(good);
    Json kinds = Json::array();
    for (const QString& kind : view.platformKinds)
        kinds.push_back(kind);
    Json out = {{"name", "trialdeck"}, {"version", TRIALDECK_VERSION}, {"api", 1}, {"minor", 0}, {"platforms", kinds}};
    if (!view.ingestUrl.isEmpty())
        out["ingest"] = {{"url", view.ingestUrl}};
    return Outcome(json(dumpJson(out)));
}

Result<Outcome> openApi(Call&, const View&)
{
    initResources();
    QFile file(u":/api/openapi.yaml"_s);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Kind::internal, u"The description of the interface is missing from this program."_m);
    return Outcome(Answer{200, "application/yaml", file.readAll(), {}});
}

Result<Outcome> prometheus(Call&, const View& view)
{
    return Outcome(Answer{200, "text/plain; version=0.0.4; charset=utf-8", view.prometheus(), {}});
}

/// Ids sort in the order of creation: a page begins behind the last record of the page before, whether or not that is still kept.
Result<Outcome> listRequests(Call& call, const View& view)
{
    qint64 limit = 100;
    OperationId after;
    call.query.read("limit", limit, 1, maxListLimit);
    call.query.read("after", after.value);
    if (auto good = call.query.finish(); !good)
        return fail(good);
    return listAnswer(call, view, [&] {
        QList<OperationPtr> page = view.mirror.requests().list();
        std::sort(page.begin(), page.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
        const qsizetype total = page.size();
        page.removeIf([&](const OperationPtr& request) { return request->id <= after; });
        const bool more = page.size() > limit;
        if (more)
            page.resize(limit);
        Json requests = Json::array();
        for (const OperationPtr& request : std::as_const(page))
            requests.push_back(toJson(*request));
        return dumpJson({{"requests", std::move(requests)}, {"next", more ? Json(page.last()->id.value) : Json()},
            {"total", total}, {"revision", view.mirror.revision()}});
    });
}

Result<Outcome> getRequest(Call& call, const View& view)
{
    const OperationPtr request = view.mirror.requests().find(OperationId(call.captures[0]));
    if (!request)
        return missing(u"request"_s, call.captures[0]);
    return Outcome(json(dumpJson(toJson(*request))));
}

// ------------------------------------------------------------------------------------------------------------- platforms

Result<Outcome> platformKinds(Call& call, const View&)
{
    if (auto good = call.query.finish(); !good)
        return fail(good);
    return execute(api::ReadPlatformKinds{});
}

Result<Outcome> platformChoices(Call& call, const View&)
{
    auto body = decodeObject(call.body);
    if (!body)
        return fail(body);
    api::PlatformChoices command{call.captures[0], {}, Json::object()};
    JsonReader reader(*body);
    reader.read("id", command.id.value);
    if (!reader.read("field", command.field) || command.field.isEmpty())
        reader.refuse(u"field is required: the name of the setting that choices are wanted for."_m);
    if (const Json* settings = reader.take("settings")) {
        command.settings = *settings;
        if (!settings->is_object())
            reader.refuse(u"settings must be a JSON object."_m);
    }
    if (auto good = reader.finish(); !good)
        return fail(good);
    return execute(std::move(command));
}

Result<Outcome> listPlatforms(Call& call, const View& view)
{
    return list(call, view, "platforms", view.mirror.platforms().list());
}

static Result<PlatformPtr> platformOf(const Call& call, const View& view)
{
    const PlatformPtr platform = view.mirror.platforms().find(PlatformId(call.captures[0]));
    if (!platform)
        return missing(u"platform"_s, call.captures[0]);
    return platform;
}

Result<Outcome> getPlatform(Call& call, const View& view)
{
    auto platform = platformOf(call, view);
    if (!platform)
        return fail(platform);
    return versioned(call, dumpJson(toJson(**platform)), (*platform)->version);
}

Result<Outcome> putPlatform(Call& call, const View& view)
{
    const PlatformId id(call.captures[0]);
    auto input = decodePlatform(call.body);
    if (!input)
        return fail(input);
    if (!isPlatformId(id.value))
        return fail(Kind::invalid,
            u"The id of a platform has 1 to 64 letters, digits, \".\", \"_\" and \"-\", and begins with a letter or digit."_m);
    if (!input->id.isEmpty() && input->id != id)
        return fail(Kind::invalid, u"id in the body is not the one in the address."_m);
    const PlatformPtr present = view.mirror.platforms().find(id);
    const bool onlyNew = call.ifNoneMatch.has_value();
    if (onlyNew && (*call.ifNoneMatch != "*" || call.ifMatch))
        return fail(Kind::invalid, u"If-None-Match of a change is *, and comes without If-Match."_m);
    auto version = matchedVersion(call, present ? std::optional(present->version) : std::nullopt);
    if (!version)
        return fail(version);
    bool force = false;
    call.query.read("force", force);
    if (auto good = call.query.finish(); !good)
        return fail(good);
    if (onlyNew)
        version = std::optional<qint64>(0);
    Outcome out = execute(api::PutPlatform{id, input->kind, input->settings, *version, force}, platformNow(id));
    std::get<Execute>(out).ifMatch = call.ifMatch.has_value() || onlyNew;
    return out;
}

Result<Outcome> deletePlatform(Call& call, const View& view)
{
    auto platform = platformOf(call, view);
    if (!platform)
        return fail(platform);
    return execute(api::DeletePlatform{(*platform)->id});
}

Result<Outcome> checkPlatform(Call& call, const View& view)
{
    auto platform = platformOf(call, view);
    if (!platform)
        return fail(platform);
    api::CheckPlatform command{(*platform)->id, {}, {}, false};
    auto body = decodeObject(call.body, true);
    if (!body)
        return fail(body);
    JsonReader reader(*body);
    reader.read("testTrial", command.testTrial);
    if (auto good = reader.finish(); !good)
        return fail(good);
    return execute(std::move(command));
}

Result<Outcome> retryPlatform(Call& call, const View& view)
{
    auto platform = platformOf(call, view);
    if (!platform)
        return fail(platform);
    auto body = decodeObject(call.body, true);
    if (!body)
        return fail(body);
    if (auto good = JsonReader(*body).finish(); !good)
        return fail(good);
    return execute(api::RetryPlatform{(*platform)->id});
}

Result<Outcome> checkUnsaved(Call& call, const View&)
{
    auto input = decodePlatform(call.body);
    if (!input)
        return fail(input);
    return execute(api::CheckPlatform{input->id, input->kind, input->settings, true});
}

Result<Outcome> getMetadata(Call& call, const View& view)
{
    auto platform = platformOf(call, view);
    if (!platform)
        return fail(platform);
    return execute(api::GetMetadata{(*platform)->id, call.captures[1]});
}

Result<Outcome> setMetadata(Call& call, const View& view)
{
    auto platform = platformOf(call, view);
    if (!platform)
        return fail(platform);
    auto value = parseJson(call.body);
    if (!value)
        return fail(value);
    return execute(api::SetMetadata{(*platform)->id, call.captures[1], *std::move(value)});
}

// -------------------------------------------------------------------------------------------------------------- machines

Result<Outcome> listMachines(Call& call, const View& view)
{
    QString platform;
    call.query.read("platformId", platform);
    if (auto good = call.query.finish(); !good)
        return fail(good);
    return listAnswer(call, view, [&] {
        return listJson("machines", view.mirror.machines().list(), view.mirror.revision(),
            [&](const Machine& machine) { return platform.isEmpty() || machine.platformId.value == platform; });
    });
}

static Result<MachinePtr> machineOf(const Call& call, const View& view)
{
    const MachinePtr machine = view.mirror.machines().find(MachineId(call.captures[0]));
    if (!machine)
        return missing(u"machine"_s, call.captures[0]);
    return machine;
}

Result<Outcome> getMachine(Call& call, const View& view)
{
    auto machine = machineOf(call, view);
    if (!machine)
        return fail(machine);
    return Outcome(json(dumpJson(toJson(**machine))));
}

Result<Outcome> gpuUsage(Call& call, const View&)
{
    api::ReadGpuUsage command;
    call.query.read("since", command.since, 0, std::numeric_limits<qint64>::max());
    if (auto good = call.query.finish(); !good)
        return fail(good);
    return execute(command);
}

Result<Outcome> reserve(Call& call, const View& view)
{
    auto machine = machineOf(call, view);
    if (!machine)
        return fail(machine);
    bool good = false;
    const int index = call.captures[1].toInt(&good);
    const QList<Gpu>& gpus = (*machine)->gpus;
    if (!good || std::none_of(gpus.begin(), gpus.end(), [&](const Gpu& gpu) { return gpu.index == index; }))
        return fail(Kind::not_found, u"Machine \"%1\" has no GPU %2."_m.arg((*machine)->id.value, call.captures[1]));
    api::ReserveGpu command{(*machine)->id, index, {}, call.method == Method::del};
    auto body = decodeObject(call.body, true);
    if (!body)
        return fail(body);
    JsonReader reader(*body);
    reader.read("note", command.note);
    if (auto done = reader.finish(); !done)
        return fail(done);
    return execute(std::move(command), machineNow((*machine)->id));
}

Result<Outcome> removeMachine(Call& call, const View& view)
{
    auto machine = machineOf(call, view);
    if (!machine)
        return fail(machine);
    api::RemoveMachine command{(*machine)->id};
    call.query.read("force", command.force);
    call.query.read("dryRun", command.dryRun);
    if (auto good = call.query.finish(); !good)
        return fail(good);
    return execute(std::move(command));
}

template <api::MachineAction action>
Result<Outcome> actOnMachine(Call& call, const View& view)
{
    auto machine = machineOf(call, view);
    if (!machine)
        return fail(machine);
    api::ActOnMachine command{(*machine)->id, action, {}};
    auto body = decodeObject(call.body, action != api::MachineAction::trust);
    if (!body)
        return fail(body);
    JsonReader reader(*body);
    if (action == api::MachineAction::trust
        && (!reader.read("fingerprint", command.fingerprint) || command.fingerprint.isEmpty()))
        reader.refuse(u"fingerprint is required: the one of the host key that you accept."_m);
    if (auto good = reader.finish(); !good)
        return fail(good);
    return execute(std::move(command), machineNow((*machine)->id));
}

template Result<Outcome> actOnMachine<api::MachineAction::trust>(Call&, const View&);
template Result<Outcome> actOnMachine<api::MachineAction::drain>(Call&, const View&);
template Result<Outcome> actOnMachine<api::MachineAction::undrain>(Call&, const View&);
template Result<Outcome> actOnMachine<api::MachineAction::check>(Call&, const View&);

// --------------------------------------------------------------------------------------------------------------- prompts

Result<Outcome> listPrompts(Call& call, const View& view)
{
    return list(call, view, "prompts", view.mirror.prompts().list());
}

Result<Outcome> answerPrompt(Call& call, const View& view)
{
    const PromptId id(call.captures[0]);
    if (!view.mirror.prompts().find(id))
        return fail(
            Kind::not_found, u"There is no open question \"%1\"; it may have been answered already."_m.arg(id.value));
    auto answer = decodePromptAnswer(call.body);
    if (!answer)
        return fail(answer);
    return execute(api::AnswerPrompt{id, *std::move(answer)});
}

} // namespace http::handlers
