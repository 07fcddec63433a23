// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment while it is being written: what stands in the fields, what is wrong with it, and the spec that it makes. Pure.
#pragma once

#include "script_scan.h"

#include "services/core/records.h"

namespace models {

enum class SearchKind { uniform, log_uniform, choice, whole };

struct SearchRow
{
    QString name;
    SearchKind kind = SearchKind::uniform;
    QString from; ///< numbers as typed
    QString to;
    QString choices; ///< of a choice: with commas between them

    bool operator==(const SearchRow&) const = default;
};

struct ExperimentDraft
{
    QString name;
    QString script;
    QString command;
    QString interpreter;
    QList<SearchRow> search;
    bool isGrid = false;
    bool maximize = true;
    QString metric = QStringLiteral("default");
    QString pattern;
    core::PlatformId platform;
    std::optional<int> gpus;
    int atOnce = 4;
    std::optional<qint64> trials = 20;
    std::optional<qint64> secondsATrial;
    QString codeDir;
    QString setup;
    QString tags;
    core::ExperimentSpec base; ///< what the form does not show is kept from here

    bool operator==(const ExperimentDraft&) const = default;
};

enum class DraftField { name, script, command, search, metric, pattern, platform, code };

struct DraftProblem
{
    DraftField field = DraftField::name;
    int row = -1; ///< of the search
    QString message;
    bool canSwap = false; ///< From and To the other way round would do

    bool operator==(const DraftProblem&) const = default;
};

[[nodiscard]] QList<DraftProblem> problemsOf(const ExperimentDraft& draft);
[[nodiscard]] core::ExperimentSpec specOf(const ExperimentDraft& draft);
[[nodiscard]] ExperimentDraft draftOf(const core::ExperimentSpec& spec);

/// The command and rows that a script proposes: `python3 train.py --lr {lr} …`, ranges around its defaults.
void proposeFromScript(ExperimentDraft& draft, const QString& file, const QString& text);
/// Rows for the names in the command that have none; rows keep what was typed.
void addMissingRows(ExperimentDraft& draft);
/// Names in the command without a row, or rows whose name the command does not hold.
[[nodiscard]] QStringList unusedRows(const ExperimentDraft& draft);

/// Three values that a trial might get: `0.31, 0.07, 0.44`; empty while the row is wrong.
[[nodiscard]] QString examplesOf(const SearchRow& row);

} // namespace models
