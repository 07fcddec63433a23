// SPDX-License-Identifier: GPL-3.0-or-later
// Explains why a trial waits: the reason, what each machine offers, and actions that help. Pure.
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

/// An action for the user; the first one starts the trial soonest.
struct Help
{
    QString label;
    QString effect;
    api::Command command;
};

struct WhyWaiting
{
    QString sentence; ///< the reason that the service gave
    QList<Offer> offers;
    std::optional<std::pair<qint64, qint64>> start; ///< earliest and likely latest, ms since the epoch
    QList<Help> helps;
};

/// `trial` must be waiting. `queue` holds the waiting trials in order.
[[nodiscard]] WhyWaiting whyWaiting(
    const core::Trial& trial, const api::Mirror& state, const QList<core::TrialPtr>& queue, qint64 now);

} // namespace models
