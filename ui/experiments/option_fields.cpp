// SPDX-License-Identifier: GPL-3.0-or-later
#include "option_fields.h"

#include "table_editor.h"

#include "ui/kit/icons.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

using core::Json;

OptionFields::OptionFields(QWidget* parent)
    : QWidget(parent)
    , m_title(makeLabel({}, TextSize::title, QFont::DemiBold, this))
    , m_form(new KindForm(this))
    , m_more(new QToolButton(this))
    , m_rareForm(new KindForm(this))
    , m_tableBox(new QWidget(this))
{
    for (KindForm* form : {m_form, m_rareForm})
        form->setAbsent(tr("as the platform has it"));
    auto* tables = new QVBoxLayout(m_tableBox);
    tables->setContentsMargins(0, metrics::tight, 0, 0);
    tables->setSpacing(metrics::gap);
    m_tableBox->hide();
    m_more->setText(tr("More options"));
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setAutoRaise(true);
    m_more->setCheckable(true);
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->setAccessibleName(m_more->text());
    m_rareForm->setAccessibleName(m_more->text());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(metrics::gap);
    layout->addWidget(m_title);
    layout->addWidget(m_form);
    layout->addWidget(m_more, 0, Qt::AlignLeft);
    layout->addWidget(m_rareForm);
    connect(m_more, &QToolButton::toggled, this, &OptionFields::showMore);
    for (KindForm* form : {m_form, m_rareForm})
        connect(form, &KindForm::edited, this, [this] {
            clearErrors();
            showBeside();
            emit edited();
        });
    showMore(false);
    hide();
}

void OptionFields::setChoices(KindForm::Choices choices)
{
    m_form->setChoices(choices);
    m_rareForm->setChoices(std::move(choices));
}

void OptionFields::setColumns(int titles, int distance)
{
    m_form->setColumns(titles, distance);
    m_rareForm->setColumns(titles, distance);
}

void OptionFields::showMore(bool isShown)
{
    m_more->setIcon(icons::icon(themeOf(*this), isShown ? u"chevron-down"_s : u"chevron-right"_s));
    m_rareForm->setVisible(isShown);
}

void OptionFields::setKind(const QString& kind, const QString& title, const Json& fields)
{
    Json usual = Json::array();
    Json rare = Json::array();
    Json tables = Json::array();
    if (fields.is_array())
        for (const Json& field : fields)
            (models::isTable(field) ? tables : KindForm::isRare(field) ? rare : usual).push_back(field);
    if (kind == m_kind && usual == m_usual && rare == m_rare && tables == m_tableFields)
        return;
    m_entered[m_kind] = options();
    m_kind = kind;
    m_usual = std::move(usual);
    m_rare = std::move(rare);
    m_tableFields = std::move(tables);
    m_title->setText(tr("Options of %1").arg(title));
    fill();
}

void OptionFields::setOptions(const QString& kind, const Json& options)
{
    const Json given = options.is_object() ? options : Json::object();
    if (kind == m_kind && given == this->options())
        return; // the focus stays where it is
    m_entered[kind] = given;
    if (kind == m_kind)
        fill();
}

void OptionFields::fill()
{
    const Json given = m_entered.value(m_kind, Json::object());
    m_form->setFields(m_usual, given);
    m_rareForm->setFields(m_rare, given);
    m_more->setVisible(!m_rare.empty());
    m_more->setChecked(std::any_of(m_rare.begin(), m_rare.end(),
        [&given](const Json& field) { return given.contains(field.value("name", std::string())); }));
    showMore(m_more->isChecked() && !m_rare.empty());
    setVisible(!m_usual.empty() || !m_rare.empty());
    fillTables(given);
    emit rebuilt();
}

void OptionFields::fillTables(const Json& given)
{
    qDeleteAll(m_tables);
    m_tables.clear();
    for (const Json& field : m_tableFields) {
        auto* table = new TableEditor(field, given.value(field.value("name", std::string()), Json()), m_tableBox);
        m_tableBox->layout()->addWidget(table);
        m_tables.append(table);
        connect(table, &TableEditor::edited, this, [this] {
            m_form->clearErrors();
            m_rareForm->clearErrors();
            emit edited();
        });
        connect(table, &TableEditor::rebuilt, this, &OptionFields::rebuilt);
    }
    m_tableBox->setVisible(!m_tables.isEmpty());
    showBeside();
}

void OptionFields::setInherited(const Json& settings)
{
    m_inherited = settings.is_object() ? settings : Json::object();
    showBeside();
}

void OptionFields::showBeside()
{
    if (m_tables.isEmpty())
        return;
    Json beside = Json::object();
    for (const Json& fields : {m_usual, m_rare})
        for (const Json& field : fields)
            if (const Json preset = field.value("default", Json()); !preset.is_null())
                beside[field.value("name", std::string())] = preset;
    beside.update(m_inherited);
    beside.update(m_form->settings());
    beside.update(m_rareForm->settings());
    for (TableEditor* table : std::as_const(m_tables))
        table->setBeside(beside);
}

Json OptionFields::options() const
{
    if (m_usual.empty() && m_rare.empty() && m_tableFields.empty())
        return m_entered.value(m_kind, Json::object());
    Json all = m_form->settings();
    all.update(m_rareForm->settings());
    for (const TableEditor* table : m_tables)
        if (Json value = table->value(); !value.is_null())
            all[table->name().toStdString()] = std::move(value);
    return all;
}

bool OptionFields::showError(const QString& message)
{
    // Before the other fields, whose names a sentence about a table may hold.
    for (TableEditor* table : std::as_const(m_tables))
        if (table->showError(message))
            return true;
    if (m_form->showError(message))
        return true;
    const bool wasShown = m_more->isChecked();
    m_more->setChecked(true); // a hidden field takes no focus
    if (m_rareForm->showError(message))
        return true;
    m_more->setChecked(wasShown);
    return false;
}

void OptionFields::clearErrors()
{
    m_form->clearErrors();
    m_rareForm->clearErrors();
    for (TableEditor* table : std::as_const(m_tables))
        table->clearErrors();
}

bool OptionFields::showMissing()
{
    for (TableEditor* table : std::as_const(m_tables))
        if (table->focusProblem())
            return true;
    return m_form->showMissing();
}

qsizetype OptionFields::tableProblems() const
{
    qsizetype all = 0;
    for (const TableEditor* table : m_tables)
        all += table->problems().size();
    return all;
}

bool OptionFields::haveCommands() const
{
    return std::any_of(
        m_tables.begin(), m_tables.end(), [](const TableEditor* table) { return models::haveCommands(table->rows()); });
}

QList<QWidget*> OptionFields::controls() const
{
    if (m_usual.empty() && m_rare.empty())
        return {};
    return m_form->controls() + QList<QWidget*>{m_more} + m_rareForm->controls();
}

QList<QWidget*> OptionFields::tableControls() const
{
    QList<QWidget*> all;
    for (const TableEditor* table : m_tables)
        all += table->controls();
    return all;
}

} // namespace ui
