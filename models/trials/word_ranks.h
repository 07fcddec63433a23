// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>

#include <map>

namespace models {

/// Numbers for words, in their order without case: rows with words sort by a number, as all others do. Every rank lies above
/// `begin`. A word that comes later gets a number between its neighbours', so that no row has to be looked at again.
class WordRanks
{
public:
    static constexpr double begin = 1e300;

    void clear();
    /// A word that gets its number from spread(), all at once; the place holds until clear().
    [[nodiscard]] const double* note(const QString& word);
    /// Gives all words numbers with room between them.
    void spread();
    /// The number of a word, which may be a new one.
    [[nodiscard]] double rankOf(const QString& word);

private:
    struct Less
    {
        bool operator()(const QString& a, const QString& b) const
        {
            const int order = a.compare(b, Qt::CaseInsensitive);
            return order != 0 ? order < 0 : a < b;
        }
    };

    std::map<QString, double, Less> m_ranks;
    QHash<QString, const double*> m_places; ///< the same, found faster
};

} // namespace models
