// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "draft_fields.h"
#include "option_fields.h"

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace api {
class Mirror;
}
namespace models {
class PlatformKinds;
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
    /// Where the fields come from that a platform's kind describes. Not owned; must outlive this.
    void setKinds(const models::PlatformKinds& kinds);
    void showForecast(const QString& forecast);
    [[nodiscard]] OptionFields& options() { return *m_options; }

private:
    [[nodiscard]] QLayout* makeRows();
    [[nodiscard]] QString kind() const; ///< of the selected platform
    void showOptions();

    QHash<QString, core::Json> m_settings; ///< of the platforms, by id
    QComboBox* m_platform;
    QSpinBox* m_gpus;
    QSpinBox* m_atOnce;
    QSpinBox* m_trials;
    QSpinBox* m_minutes;
    QLineEdit* m_codeDir;
    QLineEdit* m_setup;
    QLineEdit* m_tags;
    OptionFields* m_options;
    QLabel* m_forecast;
    const models::PlatformKinds* m_kinds = nullptr;
};

} // namespace ui
