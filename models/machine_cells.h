// SPDX-License-Identifier: GPL-3.0-or-later
// Texts and states of machines and GPUs, shared by machine boxes, GPU strip, table and card. Pure functions.
#pragma once

#include "services/core/gpu/gpu_use.h"

namespace api {
class Mirror;
}

namespace models {

using CellKind = core::GpuUse;

/// One GPU of one machine.
struct GpuCell
{
    int index = 0;
    CellKind kind = CellKind::free;
    QString holder;                   ///< `176, 181`, `anna`, `you`, `free`; with `?` when silent
    QList<core::TrialId> trials;      ///< of this service, running on it
    std::optional<int> use;           ///< percent
    double memory = 0;                ///< used share, 0 to 1
    core::GpuReservation reservation; ///< by a person or a service
    [[nodiscard]] bool isReserved() const { return kind == CellKind::reserved; }
    bool operator==(const GpuCell&) const = default;
};

/// `this computer`, else the host's name without its domain.
[[nodiscard]] QString machineName(const core::Machine& machine, const api::Mirror& state);
/// The platform's name in the window: `this computer` for the one that is always there, whose id is `local`; else its id.
[[nodiscard]] QString platformName(const core::PlatformId& id);
/// The same with the id that the command line and the API take, where people may need both: `this computer (local)`.
[[nodiscard]] QString platformNameWithId(const core::PlatformId& id);
[[nodiscard]] GpuCell gpuCell(const core::Machine& machine, const core::Gpu& gpu, const api::Mirror& state);
[[nodiscard]] QList<GpuCell> gpuCells(const core::Machine& machine, const api::Mirror& state);
/// The cell as a sentence, for tool tips and screen readers.
[[nodiscard]] QString cellSentence(const GpuCell& cell, const core::Machine& machine, const api::Mirror& state);
/// `4 × A100, 40 GiB`; or why there is no GPU.
[[nodiscard]] QString modelLine(const core::Machine& machine);
[[nodiscard]] core::GpuCounts gpuCountsOf(const api::Mirror& state);

} // namespace models
