// SPDX-License-Identifier: GPL-3.0-or-later
// What a training script takes as arguments, read from its text; and the names in a command template. Pure.
#pragma once

#include <QList>
#include <QString>

namespace models {

struct ScriptArgument
{
    QString flag;   ///< `--lr`
    QString name;   ///< `lr`, `weight_decay`
    QString preset; ///< its default as written, empty when it has none
    bool isNumber = false;
    bool isWhole = false;
    QStringList choices;

    bool operator==(const ScriptArgument&) const = default;
};

/// Options of argparse, click, typer-like and absl flags, in their order; those that are switches without a value, and those that
/// name files, are left out. Reads text only: nothing is run.
[[nodiscard]] QList<ScriptArgument> scanScript(const QString& text);

struct TemplateName
{
    QString name;
    qsizetype at = 0; ///< of the brace
    qsizetype length = 0;
};

/// The `{name}` in a command, as the service fills them: not behind a `$`.
[[nodiscard]] QList<TemplateName> templateNames(const QString& command);

} // namespace models
