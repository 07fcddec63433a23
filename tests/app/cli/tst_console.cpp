// SPDX-License-Identifier: GPL-3.0-or-later
// The console of the process on a real terminal: nothing that comes from elsewhere controls it. And elsewhere: bytes as they are.
#include "app/cli/console.h"
#include "app/cli/table.h"
#include "app/cli/terminal_text.h"
#include "tests/fakes/test_terminal.h"

#include <QProcessEnvironment>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace app;

namespace {

QByteArray onTerminal(const std::function<void(Console&)>& work)
{
    return fakes::onTerminal([&] {
        QProcessEnvironment environment;
        environment.insert(u"TERM"_s, u"xterm"_s);
        Console console = Console::ofProcess(environment, false, false);
        work(console);
    });
}

QByteArray intoPipe(const std::function<void(Console&)>& work)
{
    return fakes::intoPipe([&] {
        Console console = Console::ofProcess({}, false, false);
        work(console);
    });
}

/// Sets the window's title, clears the screen, turns the text, writes over the line, and colours what follows.
const QString evil = u"a\x1b]0;t\x07\x1b[2J\u202e\u009b1m\rb\x1b[31m\b"_s;
const QByteArray evilShown = "a␛]0;t␇␛[2J\xef\xbf\xbd\xef\xbf\xbd"
                             "1m⏎b␛[31m␈";

} // namespace

class TestConsole : public QObject
{
    Q_OBJECT
private slots:
    void aLineCannotControlTheTerminal()
    {
        QCOMPARE(onTerminal([](Console& console) { console.print(evil); }), evilShown + '\n');
        QCOMPARE(onTerminal([](Console& console) { console.note(evil); }), evilShown + '\n');
        QCOMPARE(intoPipe([](Console& console) { console.print(evil); }), evil.toUtf8() + '\n');
        QCOMPARE(intoPipe([](Console& console) { console.note(evil); }), evil.toUtf8() + '\n');
    }

    void severalLinesStaySo()
    {
        QCOMPARE(onTerminal([](Console& console) { console.note(u"a\r\nb\n  c"_s); }), QByteArray("a\nb\n  c\n"));
    }

    void oursAreColours()
    {
        const auto work = [](Console& console) {
            console.print(console.paint(u"x\x1b[5m"_s, Role::bad) + u" y"_s);
            for (const QString& line :
                tableLines({{u"\x1b[2J"_s}}, {{Cell(u"FAILED\a"_s, Role::bad)}}, 80, console.settings().colour))
                console.print(line);
            for (const QString& line :
                pairLines({{u"\x1b[2Jn"_s, Cell(u"v\a"_s, Role::good)}}, console.settings().colour))
                console.print(line);
        };
        QCOMPARE(onTerminal(work),
            QByteArray("\x1b[31mx␛[5m\x1b[0m y\n\x1b[2m␛[2J\x1b[0m\n\x1b[31mFAILED␇\x1b[0m\n"
                       "\x1b[2m␛[2Jn  \x1b[0m\x1b[32mv␇\x1b[0m\n"));
    }

    void aComplaintOfTheProgram()
    {
        QCOMPARE(fakes::onTerminal([] { complain(u"trialdeck"_s, evil); }), "trialdeck: " + evilShown + '\n');
        QCOMPARE(fakes::intoPipe([] { complain(u"trialdeck"_s, evil); }), "trialdeck: " + evil.toUtf8() + '\n');
    }

    void aQuestionAndALiveLine()
    {
        const QByteArray asked = onTerminal([](Console& console) {
            console.live(u"x\n\x1b[2J"_s);
            console.live({});
        });
        QCOMPARE(asked, QByteArray("x⏎␛[2J\r\x1b[J"));
    }

    void piecesOfAnySize_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const QByteArray good = "\xe2\x9c\x93 größe \xf0\x9f\x9a\x80 \x1b[1;31mred\x1b[0m\n";
        QTest::newRow("good") << good << good;
        // A character that is cut, as at the end of a part of a log, takes nothing of what stands behind it.
        QTest::newRow("cut") << QByteArray("a\xd9:01]\xe2\x82\nb\xf0\x9f\x9a")
                             << QByteArray("a?:01]??\nb???").replace("?", "\xef\xbf\xbd");
    }
    void piecesOfAnySize()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        for (qsizetype size = 1; size <= text.size(); ++size) {
            TerminalStream stream;
            QByteArray shownText;
            for (qsizetype at = 0; at < text.size(); at += size)
                shownText += stream.take(text.mid(at, size));
            QCOMPARE(shownText + stream.end(), expected);
        }
    }

    void whatATrialPrinted()
    {
        // A progress bar and colours are what they were.
        const QByteArray fine = "1 %\r2 %\r\n\t\x1b[1;31mred\x1b[0m größer\n";
        QCOMPARE(onTerminal([&](Console& console) { console.bytes(fine); }), fine);
        const auto bad = [](Console& console) {
            console.bytes("\x1b[2J\x1b]0;t\x07\x1b[3");
            console.bytes("1mx\x1b[99999999999999999999999m\xc2");
            console.bytes("\x9b\xff\x1b[");
        };
        // The colour is ended, so that it does not run into what follows.
        QCOMPARE(onTerminal(bad),
            QByteArray("␛[2J␛]0;t␇\x1b[31mx␛[99999999999999999999999m\xef\xbf\xbd\xef\xbf\xbd␛[\x1b[0m"));
        QCOMPARE(
            intoPipe(bad), QByteArray("\x1b[2J\x1b]0;t\x07\x1b[31mx\x1b[99999999999999999999999m\xc2\x9b\xff\x1b["));
    }
};

QTEST_GUILESS_MAIN(TestConsole)
#include "tst_console.moc"
