// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite against the sample of a platform in C++.
#include "tests/services/platforms/job_subject.h"

#include "resources/examples/cpp/processes_platform.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

namespace {

/// Gives up earlier than a queue of many people would like.
class HastyProcesses : public ProcessesPlatform
{
protected:
    [[nodiscard]] JobPatience patience() const override
    {
        return {.wordMs = 20'000, .missingMs = 3'000, .lostMs = 30'000};
    }
};

class ProcessesSubject : public ClusterSubject
{
public:
    ProcessesSubject()
        : ClusterSubject(u"own"_s)
    {
    }
    std::unique_ptr<platforms::Platform> make() override { return std::make_unique<HastyProcesses>(); }
    Json settings() override { return {{"pollInterval", 1}}; }
    bool leftovers(const TrialId& trial) override
    {
        return QFileInfo::exists(path(u"trialdeck/s1/trials/e1/"_s + trial.value))
            || QFileInfo::exists(path(u"platforms/own/jobs/td-s1-"_s + trial.value));
    }
};

class OpenWire : public platforms::ProcessesWire
{
public:
    using ProcessesWire::handOver;
    using ProcessesWire::has;
    using ProcessesWire::ProcessesWire;
};

} // namespace

class TestExamplePlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<ProcessesSubject>(); }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }
    /// The wire of one life of a service.
    std::unique_ptr<OpenWire> wire()
    {
        const Context context = m_subject->context(m_sink.get());
        Json settings = m_subject->settings();
        settings["localStorageMountPoint"] = settings["containerStorageMountPoint"] = context.dataDir;
        return std::make_unique<OpenWire>(settings, context);
    }
    QString folderOfJob() { return m_subject->context(m_sink.get()).dataDir + u"/platforms/own/jobs/td-s1-t1"_s; }

private slots:
    /// Between the moment that the shell makes the file with its exit code and the moment that it writes it.
    void runsWhoseExitIsNotWrittenYet()
    {
        const std::unique_ptr<OpenWire> own = wire();
        const auto phase = [&] { return QCoro::waitFor(own->jobs())->value(0).phase; };
        const QString job = folderOfJob();
        QVERIFY(QDir().mkpath(job));
        writeFile(job + u"/pid"_s, QByteArray::number(QCoreApplication::applicationPid()));
        QCOMPARE(phase(), platforms::JobFact::Phase::running);
        writeFile(job + u"/exit"_s, {});
        QCOMPARE(phase(), platforms::JobFact::Phase::running);
        writeFile(job + u"/exit"_s, "0\n");
        QCOMPARE(phase(), platforms::JobFact::Phase::ended);
    }

    /// Of a service that was killed where it had made the folder, and twice where it had started a shell that says nothing for long.
    void beginsOnceOverKills()
    {
        const QTemporaryDir folder;
        const QString mark = folder.filePath(u"begun"_s);
        const QString go = folder.filePath(u"go"_s);
        const QString script = folder.filePath(u"script"_s);
        writeFile(script, "echo begun >>'" + mark.toUtf8() + "'\n");
        const QString bash = folder.filePath(u"bash"_s);
        writeFile(bash, "#!/bin/sh\nwhile [ ! -e '" + go.toUtf8() + "' ]; do sleep 0.1; done\nexec /bin/bash \"$@\"\n");
        QVERIFY(QFile::setPermissions(bash, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const QByteArray path = qgetenv("PATH");
        const auto restored = qScopeGuard([&] { qputenv("PATH", path); });
        qputenv("PATH", QFile::encodeName(folder.path()) + ':' + path);
        QVERIFY(QDir().mkpath(folderOfJob()));
        const auto phase = [](OpenWire& own) { return QCoro::waitFor(own.jobs())->value(0).phase; };
        for (int life = 0; life < 3; ++life) {
            const std::unique_ptr<OpenWire> own = wire();
            QVERIFY(QCoro::waitFor(own->jobs())->isEmpty());
            QVERIFY(!QCoro::waitFor(own->has(t1)));
            QCOMPARE(
                QCoro::waitFor(own->handOver(t1, script.toUtf8())).outcome, platforms::SubmitReply::Outcome::accepted);
            QCOMPARE(phase(*own), platforms::JobFact::Phase::running);
        }
        writeFile(go, {});
        const std::unique_ptr<OpenWire> own = wire();
        QTRY_COMPARE_WITH_TIMEOUT(phase(*own), platforms::JobFact::Phase::ended, patience);
        const QStringList numbers{u"pid.*"_s};
        QTRY_COMPARE_WITH_TIMEOUT(QDir(folderOfJob()).entryList(numbers, QDir::Files).size(), 3, patience);
        QCOMPARE(contents(mark), "begun\n");
    }
};

QTEST_GUILESS_MAIN(TestExamplePlatform)
#include "tst_example_platform.moc"
