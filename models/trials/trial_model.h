// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trial_filter.h"
#include "trial_table.h"
#include "word_ranks.h"

#include "models/quantile_scale.h"
#include "services/api/mirror.h"

#include <QAbstractTableModel>
#include <QSet>
#include <QTimer>

namespace models {

/// Trials of one experiment, or of all, filtered and sorted. Both are implemented here, because a proxy model over 100,000 rows
/// of variants takes seconds. The cost of a change depends on the number of trials in it, not on the size of the table. What a filter asks
/// at each key press is kept ready: the order of all rows, shown or not, and (from `indexedRows` rows on, in slices between events) their text. While
/// held (during user interaction) values are updated at once, but rows are not moved, inserted or removed until the hold ends.
/// GUI thread.
class TrialModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role {
        StatusRole = Qt::UserRole, ///< int of core::TrialStatus
        NumberRole,                ///< double; NaN: none
        HeatRole,                  ///< of the best value: 0 worst to 1 best of the rows shown; invalid: none
        BestRole,                  ///< bool: the best trial of the experiment
        IdRole,                    ///< QString: the trial's id
        OddRole,                   ///< bool: the value is NaN or infinite
    };

    explicit TrialModel(QObject* parent = nullptr);

    /// Resets the model to all trials of `experiment` (empty: of all experiments). The mirror is not kept.
    void load(const api::Mirror& mirror, const core::ExperimentId& experiment);
    /// Applies one change, which `mirror` must already include.
    void apply(const api::Mirror& mirror, const api::Change& change);

    /// Fewer rows are searched as they are.
    static constexpr quint32 indexedRows = 8192;

    void setFilter(const TrialFilter& filter);
    /// Whether the text of all rows is indexed, or need not be.
    [[nodiscard]] bool isIndexed() const;
    [[nodiscard]] const TrialTextIndex& textIndex() const { return m_index; }
    [[nodiscard]] const TrialFilter& filter() const { return m_filter; }
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    [[nodiscard]] int sortColumn() const { return m_sortColumn; }
    [[nodiscard]] Qt::SortOrder sortOrder() const { return m_descending ? Qt::DescendingOrder : Qt::AscendingOrder; }

    /// Defers moving, inserting and removing rows for `milliseconds` from now.
    void hold(int milliseconds = 2000);
    /// Applies the deferred changes now.
    void settle();

    [[nodiscard]] const TrialTable& table() const { return m_table; }
    [[nodiscard]] const core::ExperimentId& experiment() const { return m_experiment; }
    [[nodiscard]] quint32 sourceRow(int row) const { return m_order[place(row)]; }
    [[nodiscard]] const core::TrialPtr& trialAt(int row) const { return m_table.trialPtr(sourceRow(row)); }
    /// The trial's row, -1 if it is not shown.
    [[nodiscard]] int rowOf(const core::TrialId& id) const;
    [[nodiscard]] core::TrialId bestTrial() const { return m_best; }
    /// The scale of the best values by which rows are tinted.
    [[nodiscard]] const QuantileScale& heat() const { return m_heat; }
    /// The data of a cell for a row of table(), whether it is shown or not.
    [[nodiscard]] QVariant cell(int column, quint32 source, int role) const;
    /// Minimum and maximum of a column over the rows shown; NaN for both if there are none.
    [[nodiscard]] std::pair<double, double> rangeOf(int column) const;
    /// Sets the time (milliseconds since the epoch) up to which running durations are shown; called once a second.
    void setNow(qint64 now);
    [[nodiscard]] qint64 now() const { return m_now; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    /// The number of trials or of rows, the best trial or the heat range may have changed.
    void summaryChanged();

private:
    /// Strict order of rows: by key, then by source, so that no two are equal.
    [[nodiscard]] bool before(quint32 a, quint32 b) const
    {
        return m_keys[a] != m_keys[b] ? m_keys[a] < m_keys[b] : a < b;
    }
    [[nodiscard]] size_t place(int row) const { return m_descending ? m_order.size() - 1 - size_t(row) : size_t(row); }
    [[nodiscard]] int rowAt(size_t place) const { return int(m_descending ? m_order.size() - 1 - place : place); }
    [[nodiscard]] double keyOf(quint32 source);
    void findKeys();
    void noteChanged(quint32 source);
    void orderAll();
    void mergeChanged();
    void showThose(const std::vector<char>& fits);
    void indexMore();
    [[nodiscard]] std::vector<char> fitting(const TrialFilter& filter) const;
    void rebuildOrder();
    void reset();
    void sortAll();
    void insertSorted(std::vector<quint32>& sources);
    void placeOne(quint32 source);
    void take(quint32 source);
    void showColumns(int before);
    void noteHeat(quint32 source);
    void measureHeat();
    [[nodiscard]] QVariant heatOf(quint32 source) const;
    void readExperiment(const api::Mirror& mirror);
    bool nameExperiments(const QList<core::ExperimentPtr>& experiments);

    core::ExperimentId m_experiment;
    TrialTable m_table;
    TrialFilter m_filter;
    int m_shownColumns = baseColumns; ///< announced to views; the table may have more during a call
    int m_sortColumn = int(TrialColumn::number);
    bool m_descending = true;
    qint64 m_now = 0;

    std::vector<quint32> m_order;   ///< shown sources in ascending order; if m_descending, row 0 is the last entry
    std::vector<double> m_keys;     ///< by source: the key by which the row was placed, possibly outdated
    std::vector<quint32> m_all;     ///< all sources in ascending order, as far as m_isAllOrdered and m_changed say
    bool m_isAllOrdered = false;    ///< those of m_all that are not in m_changed stand by their keys
    std::vector<quint32> m_changed; ///< sources that came or changed since orderAll()
    std::vector<char> m_isChanged;  ///< by source
    std::vector<bool> m_shown;      ///< by source: whether it is in m_order
    QSet<quint32> m_stale;          ///< sources that may have to be moved, inserted or removed
    bool m_isHeld = false;
    QTimer m_holdEnd;

    WordRanks m_words; ///< of the sorted column
    TrialTextIndex m_index;
    QTimer m_indexing; ///< runs until isIndexed()

    core::TrialId m_best;
    QuantileScale m_heat;  ///< of the rows shown
    size_t m_heatNews = 0; ///< values since it was measured
};

} // namespace models
