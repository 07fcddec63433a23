// SPDX-License-Identifier: GPL-3.0-or-later
// Which service the window shows, and that closing hands everything over: no trial lost, none started twice.
#include "app/base/data_dir_lock.h"
#include "app/window/desktop_environment.h"
#include "models/engine_mirror.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace app;
using core::TrialStatus;

namespace {

commands::Surroundings around()
{
    commands::Surroundings result;
    result.environment = QProcessEnvironment::systemEnvironment();
    result.workingDirectory = QDir::currentPath();
    result.programFolder = QStringLiteral(TRIALDECK_BIN_DIR);
    result.demoFolder = QStringLiteral(TRIALDECK_SOURCE_DIR "/resources/demo");
    return result;
}

CommandLine lineFor(const QString& dataDir)
{
    CommandLine line;
    line.options[u"data-dir"_s] = {dataDir};
    return line;
}

qint64 count(const models::EngineMirror& mirror, TrialStatus status)
{
    return mirror.state().counts()[size_t(status)];
}

} // namespace

class TestWindowHost : public QObject
{
    Q_OBJECT
private slots:
    void theDemoIsRead()
    {
        const Result<ui::Demo> demo = readDemo(around().demoFolder, around().environment);
        QVERIFY(demo.has_value());
        QVERIFY(demo->experiment.codeDir.startsWith(u'/'));
        QVERIFY(demo->experiment.environment.contains(u"PATH"_s));
        QCOMPARE(demo->trials.size(), 1);
        QVERIFY(demo->trials[0].parameters.contains("1000"));
        QCOMPARE(readDemo({}, {}).error().kind, core::Kind::not_found);
    }

    void documentsAreFound()
    {
        QTemporaryDir installed;
        QVERIFY(QDir(installed.path()).mkpath(u"share/doc/trialdeck"_s) && QDir(installed.path()).mkpath(u"bin"_s));
        const QString bin = installed.filePath(u"bin"_s);
        const QString root = QStringLiteral(TRIALDECK_SOURCE_DIR);
        QCOMPARE(findDocument(u"README.md"_s, bin, root + u"/resources"_s), root + u"/README.md"_s);
        QCOMPARE(findDocument(u"resources/api/openapi.yaml"_s, bin, root + u"/resources"_s),
            root + u"/resources/api/openapi.yaml"_s);
        QCOMPARE(findDocument(u"resources/api/none.yaml"_s, bin, root + u"/resources"_s), QString());
        QCOMPARE(findDocument(u"README.md"_s, bin, {}), QString());
        const QString readme = installed.filePath(u"share/doc/trialdeck/README.md"_s);
        QVERIFY(QFile::copy(root + u"/README.md"_s, readme));
        QCOMPARE(findDocument(u"README.md"_s, bin, {}), readme);
        QCOMPARE(findDocument(u"README.md"_s, bin, root + u"/resources"_s), readme);
    }

    void aSecondWindowAttachesToTheFirst()
    {
        QTemporaryDir folder;
        DesktopEnvironment first(lineFor(folder.path()), around());
        QVERIFY(first.choose().has_value());
        QVERIFY(first.ownsEngine());
        models::EngineMirror mirror(first.client());
        first.client().start();
        QTRY_VERIFY_WITH_TIMEOUT(mirror.state().isReady(), 60'000);
        QVERIFY(QFile::exists(folder.filePath(u"endpoint.json"_s)));

        DesktopEnvironment second(lineFor(folder.path()), around());
        QVERIFY(second.choose().has_value());
        QVERIFY(!second.ownsEngine());
        models::EngineMirror other(second.client());
        second.client().start();
        QTRY_VERIFY_WITH_TIMEOUT(other.state().isReady(), 60'000);
        QCOMPARE(other.state().epoch(), mirror.state().epoch());
    }

    void closingToTheBackgroundLosesAndDoublesNothing()
    {
        QTemporaryDir folder;
        QTemporaryDir marks;
        qint64 service = 0;
        const auto stop = qScopeGuard([&] {
            if (service > 0)
                ::kill(pid_t(service), SIGTERM);
            if (service > 0
                && !QTest::qWaitFor([&] { return DataDirLock::holder(folder.filePath(u"lock"_s)) != service; }, 60'000))
                qWarning("the service in the background did not end");
        });
        {
            DesktopEnvironment host(lineFor(folder.path()), around());
            QVERIFY(host.choose().has_value());
            models::EngineMirror mirror(host.client());
            host.client().start();
            QTRY_VERIFY_WITH_TIMEOUT(mirror.state().isReady(), 60'000);
            core::ExperimentSpec spec;
            spec.name = u"hand over"_s;
            spec.platformId = core::PlatformId(u"local"_s);
            spec.trialConcurrency = 2;
            // Each start leaves a line: two of one trial would be seen.
            spec.trialCommand =
                u"echo started >> %1/$NNI_TRIAL_SEQ_ID; while [ ! -e %1/go ]; do sleep 0.1; done"_s.arg(marks.path());
            core::ExperimentId id;
            mirror.execute(api::CreateExperiment{spec, {}}, [&](const auto& reply) {
                QVERIFY(reply.has_value());
                id = core::ExperimentId(client::documentOf(*reply)->value("id", QString()));
            });
            QTRY_VERIFY_WITH_TIMEOUT(!id.isEmpty(), 60'000);
            api::SubmitTrials submit{id, QList<api::TrialSubmission>(4, api::TrialSubmission{.parameters = "{}"}), {}};
            mirror.execute(submit);
            QTRY_COMPARE_WITH_TIMEOUT(count(mirror, TrialStatus::running), 2, 60'000);
            QTRY_COMPARE_WITH_TIMEOUT(count(mirror, TrialStatus::waiting), 2, 60'000);

            std::optional<Result<>> done;
            host.keepRunning([&](const Result<>& result) { done = result; });
            QTRY_VERIFY_WITH_TIMEOUT(done.has_value(), 60'000);
            QVERIFY2(done->has_value(), qPrintable(*done ? QString() : done->error().message.text()));
        }
        service = DataDirLock::holder(folder.filePath(u"lock"_s)).value_or(0);
        QVERIFY(service > 0);
        QVERIFY(service != QCoreApplication::applicationPid());

        QFile go(marks.filePath(u"go"_s));
        QVERIFY(go.open(QIODevice::WriteOnly));
        DesktopEnvironment back(lineFor(folder.path()), around());
        QVERIFY(back.choose().has_value());
        QVERIFY(!back.ownsEngine());
        models::EngineMirror mirror(back.client());
        back.client().start();
        QTRY_COMPARE_WITH_TIMEOUT(count(mirror, TrialStatus::succeeded), 4, 60'000);
        for (int sequence = 0; sequence < 4; ++sequence) {
            QFile mark(marks.filePath(QString::number(sequence)));
            QVERIFY(mark.open(QIODevice::ReadOnly));
            QCOMPARE(mark.readAll(), "started\n");
        }
    }

    void aServiceThatWasKilledComesBack()
    {
        QTemporaryDir folder;
        const auto holder = [&] { return DataDirLock::holder(folder.filePath(u"lock"_s)).value_or(0); };
        const auto stop = qScopeGuard([&] {
            if (const qint64 pid = holder(); pid > 0)
                ::kill(pid_t(pid), SIGTERM);
            if (!QTest::qWaitFor([&] { return holder() == 0; }, 60'000))
                qWarning("a service did not end");
        });
        QProcess first;
        const auto serve = [&folder](QProcess& process) {
            process.start(QStringLiteral(TRIALDECK_BIN_DIR "/trialdeckd"),
                {u"--serve"_s, u"--listen"_s, u"127.0.0.1:0"_s, u"--data-dir"_s, folder.path()});
        };
        serve(first);
        const auto urlNow = [&] { return readEndpoint(folder.filePath(u"endpoint.json"_s)).value_or(Endpoint()).url; };
        QTRY_VERIFY_WITH_TIMEOUT(holder() > 0 && !urlNow().isEmpty(), 60'000);
        using Link = client::EngineClient::LinkState;
        QList<qint64> failures; // when an attempt to reach the service failed
        QElapsedTimer time;
        time.start();
        DesktopEnvironment host(lineFor(folder.path()), around());
        QVERIFY(host.choose().has_value());
        models::EngineMirror mirror(host.client());
        connect(&host.client(), &client::EngineClient::linkChanged, this, [&](Link link) {
            if (link == Link::lost)
                failures.append(time.elapsed());
        });
        host.client().start();
        QTRY_VERIFY_WITH_TIMEOUT(mirror.state().isReady(), 60'000);
        const QString url = urlNow();
        const QString epoch = mirror.state().epoch();

        // Without a service the pauses between attempts stay below two seconds.
        failures.clear();
        first.kill();
        QVERIFY(first.waitForFinished());
        QTRY_COMPARE_WITH_TIMEOUT(mirror.link(), Link::lost, 60'000);
        const auto isTriedSteadily = [&] {
            for (qsizetype i = 6; i < failures.size(); ++i)
                if (failures[i] - failures[i - 1] < 2'000)
                    return true;
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isTriedSteadily(), 60'000);
        // Somebody starts it again, on another port: found by the next attempt while the window stays open.
        QProcess second;
        serve(second);
        QTRY_VERIFY_WITH_TIMEOUT(urlNow() != url && holder() > 0, 60'000);
        const qsizetype underWay = failures.size() + 1; // one attempt may have begun before
        QTRY_COMPARE_WITH_TIMEOUT(mirror.link(), Link::connected, 60'000);
        QVERIFY2(failures.size() <= underWay, qPrintable(QString::number(failures.size() - underWay)));
        QVERIFY(mirror.state().epoch() != epoch);

        // Nobody does: the window can.
        second.kill();
        QVERIFY(second.waitForFinished());
        QTRY_COMPARE_WITH_TIMEOUT(mirror.link(), Link::lost, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(mirror.linkMessage().contains(u"No service runs for"_s), 60'000);
        std::optional<Result<>> done;
        host.reach([&](const Result<>& result) { done = result; });
        host.client().retryNow();
        QVERIFY(done.has_value());
        QVERIFY2(done->has_value(), qPrintable(*done ? QString() : done->error().message.text()));
        QTRY_COMPARE_WITH_TIMEOUT(mirror.link(), Link::connected, 60'000);
        QVERIFY(holder() != second.processId());
    }

    void aWrongAddressIsRefused()
    {
        CommandLine line;
        QTemporaryDir folder;
        QFile token(folder.filePath(u"token"_s));
        QVERIFY(token.open(QIODevice::WriteOnly));
        token.write("abc\n");
        token.close();
        line.options[u"connect"_s] = {u"nonsense"_s};
        line.options[u"token-file"_s] = {token.fileName()};
        DesktopEnvironment host(line, around());
        const Result<> chosen = host.choose();
        QVERIFY(!chosen);
        QVERIFY(chosen.error().message.contains(u"nonsense"_s));
    }
};

QTEST_GUILESS_MAIN(TestWindowHost)
#include "tst_desktop_environment.moc"
