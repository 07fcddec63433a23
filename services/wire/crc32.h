// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace trialkeeper {

/// CRC-32 (ISO 3309, reflected 0xEDB88320) of `bytes`; "123456789" gives 0xCBF43926.
[[nodiscard]] std::uint32_t crc32(std::string_view bytes);

} // namespace trialkeeper
