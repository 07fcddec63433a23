// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <QHash>
#include <QStringList>

#include <span>
#include <vector>

namespace models {

/// The columns of a trial's row. Parameters have the columns from `parameter` on, in order of first appearance.
enum class TrialColumn {
    state,
    number,
    best,
    last,
    curve,
    machine,
    ran,
    waited,
    attempt,
    reason,
    exit_code,
    step,
    values,
    gpus,
    platform,
    priority,
    tags,
    note,
    submitted,
    started,
    ended,
    last_contact,
    peak_memory,
    client_id,
    id,
    experiment,
    parameter
};
inline constexpr int baseColumns = int(TrialColumn::parameter);

/// The trials of one experiment (or of all) in columns, so that sorting and filtering a hundred thousand of them reads numbers
/// instead of JSON. Rows are appended and never move; each parameter of a row takes 12 bytes.
class TrialTable
{
public:
    /// Further parameters get no column; they are shown only in a trial's details.
    static constexpr int maxParameters = 600;

    void clear();
    void reserve(size_t rows);
    void setObjective(const core::Objective& objective) { m_objective = objective; }
    [[nodiscard]] const core::Objective& objective() const { return m_objective; }
    /// Whether the rows are trials of all experiments, or of one. clear() keeps it.
    void setOfAll(bool isOfAll) { m_isOfAll = isOfAll; }
    [[nodiscard]] bool isOfAll() const { return m_isOfAll; }
    /// Notes the experiment's name. True if it had another one before.
    bool nameExperiment(const core::ExperimentId& id, const QString& name);

    [[nodiscard]] quint32 size() const { return quint32(m_trials.size()); }
    [[nodiscard]] const core::Trial& trial(quint32 row) const { return *m_trials[row]; }
    [[nodiscard]] const core::TrialPtr& trialPtr(quint32 row) const { return m_trials[row]; }
    [[nodiscard]] core::TrialStatus status(quint32 row) const { return core::TrialStatus(m_marks[row] & statusBits); }
    /// Whether it was placed on this computer (the machine `local` of the platform `local`).
    [[nodiscard]] bool isHere(quint32 row) const { return (m_marks[row] & here) != 0; }
    [[nodiscard]] std::optional<quint32> find(const core::TrialId& id) const;
    /// Adds the trial, or replaces its record. Returns its row.
    quint32 put(const core::TrialPtr& trial);

    [[nodiscard]] const QStringList& parameters() const { return m_names; }
    [[nodiscard]] int columnCount() const { return baseColumns + int(m_names.size()); }
    /// The column of a parameter; -1 when no trial has it.
    [[nodiscard]] int parameterColumn(const QString& name) const;
    [[nodiscard]] const QString& parameterName(int column) const { return m_names[column - baseColumns]; }

    /// The cell as a number; NaN if it has none. Running durations end at `now` (milliseconds since the epoch).
    [[nodiscard]] double number(int column, quint32 row, qint64 now) const;
    /// The word of a parameter's cell, without a copy; null if it has none or the column is none of a parameter. Valid until the next put().
    [[nodiscard]] const QString* word(int column, quint32 row) const;
    /// Whether the column's texts are kept once each: those of parameters and machines.
    [[nodiscard]] bool isInterned(int column) const;
    /// Of an interned column: the index of the cell's text in words(); 0: none.
    [[nodiscard]] quint32 wordIndex(int column, quint32 row) const;
    [[nodiscard]] const QStringList& words() const { return m_words; }
    /// The cell as text; empty for numbers.
    [[nodiscard]] QString text(int column, quint32 row) const;
    /// Whether the column is sorted as text.
    [[nodiscard]] bool isText(int column) const;

private:
    struct Values
    {
        std::vector<double> numbers; ///< NaN: none; may be shorter than the table
        std::vector<quint32> words;  ///< index into m_words, 0: none; empty while the column has no words
    };

    static constexpr quint8 here = 0x80;
    static constexpr quint8 statusBits = 0x7f;

    [[nodiscard]] static quint8 marksOf(const core::Trial& trial);
    [[nodiscard]] quint32 placeOf(const core::Trial& trial);
    quint32 wordOf(const QString& word);
    void readParameters(quint32 row, const QByteArray& json);
    void setNumber(const QString& name, quint32 row, double value);
    void setWord(const QString& name, quint32 row, const QString& word);
    Values* valuesOf(const QString& name);

    core::Objective m_objective;
    bool m_isOfAll = false;
    QHash<core::ExperimentId, QString> m_experimentNames;
    std::vector<core::TrialPtr> m_trials;
    std::vector<quint8> m_marks;   ///< what filters ask of each row: its status and whether it is here
    std::vector<quint32> m_places; ///< index into m_words of each row's machine and GPUs
    QHash<core::TrialId, quint32> m_at;
    QStringList m_names;
    QHash<QString, int> m_byName;
    std::vector<Values> m_values;
    QStringList m_words = {QString()};
    QHash<QString, quint32> m_wordAt;
};

} // namespace models
