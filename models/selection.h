// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"

#include <QHash>
#include <QList>
#include <QObject>
#include <QSet>

namespace models {

/// The selected trials, shared by table, charts, GPU strip and machine boxes. `origin` is the object that changed the selection,
/// so that a view can ignore its own changes; it is not owned and may be null. GUI thread.
class Selection : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] const QSet<core::TrialId>& trials() const { return m_trials; }
    void set(const QSet<core::TrialId>& trials, QObject* origin);
    /// Of a selection of at most this many trials each has a colour of its own; of a larger one those that colorSome() names.
    static constexpr int mostColors = 8;
    /// Gives these trials of a larger selection the colours, at most mostColors; those that have one keep it. A smaller selection stays as it is.
    void colorSome(const QList<core::TrialId>& trials);
    /// The number of the trial's colour, 0 to mostColors - 1; -1: it has none. Each trial takes the first free colour, in the order
    /// of ids, and keeps it until it leaves the selection.
    [[nodiscard]] int colorOf(const core::TrialId& trial) const;
    [[nodiscard]] const QHash<core::TrialId, int>& colors() const { return m_colors; }
    /// The trial that the inspector shows; empty: none.
    [[nodiscard]] core::TrialId current() const { return m_current; }
    void setCurrent(const core::TrialId& trial, QObject* origin);

signals:
    void changed(QObject* origin);
    void currentChanged(QObject* origin);

private:
    QSet<core::TrialId> m_trials;
    QHash<core::TrialId, int> m_colors;
    core::TrialId m_current;
};

/// Colours for the trials: those that have one in `before` keep it, the others get the first free ones in their order. At most
/// Selection::mostColors trials get one.
[[nodiscard]] QHash<core::TrialId, int> colorTrials(
    const QList<core::TrialId>& trials, const QHash<core::TrialId, int>& before);

} // namespace models
