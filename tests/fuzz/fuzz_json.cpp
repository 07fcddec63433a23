// SPDX-License-Identifier: GPL-3.0-or-later
// JSON, the records' public spelling, metric values.
#include "fuzz_driver.h"

#include "services/core/json_scanner.h"
#include "services/core/record_json.h"

using namespace core;

/// Each policy takes what the stricter ones take, and the strict one takes what the parser takes.
static void compareScanners(const QByteArray& text)
{
    const bool strict = JsonScanner<StrictJson>(text).wholeText();
    const bool python = JsonScanner<PythonJson>(text).wholeText();
    const bool lenient = JsonScanner<LenientJson>(text).wholeText();
    if ((strict && !python) || (python && !lenient))
        __builtin_trap();
    const bool parsed = parseJson(text).has_value();
    if (parsed && !strict && !text.startsWith("\xef\xbb\xbf")) // the parser passes over a byte order mark
        __builtin_trap();
    const QByteArray made = strictJson(text);
    if (python == made.isEmpty() || (python && !parseJson(made)))
        __builtin_trap();
    if (strict && !parsed
        && made == text) // only a number beyond a double's range is both, and strictJson() replaces it
        __builtin_trap();
}

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    compareScanners(text);
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
