// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trial_filter.h"
#include "trial_table.h"
#include "word_ranks.h"

#include "services/api/mirror.h"

#include <QAbstractTableModel>
#include <QSet>
#include <QTimer>

namespace models {

/// Trials of one experiment, or of all, filtered and sorted. It does both itself: a proxy over a hundred thousand rows of
/// variants takes seconds. A change costs by the trials in it, whatever the table holds. While held (a person acts) values are
/// new at once, but rows neither move, come nor go until the hold ends. GUI thread.
class TrialModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role {
        StatusRole = Qt::UserRole, ///< int of core::TrialStatus
        NumberRole,                ///< double; NaN: none
        HeatRole,                  ///< of the best value: 0 worst to 1 best of those shown; invalid: none
        BestRole,                  ///< bool: the best trial of the experiment
        IdRole,                    ///< QString: the trial's id
        OddRole,                   ///< bool: the value is NaN or infinite
    };

    explicit TrialModel(QObject* parent = nullptr);

    /// All trials of `experiment` (empty: of all experiments) anew. The mirror is only read during the call.
    void load(const api::Mirror& mirror, const core::ExperimentId& experiment);
    /// One change, to which `mirror` has come already.
    void apply(const api::Mirror& mirror, const api::Change& change);

    void setFilter(const TrialFilter& filter);
    [[nodiscard]] const TrialFilter& filter() const { return m_filter; }
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    [[nodiscard]] int sortColumn() const { return m_sortColumn; }
    [[nodiscard]] Qt::SortOrder sortOrder() const { return m_descending ? Qt::DescendingOrder : Qt::AscendingOrder; }

    /// Rows stay where they are for `milliseconds` from now.
    void hold(int milliseconds = 2000);
    /// What waited for the hold's end happens now.
    void settle();

    [[nodiscard]] const TrialTable& table() const { return m_table; }
    [[nodiscard]] const core::ExperimentId& experiment() const { return m_experiment; }
    [[nodiscard]] quint32 sourceRow(int row) const { return m_order[place(row)]; }
    [[nodiscard]] const core::TrialPtr& trialAt(int row) const { return m_table.trialPtr(sourceRow(row)); }
    /// The row that shows the trial, -1 when none does.
    [[nodiscard]] int rowOf(const core::TrialId& id) const;
    [[nodiscard]] core::TrialId bestTrial() const { return m_best; }
    /// What any table of trials shows of a row of table().
    [[nodiscard]] QVariant cell(int column, quint32 source, int role) const;
    /// Smallest and largest of a column over the rows that are shown; two NaN without any.
    [[nodiscard]] std::pair<double, double> rangeOf(int column) const;
    /// Durations of running trials are shown as of this; told once a second by whoever has a clock.
    void setNow(qint64 now);
    [[nodiscard]] qint64 now() const { return m_now; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    /// Numbers of all and shown trials, the best trial or the range of heat may have changed.
    void summaryChanged();

private:
    /// One row's place in the order: by key, then by source, so that places are definite.
    [[nodiscard]] bool before(quint32 a, quint32 b) const
    {
        return m_keys[a] != m_keys[b] ? m_keys[a] < m_keys[b] : a < b;
    }
    [[nodiscard]] size_t place(int row) const { return m_descending ? m_order.size() - 1 - size_t(row) : size_t(row); }
    [[nodiscard]] int rowAt(size_t place) const { return int(m_descending ? m_order.size() - 1 - place : place); }
    [[nodiscard]] double keyOf(quint32 source);
    void findKeys();
    [[nodiscard]] std::vector<char> fitting(const TrialFilter& filter) const;
    void rebuildOrder();
    void reset();
    void sortOrderVector();
    void insertSorted(std::vector<quint32>& sources);
    void placeOne(quint32 source);
    void take(quint32 source);
    void showColumns(int before);
    void widenHeat(quint32 source);
    void measureHeat();
    [[nodiscard]] QVariant heatOf(quint32 source) const;
    void readExperiment(const api::Mirror& mirror);

    core::ExperimentId m_experiment;
    TrialTable m_table;
    TrialFilter m_filter;
    int m_shownColumns = baseColumns; ///< what views know of; the table may be ahead within a call
    int m_sortColumn = int(TrialColumn::number);
    bool m_descending = true;
    qint64 m_now = 0;

    std::vector<quint32> m_order; ///< sources that are shown, ascending; rows count from its end when descending
    std::vector<double> m_keys;   ///< by source: the key that the row was placed with, not always the newest
    std::vector<bool> m_shown;    ///< by source: whether it stands in m_order
    QSet<quint32> m_stale;        ///< sources whose place may be wrong
    bool m_isHeld = false;
    QTimer m_holdEnd;

    WordRanks m_words; ///< of the sorted column

    core::TrialId m_best;
    double m_heatLow = 0;
    double m_heatHigh = 0;
};

} // namespace models
