// SPDX-License-Identifier: GPL-3.0-or-later
#include "dlts_fields.h"

#include "services/platforms/web_fields.h"

using namespace Qt::StringLiterals;

namespace platforms::dlts {

namespace {

/// What may stand in both; an experiment's wins.
QList<Field> jobFields()
{
    return {
        containerImageField(),
        Field{.name = u"gpuType"_s,
            .type = u"string"_s,
            .title = u"GPU model"_m,
            .help = u"As the cluster names it, for example P40; by default the first one of the team."_m,
            .choices = true},
    };
}

} // namespace

KindDescription dltsKind()
{
    QList<Field> fields{
        Field{.name = u"dashboard"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Address"_m,
            .help =
                u"Of the dashboard, for example https://dltshub.example.com. DLTS takes the password in addresses: over plain http whoever listens gets it."_m,
            .namesCluster = true},
        Field{.name = u"cluster"_s,
            .type = u"string"_s,
            .defaultValue = ".default",
            .title = u"Cluster"_m,
            .help = u"The dashboard's name of it; .default is its first one."_m,
            .choices = true,
            .namesCluster = true},
        Field{.name = u"team"_s,
            .type = u"string"_s,
            .title = u"Team"_m,
            .help =
                u"Whose GPUs the trials use (virtual cluster). Empty: DLWS_VC_NAME of the service's environment, as in a job of DLTS."_m,
            .choices = true,
            .namesCluster = true},
        Field{.name = u"email"_s,
            .type = u"string"_s,
            .title = u"Email"_m,
            .help = u"Your account. Empty: DLWS_USER_EMAIL of the service's environment."_m,
            .namesCluster = true},
        Field{.name = u"password"_s,
            .type = u"string"_s,
            .secret = true,
            .sentTo = {u"dashboard"_s},
            .title = u"Password"_m,
            .help =
                u"The 32 digits of your user page in the dashboard, not the password that you log in with. Empty: DLTS_JOB_TOKEN of the service's environment."_m},
        Field{.name = u"passwordFile"_s,
            .type = u"file"_s,
            .title = u"File with the password"_m,
            .help = u"Instead of the password; it is read again when the password is refused."_m},
        Field{.name = u"localStorageMountPoint"_s,
            .type = u"path"_s,
            .required = true,
            .title = u"Share here"_m,
            .help =
                u"Where the share with your home or work folder is mounted on the service's computer, as an absolute path."_m,
            .namesCluster = true},
        Field{.name = u"containerStorageMountPoint"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Share in containers"_m,
            .help = u"Where a job sees the same folder, for example /home/you or /work."_m},
    };
    fields += jobFields();
    fields += clusterCallFields(u"How often jobs are listed."_m);
    QList<Field> experimentFields = jobFields();
    experimentFields += QList<Field>{
        Field{.name = u"preemptionAllowed"_s,
            .type = u"boolean"_s,
            .defaultValue = false,
            .title = u"May be taken away"_m,
            .help =
                u"Trials also use GPUs beyond the quota, without approval; the cluster may take them away, and starts the trial again later."_m},
        Field{.name = u"workPath"_s,
            .type = u"string"_s,
            .title = u"Work folder"_m,
            .help =
                u"What a job sees as /work, below your own folder of the cluster's work share; empty: that folder."_m,
            .advanced = true},
        Field{.name = u"dataPath"_s,
            .type = u"string"_s,
            .title = u"Data folder"_m,
            .help = u"What a job sees as /data, on the cluster's data share; empty: nothing is mounted there."_m,
            .advanced = true},
        Field{.name = u"endpoints"_s,
            .type = u"string"_s,
            .title = u"Endpoints"_m,
            .help =
                u"Ways from outside into a trial that runs: ssh, ipython, tensorboard, and ports from 40000 to 49999, separated by commas. Its journal then says where they are."_m,
            .advanced = true},
    };
    return KindDescription{
        .kind = u"dlts"_s,
        .title = u"DLTS"_m,
        .fields = fields,
        .capabilities =
            {.logs = true, .parameters = false, .machines = true, .placement = false, .files = true, .requeue = true},
        .experimentFields = experimentFields,
    };
}

} // namespace platforms::dlts
