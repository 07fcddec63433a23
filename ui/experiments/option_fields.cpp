// SPDX-License-Identifier: GPL-3.0-or-later
#include "option_fields.h"

#include "ui/kit/icons.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

using core::Json;

namespace {

/// Of rare use; one that is required never is.
bool isRare(const Json& field)
{
    const auto on = [&field](const char* name) {
        const auto found = field.find(name);
        return found != field.end() && found->is_boolean() && found->get<bool>();
    };
    return on("advanced") && !on("required");
}

} // namespace

OptionFields::OptionFields(QWidget* parent)
    : QWidget(parent)
    , m_title(makeLabel({}, TextSize::title, QFont::DemiBold, this))
    , m_form(new KindForm(this))
    , m_more(new QToolButton(this))
    , m_rareForm(new KindForm(this))
{
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
    if (fields.is_array())
        for (const Json& field : fields)
            (isRare(field) ? rare : usual).push_back(field);
    if (kind == m_kind && usual == m_usual && rare == m_rare)
        return;
    m_entered[m_kind] = options();
    m_kind = kind;
    m_usual = std::move(usual);
    m_rare = std::move(rare);
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
    emit rebuilt();
}

Json OptionFields::options() const
{
    if (m_usual.empty() && m_rare.empty())
        return m_entered.value(m_kind, Json::object());
    Json all = m_form->settings();
    all.update(m_rareForm->settings());
    return all;
}

bool OptionFields::showError(const QString& message)
{
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
}

bool OptionFields::showMissing()
{
    return m_form->showMissing();
}

QList<QWidget*> OptionFields::controls() const
{
    if (m_usual.empty() && m_rare.empty())
        return {};
    return m_form->controls() + QList<QWidget*>{m_more} + m_rareForm->controls();
}

} // namespace ui
