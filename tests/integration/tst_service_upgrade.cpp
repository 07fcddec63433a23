// SPDX-License-Identifier: GPL-3.0-or-later
// A data directory of each earlier version, as a kill -9 left it, is taken over by this one.
#include "service_fixture.h"

#include <QDir>

using namespace Qt::StringLiterals;
using core::Json;

class TestServiceUpgrade : public QObject
{
    Q_OBJECT
private slots:
    void takesOver_data();
    void takesOver();
};

void TestServiceUpgrade::takesOver_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/fixtures/upgrade"));
    const QStringList files = folder.entryList({u"data-*.tar.gz"_s});
    QVERIFY(!files.isEmpty());
    for (const QString& file : files)
        QTest::newRow(qPrintable(file)) << folder.filePath(file);
}

/// The fixture's service had a paused experiment `first` when it was killed: `good` had ended, `bad` with exit code 3; `late` ran and ended
/// afterwards, with a sixth value; the processes of `lost` were killed as well; a second `good` waited.
void TestServiceUpgrade::takesOver()
{
    QFETCH(QString, file);
    ServiceFixture service;
    QCOMPARE(QProcess::execute(u"tar"_s, {u"-xzf"_s, file, u"-C"_s, service.folder()}), 0);
    QVERIFY(service.start());
    const auto byKind = [&] {
        QMap<QString, Json> found;
        const Json reply = service.get(u"/api/v1/trials"_s).json();
        for (const Json& trial : reply["trials"]) {
            const QString kind = trial["parameters"]["kind"].get<QString>();
            found.insert(found.contains(kind) ? kind + u" again"_s : kind, trial);
        }
        return found;
    };
    const auto ends = [&](const QString& kind, const char* status) {
        return QTest::qWaitFor([&] { return byKind().value(kind)["status"] == status; }, 60'000);
    };
    QVERIFY(ends(u"late"_s, "SUCCEEDED"));
    QVERIFY(ends(u"lost"_s, "FAILED"));
    const QMap<QString, Json> trials = byKind();
    QCOMPARE(trials.size(), 5);
    const auto idOf = [&](const QString& kind) { return trials[kind]["id"].get<QString>(); };
    QString waiting;
    for (const QString& kind : {u"good"_s, u"good again"_s}) {
        if (trials[kind]["status"] == "WAITING")
            waiting = idOf(kind);
        else
            QCOMPARE(trials[kind]["status"].get<QString>(), u"SUCCEEDED"_s);
    }
    QVERIFY(!waiting.isEmpty());
    QCOMPARE(trials[u"bad"_s]["status"].get<QString>(), u"FAILED"_s);
    QCOMPARE(trials[u"bad"_s]["exitCode"].get<int>(), 3);
    QVERIFY2(!trials[u"lost"_s]["reason"].get<QString>().isEmpty(), trials[u"lost"_s].dump().c_str());

    const auto valuesOf = [&](const QString& id) {
        QStringList values;
        for (const Json& metric : service.metrics(id))
            values += metric["data"].get<QString>();
        return values;
    };
    const QStringList five{u"1"_s, u"2"_s, u"3"_s, u"4"_s, u"5"_s};
    for (const auto& [kind, trial] : trials.asKeyValueRange()) {
        const QString id = trial["id"].get<QString>();
        if (id == waiting)
            continue;
        QCOMPARE(valuesOf(id), kind == u"late" ? five + QStringList{u"6"_s} : five);
        const QString name = kind.section(u' ', 0, 0);
        QCOMPARE(service.log(id, u"stdout"_s), "hello " + name.toUtf8() + (name == u"late" ? "\nbye\n" : "\n"));
        QCOMPARE(service.get(u"/api/v1/trials/%1/files/result"_s.arg(id)).body, "kept\n");
    }

    // It goes on: the experiment is still paused, and runs what waited when it is resumed.
    const QString experiment = trials[u"bad"_s]["experimentId"].get<QString>();
    const Json paused = service.get(u"/api/v1/experiments/"_s + experiment).json();
    QCOMPARE(paused["state"].get<QString>(), u"PAUSED"_s);
    QVERIFY(paused["tags"] == Json::array({"old"}));
    QCOMPARE(service.post(u"/api/v1/experiments/%1/resume"_s.arg(experiment), Json::object()).status, 200);
    QVERIFY(service.waitForStatus(waiting, "SUCCEEDED"));
    QCOMPARE(valuesOf(waiting), five);
    QCOMPARE(service.post(u"/api/v1/experiments/%1/stop"_s.arg(experiment), Json::object()).status, 200);
    QCOMPARE(service.request("DELETE", u"/api/v1/experiments/"_s + experiment).status, 200);
    QCOMPARE(int(service.get(u"/api/v1/trials"_s).json()["trials"].size()), 0);
}

QTEST_GUILESS_MAIN(TestServiceUpgrade)
#include "tst_service_upgrade.moc"
