// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "byte_codec.h"
#include "services/core/records.h"

#include <vector>

namespace store {

using namespace core;

/// Consecutive metrics of one trial in columns: flags, numbers as differences, lengths, and the verbatim texts. A value is not
/// stored where the text gives it. Grows at its end; bytes() is what a row of the store holds.
class MetricChunk
{
public:
    static constexpr int maxPoints = 1'000;

    MetricChunk() = default;
    explicit MetricChunk(qint64 firstSequence)
        : m_first(firstSequence)
    {
    }

    /// One that is known to be in the store and gets no more points: only where it ends counts.
    [[nodiscard]] static MetricChunk closed(qint64 firstSequence, int count);

    [[nodiscard]] qint64 first() const { return m_first; }
    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] qint64 next() const { return m_first + m_count; }

    /// `metric.sequence` must be next().
    void append(const Metric& metric);
    [[nodiscard]] QByteArray bytes() const;
    /// Forgets the points, to give back the memory of a chunk that will not grow any more.
    void dropBytes();

    /// Appends the points of a row whose sequence is at least `since`, at most `limit` of them. False when it is damaged.
    [[nodiscard]] static bool decode(QByteArrayView row, qint64 since, qint64 limit, std::vector<Metric>& out);
    /// How many points a row holds; absent when it is damaged.
    [[nodiscard]] static std::optional<std::pair<qint64, int>> describe(QByteArrayView row); ///< first sequence, count

private:
    qint64 m_first = 0;
    int m_count = 0;
    qint64 m_lastTime = 0;
    qint64 m_lastStep = 0;
    qint64 m_lastParameterId = 0;
    int m_lastParameterIndex = 0;
    QByteArray m_flags;
    ByteWriter m_numbers;
    ByteWriter m_values; ///< of the rare metric whose value its text does not give
    QByteArray m_texts;
};

} // namespace store
