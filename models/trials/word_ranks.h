// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>

#include <map>

namespace models {

/// Assigns numbers to words in case-insensitive order, so that text columns are sorted by number too. All ranks are greater than
/// `begin`. A new word gets a number between those of its neighbours, so that other ranks do not change.
class WordRanks
{
public:
    static constexpr double begin = 1e300;

    void clear();
    /// Registers a word; spread() sets its number. The pointer is valid until clear().
    [[nodiscard]] const double* note(const QString& word);
    /// Assigns evenly spaced numbers to all words.
    void spread();
    /// Words that rankOf() added since spread(). Each may halve the room between two others, which is used up after a thousand.
    [[nodiscard]] int addedCount() const { return m_added; }
    /// The number of a word; a new word is added.
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
    int m_added = 0;
    QHash<QString, const double*> m_places; ///< points into m_ranks; for fast lookup
};

} // namespace models
