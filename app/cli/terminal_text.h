// SPDX-License-Identifier: GPL-3.0-or-later
// What may reach a terminal: text of trials, machines and services must not control it. Pure.
#pragma once

#include "console.h"

#include <QByteArray>
#include <QString>

namespace app {

/// Length of the colour sequence that `text` begins with: ESC [ digits and separators m, at most 24 characters. 0: none.
[[nodiscard]] qsizetype colourSequence(QStringView text);

/// `text` between marks of its role. The marks are noncharacters of Unicode, which terminalText() replaces by colour sequences; so any
/// escape character in a line comes from untrusted text.
[[nodiscard]] QString painted(const QString& text, Role role);

/// Lines for a terminal: control characters as core::printable() shows them, line ends as they are, marks of painted() as colours.
[[nodiscard]] QString terminalText(const QString& text);

/// One line without colours: complete colour sequences are left out, what else controls is shown as core::printable() shows it.
[[nodiscard]] QString oneLine(const QString& text);

/// What a trial printed, for a terminal, in pieces that may begin and end anywhere. Line ends, tabs and carriage returns (progress
/// bars) pass, colour sequences too; other control characters are shown as core::printable() shows them, and bytes that are not
/// UTF-8 as U+FFFD.
class TerminalStream
{
public:
    [[nodiscard]] QByteArray take(QByteArrayView bytes);
    /// What was held back because it could have gone on, and the end of colours that are still on.
    [[nodiscard]] QByteArray end();

private:
    QByteArray m_bytes; ///< the begin of a character whose end may be in the next piece
    QString m_held;     ///< begins with an escape character, or is empty
    bool m_coloured = false;
};

} // namespace app
