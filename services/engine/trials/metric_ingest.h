// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/scope.h"
#include "services/core/strand.h"
#include "services/engine/state/engine_state.h"
#include "services/platforms/platform.h"
#include "services/trial/posted_metrics.h"

namespace engine {

/// What a live trial reports, on its way from bytes to metrics: decodes its streams, numbers the records, keeps the summaries of
/// the trial and of its experiment. Cursors become durable together with what was read up to them. Service thread only.
class MetricIngest
{
public:
    /// The other objects outlive it, the entry need not; `patterns` is where regular expressions run.
    MetricIngest(EngineState& state, const TrialEntry& entry, Scope& scope, Strand& patterns);
    ~MetricIngest();

    /// `entry`: this trial's, here and below. None is kept: it ends when its experiment is removed.
    void feed(TrialEntry& entry, const platforms::RecordBytes& bytes);
    /// Keeps the platform's own cursor with the trial once everything that was fed before is read and ends with a whole record.
    void keepCursor(TrialEntry& entry, const QByteArray& cursor);
    struct Posted
    {
        qint64 next = 0;
        bool isGap = false; ///< an offset above `next` came, and nothing from there on was taken
    };
    /// What the trial itself posted. With offsets those that are known are passed over; `run` is no earlier one.
    Posted post(TrialEntry& entry, const std::vector<trial::PostedMetric>& metrics, bool hasOffsets, qint64 run);
    /// Calls `fact` when everything fed before is in the state: at once, unless a worker still reads lines for the pattern.
    void after(std::function<void()> fact);
    /// The trial was cancelled: what the pattern has not read yet must not hold its end up for long.
    void hurry();
    /// The trial has ended: a last line without a line break counts.
    void finish(TrialEntry& entry);

private:
    class Streams;
    struct PatternRead
    {
        std::vector<trial::ParsedMetric> parsed;
        QList<trial::MetricFinding> findings;
        qint64 consumed = 0;
        qint64 time = 0;
        qsizetype size = 0; ///< bytes
        int attempt = 0;
    };
    void beginAttempt(TrialEntry& entry, int attempt);
    void storeCursor(TrialEntry& entry);
    void patternRead(TrialEntry& entry, qint64 ticket, PatternRead read);
    void take(TrialEntry& entry, std::vector<trial::ParsedMetric>& parsed, qint64 time);
    void note(TrialEntry& entry, const QList<trial::MetricFinding>& findings);
    void readPattern(const platforms::RecordBytes& bytes);
    [[nodiscard]] bool makesRoom(TrialEntry& entry, platforms::RecordBytes& bytes);

    EngineState& m_state;
    Scope& m_scope;
    Strand& m_patterns;
    std::shared_ptr<Streams> m_streams; ///< what a worker still reads for is dropped when it is gone
};

} // namespace engine
