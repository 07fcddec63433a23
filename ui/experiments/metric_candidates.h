// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/trial/log_scan.h"

#include <QWidget>

class QButtonGroup;
class QVBoxLayout;

namespace ui {

/// The numbers that a test run's output repeats, one of which the person chooses as the metric: name, range, trend, number of lines, curve.
class MetricCandidates : public QWidget
{
    Q_OBJECT
public:
    explicit MetricCandidates(QWidget* parent = nullptr);

    /// Replaces what is offered; the one with the chosen one's pattern stays chosen. Hidden when there is none.
    void offer(const QList<trial::PatternCandidate>& candidates);
    [[nodiscard]] const QList<trial::PatternCandidate>& offered() const { return m_candidates; }

signals:
    /// By the person.
    void chosen(const trial::PatternCandidate& candidate);

private:
    QList<trial::PatternCandidate> m_candidates;
    QString m_chosen; ///< its pattern
    QButtonGroup* m_group;
    QVBoxLayout* m_rows;
};

} // namespace ui
