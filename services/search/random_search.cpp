// SPDX-License-Identifier: GPL-3.0-or-later
#include "random_search.h"

#include "distribution.h"

#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace search {

namespace {

quint64 mix(quint64 x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/// xoshiro256** (Blackman and Vigna), its state filled by splitmix64. The standard library's distributions differ
/// between implementations, hence our own.
class Generator
{
public:
    Generator(quint64 seed, quint64 index)
    {
        // Two rounds of mixing keep neighbouring seeds and neighbouring indices apart.
        quint64 x = mix(mix(seed + golden) + index * golden + 1);
        for (quint64& word : m_state)
            word = mix(x += golden);
    }

    quint64 bits()
    {
        const quint64 result = std::rotl(m_state[1] * 5, 7) * 9;
        const quint64 t = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= t;
        m_state[3] = std::rotl(m_state[3], 45);
        return result;
    }

    /// In [0, 1), 53 bits.
    double unit() { return double(bits() >> 11) * 0x1p-53; }

    /// In [0, count), each equally likely: what would favour low values is drawn again.
    quint64 below(quint64 count)
    {
        const quint64 surplus = (0 - count) % count; // 2^64 mod count
        quint64 drawn = bits();
        while (drawn < surplus)
            drawn = bits();
        return drawn % count;
    }

    /// Box and Muller; the second value of the pair is not kept, so a draw never depends on the one before.
    double normal()
    {
        const double radius = std::sqrt(-2 * std::log(1 - unit()));
        return radius * std::cos(2 * std::numbers::pi * unit());
    }

private:
    static constexpr quint64 golden = 0x9e3779b97f4a7c15U;
    std::array<quint64, 4> m_state{};
};

Pick draw(const Parameter& parameter, Generator& generator)
{
    if (parameter.isCategorical())
        return {generator.below(parameter.count), 0};
    const double x = parameter.isNormal() ? parameter.mu + parameter.sigma * generator.normal()
                                          : quantile(parameter, generator.unit());
    return {0, reported(parameter, x)};
}

} // namespace

RandomSearch::RandomSearch(SearchSpace space, quint64 seed, quint64 start)
    : m_space(std::make_shared<const SearchSpace>(std::move(space)))
    , m_flat(flatten(*m_space))
    , m_seed(seed)
    , m_position(start)
{
}

Json RandomSearch::next()
{
    return at(m_position++);
}

Json RandomSearch::at(quint64 index) const
{
    Generator generator(m_seed, index);
    std::vector<Pick> picks(m_flat.size());
    std::vector<bool> active(m_flat.size());
    for (size_t i = 0; i < m_flat.size(); ++i) {
        const FlatParameter& parameter = m_flat[i];
        const auto parent = size_t(parameter.parent);
        active[i] = parameter.parent < 0 || (active[parent] && picks[parent].index == parameter.option);
        if (active[i])
            picks[i] = draw(*parameter.spec, generator);
    }
    return assemble(*m_space, picks);
}

} // namespace search
