// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_card.h"

#include "models/engine_mirror.h"
#include "ui/kit/markup_label.h"

#include <QBoxLayout>

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

QString ChartCard::legend(const char* role, const QString& mark, const QString& words)
{
    return coloured(role, mark) + u' ' + words;
}

} // namespace ui
