// SPDX-License-Identifier: GPL-3.0-or-later
// What nvidia-smi prints.
#include "fuzz_driver.h"

#include "services/schedule/gpu_inventory.h"

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    (void)schedule::parseGpuInventory(text, text.left(200));
    (void)schedule::gpuToolError(text);
}
