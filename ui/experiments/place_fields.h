// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "draft_fields.h"

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace api {
class Mirror;
}

namespace ui {

/// Where trials run, how many at once, with what code; and what is to be expected there now.
class PlaceFields : public DraftFields
{
    Q_OBJECT
public:
    explicit PlaceFields(QWidget* parent = nullptr);

    void showDraft(const models::ExperimentDraft& draft) override;
    void readInto(models::ExperimentDraft& draft) const override;
    [[nodiscard]] QList<QWidget*> controls() const override;

    /// The platforms that there are; the chosen one stays chosen.
    void offerPlatforms(const api::Mirror& state);
    void showForecast(const QString& forecast);

private:
    [[nodiscard]] QLayout* makeRows();

    QComboBox* m_platform;
    QSpinBox* m_gpus;
    QSpinBox* m_atOnce;
    QSpinBox* m_trials;
    QSpinBox* m_minutes;
    QLineEdit* m_codeDir;
    QLineEdit* m_setup;
    QLineEdit* m_tags;
    QLabel* m_forecast;
};

} // namespace ui
