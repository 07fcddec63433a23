// SPDX-License-Identifier: GPL-3.0-or-later
// From the bytes of a trial's reports to metrics, incrementally: bytes may come cut anywhere, twice, or with gaps.
// Nothing that a trial writes can stop a stream: what is no metric is passed over with a finding. One object a stream
// and trial; not thread-safe, but free to live on a worker.
#pragma once

#include "services/core/records.h"

namespace trial {

using namespace core;

/// A longer text of a metric is passed over.
inline constexpr qsizetype maxMetricBytes = 1024 * 1024;

/// What a trial reported; the engine gives it its sequence and time.
struct ParsedMetric
{
    MetricType type = MetricType::periodical;
    std::optional<qint64> parameterId;
    int parameterIndex = 0; ///< of REQUEST_PARAMETER: the index that is wanted
    std::optional<qint64> step;
    QByteArray data; ///< the exact text of the value
    MetricValue value;

    bool operator==(const ParsedMetric&) const = default;
};

/// What no metric may be, however it was reported.
enum class MetricFault { none, tooLong, notUtf8, tooDeep };
[[nodiscard]] MetricFault faultOf(const ParsedMetric& metric);

/// Something in a stream that a person should know of.
struct MetricFinding
{
    qint64 offset = 0; ///< in the stream
    Message text;      ///< a sentence

    bool operator==(const MetricFinding&) const = default;
};

class MetricStream
{
public:
    /// `offset`: where the bytes go on, a consumed() of an earlier life.
    explicit MetricStream(qint64 offset)
        : m_consumed(offset)
        , m_next(offset)
    {
    }
    virtual ~MetricStream() = default;
    Q_DISABLE_COPY_MOVE(MetricStream)

    /// Appends what the bytes complete to `out`. Bytes that were fed before are passed over. If some were left out, an
    /// unfinished record before the gap is given up. Empty bytes at a later offset just move on. `reset`: the unfinished
    /// record before the offset will not be finished, because the trial cut its file.
    void feed(qint64 offset, QByteArrayView bytes, std::vector<ParsedMetric>& out, bool reset = false);
    /// Nothing will follow: a last record that only lacks its line end is taken too.
    void finish(std::vector<ParsedMetric>& out);

    /// The end of the last complete record: what to make durable together with the metrics. A stream that goes on from
    /// here loses and doubles nothing.
    [[nodiscard]] qint64 consumed() const { return m_consumed; }
    /// Whether what was fed ends with a complete record.
    [[nodiscard]] bool isWhole() const { return m_consumed == m_next; }
    [[nodiscard]] QList<MetricFinding> takeFindings() { return std::exchange(m_findings, {}); }

protected:
    /// Takes whole records from the beginning of `bytes`, which lie at `offset` of the stream, and returns how many
    /// bytes are done with. The first `searched` bytes were seen before and complete nothing. `last`: nothing will
    /// follow.
    virtual qsizetype take(
        QByteArrayView bytes, qint64 offset, qsizetype searched, bool last, std::vector<ParsedMetric>& out) = 0;
    /// The bytes at hand are given up; a stream that remembers more about them forgets it.
    virtual void resetRecord() { }

    void addFinding(qint64 offset, const Message& text);
    /// The checks that all metrics undergo; false, with a finding, if it is to be passed over.
    bool accept(ParsedMetric&& metric, qint64 offset, std::vector<ParsedMetric>& out);

private:
    void discardPending();

    qint64 m_consumed;
    qint64 m_next;        ///< end of what was fed
    QByteArray m_pending; ///< the bytes from m_consumed to m_next
    qsizetype m_searched = 0;
    QList<MetricFinding> m_findings;
    int m_findingCount = 0;
};

/// A stream whose records are lines.
class LineStream : public MetricStream
{
public:
    using MetricStream::MetricStream;

protected:
    qsizetype take(
        QByteArrayView bytes, qint64 offset, qsizetype searched, bool last, std::vector<ParsedMetric>& out) override;
    void resetRecord() override { m_skipping = false; }

    /// A line without its end (\n or \r\n), never longer than lineLimit().
    virtual void line(QByteArrayView line, qint64 offset, std::vector<ParsedMetric>& out) = 0;
    [[nodiscard]] virtual qsizetype lineLimit() const { return maxMetricBytes + 4096; }
    /// The beginning of a line that is too long; its rest is passed over.
    virtual void longLine(QByteArrayView head, qint64 offset, std::vector<ParsedMetric>& out);

private:
    bool m_skipping = false; ///< inside a line that is too long
};

} // namespace trial
