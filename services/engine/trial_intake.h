// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "book.h"

#include "services/core/scope.h"
#include "services/core/strand.h"
#include "services/platforms/platform.h"
#include "services/trial/metric_stream.h"

namespace engine {

/// What a live trial reports, on its way from bytes to metrics: decodes its streams, numbers the records, keeps the summaries of
/// the trial and of its experiment. Cursors become durable together with what was read up to them. Service thread only.
class TrialIntake
{
public:
    /// All but the entry outlive it; `patterns` is where regular expressions run.
    TrialIntake(Book& book, TrialEntry& entry, Scope& scope, Strand& patterns);
    ~TrialIntake();

    void feed(const platforms::RecordBytes& bytes);
    /// Calls `fact` when everything fed before is in the book: at once, unless a worker still reads lines for the pattern.
    void after(std::function<void()> fact);
    /// The trial has ended: a last line without a line break counts.
    void finish();

private:
    class Streams;
    struct PatternRead
    {
        std::vector<trial::ParsedMetric> parsed;
        QList<trial::MetricFinding> findings;
        qint64 consumed = 0;
        qint64 time = 0;
    };
    void patternRead(qint64 ticket, PatternRead read);
    void take(std::vector<trial::ParsedMetric>& parsed, qint64 time);
    void note(const QList<trial::MetricFinding>& findings);
    void readPattern(const platforms::RecordBytes& bytes);

    Book& m_book;
    TrialEntry& m_entry;
    Scope& m_scope;
    Strand& m_patterns;
    std::unique_ptr<Streams> m_streams;
};

} // namespace engine
