// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/transport/agent_bootstrap.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace transport;

namespace {

constexpr int patienceMs = 20'000;

/// What a start came to.
struct Outcome
{
    AgentBootstrap::Event last = AgentBootstrap::Event::none;
    bool sent = false;
    Error error;
    QByteArray output; ///< of the agent
    QString errors;    ///< standard error of all
};

} // namespace

/// The command itself, run by shells of this computer, with a script in place of the agent.
class TestAgentBootstrap : public QObject
{
    Q_OBJECT
private slots:
    void init();

    void everyShellPassesTheCommandOn();
    void bringsAndRuns_data();
    void bringsAndRuns();
    void aDamagedAgentIsSentAgain_data();
    void aDamagedAgentIsSentAgain();
    void refusesWhatOthersCanChange_data();
    void refusesWhatOthersCanChange();
    void acceptsWhatOthersCannotChange_data();
    void acceptsWhatOthersCannotChange();
    void writesNothingBelowAFolderOfOthers();
    void setupRunsWhereTheLoginBegan();
    void setupMayUseAnyName_data();
    void setupMayUseAnyName();
    void marksBehindALongLine_data();
    void marksBehindALongLine();
    void refusalsAreSentences_data();
    void refusalsAreSentences();

private:
    Outcome start(const QString& base, const QByteArray& setup = {}, const QString& shell = u"sh"_s);
    bool shell(const QByteArray& commands);
    [[nodiscard]] QString path(const QString& name) const { return m_dir->filePath(name); }
    /// The folder of the agent's program below `base`.
    [[nodiscard]] QString version(const QString& base) const;

    std::unique_ptr<QTemporaryDir> m_dir;
    QByteArray m_program;
    QByteArray m_hash;
};

void TestAgentBootstrap::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_program =
        "#!/bin/sh\n[ \"$1\" = --version ] || { echo \"$d $z\" >\"$HOME/environment\"; echo \"agent $1 $2\"; }\n";
    m_hash = QCryptographicHash::hash(m_program, QCryptographicHash::Sha256).toHex();
    QVERIFY(QDir(m_dir->path()).mkdir(u"home"_s));
    QFile file(path(u"program"_s));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(m_program) == m_program.size());
}

QString TestAgentBootstrap::version(const QString& base) const
{
    const QStringList versions = QDir(base + u"/bin"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return versions.size() == 1 ? base + u"/bin/"_s + versions[0] : QString();
}

/// Runs shell commands in the test's folder; b is the agent's base, d the folder of its program.
bool TestAgentBootstrap::shell(const QByteArray& commands)
{
    const QString base = path(u"up/base"_s);
    QProcess process;
    process.setWorkingDirectory(m_dir->path());
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(
        u"sh"_s, {u"-ec"_s, u"b=\"%1\" d=\"%2\"\n%3"_s.arg(base, version(base), QString::fromLatin1(commands))});
    return process.waitForFinished(patienceMs) && process.exitCode() == 0;
}

/// `shell`: what `sh` is; "busybox" means that nothing but busybox is there.
Outcome TestAgentBootstrap::start(const QString& base, const QByteArray& setup, const QString& shell)
{
    QList<KeeperFile> keepers;
    for (const QString& arch : {u"x86_64"_s, u"aarch64"_s})
        keepers += KeeperFile{arch, path(u"program"_s), m_hash, m_program.size()};
    AgentBootstrap bootstrap(keepers, AgentPlace{base, {}, QString::fromUtf8(setup)}, "nonce");
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, path(u"home"_s));
    if (shell != u"sh"_s) {
        const QString program = QStandardPaths::findExecutable(shell);
        const QDir tools(path(u"tools"_s));
        tools.mkpath(u"."_s);
        QStringList names{u"sh"_s};
        if (shell == u"busybox"_s) {
            QProcess list;
            list.start(program, {u"--list"_s});
            list.waitForFinished(patienceMs);
            names = QString::fromLatin1(list.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
        }
        for (const QString& name : names)
            QFile::link(program, tools.filePath(name));
        environment.insert(
            u"PATH"_s, shell == u"busybox"_s ? tools.path() : tools.path() + u':' + environment.value(u"PATH"_s));
    }
    Outcome outcome;
    QProcess process;
    process.setWorkingDirectory(path(u"home"_s));
    process.setProcessEnvironment(environment);
    process.start(QStandardPaths::findExecutable(u"sh"_s, environment.value(u"PATH"_s).split(u':')),
        {u"-c"_s, QString::fromUtf8(bootstrap.command())});
    process.write(bootstrap.preamble());
    QByteArray bytes;
    while (outcome.last != AgentBootstrap::Event::run && outcome.last != AgentBootstrap::Event::failed) {
        outcome.last = bootstrap.feed(bytes);
        bytes.clear();
        if (outcome.last == AgentBootstrap::Event::send)
            process.write(m_program);
        if (outcome.last == AgentBootstrap::Event::none) {
            if (!process.waitForReadyRead(patienceMs))
                break;
            bytes = process.readAllStandardOutput();
        }
    }
    process.closeWriteChannel();
    process.waitForFinished(patienceMs);
    outcome.sent = bootstrap.sent();
    outcome.error = bootstrap.error();
    outcome.output = bootstrap.takeRest() + process.readAllStandardOutput();
    outcome.errors = QString::fromUtf8(process.readAllStandardError());
    return outcome;
}

void TestAgentBootstrap::everyShellPassesTheCommandOn()
{
    const AgentBootstrap bootstrap(
        {KeeperFile{u"x86_64"_s, {}, m_hash, 1'200'000}, KeeperFile{u"aarch64"_s, {}, m_hash, 1'100'000}}, {}, "nonce");
    const QByteArray command = bootstrap.command();
    QVERIFY(command.startsWith("exec sh -c '") && command.endsWith('\''));
    const QByteArray script = command.mid(12, command.size() - 13);
    for (const char special : {'\'', '\\', '!', '\n'})
        QVERIFY2(!script.contains(special), command.constData());
    // What old csh takes as one word, and far below what a command line may have.
    QVERIFY2(command.size() < 2'200, qPrintable(QString::number(command.size())));
}

void TestAgentBootstrap::bringsAndRuns_data()
{
    QTest::addColumn<QString>("shell");
    for (const char* shell : {"sh", "dash", "bash", "zsh", "busybox"})
        QTest::newRow(shell) << QString::fromLatin1(shell);
}

void TestAgentBootstrap::bringsAndRuns()
{
    QFETCH(QString, shell);
    if (QStandardPaths::findExecutable(shell).isEmpty())
        QSKIP("this shell is not installed");
    struct Case
    {
        QString given, base;
    };
    for (const Case& each :
        {Case{{}, path(u"home/.local/share/trialdeck-agent"_s)}, Case{u"~/deep/er"_s, path(u"home/deep/er"_s)},
            Case{path(u"with space/a"_s) + u'/', path(u"with space/a"_s)}}) {
        for (const bool sent : {true, false}) {
            const Outcome outcome = start(each.given, {}, shell);
            QVERIFY2(outcome.last == AgentBootstrap::Event::run, qPrintable(outcome.error.message + outcome.errors));
            QCOMPARE(outcome.sent, sent);
            QCOMPARE(outcome.output, "agent host " + each.base.toUtf8() + '\n');
            QCOMPARE(outcome.errors, QString());
        }
        for (const QString& folder : {each.base, each.base + u"/bin"_s, version(each.base)})
            QCOMPARE(QFileInfo(folder).permissions() & QFile::Permissions(0x77), QFile::Permissions());
        QCOMPARE(QDir(version(each.base)).entryList(QDir::Files | QDir::Hidden), QStringList{u"trialkeeper"_s});
    }
}

void TestAgentBootstrap::aDamagedAgentIsSentAgain_data()
{
    QTest::addColumn<QByteArray>("damage");
    QTest::newRow("another program") << QByteArray("echo 'touch \"$0.ran\"' >$d/trialkeeper");
    QTest::newRow("a longer one") << QByteArray("echo 'touch \"$0.ran\"' >>$d/trialkeeper");
    QTest::newRow("empty") << QByteArray(": >$d/trialkeeper");
    QTest::newRow("not executable") << QByteArray("chmod 600 $d/trialkeeper");
    QTest::newRow("gone") << QByteArray("rm $d/trialkeeper");
}

void TestAgentBootstrap::aDamagedAgentIsSentAgain()
{
    QFETCH(QByteArray, damage);
    const QString base = path(u"up/base"_s);
    QCOMPARE(start(base).last, AgentBootstrap::Event::run);
    QVERIFY(shell(damage));
    const Outcome outcome = start(base);
    QVERIFY2(outcome.last == AgentBootstrap::Event::run, qPrintable(outcome.error.message + outcome.errors));
    QVERIFY(outcome.sent);
    QCOMPARE(outcome.output, "agent host " + base.toUtf8() + '\n');
    QCOMPARE(QDir(version(base)).entryList(QDir::Files | QDir::Hidden), QStringList{u"trialkeeper"_s});
}

void TestAgentBootstrap::refusesWhatOthersCanChange_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<QString>("folder"); ///< that the sentence names, below the test's folder; %1 is the program's
    QTest::addColumn<QString>("says");
    QTest::addColumn<bool>("byRoot");
    const auto row = [](const char* name, const char* change, const QString& folder, const QString& says) {
        QTest::newRow(name) << QByteArray(change) << folder << says << QByteArray(change).contains("chown");
    };
    row("base of another", "chown 65534 $b", u"up/base"_s, u"belongs to nobody (user 65534)"_s);
    row("base of nobody known", "chown 54321 $b", u"up/base"_s, u"belongs to user 54321"_s);
    row("bin of another", "chown 65534 $b/bin", u"up/base/bin"_s, u"belongs to nobody (user 65534)"_s);
    row("version of another", "chown 65534 $d", u"%1"_s, u"belongs to nobody (user 65534)"_s);
    row("program of another", "chown 65534 $d/trialkeeper", u"%1/trialkeeper"_s, u"belongs to nobody (user 65534)"_s);
    row("parent of another", "chown 65534 up", u"up"_s, u"belongs to nobody (user 65534)"_s);
    row("base for the group", "chmod 770 $b", u"up/base"_s, u"chmod go-w"_s);
    row("base for all", "chmod 707 $b", u"up/base"_s, u"chmod go-w"_s);
    row("base like /tmp", "chmod 1777 $b", u"up/base"_s, u"chmod go-w"_s);
    row("bin for the group", "chmod 770 $b/bin", u"up/base/bin"_s, u"chmod go-w"_s);
    row("version for all", "chmod 702 $d", u"%1"_s, u"chmod go-w"_s);
    row("program for the group", "chmod 720 $d/trialkeeper", u"%1/trialkeeper"_s, u"chmod go-w"_s);
    row("parent for all", "chmod 777 up", u"up"_s, u"chmod go-w"_s);
    row("base is a link", "mv $b other; ln -s ../other $b", u"up/base"_s, u"symbolic link"_s);
    row("bin is a link", "mv $b/bin other; ln -s ../../other $b/bin", u"up/base/bin"_s, u"symbolic link"_s);
    row("version is a link", "mv $d other; ln -s ../../../other $d", u"%1"_s, u"symbolic link"_s);
    row("program is a link", "mv $d/trialkeeper other; ln -s ../../../../other $d/trialkeeper", u"%1/trialkeeper"_s,
        u"symbolic link"_s);
    row("program is a folder", "rm $d/trialkeeper; mkdir -m 700 $d/trialkeeper", u"%1/trialkeeper"_s, u"drwx------"_s);
    row("program is a pipe", "rm $d/trialkeeper; mkfifo -m 700 $d/trialkeeper", u"%1/trialkeeper"_s, u"prw"_s);
}

void TestAgentBootstrap::refusesWhatOthersCanChange()
{
    QFETCH(QByteArray, change);
    QFETCH(QString, folder);
    QFETCH(QString, says);
    QFETCH(bool, byRoot);
    if (byRoot && ::getuid() != 0)
        QSKIP("a second user needs root");
    for (const QString& shell : {u"sh"_s, u"bash"_s, u"busybox"_s}) {
        if (QStandardPaths::findExecutable(shell).isEmpty())
            continue;
        init();
        const QString base = path(u"up/base"_s);
        QCOMPARE(start(base).last, AgentBootstrap::Event::run);
        const QString named =
            path(folder.contains(u"%1"_s) ? folder.arg(version(base).mid(m_dir->path().size() + 1)) : folder);
        QVERIFY(this->shell(change));
        const Outcome outcome = start(base, {}, shell);
        QVERIFY2(outcome.last == AgentBootstrap::Event::failed, outcome.output + outcome.errors.toUtf8());
        QVERIFY(!outcome.sent);
        QCOMPARE(outcome.output, QByteArray());
        QCOMPARE(outcome.error.kind, Kind::invalid);
        QVERIFY2(outcome.error.message.startsWith(named + u' ') && outcome.error.message.contains(says)
                && outcome.error.message.contains(u"scratchDir"_s),
            qPrintable(outcome.error.message));
    }
}

void TestAgentBootstrap::acceptsWhatOthersCannotChange_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::newRow("parent like /tmp") << QByteArray("chmod 1777 up");
    QTest::newRow("parent of a group") << QByteArray("chmod 775 up"); // a umask of 002
    QTest::newRow("parent is a link") << QByteArray("mv up other; ln -s other up");
    QTest::newRow("readable for all") << QByteArray("chmod 755 $b $b/bin $d $d/trialkeeper");
}

void TestAgentBootstrap::acceptsWhatOthersCannotChange()
{
    QFETCH(QByteArray, change);
    const QString base = path(u"up/base"_s);
    QCOMPARE(start(base).last, AgentBootstrap::Event::run);
    QVERIFY(shell(change));
    const Outcome outcome = start(base);
    QVERIFY2(outcome.last == AgentBootstrap::Event::run, qPrintable(outcome.error.message));
    QVERIFY(!outcome.sent);
    QCOMPARE(outcome.output, "agent host " + base.toUtf8() + '\n');
}

void TestAgentBootstrap::writesNothingBelowAFolderOfOthers()
{
    QVERIFY(shell("mkdir -m 777 up"));
    QCOMPARE(start(path(u"up/a/base"_s)).error.kind, Kind::invalid);
    QVERIFY(shell("chmod 755 up; mkdir -m 777 up/base"));
    QCOMPARE(start(path(u"up/base"_s)).error.kind, Kind::invalid);
    QVERIFY(shell("chmod 755 up/base; mkdir other; ln -s ../../other up/base/bin"));
    QCOMPARE(start(path(u"up/base"_s)).error.kind, Kind::invalid);
    QVERIFY(shell("[ \"$(find up other | sort | tr '\\n' ' ')\" = 'other up up/base up/base/bin ' ]"));
}

void TestAgentBootstrap::setupRunsWhereTheLoginBegan()
{
    QVERIFY(shell("echo 'echo hello >seen; cd /' >home/profile"));
    const Outcome outcome = start(path(u"up/base"_s), ". ./profile");
    QVERIFY2(outcome.last == AgentBootstrap::Event::run, qPrintable(outcome.error.message + outcome.errors));
    QCOMPARE(outcome.output, "agent host " + path(u"up/base"_s).toUtf8() + '\n');
    QVERIFY(QFile::exists(path(u"home/seen"_s)));
}

void TestAgentBootstrap::setupMayUseAnyName_data()
{
    QTest::addColumn<QString>("shell");
    for (const QString& shell : {u"sh"_s, u"bash"_s, u"dash"_s, u"busybox"_s}) {
        if (shell == u"sh" || !QStandardPaths::findExecutable(shell).isEmpty())
            QTest::newRow(qPrintable(shell)) << shell;
    }
}

void TestAgentBootstrap::setupMayUseAnyName()
{
    QFETCH(QString, shell);
    // What it leaves behind changes neither which program is run, nor what is checked of it, nor what it exports itself.
    QVERIFY(this->shell(
        "echo 'b=/nope; o=/nope; f=/nope; m=nope; u=4321; s=nope; t=/nope; q=/nope; e=nope; k=nope; x=nope\n"
        "say() { echo nope; }; die() { echo nope; }; chk() { return 1; }; par() { return 1; }\n"
        "IFS=-; set -eu; export d=/data z=zed' >home/profile"));
    const Outcome outcome = start(path(u"up/base"_s), ". ./profile", shell);
    QVERIFY2(outcome.last == AgentBootstrap::Event::run, qPrintable(outcome.error.message + outcome.errors));
    QCOMPARE(outcome.output, "agent host " + path(u"up/base"_s).toUtf8() + '\n');
    QFile environment(path(u"home/environment"_s));
    QVERIFY(environment.open(QIODevice::ReadOnly));
    QCOMPARE(environment.readAll(), QByteArray("/data zed\n"));
}

void TestAgentBootstrap::marksBehindALongLine_data()
{
    QTest::addColumn<int>("cut");
    for (const int cut : {0, 1, 15, 16, 17, 20, 29})
        QTest::addRow("%d", cut) << cut;
}

/// A login shell prints much without an end of line, and the line that follows comes in two pieces.
void TestAgentBootstrap::marksBehindALongLine()
{
    QFETCH(int, cut);
    AgentBootstrap bootstrap({}, {}, "nonce");
    const QByteArray line = "trialdeck-nonce run x86_64 v2\n";
    QCOMPARE(bootstrap.feed(QByteArray(20'000, '.') + line.left(cut)), AgentBootstrap::Event::none);
    QCOMPARE(bootstrap.feed(line.mid(cut)), AgentBootstrap::Event::run);
    QCOMPARE(bootstrap.arch(), u"x86_64 v2"_s);
    QCOMPARE(bootstrap.takeRest(), QByteArray());
}

void TestAgentBootstrap::refusalsAreSentences_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("says");
    const QString otherwise = u", or choose another folder with scratchDir."_s;
    const QString owner =
        u", not to this account or root, so what lies there could be anybody's. Have it removed or given to this account (chown)"_s;
    QTest::newRow("owner") << QByteArray("/a b/c owner:1001:ada")
                           << u"/a b/c belongs to ada (user 1001)"_s + owner + otherwise;
    QTest::newRow("owner without a name")
        << QByteArray("/a owner:1001:1001") << u"/a belongs to user 1001"_s + owner + otherwise;
    QTest::newRow("mode")
        << QByteArray("/a mode:drwxrwxr-x+")
        << u"/a can be changed by other users (drwxrwxr-x+), so what lies there could be anybody's. Take that "
           "away (chmod go-w '/a')"_s
            + otherwise;
    QTest::newRow("link") << QByteArray("/a mode:lrwxrwxrwx")
                          << u"/a is a symbolic link; from the agent's folder on there must be none. Remove it"_s
            + otherwise;
    QTest::newRow("neither file nor folder")
        << QByteArray("/a mode:prw-------")
        << u"/a is in the way of the agent: it is not what belongs there (prw-------). Remove it"_s + otherwise;
}

void TestAgentBootstrap::refusalsAreSentences()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, says);
    AgentBootstrap bootstrap({}, {}, "nonce");
    QCOMPARE(bootstrap.feed("trialdeck-nonce fail strict " + line + '\n'), AgentBootstrap::Event::failed);
    QCOMPARE(bootstrap.error().message, says);
    QCOMPARE(bootstrap.error().kind, Kind::invalid);
}

QTEST_GUILESS_MAIN(TestAgentBootstrap)
#include "tst_agent_bootstrap.moc"
