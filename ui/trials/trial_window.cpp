// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_window.h"

#include "trial_detail_panel.h"

#include "models/engine_mirror.h"
#include "models/printable.h"
#include "ui/kit/widgets.h"

#include <QKeyEvent>
#include <QVBoxLayout>

namespace ui {

TrialWindow::TrialWindow(const PageContext& context, const core::TrialId& trial, QWidget* parent)
    : QWidget(parent, Qt::Window)
{
    setAttribute(Qt::WA_DeleteOnClose);
    m_selection.set({trial}, this);
    m_selection.setCurrent(trial, this);
    m_panel =
        std::make_unique<TrialDetailPanel>(PageContext{context.mirror, m_selection, context.theme, context.actions});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_panel.get());
    connect(m_panel.get(), &TrialDetailPanel::closeWanted, this, &QWidget::close);
    const core::TrialPtr record = context.mirror.state().trial(trial);
    const core::ExperimentPtr experiment =
        record ? context.mirror.state().experiments().find(record->experimentId) : core::ExperimentPtr();
    if (record)
        setWindowTitle(experiment
                ? tr("Trial %1 – %2").arg(record->sequenceId).arg(models::printable(experiment->spec.name, 80))
                : tr("Trial %1").arg(record->sequenceId));
    resize(roomOnScreen(this, QSize(560, 760) * context.theme.scaled(100) / 100));
}

TrialWindow::~TrialWindow() = default;

void TrialWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace ui
