// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/nni/old_experiment.h"

#include <QDir>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace nni;

namespace {

const char* const profile = "INSERT INTO ExperimentProfile VALUES ('{\"experimentName\": \"old\", \"tuner\": "
                            "{\"name\": \"TPE\", \"classArgs\": "
                            "{\"optimize_mode\": \"minimize\"}}}', 'abc', 9, 1000, 9000, '', 3, 7)";

/// A database as NNI makes it. `columns`: those that versions added to the table of events.
void makeDatabase(const QString& folder, const QString& columns, const QStringList& statements)
{
    QVERIFY(QDir().mkpath(folder + u"/db"_s));
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"make"_s);
        database.setDatabaseName(folder + u"/db/nni.sqlite"_s);
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY(query.exec(u"CREATE TABLE TrialJobEvent (timestamp INTEGER, trialJobId TEXT, event TEXT, data TEXT, "
                           "logPath TEXT, sequenceId INTEGER%1)"_s.arg(columns)));
        QVERIFY(query.exec(u"CREATE TABLE MetricData (timestamp INTEGER, trialJobId TEXT, parameterId TEXT, type TEXT, "
                           "sequence INTEGER, data TEXT)"_s));
        QVERIFY(query.exec(
            u"CREATE TABLE ExperimentProfile (params TEXT, id TEXT, execDuration INTEGER, startTime INTEGER, "
            "endTime INTEGER, logDir TEXT, nextSequenceId INTEGER, revision INTEGER)"_s));
        for (const QString& statement : statements)
            QVERIFY2(query.exec(statement), qPrintable(statement));
        database.close();
    }
    QSqlDatabase::removeDatabase(u"make"_s);
}

} // namespace

class TestOldNniExperiment : public QObject
{
    Q_OBJECT

private slots:
    void reads_data()
    {
        QTest::addColumn<QString>("columns");
        QTest::newRow("1.9") << QString();
        QTest::newRow("2.10") << u", message TEXT"_s;
        QTest::newRow("3.0") << u", message TEXT, environmentId TEXT"_s;
    }

    void reads()
    {
        QFETCH(QString, columns);
        const QTemporaryDir folder;
        const auto event = [](qint64 time, const QString& id, const QString& name, const QString& data,
                               const QString& sequence) {
            return u"INSERT INTO TrialJobEvent (timestamp, trialJobId, event, data, sequenceId) VALUES (%1, '%2', '%3', '%4', %5)"_s
                .arg(time)
                .arg(id, name, data, sequence);
        };
        const auto metric = [](qint64 time, const QString& id, const QString& type, int step, const QString& data) {
            return u"INSERT INTO MetricData VALUES (%1, '%2', '0', '%3', %4, '%5')"_s.arg(time)
                .arg(id, type)
                .arg(step)
                .arg(data);
        };
        makeDatabase(folder.path(), columns,
            {u"INSERT INTO ExperimentProfile VALUES ('{}', 'abc', 0, 1000, NULL, '', 0, 1)"_s,
                QString::fromUtf8(profile),
                event(2000, u"B"_s, u"WAITING"_s, u"{\"parameter_id\":1,\"parameters\":{\"x\":NaN}}"_s, u"1"_s),
                event(1500, u"A"_s, u"WAITING"_s, u"{\"parameter_id\":0,\"parameters\":{\"x\":0.5}}"_s, u"0"_s),
                event(0, QString(), u"IMPORT_DATA"_s, u"[]"_s, u"NULL"_s),
                event(1600, u"A"_s, u"RUNNING"_s, QString(), u"NULL"_s),
                event(3000, u"B"_s, u"USER_TO_CANCEL"_s, QString(), u"NULL"_s),
                event(3100, u"B"_s, u"USER_CANCELED"_s, QString(), u"NULL"_s),
                event(4000, u"A"_s, u"SUCCEEDED"_s, QString(), u"NULL"_s),
                event(5000, u"C"_s, u"WAITING"_s, u"{}"_s, u"2"_s),
                event(5500, u"C"_s, u"SUCCEEDED"_s, QString(), u"NULL"_s),
                metric(1700, u"A"_s, u"PERIODICAL"_s, 0, u"\"0.9\""_s),
                metric(1800, u"A"_s, u"FINAL"_s, 0, u"\"{\\\"default\\\": 0.25, \\\"loss\\\": 1}\""_s),
                metric(5400, u"C"_s, u"FINAL"_s, 0, u"\"0.5\""_s),
                metric(5450, u"nobody"_s, u"FINAL"_s, 0, u"\"0.1\""_s)});
        const auto before = QFile(folder.filePath(u"db/nni.sqlite"_s)).size();
        for (const QString& path : {folder.path(), folder.filePath(u"db/nni.sqlite"_s)}) {
            const auto read = readOldExperiment(path);
            QVERIFY2(read, qPrintable(read ? QString() : read.error().message.text()));
            QCOMPARE(read->id, u"abc"_s);
            QCOMPARE(read->name, u"old"_s);
            QCOMPARE(read->startTime, 1000);
            QCOMPARE(read->endTime, 9000);
            QVERIFY(!read->maximize);
            QCOMPARE(read->trials.size(), 3u);
            const Trial& a = read->trials[0].trial;
            QCOMPARE(a.id.value, u"A"_s);
            QCOMPARE(a.status, TrialStatus::succeeded);
            QCOMPARE(a.submitTime, 1500);
            QCOMPARE(a.startTime, 1600);
            QCOMPARE(a.endTime, 4000);
            QCOMPARE(a.parameters, "{\"x\":0.5}");
            QCOMPARE(a.finalMetric->value.number, 0.25);
            QCOMPARE(a.metricCount, 2);
            QCOMPARE(read->trials[0].intermediateCount, 1);
            QCOMPARE(read->trials[0].metrics.size(), 2u);
            QCOMPARE(read->trials[0].metrics[0].step, std::optional<qint64>(0));
            QCOMPARE(read->trials[0].metrics[1].sequence, 1);
            QVERIFY(!read->trials[0].metrics[1].step);
            QCOMPARE(read->trials[0].metrics[1].type, MetricType::final);
            QCOMPARE(read->trials[0].metrics[1].data, QByteArray("{\"default\": 0.25, \"loss\": 1}"));
            const Trial& b = read->trials[1].trial;
            QCOMPARE(b.status, TrialStatus::user_canceled);
            QCOMPARE(b.startTime, 2000); // NNI never saw it run
            QCOMPARE(b.parameters, "{\"x\":\"NaN\"}");
            QVERIFY(!b.finalMetric);
            QCOMPARE(read->best()->trial.id.value, u"A"_s);
        }
        QCOMPARE(QFile(folder.filePath(u"db/nni.sqlite"_s)).size(), before);
        QCOMPARE(QDir(folder.filePath(u"db"_s)).entryList(QDir::Files), QStringList{u"nni.sqlite"_s});
    }

    void saysWhatTheConfigurationSaid_data()
    {
        QTest::addColumn<QByteArray>("config");
        const QByteArray space = "{'lr': {'_type': 'uniform', '_value': [0, 1]}}";
        QTest::newRow("2.x") << QByteArray("{'experimentName': 'mnist', 'trialCommand': 'python3 m.py', "
                                           "'trialConcurrency': 4, 'maxTrialNumber': 20, 'searchSpace': ")
                + space + ", 'tuner': {'name': 'TPE'}}";
        QTest::newRow("1.x") << QByteArray("{'experimentName': 'mnist', 'trialConcurrency': 4, 'maxTrialNum': 20, "
                                           "'searchSpace': '")
                + QByteArray(space).replace("'", "\\'") + "', 'tuner': {'builtinTunerName': 'TPE'}}";
        QTest::newRow("nothing") << QByteArray("null");
        QTest::newRow("odd") << QByteArray("{'tuner': 3, 'searchSpace': '{', 'trialConcurrency': 'x'}");
    }

    void saysWhatTheConfigurationSaid()
    {
        QFETCH(QByteArray, config);
        OldExperiment old;
        old.id = u"abc"_s;
        old.config = *core::parseJson(config.replace("'", "\""));
        if (config.contains("mnist"))
            old.name = u"mnist"_s;
        const ExperimentSpec spec = specOf(old);
        if (!config.contains("mnist")) {
            QCOMPARE(spec.name, u"abc"_s);
            QCOMPARE(spec.trialConcurrency, 1);
            QVERIFY(spec.tunerName.isEmpty() && spec.searchSpace.is_null());
            return;
        }
        QCOMPARE(spec.name, u"mnist"_s);
        QCOMPARE(spec.tunerName, u"TPE"_s);
        QCOMPARE(spec.trialConcurrency, 4);
        QCOMPARE(spec.maxTrialNumber, std::optional<qint64>(20));
        QVERIFY(spec.searchSpace.contains("lr"));
    }

    void nothingInTheFileRuns_data()
    {
        QTest::addColumn<QStringList>("statements");
        QTest::addColumn<QString>("said");
        QTest::newRow("a view that never ends") << QStringList{u"DROP TABLE ExperimentProfile"_s,
            u"CREATE VIEW ExperimentProfile AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
            "SELECT '{}' AS params, n AS id, 1 AS startTime, 2 AS endTime, n AS revision FROM r"_s}
                                                << u"its ExperimentProfile is a view"_s;
        QTest::newRow("a view") << QStringList{u"ALTER TABLE MetricData RENAME TO m"_s,
            u"CREATE VIEW metricdata AS SELECT * FROM m"_s}
                                << u"its MetricData is a view"_s;
        QTest::newRow("a virtual table") << QStringList{u"DROP TABLE MetricData"_s,
            u"CREATE VIRTUAL TABLE MetricData USING fts4(timestamp, trialJobId, type, sequence, data)"_s}
                                         << u"its MetricData is a virtual table"_s;
        QTest::newRow("a column that computes") << QStringList{u"DROP TABLE MetricData"_s,
            u"CREATE TABLE MetricData (timestamp INTEGER, trialJobId TEXT, type TEXT, sequence INTEGER, "
            "data TEXT AS (hex(zeroblob(1000))))"_s}
                                                << u"its MetricData is a table with generated columns"_s;
        QTest::newRow("a large value")
            << QStringList{u"INSERT INTO MetricData VALUES (1, 'A', '0', 'FINAL', 0, hex(zeroblob(9 * 1024 * 1024)))"_s}
            << u"MetricData holds a row of more than 16 MiB"_s;
    }

    void nothingInTheFileRuns()
    {
        QFETCH(QStringList, statements);
        QFETCH(QString, said);
        const QTemporaryDir folder;
        makeDatabase(folder.path(), {}, QStringList{QString::fromUtf8(profile)} + statements);
        const auto read = readOldExperiment(folder.path());
        QVERIFY(!read);
        QCOMPARE(read.error().kind, Kind::invalid);
        QVERIFY2(read.error().message.contains(said), qPrintable(read.error().message));
    }

    void hasLimits_data()
    {
        QTest::addColumn<ReadLimits>("limits");
        QTest::addColumn<QString>("said");
        QTest::newRow("rows") << ReadLimits{.rows = 4'999} << u"MetricData holds more than 4999 rows"_s;
        QTest::newRow("bytes") << ReadLimits{.allBytes = 1024 * 1024} << u"it holds more than 1 MiB"_s;
        QTest::newRow("time") << ReadLimits{.time = std::chrono::milliseconds(0)} << u"it takes longer than 0 s"_s;
        QTest::newRow("none") << ReadLimits{.rows = 5'000} << QString();
    }

    void hasLimits()
    {
        QFETCH(ReadLimits, limits);
        QFETCH(QString, said);
        const QTemporaryDir folder;
        makeDatabase(folder.path(), {},
            {QString::fromUtf8(profile),
                u"INSERT INTO MetricData WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 5000) "
                "SELECT n, 'A', '0', 'PERIODICAL', n, '\"0.5\"' FROM r"_s});
        const auto read = readOldExperiment(folder.path(), limits);
        QCOMPARE(bool(read), said.isEmpty());
        if (!read)
            QVERIFY2(read.error().message.contains(said), qPrintable(read.error().message));
    }

    /// SQLite keeps any type in any column, and runs triggers of a file only for who writes.
    void otherTypesAndTriggers()
    {
        const QTemporaryDir folder;
        makeDatabase(folder.path(), {},
            {u"INSERT INTO ExperimentProfile VALUES (x'00ff', 7, 'x', 'y', 9e99, NULL, 'z', 'w')"_s,
                u"CREATE TRIGGER t BEFORE INSERT ON MetricData BEGIN SELECT RAISE(ABORT, 'no'); END"_s,
                u"INSERT INTO TrialJobEvent (timestamp, trialJobId, event, data, sequenceId) "
                "VALUES ('soon', x'41ff', 'WAITING', 5, 1e300), (1, 2, 3, 4, 5), (-1, 'B', 'FAILED', x'ff', 'n')"_s});
        const auto read = readOldExperiment(folder.path());
        QVERIFY2(read, qPrintable(read ? QString() : read.error().message.text()));
        QCOMPARE(read->id, u"7"_s);
        QVERIFY(read->config.is_null());
        QCOMPARE(read->trials.size(), 2u);
        QCOMPARE(read->trials[0].trial.id.value, u"B"_s);
        QCOMPARE(read->trials[1].trial.id.value, u"A\ufffd"_s);
    }

    void refuses()
    {
        const QTemporaryDir folder;
        const auto none = readOldExperiment(folder.path());
        QVERIFY(!none && none.error().kind == Kind::not_found);
        QVERIFY(QDir(folder.path()).mkdir(u"db"_s));
        QFile file(folder.filePath(u"db/nni.sqlite"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "not a database, and long enough to be looked at as one ................................................");
        file.close();
        const auto broken = readOldExperiment(folder.path());
        QVERIFY(!broken);
        QCOMPARE(broken.error().kind, Kind::invalid);
        QVERIFY2(broken.error().message.contains(u"not a database of NNI"_s), qPrintable(broken.error().message));
    }
};

QTEST_GUILESS_MAIN(TestOldNniExperiment)
#include "tst_old_nni_experiment.moc"
