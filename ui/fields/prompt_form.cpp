// SPDX-License-Identifier: GPL-3.0-or-later
#include "prompt_form.h"

#include "models/printable.h"
#include "ui/kit/icon_label.h"
#include "ui/kit/plate.h"
#include "ui/kit/widgets.h"

#include "services/core/message/localized.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDesktopServices>
#include <QRegularExpression>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace ui {

PromptForm::PromptForm(const core::Prompt& prompt, const QString& subject, QWidget* parent)
    : QWidget(parent)
    , m_remember(new QCheckBox(this))
{
    const bool isKey = prompt.kind == u"hostKey"_s;
    const QString who = models::printable(subject.isEmpty() ? prompt.subject : subject, 80);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(metrics::gap);
    auto* head = new QHBoxLayout;
    auto* icon = new IconLabel(u"key"_s, &Roles::text2, metrics::icon, this);
    icon->setAccessibleName(tr("Question"));
    head->addWidget(icon);
    QLabel* title = makeLabel(isKey ? tr("Do you know %1?").arg(who) : who, TextSize::title, QFont::DemiBold, this);
    title->setWordWrap(true);
    head->addWidget(title, 1);
    layout->addLayout(head);

    // Show the fingerprint separately, so that it can be compared; the text around it is then replaced by the form's own.
    static const QRegularExpression print(u"SHA256:[A-Za-z0-9+/]{43}"_s);
    static const QRegularExpression type(u"Its (\\S+) key"_s);
    const QString fingerprint = isKey ? print.match(prompt.text.text()).captured() : QString();
    QLabel* text = makeLabel(fingerprint.isEmpty()
            ? models::printable(prompt.text, 2'000)
            : tr("This is the first contact with %1. Compare the fingerprint with the one from its administrator.")
                  .arg(who),
        TextSize::body, QFont::Normal, this);
    text->setWordWrap(true);
    makeSelectable(text);
    layout->addWidget(text);
    if (!fingerprint.isEmpty()) {
        layout->addWidget(makeQuietLabel(type.match(prompt.text.text()).captured(1), TextSize::caption, this));
        auto* plate = new Plate(tr("Fingerprint"), this);
        plate->setText(fingerprint);
        plate->setCopyable(true);
        layout->addWidget(plate);
    }
    addDeviceCode(prompt, *layout);
    for (const core::PromptField& field : prompt.fields) {
        layout->addWidget(makeQuietLabel(models::printable(field.label, 120), TextSize::caption, this));
        auto* line = new QLineEdit(this);
        line->setEchoMode(field.echo ? QLineEdit::Normal : QLineEdit::Password);
        line->setAccessibleName(core::localized(field.label));
        layout->addWidget(line);
        connect(line, &QLineEdit::returnPressed, this, [this] { tell(true); });
        m_fields += line;
    }
    m_remember->setText(isKey ? tr("Remember in our own list") : tr("Remember"));
    m_remember->setChecked(true);
    m_remember->setVisible(prompt.kind != u"deviceCode"_s); // there is nothing of the person's to remember
    layout->addWidget(m_remember);
    m_buttons = new QHBoxLayout;
    m_yes = makeButton(isKey                 ? tr("Trust and go on")
            : prompt.kind == u"deviceCode"_s ? tr("I have entered it")
                                             : tr("Answer"),
        {}, this);
    QPushButton* no = makeButton(isKey ? tr("Leave it out") : tr("Refuse"), {}, this);
    m_buttons->addWidget(m_yes);
    m_buttons->addWidget(no);
    m_buttons->addStretch(1);
    layout->addLayout(m_buttons);
    connect(m_yes, &QPushButton::clicked, this, [this] { tell(true); });
    connect(no, &QPushButton::clicked, this, [this] { tell(false); });
}

/// A code that is entered on a page elsewhere, and the page's address.
void PromptForm::addDeviceCode(const core::Prompt& prompt, QVBoxLayout& layout)
{
    const auto addPlate = [&](const QString& title, const QString& text) {
        if (text.isEmpty())
            return;
        layout.addWidget(makeQuietLabel(title, TextSize::caption, this));
        auto* plate = new Plate(title, this);
        plate->setText(models::printable(text, 300));
        plate->setCopyable(true);
        layout.addWidget(plate);
    };
    addPlate(tr("Code"), prompt.code);
    addPlate(tr("Page"), prompt.url);
    const QUrl url(prompt.url, QUrl::StrictMode);
    // Whoever answers for the cluster chose the address: nothing but a page of the web is opened.
    if (!url.isValid() || url.scheme() != "https"_L1 || url.host().isEmpty())
        return;
    QPushButton* open = makeButton(tr("Open %1").arg(models::printable(url.host(), 80)), {}, this);
    layout.addWidget(open, 0, Qt::AlignLeft);
    connect(open, &QPushButton::clicked, this, [url] { QDesktopServices::openUrl(url); });
}

void PromptForm::addButton(QPushButton* button)
{
    m_buttons->insertWidget(m_buttons->count() - 1, button);
}

void PromptForm::focusFirst()
{
    (m_fields.isEmpty() ? static_cast<QWidget*>(m_yes) : m_fields.first())->setFocus(Qt::OtherFocusReason);
}

void PromptForm::tell(bool yes)
{
    core::PromptAnswer answer;
    if (yes)
        for (const QLineEdit* field : std::as_const(m_fields))
            answer.answers += field->text();
    answer.accept = yes;
    answer.cancel = !yes;
    answer.remember = m_remember->isChecked();
    emit answered(answer);
}

} // namespace ui
