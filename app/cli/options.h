// SPDX-License-Identifier: GPL-3.0-or-later
// The command line as a value. Pure: no file, no environment, no output. The grammar is the public contract (version 1); the
// table behind it is verb_table.h.
#pragma once

#include "verb_table.h"

#include "services/core/result.h"

#include <QMap>
#include <QStringList>

namespace app {

using core::Result;

struct CommandLine
{
    QString verb;                       ///< `experiment create`; empty: the program itself
    QMap<QString, QStringList> options; ///< by long name; a flag holds one empty string
    QStringList arguments;
    QStringList command; ///< what stood behind `--`
    bool help = false;
    QString helpTopic; ///< with `help`: a verb, a noun (`platform`), or empty

    [[nodiscard]] bool has(const QString& option) const { return options.contains(option); }
    [[nodiscard]] QString value(const QString& option, const QString& otherwise = {}) const;
    [[nodiscard]] QStringList values(const QString& option) const { return options.value(option); }
    /// The number behind an option that the table calls a number.
    [[nodiscard]] std::optional<qint64> number(const QString& option) const;
    [[nodiscard]] std::optional<double> seconds(const QString& option) const;
};

/// `arguments` without the program's own name. Every error has Kind::invalid and is a usage error (exit code 2); its message
/// ends with what was probably meant, or with where to look.
[[nodiscard]] Result<CommandLine> parseCommandLine(const QStringList& arguments);

/// Help of a verb, of a noun, or (empty) of the program. `program` is how it was called.
[[nodiscard]] QString helpText(const QString& topic, const QString& program);

/// The candidate nearest to `word` when it is near enough to be a slip; else empty.
[[nodiscard]] QString nearest(const QString& word, const QStringList& candidates);

[[nodiscard]] const VerbSpec* findVerb(const QString& name);
/// `platform experiment machine service`: words that need a second one.
[[nodiscard]] QStringList nouns();

/// The completion script of `bash`, `zsh` or `fish`; empty for any other word.
[[nodiscard]] QString completionScript(const QString& shell);

/// The manual page trialdeck(1) as troff source.
[[nodiscard]] QString manualPage(const QString& version);

/// WIDTHxHEIGHT in pixels, of a sensible window.
[[nodiscard]] std::optional<std::pair<int, int>> windowSize(const QString& text);

/// The two halves of ADDR:PORT; an IPv6 address stands in brackets. Port 0 means any free one.
struct ListenAddress
{
    QString host;
    quint16 port = 0;
    bool operator==(const ListenAddress&) const = default;
};
[[nodiscard]] Result<ListenAddress> parseListenAddress(const QString& text);

} // namespace app
