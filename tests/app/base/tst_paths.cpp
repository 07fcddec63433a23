// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/log_setup.h"
#include "app/base/paths.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLoggingCategory>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace app;

namespace {

QByteArray contents(const QString& file)
{
    QFile input(file);
    return input.open(QIODevice::ReadOnly) ? input.readAll() : QByteArray();
}

constexpr auto privateFile =
    QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ReadUser | QFileDevice::WriteUser;

} // namespace

class TestPaths : public QObject
{
    Q_OBJECT
private slots:
    void resolves_data()
    {
        QTest::addColumn<QString>("dataDir");
        QTest::addColumn<QStringList>("environment");
        QTest::addColumn<QStringList>("expected"); // data, config, state; empty: refused
        const QStringList home{u"HOME=/home/a"_s};
        QTest::newRow("home") << QString() << home
                              << QStringList{u"/home/a/.local/share/trialdeck"_s, u"/home/a/.config/trialdeck"_s,
                                     u"/home/a/.local/state/trialdeck"_s};
        QTest::newRow("xdg") << QString()
                             << home
                + QStringList{u"XDG_DATA_HOME=/d"_s, u"XDG_CONFIG_HOME=/c/"_s, u"XDG_STATE_HOME=/s"_s}
                             << QStringList{u"/d/trialdeck"_s, u"/c/trialdeck"_s, u"/s/trialdeck"_s};
        QTest::newRow("relative xdg does not count")
            << QString() << home + QStringList{u"XDG_DATA_HOME=d"_s}
            << QStringList{u"/home/a/.local/share/trialdeck"_s, u"/home/a/.config/trialdeck"_s,
                   u"/home/a/.local/state/trialdeck"_s};
        QTest::newRow("data-dir") << u"/x/y/"_s << home << QStringList{u"/x/y"_s, u"/x/y/config"_s, u"/x/y/state"_s};
        QTest::newRow("data-dir beats xdg") << u"/x"_s << home + QStringList{u"XDG_STATE_HOME=/s"_s}
                                            << QStringList{u"/x"_s, u"/x/config"_s, u"/x/state"_s};
        QTest::newRow("relative data-dir")
            << u"a/../b"_s << home << QStringList{u"/lab/b"_s, u"/lab/b/config"_s, u"/lab/b/state"_s};
        QTest::newRow("no home") << QString() << QStringList{} << QStringList{};
        QTest::newRow("no home, all xdg")
            << QString() << QStringList{u"XDG_DATA_HOME=/d"_s, u"XDG_CONFIG_HOME=/c"_s, u"XDG_STATE_HOME=/s"_s}
            << QStringList{u"/d/trialdeck"_s, u"/c/trialdeck"_s, u"/s/trialdeck"_s};
    }
    void resolves()
    {
        QFETCH(QString, dataDir);
        QFETCH(QStringList, environment);
        QFETCH(QStringList, expected);
        QProcessEnvironment variables;
        for (const QString& variable : environment)
            variables.insert(variable.section(u'=', 0, 0), variable.section(u'=', 1));
        const Result<Paths> paths = resolvePaths(dataDir, variables, u"/lab"_s);
        QCOMPARE(paths.has_value(), !expected.isEmpty());
        if (!paths)
            return;
        QCOMPARE((QStringList{paths->data, paths->config, paths->state}), expected);
        QCOMPARE(paths->ownFolder, !dataDir.isEmpty());
        QCOMPARE(paths->endpointFile(), paths->data + u"/endpoint.json"_s);
    }

    void makesPrivateFolders()
    {
        QTemporaryDir folder;
        const Paths paths = *resolvePaths(folder.filePath(u"a/b"_s), {}, u"/"_s);
        QVERIFY(makeFolders(paths));
        QVERIFY(makeFolders(paths));
        for (const QString& made : {paths.data, paths.config, paths.state}) {
            QVERIFY(QFileInfo(made).isDir());
            QVERIFY(!(QFileInfo(made).permissions()
                & (QFileDevice::ReadGroup | QFileDevice::ReadOther | QFileDevice::ExeOther)));
        }
    }

    void saysWhatIsInTheWay()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(u"file"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const Result<> made = makeFolders(*resolvePaths(folder.filePath(u"file/x"_s), {}, u"/"_s));
        QVERIFY(!made);
        QVERIFY(made.error().message.contains(u"/file"_s));
    }

    void endpointRoundTrip()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"endpoint.json"_s);
        QCOMPARE(readEndpoint(file).error().kind, core::Kind::not_found);
        const Endpoint endpoint{u"http://127.0.0.1:8643"_s, u"/data/token"_s, 4711, {}};
        QVERIFY(writeEndpoint(file, endpoint));
        QCOMPARE(*readEndpoint(file), endpoint);
        QCOMPARE(QFileInfo(file).permissions(), privateFile);
        QCOMPARE(contents(file),
            QByteArray("{\n    \"url\": \"http://127.0.0.1:8643\",\n    \"tokenFile\": \"/data/token\",\n    \"pid\": "
                       "4711\n}\n"));
        const Endpoint tls{u"https://10.0.0.1:1"_s, u"/t"_s, 2, u"/cert.pem"_s};
        QVERIFY(writeEndpoint(file, tls));
        QCOMPARE(*readEndpoint(file), tls);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{u"endpoint.json"_s});
    }

    void endpointIsReadLeniently()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(u"endpoint.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"url\": \"http://h:1\", \"later\": true}");
        file.close();
        QCOMPARE(readEndpoint(file.fileName())->url, u"http://h:1"_s);
        for (const QByteArray& broken : {QByteArray("{"), QByteArray("[]"), QByteArray("{\"pid\": 4}"), QByteArray()}) {
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(broken);
            file.close();
            QVERIFY2(!readEndpoint(file.fileName()), broken.constData());
        }
    }

    void tokenIsMadeOnce()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"token"_s);
        const Result<QByteArray> token = ensureToken(file);
        QVERIFY(token);
        QCOMPARE(token->size(), 43);
        QCOMPARE(QFileInfo(file).permissions(), privateFile);
        QCOMPARE(*ensureToken(file), *token);
        QCOMPARE(*readToken(file), *token);
        QVERIFY(*ensureToken(folder.filePath(u"other"_s)) != *token);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 2);
        QCOMPARE(readToken(folder.filePath(u"none"_s)).error().kind, core::Kind::auth);
    }

    void serviceIdIsMadeOnce()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"service-id"_s);
        const Result<QString> id = ensureServiceId(file);
        QVERIFY(id);
        QCOMPARE(id->size(), 16);
        QVERIFY(id->startsWith(u's'));
        QCOMPARE(*ensureServiceId(file), *id);
        QFile broken(file);
        QVERIFY(broken.open(QIODevice::WriteOnly | QIODevice::Truncate));
        broken.write("../evil\n");
        broken.close();
        QCOMPARE(ensureServiceId(file).error().kind, core::Kind::invalid);
    }

    void findsTheKeeper()
    {
        QTemporaryDir folder;
        const QString bin = folder.filePath(u"bin"_s);
        QDir().mkpath(bin);
        QCOMPARE(findKeeper(bin), QString());
        const auto place = [&](const QString& path) {
            QDir().mkpath(QFileInfo(path).path());
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.setPermissions(privateFile | QFileDevice::ExeOwner);
        };
        QVERIFY(place(folder.filePath(u"libexec/trialdeck/trialkeeper"_s)));
        QCOMPARE(findKeeper(bin), QFileInfo(folder.filePath(u"libexec/trialdeck/trialkeeper"_s)).canonicalFilePath());
        QVERIFY(place(bin + u"/trialkeeper"_s));
        QCOMPARE(findKeeper(bin), QFileInfo(bin + u"/trialkeeper"_s).canonicalFilePath());
    }

    void knowsLivingProcesses()
    {
        QVERIFY(processAlive(::getpid()));
        QVERIFY(!processAlive(0));
        QVERIFY(!processAlive(-1));
        QProcess process;
        process.start(u"true"_s, QStringList());
        QVERIFY(process.waitForStarted());
        const qint64 pid = process.processId();
        QVERIFY(process.waitForFinished());
        QTRY_VERIFY(!processAlive(pid));
    }

    void logRotates()
    {
        QTemporaryDir folder;
        LogConfig config;
        config.file = folder.filePath(u"t.log"_s);
        config.fileBytes = 1'000;
        config.files = 3;
        QVERIFY(setUpLog(config));
        for (int i = 0; i < 60; ++i)
            qWarning("entry %d with some text behind it", i);
        qWarning("two\nlines");
        endLog();
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), (QStringList{u"t.log"_s, u"t.log.1"_s, u"t.log.2"_s}));
        for (const QString& name : {u"t.log"_s, u"t.log.1"_s, u"t.log.2"_s}) {
            QVERIFY(QFileInfo(folder.filePath(name)).size() <= 1'000);
            QCOMPARE(QFileInfo(folder.filePath(name)).permissions(), privateFile);
        }
        const QByteArray last = contents(config.file);
        QVERIFY(last.contains("entry 59 with"));
        QVERIFY(last.contains("warning default: two\n    lines\n"));
        QVERIFY(!contents(folder.filePath(u"t.log.1"_s)).contains("entry 59"));
        QCOMPARE(lastLines(config.file, 1), u"    lines"_s);
        config.file = folder.filePath(u"no/such/folder.log"_s);
        QCOMPARE(setUpLog(config).error().kind, core::Kind::resource);
    }
};

QTEST_GUILESS_MAIN(TestPaths)
#include "tst_paths.moc"
