// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the store that a broken disk may have changed.
#include "fuzz_driver.h"

#include "services/store/metric_chunk.h"

void fuzzOne(std::string_view data)
{
    std::vector<core::Metric> metrics;
    (void)store::MetricChunk::decode(QByteArrayView(data.data(), qsizetype(data.size())), 0, 1'000, metrics);
    (void)store::MetricChunk::describe(QByteArrayView(data.data(), qsizetype(data.size())));
}
