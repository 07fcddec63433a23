// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace trialkeeper {

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces.
class Sha256
{
public:
    void add(std::string_view bytes);
    /// Lower-case hexadecimal digits; the object is used up.
    [[nodiscard]] std::string hexDigest();

private:
    void block(const unsigned char* at);

    std::array<std::uint32_t, 8> m_state{
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 64> m_pending{};
    std::uint64_t m_size = 0;
};

} // namespace trialkeeper
