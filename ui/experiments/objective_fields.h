// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "draft_fields.h"

class QComboBox;
class QLineEdit;

namespace ui {

/// The fields for the objective: its direction, its metric, and how the script reports it.
class ObjectiveFields : public DraftFields
{
    Q_OBJECT
public:
    explicit ObjectiveFields(QWidget* parent = nullptr);

    void showDraft(const models::ExperimentDraft& draft) override;
    void readInto(models::ExperimentDraft& draft) const override;
    [[nodiscard]] QList<QWidget*> controls() const override;

private:
    QComboBox* m_direction;
    QLineEdit* m_metric;
    QLineEdit* m_pattern;
};

} // namespace ui
