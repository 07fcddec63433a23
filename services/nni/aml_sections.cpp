// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_sections.h"

using namespace Qt::StringLiterals;

namespace nni {

namespace {

constexpr const char* workspaceFields[] = {"subscriptionId", "resourceGroup", "workspaceName", "computeTarget"};

void readWorkspace(Section& section, Json& settings)
{
    for (const char* name : workspaceFields) {
        section.require(name);
        if (const auto value = section.text(name))
            settings[name] = *value;
    }
}

} // namespace

void readAmlV1(Section& top, Section& trial, const PlatformParts& parts, const NamedFiles& files)
{
    Q_UNUSED(files)
    Section config = top.inner("amlConfig");
    readWorkspace(config, parts.settings);
    trial.require("image");
    if (const auto image = trial.text("image"))
        parts.options["dockerImage"] = *image;
    config.finish();
}

void readAmlV2(Section& service, const PlatformParts& parts, const NamedFiles& files)
{
    Q_UNUSED(files)
    readWorkspace(service, parts.settings);
    // Not NNI's: how the service logs in, and what else a job may ask for.
    for (const char* name : {"auth", "tenantId", "clientId", "cloud"})
        if (const auto value = service.text(name))
            parts.settings[name] = *value;
    for (const char* name : {"environment", "instanceType", "sharedMemorySize", "experimentName"})
        if (const auto value = service.text(name))
            parts.options[name] = *value;
    if (const auto limit = service.whole("timeLimit", 60))
        parts.options["timeLimit"] = *limit;
    const auto image = service.text("dockerImage");
    if (image)
        parts.options["dockerImage"] = *image;
    else if (!parts.options.contains("environment"))
        parts.options["dockerImage"] = QString::fromLatin1(imageOfNni);
    for (const char* name : {"maxTrialNumberPerGpu", "useActiveGpu"})
        if (service.take(name))
            service.reading().note(service.pathOf(name), u"has no effect: a job has its GPUs for itself."_m);
}

} // namespace nni
