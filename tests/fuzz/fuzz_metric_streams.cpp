// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that a trial can write where we read metrics.
#include "fuzz_driver.h"

#include "services/trial/file_metric_stream.h"
#include "services/trial/nni_streams.h"
#include "services/trial/pattern_stream.h"

using namespace trial;

static void feed(MetricStream& stream, std::string_view data, size_t piece)
{
    std::vector<ParsedMetric> out;
    for (size_t at = 0; at < data.size(); at += piece)
        stream.feed(qint64(at), QByteArrayView(data.data() + at, qsizetype(std::min(piece, data.size() - at))), out);
    stream.finish(out);
    if (stream.consumed() > qint64(data.size()))
        __builtin_trap();
}

void fuzzOne(std::string_view data)
{
    for (const size_t piece : {size_t(7), data.size() + 1}) {
        NniMetricStream nni;
        feed(nni, data, piece);
        FileMetricStream file;
        feed(file, data, piece);
        SdkLineStream sdk;
        feed(sdk, data, piece);
        static const QString pattern = QStringLiteral("(?<name>[a-z]+) ?= ?(?<value>[-+.0-9eE]+)");
        if (auto made = PatternStream::create(pattern, Objective()))
            feed(**made, data, piece);
    }
}
