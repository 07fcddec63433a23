// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/transport/local_link.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace transport;

/// Against small shell programs in place of the agent; `exec cat` sends every frame back.
class TestLocalLink : public QObject
{
    Q_OBJECT
private slots:
    void framesTravelBothWays();
    void controlOvertakesBulk();
    void tooLargeIsRefused();
    void missingProgram();
    void deathIsTold();
    void lastWordsOfADyingAgent();
    void logOfAnAgentIsBounded();
    void garbageEndsTheLink();
    void closeDrainsControl();
    void closeBeforeStartOfLoop();
    void destroyedInASlot();
    void secretsStayHere();
    void childHasNoneOfOurDescriptors();

private:
    QString program(const QByteArray& script);
    QTemporaryDir m_dir;
    int m_programs = 0;
};

QString TestLocalLink::program(const QByteArray& script)
{
    const QString path = m_dir.filePath(u"agent%1.sh"_s.arg(++m_programs));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(path));
    file.write("#!/bin/sh\n" + script + "\n");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

void TestLocalLink::framesTravelBothWays()
{
    LocalLink link(program("[ \"$1\" = host ] && [ \"$2\" = /some/dir ] && exec cat"), u"/some/dir"_s);
    QSignalSpy opened(&link, &LocalLink::opened);
    QSignalSpy frames(&link, &LocalLink::frame);
    link.start();
    QCOMPARE(opened.size(), 0);
    QTRY_COMPARE(opened.size(), 1);
    QVERIFY(link.send("{\"m\":\"one\"}"));
    QByteArray raw(64 * 1024, 'r');
    raw[77] = '\0';
    QVERIFY(link.send("{\"m\":\"two\"}", raw));
    QVERIFY(link.send("{\"x\":\"" + QByteArray(900'000, 'y') + "\"}"));
    QTRY_COMPARE(frames.size(), 3);
    QCOMPARE(frames.at(0).at(0).toByteArray(), QByteArray("{\"m\":\"one\"}"));
    QVERIFY(frames.at(0).at(1).toByteArray().isEmpty());
    QCOMPARE(frames.at(1).at(1).toByteArray(), raw);
    QCOMPARE(frames.at(2).at(0).toByteArray().size(), 900'008);
}

void TestLocalLink::controlOvertakesBulk()
{
    // The program reads nothing until the test lets it, so that the queue fills.
    QTemporaryDir gate;
    LocalLink link(
        program("while [ ! -e " + gate.filePath(u"go"_s).toLocal8Bit() + " ]; do sleep 0.01; done; exec cat"), u"d"_s);
    QSignalSpy frames(&link, &LocalLink::frame);
    link.start();
    const QByteArray chunk(64 * 1024, 'b');
    for (int i = 0; i < 100; ++i)
        QVERIFY(link.send("{\"m\":\"bulk\"}", chunk, true));
    QTRY_VERIFY(link.pendingBulkBytes() < 100 * chunk.size());
    const qint64 pending = link.pendingBulkBytes();
    QVERIFY(pending > 50 * chunk.size());
    QVERIFY(link.send("{\"m\":\"control\"}"));
    QFile go(gate.filePath(u"go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QTRY_COMPARE(frames.size(), 101);
    QCOMPARE(link.pendingBulkBytes(), 0);
    int place = -1;
    for (int i = 0; i < frames.size(); ++i) {
        if (frames.at(i).at(0).toByteArray().contains("control"))
            place = i;
    }
    // Behind what the system had taken already, and the frame that was on its way.
    QVERIFY2(place >= 0 && place <= 100 - pending / chunk.size() + 1, qPrintable(QString::number(place)));
}

void TestLocalLink::tooLargeIsRefused()
{
    LocalLink link(program("exec cat"), u"d"_s);
    QVERIFY(!link.send("{\"m\":1}", QByteArray(64 * 1024 + 1, 'r')));
    QVERIFY(!link.send("{\"m\":1}", QByteArray(64 * 1024 + 1, 'r'), true));
    QVERIFY(!link.send(QByteArray(1024 * 1024, ' ')));
    QCOMPARE(link.pendingBulkBytes(), 0);
}

void TestLocalLink::missingProgram()
{
    LocalLink link(m_dir.filePath(u"nothing"_s), u"d"_s);
    QSignalSpy closed(&link, &LocalLink::closed);
    QSignalSpy opened(&link, &LocalLink::opened);
    link.start();
    QCOMPARE(closed.size(), 0);
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(opened.size(), 0);
    const auto error = closed.at(0).at(0).value<core::Error>();
    QCOMPARE(error.kind, core::Kind::platform);
    QVERIFY(error.message.contains(m_dir.filePath(u"nothing"_s)));
}

void TestLocalLink::deathIsTold()
{
    LocalLink link(program("exec cat"), u"d"_s);
    QSignalSpy closed(&link, &LocalLink::closed);
    QSignalSpy opened(&link, &LocalLink::opened);
    link.start();
    QTRY_COMPARE(opened.size(), 1);
    const auto pid = pid_t(link.processId());
    QVERIFY(pid > 0);
    kill(pid, SIGKILL);
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed.at(0).at(0).value<core::Error>().kind, core::Kind::network);
    QCOMPARE(link.processId(), 0);
    QTRY_VERIFY(kill(pid, 0) != 0);         // no zombie stays
    QVERIFY(link.send("{\"m\":\"late\"}")); // harmless
    QCoreApplication::processEvents();
    QCOMPARE(closed.size(), 1);
}

void TestLocalLink::lastWordsOfADyingAgent()
{
    // A frame of 5 + 2 bytes: {"m":1} is 7 long.
    LocalLink link(
        program("printf '\\011\\000\\000\\000\\007\\000{\"m\":1}'; echo 'cannot go on' >&2; exit 3"), u"d"_s);
    QSignalSpy closed(&link, &LocalLink::closed);
    QSignalSpy frames(&link, &LocalLink::frame);
    link.start();
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(frames.size(), 1);
    QCOMPARE(closed.at(0).at(0).value<core::Error>().detail, u"cannot go on"_s);
}

namespace {
qint64 loggedBytes = 0;
int toldOnce = 0;
void countLog(QtMsgType, const QMessageLogContext&, const QString& message)
{
    loggedBytes += message.size();
    toldOnce += message.contains(u"is not logged"_s) ? 1 : 0;
}
} // namespace

void TestLocalLink::logOfAnAgentIsBounded()
{
    LocalLink link(program("i=0; while [ $i -lt 400 ]; do printf '%01000d\\n' $i; i=$((i+1)); done >&2; echo 'the last "
                           "words' >&2; exit 3"),
        u"d"_s);
    QSignalSpy closed(&link, &LocalLink::closed);
    loggedBytes = 0;
    toldOnce = 0;
    const QtMessageHandler before = qInstallMessageHandler(countLog);
    link.start();
    const bool ended = QTest::qWaitFor([&] { return closed.size() == 1; }, 20'000);
    qInstallMessageHandler(before);
    QVERIFY(ended);
    QVERIFY2(loggedBytes > 60'000 && loggedBytes < 70'000, qPrintable(QString::number(loggedBytes)));
    QCOMPARE(toldOnce, 1);
    QCOMPARE(closed.at(0).at(0).value<core::Error>().detail, u"the last words"_s);
}

void TestLocalLink::garbageEndsTheLink()
{
    LocalLink link(program("echo 'this is not a frame at all'; exec cat"), u"d"_s);
    QSignalSpy closed(&link, &LocalLink::closed);
    link.start();
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed.at(0).at(0).value<core::Error>().kind, core::Kind::platform);
}

void TestLocalLink::closeDrainsControl()
{
    QTemporaryDir out;
    const QByteArray file = out.filePath(u"got"_s).toLocal8Bit();
    LocalLink link(program("cat > " + file + "; echo done >> " + file + ".end"), u"d"_s);
    QSignalSpy closed(&link, &LocalLink::closed);
    link.start();
    const QByteArray large = "{\"x\":\"" + QByteArray(900'000, 'y') + "\"}";
    QVERIFY(link.send(large));
    link.close();
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed.at(0).at(0).value<core::Error>().kind, core::Kind::cancelled);
    QFile got(QString::fromLocal8Bit(file));
    QVERIFY(got.open(QIODevice::ReadOnly));
    QCOMPARE(got.size(), large.size() + 6);
    QVERIFY(QFile::exists(QString::fromLocal8Bit(file) + u".end"_s)); // it ended by itself
}

void TestLocalLink::closeBeforeStartOfLoop()
{
    LocalLink link(m_dir.filePath(u"nothing"_s), u"d"_s);
    QSignalSpy closed(&link, &LocalLink::closed);
    link.start();
    link.close();
    QTRY_COMPARE(closed.size(), 1);
    QCoreApplication::processEvents();
    QCOMPARE(closed.size(), 1);
}

void TestLocalLink::destroyedInASlot()
{
    auto link = std::make_unique<LocalLink>(program("exec cat"), u"d"_s);
    bool seen = false;
    connect(link.get(), &LocalLink::frame, this, [&] {
        seen = true;
        link.reset();
    });
    link->start();
    QVERIFY(link->send("{\"m\":1}"));
    QVERIFY(link->send("{\"m\":2}"));
    QTRY_VERIFY(seen);
    QVERIFY(!link);
}

void TestLocalLink::secretsStayHere()
{
    QTemporaryDir out;
    const QByteArray file = out.filePath(u"env"_s).toLocal8Bit();
    qputenv("TRIALDECK_SECRET_PLATFORM_X", "hunter2");
    qputenv("NOTIFY_SOCKET", "/run/x");
    qputenv("SOMETHING_ELSE", "kept");
    LocalLink link(program("env > " + file + ".tmp; mv " + file + ".tmp " + file + "; exec cat"), u"d"_s);
    link.start();
    QTRY_VERIFY(QFile::exists(QString::fromLocal8Bit(file)));
    QFile got(QString::fromLocal8Bit(file));
    QVERIFY(got.open(QIODevice::ReadOnly));
    const QByteArray text = got.readAll();
    QVERIFY(text.contains("SOMETHING_ELSE=kept"));
    QVERIFY(!text.contains("hunter2"));
    QVERIFY(!text.contains("NOTIFY_SOCKET"));
    qunsetenv("TRIALDECK_SECRET_PLATFORM_X");
    qunsetenv("NOTIFY_SOCKET");
}

void TestLocalLink::childHasNoneOfOurDescriptors()
{
    QTemporaryDir out;
    const QByteArray file = out.filePath(u"fds"_s).toLocal8Bit();
    FILE* leaky = fopen("/dev/null", "r"); // without close-on-exec, as some library may have it
    QVERIFY(leaky);
    LocalLink link(program("ls -l /proc/$$/fd > " + file + ".tmp; mv " + file + ".tmp " + file + "; exec cat"), u"d"_s);
    link.start();
    QTRY_VERIFY(QFile::exists(QString::fromLocal8Bit(file)));
    QFile got(QString::fromLocal8Bit(file));
    QVERIFY(got.open(QIODevice::ReadOnly));
    QVERIFY(!got.readAll().contains("/dev/null"));
    fclose(leaky);
}

QTEST_GUILESS_MAIN(TestLocalLink)
#include "tst_local_link.moc"
