// SPDX-License-Identifier: GPL-3.0-or-later
#include "pyramid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace series {

static constexpr size_t leaf = 64;
static constexpr size_t branch = 1'024;
static constexpr size_t blockSize = 8'192;
static constexpr size_t maxRuns = 64;
static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
static constexpr double inf = std::numeric_limits<double>::infinity();

namespace {

/// Sums over up to one block. Offsets are within the block.
struct Node
{
    double min = inf;
    double max = -inf;
    quint16 first = 0; ///< offset of the first and last finite value; meaningful while min <= max
    quint16 last = 0;
    quint16 nans = 0;
    quint16 plus = 0;
    quint16 minus = 0;

    [[nodiscard]] bool hasFinite() const { return min <= max; }

    void add(double value, size_t offset)
    {
        if (std::isfinite(value)) {
            if (!hasFinite())
                first = quint16(offset);
            last = quint16(offset);
            min = std::min(min, value);
            max = std::max(max, value);
        } else if (std::isnan(value)) {
            ++nans;
        } else {
            ++(value > 0 ? plus : minus);
        }
    }

    void add(const Node& other)
    {
        if (other.hasFinite()) {
            if (!hasFinite())
                first = other.first;
            last = other.last;
            min = std::min(min, other.min);
            max = std::max(max, other.max);
        }
        nans += other.nans;
        plus += other.plus;
        minus += other.minus;
    }
};

/// 64 values at once. Nearly always all are finite, which one sum shows: v - v is NaN for all that are not.
Node leafNode(const double* values, size_t offset)
{
    Node node;
    double sum[4] = {0, 0, 0, 0};
    double low[4] = {inf, inf, inf, inf};
    double high[4] = {-inf, -inf, -inf, -inf};
    for (size_t i = 0; i < leaf; i += 4) {
        for (size_t k = 0; k < 4; ++k) {
            const double v = values[i + k];
            sum[k] += v - v;
            low[k] = v < low[k] ? v : low[k];
            high[k] = v > high[k] ? v : high[k];
        }
    }
    if (sum[0] + sum[1] + sum[2] + sum[3] == 0) {
        node.min = std::min(std::min(low[0], low[1]), std::min(low[2], low[3]));
        node.max = std::max(std::max(high[0], high[1]), std::max(high[2], high[3]));
        node.first = quint16(offset);
        node.last = quint16(offset + leaf - 1);
        return node;
    }
    for (size_t i = 0; i < leaf; ++i)
        node.add(values[i], offset + i);
    return node;
}

/// A column while it is being summed up, over all blocks.
struct Sum
{
    double min = inf;
    double max = -inf;
    size_t first = 0;
    size_t last = 0;
    quint64 count = 0;
    quint64 nans = 0;
    quint64 plus = 0;
    quint64 minus = 0;

    void add(double value, size_t index)
    {
        ++count;
        if (std::isfinite(value)) {
            if (!(min <= max))
                first = index;
            last = index;
            min = std::min(min, value);
            max = std::max(max, value);
        } else if (std::isnan(value)) {
            ++nans;
        } else {
            ++(value > 0 ? plus : minus);
        }
    }

    void add(const Node& node, size_t blockStart, size_t points)
    {
        if (node.hasFinite()) {
            if (!(min <= max))
                first = blockStart + node.first;
            last = blockStart + node.last;
            min = std::min(min, node.min);
            max = std::max(max, node.max);
        }
        count += points;
        nans += node.nans;
        plus += node.plus;
        minus += node.minus;
    }
};

} // namespace

struct Pyramid::Block
{
    std::vector<double> step;
    std::vector<qint64> time;
    std::vector<double> value;
    std::vector<Node> leaves;   ///< of every 64 points that are complete
    std::vector<Node> branches; ///< of every 1,024
    Node all;                   ///< of the complete block

    /// Doubles, but never beyond the block, so a full one wastes nothing.
    void reserve(size_t wanted)
    {
        if (wanted <= value.capacity())
            return;
        const size_t capacity = std::min(blockSize, std::max({wanted, 2 * value.capacity(), size_t(16)}));
        step.reserve(capacity);
        time.reserve(capacity);
        value.reserve(capacity);
        leaves.reserve(capacity / leaf);
        branches.reserve(capacity / branch);
    }
};

/// Columns for each unit of x; 0 where the range is too narrow for that to be a number, so that all falls into the
/// first column.
static double scaleOf(double from, double to, int columns)
{
    const double scale = columns / (to - from);
    return std::isfinite(scale) ? scale : 0;
}

/// Never falls while x rises, which the search for the edges of columns depends on.
static int columnFor(double x, double from, double scale, int columns)
{
    return int(std::clamp((x - from) * scale, 0.0, double(columns - 1)));
}

int columnOf(double x, double from, double to, int columns)
{
    return columnFor(x, from, scaleOf(from, to, columns), columns);
}

void Pyramid::Runs::add(double x, size_t index)
{
    if (!std::isfinite(x)) {
        scattered = true;
        starts.clear();
        return;
    }
    low = std::min(low, x);
    high = std::max(high, x);
    if (!scattered && (starts.empty() || x < last)) {
        starts.push_back(index);
        if (starts.size() > maxRuns) {
            scattered = true;
            starts.clear();
        }
    }
    last = x;
}

Pyramid::Block& Pyramid::writableTail()
{
    if (m_blocks.empty() || m_blocks.back()->value.size() == blockSize) {
        m_blocks.push_back(std::make_shared<Block>());
        if (m_blocks.size() > 1)
            m_blocks.back()->reserve(blockSize);
    } else if (m_tail.isShared) {
        m_blocks.back() = std::make_shared<Block>(*m_blocks.back());
    }
    m_tail.isShared = false;
    return *m_blocks.back();
}

/// Completes the sums that the newest points have filled.
void Pyramid::summarise(Block& block)
{
    while ((block.leaves.size() + 1) * leaf <= block.value.size()) {
        const size_t offset = block.leaves.size() * leaf;
        block.leaves.push_back(leafNode(block.value.data() + offset, offset));
    }
    const size_t fan = branch / leaf;
    while ((block.branches.size() + 1) * fan <= block.leaves.size()) {
        Node node;
        for (size_t i = block.branches.size() * fan, end = i + fan; i < end; ++i)
            node.add(block.leaves[i]);
        block.branches.push_back(node);
    }
    if (block.value.size() == blockSize)
        for (const Node& node : block.branches)
            block.all.add(node);
}

void Pyramid::append(const Points& points)
{
    Q_ASSERT(points.step.size() == points.size() && points.time.size() == points.size());
    for (size_t done = 0; done < points.size();) {
        Block& block = writableTail();
        const size_t n = std::min(points.size() - done, blockSize - block.value.size());
        const auto copy = [&](auto& to, const auto& from) {
            to.insert(to.end(), from.begin() + qsizetype(done), from.begin() + qsizetype(done) + qsizetype(n));
        };
        block.reserve(block.value.size() + n);
        copy(block.step, points.step);
        copy(block.time, points.time);
        copy(block.value, points.value);
        for (size_t i = 0; i < n; ++i) {
            m_steps.add(points.step[done + i], m_size + i);
            m_times.add(double(points.time[done + i]), m_size + i);
        }
        m_size += n;
        done += n;
        summarise(block);
    }
}

void Pyramid::append(double step, qint64 time, double value)
{
    Block& block = writableTail();
    block.reserve(block.value.size() + 1);
    block.step.push_back(step);
    block.time.push_back(time);
    block.value.push_back(value);
    m_steps.add(step, m_size);
    m_times.add(double(time), m_size);
    ++m_size;
    summarise(block);
}

void Pyramid::setOrigin(qint64 time)
{
    m_origin = time;
}

double Pyramid::step(size_t index) const
{
    return m_blocks[index / blockSize]->step[index % blockSize];
}

qint64 Pyramid::time(size_t index) const
{
    return m_blocks[index / blockSize]->time[index % blockSize];
}

double Pyramid::value(size_t index) const
{
    return m_blocks[index / blockSize]->value[index % blockSize];
}

/// One query under way. Blocks are read in place; nothing of the pyramid changes.
class Pyramid::Search
{
public:
    Search(const Pyramid& pyramid, const Query& query)
        : m_pyramid(pyramid)
        , m_query(query)
        , m_origin(double(pyramid.m_origin.value_or(pyramid.m_size > 0 ? pyramid.time(0) : 0)))
        , m_scale(scaleOf(query.from, query.to, query.columns))
    {
    }

    [[nodiscard]] double x(size_t index) const
    {
        switch (m_query.axis) {
        case Axis::step:
            return m_pyramid.step(index);
        case Axis::time:
            return double(m_pyramid.time(index));
        case Axis::relative:
            return double(m_pyramid.time(index)) - m_origin;
        case Axis::index:
            break;
        }
        return double(index);
    }

    std::vector<Column> columns()
    {
        m_sums.resize(size_t(m_query.columns));
        if (m_query.axis == Axis::index) {
            sumRun(0, m_pyramid.m_size);
        } else {
            const Runs& runs = m_query.axis == Axis::step ? m_pyramid.m_steps : m_pyramid.m_times;
            if (runs.scattered)
                sumEach(0, m_pyramid.m_size);
            for (size_t i = 0; i < runs.starts.size(); ++i)
                sumRun(runs.starts[i], i + 1 < runs.starts.size() ? runs.starts[i + 1] : m_pyramid.m_size);
        }
        std::vector<Column> result;
        result.reserve(m_sums.size());
        for (const Sum& sum : m_sums)
            result.push_back(column(sum, int(result.size())));
        return result;
    }

private:
    [[nodiscard]] int columnAt(size_t index) const
    {
        return columnFor(x(index), m_query.from, m_scale, m_query.columns);
    }

    /// First index in [begin, end] for which `after` holds, as it does for all that follow and for `end`. Looks around
    /// `guess` in steps that double: columns beside each other hold about as many points, so most are found with a few
    /// looks at near memory.
    template <typename F>
    size_t firstWhere(size_t begin, size_t end, size_t guess, F after) const
    {
        size_t low = begin;
        size_t high = end;
        guess = std::min(guess, end);
        if (guess == end || after(guess)) {
            high = guess;
            for (size_t stride = 1; high - low > stride; stride *= 2) {
                if (!after(high - stride)) {
                    low = high - stride + 1;
                    break;
                }
                high -= stride;
            }
        } else {
            low = guess + 1;
            for (size_t stride = 1; high - low > stride; stride *= 2) {
                if (after(low + stride)) {
                    high = low + stride;
                    break;
                }
                low += stride + 1;
            }
        }
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (after(middle))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    /// Points whose x does not fall: each column is one stretch of them.
    void sumRun(size_t begin, size_t end)
    {
        begin = firstWhere(begin, end, begin, [&](size_t i) { return x(i) >= m_query.from; });
        end = firstWhere(begin, end, end, [&](size_t i) { return x(i) > m_query.to; });
        if (end - begin <= 4 * m_sums.size()) {
            sumEach(begin, end);
            return;
        }
        size_t length = std::max<size_t>((end - begin) / m_sums.size(), 1);
        while (begin < end) {
            const int current = columnAt(begin);
            const size_t stop =
                firstWhere(begin + 1, end, begin + length, [&](size_t i) { return columnAt(i) > current; });
            sumStretch(m_sums[size_t(current)], begin, stop);
            length = stop - begin;
            begin = stop;
        }
    }

    void sumEach(size_t begin, size_t end)
    {
        for (size_t i = begin; i < end; ++i) {
            const double at = x(i);
            if (!(at >= m_query.from && at <= m_query.to))
                continue;
            m_sums[size_t(columnFor(at, m_query.from, m_scale, m_query.columns))].add(m_pyramid.value(i), i);
        }
    }

    void sumStretch(Sum& sum, size_t begin, size_t end) const
    {
        while (begin < end) {
            const Block& block = *m_pyramid.m_blocks[begin / blockSize];
            const size_t start = begin - begin % blockSize;
            const size_t stop = std::min(end, start + blockSize);
            if (stop - begin == blockSize)
                sum.add(block.all, start, blockSize);
            else
                sumBlock(sum, block, start, begin - start, stop - start);
            begin = stop;
        }
    }

    static void sumBlock(Sum& sum, const Block& block, size_t start, size_t i, size_t end)
    {
        while (i < end) {
            if (i % branch == 0 && i + branch <= end) {
                sum.add(block.branches[i / branch], start, branch);
                i += branch;
            } else if (i % leaf == 0 && i + leaf <= end) {
                sum.add(block.leaves[i / leaf], start, leaf);
                i += leaf;
            } else {
                const size_t stop = std::min(end, (i / leaf + 1) * leaf);
                const size_t points = stop - i;
                Node node;
                for (; i < stop; ++i)
                    node.add(block.value[i], i);
                sum.add(node, start, points);
            }
        }
    }

    [[nodiscard]] Column column(const Sum& sum, int number) const
    {
        Column column;
        column.x = m_query.from + number * ((m_query.to - m_query.from) / m_query.columns);
        const bool finite = sum.min <= sum.max;
        column.min = finite ? sum.min : nan;
        column.max = finite ? sum.max : nan;
        column.first = finite ? m_pyramid.value(sum.first) : nan;
        column.last = finite ? m_pyramid.value(sum.last) : nan;
        column.firstX = finite ? x(sum.first) : nan;
        column.lastX = finite ? x(sum.last) : nan;
        column.count = sum.count;
        column.nanCount = sum.nans;
        column.plusInfinities = sum.plus;
        column.minusInfinities = sum.minus;
        return column;
    }

    const Pyramid& m_pyramid;
    const Query m_query;
    const double m_origin;
    const double m_scale;
    std::vector<Sum> m_sums;
};

std::pair<double, double> Pyramid::range(Axis axis) const
{
    if (m_size == 0)
        return {nan, nan};
    const Runs& runs = axis == Axis::step ? m_steps : m_times;
    if (axis != Axis::index && !(runs.low <= runs.high))
        return {nan, nan};
    switch (axis) {
    case Axis::index:
        return {0, double(m_size - 1)};
    case Axis::relative: {
        const auto origin = double(m_origin.value_or(time(0)));
        return {runs.low - origin, runs.high - origin};
    }
    default:
        return {runs.low, runs.high};
    }
}

std::vector<Column> Pyramid::query(const Query& query) const
{
    if (query.columns <= 0 || !(query.from <= query.to))
        return {};
    auto [low, high] = range(query.axis);
    if (std::isnan(low))
        low = high = 0;
    // An infinite end becomes the farthest point, but never passes the other end where that is finite.
    Query bounded = query;
    if (std::isinf(query.from))
        bounded.from = query.from < 0 ? std::min(low, std::isinf(query.to) ? high : query.to) : high;
    if (std::isinf(query.to))
        bounded.to = std::max(query.to > 0 ? high : low, bounded.from);
    return Search(*this, bounded).columns();
}

size_t Pyramid::memoryBytes() const
{
    size_t bytes = sizeof *this + m_blocks.capacity() * sizeof m_blocks[0]
        + (m_steps.starts.capacity() + m_times.starts.capacity()) * 8;
    for (const auto& block : m_blocks)
        bytes += sizeof(Block) + block->value.capacity() * 24
            + (block->leaves.capacity() + block->branches.capacity()) * sizeof(Node);
    return bytes;
}

} // namespace series
