// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/secrets/env_secrets.h"
#include "services/secrets/file_secrets.h"

#include <QCoroTask>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace secrets;
using core::Kind;

class TestSecrets : public QObject
{
    Q_OBJECT
private slots:
    void fileKeepsTexts();
    void fileIsPrivate();
    void fileIsMadePrivate();
    void damagedFileIsRefusedWithoutItsText();
    void manyWritesKeepAll();
    void environmentWins();
    void variableNames_data();
    void variableNames();
};

void TestSecrets::fileKeepsTexts()
{
    QTemporaryDir dir;
    const QString path = dir.filePath(u"deep/secrets.json"_s);
    {
        FileSecrets store(path);
        const auto none = QCoro::waitFor(store.read(u"platform/a"_s));
        QVERIFY(none && !none->has_value());
        QVERIFY(QCoro::waitFor(store.write(u"platform/a"_s, u"{\"password\": \"pa\\\"ß\"}"_s)));
        QVERIFY(QCoro::waitFor(store.write(u"platform/b"_s, u"two"_s)));
        QVERIFY(QCoro::waitFor(store.remove(u"platform/b"_s)));
        QVERIFY(QCoro::waitFor(store.remove(u"platform/c"_s)));
    }
    FileSecrets again(path);
    const auto a = QCoro::waitFor(again.read(u"platform/a"_s));
    QVERIFY(a);
    QCOMPARE(a->value_or(u"-"_s), u"{\"password\": \"pa\\\"ß\"}"_s);
    const auto b = QCoro::waitFor(again.read(u"platform/b"_s));
    QVERIFY(b && !b->has_value());
}

void TestSecrets::fileIsPrivate()
{
    QTemporaryDir dir;
    const QString path = dir.filePath(u"secrets.json"_s);
    FileSecrets store(path);
    QVERIFY(QCoro::waitFor(store.write(u"k"_s, u"v"_s)));
    const auto mine = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;
    QCOMPARE(QFile::permissions(path), mine);
    QCOMPARE(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden), QStringList{u"secrets.json"_s});
}

void TestSecrets::fileIsMadePrivate()
{
    QTemporaryDir dir;
    const QString path = dir.filePath(u"secrets.json"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"k": "v"})");
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
    FileSecrets store(path);
    const auto read = QCoro::waitFor(store.read(u"k"_s));
    QVERIFY(read);
    QCOMPARE(read->value_or(QString()), u"v"_s);
    QVERIFY(!(QFile::permissions(path) & QFile::ReadOther));
}

void TestSecrets::damagedFileIsRefusedWithoutItsText()
{
    QTemporaryDir dir;
    const QString path = dir.filePath(u"secrets.json"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"k": "hunter2)");
    file.close();
    FileSecrets store(path);
    const auto read = QCoro::waitFor(store.read(u"k"_s));
    QVERIFY(!read);
    QCOMPARE(read.error().kind, Kind::invalid);
    QVERIFY(read.error().message.contains(path));
    QVERIFY(!read.error().message.contains(u"hunter2"));
    QVERIFY(!QCoro::waitFor(store.write(u"k"_s, u"v"_s))); // the damage stays for a person to look at
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray(R"({"k": "hunter2)"));
}

void TestSecrets::manyWritesKeepAll()
{
    QTemporaryDir dir;
    FileSecrets store(dir.filePath(u"secrets.json"_s));
    std::vector<Task<Result<>>> writes;
    for (int i = 0; i < 20; ++i)
        writes.push_back(store.write(u"k%1"_s.arg(i), QString::number(i)));
    for (auto& write : writes)
        QVERIFY(QCoro::waitFor(write));
    for (int i = 0; i < 20; ++i) {
        const auto read = QCoro::waitFor(store.read(u"k%1"_s.arg(i)));
        QVERIFY(read);
        QCOMPARE(read->value_or(QString()), QString::number(i));
    }
}

void TestSecrets::environmentWins()
{
    QTemporaryDir dir;
    FileSecrets file(dir.filePath(u"secrets.json"_s));
    QVERIFY(QCoro::waitFor(file.write(u"platform/pai"_s, u"from the file"_s)));
    EnvSecrets store({{u"TRIALDECK_SECRET_PLATFORM_PAI"_s, u"from outside"_s}}, &file);
    QCOMPARE(QCoro::waitFor(store.read(u"platform/pai"_s))->value_or(QString()), u"from outside"_s);
    const auto refused = QCoro::waitFor(store.write(u"platform/pai"_s, u"new"_s));
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Kind::conflict);
    QVERIFY(refused.error().message.contains(u"TRIALDECK_SECRET_PLATFORM_PAI"));
    QVERIFY(QCoro::waitFor(store.write(u"other"_s, u"kept"_s)));
    QCOMPARE(QCoro::waitFor(file.read(u"other"_s))->value_or(QString()), u"kept"_s);
    QVERIFY(QCoro::waitFor(store.remove(u"other"_s)));
    QVERIFY(!QCoro::waitFor(file.read(u"other"_s))->has_value());

    EnvSecrets alone({});
    QVERIFY(!QCoro::waitFor(alone.read(u"x"_s))->has_value());
    QVERIFY(!QCoro::waitFor(alone.write(u"x"_s, u"y"_s)));
}

void TestSecrets::variableNames_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("name");
    QTest::newRow("slash") << u"platform/lab-1"_s << u"TRIALDECK_SECRET_PLATFORM_LAB_1"_s;
    QTest::newRow("not ascii") << u"lab.é"_s << u"TRIALDECK_SECRET_LAB__"_s;
}

void TestSecrets::variableNames()
{
    QFETCH(QString, key);
    QTEST(EnvSecrets::variableName(key), "name");
}

QTEST_GUILESS_MAIN(TestSecrets)
#include "tst_secrets.moc"
