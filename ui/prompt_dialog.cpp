// SPDX-License-Identifier: GPL-3.0-or-later
#include "prompt_dialog.h"

#include "format.h"
#include "widgets.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

PromptDialog::PromptDialog(const core::Prompt& prompt, QWidget* parent)
    : QDialog(parent)
    , m_remember(new QCheckBox(this))
{
    const bool isKey = prompt.kind == u"hostKey"_s;
    setWindowTitle(tr("A question of %1").arg(safeText(prompt.subject, 80)));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(metrics::margin);
    layout->addWidget(
        makeLabel(isKey ? tr("Do you know %1?").arg(safeText(prompt.subject, 80)) : safeText(prompt.subject, 80),
            TextSize::title, QFont::DemiBold));
    QLabel* text = makeLabel(safeText(prompt.text, 2'000));
    text->setWordWrap(true);
    makeSelectable(text);
    layout->addWidget(text);
    auto* form = new QFormLayout;
    for (const core::PromptField& field : prompt.fields) {
        auto* line = new QLineEdit(this);
        line->setEchoMode(field.echo ? QLineEdit::Normal : QLineEdit::Password);
        line->setAccessibleName(field.label);
        form->addRow(field.label, line);
        m_fields += line;
    }
    layout->addLayout(form);
    m_remember->setText(isKey ? tr("Remember in our own list") : tr("Remember"));
    m_remember->setChecked(true);
    layout->addWidget(m_remember);
    auto* buttons = new QDialogButtonBox(this);
    QPushButton* yes = makePrimaryButton(isKey ? tr("Trust and go on") : tr("Answer"));
    QPushButton* no = makeButton(isKey ? tr("Leave it out") : tr("Refuse"));
    QPushButton* later = makeButton(tr("Later"));
    yes->setDefault(true);
    buttons->addButton(yes, QDialogButtonBox::AcceptRole);
    buttons->addButton(no, QDialogButtonBox::ActionRole);
    buttons->addButton(later, QDialogButtonBox::RejectRole);
    layout->addWidget(buttons);
    connect(yes, &QPushButton::clicked, this, [this] {
        m_accept = true;
        accept();
    });
    connect(no, &QPushButton::clicked, this, [this] {
        m_cancel = true;
        accept();
    });
    connect(later, &QPushButton::clicked, this, &QDialog::reject);
    setMinimumWidth(Theme::current().scaled(480));
}

core::PromptAnswer PromptDialog::answer() const
{
    core::PromptAnswer answer;
    if (!m_cancel)
        for (const QLineEdit* field : m_fields)
            answer.answers += field->text();
    answer.accept = m_accept;
    answer.cancel = m_cancel;
    answer.remember = m_remember->isChecked();
    return answer;
}

} // namespace ui
