// SPDX-License-Identifier: GPL-3.0-or-later
// metricPattern: metrics from what a program prints anyway, by a regular expression with a group `value`, and perhaps
// `name` and `step`. Lines are matched up to 64 KiB, what follows the last carriage return of a line (a progress bar
// shows no more than that), with a limit on the steps of a match; may live on a worker.
#pragma once

#include "metric_stream.h"

#include <QRegularExpression>

#include <atomic>
#include <limits>

namespace trial {

/// Whether a pattern can be used; the error says where it is wrong.
[[nodiscard]] Result<> checkMetricPattern(const QString& pattern);

class PatternStream : public LineStream
{
public:
    /// `objective` is what a value without a name counts as. Errors: as checkMetricPattern().
    [[nodiscard]] static Result<std::unique_ptr<PatternStream>> create(
        const QString& pattern, const Objective& objective, qint64 offset = 0);

    /// On the worker, before feed(): the processor time that this piece may take; lines beyond it are left out with a finding.
    void allow(int processorMs);
    /// From any thread: the trial was cancelled, so what is not read yet may take a quarter of a second of processor time in all; the rest
    /// is left out with a finding.
    void hurry() { m_isHurried = true; }

protected:
    void line(QByteArrayView line, qint64 offset, std::vector<ParsedMetric>& out) override;
    [[nodiscard]] qsizetype lineLimit() const override { return 64 * 1024; }
    void longLine(QByteArrayView head, qint64 offset, std::vector<ParsedMetric>& out) override
    {
        line(head, offset, out);
    }

private:
    PatternStream(QRegularExpression regex, const Objective& objective, qint64 offset);

    [[nodiscard]] bool isOverdue(qint64 offset);
    void match(QByteArrayView line, qint64 offset, std::vector<ParsedMetric>& out);

    QRegularExpression m_regex;
    qint64 m_deadline = std::numeric_limits<qint64>::max(); ///< processor time of the thread, nanoseconds
    bool m_isLate = false;                                  ///< recorded for this chunk
    std::atomic<bool> m_isHurried = false;
    qint64 m_hurriedNs = 0; ///< processor time since then
    QString m_defaultName;
    int m_valueGroup = -1;
    int m_nameGroup = -1;
    int m_stepGroup = -1;
};

} // namespace trial
