// SPDX-License-Identifier: GPL-3.0-or-later
// The filter as text: `lr>0.01 state:failed`. Pure.
#pragma once

#include "trial_table.h"

#include "services/core/result.h"

#include <QRegularExpression>

namespace models {

/// Words with blanks between them; a trial fits when all of them do.
///   word, "two words"       stands somewhere in number, state, machine, tags, reason, ids or parameters (case does not count)
///   /regex/                 the same, as a regular expression
///   name>1 >= < <= = !=     a number: a parameter, or number best last step ran waited attempt exit gpus priority values
///                           (ran and waited take s, min, h, d)
///   name:a,b                is one of these; of text it begins with it: state:failed,unknown machine:lab3
///   name:0.1..0.5           lies between, ends included
///   name~regex              its text matches
///   !…                      turns the word round
/// A value. matches() is what a hundred thousand rows go through at each key.
class TrialFilter
{
public:
    /// Kind::invalid: what was expected and after what, for the line under the field. Never fails on an empty text.
    [[nodiscard]] static core::Result<TrialFilter> parse(const QString& text);

    [[nodiscard]] bool isEmpty() const { return m_terms.empty(); }
    [[nodiscard]] const QString& text() const { return m_text; }
    /// Looks the names of parameters up; to be called again when the table has new ones. A name that no trial has fits none.
    void bind(const TrialTable& table);
    [[nodiscard]] bool matches(const TrialTable& table, quint32 row, qint64 now) const;
    /// Names that are neither a field nor, so far, a parameter of any trial.
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
        QStringList words; ///< lower case
        std::array<bool, core::trialStatusCount> states{};
        /// Of kinds that look everywhere: translated once, not for each of a hundred thousand rows.
        std::array<QString, core::trialStatusCount> stateWords;
        QRegularExpression expression;
    };

    class Parser;

    [[nodiscard]] static bool fits(const Term& term, const TrialTable& table, quint32 row, qint64 now);

    QString m_text;
    std::vector<Term> m_terms;
};

/// The filter text that says the same as a range of a column, for brushes: `lr:0.004..0.02`.
[[nodiscard]] QString rangeFilter(const QString& name, double low, double high);

} // namespace models
