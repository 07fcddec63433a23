// SPDX-License-Identifier: GPL-3.0-or-later
#include "operator_options.h"

#include "framework_manifest.h"
#include "train_job_manifest.h"
#include "training_manifest.h"

#include "services/platforms/kubernetes/kube_json.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

WorkloadValues commonValues(const OperatorOptions& options, const QString& name, const QMap<QString, QString>& labels,
    const QList<RoleValues>& roles)
{
    return {name, labels, roles, options.base.deadlineSeconds};
}

Result<QList<Json>> only(const Result<Json>& object)
{
    return object ? Result<QList<Json>>(QList<Json>{*object}) : fail(object);
}

Result<QList<Json>> trainJobObjects(const OperatorOptions& options, WorkloadValues common, const TrainSupport& support)
{
    TrainJobValues values{std::move(common)};
    values.runtime = options.runtime;
    values.queue = options.base.queue;
    values.processesPerNode = options.processesPerPod;
    values.hasDeadlineField = support.hasDeadlineField;
    if (!options.runtime.isEmpty()) {
        if (!support.overrides)
            return fail(Kind::invalid,
                u"runtime: this version of Kubeflow Trainer cannot give pods of the runtime %1 what a trial needs. Name no runtime, so that one is made for the trial."_m
                    .arg(options.runtime));
        values.form = *support.overrides;
    }
    const Result<Json> job = trainJobManifest(values);
    if (!job || values.form != TrainForm::ownRuntime)
        return only(job);
    const Result<Json> runtime = trainingRuntimeManifest(values);
    if (!runtime)
        return fail(runtime);
    return QList<Json>{*runtime, *job};
}

} // namespace

QList<RoleSize> OperatorOptions::sizes() const
{
    QList<RoleSize> out;
    for (const RoleText& role : roles)
        out.append({role.name, role.count});
    return out;
}

Result<OperatorOptions> readOperatorOptions(const QString& platformKind, const Json& settings, const Json& options)
{
    const auto chosen = [&](const char* name) {
        const QString own = textOf(options, name).trimmed();
        return own.isEmpty() ? textOf(settings, name).trimmed() : own;
    };
    OperatorOptions out;
    if (platformKind == "kubeflow"_L1) {
        const QString word = chosen("jobKind");
        const std::optional<WorkloadKind> kind = word.isEmpty() ? WorkloadKind::pytorchJob : workloadKind(word);
        if (!kind || *kind == WorkloadKind::framework)
            return fail(Kind::invalid, u"jobKind: \"%1\" is no kind of job of Kubeflow."_m.arg(word));
        out.kind = *kind;
    }
    if (const Result<> applied = applyOptions(out.base, settings, options); !applied)
        return fail(applied);
    out.runtime = out.kind == WorkloadKind::trainJob ? chosen("runtime") : QString();
    out.barrierImage = out.kind == WorkloadKind::framework ? chosen("barrierImage") : QString();
    if (!out.runtime.isEmpty() && !isDnsSubdomain(out.runtime))
        return fail(Kind::invalid, u"%1: \"%2\" is no name of an object."_m.arg(u"runtime"_s, out.runtime));
    if (!out.barrierImage.isEmpty() && !isImageName(out.barrierImage))
        return fail(Kind::invalid,
            u"%1: \"%2\" is no name of an image. Write it as python:3.12-slim."_m.arg(
                u"barrierImage"_s, out.barrierImage));
    if (const Json* processes = memberOf(options, "processesPerPod"); processes && processes->is_number_integer())
        out.processesPerPod = int(std::clamp<qint64>(processes->get<qint64>(), 0, mostReplicas));
    const Json* written = memberOf(options, "roles");
    Result<QList<RoleText>> roles = readRoles(out.kind, written ? *written : Json(nullptr));
    if (!roles)
        return fail(roles);
    out.roles = std::move(*roles);
    return out;
}

Result<QList<Json>> workloadObjects(const OperatorOptions& options, const QString& name,
    const QMap<QString, QString>& labels, const QList<RoleValues>& roles, const TrainSupport& support)
{
    WorkloadValues common = commonValues(options, name, labels, roles);
    switch (options.kind) {
    case WorkloadKind::pytorchJob:
    case WorkloadKind::tfJob:
    case WorkloadKind::mpiJob: {
        TrainingJobValues values{std::move(common)};
        values.kind = options.kind;
        values.queue = options.base.queue;
        values.slotsPerWorker = std::max(1, options.processesPerPod);
        return only(trainingJobManifest(values));
    }
    case WorkloadKind::trainJob:
        return trainJobObjects(options, std::move(common), support);
    case WorkloadKind::framework:
        break;
    }
    FrameworkValues values{std::move(common)};
    values.barrierImage = options.barrierImage;
    return only(frameworkManifest(values));
}

} // namespace platforms::kubernetes
