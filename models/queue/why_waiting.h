// SPDX-License-Identifier: GPL-3.0-or-later
// Why a trial waits, with the numbers behind it and what would help. Pure.
#pragma once

#include "services/api/command.h"

namespace api {
class Mirror;
}

namespace models {

/// What one machine can offer to a trial.
struct Offer
{
    core::MachineId machine;
    QString name;
    QString offer; ///< `1 of 8`, `unknown`
    QString why;
    bool silent = false;
    bool operator==(const Offer&) const = default;
};

/// Something that a person can press; the first one starts the trial soonest.
struct Help
{
    QString label;
    QString effect;
    api::Command command;
};

struct WhyWaiting
{
    QString sentence; ///< the service's own
    QList<Offer> offers;
    std::optional<std::pair<qint64, qint64>> start; ///< earliest and likely latest, from this experiment's own trials
    QList<Help> helps;
};

/// `trial` waits. `queue` are the ids of the waiting trials in order.
[[nodiscard]] WhyWaiting whyWaiting(
    const core::Trial& trial, const api::Mirror& state, const QList<core::TrialPtr>& queue, qint64 now);

} // namespace models
