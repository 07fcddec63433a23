// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment that is being edited: the contents of the fields, their problems, and the resulting spec. Pure functions.
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
    QString choices; ///< of a choice: separated by commas

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
    core::Json options = core::Json::object(); ///< platformOptions
    bool hasOwnRoles = false;                  ///< these have all commands, so that the experiment needs none
    std::optional<int> gpus;
    int atOnce = 4;
    std::optional<qint64> trials = 20;
    std::optional<qint64> secondsATrial;
    QString codeDir;
    QString setup;
    QString tags;
    core::ExperimentSpec base; ///< source of all values that the form does not show

    bool operator==(const ExperimentDraft&) const = default;
};

enum class DraftField { name, script, command, search, metric, pattern, platform, code };

struct DraftProblem
{
    DraftField field = DraftField::name;
    int row = -1; ///< of the search
    QString message;
    bool canSwap = false; ///< swapping From and To would solve it

    bool operator==(const DraftProblem&) const = default;
};

[[nodiscard]] QList<DraftProblem> problemsOf(const ExperimentDraft& draft);
[[nodiscard]] core::ExperimentSpec specOf(const ExperimentDraft& draft);
[[nodiscard]] ExperimentDraft draftOf(const core::ExperimentSpec& spec);

/// Sets command and rows from a script's arguments: `python3 train.py --lr {lr} …`, ranges around its defaults.
void proposeFromScript(ExperimentDraft& draft, const QString& file, const QString& text);
/// The command, and those that rows of a table among the options have; a line each.
[[nodiscard]] QString commandsOf(const ExperimentDraft& draft);
/// Adds rows for names in these commands that have none; existing rows are not changed.
void addMissingRows(ExperimentDraft& draft);
/// Rows whose name does not occur in any of these commands.
[[nodiscard]] QStringList unusedRows(const ExperimentDraft& draft);

/// Three examples of values: `0.31, 0.07, 0.44`; empty if the row is invalid.
[[nodiscard]] QString examplesOf(const SearchRow& row);

} // namespace models
