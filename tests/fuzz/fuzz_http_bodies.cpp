// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies and headers of requests.
#include "fuzz_driver.h"

#include "services/http/api_decode.h"

void fuzzOne(std::string_view data)
{
    const QByteArrayView body(data.data(), qsizetype(data.size()));
    const api::Mirror mirror;
    (void)http::decodeTrials(body);
    (void)http::decodePlatform(body);
    (void)http::decodeExperimentPatch(body);
    (void)http::decodePromptAnswer(body);
    (void)http::decodeMetricCursors(body, mirror);
    (void)http::decodeSeries(body, mirror);
    (void)http::decodeIfMatch(body);
    if (const auto object = http::decodeObject(body)) {
        (void)http::decodeOverrides(*object);
        core::JsonReader reader(*object);
        (void)http::readSelection(reader, mirror);
    }
}
