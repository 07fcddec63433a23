// SPDX-License-Identifier: GPL-3.0-or-later
// What `nvidia-smi -q -x` says of a machine's GPUs, as records. Pure; any thread.
// Tag names and spellings as drivers 390 to 575 print them: numbers with units ("24576 MiB", "41 C", "97 %"), and
// "N/A",
// "[Not Supported]" or "Unknown Error" where a board does not know.
#pragma once

#include "services/core/records.h"

namespace schedule {

using namespace core;

/// The GPUs in nvidia-smi's order (PCI bus), index 0 first; then, numbered on from there, the MIG devices, each with
/// the uuid of its GPU in migParent. A GPU in MIG mode names itself there (see isSplitGpu): it cannot be used as a
/// whole. Users of processes and reservations stay empty: nvidia-smi knows neither. `listing` is the output of
/// `nvidia-smi -L`, where drivers that leave the uuid out of a <mig_device> tell it; it may be empty, and then CUDA's
/// older spelling MIG-GPU-<uuid>/<gpu instance>/<compute instance> stands in. Errors: not_found "no devices"; platform
/// when the driver does not answer (gpuToolError); invalid when the XML is cut or foreign.
[[nodiscard]] Result<QList<Gpu>> parseGpuInventory(QByteArrayView xml, QByteArrayView listing = {});

/// What nvidia-smi means by a text that is no XML, in a sentence with a remedy where there is a known one.
[[nodiscard]] Error gpuToolError(QByteArrayView output);

/// A GPU in MIG mode: its MIG devices can be used, it cannot.
[[nodiscard]] inline bool isSplitGpu(const Gpu& gpu)
{
    return !gpu.migParent.isEmpty() && gpu.migParent == gpu.uuid;
}

[[nodiscard]] inline bool isMigDevice(const Gpu& gpu)
{
    return !gpu.migParent.isEmpty() && gpu.migParent != gpu.uuid;
}

} // namespace schedule
