// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trial_model.h"

namespace models {

/// The row of the best trial alone, with the columns of a TrialModel: what stands pinned above its rows. Empty while there is no
/// best trial.
class BestRowModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit BestRowModel(TrialModel& trials, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void follow();

    TrialModel& m_trials;
    std::optional<quint32> m_row; ///< of the trials' table
    int m_columns = 0;
};

} // namespace models
