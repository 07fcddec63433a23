// SPDX-License-Identifier: GPL-3.0-or-later
#include "handlers.h"

#include "api_decode.h"
#include "handler_support.h"

#include "services/core/record_json.h"

using namespace Qt::StringLiterals;

namespace http::handlers {

using api::Mirror;

Result<Outcome> listExperiments(Call& call, const View& view)
{
    return list(call, view, "experiments", view.mirror.experiments().list());
}

Result<Outcome> createExperiment(Call& call, const View&)
{
    auto body = decodeObject(call.body);
    if (!body)
        return fail(body);
    auto spec = experimentSpecFromJson(*body);
    if (!spec)
        return fail(spec);
    return execute(api::CreateExperiment{*std::move(spec), call.idempotencyKey});
}

Result<Outcome> getExperiment(Call& call, const View& view)
{
    auto experiment = experimentOf(call, view);
    if (!experiment)
        return fail(experiment);
    return versioned(call, dumpJson(toJson(**experiment)), (*experiment)->version);
}

Result<Outcome> patchExperiment(Call& call, const View& view)
{
    auto experiment = experimentOf(call, view);
    if (!experiment)
        return fail(experiment);
    auto patch = decodeExperimentPatch(call.body);
    if (!patch)
        return fail(patch);
    auto version = matchedVersion(call, (*experiment)->version);
    if (!version)
        return fail(version);
    patch->id = (*experiment)->id;
    patch->ifMatch = *version;
    Outcome out = execute(*std::move(patch), experimentNow((*experiment)->id));
    std::get<Execute>(out).ifMatch = call.ifMatch.has_value();
    return out;
}

template <api::ExperimentAction action>
Result<Outcome> actOnExperiment(Call& call, const View& view)
{
    auto experiment = experimentOf(call, view);
    if (!experiment)
        return fail(experiment);
    api::ActOnExperiment command{(*experiment)->id, action};
    if (action != api::ExperimentAction::pause && action != api::ExperimentAction::resume)
        call.query.read("force", command.force);
    if (auto good = empty(call); !good)
        return fail(good);
    return execute(command, experimentNow((*experiment)->id));
}

Result<Outcome> renewLease(Call& call, const View& view)
{
    auto experiment = experimentOf(call, view);
    if (!experiment)
        return fail(experiment);
    auto lease = decodeLease(call.body);
    if (!lease)
        return fail(lease);
    lease->id = (*experiment)->id;
    return execute(*std::move(lease), experimentNow((*experiment)->id));
}

Result<Outcome> listFailures(Call& call, const View& view)
{
    auto experiment = experimentOf(call, view);
    if (!experiment)
        return fail(experiment);
    return execute(api::ReadFailures{(*experiment)->id});
}

static Result<QString> shaOf(const Call& call)
{
    const QString& sha = call.captures[0];
    const bool good = sha.size() == 64 && std::all_of(sha.begin(), sha.end(), [](QChar c) {
        return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f');
    });
    if (!good)
        return fail(
            Kind::invalid, u"The address must end in the SHA-256 of the code: 64 digits of 0 to 9 and a to f."_m);
    return sha;
}

Result<Outcome> hasCode(Call& call, const View&)
{
    auto sha = shaOf(call);
    if (!sha)
        return fail(sha);
    return Outcome(Execute{api::HasCode{*sha}, {}, false, Execute::Shape::exists});
}

Result<Outcome> putCode(Call& call, const View&)
{
    auto sha = shaOf(call);
    if (!sha)
        return fail(sha);
    return Outcome(ReceiveCode{*sha});
}

template Result<Outcome> actOnExperiment<api::ExperimentAction::pause>(Call&, const View&);
template Result<Outcome> actOnExperiment<api::ExperimentAction::resume>(Call&, const View&);
template Result<Outcome> actOnExperiment<api::ExperimentAction::stop>(Call&, const View&);
template Result<Outcome> actOnExperiment<api::ExperimentAction::cleanup>(Call&, const View&);
template Result<Outcome> actOnExperiment<api::ExperimentAction::remove>(Call&, const View&);

} // namespace http::handlers
