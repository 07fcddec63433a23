// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_filter_bar.h"

#include "models/printable.h"
#include "ui/kit/actions.h"
#include "ui/kit/ask.h"
#include "ui/kit/style.h"
#include "ui/kit/widgets.h"

#include "services/core/message/localized.h"

#include <QBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

TrialFilterBar::TrialFilterBar(const PageContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_field(new FilterField(tr("Filter, for example lr>0.01 state:failed"), this))
    , m_problem(new ProblemLabel(TextSize::header, this))
    , m_note(makeLabel({}, TextSize::header, QFont::Normal, this))
{
    m_field->setAccessibleName(tr("Filter of the trials"));
    setFocusProxy(m_field);
    QPushButton* keep = makeButton(tr("Save filter"), u"bookmark"_s, this);
    QPushButton* columns = makeButton(tr("Columns"), u"columns"_s, this);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(metrics::margin, metrics::gap, metrics::margin, metrics::gap);
    row->setSpacing(metrics::gap);
    row->addWidget(m_field, 1);
    m_field->setMinimumWidth(themeOf(*this).scaled(64));
    for (QPushButton* button : {keep, columns}) {
        button->setFlat(true);
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); // the field gives way
        row->addWidget(button);
    }
    setTextRole(m_note, &Roles::unknown);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    for (QLabel* label : std::initializer_list<QLabel*>{m_problem, m_note}) {
        label->setContentsMargins(metrics::margin, 0, metrics::margin, metrics::gap);
        label->hide();
        layout->addWidget(label);
    }
    connect(m_field, &FilterField::filterChanged, this, &TrialFilterBar::edited);
    connect(keep, &QPushButton::clicked, this, &TrialFilterBar::save);
    connect(columns, &QPushButton::clicked, this, &TrialFilterBar::columnsWanted);
}

void TrialFilterBar::setList(QWidget* list)
{
    m_field->setList(list);
}

void TrialFilterBar::setText(const QString& text)
{
    m_field->setText(text);
}

QString TrialFilterBar::text() const
{
    return m_field->text();
}

void TrialFilterBar::focusField()
{
    m_field->setFocus();
    m_field->selectAll();
}

std::optional<models::TrialFilter> TrialFilterBar::filterFor(const models::TrialTable& table)
{
    auto parsed = models::TrialFilter::parse(m_field->text());
    setInvalid(m_field, !parsed);
    m_problem->tell(parsed ? QString() : u"✕ "_s + core::localized(parsed.error().message));
    m_note->hide();
    if (!parsed)
        return std::nullopt;
    parsed->bind(table);
    const QStringList unknown = parsed->unknownNames();
    m_note->setVisible(!unknown.isEmpty() && table.size() > 0);
    m_note->setText(models::printable(tr("No trial has a parameter %1.").arg(unknown.join(u", "_s))));
    return *parsed;
}

void TrialFilterBar::save()
{
    const QString text = m_field->text().trimmed();
    if (text.isEmpty() || !models::TrialFilter::parse(text)) {
        m_context.actions.note(tr("Type a filter first; then it can be saved under a name."));
        return;
    }
    askForText(this, tr("Save filter"), tr("Name of the filter %1").arg(text), text, [this, text](const QString& name) {
        if (!name.trimmed().isEmpty())
            m_context.actions.saveFilter(name.trimmed(), text);
    });
}

} // namespace ui
