// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "points.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace series {

enum class Axis {
    step,     ///< as the trial reported it
    time,     ///< milliseconds since the epoch
    relative, ///< milliseconds since the origin (setOrigin(), else the first point)
    index     ///< position in the series, from 0
};

/// What a column of a chart shows: all points whose x falls into it. min, max, first and last are over finite values
/// only and NaN where there is none; first and last are in the order of report.
struct Column
{
    double x = 0; ///< left edge of the column
    double min = 0;
    double max = 0;
    double first = 0;
    double last = 0;
    double firstX = 0; ///< where `first` was reported, so that a sparse curve can be drawn exactly; NaN without one
    double lastX = 0;
    quint64 count = 0; ///< all points, also those that are no number
    quint64 nanCount = 0;
    quint64 plusInfinities = 0;
    quint64 minusInfinities = 0;
};

/// A part of a curve, to be shown in so many columns.
struct Query
{
    Axis axis = Axis::step;
    double from = 0; ///< both ends belong to the range; infinite means as far as there are points
    double to = 0;
    int columns = 0; ///< of equal width
};

/// The column that `x`, between the ends, falls into; the right end belongs to the last one.
[[nodiscard]] int columnOf(double x, double from, double to, int columns);

/// One metric of one trial: its points, and over them minima and maxima of 64, 1,024 and 8,192 points, so that a query
/// costs by the number of columns, not of points, and no spike is ever lost. Append only; an append is constant time a
/// point on average. The sums take about 3 % beside the points, which take 24 bytes each.
///
/// x need not be sorted or distinct. Each axis is kept as runs in which x does not fall: a resumed trial that counts
/// its steps from 0 again adds a run, and its curves lie over each other. Beyond 64 runs, or once a step is no finite
/// number, that axis is answered by going through all points (about 10 ns each), and points without a finite step are
/// left out on it.
///
/// A value. Copies share the points, so a copy, made on the owner's thread, is a cheap snapshot that another thread may
/// read and drop while the original grows; the next append then copies the newest block, up to 200 KB.
class Pyramid
{
public:
    void append(const Points& points);
    void append(double step, qint64 time, double value);
    /// Where Axis::relative begins, milliseconds since the epoch: the start of the trial.
    void setOrigin(qint64 time);

    [[nodiscard]] size_t size() const { return m_size; }
    [[nodiscard]] double step(size_t index) const;
    [[nodiscard]] qint64 time(size_t index) const;
    [[nodiscard]] double value(size_t index) const;
    /// Smallest and largest x; two NaN without points.
    [[nodiscard]] std::pair<double, double> range(Axis axis) const;
    /// Exactly `columns` entries; none for a range whose end lies before its beginning, is NaN, or without columns.
    [[nodiscard]] std::vector<Column> query(const Query& query) const;
    /// Bytes held, shared ones included.
    [[nodiscard]] size_t memoryBytes() const;

private:
    struct Block;
    struct Runs
    {
        std::vector<size_t> starts;
        bool scattered = false;
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();
        double last = 0;

        void add(double x, size_t index);
    };
    class Search;
    /// Whether a copy may be reading the newest block. Copying sets it on both sides.
    struct Sharing
    {
        Sharing() = default;
        Sharing(const Sharing& other) { other.isShared = isShared = true; }
        Sharing& operator=(const Sharing& other)
        {
            other.isShared = isShared = true;
            return *this;
        }
        mutable bool isShared = false;
    };

    Block& writableTail();
    void summarise(Block& block);

    std::vector<std::shared_ptr<Block>> m_blocks; ///< all but the last are full and never change again
    Sharing m_tail;
    size_t m_size = 0;
    Runs m_steps;
    Runs m_times;
    std::optional<qint64> m_origin;
};

} // namespace series
