// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"

namespace models {

/// Remembers when each machine became ready, in the service's time, so that the result of an earlier check is not taken for its
/// state. GUI thread.
class ReadySince : public QObject
{
    Q_OBJECT
public:
    explicit ReadySince(EngineMirror& mirror, QObject* parent = nullptr);

    /// Milliseconds since the epoch; 0: it is not ready, or was so when it was first seen and no check contradicts that.
    [[nodiscard]] qint64 of(const core::MachineId& machine) const { return m_since.value(machine); }

private:
    void follow(const api::Change& change);
    void note(const core::Machine& machine, bool isFirstSight);
    [[nodiscard]] qint64 firstSight(const core::Machine& machine) const;

    EngineMirror& m_mirror;
    QHash<core::MachineId, qint64> m_since; ///< of those that are ready or drained
};

/// Whether each machine that failed the check has become ready since it ended. False while the check runs, after one that passed,
/// and when a failed step names no machine.
[[nodiscard]] bool isOvertaken(const core::Operation& request, const ReadySince& since);

} // namespace models
