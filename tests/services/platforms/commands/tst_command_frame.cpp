// SPDX-License-Identifier: GPL-3.0-or-later
// What a login shell is given for a command, run by the shells of this computer, and what is read of its output.
#include "services/platforms/commands/command_frame.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;

namespace {

const QByteArray mark = "tdabc123";

struct Framed
{
    QByteArray output;
    QByteArray errors;
    int code = -2;
    FramedOutput::State state = FramedOutput::State::before;
    QByteArray noise;
    qint64 pid = 0;
};

/// By a login shell, as sshd does: `SHELL -c COMMAND`, in a session of its own.
Framed run(const QStringList& shell, const CommandLine& line, const CommandPlace& place = {},
    const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(u"setsid"_s, QStringList{u"-w"_s} + shell + QStringList{u"-c"_s, QString::fromUtf8(framedShell())});
    process.write(framedCommand(line, place, mark) + line.input);
    process.closeWriteChannel();
    if (!process.waitForFinished(20'000))
        qWarning("the shell did not end");
    FramedOutput out(mark);
    FramedOutput err(mark);
    Framed framed;
    framed.output = out.feed(process.readAllStandardOutput());
    framed.errors = err.feed(process.readAllStandardError());
    framed.code = out.exitCode();
    framed.state = out.state();
    framed.noise = out.noise();
    framed.pid = out.isGroup() ? out.pid() : -out.pid();
    return framed;
}

} // namespace

class TestCommandFrame : public QObject
{
    Q_OBJECT
private slots:
    void shells_data();
    void shells();
    void shIs_data();
    void shIs();
    void environment();
    void place();
    void cutAnywhere();
    void strangeLines();
};

void TestCommandFrame::shells_data()
{
    QTest::addColumn<QStringList>("shell");
    for (const char* name : {"sh", "bash", "dash", "busybox", "csh", "tcsh", "fish", "zsh", "ksh"}) {
        const QString path = QStandardPaths::findExecutable(QString::fromLatin1(name));
        if (!path.isEmpty())
            QTest::newRow(name) << (qstrcmp(name, "busybox") == 0 ? QStringList{path, u"sh"_s} : QStringList{path});
    }
}

void TestCommandFrame::shells()
{
    QFETCH(QStringList, shell);
    CommandLine line;
    const QString awkward = u"it's \\ ! $HOME `id`\n\"two\nlines\" * -n ~ é"_s;
    line.words = {u"sh"_s, u"-c"_s, u"cat; printf '[%s]' \"$@\"; echo oops >&2; exit 7"_s, u"x"_s, awkward, QString()};
    line.input = QByteArray("in\0put\n\nEOF without end", 22);
    const Framed framed = run(shell, line);
    QCOMPARE(framed.output, line.input + '[' + awkward.toUtf8() + "][]");
    QCOMPARE(framed.errors, QByteArray("oops\n"));
    QCOMPARE(framed.code, 7);
    QCOMPARE(framed.state, FramedOutput::State::ended);
    QVERIFY(framed.pid > 1); // it is a group of its own
}

/// The sh that runs it, whatever the login shell was.
void TestCommandFrame::shIs_data()
{
    QTest::addColumn<QString>("program");
    for (const char* name : {"bash", "dash", "busybox", "ksh"})
        QTest::newRow(name) << QStandardPaths::findExecutable(QString::fromLatin1(name));
}

void TestCommandFrame::shIs()
{
    QFETCH(QString, program);
    if (program.isEmpty())
        QSKIP("not installed");
    QTemporaryDir folder;
    QVERIFY(QFile::link(program, folder.filePath(u"sh"_s)));
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s, folder.path() + u':' + environment.value(u"PATH"_s));
    CommandLine line;
    line.words = {u"cat"_s};
    line.input = QByteArray(300'000, 'x') + "\0\n$`'"_ba;
    Framed framed = run({u"/bin/sh"_s}, line, {}, environment);
    QCOMPARE(framed.output.size(), line.input.size());
    QCOMPARE(framed.output, line.input);
    QCOMPARE(framed.code, 0);
    line.words = {u"no-such-program"_s};
    line.input.clear();
    framed = run({u"/bin/sh"_s}, line, {}, environment);
    QCOMPARE(framed.code, 127);
    line.words = {u"sh"_s, u"-c"_s, u"kill -KILL $$"_s};
    framed = run({u"/bin/sh"_s}, line, {}, environment);
    QCOMPARE(framed.code, 128 + 9);
}

void TestCommandFrame::environment()
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"SQUEUE_FORMAT"_s, u"%i"_s);
    environment.insert(u"SLURM_TIME_FORMAT"_s, u"relative"_s);
    environment.insert(u"SLURM_CONF"_s, u"/etc/slurm.conf"_s);
    environment.insert(u"SBATCH_ACCOUNT"_s, u"a\nSLURM_CONF=x\n"_s);
    environment.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
    environment.insert(u"DROPPED"_s, u"x"_s);
    CommandLine line;
    line.words = {u"sh"_s, u"-c"_s,
        u"echo \"$SQUEUE_FORMAT|$SLURM_TIME_FORMAT|$SLURM_CONF|$SBATCH_ACCOUNT|$LC_ALL|$DROPPED|$GIVEN\""_s};
    line.set[u"GIVEN"_s] = u"it's\ntwo"_s;
    line.unset = {u"DROPPED"_s};
    QCOMPARE(run({u"/bin/sh"_s}, line, {}, environment).output, QByteArray("||/etc/slurm.conf||C||it's\ntwo\n"));
    QVERIFY(isCommandOption(u"SCANCEL_STATE"_s) && !isCommandOption(u"SLURM_CONF"_s) && !isCommandOption(u"PATH"_s));
}

void TestCommandFrame::place()
{
    QTemporaryDir home;
    QVERIFY(QDir(home.path()).mkpath(u"my bin"_s));
    QFile program(home.filePath(u"my bin/sbatch"_s));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.write("#!/bin/sh\necho \"sbatch of home, $LOADED\"\n");
    program.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    program.close();
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, home.path());
    CommandLine line;
    line.words = {u"sbatch"_s};
    Framed framed =
        run({u"/bin/sh"_s}, line, {u"~/my bin"_s, u"echo loading; read x; export LOADED='it is'"_s}, environment);
    QCOMPARE(framed.output, QByteArray("sbatch of home, it is\n"));
    framed = run({u"/bin/sh"_s}, line, {u"~/my bin"_s, u"echo no such module >&2; false"_s}, environment);
    QCOMPARE(framed.state, FramedOutput::State::setupFailed);
    QCOMPARE(framed.code, 1);
    QCOMPARE(framed.output, QByteArray());
}

void TestCommandFrame::cutAnywhere()
{
    const QByteArray body = "text tdabc tdabc12 \0\n tdabc123\ntdabc123 x\n"_ba;
    const QByteArray stream = "welcome\nto " + mark + " s 1 4711\n" + body + mark + " e 3\nlogout";
    for (qsizetype size = 1; size <= stream.size(); ++size) {
        FramedOutput framed(mark);
        QByteArray output;
        for (qsizetype at = 0; at < stream.size(); at += size)
            output += framed.feed(stream.mid(at, size));
        QCOMPARE(output, body);
        QCOMPARE(framed.state(), FramedOutput::State::ended);
        QCOMPARE(framed.exitCode(), 3);
        QCOMPARE(framed.pid(), 4711);
        QCOMPARE(framed.noise(), QByteArray("welcome\nto "));
    }
    FramedOutput torn(mark);
    QCOMPARE(torn.feed(mark + " s 0 4711\ntext " + mark.left(5)), QByteArray("text "));
    QCOMPARE(torn.finish(), mark.left(5));
    QVERIFY(!torn.isGroup());
}

void TestCommandFrame::strangeLines()
{
    // A mark with other words is no mark; a name of a process that nothing may signal is none.
    FramedOutput framed(mark);
    QCOMPARE(
        framed.feed(mark + " e 0\n" + mark + " s 1\n" + mark + " s 1 1\n" + QByteArray(100'000, 'x')).size(), 100'000);
    QCOMPARE(framed.state(), FramedOutput::State::inside);
    QCOMPARE(framed.pid(), 0);
    QVERIFY(framed.noise().size() <= 2'048);
}

QTEST_GUILESS_MAIN(TestCommandFrame)
#include "tst_command_frame.moc"
