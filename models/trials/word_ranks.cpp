// SPDX-License-Identifier: GPL-3.0-or-later
#include "word_ranks.h"

namespace models {

static constexpr double step = 1e290;

void WordRanks::clear()
{
    m_places.clear();
    m_ranks.clear();
    m_added = 0;
}

const double* WordRanks::note(const QString& word)
{
    const double*& place = m_places[word];
    if (!place)
        place = &m_ranks.emplace(word, 0.0).first->second;
    return place;
}

void WordRanks::spread()
{
    double next = begin;
    for (auto& [word, rank] : m_ranks)
        rank = next += step;
    m_added = 0;
}

double WordRanks::rankOf(const QString& word)
{
    if (const auto it = m_places.constFind(word); it != m_places.cend())
        return **it;
    ++m_added;
    const auto above = m_ranks.lower_bound(word);
    const double low = above == m_ranks.begin() ? begin : std::prev(above)->second;
    const double rank = above == m_ranks.end() ? low + step : low + (above->second - low) / 2;
    m_places.insert(word, &m_ranks.emplace_hint(above, word, rank)->second);
    return rank;
}

} // namespace models
