// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_usage_json.h"

namespace core {

namespace {

Json toJson(const GpuUsageSample& sample)
{
    return {{"time", sample.time}, {"gpus", sample.counts.gpus}, {"ours", sample.counts.ours},
        {"foreign", sample.counts.foreign}, {"reserved", sample.counts.reserved}, {"silent", sample.counts.silent},
        {"free", sample.counts.free}};
}

} // namespace

Json gpuUsageJson(const QList<GpuUsageSample>& samples)
{
    Json list = Json::array();
    for (const GpuUsageSample& sample : samples)
        list.push_back(toJson(sample));
    return {{"samples", std::move(list)}};
}

QList<GpuUsageSample> gpuUsageFromJson(const Json& document)
{
    QList<GpuUsageSample> samples;
    const auto number = [](const Json& object, const char* name) -> qint64 {
        const auto it = object.find(name);
        return it != object.end() && it->is_number_integer() ? it->get<qint64>() : 0;
    };
    if (!document.is_object() || !document.contains("samples") || !document["samples"].is_array())
        return samples;
    for (const Json& one : document["samples"]) {
        if (!one.is_object())
            continue;
        const auto count = [&](const char* name) { return int(number(one, name)); };
        samples.append(GpuUsageSample{number(one, "time"),
            {count("gpus"), count("ours"), count("foreign"), count("reserved"), count("silent"), count("free")}});
    }
    return samples;
}

} // namespace core
