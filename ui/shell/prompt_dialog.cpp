// SPDX-License-Identifier: GPL-3.0-or-later
#include "prompt_dialog.h"

#include "models/printable.h"
#include "ui/fields/prompt_form.h"
#include "ui/kit/widgets.h"

#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

PromptDialog::PromptDialog(const core::Prompt& prompt, QWidget* parent, bool canWait)
    : QDialog(parent)
{
    setWindowTitle(tr("A question of %1").arg(models::printable(prompt.subject, 80)));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    auto* form = new PromptForm(prompt, {}, this);
    layout->addWidget(form);
    if (canWait) {
        QPushButton* later = makeButton(tr("Later"), {}, this);
        form->addButton(later);
        connect(later, &QPushButton::clicked, this, &QDialog::reject);
    }
    connect(form, &PromptForm::answered, this, [this](const core::PromptAnswer& answer) {
        m_answer = answer;
        accept();
    });
    // As high as its wrapped words are at this width: the size hint of a dialog takes them for narrower.
    const int width = themeOf(*this).scaled(480);
    setMinimumWidth(width);
    resize(width, layout->totalHeightForWidth(width));
    form->focusFirst();
}

core::PromptAnswer askPrompt(const core::Prompt& prompt)
{
    PromptDialog dialog(prompt, nullptr, false);
    if (dialog.exec() == QDialog::Accepted)
        return dialog.answer();
    core::PromptAnswer refused;
    refused.cancel = true;
    return refused;
}

} // namespace ui
