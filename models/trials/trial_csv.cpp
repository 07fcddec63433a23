// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_csv.h"

#include "trial_model.h"

#include "models/csv.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace models {

QByteArray trialCsv(const TrialModel& model, const QList<int>& columns)
{
    QByteArray out;
    QStringList line;
    for (const int column : columns)
        line.append(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    out += csvLine(line);
    for (int row = 0; row < model.rowCount(); ++row) {
        line.clear();
        const quint32 source = model.sourceRow(row);
        for (const int column : columns) {
            const double number = model.table().number(column, source, model.now());
            const bool isWord = column == int(TrialColumn::state) || std::isnan(number);
            line.append(
                isWord ? model.cell(column, source, Qt::DisplayRole).toString() : QString::number(number, 'g', 17));
        }
        out += csvLine(line);
    }
    return out;
}

} // namespace models
