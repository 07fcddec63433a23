// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/command.h"
#include "services/core/records.h"

#include <QSet>
#include <QWidget>

class QLineEdit;
class QSpinBox;

namespace ui {

class DurationBox;

/// The limits and tags of an experiment, which can be changed while it runs. What the person has not touched follows the experiment; only what
/// was touched is part of changes(), so that what another client changes meanwhile is kept. GUI thread.
class LimitFields : public QWidget
{
    Q_OBJECT
public:
    explicit LimitFields(QWidget* parent = nullptr);

    /// Another experiment drops what was typed.
    void show(const core::Experiment& experiment);
    /// What differs from the experiment, of the fields that were touched; nullopt if nothing does.
    [[nodiscard]] std::optional<api::PatchExperiment> changes() const;
    [[nodiscard]] bool isEdited() const { return !m_touched.isEmpty(); }
    /// The fields show the experiment again.
    void drop();

signals:
    void edited();

private:
    void touch(const QWidget* field);

    core::Experiment m_experiment;
    QSpinBox* m_concurrency;
    QSpinBox* m_trials;
    DurationBox* m_time;
    DurationBox* m_trialTime;
    QLineEdit* m_tags;
    QSet<const QWidget*> m_touched;
};

} // namespace ui
