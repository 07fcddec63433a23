// SPDX-License-Identifier: GPL-3.0-or-later
// The bodies by which trials post their metrics: lines with offsets, and what the trial keeper of NNI sends (reference: nni.md 5.1). A body
// is read as a whole or not at all. Pure; takes any bytes.
#pragma once

#include "metric_stream.h"

#include <tl/expected.hpp>

namespace trial {

/// One record of a trial's posted stream.
struct PostedMetric
{
    qint64 offset = 0; ///< its number in the stream, from 0; of NNI's keeper always 0
    ParsedMetric metric;

    bool operator==(const PostedMetric&) const = default;
};

/// Why a body is refused.
struct PostProblem
{
    Message text; ///< a sentence
    bool isTooLarge = false;

    bool operator==(const PostProblem&) const = default;
};

template <typename T>
using Posted = tl::expected<T, PostProblem>;

inline constexpr qsizetype maxPostedLines = 10'000; ///< of one body
inline constexpr qsizetype maxPostedLineBytes = maxMetricBytes + 4096;

/// Lines `{"offset": 7, "metric": 0.93, "step"?, "type"?}` as in the file of metrics, in their order; empty lines are passed over. The last
/// one needs no line break: half an object is none.
[[nodiscard]] Posted<std::vector<PostedMetric>> readPostedLines(QByteArrayView body);

/// What a line of output that NNI's keeper posts holds.
struct KeeperOutput
{
    std::vector<PostedMetric> metrics;
    int otherLines = 0; ///< of the program's own, or the keeper's

    bool operator==(const KeeperOutput&) const = default;
};

/// `{"tag": "trial", "msg": "NNISDK_MEb'…'", …}`; what another tag says is no metric.
[[nodiscard]] Posted<KeeperOutput> readKeeperOutput(QByteArrayView body);

/// `{"jobId": …, "metrics": ["{…}", …]}`: records of NNI's SDK as texts.
[[nodiscard]] Posted<std::vector<PostedMetric>> readKeeperMetrics(QByteArrayView body);

} // namespace trial
