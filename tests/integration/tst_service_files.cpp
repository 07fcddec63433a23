// SPDX-License-Identifier: GPL-3.0-or-later
// The output folder of a trial through the whole service: what is in it is listed, and comes with `pull`, or is named with a reason.
#include "service_fixture.h"

#include <QDir>
#include <QFile>
#include <QSet>

using namespace Qt::StringLiterals;
using core::Json;

class TestServiceFiles : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_service.start(), m_service.output()); }
    void cleanupTestCase() { QVERIFY(m_service.terminate()); }

    void aListIsReadInPieces()
    {
        const QString id =
            trialOf(u"cd $TRIALDECK_OUTPUT_DIR; mkdir sub sub.x empty; touch f1 f2 f3 sub/a sub/b sub.x/c; ln -s f1 "
                    u"link; mkfifo fifo"_s);
        const Json all = list(id, {});
        QVERIFY(all.contains("next") && all["next"].is_null());
        const QStringList whole = pathsOf(all);
        QCOMPARE(QSet<QString>(whole.begin(), whole.end()),
            (QSet<QString>{u"f1"_s, u"f2"_s, u"f3"_s, u"sub"_s, u"sub/a"_s, u"sub/b"_s, u"sub.x"_s, u"sub.x/c"_s,
                u"empty"_s, u"link"_s, u"fifo"_s}));
        for (const int limit : {1, 2, 3, 10}) {
            QStringList pieces;
            QString after;
            for (int i = 0; i < 20; ++i) {
                const Json piece =
                    list(id, u"?limit=%1"_s.arg(limit) + (after.isEmpty() ? QString() : u"&after="_s + after));
                QVERIFY(pathsOf(piece).size() <= limit);
                pieces += pathsOf(piece);
                if (piece["next"].is_null())
                    break;
                after = piece["next"].get<QString>();
            }
            QCOMPARE(pieces, whole);
        }
        QMap<QString, QString> types;
        for (const Json& file : all["files"])
            types.insert(file["path"].get<QString>(), file["type"].get<QString>());
        QCOMPARE(types[u"f1"_s], u"file"_s);
        QCOMPARE(types[u"sub"_s], u"folder"_s);
        QCOMPARE(types[u"link"_s], u"link"_s);
        QCOMPARE(types[u"fifo"_s], u"other"_s);
        QCOMPARE(m_service.get(u"/api/v1/trials/%1/files?limit=10001"_s.arg(id)).status, 400);
        QCOMPARE(m_service.get(u"/api/v1/trials/%1/files?after=../x"_s.arg(id)).status, 400);
    }

    void tenThousandFilesAreNotTheEnd()
    {
        const QString id = trialOf(u"cd $TRIALDECK_OUTPUT_DIR && seq 10050 | xargs touch"_s);
        const Json first = list(id, {});
        const QStringList paths = pathsOf(first);
        QVERIFY2(first.contains("next") && first["next"].is_string(), "the list is cut and does not say so");
        const Json second = list(id, u"?after="_s + first["next"].get<QString>());
        QVERIFY(second["next"].is_null());
        const QStringList more = pathsOf(second);
        QCOMPARE(paths.size() + more.size(), 10'050);
        QSet<QString> names(paths.begin(), paths.end());
        names.unite(QSet<QString>(more.begin(), more.end()));
        QCOMPARE(names.size(), 10'050);
    }

    void pullBringsWhatItCanAndNamesTheRest()
    {
        const QString id = trialOf(
            u"cd $TRIALDECK_OUTPUT_DIR; mkdir sub; echo one > a; ln -s a a-link; ln -s /etc/hostname b-outside; ln -s "
            u"nowhere b-dangling; "
            u"mkfifo c-fifo; echo bad > \"$(printf 'd-bad\\377name')\"; ln -s sub e-folder-link; echo two > sub/x; echo three > z"_s);
        QProcess pull;
        QTemporaryDir folder;
        pull.setWorkingDirectory(folder.path());
        pull.setProcessChannelMode(QProcess::MergedChannels);
        pull.start(QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s,
            {u"--data-dir"_s, m_service.dataDir(), u"pull"_s, id});
        QVERIFY(pull.waitForFinished(60'000));
        const QByteArray says = pull.readAll();
        const Json trial = m_service.trial(id);
        const QString at = folder.filePath(u"trial-%1/"_s.arg(trial["sequenceId"].get<int>()));
        QVERIFY2(contentOf(at + u"a"_s) == "one\n", says);
        QVERIFY2(contentOf(at + u"sub/x"_s) == "two\n", says);
        QVERIFY2(contentOf(at + u"z"_s) == "three\n", says);
        QCOMPARE(contentOf(at + u"a-link"_s), "one\n"); // what it leads to, as a file
        for (const char* name : {"b-outside", "b-dangling", "c-fifo", "d-bad", "e-folder-link"})
            QVERIFY2(says.contains(name), says);
        QVERIFY2(says.contains("5 were left out"), says);
        QCOMPARE(pull.exitCode(), 1);
        // QTemporaryDir cannot remove a name that is not UTF-8.
        QCOMPARE(QProcess::execute(u"find"_s, {m_service.dataDir(), u"-name"_s, u"d-bad*"_s, u"-delete"_s}), 0);
    }

private:
    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
    }
    QString trialOf(const QString& command)
    {
        const QString e = m_service.createExperiment({{"trialCommand", command}});
        const QStringList ids = m_service.submit(e, Json(1, Json::object()));
        return ids.size() == 1 && m_service.waitForCount(e, "SUCCEEDED", 1) ? ids[0] : QString();
    }
    Json list(const QString& id, const QString& query)
    {
        return m_service.get(u"/api/v1/trials/%1/files%2"_s.arg(id, query)).json();
    }
    static QStringList pathsOf(const Json& list)
    {
        QStringList paths;
        for (const Json& file : list.value("files", Json::array()))
            paths.append(file["path"].get<QString>());
        return paths;
    }

    ServiceFixture m_service;
};

QTEST_GUILESS_MAIN(TestServiceFiles)
#include "tst_service_files.moc"
