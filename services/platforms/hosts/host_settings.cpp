// SPDX-License-Identifier: GPL-3.0-or-later
#include "host_settings.h"

#include "host_platform.h"

#include <QCryptographicHash>

using namespace Qt::StringLiterals;

namespace platforms {

QList<Field> gpuFields()
{
    return {
        Field{.name = u"maxTrialNumberPerGpu"_s,
            .type = u"integer"_s,
            .defaultValue = 1,
            .title = u"Trials per GPU"_m,
            .help = u"How many trials may share one GPU."_m,
            .minimum = 1},
        Field{.name = u"gpuIndices"_s,
            .type = u"indices"_s,
            .title = u"GPUs to use"_m,
            .help = u"Numbers as in nvidia-smi; empty uses all."_m},
        Field{.name = u"useActiveGpu"_s,
            .type = u"boolean"_s,
            .defaultValue = false,
            .title = u"Use busy GPUs"_m,
            .help = u"Also place trials on GPUs that other programs compute on."_m},
    };
}

Field placementField()
{
    return Field{.name = u"placement"_s,
        .type = u"string"_s,
        .defaultValue = "pack",
        .title = u"Placement"_m,
        .help = u"Where a trial with GPUs goes when several places are free: pack puts it beside others and keeps "
                "whole machines free, spread keeps it apart from others."_m,
        .words = {u"pack"_s, u"spread"_s}};
}

void applyGpuSettings(Machine& machine, const Json& settings)
{
    machine.maxTrialsPerGpu = settings.value("maxTrialNumberPerGpu", 1);
    machine.useActiveGpu = settings.value("useActiveGpu", false);
    if (const auto indices = settings.find("gpuIndices"); indices != settings.end() && !indices->empty()) {
        QList<int> usable;
        for (const Json& index : *indices)
            usable.append(index.get<int>());
        machine.usableGpus = usable;
    }
}

QByteArray connectionDigest(const Json& settings)
{
    Json own = settings;
    for (const Field& limit : gpuFields())
        own.erase(limit.name.toStdString());
    own.erase(placementField().name.toStdString());
    return QCryptographicHash::hash(dumpJson(own), QCryptographicHash::Sha256);
}

} // namespace platforms
