// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_parameters_tab.h"

#include "models/machine_cells.h"
#include "models/trials/trial_text.h"
#include "models/format.h"
#include "models/printable.h"
#include "models/trials/parameters_text.h"
#include "ui/kit/theme.h"

#include <QDateTime>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace ui {

constexpr int longestValue = 2000;

TrialParametersTab::TrialParametersTab(QWidget* parent)
    : FactList({tr("Parameter"), tr("Value")}, tr("Parameters"), parent)
{
    connect(&themeOf(*this), &Theme::changed, this, [this] { setTrial(m_trial, m_experiment); });
}

void TrialParametersTab::setTrial(const core::TrialPtr& trial, const core::ExperimentPtr& experiment)
{
    m_trial = trial;
    m_experiment = experiment;
    m_isStale = true;
    if (isVisible())
        fill();
}

void TrialParametersTab::showEvent(QShowEvent* event)
{
    FactList::showEvent(event);
    if (m_isStale)
        fill();
}

QList<TrialParametersTab::Row> TrialParametersTab::rowsNow() const
{
    QList<Row> rows;
    if (!m_trial)
        return rows;
    for (const auto& [name, value] : models::parameterList(m_trial->parameters))
        rows.append({models::printable(name, 200), models::printable(value, longestValue), false});
    const auto fact = [&rows](const QString& name, const QString& value) {
        if (!value.isEmpty())
            rows.append({name, models::printable(value, longestValue), true});
    };
    const auto time = [](std::optional<qint64> when) {
        return when ? QLocale().toString(QDateTime::fromMSecsSinceEpoch(*when), QLocale::ShortFormat) : QString();
    };
    fact(tr("Id"), m_trial->id.value);
    fact(tr("Client id"), m_trial->clientId);
    fact(tr("Platform"), models::platformNameWithId(m_trial->platformId));
    fact(tr("Machine"), models::machineWord(*m_trial));
    fact(tr("Process"), m_trial->pid > 0 ? QString::number(m_trial->pid) : QString());
    fact(tr("Submitted"), time(m_trial->submitTime));
    fact(tr("Started"), time(m_trial->startTime));
    fact(tr("Ended"), time(m_trial->endTime));
    fact(tr("Exit code"), m_trial->exitCode ? QString::number(*m_trial->exitCode) : QString());
    fact(tr("Peak memory"),
        m_trial->usage.peakMemoryBytes ? models::bytesText(m_trial->usage.peakMemoryBytes) : QString());
    fact(tr("Retry of"), m_trial->retryOf.value);
    fact(tr("Tags"), m_trial->tags.join(u", "_s));
    fact(tr("Note"), m_trial->note);
    fact(tr("Folder"), m_trial->workingDirectory);
    fact(tr("Page"), m_trial->url);
    if (m_experiment)
        fact(tr("Command"), m_experiment->spec.trialCommand);
    return rows;
}

void TrialParametersTab::showRow(const Row& row, QTreeWidgetItem& item) const
{
    item.setText(0, row.name);
    item.setText(1, row.value);
    item.setToolTip(1, row.value);
    if (row.isFact)
        item.setForeground(0, themeOf(*this).roles().text2);
}

void TrialParametersTab::fill()
{
    m_isStale = false;
    const QList<Row> rows = rowsNow();
    bool isSame = rows.size() == topLevelItemCount();
    for (int i = 0; isSame && i < rows.size(); ++i)
        isSame = topLevelItem(i)->text(0) == rows[i].name;
    if (isSame) { // update in place to keep selection and scroll position
        for (int i = 0; i < rows.size(); ++i)
            showRow(rows[i], *topLevelItem(i));
        return;
    }
    clear();
    QList<QTreeWidgetItem*> items;
    for (const Row& row : rows) {
        items.append(new QTreeWidgetItem);
        showRow(row, *items.last());
    }
    addTopLevelItems(items);
    resizeColumnToContents(0);
    setColumnWidth(0, std::clamp(columnWidth(0), 100, 180));
}

} // namespace ui
