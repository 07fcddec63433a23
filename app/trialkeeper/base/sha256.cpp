// SPDX-License-Identifier: GPL-3.0-or-later
#include "sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace trialkeeper {

namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
constexpr std::uint32_t roundConstants[64] = {
    0x428a2f98,
    0x71374491,
    0xb5c0fbcf,
    0xe9b5dba5,
    0x3956c25b,
    0x59f111f1,
    0x923f82a4,
    0xab1c5ed5,
    0xd807aa98,
    0x12835b01,
    0x243185be,
    0x550c7dc3,
    0x72be5d74,
    0x80deb1fe,
    0x9bdc06a7,
    0xc19bf174,
    0xe49b69c1,
    0xefbe4786,
    0x0fc19dc6,
    0x240ca1cc,
    0x2de92c6f,
    0x4a7484aa,
    0x5cb0a9dc,
    0x76f988da,
    0x983e5152,
    0xa831c66d,
    0xb00327c8,
    0xbf597fc7,
    0xc6e00bf3,
    0xd5a79147,
    0x06ca6351,
    0x14292967,
    0x27b70a85,
    0x2e1b2138,
    0x4d2c6dfc,
    0x53380d13,
    0x650a7354,
    0x766a0abb,
    0x81c2c92e,
    0x92722c85,
    0xa2bfe8a1,
    0xa81a664b,
    0xc24b8b70,
    0xc76c51a3,
    0xd192e819,
    0xd6990624,
    0xf40e3585,
    0x106aa070,
    0x19a4c116,
    0x1e376c08,
    0x2748774c,
    0x34b0bcb5,
    0x391c0cb3,
    0x4ed8aa4a,
    0x5b9cca4f,
    0x682e6ff3,
    0x748f82ee,
    0x78a5636f,
    0x84c87814,
    0x8cc70208,
    0x90befffa,
    0xa4506ceb,
    0xbef9a3f7,
    0xc67178f2,
};

} // namespace

void Sha256::block(const unsigned char* at)
{
    std::uint32_t w[64];
    for (int i = 0; i < 16; ++i)
        w[i] = std::uint32_t(at[4 * i]) << 24 | std::uint32_t(at[4 * i + 1]) << 16 | std::uint32_t(at[4 * i + 2]) << 8
            | at[4 * i + 3];
    for (int i = 16; i < 64; ++i) {
        const std::uint32_t a = w[i - 15];
        const std::uint32_t b = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[i - 7]
            + (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
    }
    auto [a, b, c, d, e, f, g, h] = m_state;
    for (int i = 0; i < 64; ++i) {
        const std::uint32_t t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g))
            + roundConstants[i] + w[i];
        const std::uint32_t t2 =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    const std::uint32_t sums[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; ++i)
        m_state[std::size_t(i)] += sums[i];
}

void Sha256::add(std::string_view bytes)
{
    std::size_t held = m_size % 64;
    m_size += bytes.size();
    if (held > 0) {
        const std::size_t take = std::min(64 - held, bytes.size());
        std::memcpy(m_pending.data() + held, bytes.data(), take);
        bytes.remove_prefix(take);
        held += take;
        if (held < 64)
            return;
        block(m_pending.data());
    }
    for (; bytes.size() >= 64; bytes.remove_prefix(64))
        block(reinterpret_cast<const unsigned char*>(bytes.data()));
    std::memcpy(m_pending.data(), bytes.data(), bytes.size());
}

std::string Sha256::hexDigest()
{
    const std::uint64_t bits = m_size * 8;
    const std::size_t held = m_size % 64;
    std::string padding((held < 56 ? 56 : 120) - held, '\0');
    padding[0] = char(0x80);
    for (int shift = 56; shift >= 0; shift -= 8)
        padding.push_back(char(bits >> shift & 0xff));
    add(padding);
    std::string text;
    for (const std::uint32_t word : m_state)
        for (int shift = 28; shift >= 0; shift -= 4)
            text.push_back("0123456789abcdef"[word >> shift & 15]);
    return text;
}

} // namespace trialkeeper
