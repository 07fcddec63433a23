// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_request.h"

#include "trial_object.h"

#include "services/platforms/kubernetes/jobs/job_names.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

bool isOfOperator(const QString& platformKind)
{
    return platformKind != u"kubernetes"_s;
}

void fill(JobValues& values, const RequestContext& context, const TrialSpec& spec)
{
    values.labels = trialLabels(context.serviceId, spec.experimentId, spec.id);
    values.gpus = spec.gpuNumber;
    values.trialId = spec.id.value;
    values.environment = spec.environment;
    values.environment.insert(u"NNI_PLATFORM"_s, u"local"_s); // NNI's SDK writes .nni/metrics for it
    values.environment.insert(u"NNI_EXP_ID"_s, spec.experimentId.value);
    values.environment.insert(u"NNI_TRIAL_JOB_ID"_s, spec.jobId);
    values.environment.insert(u"NNI_TRIAL_SEQ_ID"_s, QString::number(spec.sequenceId));
    values.environment.insert(u"PYTHONUNBUFFERED"_s, spec.environment.value(u"PYTHONUNBUFFERED"_s, u"1"_s));
    const QByteArray setup = spec.setup.toUtf8();
    values.command =
        setup.isEmpty() || spec.command.isEmpty() ? spec.command.toUtf8() : setup + '\n' + spec.command.toUtf8();
    values.parameters = spec.parameters;
    if (!spec.parameterCfg.isEmpty())
        values.parameterCfg = spec.parameterCfg;
    values.graceSeconds = std::max(1, spec.graceMs / 1'000);
    if (!values.nodeSelector.contains(u"kubernetes.io/arch"_s))
        values.nodeSelector.insert(u"kubernetes.io/arch"_s, context.architecture);
}

} // namespace

KubeResource TrialRequest::resource() const
{
    return trialResource(kind);
}

Result<QList<std::pair<KubeResource, Json>>> TrialRequest::objects(const TrainSupport& train) const
{
    using Objects = QList<std::pair<KubeResource, Json>>;
    if (!kind) {
        Result<Json> job = jobManifest(values);
        if (!job)
            return fail(job);
        return Objects{{resource(), std::move(*job)}};
    }
    const auto roles = roleValues(*kind, options.roles, values, setup);
    if (!roles)
        return fail(roles);
    Result<QList<Json>> made = workloadObjects(options, name, values.labels, *roles, train);
    if (!made)
        return fail(made);
    if (!values.annotations.isEmpty())
        made->last()["metadata"]["annotations"] = objectOf(values.annotations);
    Objects objects;
    for (qsizetype i = 0; i < made->size(); ++i)
        objects.append({i + 1 < made->size() ? trainingRuntimesResource() : resource(), std::move((*made)[i])});
    return objects;
}

Result<> checkRequest(const QString& platformKind, const Json& settings, const Json& options, bool isWhole)
{
    JobValues values;
    QList<RoleText> roles;
    if (isOfOperator(platformKind)) {
        const Result<OperatorOptions> read = readOperatorOptions(platformKind, settings, options);
        if (!read)
            return fail(read);
        values = read->base;
        roles = read->roles;
    } else if (Result<> applied = applyOptions(values, settings, options); !applied) {
        return applied;
    }
    const bool rolesHaveAll = !roles.isEmpty()
        && std::all_of(roles.begin(), roles.end(), [](const RoleText& role) { return !role.image.isEmpty(); });
    if (isWhole && values.image.isEmpty() && !rolesHaveAll)
        return fail(Kind::invalid,
            u"image: a container image is needed, for example python:3.12-slim, here or in the platform's settings."_m);
    return {};
}

Result<TrialRequest> trialRequest(const RequestContext& context, const TrialSpec& spec)
{
    TrialRequest request;
    request.setup = spec.setup.toUtf8();
    if (!isOfOperator(context.platformKind)) {
        if (const Result<> applied = applyOptions(request.values, context.settings, spec.platformOptions); !applied)
            return fail(applied);
        fill(request.values, context, spec);
        request.name = request.values.name = jobName(context.serviceId, spec.id);
        return request;
    }
    Result<OperatorOptions> options = readOperatorOptions(context.platformKind, context.settings, spec.platformOptions);
    if (!options)
        return fail(options);
    request.kind = options->kind;
    request.options = std::move(*options);
    request.values = request.options.base;
    fill(request.values, context, spec);
    request.values.labels.insert(QString::fromLatin1(kindLabel), kindWord(*request.kind));
    const Result<QString> name = workloadName(*request.kind, context.serviceId, spec.id, request.options.sizes());
    if (!name)
        return fail(name);
    request.name = request.values.name = *name;
    return request;
}

} // namespace platforms::kubernetes
