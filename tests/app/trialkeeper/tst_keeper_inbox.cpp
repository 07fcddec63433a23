// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

/// Code that is sent into a container: `trialkeeper pod receive` and `unpack`, as a cluster starts them.
class TestKeeperInbox : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void codeComesInWhileOneWaits();
    void codeThatIsThereBefore();
    void inputThatIsNotClosed();
    void anArchiveThatBreaksOff();
    void twoAtOnce();
    void whatWasLeftByOneThatDied();
    void refusedArchives_data();
    void refusedArchives();
    void sigtermEndsTheWaiting();
    void aFolderThatIsNone();

private:
    std::unique_ptr<QProcess> start(const QString& verb) const
    {
        auto process = std::make_unique<QProcess>();
        process->start(QString::fromLatin1(TESTED_KEEPER), {u"pod"_s, verb, inbox()});
        if (!process->waitForStarted())
            qFatal("the keeper does not start");
        return process;
    }
    /// The exit code; -1: it does not end.
    static int end(QProcess& process)
    {
        return process.state() == QProcess::NotRunning || process.waitForFinished(20'000)
            ? (process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2)
            : -1;
    }
    int unpack(const QByteArray& tar) const
    {
        const auto process = start(u"unpack"_s);
        process->write(tar);
        process->closeWriteChannel();
        return end(*process);
    }
    [[nodiscard]] QString inbox() const { return m_folder->path() + u"/inbox"_s; }
    [[nodiscard]] bool isWhole() const
    {
        QFile file(inbox() + u"/code/sub/train.py"_s);
        return file.open(QIODevice::ReadOnly) && file.readAll() == "print(1)\n";
    }
    /// A tar of the folder with these options of tar.
    QByteArray packed(const QStringList& words) const
    {
        QProcess tar;
        tar.start(u"tar"_s, QStringList{u"-C"_s, m_folder->path() + u"/src"_s, u"-cf"_s, u"-"_s} + words);
        return tar.waitForFinished() && tar.exitCode() == 0 ? tar.readAllStandardOutput() : QByteArray();
    }
    [[nodiscard]] QByteArray code() const { return packed({u"."_s}); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestKeeperInbox::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QDir root(m_folder->path());
    QVERIFY(root.mkpath(u"src/sub"_s) && root.mkpath(u"inbox"_s));
    QFile file(root.filePath(u"src/sub/train.py"_s));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("print(1)\n") > 0);
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
}

void TestKeeperInbox::codeComesInWhileOneWaits()
{
    const auto waiting = start(u"receive"_s);
    QVERIFY(!waiting->waitForFinished(200));
    QCOMPARE(unpack(code()), 0);
    QCOMPARE(end(*waiting), 0);
    QVERIFY(isWhole());
    // The trial may write into its code.
    QVERIFY(QFileInfo(inbox() + u"/code/sub/train.py"_s).isWritable());
    QVERIFY(QFileInfo(inbox() + u"/code/sub/train.py"_s).isExecutable());
    QVERIFY(!QFileInfo::exists(inbox() + u"/part"_s));
}

void TestKeeperInbox::codeThatIsThereBefore()
{
    QCOMPARE(unpack(code()), 0);
    QCOMPARE(unpack("what comes then is not read"), 0);
    QCOMPARE(end(*start(u"receive"_s)), 0);
    QVERIFY(isWhole());
}

void TestKeeperInbox::inputThatIsNotClosed()
{
    // Older clusters cannot end an input: the archive itself says where it ends.
    const auto waiting = start(u"receive"_s);
    const auto unpacking = start(u"unpack"_s);
    unpacking->write(code());
    QCOMPARE(end(*unpacking), 0);
    QCOMPARE(end(*waiting), 0);
    QVERIFY(isWhole());
}

void TestKeeperInbox::anArchiveThatBreaksOff()
{
    const auto waiting = start(u"receive"_s);
    const QByteArray tar = code();
    for (const qsizetype bytes : {qsizetype(0), qsizetype(100), qsizetype(512), qsizetype(1'100), qsizetype(1'536)}) {
        const auto unpacking = start(u"unpack"_s);
        unpacking->write(tar.first(bytes));
        unpacking->closeWriteChannel();
        QCOMPARE(end(*unpacking), 1);
        const QByteArray said = unpacking->readAllStandardError();
        QVERIFY2(said.startsWith("trialkeeper-pod: The archive "), said);
        QVERIFY(!QFileInfo::exists(inbox() + u"/code"_s));
        QCOMPARE(waiting->state(), QProcess::Running);
    }
    QCOMPARE(unpack(tar), 0);
    QCOMPARE(end(*waiting), 0);
    QVERIFY(isWhole());
}

void TestKeeperInbox::twoAtOnce()
{
    const auto first = start(u"unpack"_s);
    first->write(code().first(600));
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(inbox() + u"/part"_s), 30'000);
    QCOMPARE(unpack(code()), 75);
    first->closeWriteChannel();
    QCOMPARE(end(*first), 1);
    QCOMPARE(unpack(code()), 0);
    QVERIFY(isWhole());
}

void TestKeeperInbox::whatWasLeftByOneThatDied()
{
    const auto first = start(u"unpack"_s);
    first->write(code().first(600));
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(inbox() + u"/part"_s), 30'000);
    first->kill();
    QCOMPARE(end(*first), -2);
    QFile stray(inbox() + u"/part/stray"_s);
    QVERIFY(stray.open(QIODevice::WriteOnly));
    QCOMPARE(unpack(code()), 0);
    QVERIFY(isWhole());
    QVERIFY(!QFileInfo::exists(inbox() + u"/code/stray"_s));
    // Its word did not come: one that asks again wakes who waits.
    QVERIFY(QFile::rename(inbox() + u"/code"_s, inbox() + u"/aside"_s));
    const auto waiting = start(u"receive"_s);
    QVERIFY(!waiting->waitForFinished(200));
    QVERIFY(QFile::rename(inbox() + u"/aside"_s, inbox() + u"/code"_s));
    QCOMPARE(unpack({}), 0);
    QCOMPARE(end(*waiting), 0);
}

void TestKeeperInbox::refusedArchives_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("outside by name") << QStringList{u"--transform=s,^./sub,../out,"_s, u"-P"_s, u"./sub"_s};
    QTest::newRow("outside by path") << QStringList{u"--transform=s,^./sub,/tmp/out,"_s, u"-P"_s, u"./sub"_s};
}

void TestKeeperInbox::refusedArchives()
{
    QFETCH(QStringList, words);
    const QByteArray tar = packed(words);
    QVERIFY(tar.size() > 1'024);
    QCOMPARE(unpack(tar), 1);
    QVERIFY(!QFileInfo::exists(inbox() + u"/code"_s));
    QVERIFY(!QFileInfo::exists(m_folder->path() + u"/out"_s) && !QFileInfo::exists(u"/tmp/out"_s));
}

void TestKeeperInbox::sigtermEndsTheWaiting()
{
    const auto waiting = start(u"receive"_s);
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(inbox() + u"/ready"_s), 30'000);
    waiting->terminate();
    QCOMPARE(end(*waiting), 143);
}

void TestKeeperInbox::aFolderThatIsNone()
{
    QVERIFY(QDir(inbox()).removeRecursively());
    QCOMPARE(end(*start(u"receive"_s)), 1);
    QCOMPARE(unpack(code()), 1);
}

QTEST_GUILESS_MAIN(TestKeeperInbox)
#include "tst_keeper_inbox.moc"
