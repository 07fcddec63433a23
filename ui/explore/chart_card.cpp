// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_card.h"

#include "models/engine_mirror.h"
#include "models/printable.h"
#include "ui/kit/markup_label.h"

#include <QBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

ChartCard::ChartCard(const PageContext& context, QWidget* parent)
    : Card(parent)
    , m_context(context)
    , m_bar(new QWidget(this))
    , m_line(new QHBoxLayout(m_bar))
{
    m_bar->setMinimumHeight(metrics::control);
    m_line->setContentsMargins(0, 0, 0, 0);
    m_line->setSpacing(metrics::gap);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, metrics::gap, 12, metrics::gap);
    layout->setSpacing(metrics::tight);
    layout->addWidget(m_bar);
}

void ChartCard::setChart(QWidget* chart)
{
    static_cast<QVBoxLayout*>(layout())->addWidget(chart, 1);
}

QString ChartCard::nameOf(const core::TrialId& trial) const
{
    const core::TrialPtr record = m_context.mirror.state().trial(trial);
    return record ? tr("Trial %1").arg(record->sequenceId) : trial.value;
}

QString ChartCard::numberOf(const core::TrialId& trial) const
{
    const core::TrialPtr record = m_context.mirror.state().trial(trial);
    return record ? QString::number(record->sequenceId) : trial.value;
}

charts::PictureText ChartCard::pictureText(
    const core::ExperimentId& experiment, const QString& title, const ChartSelection& selection) const
{
    charts::PictureText text;
    const core::ExperimentPtr record = m_context.mirror.state().experiments().find(experiment);
    text.title = record ? tr("%1: %2").arg(models::printable(record->spec.name, 60), title) : title;
    QList<core::TrialId> trials = selection.colors.keys();
    std::sort(trials.begin(), trials.end());
    for (const core::TrialId& trial : std::as_const(trials)) {
        if (trial != selection.best && !selection.hidden.contains(trial))
            text.legend.push_back({selection.colors.value(trial), nameOf(trial)});
    }
    const Roles& roles = m_context.theme.roles();
    if (!selection.current.isEmpty() && selection.current != selection.best
        && !selection.colors.contains(selection.current) && m_context.mirror.state().trial(selection.current))
        text.legend.push_back({roles.accent, nameOf(selection.current)});
    if (!selection.best.isEmpty())
        text.legend.push_back(
            {selection.colors.value(selection.best, roles.ink), tr("%1, the best").arg(nameOf(selection.best))});
    return text;
}

QString ChartCard::legend(const char* role, const QString& mark, const QString& words)
{
    return coloured(role, mark) + u' ' + words;
}

} // namespace ui
