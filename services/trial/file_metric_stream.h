// SPDX-License-Identifier: GPL-3.0-or-later
// The file that TRIALDECK_METRICS_FILE names: one JSON object a line, {"metric": 0.93}, {"metric": {…}, "step": 7},
// {"metric": …, "type": "FINAL"}. Bare NaN and infinities are read; unknown members are passed over.
#pragma once

#include "metric_stream.h"
#include "raw_json.h"

namespace trial {

/// Reads such a line, without its end. What is wrong with it as a clause, or nothing. `offset` takes the member of that name, too.
[[nodiscard]] std::optional<Message> readMetricLine(
    QByteArrayView line, ParsedMetric& metric, std::optional<RawValue>* offset = nullptr);

class FileMetricStream : public LineStream
{
public:
    explicit FileMetricStream(qint64 offset = 0)
        : LineStream(offset)
    {
    }

protected:
    void line(QByteArrayView line, qint64 offset, std::vector<ParsedMetric>& out) override;
};

} // namespace trial
