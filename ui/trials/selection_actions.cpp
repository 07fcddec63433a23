// SPDX-License-Identifier: GPL-3.0-or-later
#include "selection_actions.h"

#include "note_edit.h"
#include "trial_menu.h"

#include "models/engine_mirror.h"
#include "ui/kit/actions.h"
#include "ui/kit/flow_layout.h"
#include "ui/kit/trial_actions.h"
#include "ui/kit/widgets.h"

using namespace Qt::StringLiterals;

namespace ui {

SelectionActions::SelectionActions(const PageContext& context, QWidget* page)
    : QWidget(page)
    , m_context(context)
    , m_compare(makeButton(tr("Compare"), u"compare"_s, this))
    , m_cancel(makeButton(tr("Cancel"), u"stop"_s, this))
    , m_retry(makeButton(tr("Retry"), u"retry"_s, this))
    , m_tags(makeButton(tr("Tags"), u"tag"_s, this))
    , m_note(makeButton(tr("Note"), u"note"_s, this))
{
    auto* layout = new FlowLayout(metrics::gap, this);
    layout->setContentsMargins(metrics::margin, metrics::tight, metrics::margin, metrics::tight);
    for (QPushButton* button : {m_compare, m_cancel, m_retry, m_tags, m_note})
        layout->addWidget(button);
    connect(m_compare, &QPushButton::clicked, this, [this] { m_context.actions.compareTrials(m_trials); });
    connect(m_cancel, &QPushButton::clicked, this, [this, page] { cancelTrials(m_context, m_trials, page); });
    connect(m_retry, &QPushButton::clicked, this, [this, page] { retryTrials(m_context, m_trials, page); });
    connect(m_tags, &QPushButton::clicked, this, [this, page] { editTags(m_context, m_trials, page); });
    connect(m_note, &QPushButton::clicked, this, [this, page] { editNote(m_context, m_trials, page); });
    hide();
}

void SelectionActions::setTrials(const QSet<core::TrialId>& trials)
{
    m_trials = trials;
    setVisible(trials.size() > 1);
    if (trials.size() < 2)
        return;
    bool hasEnded = false;
    bool hasOpen = false;
    for (const core::TrialId& id : trials) {
        const core::TrialPtr trial = m_context.mirror.state().trial(id);
        if (!trial)
            continue;
        (core::isFinal(trial->status) ? hasEnded : hasOpen) = true;
        if (hasEnded && hasOpen)
            break;
    }
    m_cancel->setEnabled(hasOpen);
    m_retry->setEnabled(hasEnded);
}

} // namespace ui
