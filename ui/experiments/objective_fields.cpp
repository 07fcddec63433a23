// SPDX-License-Identifier: GPL-3.0-or-later
#include "objective_fields.h"

#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QComboBox>

using namespace Qt::StringLiterals;

namespace ui {

using models::DraftField;

ObjectiveFields::ObjectiveFields(QWidget* parent)
    : DraftFields(parent)
    , m_direction(new QComboBox(this))
    , m_metric(new QLineEdit(this))
    , m_pattern(new QLineEdit(this))
{
    m_direction->setAccessibleName(tr("Direction"));
    m_direction->addItems({tr("Maximize"), tr("Minimize")});
    m_metric->setAccessibleName(tr("Metric"));
    m_metric->setPlaceholderText(u"accuracy"_s);
    m_pattern->setAccessibleName(tr("Pattern of the lines that tell it"));
    m_pattern->setPlaceholderText(tr("only if the script prints it"));
    m_pattern->setToolTip(tr("A regular expression with a group that is called value, for example %1")
                              .arg(u"val_acc=(?<value>[0-9.]+)"_s));
    m_pattern->setFont(themeOf(*this).font(TextSize::mono));
    QLabel* from = makeQuietLabel(tr("read from output"), TextSize::body, this);
    from->setFixedHeight(metrics::control);
    auto* row = new QHBoxLayout;
    row->setSpacing(metrics::gap);
    row->addWidget(m_direction, 0, Qt::AlignTop);
    row->addWidget(withProblem(DraftField::metric, m_metric), 1, Qt::AlignTop);
    row->addWidget(from, 0, Qt::AlignTop);
    row->addWidget(withProblem(DraftField::pattern, m_pattern), 2, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::gap);
    layout->addWidget(makeLabel(tr("Objective"), TextSize::title, QFont::DemiBold, this));
    layout->addLayout(row);
    connect(m_direction, &QComboBox::activated, this, &ObjectiveFields::edited);
    for (QLineEdit* field : {m_metric, m_pattern})
        connect(field, &QLineEdit::textEdited, this, &ObjectiveFields::edited);
}

void ObjectiveFields::showDraft(const models::ExperimentDraft& draft)
{
    m_direction->setCurrentIndex(draft.maximize ? 0 : 1);
    m_metric->setText(draft.metric);
    m_pattern->setText(draft.pattern);
}

void ObjectiveFields::readInto(models::ExperimentDraft& draft) const
{
    draft.maximize = m_direction->currentIndex() == 0;
    draft.metric = m_metric->text();
    draft.pattern = m_pattern->text();
}

QList<QWidget*> ObjectiveFields::controls() const
{
    return {m_direction, m_metric, m_pattern};
}

} // namespace ui
