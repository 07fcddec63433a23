// SPDX-License-Identifier: GPL-3.0-or-later
#include "operator_fields.h"

#include "workload_kind.h"

#include "services/platforms/kubernetes/jobs/kubernetes_fields.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

void insertAfter(QList<Field>& fields, QStringView name, const QList<Field>& more)
{
    const auto found =
        std::find_if(fields.cbegin(), fields.cend(), [name](const Field& one) { return one.name == name; });
    qsizetype at = found == fields.cend() ? fields.size() : found - fields.cbegin() + 1;
    for (const Field& field : more)
        fields.insert(at++, field);
}

void removeField(QList<Field>& fields, QStringView name)
{
    fields.removeIf([name](const Field& one) { return one.name == name; });
}

/// What any role may say, in the order of columns.
QList<Field> roleItems()
{
    return {
        Field{.name = u"name"_s, .type = u"string"_s, .required = true, .title = u"Role"_m, .unique = true, .width = 9},
        Field{
            .name = u"count"_s, .type = u"integer"_s, .defaultValue = 1, .title = u"Pods"_m, .minimum = 1, .width = 4},
        Field{.name = u"command"_s,
            .type = u"string"_s,
            .title = u"Command"_m,
            .help = u"What runs in the pods of this role; empty: the experiment's command."_m},
        Field{.name = u"gpus"_s,
            .type = u"integer"_s,
            .title = u"GPUs"_m,
            .help = u"Of each pod; empty: as many as the experiment gives a trial."_m,
            .minimum = 0,
            .width = 5},
        Field{.name = u"cpu"_s,
            .type = u"string"_s,
            .title = u"CPUs"_m,
            .help = u"Of each pod, for example 4 or 0.5."_m,
            .width = 5},
        Field{.name = u"memory"_s,
            .type = u"string"_s,
            .title = u"Memory"_m,
            .help = u"Of each pod, for example 8 GB."_m,
            .width = 6},
        Field{.name = u"image"_s, .type = u"string"_s, .title = u"Image"_m},
    };
}

Field rolesField(const Message& help, const QList<Field>& items)
{
    return Field{.name = u"roles"_s, .type = u"table"_s, .title = u"Roles"_m, .help = help, .items = items};
}

/// Each kind of job has roles of its own.
Field kubeflowRoles()
{
    FieldWords names{u"jobKind"_s, {}};
    for (const WorkloadTraits& traits : workloadTraits()) {
        FieldWords::Set set{kindWord(traits.kind), {}};
        for (const RoleRule& rule : traits.roles)
            set.words.append(QString::fromLatin1(rule.name));
        if (!set.words.isEmpty())
            names.sets.append(std::move(set));
    }
    QList<Field> items = roleItems();
    items.first().wordsBy = std::move(names);
    Field roles = rolesField(
        u"The pods of a trial, a row each role; what a row leaves empty is as the experiment says, and without rows a trial has one pod. As text it is a list of YAML: - {name: Worker, count: 2, command: python3 train.py, image: …, cpu: 4, memory: 8 GB, gpus: 1}"_m,
        items);
    roles.leadBy = QStringList(); // roles stand in the order of who decides
    return roles;
}

Field frameworkRoles()
{
    QList<Field> items = roleItems();
    items.first().help = u"Of a-z and 0-9, without a dash."_m;
    const auto limit = [](const QString& name, const Message& title) {
        return Field{.name = name,
            .type = u"integer"_s,
            .title = title,
            .help = u"With so many pods of the role that end so, the whole trial does; -1: never."_m,
            .minimum = -1,
            .advanced = true,
            .width = 4};
    };
    items.append(limit(u"minFailed"_s, u"Fails after"_m));
    items.last().defaultValue = 1;
    items.append(limit(u"minSucceeded"_s, u"Succeeds after"_m));
    Field roles = rolesField(
        u"The pods of a trial, a row each role; what a row leaves empty is as the experiment says, and without rows a trial has one pod. As text it is a list of YAML: - {name: worker, count: 2, command: python3 train.py, image: …, cpu: 4, memory: 8 GB, gpus: 1, minFailed: 1, minSucceeded: -1}"_m,
        items);
    roles.leadBy = QStringList{u"minSucceeded"_s, u"minFailed"_s};
    return roles;
}

/// What may stand in both; an experiment's wins.
QList<Field> kubeflowFields(bool isOfPlatform)
{
    return {
        Field{.name = u"jobKind"_s,
            .type = u"string"_s,
            .defaultValue = isOfPlatform ? Json("PyTorchJob") : Json(nullptr),
            .title = u"Kind of job"_m,
            .help =
                u"What a trial is in the cluster: a job of the Training Operator (PyTorchJob, TFJob, MPIJob), or of Kubeflow Trainer (TrainJob)."_m,
            .words = {u"PyTorchJob"_s, u"TFJob"_s, u"MPIJob"_s, u"TrainJob"_s}},
        Field{.name = u"runtime"_s,
            .type = u"string"_s,
            .title = u"Training runtime"_m,
            .help =
                u"A ClusterTrainingRuntime whose pods a TrainJob changes, for example torch-distributed; empty: one is made for each trial, with all that its pod needs."_m,
            .choices = true,
            .advanced = true},
    };
}

} // namespace

KindDescription kubeflowKind()
{
    KindDescription kind = kubernetesKind();
    kind.kind = u"kubeflow"_s;
    kind.title = u"Kubeflow"_m;
    kind.ownRoles = true;
    insertAfter(kind.fields, u"image", kubeflowFields(true));
    QList<Field> options{kubeflowRoles()};
    options += kubeflowFields(false);
    options += QList<Field>{Field{.name = u"processesPerPod"_s,
        .type = u"integer"_s,
        .title = u"Processes a pod"_m,
        .help = u"Of a TrainJob those that torchrun starts in each pod, of an MPIJob the slots of each worker."_m,
        .minimum = 1,
        .advanced = true}};
    insertAfter(kind.experimentFields, u"image", options);
    return kind;
}

KindDescription frameworkControllerKind()
{
    KindDescription kind = kubernetesKind();
    kind.kind = u"frameworkcontroller"_s;
    kind.title = u"FrameworkController"_m;
    kind.ownRoles = true;
    for (QList<Field>* fields : {&kind.fields, &kind.experimentFields})
        removeField(*fields, u"queue"); // Kueue does not know frameworks
    const Field barrier{.name = u"barrierImage"_s,
        .type = u"string"_s,
        .title = u"Image of the barrier"_m,
        .help =
            u"With FrameworkBarrier, for example frameworkcontroller/frameworkbarrier, pods of a trial wait until all have an address, and see them as FB_ROLE_ADDRESSES; the service account must be allowed to read frameworks. Empty: none waits."_m,
        .advanced = true};
    insertAfter(kind.fields, u"serviceAccount", {barrier});
    QList<Field> options{frameworkRoles()};
    options.append(barrier);
    insertAfter(kind.experimentFields, u"image", options);
    return kind;
}

} // namespace platforms::kubernetes
