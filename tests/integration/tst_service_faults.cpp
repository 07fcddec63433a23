// SPDX-License-Identifier: GPL-3.0-or-later
// What must not be lost, whatever is killed, cut or full.
#include "service_fixture.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QHash>
#include <QRandomGenerator>
#include <QSet>

#include <csignal>

using namespace Qt::StringLiterals;
using core::Json;

static QList<QByteArray> lines(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QList<QByteArray> list = file.readAll().split('\n');
    list.removeAll(QByteArray());
    return list;
}

static void touch(const QString& path)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
}

static QList<qint64> agentsOf(const QString& dataDir)
{
    QHash<qint64, qint64> parents;
    for (const QString& name : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        QFile cmdline(u"/proc/"_s + name + u"/cmdline"_s);
        QFile stat(u"/proc/"_s + name + u"/stat"_s);
        if (!name.at(0).isDigit() || !cmdline.open(QIODevice::ReadOnly) || !stat.open(QIODevice::ReadOnly))
            continue;
        const QList<QByteArray> words = cmdline.readAll().split(char(0));
        const QByteArray facts = stat.readAll();
        if (words.size() >= 3 && words[0].endsWith("trialkeeper") && words[1] == "host"
            && words[2].startsWith(dataDir.toUtf8()))
            parents.insert(name.toLongLong(), facts.mid(facts.lastIndexOf(')')).split(' ').value(2).toLongLong());
    }
    // A child of an agent has its command line until it calls exec().
    QList<qint64> pids;
    for (auto it = parents.cbegin(); it != parents.cend(); ++it)
        if (!parents.contains(*it))
            pids.append(it.key());
    return pids;
}

/// Mounts that no other process sees: unshare(1) makes the root private, which is no mount in a plain chroot.
static bool canMount()
{
    return geteuid() == 0 && QProcess::execute(u"unshare"_s, {u"-m"_s, u"true"_s}) == 0;
}

/// A service whose data directory lies on a disk of 24 MiB, which can be filled.
class ServiceOnSmallDisk
{
public:
    bool start(ServiceFixture& service)
    {
        // Its own mount namespace, so that the test leaves no mount behind. What fills the disk goes through /proc/PID/root.
        QStringList words{u"-m"_s, u"sh"_s, u"-c"_s,
            u"mount -t tmpfs -o size=24m none %1 && exec \"$@\" --data-dir %1/data"_s.arg(mount.path()), u"sh"_s,
            QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s, u"--serve"_s, u"--listen"_s, u"127.0.0.1:0"_s};
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(u"unshare"_s, words);
        const bool listens =
            QTest::qWaitFor([this] { return (output += process.readAll()).contains("listening on "); }, 30'000);
        root = u"/proc/%1/root%2"_s.arg(process.processId()).arg(mount.path());
        filler.setFileName(root + u"/filler"_s);
        return listens && service.attach(output, root + u"/data"_s);
    }
    ~ServiceOnSmallDisk()
    {
        if (process.state() != QProcess::NotRunning) {
            process.terminate();
            process.waitForFinished(60'000);
        }
    }

    void fill()
    {
        QVERIFY(filler.isOpen() || filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        const QByteArray block(64 * 1024, 'x');
        while (filler.write(block) == block.size()) { }
        const QByteArray rest(512, 'x');
        while (filler.write(rest) == rest.size()) { }
    }
    void release()
    {
        filler.close();
        QVERIFY(filler.remove());
    }
    [[nodiscard]] QByteArray read(const QString& name) const
    {
        QFile file(root + u'/' + name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
    }
    /// The command line against this service, with the small disk's folder `jobs` as its working directory.
    int command(const QStringList& words, QByteArray* says)
    {
        QProcess run;
        run.setProcessChannelMode(QProcess::MergedChannels);
        run.start(u"nsenter"_s,
            QStringList{u"-m"_s, u"-t"_s, QString::number(process.processId()), u"sh"_s, u"-c"_s,
                u"mkdir -p %1/jobs && cd %1/jobs && exec \"$@\" --data-dir %1/data"_s.arg(mount.path()), u"sh"_s,
                QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s}
                + words);
        const bool ended = run.waitForFinished(60'000);
        *says = run.readAll();
        return ended ? run.exitCode() : -1;
    }

    QTemporaryDir mount;
    QProcess process;
    QByteArray output;
    QString root; ///< of the small disk, as this process sees it

private:
    QFile filler;
};

class TestServiceFaults : public QObject
{
    Q_OBJECT

private slots:
    /// 100 running and 100 waiting; killed at five moments, of which the first are in the middle of starting them.
    void killOfTheServiceLosesAndDoublesNothing()
    {
        ServiceFixture service;
        QVERIFY2(service.start(), service.output());
        const QString marks = service.folder() + u"/marks"_s;
        const QString go = service.folder() + u"/go"_s;
        const QString command = u"%1 mark %2 metrics 10 print 5 wait %3 metrics 10 print 5"_s.arg(
            ServiceFixture::program(u"trial_stub"_s), marks, go);
        const QString e = service.createExperiment({{"trialCommand", command}, {"trialConcurrency", 100}});
        QVERIFY(!e.isEmpty());
        const QStringList ids = service.submit(e, Json(200, Json::object()));
        QCOMPARE(ids.size(), 200);
        for (int round = 0; round < 5; ++round) {
            const qsizetype before = lines(marks).size();
            if (round < 3) // as soon as some more have started, whatever else is under way
                QTRY_VERIFY_WITH_TIMEOUT(lines(marks).size() >= std::min<qsizetype>(100, before + 10), 60'000);
            else
                QVERIFY(service.waitForCount(e, "RUNNING", 100));
            service.kill9();
            QVERIFY2(service.start(), service.output());
        }
        QElapsedTimer adopted;
        adopted.start();
        QVERIFY(service.waitForCount(e, "RUNNING", 100));
        qInfo() << "running again after" << adopted.elapsed() << "ms";
        QCOMPARE(service.count(e, "WAITING"), 100);
        touch(go);
        QVERIFY(service.waitForCount(e, "SUCCEEDED", 200, 240'000));

        const QList<QByteArray> started = lines(marks);
        QCOMPARE(started.size(), 200);
        QCOMPARE(QSet<QByteArray>(started.begin(), started.end()).size(), 200);
        for (const QString& id : ids) {
            const Json metrics = service.metrics(id);
            QCOMPARE(metrics.size(), size_t(20));
            for (int i = 0; i < 20; ++i) {
                QCOMPARE(metrics[i]["sequence"].get<int>(), i);
                QCOMPARE(metrics[i]["value"].get<int>(), i);
            }
        }
        QByteArray whole;
        for (int i = 0; i < 10; ++i)
            whole += "line " + QByteArray::number(i) + '\n';
        QCOMPARE(service.log(ids.first(), u"stdout"_s), whole);
        QCOMPARE(service.log(ids.last(), u"stdout"_s), whole);
    }

    /// What was accepted while an earlier trial ran is placed by the next life, and the experiment is done after its last trial.
    void acceptedTrialsRunAfterAKill()
    {
        ServiceFixture service;
        QVERIFY2(service.start(), service.output());
        const QString go = service.folder() + u"/go"_s;
        const QString command = u"%1 wait %2"_s.arg(ServiceFixture::program(u"trial_stub"_s), go);
        const QString e =
            service.createExperiment({{"trialCommand", command}, {"trialConcurrency", 1}, {"maxTrialNumber", 4}});
        const QStringList first = service.submit(e, Json(1, Json::object()));
        QVERIFY(service.waitForStatus(first.value(0), "RUNNING"));
        QCOMPARE(service.submit(e, Json(3, Json::object())).size(), 3);
        service.kill9();
        QVERIFY2(service.start(), service.output());
        touch(go);
        QVERIFY(service.waitForCount(e, "SUCCEEDED", 4));
        QTRY_COMPARE_WITH_TIMEOUT(
            service.get(u"/api/v1/experiments/"_s + e).json()["state"].get<std::string>(), "DONE", 30'000);
    }

    /// As a loss of power leaves it: the journal is shorter than what the service remembers of it.
    void aTrialWithoutItsJournalKeepsNoPlace()
    {
        ServiceFixture service;
        QVERIFY2(service.start(), service.output());
        const QString go = service.folder() + u"/go"_s;
        const QString command = u"%1 wait %2"_s.arg(ServiceFixture::program(u"trial_stub"_s), go);
        const QString e = service.createExperiment({{"trialCommand", command}, {"trialConcurrency", 2}});
        const QStringList ids = service.submit(e, Json(4, Json::object()));
        QVERIFY(service.waitForCount(e, "RUNNING", 2));
        QStringList folders;
        for (int i = 0; i < 2; ++i)
            folders.append(QString::fromStdString(service.trial(ids[i])["workingDirectory"].get<std::string>()));
        service.kill9();
        QTRY_VERIFY_WITH_TIMEOUT(agentsOf(service.dataDir()).isEmpty(), 30'000);
        for (const QString& folder : std::as_const(folders)) {
            const QList<QByteArray> holder = lines(folder + u"/lock"_s).value(0).split(' ');
            QVERIFY(holder.value(0).toInt() > 1);
            ::kill(holder[0].toInt(), SIGKILL);
            QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(u"/proc/%1"_s.arg(holder[0].toInt())), 30'000);
            QFile journal(folder + u"/journal"_s);
            QVERIFY(journal.resize(0));
        }
        QVERIFY2(service.start(), service.output());
        QCOMPARE(service.post(u"/api/v1/trials/%1/cancel"_s.arg(ids[0]), Json::object()).status, 200);
        QVERIFY(service.waitForStatus(ids[0], "USER_CANCELED"));
        QVERIFY(service.waitForStatus(ids[2], "RUNNING"));
        touch(go);
        QVERIFY(service.waitForCount(e, "SUCCEEDED", 3));
    }

    void aTrialThatDeletesItsFolderEnds()
    {
        ServiceFixture service;
        QVERIFY2(service.start(), service.output());
        const QString e = service.createExperiment(
            {{"trialCommand",
                 "echo '{\"metric\": 1}' >> $TRIALDECK_METRICS_FILE; rm -rf \"$NNI_SYS_DIR\"; exit {code}"},
                {"trialConcurrency", 1}});
        const QStringList ids =
            service.submit(e, Json::array({{{"parameters", {{"code", 0}}}}, {{"parameters", {{"code", 3}}}}}));
        QVERIFY(service.waitForStatus(ids.value(0), "SUCCEEDED"));
        QVERIFY(service.waitForStatus(ids.value(1), "FAILED"));
        const Json failed = service.trial(ids[1]);
        QCOMPARE(failed["exitCode"].get<int>(), 3);
        QCOMPARE(failed["failureClass"].get<std::string>(), "exitCode");
    }

    void killOfTheAgentIsNotNoticed()
    {
        ServiceFixture service;
        QVERIFY2(service.start(), service.output());
        const QString marks = service.folder() + u"/marks"_s;
        const QString go = service.folder() + u"/go"_s;
        const QString e = service.createExperiment(
            {{"trialCommand",
                 u"%1 mark %2 metrics 5 wait %3 metrics 5"_s.arg(ServiceFixture::program(u"trial_stub"_s), marks, go)},
                {"trialConcurrency", 10}});
        const QStringList ids = service.submit(e, Json(20, Json::object()));
        QVERIFY(service.waitForCount(e, "RUNNING", 10));
        for (int round = 0; round < 3; ++round) {
            QList<qint64> agents;
            QTRY_COMPARE_WITH_TIMEOUT((agents = agentsOf(service.dataDir())).size(), 1, 60'000);
            ::kill(pid_t(agents[0]), SIGKILL);
            const auto isReplaced = [&] {
                const QList<qint64> now = agentsOf(service.dataDir());
                return now.size() == 1 && now != agents;
            };
            QTRY_VERIFY_WITH_TIMEOUT(isReplaced(), 60'000);
        }
        touch(go);
        QVERIFY(service.waitForCount(e, "SUCCEEDED", 20));
        QCOMPARE(lines(marks).size(), 20);
        for (const QString& id : ids)
            QCOMPARE(service.metrics(id).size(), size_t(10));
    }

    void aSecondServiceOnTheSameFolderIsRefused()
    {
        ServiceFixture service;
        QVERIFY2(service.start(), service.output());
        QProcess second;
        second.setProcessChannelMode(QProcess::MergedChannels);
        second.start(QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s,
            {u"--serve"_s, u"--listen"_s, u"127.0.0.1:0"_s, u"--data-dir"_s, service.dataDir()});
        QVERIFY(second.waitForFinished(30'000));
        QCOMPARE(second.exitCode(), 1);
        const QByteArray says = second.readAll();
        QVERIFY2(says.contains(QByteArray::number(service.pid())), says);
        QCOMPARE(service.get(u"/api/v1/health"_s).status, 200);
        QVERIFY(service.terminate());
        QVERIFY(!QFile::exists(service.dataDir() + u"/endpoint.json"_s));
    }

    void aFullDiskRefusesAndRecovers()
    {
        if (!canMount())
            QSKIP("a small disk needs root and a mount namespace (in a plain chroot there is none)");
        ServiceFixture service;
        ServiceOnSmallDisk disk;
        QVERIFY2(disk.start(service), disk.output);
        QProcess& process = disk.process;
        const QString e = service.createExperiment({{"trialCommand", "true"}});
        QVERIFY(!e.isEmpty());
        QCOMPARE(service.submit(e, Json(5, Json::object())).size(), 5);
        QVERIFY(service.waitForCount(e, "SUCCEEDED", 5, 30'000));

        disk.fill();
        Json big = Json::array();
        for (int i = 0; i < 200; ++i)
            big.push_back({{"parameters", {{"x", std::string(1'000, 'y')}}}});
        const auto refused = service.post(u"/api/v1/experiments/%1/trials"_s.arg(e), {{"trials", big}});
        QVERIFY2(refused.status == 507 || refused.status == 503, refused.body);
        QVERIFY2(!QString::fromStdString(refused.json()["detail"].get<std::string>()).isEmpty(), refused.body);
        QCOMPARE(service.get(u"/api/v1/health"_s).status, 200);
        disk.release();
        bool accepted = false; // QTRY asks again after the first yes
        QTRY_VERIFY_WITH_TIMEOUT(accepted = accepted || service.submit(e, Json(1, Json::object())).size() == 1, 60'000);
        QVERIFY(service.waitForCount(e, "SUCCEEDED", 6));
        process.terminate();
        QVERIFY(process.waitForFinished(60'000));
    }

    void whatAKilledServiceWasWritingIsRemovedAtTheStart()
    {
        ServiceFixture service;
        QVERIFY2(service.start(), service.output());
        service.kill9();
        const QDir data(service.dataDir());
        QVERIFY(data.mkpath(u"uploads"_s));
        const QStringList halves{u"uploads/upload-0123"_s, u".trialdeck-new-a"_s, u"config/.trialdeck-new-b"_s,
            u"config/platforms/.trialdeck-new-c"_s};
        for (const QString& half : halves)
            touch(data.filePath(half));
        QVERIFY2(service.start(), service.output());
        for (const QString& half : halves)
            QVERIFY2(!data.exists(half), qPrintable(half));
        QVERIFY(service.terminate());
    }

    void aDamagedStoreOpensWithWhatIsIntact()
    {
        ServiceFixture service;
        QVERIFY2(service.start(), service.output());
        const QString gone = service.createExperiment({{"trialCommand", "true"}});
        const QString kept = service.createExperiment({{"trialCommand", "true"}});
        QCOMPARE(service.submit(gone, Json(2, Json::object())).size(), 2);
        QVERIFY(service.waitForCount(gone, "SUCCEEDED", 2));
        const QStringList ids = service.submit(kept, Json(2, Json::object()));
        QVERIFY(service.waitForCount(kept, "SUCCEEDED", 2));
        QVERIFY(service.terminate());
        // An experiment's row is missing, and the record of a trial is cut.
        const QString store = service.dataDir() + u"/store/trialdeck.sqlite"_s;
        const auto sql = [&](const QString& text) {
            return QProcess::execute(u"python3"_s,
                {u"-c"_s,
                    u"import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()"_s,
                    store, text});
        };
        QCOMPARE(sql(u"DELETE FROM experiments WHERE id = '%1'"_s.arg(gone)), 0);
        QCOMPARE(sql(u"UPDATE trials SET record = substr(record, 1, 20) WHERE id = '%1'"_s.arg(ids[0])), 0);

        QVERIFY2(service.start(), service.output());
        QCOMPARE(service.get(u"/api/v1/experiments"_s).json()["experiments"].size(), size_t(1));
        const Json trials = service.get(u"/api/v1/trials"_s).json();
        QCOMPARE(trials["total"].get<int>(), 1);
        QCOMPARE(trials["trials"][0]["id"].get<QString>(), ids[1]);
        const QStringList copies =
            QDir(service.dataDir() + u"/store"_s).entryList({u"trialdeck.sqlite.damaged-*"_s}, QDir::Files);
        QCOMPARE(copies.size(), 1);
        QFile log(service.dataDir() + u"/state/trialdeck.log"_s);
        QVERIFY(log.open(QIODevice::ReadOnly));
        const QByteArray logged = log.readAll();
        QVERIFY2(logged.contains("is damaged") && logged.contains(copies[0].toUtf8()), logged);
        QVERIFY2(logged.contains("the experiments of 2 trials are missing"), logged);
        QCOMPARE(service.submit(kept, Json(1, Json::object())).size(), 1);
        QVERIFY(service.waitForCount(kept, "SUCCEEDED", 2));
        QVERIFY(service.terminate());

        // What was removed once is not complained about again; a header that is damaged is refused with a sentence.
        QVERIFY2(service.start(), service.output());
        QCOMPARE(QDir(service.dataDir() + u"/store"_s).entryList({u"*.damaged-*"_s}, QDir::Files), copies);
        QVERIFY(service.terminate());
        QCOMPARE(sql(u"PRAGMA user_version = -5"_s), 0);
        QVERIFY(!service.start());
        QVERIFY2(service.output().contains("is damaged and was left as it is"), service.output());
    }

    /// Qt 6.4's QSaveFile reported success and left empty files.
    void aFullDiskLeavesEveryFileAsItWas()
    {
        if (!canMount())
            QSKIP("a small disk needs root and a mount namespace (in a plain chroot there is none)");
        ServiceFixture service;
        ServiceOnSmallDisk disk;
        QVERIFY2(disk.start(service), disk.output);
        const auto put = [&](const QString& id, const Json& platform) {
            return service.request("PUT", u"/api/v1/platforms/"_s + id, core::dumpJson(platform));
        };
        const auto remote = [](const char* password) {
            const Json machine{{"host", "127.0.0.1"}, {"port", 1}, {"user", "nobody"}, {"password", password}};
            return Json{{"kind", "remote"}, {"settings", {{"machineList", Json::array({machine})}}}};
        };
        const Json local{{"kind", "local"}, {"settings", {{"maxTrialNumberPerGpu", 1}}}};
        QCOMPARE(put(u"local"_s, local).status, 200);
        QCOMPARE(put(u"lab"_s, remote("the first secret")).status, 201);
        const QString e = service.createExperiment({{"trialCommand", "seq 2000 > $TRIALDECK_OUTPUT_DIR/numbers"}});
        QCOMPARE(service.submit(e, Json(1, Json::object())).size(), 1);
        QVERIFY(service.waitForCount(e, "SUCCEEDED", 1, 30'000));
        QByteArray says;
        QCOMPARE(disk.command({u"list"_s}, &says), 0); // makes the folder `jobs`, too
        const QStringList files{u"data/config/platforms/local.json"_s, u"data/config/platforms/lab.json"_s,
            u"data/config/secrets.json"_s, u"data/tokens.json"_s, u"data/endpoint.json"_s};
        QList<QByteArray> before;
        for (const QString& name : files)
            before.append(disk.read(name));
        QVERIFY2(before[2].contains("the first secret"), before[2]);

        disk.fill();
        const Json changed{{"kind", "local"}, {"settings", {{"maxTrialNumberPerGpu", 2}}}};
        for (const auto& answer : {put(u"local"_s, changed), put(u"lab"_s, remote("the second secret")),
                 put(u"new"_s, remote("the third secret")),
                 service.request("POST", u"/api/v1/tokens"_s, R"({"name": "more", "scope": "read"})")}) {
            QVERIFY2(answer.status == 507, QByteArray::number(answer.status) + ' ' + answer.body);
            QVERIFY2(answer.body.contains("no space left on device"), answer.body);
        }
        for (qsizetype i = 0; i < files.size(); ++i)
            QCOMPARE(disk.read(files[i]), before[i]);
        QVERIFY(!QFile::exists(disk.root + u"/data/config/platforms/new.json"_s));
        QCOMPARE(disk.command({u"pull"_s, u"@last"_s}, &says), 1);
        QVERIFY2(says.contains("cannot be written: no space left on device"), says);
        QCOMPARE(disk.read(u"jobs/trial-0/numbers"_s), "(not there)");
        // No temporary file stays where a write failed.
        for (const char* folder : {"/data", "/data/config", "/data/config/platforms", "/jobs/trial-0"})
            QCOMPARE(
                QDir(disk.root + QLatin1String(folder)).entryList({u".trialdeck-new-*"_s}, QDir::Files | QDir::Hidden),
                QStringList());

        disk.release();
        QCOMPARE(put(u"lab"_s, remote("the second secret")).status, 200);
        QVERIFY(disk.read(files[2]).contains("the second secret"));
        QCOMPARE(disk.command({u"pull"_s, u"@last"_s}, &says), 0);
        QVERIFY(disk.read(u"jobs/trial-0/numbers"_s).endsWith("\n2000\n"));
    }

    void aReadOnlyFolderIsRefusedWithASentence()
    {
        if (!canMount())
            QSKIP("a read-only mount needs root and a mount namespace (in a plain chroot there is none)");
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(u"data"_s));
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(u"unshare"_s,
            {u"-m"_s, u"sh"_s, u"-c"_s,
                u"mount --bind %1 %1 && mount -o remount,ro,bind %1 && exec \"$@\""_s.arg(folder.path()), u"sh"_s,
                QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s, u"--serve"_s, u"--listen"_s, u"127.0.0.1:0"_s,
                u"--data-dir"_s, folder.path() + u"/data"_s});
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitCode(), 1);
        const QByteArray says = process.readAll();
        QVERIFY2(says.contains(folder.path().toUtf8()), says);
    }

    void aClockThatJumpsChangesNothing()
    {
        if (QProcess::execute(u"sh"_s, {u"-c"_s, u"command -v faketime >/dev/null"_s}) != 0)
            QSKIP("faketime is not installed");
        ServiceFixture service;
        const QString offset = service.folder() + u"/offset"_s;
        QFile file(offset);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("+0d\n") > 0);
        file.close();
        const QString library = fakeTimeLibrary();
        if (library.isEmpty())
            QSKIP("libfaketime was not found");
        service.setEnvironment(u"LD_PRELOAD"_s, library);
        service.setEnvironment(u"FAKETIME_TIMESTAMP_FILE"_s, offset);
        service.setEnvironment(u"FAKETIME_NO_CACHE"_s, u"1"_s);
        service.setEnvironment(u"DONT_FAKE_MONOTONIC"_s, u"1"_s);
        service.setEnvironment(u"ASAN_OPTIONS"_s, u"verify_asan_link_order=0:detect_leaks=0"_s);
        QVERIFY2(service.start(), service.output());
        const QString go = service.folder() + u"/go"_s;
        const QString e = service.createExperiment(
            {{"trialCommand", u"%1 metrics 3 wait %2 metrics 3"_s.arg(ServiceFixture::program(u"trial_stub"_s), go)},
                {"trialConcurrency", 4}});
        const QStringList ids = service.submit(e, Json(8, Json::object()));
        QVERIFY(service.waitForCount(e, "RUNNING", 4));
        for (const char* jump : {"+400d\n", "-400d\n"}) {
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(jump) > 0);
            file.close();
            QCOMPARE(service.count(e, "RUNNING"), 4);
            QCOMPARE(service.submit(e, Json(1, Json::object())).size(), 1);
        }
        touch(go);
        QVERIFY(service.waitForCount(e, "SUCCEEDED", 10));
        for (const QString& id : ids) {
            QCOMPARE(service.metrics(id).size(), size_t(6));
            const Json trial = service.trial(id);
            QVERIFY(trial["endTime"].get<qint64>() >= trial["startTime"].get<qint64>());
        }
    }

private:
    static QString fakeTimeLibrary()
    {
        const QString path = u"/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"_s;
        if (QFile::exists(path))
            return path;
        const QStringList found = QDir(u"/usr/lib"_s).entryList({u"*-linux-gnu"_s}, QDir::Dirs);
        for (const QString& folder : found)
            if (const QString other = u"/usr/lib/%1/faketime/libfaketimeMT.so.1"_s.arg(folder); QFile::exists(other))
                return other;
        return {};
    }
};

QTEST_GUILESS_MAIN(TestServiceFaults)
#include "tst_service_faults.moc"
