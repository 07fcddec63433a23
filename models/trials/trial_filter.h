// SPDX-License-Identifier: GPL-3.0-or-later
// Filters written as text: `lr>0.01 state:failed`. Pure.
#pragma once

#include "trial_table.h"

#include "models/text/trial_text_index.h"
#include "models/text/word_search.h"
#include "services/core/result.h"

#include <QRegularExpression>

namespace models {

/// Terms separated by blanks; a trial matches if all terms match.
///   word, "two words"       occurs in number, state, machine, tags, note, reason, ids or parameters (case-insensitive)
///   /regex/                 the same, as a regular expression; ^ and $ are the ends of each of these texts
///   name>1 >= < <= = !=     a number: a parameter, or number best last step ran waited attempt exit gpus priority values
///                           (ran and waited take s, min, h, d)
///   name:a,b                is one of these; text only has to start with it: state:failed,unknown machine:lab3
///   name:0.1..0.5           lies in the range, ends included
///   name~regex              its text matches
///   !…                      negates the term
/// A value type. matchRows() must be fast: it is called for up to a million rows at each key press.
class TrialFilter
{
public:
    /// Fails with Kind::invalid; the message says what was expected and where. An empty text is valid.
    [[nodiscard]] static core::Result<TrialFilter> parse(const QString& text);

    [[nodiscard]] bool isEmpty() const { return m_terms.empty(); }
    [[nodiscard]] const QString& text() const { return m_text; }
    /// Resolves parameter names to columns; call again when the table has new parameters. An unknown name matches no trial.
    void bind(const TrialTable& table);
    [[nodiscard]] bool matches(const TrialTable& table, quint32 row, qint64 now) const;
    /// The same for the rows from `first` on, a multiple of TrialTextIndex::blockRows, at most so many: writes 1 or 0 for each into `out`. `index`
    /// is of the same table and may have fewer rows. Several threads may call it at once.
    void matchRows(
        const TrialTable& table, const TrialTextIndex& index, quint32 first, qint64 now, std::span<char> out) const;
    /// Names that are neither a field nor a parameter of any trial at the last bind().
    [[nodiscard]] QStringList unknownNames() const;

    bool operator==(const TrialFilter& other) const { return m_text == other.m_text; }

private:
    enum class Kind { anywhere, pattern, compare, range, words, states, matches_pattern };
    enum class Compare { less, at_most, more, at_least, equal, unequal };
    struct Term
    {
        Kind kind = Kind::anywhere;
        bool inverted = false;
        QString name; ///< of a field or parameter
        int column = -1;
        Compare compare = Compare::equal;
        double low = 0; ///< also the number compared with
        double high = 0;
        QStringList words;      ///< lower case
        QList<double> numbers;  ///< the same as numbers; NaN: it is none
        WordSearch search;      ///< for the one word of a term that searches all text
        std::string folded;     ///< that word as the index has it, or text that every match of the expression has
        bool isIndexed = false; ///< the index finds what the term means
        std::array<bool, core::trialStatusCount> states{}; ///< those that the term names, or in whose words it occurs
        /// Translated states, for terms that search all text; translated once, not per row.
        std::array<QString, core::trialStatusCount> stateWords;
        bool isInThisComputer = false; ///< the one word occurs in the name of this computer
        QString thisComputer;          ///< that name, translated once as well
        QRegularExpression expression;
    };

    class Parser;

    /// Marks which rows the term fits, before it is inverted. `among`: those that matter.
    static void fitRows(const Term& term, const TrialTable& table, const TrialTextIndex& index, quint32 first,
        qint64 now, std::span<const char> among, std::span<char> out);
    [[nodiscard]] static bool fits(const Term& term, const TrialTable& table, quint32 row, qint64 now);

    QString m_text;
    std::vector<Term> m_terms;
};

/// The filter text for a range of a column, for brushes: `lr:0.004..0.02`.
[[nodiscard]] QString rangeFilter(const QString& name, double low, double high);
/// The same for words: `optimizer:adam,"sgd nesterov"`. A name or word with a quotation mark cannot be written; it stands without.
[[nodiscard]] QString wordsFilter(const QString& name, const QStringList& words);

} // namespace models
