// SPDX-License-Identifier: GPL-3.0-or-later
#include "draft_fields.h"

#include "ui/kit/style.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QFormLayout>

namespace ui {

void DraftFields::showProblems(const QList<models::DraftProblem>& problems)
{
    for (auto place = m_places.cbegin(); place != m_places.cend(); ++place) {
        const auto found = std::find_if(problems.begin(), problems.end(),
            [&place](const models::DraftProblem& problem) { return problem.field == place.key(); });
        tellProblem(place.key(), found == problems.end() ? QString() : found->message);
    }
}

bool DraftFields::focusProblem(const models::DraftProblem& problem)
{
    const auto place = m_places.constFind(problem.field);
    if (place == m_places.cend())
        return false;
    place->marked->setFocus();
    return true;
}

QWidget* DraftFields::withProblem(models::DraftField which, QWidget* field, QWidget* marked)
{
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(field);
    const Place place{marked ? marked : field, new ProblemLabel(TextSize::header, box)};
    layout->addWidget(place.problem);
    m_places.insert(which, place);
    return box;
}

void DraftFields::tellProblem(models::DraftField which, const QString& problem)
{
    const Place place = m_places.value(which);
    place.problem->tell(problem);
    setInvalid(place.marked, !problem.isEmpty());
}

QFormLayout* DraftFields::makeForm()
{
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(metrics::gap);
    form->setVerticalSpacing(metrics::gap);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return form;
}

QLabel* DraftFields::formLabel(const QString& text)
{
    QLabel* label = makeQuietLabel(text);
    label->setMinimumWidth(labelColumn - metrics::gap);
    return label;
}

} // namespace ui
