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

/// The fields for where trials run, how many at once and with which code, and a forecast of what will happen there.
class PlaceFields : public DraftFields
{
    Q_OBJECT
public:
    explicit PlaceFields(QWidget* parent = nullptr);

    void showDraft(const models::ExperimentDraft& draft) override;
    void readInto(models::ExperimentDraft& draft) const override;
    [[nodiscard]] QList<QWidget*> controls() const override;

    /// Sets the list of platforms and keeps the selected one.
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
