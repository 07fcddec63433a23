// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace app;

class TestManual : public QObject
{
    Q_OBJECT
private slots:
    void everyVerbAndOption();
    void everyLineIsOne();
};

static QString plain(QString page)
{
    return page.replace(u"\\-"_s, u"-"_s)
        .replace(u"\\fB"_s, QString())
        .replace(u"\\fR"_s, QString())
        .replace(u"\\e"_s, u"\\"_s);
}

void TestManual::everyVerbAndOption()
{
    const QStringList page = plain(manualPage(u"1.2.3"_s)).split(u'\n');
    QVERIFY(page.contains(uR"(.TH TRIALDECK 1 "" "Trialdeck 1.2.3" "User Commands")"_s));
    const auto has = [&](const QString& start) {
        return std::any_of(page.begin(), page.end(), [&](const QString& line) { return line.startsWith(start); });
    };
    const auto hasOptions = [&](const std::vector<OptionSpec>& options) {
        for (const OptionSpec& option : options) {
            const QString name = u"--"_s + text(option.name);
            const QString line = option.letter ? u"-%1, %2"_s.arg(QLatin1Char(option.letter)).arg(name) : name;
            QVERIFY2(has(line), qPrintable(line));
        }
    };
    for (const VerbSpec& verb : verbTable()) {
        QVERIFY2(has(u".SS "_s + text(verb.name)), verb.name);
        hasOptions(verb.options);
    }
    hasOptions(programOptions());
    hasOptions(globalOptions());
}

/// A line that begins with a dot is a macro that man(7) knows, whatever a text begins with; only known escapes are there.
void TestManual::everyLineIsOne()
{
    static const QRegularExpression macro(u"^\\.(\\\\\"|TH|SH|SS|TP|PP|B|I|br|nf|fi)( |$)"_s);
    static const QRegularExpression escape(u"\\\\(?!-|fB|fI|fR|e|&|\"|\\[u[0-9A-F]{4}\\])"_s);
    const QString page = manualPage(u"1"_s);
    for (const QString& line : page.split(u'\n')) {
        QVERIFY2(!line.startsWith(u'\''), qPrintable(line));
        QVERIFY2(!line.startsWith(u'.') || macro.match(line).hasMatch(), qPrintable(line));
        QVERIFY2(!escape.match(line).hasMatch(), qPrintable(line));
        for (const QChar c : line)
            QVERIFY2(c.unicode() < 127, qPrintable(line)); // old man programs know no other
    }
}

QTEST_APPLESS_MAIN(TestManual)
#include "tst_manual.moc"
