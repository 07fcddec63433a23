// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <QWidget>

class QBoxLayout;
class QCheckBox;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace ui {

/// A form for one question of the service: a host key with its fingerprint, a password, a code.
class PromptForm : public QWidget
{
    Q_OBJECT
public:
    /// `subject`: the displayed name of the asking machine; by default the prompt's own.
    explicit PromptForm(const core::Prompt& prompt, const QString& subject = {}, QWidget* parent = nullptr);

    /// Adds another button after the two that answer.
    void addButton(QPushButton* button);
    void focusFirst();

signals:
    void answered(const core::PromptAnswer& answer);

private:
    void addDeviceCode(const core::Prompt& prompt, QVBoxLayout& layout);
    void tell(bool yes);

    QList<QLineEdit*> m_fields;
    QCheckBox* m_remember;
    QPushButton* m_yes;
    QBoxLayout* m_buttons;
};

} // namespace ui
