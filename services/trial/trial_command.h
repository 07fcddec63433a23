// SPDX-License-Identifier: GPL-3.0-or-later
// From an experiment's command and a trial's parameters to what the shell runs, and the texts of NNI's parameter files.
// Pure.
#pragma once

#include "services/core/records.h"

namespace trial {

using namespace core;

/// Replaces `{name}` by the parameter of that name and `{args}` by `--name value` for all, in their order.
/// - `parameters` is a JSON object, read leniently (bare NaN); of anything else no name is known and `{args}` is empty.
/// - Only names of parameters are replaced, and never behind a `$`: `${HOME}`, awk's `{print $1}` and `{a,b}` stay as
/// they are. A
///   parameter that is called `args` wins over the list.
/// - A value becomes one word of the shell: numbers keep the spelling of the JSON text, true, false and null are these
/// words,
///   objects and lists are compact JSON. Simple words stand bare, all others in single quotes. Inside quotes of the
///   command the value is fitted into them: `'{x}'` and `"{x}"` work. Here-documents are not looked into.
/// Errors: invalid when a value holds a NUL character, which no command line can carry.
[[nodiscard]] Result<QString> renderCommand(const QString& command, QByteArrayView parameters);

/// Bytes of a command with its setup line, or of a variable with its name: Linux passes at most 128 KiB in one argument
/// (MAX_ARG_STRLEN), and the keeper's wrapper needs some of it.
inline constexpr qsizetype maxArgumentBytes = 124 * 1024;

/// Kind::invalid when `bytes` are more than that; `what` is the subject of the sentence.
[[nodiscard]] Result<> checkArgumentSize(const Message& what, qsizetype bytes);

/// Makes the command use an interpreter. If the first word, `NAME=value` before it aside, is python, python3 or
/// python3.N it is replaced; if it is a file *.py the interpreter is put before it. Any other command is left alone,
/// and so is everything behind the first word: what runs several programs names them itself, or uses `setup`.
/// `interpreter` is one path or word, quoted as needed; a `~/` in front is left to the shell. Empty: nothing changes.
[[nodiscard]] QString withInterpreter(const QString& command, const QString& interpreter);

/// A word of the POSIX shell that means exactly this text; bare if it can be.
[[nodiscard]] QString shellQuoted(const QString& text);

/// The text of parameter.cfg: `{"parameter_id": 7, "parameter_source": "algorithm", "parameters": …, "parameter_index":
/// 0}` with the parameters byte for byte (an empty text counts as `{}`).
[[nodiscard]] QByteArray parameterCfg(qint64 parameterId, QByteArrayView parameters, int parameterIndex = 0);

/// The member `parameters` of a parameter.cfg (NNI's hyperParameters.value) byte for byte; nothing when there is none.
[[nodiscard]] std::optional<QByteArray> innerParameters(QByteArrayView cfg);

} // namespace trial
