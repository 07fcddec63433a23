// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection_bar.h"

#include "compare_dialog.h"

#include "models/engine_mirror.h"
#include "models/format.h"
#include "models/printable.h"
#include "models/selection.h"
#include "models/trials/selection_summary.h"
#include "models/trials/trial_model.h"
#include "ui/kit/actions.h"
#include "ui/kit/ask.h"
#include "ui/kit/flow_layout.h"
#include "ui/kit/theme.h"
#include "ui/kit/trial_actions.h"
#include "ui/kit/widgets.h"

using namespace Qt::StringLiterals;

namespace ui {

SelectionBar::SelectionBar(const PageContext& context, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_count(makeLabel({}, TextSize::title, QFont::DemiBold, this))
    , m_range(new ElidedLabel(TextSize::body, QFont::Normal, this))
    , m_clear(makeButton(tr("Clear"), {}, this))
    , m_summary(makeQuietLabel({}, TextSize::body, this))
{
    setAutoFillBackground(true);
    m_clear->setFlat(true);
    QPushButton* compare = makeButton(tr("Compare"), u"compare"_s, this);
    QPushButton* retry = makeButton(tr("Retry"), u"retry"_s, this);
    QPushButton* save = makeButton(tr("Export"), u"export"_s, this);
    QPushButton* keep = makeButton(tr("Save filter"), u"bookmark"_s, this);
    auto* layout = new FlowLayout(metrics::gap, this);
    layout->setContentsMargins(metrics::margin, 10, metrics::margin, 10);
    layout->addWidget(m_count);
    layout->addWidget(m_range);
    layout->addWidget(m_clear);
    layout->addWidget(m_summary);
    layout->addStretch();
    for (QPushButton* button : {compare, retry, save, keep})
        layout->addWidget(button);
    const auto trials = [this] { return m_context.selection.trials(); };
    connect(m_clear, &QPushButton::clicked, this, &SelectionBar::clearWanted);
    connect(compare, &QPushButton::clicked, this,
        [this, trials] { compareTrials(m_context, trials(), window(), m_experiment); });
    connect(retry, &QPushButton::clicked, this, [this, trials] { retryTrials(m_context, trials(), window()); });
    connect(save, &QPushButton::clicked, this, &SelectionBar::exportWanted);
    connect(keep, &QPushButton::clicked, this, &SelectionBar::saveFilter);
    connect(&context.theme, &Theme::changed, this, &SelectionBar::showColor);
}

void SelectionBar::showSelection(
    const models::TrialModel& model, const QSet<core::TrialId>& chosen, const BrushWords& brushed)
{
    const qsizetype total = model.table().size();
    m_experiment = model.experiment();
    m_hasChosen = !chosen.isEmpty();
    m_filter = brushed.filter;
    // Brushes that match no trial are shown as a selection of zero trials.
    const bool hasRange = m_hasChosen || !m_filter.isEmpty();
    m_count->setText(hasRange ? tr("%1 of %2 selected").arg(models::countText(chosen.size()), models::countText(total))
                              : tr("%n trial(s)", nullptr, int(total)));
    m_range->setText(!m_filter.isEmpty() ? models::printable(brushed.sentence)
            : m_hasChosen                ? QString()
                                         : tr("Drag on an axis below to select trials."));
    m_clear->setVisible(hasRange);
    const models::SelectionSummary summary =
        models::summaryOf(m_context.mirror.state(), chosen, model.table().objective().maximize);
    m_summary->setText(summary.values > 0
            ? tr("Mean %1, best %2").arg(models::metricText(summary.mean), models::metricText(summary.best))
            : QString());
    showColor();
}

void SelectionBar::showColor()
{
    const Roles& roles = m_context.theme.roles();
    QPalette band = palette();
    band.setColor(QPalette::Window, m_hasChosen ? roles.select : roles.window);
    setPalette(band);
}

void SelectionBar::saveFilter()
{
    if (m_filter.isEmpty()) {
        m_context.actions.note(tr("Drag on an axis first; the ranges can then be saved as a filter."));
        return;
    }
    askForText(this, tr("Save filter"), tr("Name of the filter %1").arg(m_filter), m_filter,
        [this, filter = m_filter](const QString& name) {
            if (!name.trimmed().isEmpty())
                m_context.actions.saveFilter(name.trimmed(), filter);
        });
}

} // namespace ui
