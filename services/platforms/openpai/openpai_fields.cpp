// SPDX-License-Identifier: GPL-3.0-or-later
#include "openpai_fields.h"

#include "services/platforms/web_fields.h"

using namespace Qt::StringLiterals;

namespace platforms::openpai {

namespace {

/// What may stand in both; an experiment's wins.
QList<Field> jobFields()
{
    return {
        containerImageField(),
        Field{.name = u"virtualCluster"_s,
            .type = u"string"_s,
            .title = u"Virtual cluster"_m,
            .help = u"Whose GPUs the trials use; by default \"default\"."_m,
            .choices = true},
        Field{.name = u"skuType"_s,
            .type = u"string"_s,
            .title = u"SKU"_m,
            .help =
                u"On clusters with the hived scheduler: the kind of machine share a trial takes; so many as it has GPUs, at least one."_m,
            .choices = true,
            .advanced = true},
        Field{.name = u"jobPriority"_s,
            .type = u"string"_s,
            .title = u"Priority"_m,
            .help = u"With hived: prod, test, or oppo for what others may take away."_m,
            .words = {u"prod"_s, u"test"_s, u"oppo"_s},
            .advanced = true},
    };
}

} // namespace

KindDescription openPaiKind()
{
    QList<Field> fields{
        Field{.name = u"host"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Address"_m,
            .help =
                u"Of OpenPAI's web portal, for example https://pai.example.org. Over plain http whoever listens gets the token."_m,
            .namesCluster = true},
        Field{.name = u"username"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"User"_m,
            .help = u"Your name in OpenPAI."_m,
            .namesCluster = true},
        Field{.name = u"token"_s,
            .type = u"string"_s,
            .secret = true,
            .sentTo = {u"host"_s},
            .title = u"Token"_m,
            .help = u"Best an application token from your profile page: it does not expire."_m},
        Field{.name = u"tokenFile"_s,
            .type = u"file"_s,
            .title = u"File with the token"_m,
            .help =
                u"Instead of the token: a file that something renews; it is read again when the token is refused."_m},
        Field{.name = u"password"_s,
            .type = u"string"_s,
            .secret = true,
            .sentTo = {u"host"_s},
            .title = u"Password"_m,
            .help = u"Instead of a token, where the cluster has its own accounts: tokens are then asked for by it."_m},
        Field{.name = u"storageConfigName"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Storage"_m,
            .help = u"The cluster's name of a storage that trials share, as its portal lists them."_m,
            .choices = true,
            .namesCluster = true},
        Field{.name = u"localStorageMountPoint"_s,
            .type = u"path"_s,
            .title = u"Storage here"_m,
            .help =
                u"Where that storage is mounted on the service's computer, as an absolute path. Not needed for one of the type azureBlob: it is then used by its address, with the key that OpenPAI gives."_m,
            .namesCluster = true},
        Field{.name = u"containerStorageMountPoint"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Storage in containers"_m,
            .help = u"Where a trial sees it, for example /mnt/storage."_m},
    };
    fields += jobFields();
    fields += Field{.name = u"storageEndpoint"_s,
        .type = u"string"_s,
        .title = u"Blob storage"_m,
        .help =
            u"Of a storage of the type azureBlob that is not mounted here, where it is not in Azure's public cloud: for example https://{account}.blob.core.chinacloudapi.cn."_m,
        .namesCluster = true,
        .advanced = true};
    fields += clusterCallFields(
        u"How often jobs are listed. OpenPAI answers 60 lists a minute for each user, and 600 requests for each address."_m);
    QList<Field> experimentFields{
        Field{.name = u"trialCpuNumber"_s,
            .type = u"integer"_s,
            .defaultValue = 1,
            .title = u"CPUs a trial"_m,
            .help = u"How many CPUs each trial gets."_m,
            .minimum = 1},
        Field{.name = u"trialMemorySize"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Memory a trial"_m,
            .help = u"For example 8 GB; a trial that uses more is ended."_m},
        Field{.name = u"sharedMemorySize"_s,
            .type = u"string"_s,
            .title = u"Shared memory"_m,
            .help = u"Of /dev/shm, for example 2 GB, which PyTorch's data loaders want; by default 512 MB."_m,
            .advanced = true},
        Field{.name = u"openpaiConfig"_s,
            .type = u"text"_s,
            .title = u"Job of your own"_m,
            .help =
                u"A whole job in OpenPAI's protocol (YAML). Its first task role is the trial: its commands run instead of the trial's command. Name, storage and virtual cluster are set by the service."_m,
            .advanced = true},
    };
    experimentFields += jobFields();
    return KindDescription{
        .kind = u"openpai"_s,
        .title = u"OpenPAI"_m,
        .fields = fields,
        .capabilities =
            {.logs = true, .parameters = false, .machines = true, .placement = false, .files = true, .requeue = true},
        .experimentFields = experimentFields,
    };
}

} // namespace platforms::openpai
