// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of one metric of one trial, in columns, and their form in the store.
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <vector>

namespace series {

using namespace core;

/// Points of one metric in the order in which they were reported. The columns always have the same length.
struct Points
{
    std::vector<qint64> sequence; ///< number of the record in its trial, counted from 0
    std::vector<double> step;     ///< what the trial called the step; NaN where it named none
    std::vector<qint64> time;     ///< milliseconds since the epoch
    std::vector<double> value;    ///< NaN and infinities are kept

    [[nodiscard]] size_t size() const { return value.size(); }
    void reserve(size_t n);
    void append(qint64 pointSequence, double pointStep, qint64 pointTime, double pointValue);
    /// Bit for bit, so NaN equals itself.
    bool operator==(const Points& other) const;
};

inline constexpr size_t maxChunkPoints = 1'000;

/// Version 1, little-endian: `TDM`, version byte, flags, count; sequence, time and whole steps as variable-length
/// differences, other steps and values as they are; CRC-32C of everything before. A regular curve takes about 11 bytes
/// a point. Kind::invalid for columns of unequal length or more than maxChunkPoints.
[[nodiscard]] Result<QByteArray> encodeChunk(const Points& points);

/// Kind::invalid for anything that encodeChunk() did not write, whoever wrote it: no input crashes or allocates beyond
/// a chunk.
[[nodiscard]] Result<Points> decodeChunk(QByteArrayView bytes);

} // namespace series
