// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/json.h"
#include "services/trial/raw_json.h"
#include "services/trial/trial_command.h"

#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trial;

class TestTrialCommand : public QObject
{
    Q_OBJECT

private slots:
    void render_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QByteArray>("parameters");
        QTest::addColumn<QString>("rendered");
        const QByteArray p = "{\"lr\": 1e-4, \"batch\": 32, \"opt\": \"adam\", \"note\": \"it's a \\\"b\\\" $HOME "
                             "`x`\", \"flag\": true, "
                             "\"none\": null, \"net\": {\"layers\": [1, 2],\n \"name\": \"a b\"}, \"empty\": \"\", "
                             "\"neg\": -0.50, \"nan\": NaN}";
        const auto row = [&](const char* name, const QString& command, const QString& rendered) {
            QTest::newRow(name) << command << p << rendered;
        };
        row("numbers as written", u"train --lr {lr} --x={neg}"_s, u"train --lr 1e-4 --x=-0.50"_s);
        row("simple words bare", u"train {opt} {batch} {flag} {none} {nan}"_s, u"train adam 32 true null NaN"_s);
        row("quoted", u"train {note}"_s, u"train 'it'\\''s a \"b\" $HOME `x`'"_s);
        row("empty", u"train {empty}"_s, u"train ''"_s);
        row("nested", u"train {net}"_s, u"train '{\"layers\":[1,2],\"name\":\"a b\"}'"_s);
        row("not parameters", u"awk '{print $1}' a{b,c} {unknown} ${lr} ${HOME}"_s,
            u"awk '{print $1}' a{b,c} {unknown} ${lr} ${HOME}"_s);
        row("in single quotes", u"python -c 'print({lr}, \"{note}\")'"_s,
            u"python -c 'print(1e-4, \"it'\\''s a \"b\" $HOME `x`\")'"_s);
        row("in double quotes", u"echo \"lr={lr} {note}\""_s, u"echo \"lr=1e-4 it's a \\\"b\\\" \\$HOME \\`x\\`\""_s);
        row("in a substitution in quotes", u"echo \"$(cat {opt} \"{note}\" {note})\""_s,
            u"echo \"$(cat adam \"it's a \\\"b\\\" \\$HOME \\`x\\`\" 'it'\\''s a \"b\" $HOME `x`')\""_s);
        row("after an escaped quote", u"echo \\' {note}"_s, u"echo \\' 'it'\\''s a \"b\" $HOME `x`'"_s);
        row("after a comment", u"# it's {lr}\necho {empty}"_s, u"# it's {lr}\necho ''"_s);
        row("open brace at the end", u"echo {lr} {"_s, u"echo 1e-4 {"_s);
        row("brace in brace", u"echo {{lr}}"_s, u"echo {1e-4}"_s);
        QTest::newRow("args") << u"python3 t.py {args}"_s
                              << QByteArray("{\"lr\": 1E-4, \"opt\": \"a b\", \"d\": {\"x\": 1}, \"my key\": true}")
                              << u"python3 t.py --lr 1E-4 --opt 'a b' --d '{\"x\":1}' '--my key' true"_s;
        QTest::newRow("no args") << u"t {args} ${args}"_s << QByteArray("{}") << u"t  ${args}"_s;
        QTest::newRow("a parameter called args") << u"t {args}"_s << QByteArray("{\"args\": 5}") << u"t 5"_s;
        QTest::newRow("not an object") << u"t {lr} {args}"_s << QByteArray("[1]") << u"t {lr} "_s;
        QTest::newRow("cut") << u"t {lr}"_s << QByteArray("{\"lr\": 1") << u"t {lr}"_s;
        QTest::newRow("twice") << u"t {lr}"_s << QByteArray("{\"lr\": 1, \"lr\": 2}") << u"t 2"_s;
        QTest::newRow("escaped name") << u"t {lr}"_s << QByteArray("{\"l\\u0072\": 1}") << u"t 1"_s;
        QTest::newRow("value is not rendered again")
            << u"t {a} {b}"_s << QByteArray("{\"a\": \"{b}\", \"b\": 1}") << u"t '{b}' 1"_s;
        QTest::newRow("unicode") << u"t {a}"_s << QByteArray("{\"a\": \"gr\xc3\xbc\xc3\x9f\"}") << u"t 'grüß'"_s;
        QTest::newRow("assignment-like") << u"{a} t"_s << QByteArray("{\"a\": \"PATH=/x\"}") << u"'PATH=/x' t"_s;
    }
    void render()
    {
        QFETCH(QString, command);
        QFETCH(QByteArray, parameters);
        QFETCH(QString, rendered);
        const auto got = renderCommand(command, parameters);
        QVERIFY(got);
        QCOMPARE(*got, rendered);
    }

    void nulIsRefused()
    {
        const auto got = renderCommand(u"t {a}"_s, "{\"a\": \"x\\u0000y\"}");
        QVERIFY(!got);
        QCOMPARE(got.error().kind, Kind::invalid);
        QVERIFY(got.error().message.contains(u"The parameter a"_s));
    }

    void theShellSeesTheValue_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("bare") << u"printf %s {v}"_s;
        QTest::newRow("single") << u"printf %s '{v}'"_s;
        QTest::newRow("double") << u"printf %s \"{v}\""_s;
        QTest::newRow("substitution") << u"printf %s \"$(printf %s \"{v}\")\""_s;
        QTest::newRow("substitution, bare") << u"printf %s \"$(printf %s {v})\""_s;
    }
    void theShellSeesTheValue()
    {
        QFETCH(QString, command);
        for (const char* text : {"plain", "a b", "it's", "\"", "$(touch x)", "`id`", "\\", "\\\\n", "$HOME",
                 "';rm -rf x;'", "*", "~", "#", "-n", "!x", "{lr}", "a\tb", "é"}) {
            const QByteArray json = dumpJson(Json{{"v", text}});
            const auto rendered = renderCommand(command, json);
            QVERIFY(rendered);
            QProcess shell;
            shell.start(u"/bin/sh"_s, {u"-c"_s, *rendered});
            QVERIFY(shell.waitForFinished());
            QCOMPARE(shell.readAllStandardOutput(), QByteArray(text));
        }
    }

    void interpreter_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("interpreter");
        QTest::addColumn<QString>("result");
        const auto row = [](const QString& command, const QString& interpreter, const QString& result) {
            QTest::newRow(qPrintable(command + u" / "_s + interpreter)) << command << interpreter << result;
        };
        row(u"python train.py"_s, u"/opt/env/bin/python"_s, u"/opt/env/bin/python train.py"_s);
        row(u"python3 -u train.py"_s, u"/opt/my env/python"_s, u"'/opt/my env/python' -u train.py"_s);
        row(u"python3.11 train.py"_s, u"~/env/bin/python"_s, u"~/env/bin/python train.py"_s);
        row(u"train.py --lr 1"_s, u"python3.9"_s, u"python3.9 train.py --lr 1"_s);
        row(u"./a/train.py"_s, u"py"_s, u"py ./a/train.py"_s);
        row(u"'my train.py' x"_s, u"py"_s, u"'my train.py' x"_s); // a word with a blank is left alone
        row(u"OMP_NUM_THREADS=4 B='x y' python train.py"_s, u"py"_s, u"OMP_NUM_THREADS=4 B='x y' py train.py"_s);
        row(u"  python"_s, u"py"_s, u"  py"_s);
        row(u"cd x && python train.py"_s, u"py"_s, u"cd x && python train.py"_s);
        row(u"pythonista x"_s, u"py"_s, u"pythonista x"_s);
        row(u"python-config"_s, u"py"_s, u"python-config"_s);
        row(u"/usr/bin/python3 x"_s, u"py"_s, u"/usr/bin/python3 x"_s); // named on purpose
        row(u"python train.py"_s, u" "_s, u"python train.py"_s);
        row(QString(), u"py"_s, QString());
        row(u"python;ls"_s, u"py"_s, u"py;ls"_s);
    }
    void interpreter()
    {
        QFETCH(QString, command);
        QFETCH(QString, interpreter);
        QFETCH(QString, result);
        QCOMPARE(withInterpreter(command, interpreter), result);
    }

    void parameterFile()
    {
        const QByteArray parameters = "{ \"lr\" :1e-4,\"x\":NaN, \"s\": \"\\u00e9\" }";
        const QByteArray cfg = parameterCfg(7, parameters);
        QCOMPARE(cfg,
            "{\"parameter_id\": 7, \"parameter_source\": \"algorithm\", \"parameters\": { \"lr\" :1e-4,\"x\":NaN, "
            "\"s\": \"\\u00e9\" }, "
            "\"parameter_index\": 0}");
        QCOMPARE(*innerParameters(cfg), parameters);
        QCOMPARE(parameterCfg(0, "", 3),
            "{\"parameter_id\": 0, \"parameter_source\": \"algorithm\", \"parameters\": {}, \"parameter_index\": 3}");
        QCOMPARE(*innerParameters("{\"parameters\":5,\"z\":[NaN]}"), "5");
        QVERIFY(!innerParameters("{\"lr\": 1}"));
        QVERIFY(!innerParameters("{\"parameters\": {\"a\": 1}"));
        QVERIFY(!innerParameters("nonsense"));
    }
};

QTEST_GUILESS_MAIN(TestTrialCommand)
#include "tst_trial_command.moc"
