// SPDX-License-Identifier: GPL-3.0-or-later
// JSON, the records' public spelling, metric values.
#include "fuzz_driver.h"

#include "services/core/record_json.h"

using namespace core;

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    const MetricValue value = parseMetricValue(text);
    (void)dumpJson(value.toJson());
    QByteArray string;
    appendJsonString(string, text);
    if (!parseJson(string))
        __builtin_trap(); // what we write must be JSON, whatever the bytes were
    const Result<Json> json = parseJson(text);
    if (!json)
        return;
    (void)dumpJson(*json);
    (void)experimentSpecFromJson(*json);
    (void)trialFromJson(*json);
    (void)experimentFromJson(*json);
    (void)platformFromJson(*json);
    (void)machineFromJson(*json);
    (void)metricFromJson(*json);
    (void)operationFromJson(*json);
    (void)promptFromJson(*json);
}
