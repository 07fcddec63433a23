// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences that tell a person why a trial waits, with numbers. Written once for a class of requests, after a pass.
#pragma once

#include "machine_view.h"

namespace schedule {

/// A platform as a pass sees it.
struct PlatformView
{
    const Platform* platform = nullptr;
    Policy policy = Policy::pack;
    std::optional<Message> resting; ///< why it is given no trials for a while
    std::vector<MachineView> machines;
    std::shared_ptr<const QList<MachineSight>> sights; ///< made when the first reason needs them
};

[[nodiscard]] WaitReasonPtr holdReason();
/// `platform` null: there is no such platform.
[[nodiscard]] WaitReasonPtr platformReason(const PlatformId& id, const Platform* platform);
[[nodiscard]] WaitReasonPtr restingReason(const PlatformId& id, const Message& why);
[[nodiscard]] WaitReasonPtr experimentReason(const ExperimentQuota* quota);
[[nodiscard]] WaitReasonPtr concurrencyReason(int running, int concurrency);
/// For `never`, `machines` and `gpus`: what the platform's machines, or the wanted one, lack.
[[nodiscard]] WaitReasonPtr machineReason(WaitKind kind, const PlacementClass& what, PlatformView& view);

} // namespace schedule
