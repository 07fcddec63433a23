// SPDX-License-Identifier: GPL-3.0-or-later
// What NNI's Python SDK reports, in its two framings (reference: nni.md 2.4). In both the payload is the SDK's object
// {"parameter_id", "trial_job_id", "type", "sequence", "value": "<JSON text>", "parameter_index"}; `data` is the inner
// text.
#pragma once

#include "metric_stream.h"

namespace trial {

/// Reads the SDK's object; what is wrong with it in words, or nothing. A `value` that is no string counts as its own
/// text.
[[nodiscard]] std::optional<Message> readSdkMetric(QByteArrayView payload, ParsedMetric& metric);

/// `.nni/metrics`: "ME", six digits that count the payload's bytes, the payload. After a header or a payload that is
/// none (a process was killed while it wrote, or two wrote at once) reading goes on at the next header that an object
/// follows.
class NniMetricStream : public MetricStream
{
public:
    explicit NniMetricStream(qint64 offset = 0)
        : MetricStream(offset)
    {
    }

protected:
    qsizetype take(
        QByteArrayView bytes, qint64 offset, qsizetype searched, bool last, std::vector<ParsedMetric>& out) override;
    void resetRecord() override { m_inGarbage = false; }

private:
    bool m_inGarbage = false; ///< what is passed over has had its finding
};

/// Standard output: lines NNISDK_MEb'PAYLOAD'. The mark is found also behind other text of the line (a progress bar),
/// and more than once; the payload ends where its object ends, so an apostrophe inside is no end. All other lines are
/// the program's own.
class SdkLineStream : public LineStream
{
public:
    explicit SdkLineStream(qint64 offset = 0)
        : LineStream(offset)
    {
    }

protected:
    void line(QByteArrayView line, qint64 offset, std::vector<ParsedMetric>& out) override;
    void longLine(QByteArrayView head, qint64 offset, std::vector<ParsedMetric>& out) override;
};

} // namespace trial
