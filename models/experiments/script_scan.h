// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the arguments of a training script in its text, and the names in a command template. Pure functions.
#pragma once

#include <QList>
#include <QString>

namespace models {

struct ScriptArgument
{
    QString flag;   ///< `--lr`
    QString name;   ///< `lr`, `weight_decay`
    QString preset; ///< its default as written; empty: none
    bool isNumber = false;
    bool isWhole = false;
    QStringList choices;

    bool operator==(const ScriptArgument&) const = default;
};

/// Options of argparse, click, typer-like and absl flags, in order of appearance, without switches and options that name files.
/// The script is not executed.
[[nodiscard]] QList<ScriptArgument> scanScript(const QString& text);

struct TemplateName
{
    QString name;
    qsizetype at = 0; ///< offset of the opening brace
    qsizetype length = 0;
};

/// The `{name}` placeholders that the service replaces in a command; `${name}` is not one.
[[nodiscard]] QList<TemplateName> templateNames(const QString& command);

} // namespace models
