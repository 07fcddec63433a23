// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trial_model.h"

namespace models {

/// A table with only the best trial's row and the columns of a TrialModel; shown pinned above that model's rows. Empty while
/// there is no best trial.
class BestRowModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    /// `trials` is not owned and must outlive this.
    explicit BestRowModel(TrialModel& trials, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void follow();

    TrialModel& m_trials;
    std::optional<quint32> m_row; ///< row in TrialModel::table()
    int m_columns = 0;
};

} // namespace models
