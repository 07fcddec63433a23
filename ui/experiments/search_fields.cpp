// SPDX-License-Identifier: GPL-3.0-or-later
#include "search_fields.h"

#include "search_editor.h"

#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QComboBox>

using namespace Qt::StringLiterals;

namespace ui {

using models::DraftField;

SearchFields::SearchFields(QWidget* parent)
    : DraftFields(parent)
    , m_title(makeLabel(tr("Search"), TextSize::title, QFont::DemiBold, this))
    , m_count(makeQuietLabel({}, TextSize::header, this))
    , m_explorer(new QComboBox(this))
    , m_rows(new SearchEditor(this))
{
    m_explorer->setAccessibleName(tr("Explored by"));
    m_explorer->addItems({tr("Random"), tr("Grid")});
    auto* head = new QHBoxLayout;
    head->setSpacing(metrics::gap);
    head->addWidget(m_title);
    head->addWidget(m_count);
    head->addStretch();
    head->addWidget(makeQuietLabel(tr("Explored by"), TextSize::body, this));
    head->addWidget(m_explorer);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::gap);
    layout->addLayout(head);
    layout->addWidget(m_rows);
    connect(m_explorer, &QComboBox::activated, this, &SearchFields::edited);
    connect(m_rows, &SearchEditor::edited, this, &SearchFields::edited);
}

void SearchFields::showDraft(const models::ExperimentDraft& draft)
{
    m_rows->setRows(draft.search);
    m_explorer->setCurrentIndex(draft.isGrid ? 1 : 0);
}

void SearchFields::readInto(models::ExperimentDraft& draft) const
{
    draft.search = m_rows->rows();
    draft.isGrid = m_explorer->currentIndex() == 1;
}

QList<QWidget*> SearchFields::controls() const
{
    return {m_explorer, m_rows->lastControl()};
}

void SearchFields::setCommand(const QString& command)
{
    m_command = command;
}

void SearchFields::showProblems(const QList<models::DraftProblem>& problems)
{
    models::ExperimentDraft draft;
    draft.command = m_command;
    readInto(draft);
    m_count->setText(tr("%n parameter(s)", nullptr, int(draft.search.size())));
    m_rows->setProblems(problems, models::unusedRows(draft));
}

bool SearchFields::focusProblem(const models::DraftProblem& problem)
{
    if (problem.field != DraftField::search)
        return false;
    m_rows->focusRow(problem.row);
    return true;
}

} // namespace ui
