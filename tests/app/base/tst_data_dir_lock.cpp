// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/data_dir_lock.h"
#include "app/base/paths.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <csignal>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace app;

/// Two processes: this one, and `lock_holder`.
class TestDataDirLock : public QObject
{
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    QString lockFile() const { return m_folder.filePath(u"lock"_s); }
    QString endpointFile() const { return m_folder.filePath(u"endpoint.json"_s); }

    QByteArray firstLine(QProcess& process)
    {
        while (!process.canReadLine() && process.waitForReadyRead(20'000)) { }
        return process.readLine().trimmed();
    }

private slots:
    void cleanup() { QFile::remove(endpointFile()); }

    void freeUntilTaken()
    {
        QCOMPARE(DataDirLock::holder(lockFile()), std::nullopt);
        {
            DataDirLock lock;
            QVERIFY(lock.take(lockFile(), endpointFile()));
            QVERIFY(lock.isHeld());
            QCOMPARE(DataDirLock::holder(lockFile()), std::optional<qint64>(::getpid()));
        }
        QCOMPARE(DataDirLock::holder(lockFile()), std::nullopt);
    }

    void theSecondProcessIsRefusedWithPidAndUrl()
    {
        QProcess other;
        other.start(QStringLiteral(LOCK_HOLDER), {lockFile(), endpointFile(), u"http://127.0.0.1:1234"_s});
        QCOMPARE(firstLine(other), QByteArray("held"));
        QCOMPARE(DataDirLock::holder(lockFile()), std::optional<qint64>(other.processId()));
        DataDirLock lock;
        const Result<> taken = lock.take(lockFile(), endpointFile());
        QVERIFY(!taken);
        QCOMPARE(taken.error().kind, core::Kind::conflict);
        QVERIFY2(taken.error().message.contains(QString::number(other.processId())), qPrintable(taken.error().message));
        QVERIFY2(taken.error().message.contains(u"http://127.0.0.1:1234"_s), qPrintable(taken.error().message));
        other.closeWriteChannel();
        QVERIFY(other.waitForFinished());
        QVERIFY(lock.take(lockFile(), endpointFile()));
    }

    void weRefuseTheOther()
    {
        DataDirLock lock;
        QVERIFY(lock.take(lockFile(), endpointFile()));
        QProcess other;
        other.start(QStringLiteral(LOCK_HOLDER), {lockFile(), endpointFile()});
        const QByteArray said = firstLine(other);
        QVERIFY2(
            said.startsWith("refused: ") && said.contains(QByteArray::number(qint64(::getpid()))), said.constData());
        QVERIFY(other.waitForFinished());
        QCOMPARE(other.exitCode(), 1);
        QVERIFY(lock.isHeld());
    }

    void aKilledHolderHoldsNothing()
    {
        QProcess other;
        other.start(QStringLiteral(LOCK_HOLDER), {lockFile(), endpointFile(), u"http://127.0.0.1:1"_s});
        QCOMPARE(firstLine(other), QByteArray("held"));
        ::kill(pid_t(other.processId()), SIGKILL);
        QVERIFY(other.waitForFinished());
        QCOMPARE(DataDirLock::holder(lockFile()), std::nullopt);
        DataDirLock lock;
        QVERIFY(lock.take(lockFile(), endpointFile()));
    }

    /// A child shares the lock between fork and exec; the service may be killed meanwhile, and another one started at once.
    void theForkedChildOfAKilledHolderIsWaitedFor()
    {
        QProcess other;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"LOCK_HOLDER_FORKS"_s, u"500"_s);
        other.setProcessEnvironment(environment);
        other.start(QStringLiteral(LOCK_HOLDER), {lockFile(), endpointFile()});
        QCOMPARE(firstLine(other), QByteArray("held"));
        ::kill(pid_t(other.processId()), SIGKILL);
        QTRY_VERIFY(!processAlive(other.processId()));
        QVERIFY(DataDirLock::holder(lockFile()));
        DataDirLock lock;
        const Result<> taken = lock.take(lockFile(), endpointFile());
        QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message));
        other.waitForFinished();
    }

    /// holder() takes a shared lock for a moment, here of 100 ms: a service that starts just then is not refused.
    void aSharedLockIsWaitedFor_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::newRow("before the first service") << QByteArray();
        QTest::newRow("the number of a dead service is another process's now")
            << QByteArray::number(qint64(::getpid())) + '\n';
    }
    void aSharedLockIsWaitedFor()
    {
        QFETCH(const QByteArray, file);
        QFile looked(lockFile());
        QVERIFY(looked.open(QIODevice::ReadWrite | QIODevice::Truncate) && looked.write(file) == file.size());
        looked.close();
        const int fd = ::open(QFile::encodeName(lockFile()).constData(), O_RDONLY | O_CLOEXEC);
        QVERIFY(fd >= 0 && ::flock(fd, LOCK_SH | LOCK_NB) == 0);
        const auto looker = std::unique_ptr<QThread>(QThread::create([fd] {
            QThread::msleep(100); // preempted between flock() and close()
            ::close(fd);
        }));
        looker->start();
        DataDirLock lock;
        const Result<> taken = lock.take(lockFile(), endpointFile());
        looker->wait();
        QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message));
        QCOMPARE(DataDirLock::holder(lockFile()), std::optional<qint64>(::getpid()));
    }

    void ourChildrenDoNotKeepIt()
    {
        QProcess child;
        {
            DataDirLock lock;
            QVERIFY(lock.take(lockFile(), endpointFile()));
            child.start(u"sleep"_s, {u"60"_s});
            QVERIFY(child.waitForStarted());
        }
        QCOMPARE(DataDirLock::holder(lockFile()), std::nullopt);
        child.kill();
        child.waitForFinished();
    }

    void aFolderThatIsMissing()
    {
        DataDirLock lock;
        QCOMPARE(lock.take(m_folder.filePath(u"no/lock"_s), endpointFile()).error().kind, core::Kind::resource);
    }
};

QTEST_GUILESS_MAIN(TestDataDirLock)
#include "tst_data_dir_lock.moc"
