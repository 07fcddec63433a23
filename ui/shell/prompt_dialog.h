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
    explicit PromptDialog(const core::Prompt& prompt, QWidget* parent = nullptr);
    [[nodiscard]] const core::PromptAnswer& answer() const { return m_answer; }

private:
    core::PromptAnswer m_answer;
};

} // namespace ui
