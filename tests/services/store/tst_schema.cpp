// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/store/schema.h"
#include "services/store/sql_error.h"

#include <QFile>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QtTest>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

Result<> makeA(QSqlDatabase& database)
{
    QSqlQuery(database).exec(u"CREATE TABLE a (x INTEGER)"_s);
    return {};
}

Result<> makeB(QSqlDatabase& database)
{
    QSqlQuery(database).exec(u"CREATE TABLE b (x INTEGER)"_s);
    return {};
}

Result<> failHalfway(QSqlDatabase& database)
{
    QSqlQuery(database).exec(u"CREATE TABLE half (x INTEGER)"_s);
    return fail(Kind::internal, u"No."_s);
}

} // namespace

class TestSchema : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void runsWhatIsMissing();
    void failedMigrationLeavesNothing();
    void newerIsRefused();
    void versionFromTheHeader();
    void errorSentences_data();
    void errorSentences();
    void networkFileSystems();

private:
    int version();
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_file;
    QSqlDatabase m_database;
};

void TestSchema::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_file = m_folder->filePath(u"x.sqlite"_s);
    m_database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"schema"_s);
    m_database.setDatabaseName(m_file);
    QVERIFY(m_database.open());
}

void TestSchema::cleanup()
{
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(u"schema"_s);
    m_folder.reset();
}

int TestSchema::version()
{
    QSqlQuery query(m_database);
    query.exec(u"PRAGMA user_version"_s);
    return query.next() ? query.value(0).toInt() : -1;
}

void TestSchema::runsWhatIsMissing()
{
    const std::array<store::Migration, 1> first = {makeA};
    const std::array<store::Migration, 2> both = {makeA, makeB};
    QVERIFY(store::upgrade(m_database, first));
    QCOMPARE(version(), 1);
    QCOMPARE(m_database.tables(), QStringList({u"a"_s}));
    QVERIFY(store::upgrade(m_database, both));
    QCOMPARE(version(), 2);
    QCOMPARE(m_database.tables(), QStringList({u"a"_s, u"b"_s}));
    QVERIFY(store::upgrade(m_database, both));
    QCOMPARE(version(), 2);
}

void TestSchema::failedMigrationLeavesNothing()
{
    const std::array<store::Migration, 2> bad = {makeA, failHalfway};
    const auto done = store::upgrade(m_database, bad);
    QVERIFY(!done);
    QCOMPARE(done.error().message, u"bringing the store to version 2: No."_s);
    QCOMPARE(version(), 1);
    QCOMPARE(m_database.tables(), QStringList({u"a"_s}));
    const std::array<store::Migration, 2> good = {makeA, makeB};
    QVERIFY(store::upgrade(m_database, good));
    QCOMPARE(version(), 2);
}

void TestSchema::newerIsRefused()
{
    QSqlQuery(m_database).exec(u"PRAGMA user_version = 9"_s);
    const std::array<store::Migration, 1> first = {makeA};
    const auto done = store::upgrade(m_database, first);
    QVERIFY(!done);
    QVERIFY(done.error().message.contains(u"newer Trialdeck"));
    QVERIFY(m_database.tables().isEmpty());
}

void TestSchema::versionFromTheHeader()
{
    QVERIFY(store::versionOfFile(m_folder->filePath(u"absent"_s)) == 0);
    QVERIFY(store::upgrade(m_database, store::migrations()));
    QVERIFY(store::versionOfFile(m_file) == int(store::migrations().size()));
    QSqlQuery(m_database).exec(u"PRAGMA user_version = 70000"_s);
    QVERIFY(store::versionOfFile(m_file) == 70'000);

    const auto write = [&](const QByteArray& bytes) {
        QFile file(m_folder->filePath(u"other"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    };
    write({});
    QVERIFY(store::versionOfFile(m_folder->filePath(u"other"_s)) == 0);
    write("SQLite format 3");
    QVERIFY(!store::versionOfFile(m_folder->filePath(u"other"_s)));
    write(QByteArray(4'096, 'x'));
    // A version below zero is no version of ours; it was used as an index.
    QFile negative(m_folder->filePath(u"negative"_s));
    QVERIFY(negative.open(QIODevice::WriteOnly));
    negative.write(
        QByteArray("SQLite format 3\0", 16).leftJustified(60, '\0') + "\xff\xff\xff\xfb" + QByteArray(36, '\0'));
    negative.close();
    const auto below = store::versionOfFile(negative.fileName());
    QVERIFY(!below);
    QVERIFY(below.error().message.contains(u"is damaged and was left as it is"_s));
    const auto damaged = store::versionOfFile(m_folder->filePath(u"other"_s));
    QVERIFY(!damaged);
    QVERIFY(damaged.error().message.contains(u"is damaged and was left as it is"));
}

void TestSchema::errorSentences_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("words");
    QTest::newRow("full") << u"13"_s << int(Kind::resource) << u"The disk that holds /data/store is full."_s;
    QTest::newRow("io") << u"10"_s << int(Kind::resource) << u"The disk that holds /data/store reports an error."_s;
    QTest::newRow("io, extended") << u"778"_s << int(Kind::resource) << u"reports an error"_s;
    QTest::newRow("read-only") << u"8"_s << int(Kind::resource) << u"The folder /data/store cannot be written to."_s;
    QTest::newRow("cannot open") << u"14"_s << int(Kind::resource) << u"cannot be opened or made"_s;
    QTest::newRow("busy") << u"5"_s << int(Kind::conflict) << u"in use by another process"_s;
    QTest::newRow("corrupt") << u"11"_s << int(Kind::internal) << u"The store /data/store/x.sqlite is damaged"_s;
    QTest::newRow("no database") << u"26"_s << int(Kind::internal) << u"is damaged"_s;
    QTest::newRow("other") << u"1"_s << int(Kind::internal) << u"could not do its work"_s;
}

void TestSchema::errorSentences()
{
    QFETCH(QString, code);
    QFETCH(int, kind);
    QFETCH(QString, words);
    const QSqlError error(u"driver"_s, u"database"_s, QSqlError::StatementError, code);
    const Error sentence = store::sqlError(error, u"/data/store/x.sqlite"_s);
    QCOMPARE(int(sentence.kind), kind);
    QVERIFY2(sentence.message.contains(words), qPrintable(sentence.message));
    QVERIFY(sentence.message.endsWith(u'.'));
    QVERIFY(sentence.detail.contains(code));
}

void TestSchema::networkFileSystems()
{
    QVERIFY(store::isNetworkFileSystem(0x6969));
    QVERIFY(store::isNetworkFileSystem(0xff534d42));
    QVERIFY(store::isNetworkFileSystem(quint64(qint64(qint32(0xff534d42))))); // f_type is signed on some machines
    QVERIFY(!store::isNetworkFileSystem(0xef53));                             // ext4
    QVERIFY(!store::isNetworkFileSystem(0x01021994));                         // tmpfs
    QVERIFY(store::networkFileSystemOf(u"/proc"_s).isEmpty());
    QVERIFY(store::networkFileSystemOf(u"/no/such/folder"_s).isEmpty());
}

QTEST_GUILESS_MAIN(TestSchema)
#include "tst_schema.moc"
