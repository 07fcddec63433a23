// SPDX-License-Identifier: GPL-3.0-or-later
// Output of a verb: results on stdout, notes on stderr, a live line on a terminal. Colour on a terminal only, never with NO_COLOR.
#pragma once

#include <QByteArrayView>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

class QProcessEnvironment;

namespace app {

/// What a piece of text means; a colour on a terminal, nothing else.
enum class Role { plain, strong, dim, good, bad, busy, warn };

class Console
{
public:
    struct Settings
    {
        bool colour = false;      ///< of stdout
        bool terminal = false;    ///< stderr is one: a live line can be drawn
        bool interactive = false; ///< stdin is one, too: questions can be asked
        int width = 0;            ///< of stdout in columns; 0: not a terminal, never cut
        int height = 24;          ///< rows of the terminal
        bool json = false;
        bool quiet = false;
    };
    using Write = std::function<void(QByteArrayView)>;
    /// Reads one line without its end; with `echo` false what is typed is not shown. Nothing at the end of input.
    using ReadLine = std::function<std::optional<QString>(bool echo)>;

    Console(Settings settings, Write out, Write err, ReadLine readLine);
    /// The process's own stdin, stdout and stderr.
    [[nodiscard]] static Console ofProcess(const QProcessEnvironment& environment, bool json, bool quiet);

    [[nodiscard]] const Settings& settings() const { return m_settings; }
    [[nodiscard]] bool json() const { return m_settings.json; }
    [[nodiscard]] bool quiet() const { return m_settings.quiet; }

    /// A line of the result.
    void print(const QString& line);
    /// Bytes of the result as they are.
    void bytes(QByteArrayView bytes);
    /// A line for the person, on stderr.
    void note(const QString& line);
    /// Replaces what is live (a line, or a few) below the printed lines; nothing without a terminal. Empty removes it.
    void live(const QString& line) { liveLines(line.isEmpty() ? QStringList() : QStringList{line}); }
    void liveLines(const QStringList& lines);
    /// Asks on a terminal; false without one. Anything but y or yes is no.
    [[nodiscard]] bool ask(const QString& question);
    [[nodiscard]] std::optional<QString> readLine(const QString& prompt, bool echo);
    /// `text` in the colour of the role when stdout has colours.
    [[nodiscard]] QString paint(const QString& text, Role role) const;

private:
    void clearLive();

    Settings m_settings;
    Write m_out;
    Write m_err;
    ReadLine m_readLine;
    int m_liveLines = 0;
};

/// `text` between the escape sequences of the role.
[[nodiscard]] QString painted(const QString& text, Role role);

} // namespace app
