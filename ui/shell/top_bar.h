// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"

#include <QWidget>

class QComboBox;
class QPushButton;
class QToolButton;

namespace ui {

class StateLabel;

/// The tool bar: service, experiment and its state, search, pause, new experiment, bell.
class TopBar : public QWidget
{
    Q_OBJECT
public:
    explicit TopBar(models::EngineMirror& mirror, QWidget* parent = nullptr);

    void setServiceName(const QString& name);
    /// Sets the selected experiment; empty: all.
    void setExperiment(const core::ExperimentId& experiment);
    [[nodiscard]] core::ExperimentId experiment() const { return m_experiment; }
    /// Whether *New experiment* is the page's primary button.
    void setNewIsPrimary(bool primary);
    void setBell(int unread, const QString& what);
    [[nodiscard]] QToolButton* service() const { return m_service; }
    [[nodiscard]] QToolButton* bell() const { return m_bell; }

signals:
    void experimentChosen(const core::ExperimentId& experiment);
    void searchWanted();
    void pauseWanted();
    void newWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void fit();

    models::EngineMirror& m_mirror;
    core::ExperimentId m_experiment;
    QToolButton* m_service;
    QComboBox* m_experiments;
    StateLabel* m_state;
    QPushButton* m_search;
    QPushButton* m_pause;
    QString m_pauseText;
    QPushButton* m_new;
    QToolButton* m_bell;
};

/// Whether trials of the experiment (empty: of any) are being placed, so that it can be paused.
[[nodiscard]] bool isPlacing(const api::Mirror& state, const core::ExperimentId& experiment);
[[nodiscard]] bool isPaused(const api::Mirror& state, const core::ExperimentId& experiment);

} // namespace ui
