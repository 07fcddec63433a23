// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;

namespace ui {

/// A question of the service that needs a person: a host key, a passphrase, a code.
class PromptDialog : public QDialog
{
    Q_OBJECT
public:
    explicit PromptDialog(const core::Prompt& prompt, QWidget* parent = nullptr);
    [[nodiscard]] core::PromptAnswer answer() const;

private:
    bool m_cancel = false;
    bool m_accept = false;
    QList<QLineEdit*> m_fields;
    QCheckBox* m_remember;
};

} // namespace ui
