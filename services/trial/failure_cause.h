// SPDX-License-Identifier: GPL-3.0-or-later
// Why trials failed, so that a hundred failures of one kind are one group. Pure.
#pragma once

#include "services/core/records.h"

namespace trial {

using namespace core;

struct FailureCause
{
    QString key;    ///< equal for failures of one group
    QString cause;  ///< the group's sentence, what differs between its trials folded
    QString sample; ///< this failure's own line

    bool operator==(const FailureCause&) const = default;
};

/// A line with what changes from trial to trial folded: quoted texts to '…', paths to PATH, 0x… and long hexadecimal
/// words to HEX, numbers to N (not in names such as float16); blanks collapsed, at most 200 characters. Folding a
/// folded line changes nothing.
[[nodiscard]] QString normaliseErrorLine(const QString& line);

/// The line that says what went wrong: of the last Python traceback its exception ("ValueError: …"), else the last line
/// that is not blank; empty if there is none. `tail` is the end of a log; what NNI's SDK
/// writes before each line of trial.log is left out.
[[nodiscard]] QString errorLine(QByteArrayView tail);

/// What the machine did to a trial (memory, restart, lost keeper, missing command) is the cause whatever it printed;
/// else the line above; else how it ended.
[[nodiscard]] FailureCause failureCause(const Trial& trial, QByteArrayView stderrTail);

} // namespace trial
