// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/ids.h"

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
    /// The trial that the inspector shows; empty: none.
    [[nodiscard]] core::TrialId current() const { return m_current; }
    void setCurrent(const core::TrialId& trial, QObject* origin);

signals:
    void changed(QObject* origin);
    void currentChanged(QObject* origin);

private:
    QSet<core::TrialId> m_trials;
    core::TrialId m_current;
};

} // namespace models
