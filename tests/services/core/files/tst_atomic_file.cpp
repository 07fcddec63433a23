// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/files/atomic_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace core;

static QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
}

static int modeOf(const QString& path)
{
    struct stat status = {};
    return ::stat(QFile::encodeName(path).constData(), &status) == 0 ? int(status.st_mode & 07777) : -1;
}

/// No file of this process may grow past the limit: what a full disk looks like to write(2).
class SmallFiles
{
public:
    explicit SmallFiles(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SmallFiles() { ::setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before{};
};

class TestAtomicFile : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void writesAndReplaces()
    {
        QVERIFY(writeAtomically(path(u"a"_s), "one"));
        QCOMPARE(contentOf(path(u"a"_s)), "one");
        QVERIFY(writeAtomically(path(u"a"_s), "two"));
        QCOMPARE(contentOf(path(u"a"_s)), "two");
        QVERIFY(writeAtomically(path(u"a"_s), {}));
        QCOMPARE(contentOf(path(u"a"_s)), "");
        QVERIFY(writeAtomically(path(QString(255, u'n')), "a name as long as names can be"));
        QCOMPARE(names(), (QStringList{u"a"_s, QString(255, u'n')}));
    }

    void aWriteThatFailsLeavesTheOldFileAndNothingElse()
    {
        QVERIFY(writeAtomically(path(u"a"_s), "old"));
        {
            const SmallFiles limit(1000);
            const Result<> failed = writeAtomically(path(u"a"_s), QByteArray(5000, 'x'));
            QVERIFY(!failed);
            QCOMPARE(failed.error().kind, Kind::resource);
            QCOMPARE(failed.error().message, path(u"a"_s) + u" cannot be written: file too large."_s);
            QVERIFY(!isOutOfSpace(failed.error()));
            QVERIFY(!writeAtomically(path(u"new"_s), QByteArray(5000, 'x')));
        }
        QCOMPARE(contentOf(path(u"a"_s)), "old");
        QCOMPARE(names(), QStringList{u"a"_s});
    }

    void afterAFailureNothingIsCommitted()
    {
        QVERIFY(writeAtomically(path(u"a"_s), "old"));
        AtomicFile file(path(u"a"_s));
        QVERIFY(file.open());
        {
            const SmallFiles limit(1000);
            QVERIFY(!file.write(QByteArray(5000, 'x')));
            QCOMPARE(file.reason(), u"file too large"_s);
        }
        QVERIFY(!file.write("more"));
        QVERIFY(!file.prepare());
        QVERIFY(!file.commit());
        QCOMPARE(contentOf(path(u"a"_s)), "old");
    }

    void withoutACommitTheOldFileStays()
    {
        QVERIFY(writeAtomically(path(u"a"_s), "old"));
        {
            AtomicFile file(path(u"a"_s));
            QVERIFY(file.open());
            QVERIFY(file.write("new"));
            QVERIFY(file.prepare());
            QCOMPARE(contentOf(path(u"a"_s)), "old");
        }
        QCOMPARE(contentOf(path(u"a"_s)), "old");
        QCOMPARE(names(), QStringList{u"a"_s});
    }

    void modes()
    {
        const mode_t before = ::umask(022);
        QVERIFY(writeAtomically(path(u"new"_s), "x"));
        QVERIFY(writeAtomically(path(u"private"_s), "x", privateMode));
        QVERIFY(writeAtomically(path(u"kept"_s), "x"));
        ::chmod(QFile::encodeName(path(u"kept"_s)).constData(), 0640);
        QVERIFY(writeAtomically(path(u"kept"_s), "y"));
        QVERIFY(writeAtomically(path(u"closed"_s), "x"));
        QVERIFY(writeAtomically(path(u"closed"_s), "y", privateMode));
        ::umask(before);
        QCOMPARE(modeOf(path(u"new"_s)), 0644);
        QCOMPARE(modeOf(path(u"private"_s)), 0600);
        QCOMPARE(modeOf(path(u"kept"_s)), 0640);
        QCOMPARE(modeOf(path(u"closed"_s)), 0600);
    }

    void links()
    {
        QVERIFY(QDir(m_folder->path()).mkdir(u"below"_s));
        QVERIFY(QFile::link(u"below/real"_s, path(u"link"_s)));
        QVERIFY(writeAtomically(path(u"link"_s), "one")); // also to a file that is not there yet
        QVERIFY(writeAtomically(path(u"link"_s), "two"));
        QVERIFY(QFileInfo(path(u"link"_s)).isSymLink());
        QCOMPARE(contentOf(path(u"below/real"_s)), "two");
        QVERIFY(QFile::link(u"circle"_s, path(u"circle"_s)));
        QVERIFY(!writeAtomically(path(u"circle"_s), "x"));
    }

    void what_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("why");
        QTest::newRow("no folder") << u"missing/a"_s << u"no such file or directory"_s;
        QTest::newRow("a folder") << u"folder"_s << u"is a directory"_s;
        QTest::newRow("a FIFO") << u"fifo"_s << u"invalid argument"_s;
        QTest::newRow("no name") << QString() << u"no such file or directory"_s;
    }
    void what()
    {
        QFETCH(QString, name);
        QFETCH(QString, why);
        QVERIFY(QDir(m_folder->path()).mkdir(u"folder"_s));
        QCOMPARE(::mkfifo(QFile::encodeName(path(u"fifo"_s)).constData(), 0600), 0);
        const Result<> failed = writeAtomically(name.isEmpty() ? name : path(name), "x");
        QVERIFY(!failed);
        QVERIFY2(failed.error().message.contains(why), qPrintable(failed.error().message));
        QCOMPARE(names(), (QStringList{u"fifo"_s, u"folder"_s}));
    }

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    QStringList names() const
    {
        return QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestAtomicFile)
#include "tst_atomic_file.moc"
