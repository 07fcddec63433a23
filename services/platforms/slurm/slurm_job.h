// SPDX-License-Identifier: GPL-3.0-or-later
// A job of Slurm, as its queue or its accounting describes it.
#pragma once

#include "slurm_states.h"

#include <QtGlobal>

#include <optional>

namespace platforms::slurm {

struct SlurmJob
{
    qint64 id = 0;   ///< always above 0
    QString arrayId; ///< "7_3", "7_[0-2]" of an element or a row of elements; empty: it is no array's
    QString name;
    QString comment; ///< empty in accounting that does not keep it
    QString user;
    QString partition;
    JobState state;
    QString reason;              ///< Slurm's word; empty: none
    int restarts = 0;            ///< how often it was put back into the queue
    std::optional<int> exitCode; ///< 0 to 255; only of an ended job whose command ended by itself
    std::optional<int> signal;   ///< that ended it
    // Milliseconds since the epoch. Of a job that has not ended `endTime` is what Slurm expects, of one that waits `startTime`, too.
    std::optional<qint64> submitTime;
    std::optional<qint64> startTime;
    std::optional<qint64> endTime;
    QString nodes; ///< as a host list: "gpu[01-03]"
    QString gres;  ///< "gres:gpu:2" or "gres/gpu=2"

    bool operator==(const SlurmJob&) const = default;
};

} // namespace platforms::slurm
