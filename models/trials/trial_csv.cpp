// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_csv.h"

#include "trial_model.h"

#include "models/csv.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace Qt::StringLiterals;

namespace models {

static QByteArray headOf(const TrialModel& model, const QList<int>& columns, char separator)
{
    QStringList line;
    for (const int column : columns)
        line.append(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    return csvLine(line, separator);
}

static QByteArray lineOf(const TrialModel& model, const QList<int>& columns, int row, char separator)
{
    QStringList line;
    const quint32 source = model.sourceRow(row);
    for (const int column : columns) {
        const double number = model.table().number(column, source, model.now());
        const bool isWord = column == int(TrialColumn::state) || std::isnan(number);
        line.append(isWord ? model.cell(column, source, Qt::DisplayRole).toString() : csvNumber(number));
    }
    return csvLine(line, separator);
}

QByteArray trialCsv(const TrialModel& model, const QList<int>& columns)
{
    QByteArray out = headOf(model, columns, ',');
    for (int row = 0; row < model.rowCount(); ++row)
        out += lineOf(model, columns, row, ',');
    return out;
}

QByteArray trialTsv(const TrialModel& model, const QList<int>& columns, const QSet<core::TrialId>& trials)
{
    QByteArray out = headOf(model, columns, '\t');
    std::vector<int> rows;
    for (const core::TrialId& trial : trials)
        if (const int row = model.rowOf(trial); row >= 0)
            rows.push_back(row);
    std::sort(rows.begin(), rows.end());
    for (const int row : rows)
        out += lineOf(model, columns, row, '\t');
    return out;
}

} // namespace models
