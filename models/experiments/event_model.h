// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"

#include <QAbstractTableModel>

#include <deque>

namespace models {

/// One event, with a sentence that describes it.
struct Event
{
    enum class Sort { trial, experiment, machine, platform, request };
    qint64 time = 0;
    Sort sort = Sort::trial;
    QString subject; ///< `Trial 12`, the experiment's name, …
    QString text;
    core::TrialId trial;
    core::ExperimentId experiment;
    core::MachineId machine;
    std::optional<core::TrialStatus> status;
};

/// Events, the newest first: derived from the times in trials and experiments, and from changes since the window opened. The
/// newest 20,000 are kept. GUI thread.
class EventModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { TimeColumn, SubjectColumn, TextColumn, columns };
    enum Role { EventRole = Qt::UserRole + 1 };

    explicit EventModel(EngineMirror& mirror, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] const Event& eventAt(int row) const { return m_shown[size_t(row)]; }

    /// Shows only this experiment's events; empty: of all. Events of machines and platforms are always shown.
    void setExperiment(const core::ExperimentId& experiment);
    /// Words that an event must all contain; `!` negates a word.
    void setFilter(const QString& text);

signals:
    /// An event that is worth a notification: the end of an experiment, a machine without contact.
    void noteworthy(const models::Event& event);

private:
    void take(const api::Change& change);
    void takeTrials(const api::Change& change, std::vector<Event>& into);
    void takeExperiment(const core::Experiment& experiment, std::vector<Event>& into);
    void takeMachine(const core::Machine& machine, std::vector<Event>& into);
    void takePlatforms(const api::Change& change, std::vector<Event>& into);
    void rebuild();
    void add(std::vector<Event> events);
    void collect(const core::Trial& trial, const core::Trial* before, std::vector<Event>& into) const;
    [[nodiscard]] bool fits(const Event& event) const;

    EngineMirror& m_mirror;
    core::ExperimentId m_experiment;
    QString m_filter;
    std::deque<Event> m_all;                       ///< newest first
    std::deque<Event> m_shown;                     ///< those that match experiment and filter
    QHash<core::TrialId, core::TrialPtr> m_trials; ///< as last seen
    QHash<core::ExperimentId, core::ExperimentState> m_experiments;
    QHash<core::MachineId, core::MachineState> m_machines;
    QHash<core::PlatformId, core::PlatformState> m_platforms;
};

} // namespace models
