// SPDX-License-Identifier: GPL-3.0-or-later
// One suite for every way to a shared folder: directly, by scripts that shells of this computer run, and over SSH.
#include "services/core/files/atomic_file.h"
#include "services/platforms/commands/folder_scripts.h"
#include "services/platforms/commands/local_command_host.h"
#include "services/platforms/commands/command_folder.h"
#include "services/platforms/commands/ssh_command_host.h"
#include "services/package/archive.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/small_disk.h"
#include "tests/services/transport/ssh/ssh_fixture.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>

#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace platforms;
using State = FolderBytes::State;

class TestCommandFolder : public QObject, private transport::SshFixture
{
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();

    void prepare_data() { ways(); }
    void prepare();
    void putAndRead_data() { ways(); }
    void putAndRead();
    void manyFiles_data() { ways(); }
    void manyFiles();
    void readIsFair_data() { ways(); }
    void readIsFair();
    void changedFiles_data() { ways(); }
    void changedFiles();
    void notFiles_data() { ways(); }
    void notFiles();
    void lists_data() { ways(); }
    void lists();
    void removes_data() { ways(); }
    void removes();
    void archive_data() { ways(); }
    void archive();
    void archiveByTwo_data() { ways(); }
    void archiveByTwo();
    void archiveCutOff_data() { ways(); }
    void archiveCutOff();
    void copy_data() { ways(); }
    void copy();
    void fullDisk_data() { ways(); }
    void fullDisk();
    void readOnly_data() { ways(); }
    void readOnly();
    void missingRoot_data() { ways(); }
    void missingRoot();
    void hangingFileSystem();
    void wrongPaths();
    void words_data();
    void words();
    void brokenAnswers();

private:
    static void ways();
    [[nodiscard]] std::unique_ptr<CommandFolder> folder(const QString& root)
    {
        return std::make_unique<CommandFolder>(m_host.get(), root, &m_clock, m_way);
    }
    template <typename T>
    static T wait(Task<T> task)
    {
        return QCoro::waitFor(std::move(task));
    }
    [[nodiscard]] QString at(const QString& path) const { return m_root + u'/' + path; }
    QString packed();
    [[nodiscard]] QStringList left() const
    {
        return QDir(m_root).entryList({QString::fromLatin1(folderTemporary) + u'*'}, QDir::AllEntries | QDir::Hidden);
    }

    QTemporaryDir m_shells;
    SmallDisk m_disk; // in m_shells
    bool m_hasDisk = false;
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_root;
    std::unique_ptr<TestSshd> m_sshd;
    std::unique_ptr<CommandHost> m_host;
    CommandFolder::Way m_way = CommandFolder::Way::scripts;
    std::unique_ptr<CommandFolder> m_shared;
};

void TestCommandFolder::ways()
{
    QTest::addColumn<QString>("way");
    for (const char* way : {"local", "dash", "bash", "busybox", "ssh"})
        QTest::newRow(way) << QString::fromLatin1(way);
}

void TestCommandFolder::initTestCase()
{
    m_hasDisk = m_disk.mount(m_shells.filePath(u"disk"_s)); // before there is a second thread
    for (const char* name : {"dash", "bash"}) {
        const QString bin = m_shells.filePath(QString::fromLatin1(name));
        QDir().mkpath(bin);
        QFile::link(QStandardPaths::findExecutable(QString::fromLatin1(name)), bin + u"/sh"_s);
    }
    const QString bin = m_shells.filePath(u"busybox"_s);
    QDir().mkpath(bin);
    const QString busybox = QStandardPaths::findExecutable(u"busybox"_s);
    if (!busybox.isEmpty())
        QCOMPARE(QProcess::execute(busybox, {u"--install"_s, u"-s"_s, bin}), 0);
}

void TestCommandFolder::init()
{
    begin();
    m_folder = std::make_unique<QTemporaryDir>();
    m_root = m_folder->filePath(u"it's a \"root\" $x"_s);
    if (!QTest::currentDataTag() || qstrcmp(QTest::currentTestFunction(), "words") == 0) {
        m_host = std::make_unique<LocalCommandHost>(&m_clock);
    } else {
        QFETCH(QString, way);
        m_way = way == u"local"_s ? CommandFolder::Way::fitting : CommandFolder::Way::scripts;
        const QString bin = m_shells.filePath(way);
        if (way == u"busybox"_s && !QFile::exists(bin + u"/sh"_s))
            QSKIP("no busybox");
        if (way == u"ssh"_s) {
            m_sshd = std::make_unique<TestSshd>();
            QVERIFY(m_sshd->start());
            know(*m_sshd);
            m_host = std::make_unique<SshCommandHost>(m_hub.get(), SshCommandPlan{wish(*m_sshd), {}, m_ask});
        } else {
            m_host = std::make_unique<LocalCommandHost>(&m_clock, way == u"local"_s ? QString() : bin);
        }
    }
    m_shared = folder(m_root);
}

void TestCommandFolder::cleanup()
{
    m_shared.reset();
    if (m_host)
        wait(m_host->close());
    m_host.reset();
    m_sshd.reset();
    m_folder.reset();
    end();
}

void TestCommandFolder::prepare()
{
    const auto space = wait(m_shared->prepare());
    QVERIFY2(space, space ? "" : qPrintable(space.error().message));
    QVERIFY(space->freeBytes > 0);
    QVERIFY(QFileInfo(m_root).isDir());
    QVERIFY(QDir(m_root).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    // What a killed process left goes at once, what a broken copy of this one left after a day, and nothing else does.
    const QString own = QString::fromLatin1(folderTemporary + folderOwner());
    const QByteArray old = QFile::encodeName(at(own + u"old"_s));
    QVERIFY(::mkdir(old.constData(), 0700) == 0);
    TestSshd::writeFile(QString::fromUtf8(old) + u"/file"_s, "x");
    const timespec times[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
    QVERIFY(::utimensat(AT_FDCWD, old.constData(), times, 0) == 0);
    TestSshd::writeFile(at(own + u"new"_s), "x");
    TestSshd::writeFile(at(QString::fromLatin1(folderTemporary) + u"fd0123456789"_s), "x");
    QVERIFY(QDir().mkpath(at(QString::fromLatin1(folderTemporary) + u"short/deep"_s)));
    TestSshd::writeFile(at(u"other"_s), "x");
    QVERIFY(wait(m_shared->prepare()));
    QCOMPARE(left(), QStringList{own + u"new"_s});
    QVERIFY(QFile::exists(at(u"other"_s)));
}

void TestCommandFolder::putAndRead()
{
    QVERIFY(wait(m_shared->prepare()));
    QByteArray binary;
    for (int i = 0; i < 70'000; ++i)
        binary += char(i * 7 % 256);
    const QString odd = u"t1/it's \\ \n$HOME `id` *é"_s;
    const QList<FolderFile> files{
        {u"t1/run.sh"_s, "#!/bin/sh\n", true}, {odd, binary}, {u"t2/deep/er/empty"_s, {}}, {u"-n"_s, "dash\n"}};
    const Result<> put = wait(m_shared->put(files));
    QVERIFY2(put, put ? "" : qPrintable(put.error().message));
    QCOMPARE(TestSshd::readFile(at(odd)), binary);
    struct stat status
    {
    };
    QVERIFY(::stat(QFile::encodeName(at(u"t1/run.sh"_s)).constData(), &status) == 0);
    QCOMPARE(int(status.st_mode & 0777), 0700);
    QVERIFY(::stat(QFile::encodeName(at(odd)).constData(), &status) == 0);
    QCOMPARE(int(status.st_mode & 0777), 0600);
    QVERIFY(::stat(QFile::encodeName(at(u"t2/deep"_s)).constData(), &status) == 0);
    QCOMPARE(int(status.st_mode & 0777), 0700);

    const auto read =
        wait(m_shared->read({{odd, 0, 100'000, {}}, {odd, 69'990, 100, {}}, {u"t2/deep/er/empty"_s, 0, 10, {}},
                                {u"t9/none"_s, 0, 10, {}}, {u"-n"_s, 1, 2, {}}, {odd, 70'000, 100, {}}},
            1'000'000));
    QVERIFY2(read, read ? "" : qPrintable(read.error().message));
    QCOMPARE(read->size(), 6);
    QCOMPARE(read->at(0).bytes, binary);
    QCOMPARE(read->at(0).size, 70'000);
    QCOMPARE(read->at(1).bytes, binary.right(10));
    QCOMPARE(read->at(2).state, State::read);
    QCOMPARE(read->at(2).bytes, QByteArray());
    QCOMPARE(read->at(3).state, State::missing);
    QCOMPARE(read->at(4).bytes, QByteArray("as"));
    QCOMPARE(read->at(5).state, State::read);
    QCOMPARE(read->at(5).bytes, QByteArray());
    // In place of an earlier one; a link is replaced, not written through; a folder is not replaced.
    QVERIFY(QFile::link(at(u"-n"_s), at(u"link"_s)));
    QVERIFY(wait(m_shared->put({{u"t1/run.sh"_s, "new\n"}, {u"link"_s, "own\n"}})));
    QCOMPARE(TestSshd::readFile(at(u"t1/run.sh"_s)), QByteArray("new\n"));
    QCOMPARE(TestSshd::readFile(at(u"-n"_s)), QByteArray("dash\n"));
    QVERIFY(!wait(m_shared->put({{u"t2/deep"_s, "x"}})));
    QVERIFY(QFileInfo(at(u"t2/deep/er"_s)).isDir());
    QTRY_COMPARE_WITH_TIMEOUT(left(), QStringList(), 30'000); // removed behind the answer
}

void TestCommandFolder::manyFiles()
{
    QVERIFY(wait(m_shared->prepare()));
    QList<FolderFile> files;
    QList<FolderRead> reads;
    const int count = 520; // more than one command reads
    for (int i = 0; i < count; ++i) {
        files += {u"%1/parameter.cfg"_s.arg(i), QByteArray::number(i * 31)};
        reads += {u"%1/parameter.cfg"_s.arg(i), 0, 100, {}};
    }
    const Result<> put = wait(m_shared->put(files));
    QVERIFY2(put, put ? "" : qPrintable(put.error().message));
    const auto read = wait(m_shared->read(reads, 1'000'000));
    QVERIFY2(read, read ? "" : qPrintable(read.error().message));
    QCOMPARE(read->size(), count);
    for (int i = 0; i < count; ++i)
        QCOMPARE(read->at(i).bytes, QByteArray::number(i * 31));
}

void TestCommandFolder::readIsFair()
{
    QVERIFY(wait(m_shared->prepare()));
    QVERIFY(wait(m_shared->put({{u"a"_s, QByteArray(50'000, 'a')}, {u"b"_s, "b"}, {u"c"_s, QByteArray(50'000, 'c')},
        {u"d"_s, QByteArray(50'000, 'd')}})));
    const auto read = wait(m_shared->read(
        {{u"a"_s, 0, 50'000, {}}, {u"b"_s, 0, 50'000, {}}, {u"c"_s, 0, 50'000, {}}, {u"d"_s, 0, 1'000, {}}}, 40'000));
    QVERIFY(read);
    QCOMPARE(read->at(0).bytes.size(), 10'000);
    QCOMPARE(read->at(1).bytes.size(), 1);
    QCOMPARE(read->at(2).bytes.size(), 14'999); // with half of what b did not use
    QCOMPARE(read->at(3).bytes.size(), 1'000);
}

void TestCommandFolder::changedFiles()
{
    QVERIFY(wait(m_shared->prepare()));
    QVERIFY(wait(m_shared->put({{u"log"_s, QByteArray(1'000, 'x')}})));
    auto read = wait(m_shared->read({{u"log"_s, 0, 100, {}}}, 1'000));
    QVERIFY(read);
    const QByteArray identity = read->at(0).identity;
    QVERIFY(!identity.isEmpty());
    QCOMPARE(wait(m_shared->read({{u"log"_s, 100, 100, identity}}, 1'000))->at(0).bytes.size(), 100);
    // Cut short.
    QVERIFY(QFile::resize(at(u"log"_s), 50));
    read = wait(m_shared->read({{u"log"_s, 100, 100, identity}}, 1'000));
    QCOMPARE(read->at(0).state, State::shrank);
    QCOMPARE(read->at(0).size, 50);
    QCOMPARE(read->at(0).bytes, QByteArray());
    // Another one, made while the first is still there.
    TestSshd::writeFile(at(u"other"_s), QByteArray(1'000, 'y'));
    QVERIFY(::rename(QFile::encodeName(at(u"other"_s)).constData(), QFile::encodeName(at(u"log"_s)).constData()) == 0);
    read = wait(m_shared->read({{u"log"_s, 100, 100, identity}}, 1'000));
    QCOMPARE(read->at(0).state, State::replaced);
    QCOMPARE(read->at(0).bytes, QByteArray());
    QVERIFY(read->at(0).identity != identity);
    QVERIFY(QFile::remove(at(u"log"_s)));
    QCOMPARE(wait(m_shared->read({{u"log"_s, 100, 100, identity}}, 1'000))->at(0).state, State::missing);
}

void TestCommandFolder::notFiles()
{
    QVERIFY(wait(m_shared->prepare()));
    QVERIFY(QDir(m_root).mkpath(u"folder"_s));
    QVERIFY(QFile::link(u"/etc/passwd"_s, at(u"link"_s)));
    QVERIFY(::mkfifo(QFile::encodeName(at(u"pipe"_s)).constData(), 0600) == 0);
    const auto read = wait(m_shared->read(
        {{u"folder"_s, 0, 100, {}}, {u"link"_s, 0, 100, {}}, {u"pipe"_s, 0, 100, {}}, {u"folder/x"_s, 0, 100, {}}},
        1'000));
    QVERIFY2(read, read ? "" : qPrintable(read.error().message));
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(read->at(i).state, State::unreadable);
        QVERIFY2(read->at(i).message.endsWith(u" is not a file."), qPrintable(read->at(i).message));
    }
    QCOMPARE(read->at(3).state, State::missing);
}

void TestCommandFolder::lists()
{
    QVERIFY(wait(m_shared->prepare()));
    QVERIFY(wait(m_shared->put({{u"out/model.bin"_s, "12345"}, {u"out/a/b"_s, ""}, {u"out/a-c"_s, "1"},
        {u"out/two\nlines"_s, "12"}, {u"elsewhere"_s, ""}})));
    QVERIFY(QFile::link(u"/etc"_s, at(u"out/link"_s)));
    const auto all = wait(m_shared->list(u"out"_s, {}, 100));
    QVERIFY2(all, all ? "" : qPrintable(all.error().message));
    QStringList names;
    for (const FileEntry& file : all->files)
        names += file.path + u' ' + file.type + u' ' + QString::number(file.type == u"link"_s ? 0 : file.size);
    QCOMPARE(names,
        (QStringList{u"a folder 0"_s, u"a-c file 1"_s, u"a/b file 0"_s, u"link link 0"_s, u"model.bin file 5"_s,
            u"two\nlines file 2"_s}));
    QVERIFY(all->next.isEmpty());
    QVERIFY(std::abs(all->files.first().modified - m_clock.nowMs()) < 100'000);
    // Page by page.
    QStringList paged;
    QString after;
    for (int i = 0; i < 10; ++i) {
        const auto page = wait(m_shared->list(u"out"_s, after, 2));
        QVERIFY(page);
        for (const FileEntry& file : page->files)
            paged += file.path;
        after = page->next;
        if (after.isEmpty())
            break;
    }
    QCOMPARE(paged.size(), 6);
    QCOMPARE(paged, (QStringList{u"a"_s, u"a-c"_s, u"a/b"_s, u"link"_s, u"model.bin"_s, u"two\nlines"_s}));
    QVERIFY(QDir(m_root).mkpath(u"empty"_s));
    QVERIFY(wait(m_shared->list(u"empty"_s, {}, 10))->files.isEmpty());
    const auto none = wait(m_shared->list(u"none"_s, {}, 10));
    QVERIFY(!none);
    QCOMPARE(none.error().kind, Kind::not_found);
}

void TestCommandFolder::removes()
{
    QVERIFY(wait(m_shared->prepare()));
    QTemporaryDir outside;
    TestSshd::writeFile(outside.filePath(u"kept"_s), "x");
    QVERIFY(wait(m_shared->put(
        {{u"e/t1/file"_s, "x"}, {u"e/t1/locked/file"_s, "x"}, {u"e/t2/file"_s, "x"}, {u"e/t3/file"_s, "x"}})));
    QVERIFY(QFile::link(outside.path(), at(u"e/t1/link"_s)));
    QVERIFY(QFile::link(outside.path(), at(u"e/t4"_s)));
    QVERIFY(::chmod(QFile::encodeName(at(u"e/t1/locked"_s)).constData(), 0) == 0);
    const Result<> removed = wait(m_shared->remove({u"e/t1"_s, u"e/none"_s, u"no/such"_s, u"e/t2"_s, u"e/t4"_s}));
    QVERIFY2(removed, removed ? "" : qPrintable(removed.error().message));
    QCOMPARE(QDir(at(u"e"_s)).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::System), QStringList{u"t3"_s});
    QVERIFY(QFile::exists(outside.filePath(u"kept"_s)));
    // A link on the way leads out of the folder.
    QVERIFY(QFile::link(outside.path(), at(u"way"_s)));
    const Result<> refused = wait(m_shared->remove({u"way/kept"_s, u"e/t3"_s}));
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Kind::invalid);
    QVERIFY(QFile::exists(outside.filePath(u"kept"_s)));
    QVERIFY(!QFile::exists(at(u"e/t3"_s)));
}

QString TestCommandFolder::packed()
{
    const QString code = m_folder->filePath(u"code"_s);
    QDir().mkpath(code + u"/pkg"_s);
    TestSshd::writeFile(code + u"/train.py"_s, "print()\n");
    TestSshd::writeFile(code + u"/pkg/big.bin"_s,
        QByteArray(3'000'000, 'b') + QByteArray::number(QRandomGenerator::global()->generate()));
    TestSshd::writeFile(code + u"/run.sh"_s, "#!/bin/sh\n");
    ::chmod(QFile::encodeName(code + u"/run.sh"_s).constData(), 0755);
    const QString archive = m_folder->filePath(u"code.tar.gz"_s);
    const auto files = package::walkCode(code);
    return files && package::packCode(*files, archive) ? archive : QString();
}

void TestCommandFolder::archive()
{
    QVERIFY(wait(m_shared->prepare()));
    const QString archive = packed();
    QVERIFY(!archive.isEmpty());
    const Result<> put = wait(m_shared->putArchive(u"code/abc"_s, archive));
    QVERIFY2(put, put ? "" : qPrintable(put.error().message));
    QCOMPARE(TestSshd::readFile(at(u"code/abc/train.py"_s)), QByteArray("print()\n"));
    QVERIFY(QFileInfo(at(u"code/abc/run.sh"_s)).isExecutable());
    QVERIFY(!QFileInfo(at(u"code/abc/train.py"_s)).isExecutable());
    // What is there stays: it is the same content, by its name.
    TestSshd::writeFile(at(u"code/abc/mark"_s), "x");
    QVERIFY(wait(m_shared->putArchive(u"code/abc"_s, archive)));
    QVERIFY(QFile::exists(at(u"code/abc/mark"_s)));
    QCOMPARE(
        QDir(at(u"code"_s)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{u"abc"_s});
    QTRY_COMPARE_WITH_TIMEOUT(left(), QStringList(), 30'000); // removed behind the answer
}

void TestCommandFolder::archiveByTwo()
{
    QVERIFY(wait(m_shared->prepare()));
    const QString archive = packed();
    const auto second = folder(m_root);
    const auto third = folder(m_root);
    Scope scope;
    int good = 0;
    for (CommandFolder* each : {m_shared.get(), second.get(), third.get()}) {
        scope.spawn([&, each]() -> Task<> {
            auto putting = each->putArchive(u"code/abc"_s, archive);
            const Result<> put = co_await putting;
            good += put ? 1 : 0;
            if (!put)
                qWarning("%s", qPrintable(put.error().message));
        });
    }
    QTRY_COMPARE_WITH_TIMEOUT(scope.running(), 0, 60'000);
    QCOMPARE(good, 3);
    QCOMPARE(QDir(at(u"code/abc"_s)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
        (QStringList{u"pkg"_s, u"run.sh"_s, u"train.py"_s}));
    QCOMPARE(
        QDir(at(u"code"_s)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{u"abc"_s});
    QTRY_COMPARE_WITH_TIMEOUT(left(), QStringList(), 30'000); // removed behind the answer
}

void TestCommandFolder::archiveCutOff()
{
    // The archive ends too soon, as it does when a connection breaks: no folder has the name.
    QVERIFY(wait(m_shared->prepare()));
    const QString archive = packed();
    QVERIFY(QFile::resize(archive, QFileInfo(archive).size() - 300));
    const Result<> put = wait(m_shared->putArchive(u"code/abc"_s, archive));
    QVERIFY(!put);
    QVERIFY(!QFile::exists(at(u"code/abc"_s)));
    QTRY_COMPARE_WITH_TIMEOUT(left(), QStringList(), 30'000); // removed behind the answer
}

void TestCommandFolder::copy()
{
    QVERIFY(wait(m_shared->prepare()));
    const QString source = m_folder->filePath(u"keeper"_s);
    QByteArray bytes(2'000'000, 'k');
    bytes[1'234'567] = '\0';
    TestSshd::writeFile(source, bytes);
    const Result<> copied = wait(m_shared->putCopy(u"bin/keeper-1"_s, source, true));
    QVERIFY2(copied, copied ? "" : qPrintable(copied.error().message));
    QCOMPARE(TestSshd::readFile(at(u"bin/keeper-1"_s)), bytes);
    QVERIFY(QFileInfo(at(u"bin/keeper-1"_s)).isExecutable());
    QVERIFY(!wait(m_shared->putCopy(u"bin/keeper-2"_s, source + u"-none"_s, true)));
    QVERIFY(!QFile::exists(at(u"bin/keeper-2"_s)));
    QTRY_COMPARE_WITH_TIMEOUT(left(), QStringList(), 30'000); // removed behind the answer
}

void TestCommandFolder::fullDisk()
{
    if (!m_hasDisk)
        QSKIP("a file system is mounted by root alone");
    m_root = m_shells.filePath(u"disk/root"_s);
    m_shared = folder(m_root);
    QVERIFY(wait(m_shared->prepare()));
    const QString archive = packed();
    QVERIFY(m_disk.fill());
    const auto outOfSpace = [](const Result<>& result) {
        return !result && isOutOfSpace(result.error())
            && result.error().message.contains(u"is full. Free some space"_s);
    };
    QVERIFY(outOfSpace(wait(m_shared->put({{u"t/file"_s, QByteArray(100'000, 'x')}}))));
    QVERIFY(!QFile::exists(at(u"t/file"_s)));
    const Result<> put = wait(m_shared->putArchive(u"code/abc"_s, archive));
    QVERIFY(!put);
    QCOMPARE(put.error().kind, Kind::resource);
    QVERIFY(!QFile::exists(at(u"code/abc"_s)));
    const auto prepared = wait(m_shared->prepare());
    QVERIFY(!prepared && isOutOfSpace(prepared.error()));
    m_disk.release();
    QVERIFY(wait(m_shared->put({{u"t/file"_s, QByteArray(100'000, 'x')}})));
    QTRY_COMPARE_WITH_TIMEOUT(left(), QStringList(), 30'000); // removed behind the answer
    QVERIFY(QDir(m_root).removeRecursively());
}

void TestCommandFolder::readOnly()
{
    if (!m_hasDisk)
        QSKIP("a file system is mounted by root alone");
    const QByteArray disk = QFile::encodeName(m_shells.filePath(u"disk"_s));
    m_root = m_shells.filePath(u"disk"_s);
    m_shared = folder(m_root);
    QVERIFY(::mount(nullptr, disk.constData(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0);
    const auto prepared = wait(m_shared->prepare());
    const Result<> put = wait(m_shared->put({{u"file"_s, "x"}}));
    QVERIFY(::mount(nullptr, disk.constData(), nullptr, MS_REMOUNT, nullptr) == 0);
    QVERIFY(!prepared && !put);
    for (const Error& error : {prepared.error(), put.error()})
        QVERIFY2(error.message.contains(u"mounted read-only"_s), qPrintable(error.message));
}

void TestCommandFolder::missingRoot()
{
    const auto put = wait(m_shared->put({{u"file"_s, "x"}}));
    QVERIFY(!put);
    QCOMPARE(put.error().kind, Kind::not_found);
    QVERIFY(!wait(m_shared->read({{u"file"_s, 0, 10, {}}}, 10)));
    TestSshd::writeFile(m_root, "a file");
    const auto prepared = wait(m_shared->prepare());
    QVERIFY(!prepared);
    QCOMPARE(prepared.error().kind, Kind::invalid);
}

void TestCommandFolder::hangingFileSystem()
{
    // A call blocks in the file system: it is given up, the next ones fail at once, and all is well when it comes back.
    fakes::FakeClock clock;
    CommandFolder shared(m_host.get(), m_root, &clock);
    QVERIFY(wait(shared.prepare()));
    const QString pipe = m_folder->filePath(u"pipe"_s);
    QVERIFY(::mkfifo(QFile::encodeName(pipe).constData(), 0600) == 0);
    Scope scope;
    std::optional<Result<>> copied;
    scope.spawn([&]() -> Task<> {
        auto copying = shared.putCopy(u"copy"_s, pipe, false);
        copied = co_await copying;
    });
    QVERIFY(!copied);
    clock.advance(3'600'000);
    QVERIFY(copied && !*copied);
    QCOMPARE(copied->error().kind, Kind::timeout);
    QCOMPARE(wait(shared.prepare()).error().kind, Kind::timeout);
    const int writer = ::open(QFile::encodeName(pipe).constData(), O_WRONLY); // waits for the reader
    QVERIFY(writer >= 0);
    ::close(writer);
    QTRY_VERIFY_WITH_TIMEOUT(wait(shared.prepare()), 30'000);
    QCoro::waitFor(scope.drain());
}

void TestCommandFolder::wrongPaths()
{
    for (const char16_t* path : {u"", u"/etc", u"../x", u"a/../b", u"a//b", u"a/", u".", u"a/."}) {
        QVERIFY(!isFolderPath(QString::fromUtf16(path)));
        QCOMPARE(wait(m_shared->remove({QString::fromUtf16(path)})).error().kind, Kind::invalid);
        QCOMPARE(wait(m_shared->put({{QString::fromUtf16(path), {}}})).error().kind, Kind::invalid);
        QCOMPARE(wait(m_shared->read({{QString::fromUtf16(path), 0, 1, {}}}, 1)).error().kind, Kind::invalid);
    }
    QVERIFY(!isFolderPath(u"a\0b"_s) && !isFolderPath(QString(4'001, u'x')) && isFolderPath(u"..a/-b/c d"_s));
    const auto relative = folder(u"relative"_s);
    QCOMPARE(wait(relative->prepare()).error().kind, Kind::invalid);
}

void TestCommandFolder::words_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("full") << u"mkdir: cannot create directory './x': No space left on device"_s << int(Kind::resource)
                          << u"is full"_s;
    QTest::newRow("quota") << u"tar: ./0: Cannot write: Disk quota exceeded"_s << int(Kind::resource) << u"quota"_s;
    QTest::newRow("stale") << u"ls: cannot access '/nfs/.': Stale file handle"_s << int(Kind::network) << u"stale"_s;
    QTest::newRow("old stale") << u"ls: /nfs/.: Stale NFS file handle"_s << int(Kind::network) << u"stale"_s;
    QTest::newRow("away") << u"ls: cannot access '/x/.': Transport endpoint is not connected"_s << int(Kind::network)
                          << u"does not answer"_s;
    QTest::newRow("not there") << u"ls: /x/.: No such file or directory"_s << int(Kind::not_found) << u"no folder"_s;
    QTest::newRow("not ours") << u"mkdir: cannot create directory: Permission denied"_s << int(Kind::invalid)
                              << u"may not write"_s;
    QTest::newRow("read-only") << u"mv: cannot move: Read-only file system"_s << int(Kind::resource) << u"read-only"_s;
    QTest::newRow("broken") << u"ls: reading: Input/output error"_s << int(Kind::resource) << u"Input/output error"_s;
}

void TestCommandFolder::words()
{
    QFETCH(QString, words);
    const Error error = folderError(u"login1"_s, u"/nfs/home"_s, words);
    QTEST(int(error.kind), "kind");
    QFETCH(QString, says);
    QVERIFY2(error.message.contains(says) && error.message.contains(u"login1"_s), qPrintable(error.message));
    QCOMPARE(isOutOfSpace(error), says == u"is full"_s || says == u"quota"_s);
}

void TestCommandFolder::brokenAnswers()
{
    const QList<FolderRead> reads{{u"a"_s, 0, 10, {}}, {u"b"_s, 0, 10, {}}};
    const QByteArray whole = "\nm1 file 7 20 4\nab\nm\nm1 file 8 5 5\nhello\nm1 ok\n";
    const auto parsed = [](const QByteArray& output) { return FolderAnswer::parse("m1", output, {}, u"h"_s, u"/r"_s); };
    const auto good = parsed(whole)->bytes(reads);
    QCOMPARE(good->at(0).bytes, QByteArray("ab\nm"));
    QCOMPARE(good->at(1).bytes, QByteArray("hello"));
    // Cut anywhere it is no answer, not a shorter one.
    for (qsizetype size = 0; size < whole.size() - 2; ++size)
        QVERIFY(!parsed(whole.left(size)));
    // Fewer bytes than were promised: the file could not be read to there.
    const auto fewer = parsed("\nm1 file 7 20 4\nab\nm1 file 8 5 5\nhello\nm1 ok\n")->bytes(reads);
    QCOMPARE(fewer->at(0).state, State::unreadable);
    QCOMPARE(fewer->at(0).bytes, QByteArray("ab"));
    QVERIFY(
        !parsed("m1 file 7 20 11\n01234567890\nm1 file 8 5 5\nhello\nm1 ok\n")->bytes(reads)); // more than asked for
    QVERIFY(!parsed("m1 file 7 20 4\nabcd\nm1 ok\n")->bytes(reads));
    QVERIFY(!parsed("m1 file x y z\n\nm1 file 8 5 -5\n\nm1 ok\n")->bytes(reads));
    QVERIFY(!parsed("m1 space nonsense\nm1 ok\n")->space());
    QCOMPARE(parsed("m1 space nfs server:/x 100 50 -3 101% /mnt with blank\nm1 ok\n")->space()->freeBytes, 0);
    QCOMPARE(parsed("m1 space //nas/my share 1000 500 500 50% /m\nm1 ok\n")->space()->freeBytes, 500 * 1024);
}

QTEST_GUILESS_MAIN(TestCommandFolder)
#include "tst_command_folder.moc"
