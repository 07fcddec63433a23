// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/json.h"
#include "services/http/audit_log.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace Qt::StringLiterals;
using namespace http;

class TestAuditLog : public QObject
{
    Q_OBJECT
private slots:
    void lines();
    void aFloodOfRefusals();
    void startsAnotherFile();
    void cannotBeWritten();

private:
    static AuditLog::Entry entry(qint64 time, int status, const std::string& address = "10.0.0.1")
    {
        return {time, {false, address}, status == 401 ? QString() : u"owner"_s, "POST", "/api/v1/experiments", status};
    }
    [[nodiscard]] QList<QByteArray> written() const
    {
        QFile input(file());
        QList<QByteArray> out = input.open(QIODevice::ReadOnly) ? input.readAll().split('\n') : QList<QByteArray>();
        out.removeAll(QByteArray());
        return out;
    }
    [[nodiscard]] QString file() const { return m_folder.filePath(u"audit.log"_s); }

    QTemporaryDir m_folder;
};

void TestAuditLog::lines()
{
    AuditLog::Entry one = entry(0, 201);
    QCOMPARE(auditLine(one, 0),
        QByteArray(R"({"time":"1970-01-01T00:00:00.000Z","from":"10.0.0.1","token":"owner","method":"POST",)"
                   R"("path":"/api/v1/experiments","status":201})"
                   "\n"));
    one.peer = {true, {}};
    one.path = "/\n\x1b[31m\"" + QByteArray(1000, 'x') + "\xff";
    const QByteArray odd = auditLine(one, 3);
    QCOMPARE(odd.count('\n'), 1);
    QVERIFY(!odd.contains('\x1b') && odd.size() < 800);
    const auto json = core::parseJson(odd);
    QVERIFY(json);
    QCOMPARE((*json)["from"].get<QString>(), u"socket"_s);
    QCOMPARE((*json)["repeats"].get<int>(), 3);
}

void TestAuditLog::aFloodOfRefusals()
{
    {
        AuditLog log(file());
        for (int i = 0; i < 500; ++i)
            log.note(entry(i, 401));
        log.note(entry(600, 401, "10.0.0.2"));
        log.note(entry(700, 201));
        log.note(entry(20'000, 401));
        log.note(entry(1'000, 401)); // a clock that was put back
    }
    const QList<QByteArray> all = written();
    QCOMPARE(all.size(), 5);
    QVERIFY(all[3].contains("\"repeats\":499"));
    QCOMPARE(QFile(file()).permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    QFile::remove(file());
}

void TestAuditLog::startsAnotherFile()
{
    {
        QFile big(file());
        QVERIFY(big.open(QIODevice::WriteOnly) && big.resize(16 * 1024 * 1024 - 10));
    }
    {
        AuditLog log(file());
        log.note(entry(0, 200));
    }
    QCOMPARE(written().size(), 1);
    QVERIFY(QFile(file() + u".1"_s).size() > 1'000'000);
    QFile::remove(file());
}

void TestAuditLog::cannotBeWritten()
{
    AuditLog off{QString()};
    off.note(entry(0, 200));
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"The audit log .* cannot be written"_s));
    AuditLog log(u"/no/such/folder/audit.log"_s);
    for (int i = 0; i < 3; ++i)
        log.note(entry(i, 200));
}

QTEST_GUILESS_MAIN(TestAuditLog)
#include "tst_audit_log.moc"
