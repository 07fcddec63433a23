// SPDX-License-Identifier: GPL-3.0-or-later
#include "filter_counter.h"

#include "models/engine_mirror.h"

#include <QDateTime>

namespace models {

FilterCounter::FilterCounter(EngineMirror& mirror, QObject* parent)
    : QObject(parent)
    , m_mirror(mirror)
{
    connect(&mirror, &EngineMirror::changed, this, [this](const api::ChangePtr& change) { take(*change); });
}

void FilterCounter::load(const core::ExperimentId& experiment)
{
    m_experiment = experiment;
    m_table.clear();
    const core::ExperimentPtr record = m_mirror.state().experiments().find(experiment);
    m_table.setObjective(record ? record->spec.objective : core::Objective());
    const auto trials = experiment.isEmpty() ? m_mirror.state().trials() : m_mirror.state().trialsOf(experiment);
    m_table.reserve(trials.size());
    for (const core::TrialPtr& trial : trials)
        m_table.put(trial);
    m_counted.clear();
    ++m_version;
}

void FilterCounter::take(const api::Change& change)
{
    if (!m_experiment)
        return;
    if (change.full || !change.removed.isEmpty()) {
        load(*m_experiment);
        return;
    }
    for (const core::TrialPtr& trial : change.trials) {
        if (m_experiment->isEmpty() || trial->experimentId == *m_experiment) {
            m_table.put(trial);
            ++m_version;
        }
    }
}

qint64 FilterCounter::count(const QString& text, const core::ExperimentId& experiment)
{
    if (!m_experiment || *m_experiment != experiment)
        load(experiment);
    Counted& counted = m_counted[text];
    const bool isFresh = counted.version == m_version
        || (counted.version >= 0 && counted.since.elapsed() < 300 + qint64(m_table.size()) / 50);
    if (isFresh)
        return counted.count;
    counted.count = 0;
    counted.version = m_version;
    counted.since.start();
    auto filter = TrialFilter::parse(text);
    if (!filter)
        return 0;
    filter->bind(m_table);
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (quint32 row = 0; row < m_table.size(); ++row)
        counted.count += filter->matches(m_table, row, now) ? 1 : 0;
    return counted.count;
}

} // namespace models
