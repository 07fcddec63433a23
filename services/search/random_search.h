// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search_space.h"

#include <memory>

namespace search {

/// Independent draws from the space, as NNI's Random tuner makes them. Every draw is derived from (seed, index) alone,
/// so a restarted service continues at its count of trials, without a replay. The same pair gives the same parameters
/// on every platform, up to the last digit of the C library's exp, log, sin and cos. A value: copyable, no thread of
/// its own.
class RandomSearch
{
public:
    /// `start` is how many were drawn already.
    explicit RandomSearch(SearchSpace space, quint64 seed, quint64 start = 0);

    [[nodiscard]] Json next();
    [[nodiscard]] Json at(quint64 index) const;
    /// The index that next() draws.
    [[nodiscard]] quint64 position() const { return m_position; }

private:
    std::shared_ptr<const SearchSpace> m_space; ///< shared so that m_flat stays valid in copies
    std::vector<FlatParameter> m_flat;
    quint64 m_seed;
    quint64 m_position;
};

} // namespace search
