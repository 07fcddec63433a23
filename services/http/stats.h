// SPDX-License-Identifier: GPL-3.0-or-later
// What GET /metrics shows, in the text format of Prometheus.
#pragma once

#include "services/api/mirror.h"

#include <array>
#include <optional>
#include <vector>

namespace http {

/// Counts of durations in seconds.
class Histogram
{
public:
    static constexpr std::array bounds = {
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0};

    void observe(double seconds);
    [[nodiscard]] quint64 count() const { return m_count; }
    /// Appends `name_bucket{labels,le="…"}` and so on; `labels` as they stand between the braces, without a comma at the end.
    void write(QByteArray& out, const QByteArray& name, const QByteArray& labels) const;

private:
    std::array<quint64, bounds.size()> m_buckets{};
    quint64 m_count = 0;
    double m_sum = 0;
};

/// Of the address where trials post their metrics.
struct IngestStats
{
    quint64 posts = 0;      ///< whose body was read
    quint64 refused = 0;    ///< without a right token
    quint64 otherLines = 0; ///< of output that NNI's keeper sent; they are not kept
};

struct Stats
{
    explicit Stats(size_t routes)
        : latency(routes)
    {
    }
    std::vector<Histogram> latency;    ///< by index of the route
    Histogram eventLag;                ///< from a change's coming to its being written to a listener
    std::array<quint64, 6> statuses{}; ///< answers by hundreds
    int connections = 0;
    int listeners = 0;
    std::optional<IngestStats> ingest; ///< absent: there is no such address
};

[[nodiscard]] QByteArray prometheusText(const api::Mirror& mirror, const Stats& stats);

} // namespace http
