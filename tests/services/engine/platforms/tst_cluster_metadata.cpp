// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/engine/platforms/cluster_metadata.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace engine;

class TestClusterMetadata : public QObject
{
    Q_OBJECT

private slots:
    void namesOfOldChange_data();
    void namesOfOldChange();
    void otherKeysAreKept();
    void refused_data();
    void refused();
};

static Json json(const char* text)
{
    return *parseJson(text);
}

void TestClusterMetadata::namesOfOldChange_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("settings");
    QTest::newRow("machines") << u"remote"_s << u"machine_list"_s
                              << QByteArray(R"([{"ip": "10.0.0.1", "port": 22, "username": "ann", "passwd": "x"},
                                  {"ip": "b", "sshKeyPath": "/k", "passphrase": "p", "maxTrialNumPerGpu": 2}])")
                              << QByteArray(R"({"kept": 1, "machineList": [
                                  {"host": "10.0.0.1", "port": 22, "user": "ann", "password": "x"},
                                  {"host": "b", "sshKeyFile": "/k", "sshPassphrase": "p", "maxTrialNumberPerGpu": 2}]})");
    QTest::newRow("new names stay") << u"remote"_s << u"machine_list"_s << QByteArray(R"([{"host": "a", "user": "u"}])")
                                    << QByteArray(R"({"kept": 1, "machineList": [{"host": "a", "user": "u"}]})");
    QTest::newRow("local") << u"local"_s << u"local_config"_s
                           << QByteArray(R"({"maxTrialNumPerGpu": 3, "useActiveGpu": true, "reuse": false})")
                           << QByteArray(R"({"kept": 1, "maxTrialNumberPerGpu": 3, "useActiveGpu": true})");
}

void TestClusterMetadata::namesOfOldChange()
{
    QFETCH(QString, kind);
    QFETCH(QString, key);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, settings);
    const auto changed = settingsOfMetadata(kind, key, json(value), json(R"({"kept": 1})"));
    QVERIFY2(changed, changed ? "" : qPrintable(changed.error().message));
    QVERIFY(*changed);
    QCOMPARE(dumpJson(**changed), dumpJson(json(settings)));
}

void TestClusterMetadata::otherKeysAreKept()
{
    for (const QString& key : {u"trial_config"_s, u"remote_config"_s, u"nni_manager_ip"_s, u"version_check"_s,
             u"log_collection"_s, u"multiPhase"_s, u"experimentId"_s, u"random_scheduler"_s}) {
        const auto kept = settingsOfMetadata(u"local"_s, key, json("{}"), json("{}"));
        QVERIFY(kept && !*kept);
    }
}

void TestClusterMetadata::refused_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("names");
    QTest::newRow("unknown") << u"local"_s << u"weather"_s << QByteArray("{}") << u"weather"_s;
    QTest::newRow("of another kind") << u"local"_s << u"machine_list"_s << QByteArray("[]") << u"machine_list"_s;
    QTest::newRow("no list") << u"remote"_s << u"machine_list"_s << QByteArray("{}") << u"machine_list"_s;
    QTest::newRow("no machine") << u"remote"_s << u"machine_list"_s << QByteArray("[1]") << u"machine_list"_s;
    QTest::newRow("trial_config no object") << u"local"_s << u"trial_config"_s << QByteArray("5") << u"trial_config"_s;
    QTest::newRow("command no text") << u"remote"_s << u"trial_config"_s << QByteArray(R"({"command": ["a"]})")
                                     << u"trial_config.command"_s;
    QTest::newRow("GPUs no number") << u"local"_s << u"trial_config"_s
                                    << QByteArray(R"({"command": "a", "gpuNum": "1"})") << u"trial_config.gpuNum"_s;
    QTest::newRow("no object") << u"local"_s << u"local_config"_s << QByteArray("[1]") << u"local_config"_s;
}

void TestClusterMetadata::refused()
{
    QFETCH(QString, kind);
    QFETCH(QString, key);
    QFETCH(QByteArray, value);
    QFETCH(QString, names);
    const auto refused = settingsOfMetadata(kind, key, json(value), json("{}"));
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Kind::invalid);
    QVERIFY(refused.error().message.contains(names));
}

QTEST_GUILESS_MAIN(TestClusterMetadata)
#include "tst_cluster_metadata.moc"
