// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubernetes_fields.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

/// What may stand in both; an experiment's wins.
QList<Field> podFields()
{
    return {
        Field{.name = u"image"_s,
            .type = u"string"_s,
            .title = u"Container image"_m,
            .help = u"What trials run in, for example python:3.12-slim. The experiment's, or else the platform's."_m},
        Field{.name = u"gpuResource"_s,
            .type = u"string"_s,
            .title = u"GPU resource"_m,
            .help =
                u"The name by which the cluster counts its GPUs, for example nvidia.com/gpu or nvidia.com/mig-1g.5gb."_m,
            .choices = true,
            .advanced = true},
        Field{.name = u"nodeSelector"_s,
            .type = u"string"_s,
            .title = u"Node selector"_m,
            .help = u"Labels that a node must have: name=value, separated by commas."_m,
            .advanced = true},
        Field{.name = u"tolerations"_s,
            .type = u"string"_s,
            .title = u"Tolerations"_m,
            .help =
                u"Taints of nodes that do no harm: name, name=value or name=value:NoSchedule, separated by commas."_m,
            .advanced = true},
        Field{.name = u"priorityClass"_s,
            .type = u"string"_s,
            .title = u"Priority class"_m,
            .help = u"Of the pods; by default the cluster's."_m,
            .advanced = true},
        Field{.name = u"volumes"_s,
            .type = u"string"_s,
            .title = u"Volumes"_m,
            .help = u"PersistentVolumeClaims and where a trial sees them: claim:/path, separated by commas."_m,
            .advanced = true},
        Field{.name = u"codeFolder"_s,
            .type = u"string"_s,
            .title = u"Code in the container"_m,
            .help =
                u"A folder of the image or of a volume that has the code already; then none is sent there, and commands run in it."_m,
            .advanced = true},
        Field{.name = u"codeDelivery"_s,
            .type = u"string"_s,
            .title = u"Delivery of code"_m,
            .help =
                u"auto puts it into ConfigMaps, which all trials share, and sends more than 16 MB into each pod; send always sends it, which needs neither a shell nor tar in the image, but the right to exec in pods."_m,
            .words = {u"auto"_s, u"send"_s},
            .advanced = true},
        Field{.name = u"environmentSecrets"_s,
            .type = u"string"_s,
            .title = u"Secrets as variables"_m,
            .help =
                u"Names of secrets in the namespace, separated by commas; each of their keys becomes a variable of the trial."_m,
            .advanced = true},
        Field{.name = u"sharedMemorySize"_s,
            .type = u"string"_s,
            .title = u"Shared memory"_m,
            .help = u"Of /dev/shm, for example 2 GB, which PyTorch's data loaders want; by default 64 MB."_m,
            .advanced = true},
        Field{.name = u"queue"_s,
            .type = u"string"_s,
            .title = u"Kueue queue"_m,
            .help = u"A LocalQueue of the namespace, where the cluster has Kueue; empty: jobs begin by themselves."_m,
            .advanced = true},
        Field{.name = u"podTemplate"_s,
            .type = u"text"_s,
            .title = u"Pod template"_m,
            .help =
                u"YAML of a pod (spec, metadata) for all that has no field here. What the service sets itself lies over it; containers and volumes are told apart by their names, the trial's container is \"trial\"."_m,
            .advanced = true},
    };
}

} // namespace

KindDescription kubernetesKind()
{
    QList<Field> fields{
        Field{.name = u"kubeconfig"_s,
            .type = u"file"_s,
            .title = u"Kubeconfig"_m,
            .help =
                u"The file that says where the cluster is and who you are; by default as kubectl finds it (KUBECONFIG, ~/.kube/config)."_m,
            .namesCluster = true},
        Field{.name = u"context"_s,
            .type = u"string"_s,
            .title = u"Context"_m,
            .help = u"A context of the kubeconfig; by default the current one."_m,
            .choices = true,
            .namesCluster = true},
        Field{.name = u"namespace"_s,
            .type = u"string"_s,
            .title = u"Namespace"_m,
            .help = u"Where jobs are made; by default that of the context, else \"default\"."_m,
            .choices = true,
            .namesCluster = true},
    };
    const QList<Field> pod = podFields();
    fields.append(pod.first());
    fields += QList<Field>{
        // with the image: the namespace may refuse pods without it
        Field{.name = u"podSecurity"_s,
            .type = u"string"_s,
            .defaultValue = "image",
            .title = u"Pod security"_m,
            .help =
                u"image runs trials as the image says; restricted as namespaces with that pod security demand: not as root, without privileges."_m,
            .words = {u"image"_s, u"restricted"_s}},
        Field{.name = u"runAsUser"_s,
            .type = u"integer"_s,
            .defaultValue = 1'000,
            .title = u"User id"_m,
            .help = u"With pod security restricted: whom trials run as."_m,
            .minimum = 1,
            .dependsOn = FieldCondition{u"podSecurity"_s, "restricted"},
            .advanced = true},
    };
    fields += pod.mid(1);
    fields += QList<Field>{
        Field{.name = u"serviceAccount"_s,
            .type = u"string"_s,
            .title = u"Service account"_m,
            .help = u"Of the pods, where trials speak to the cluster themselves; empty: they get no token."_m,
            .advanced = true},
        Field{.name = u"imagePullSecret"_s,
            .type = u"string"_s,
            .title = u"Secret of the registry"_m,
            .help = u"Name of the secret in the namespace with which images are pulled from a private registry."_m,
            .advanced = true},
        Field{.name = u"imagePullPolicy"_s,
            .type = u"string"_s,
            .title = u"Pull images"_m,
            .help =
                u"Always pulls anew for each trial; empty: as Kubernetes does, only what is missing on the node, but always for :latest."_m,
            .words = {u"Always"_s, u"IfNotPresent"_s, u"Never"_s},
            .advanced = true},
        Field{.name = u"maxJobs"_s,
            .type = u"integer"_s,
            .defaultValue = 0,
            .title = u"Most jobs at once"_m,
            .help = u"How many jobs may be in the namespace at once, waiting ones included; 0 sets no limit of ours."_m,
            .minimum = 0,
            .advanced = true},
        Field{.name = u"startPatience"_s,
            .type = u"integer"_s,
            .defaultValue = 10,
            .title = u"Patience for a start, minutes"_m,
            .help =
                u"A trial whose pod has its node, but not its image or a secret, has failed after so long, because it keeps GPUs from others; 0 waits for ever."_m,
            .minimum = 0,
            .advanced = true},
        Field{.name = u"plugins"_s,
            .type = u"string"_s,
            .title = u"Credential programs"_m,
            .help =
                u"Programs of the kubeconfig that may be run for credentials, separated by commas; empty: any that it names."_m,
            .advanced = true},
    };
    QList<Field> options = podFields();
    const QList<Field> own{
        Field{.name = u"trialCpuNumber"_s,
            .type = u"string"_s,
            .defaultValue = "1",
            .title = u"CPUs a trial"_m,
            .help = u"How many CPUs each trial may use, for example 4 or 0.5."_m},
        Field{.name = u"trialMemorySize"_s,
            .type = u"string"_s,
            .title = u"Memory a trial"_m,
            .help = u"For example 8 GB; a trial that uses more is ended. Empty: no limit but the namespace's."_m},
        Field{.name = u"timeLimit"_s,
            .type = u"integer"_s,
            .title = u"Time limit, seconds"_m,
            .help = u"After so many seconds the cluster ends the trial; empty: no limit."_m,
            .minimum = 1,
            .advanced = true},
    };
    options = options.mid(0, 1) + own + options.mid(1);
    return KindDescription{
        .kind = u"kubernetes"_s,
        .title = u"Kubernetes"_m,
        .fields = fields,
        .capabilities =
            {.logs = true, .parameters = false, .machines = true, .placement = false, .files = false, .requeue = true},
        .experimentFields = options,
    };
}

} // namespace platforms::kubernetes
