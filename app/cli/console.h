// SPDX-License-Identifier: GPL-3.0-or-later
// Output of a verb: results on stdout, notes on stderr, a live line on a terminal. Colour on a terminal only, never with NO_COLOR.
// What is written to a terminal cannot control it, wherever the text comes from; what goes elsewhere is written as it is.
#pragma once

#include <QByteArrayView>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>

class QProcessEnvironment;

namespace app {

class TerminalStream;

/// What a piece of text means; a colour on a terminal, nothing else.
enum class Role { plain, strong, dim, good, bad, busy, warn };

class Console
{
public:
    struct Settings
    {
        bool outIsTerminal = false; ///< stdout: what is printed there must not control it
        bool errIsTerminal = false; ///< stderr: the same for notes and questions
        bool colour = false;        ///< of stdout
        bool terminal = false;      ///< stderr is one that can move its cursor: a live line can be drawn
        bool interactive = false;   ///< stdin is one, too: questions can be asked
        int width = 0;              ///< of stdout in columns; 0: not a terminal, never cut
        int height = 24;            ///< rows of the terminal
        bool json = false;
        bool quiet = false;
    };
    using Write = std::function<void(QByteArrayView)>;
    /// Reads one line without its end; with `echo` false what is typed is not shown. Nothing at the end of input.
    using ReadLine = std::function<std::optional<QString>(bool echo)>;

    Console(Settings settings, Write out, Write err, ReadLine readLine);
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;
    ~Console();
    /// The process's own stdin, stdout and stderr.
    [[nodiscard]] static Console ofProcess(const QProcessEnvironment& environment, bool json, bool quiet);

    [[nodiscard]] const Settings& settings() const { return m_settings; }
    [[nodiscard]] bool json() const { return m_settings.json; }
    [[nodiscard]] bool quiet() const { return m_settings.quiet; }

    /// A line of the result.
    void print(const QString& line);
    /// What a trial printed, in pieces; on a terminal as TerminalStream shows it.
    void bytes(QByteArrayView bytes);
    /// Bytes of the result as they are, also on a terminal.
    void raw(QByteArrayView bytes);
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
    /// Ends what bytes() began, and clears what is live.
    void beginLine();

    Settings m_settings;
    Write m_out;
    Write m_err;
    ReadLine m_readLine;
    std::unique_ptr<TerminalStream> m_stream; ///< of bytes() on a terminal; null between
    int m_liveLines = 0;
};

/// `program: message` on stderr of the process, for who has no console yet.
void complain(const QString& program, const QString& message);

} // namespace app
