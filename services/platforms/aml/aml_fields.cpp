// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_fields.h"

#include "services/platforms/azure/azure_cloud.h"
#include "services/platforms/azure/token_plan.h"
#include "services/platforms/web_fields.h"

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

/// What may stand in both; an experiment's wins.
QList<Field> jobFields()
{
    return {
        Field{.name = u"dockerImage"_s,
            .type = u"string"_s,
            .title = u"Container image"_m,
            .help = u"What trials run in; the experiment's, or else the platform's. It needs sh, tar and gzip."_m},
        Field{.name = u"environment"_s,
            .type = u"string"_s,
            .title = u"Environment"_m,
            .help =
                u"Instead of an image: an environment of the workspace as azureml:NAME:VERSION, or one of Azure's own as azureml://registries/azureml/environments/NAME/versions/VERSION."_m},
        Field{.name = u"instanceType"_s,
            .type = u"string"_s,
            .title = u"Instance type"_m,
            .help = u"On a compute with several (Kubernetes): which one a trial takes."_m,
            .advanced = true},
        Field{.name = u"sharedMemorySize"_s,
            .type = u"string"_s,
            .title = u"Shared memory"_m,
            .help = u"Of /dev/shm, for example 8 GB, which PyTorch's data loaders want; by default 2 GB."_m,
            .advanced = true},
    };
}

QList<Field> loginFields()
{
    Field clientId{.name = u"clientId"_s,
        .type = u"string"_s,
        .title = u"Application"_m,
        .help =
            u"The application's (client's) id: of a service principal, or of one of several managed identities. For a login with a code Azure's own command line is taken."_m};
    Field clientSecret{.name = u"clientSecret"_s,
        .type = u"string"_s,
        .secret = true,
        .sentTo = {u"cloud"_s, u"armEndpoint"_s, u"loginEndpoint"_s},
        .title = u"Secret of the application"_m,
        .help = u"One of the service principal's client secrets."_m,
        .dependsOn = FieldCondition{u"auth"_s, "serviceprincipal"}};
    Field refreshToken{.name = u"refreshToken"_s,
        .type = u"string"_s,
        .secret = true,
        .sentTo = {u"cloud"_s, u"armEndpoint"_s, u"loginEndpoint"_s},
        .title = u"Login"_m,
        .help = u"What the login with a code gave; kept here by the service, so that it asks you once."_m,
        .dependsOn = FieldCondition{u"auth"_s, "devicecode"},
        .advanced = true};
    return {
        Field{.name = u"auth"_s,
            .type = u"string"_s,
            .defaultValue = "azcli",
            .title = u"Log in by"_m,
            .help =
                u"azcli: the login of the program az on the service's computer. devicecode: you enter a code in a browser. serviceprincipal: an application with a secret. managedidentity: that of the machine in Azure that the service runs on. environment: AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET of the service."_m,
            .words = azure::loginWays()},
        Field{.name = u"tenantId"_s,
            .type = u"string"_s,
            .title = u"Tenant"_m,
            .help = u"Id or domain of the organization. Empty: that of the login; an application needs it."_m},
        clientId,
        clientSecret,
        refreshToken,
    };
}

QList<Field> cloudFields()
{
    return {
        Field{.name = u"cloud"_s,
            .type = u"string"_s,
            .defaultValue = "public",
            .title = u"Cloud"_m,
            .help = u"The public one, or that of China or of the government of the United States."_m,
            .words = azure::cloudNames(),
            .namesCluster = true,
            .advanced = true},
        Field{.name = u"armEndpoint"_s,
            .type = u"string"_s,
            .title = u"Address of Resource Manager"_m,
            .help = u"Of a cloud that is none of these; by default https://management.azure.com."_m,
            .namesCluster = true,
            .advanced = true},
        Field{.name = u"loginEndpoint"_s,
            .type = u"string"_s,
            .title = u"Address of Entra ID"_m,
            .help = u"Of a cloud that is none of these; by default https://login.microsoftonline.com."_m,
            .advanced = true},
    };
}

} // namespace

KindDescription amlKind()
{
    QList<Field> fields = loginFields();
    fields += QList<Field>{
        Field{.name = u"subscriptionId"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Subscription"_m,
            .help = u"The subscription's id."_m,
            .choices = true,
            .namesCluster = true},
        Field{.name = u"resourceGroup"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Resource group"_m,
            .help = u"In which the workspace is."_m,
            .choices = true,
            .namesCluster = true},
        Field{.name = u"workspaceName"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Workspace"_m,
            .help = u"Of Azure Machine Learning."_m,
            .choices = true,
            .namesCluster = true},
        Field{.name = u"computeTarget"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Compute"_m,
            .help = u"The cluster of the workspace on whose nodes trials run, one on each."_m,
            .choices = true},
    };
    fields += jobFields();
    fields += cloudFields();
    fields += clusterCallFields(
        u"How often jobs are listed. Azure answers some reads a second for each account and subscription."_m);
    QList<Field> experimentFields{
        Field{.name = u"computeTarget"_s,
            .type = u"string"_s,
            .title = u"Compute"_m,
            .help = u"Another cluster of the workspace than the platform's."_m,
            .choices = true},
    };
    experimentFields += jobFields();
    experimentFields += QList<Field>{
        Field{.name = u"experimentName"_s,
            .type = u"string"_s,
            .title = u"Experiment in the studio"_m,
            .help = u"Under which the studio shows the runs; by default trialdeck_ and the experiment's id."_m,
            .advanced = true},
        Field{.name = u"timeLimit"_s,
            .type = u"integer"_s,
            .title = u"Time limit, seconds"_m,
            .help = u"After so many seconds Azure ends the trial; empty: no limit."_m,
            .minimum = 60,
            .advanced = true},
    };
    return KindDescription{
        .kind = u"aml"_s,
        .title = u"Azure Machine Learning"_m,
        .fields = fields,
        .capabilities =
            {.logs = true, .parameters = false, .machines = true, .placement = false, .files = false, .requeue = true},
        .experimentFields = experimentFields,
    };
}

} // namespace platforms::aml
