// SPDX-License-Identifier: GPL-3.0-or-later
#include "console.h"

#include "table.h"
#include "terminal_text.h"

#include <QProcessEnvironment>

#include <cstdio>
#include <iostream>
#include <string>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace app {

namespace {

winsize terminalSize()
{
    winsize size = {};
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
        if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
            return size;
    size.ws_col = 80;
    size.ws_row = 24;
    return size;
}

/// Whole, also into a pipe that takes it in pieces.
void writeAll(int fd, QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        const ssize_t written = ::write(fd, bytes.data(), size_t(bytes.size()));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        bytes = bytes.sliced(written);
    }
}

std::optional<QString> readProcessLine(bool echo)
{
    termios before = {};
    const bool hide = !echo && ::isatty(STDIN_FILENO) && ::tcgetattr(STDIN_FILENO, &before) == 0;
    if (hide) {
        termios silent = before;
        silent.c_lflag &= ~tcflag_t(ECHO);
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    }
    std::string line;
    const bool got = bool(std::getline(std::cin, line));
    if (hide) {
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
        writeAll(STDERR_FILENO, "\n");
    }
    return got ? std::optional(QString::fromStdString(line)) : std::nullopt;
}

QString forTerminal(const QString& text, bool isTerminal)
{
    return isTerminal ? terminalText(text) : text;
}

} // namespace

Console::Console(Settings settings, Write out, Write err, ReadLine readLine)
    : m_settings(settings)
    , m_out(std::move(out))
    , m_err(std::move(err))
    , m_readLine(std::move(readLine))
{
}

Console::~Console()
{
    beginLine();
}

Console Console::ofProcess(const QProcessEnvironment& environment, bool json, bool quiet)
{
    Settings settings;
    const bool outIsTerminal = ::isatty(STDOUT_FILENO) == 1;
    settings.outIsTerminal = outIsTerminal;
    settings.errIsTerminal = ::isatty(STDERR_FILENO) == 1;
    settings.terminal = settings.errIsTerminal && environment.value(u"TERM"_s) != u"dumb"_s;
    settings.interactive = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
    settings.colour =
        outIsTerminal && environment.value(u"NO_COLOR"_s).isEmpty() && environment.value(u"TERM"_s) != u"dumb"_s;
    const winsize size = terminalSize();
    settings.width = outIsTerminal ? size.ws_col : 0;
    settings.height = std::max<int>(2, size.ws_row);
    settings.json = json;
    settings.quiet = quiet;
    return Console(
        settings, [](QByteArrayView bytes) { writeAll(STDOUT_FILENO, bytes); },
        [](QByteArrayView bytes) { writeAll(STDERR_FILENO, bytes); }, readProcessLine);
}

void complain(const QString& program, const QString& message)
{
    Console::ofProcess({}, false, false).note(program + u": "_s + message);
}

void Console::print(const QString& line)
{
    beginLine();
    m_out(forTerminal(line, m_settings.outIsTerminal || m_settings.colour).toUtf8() + '\n');
}

void Console::bytes(QByteArrayView bytes)
{
    if (!m_settings.outIsTerminal) {
        raw(bytes);
        return;
    }
    clearLive();
    if (!m_stream)
        m_stream = std::make_unique<TerminalStream>();
    m_out(m_stream->take(bytes));
}

void Console::raw(QByteArrayView bytes)
{
    clearLive();
    m_out(bytes);
}

void Console::note(const QString& line)
{
    beginLine();
    m_err(forTerminal(line, m_settings.errIsTerminal || m_settings.terminal).toUtf8() + '\n');
}

void Console::liveLines(const QStringList& lines)
{
    if (!m_settings.terminal)
        return;
    clearLive();
    if (lines.isEmpty())
        return;
    const int width = m_settings.width > 0 ? m_settings.width : 80;
    QStringList cut;
    for (const QString& line : lines.mid(0, std::max(1, m_settings.height - 1)))
        cut += elided(oneLine(line), width - 1);
    m_err(cut.join(u'\n').toUtf8());
    m_liveLines = int(cut.size());
}

bool Console::ask(const QString& question)
{
    if (!m_settings.interactive)
        return false;
    const std::optional<QString> answer = readLine(question + u" [y/N] "_s, true);
    const QString word = answer.value_or(QString()).trimmed().toLower();
    return word == u"y"_s || word == u"yes"_s;
}

std::optional<QString> Console::readLine(const QString& prompt, bool echo)
{
    beginLine();
    if (m_settings.interactive && !prompt.isEmpty())
        m_err(forTerminal(prompt, m_settings.errIsTerminal || m_settings.terminal).toUtf8());
    return m_readLine(echo);
}

QString Console::paint(const QString& text, Role role) const
{
    return m_settings.colour ? painted(text, role) : text;
}

void Console::beginLine()
{
    if (m_stream)
        m_out(std::exchange(m_stream, nullptr)->end());
    clearLive();
}

void Console::clearLive()
{
    if (m_liveLines == 0)
        return;
    QByteArray codes = "\r";
    if (m_liveLines > 1)
        codes += "\x1b[" + QByteArray::number(m_liveLines - 1) + 'A';
    m_err(codes + "\x1b[J");
    m_liveLines = 0;
}

} // namespace app
