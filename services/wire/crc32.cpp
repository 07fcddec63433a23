// SPDX-License-Identifier: GPL-3.0-or-later
#include "crc32.h"

namespace trialkeeper {

std::uint32_t crc32(std::string_view bytes)
{
    // A table of 16 entries, two steps a byte: records are short, and a small table dirties no page of a waiting
    // keeper.
    static constexpr std::uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278,
        0xbdbdf21c};
    std::uint32_t sum = 0xffffffffU;
    for (const char c : bytes) {
        sum ^= static_cast<unsigned char>(c);
        sum = table[sum & 15] ^ (sum >> 4);
        sum = table[sum & 15] ^ (sum >> 4);
    }
    return ~sum;
}

} // namespace trialkeeper
