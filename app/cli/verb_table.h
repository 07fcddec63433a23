// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of verbs and options. The parser, the help texts and the shell completions are all made from it.
#pragma once

#include <QString>

#include <vector>

namespace app {

/// What may stand behind an option.
enum class ValueType {
    flag, ///< nothing
    text,
    file, ///< a path, completed by the shell
    folder,
    count,    ///< a whole number, 0 or more
    positive, ///< a whole number, 1 or more
    seconds,  ///< a number above 0, fractions allowed
    status,   ///< a trial status word, any case
    listen,   ///< ADDR:PORT
};

struct OptionSpec
{
    const char* name = ""; ///< without the dashes
    char letter = 0;       ///< short form, 0: none
    ValueType type = ValueType::flag;
    const char* value = ""; ///< name of the value in help texts
    const char* help = "";
    bool repeats = false;
    bool required = false;
};

struct VerbSpec
{
    const char* name = "";      ///< `platform add`
    const char* arguments = ""; ///< for the usage line
    int least = 0;              ///< how many arguments,
    int most = 0;               ///< and at most; -1: any number
    const char* summary = "";   ///< one sentence
    const char* more = "";      ///< further lines of its help
    std::vector<OptionSpec> options;
    bool command = false;       ///< takes a command behind `--`
    bool service = true;        ///< talks to a service
    const char* exclusive = ""; ///< options that exclude each other: `a|b c|d`
    const char* words = "";     ///< closed choice for the first argument: `bash|zsh|fish`
};

/// A name or a sentence of the table.
[[nodiscard]] inline QString text(const char* utf8)
{
    return QString::fromUtf8(utf8);
}

/// Verbs in the order of the help text.
[[nodiscard]] const std::vector<VerbSpec>& verbTable();
/// Options that every verb takes.
[[nodiscard]] const std::vector<OptionSpec>& globalOptions();
/// Options of the program without a verb.
[[nodiscard]] const std::vector<OptionSpec>& programOptions();

} // namespace app
