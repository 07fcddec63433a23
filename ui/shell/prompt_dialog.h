// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <QDialog>

namespace ui {

/// A modal dialog for a question of the service: a host key, a passphrase, a code.
class PromptDialog : public QDialog
{
    Q_OBJECT
public:
    /// `canWait`: offers to answer later.
    explicit PromptDialog(const core::Prompt& prompt, QWidget* parent = nullptr, bool canWait = true);
    [[nodiscard]] const core::PromptAnswer& answer() const { return m_answer; }

private:
    core::PromptAnswer m_answer;
};

/// Asks where there is no window yet, in an event loop of its own. Closing the dialog refuses.
[[nodiscard]] core::PromptAnswer askPrompt(const core::Prompt& prompt);

} // namespace ui
