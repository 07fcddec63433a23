// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search_space.h"

#include <memory>
#include <optional>

namespace search {

/// Visits a grid over the space, each point once, in the order of NNI 2.10's GridSearch tuner:
/// - choice and randint contribute all their values; an option written twice counts once;
/// - a numeric parameter begins with the middle of its distribution; when the grid is done, each numeric parameter gets
///   the middles of its intervals (quarters, then eighths …) and only the new combinations are visited, so a space with
///   a continuous parameter never ends;
/// - a quantised parameter gets exactly the values that its formula can give, and is finished when all were visited;
/// - the last parameter changes fastest; members of an option are walked only while that option is chosen. Middles are
///   taken in probability, so normal parameters are denser around mu. Differs from NNI in two cases, where NNI stops or
///   crashes: choices nested three deep work, and a quantised grid continues until it is complete. A value: copyable, no
///   thread of its own.
class GridSearch
{
public:
    explicit GridSearch(SearchSpace space);

    /// The next parameters, or nothing when a finite space is exhausted.
    [[nodiscard]] std::optional<Json> next();
    /// Passes over `n` points without building them: how a restarted service returns to its count of trials.
    void skip(quint64 n);
    /// How many points next() and skip() have passed.
    [[nodiscard]] quint64 position() const { return m_position; }

private:
    struct Dimension
    {
        FlatParameter parameter;
        std::vector<size_t> options;                      ///< choice: the distinct options
        std::vector<double> points;                       ///< numeric: shares of the distribution, in order of visit
        std::vector<std::pair<double, double>> intervals; ///< numeric: what may still be divided
        quint64 known = 0; ///< how many of its values earlier rounds have combined already

        [[nodiscard]] quint64 size() const;
        bool divide();
    };

    bool advance();
    bool nextVector();
    bool refine();
    [[nodiscard]] bool isOld() const;
    [[nodiscard]] quint64 optionOf(size_t dimension) const;

    std::shared_ptr<const SearchSpace> m_space; ///< shared so that the dimensions stay valid in copies
    std::vector<Dimension> m_dimensions;
    std::vector<quint64> m_vector; ///< position in each dimension; empty before the first point of a round
    int m_round = 0;
    bool m_exhausted = false;
    quint64 m_position = 0;
};

} // namespace search
