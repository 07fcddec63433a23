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

} // namespace

class TestExamplePlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<ProcessesSubject>(); }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }

private slots:
    /// Between the moment that the shell makes the file with its number and the moment that it writes it.
    void runsWhoseNumberIsNotWrittenYet()
    {
        const Context context = m_subject->context(m_sink.get());
        const QString job = context.dataDir + u"/platforms/own/jobs/td-s1-t1"_s;
        QVERIFY(QDir().mkpath(job));
        writeFile(job + u"/pid"_s, {});
        Json settings = m_subject->settings();
        settings["localStorageMountPoint"] = settings["containerStorageMountPoint"] = context.dataDir;
        platforms::ProcessesWire wire(settings, context);
        const auto phase = [&] { return QCoro::waitFor(wire.jobs())->value(0).phase; };
        QCOMPARE(phase(), platforms::JobFact::Phase::running);
        writeFile(job + u"/exit"_s, {});
        QCOMPARE(phase(), platforms::JobFact::Phase::running);
        writeFile(job + u"/exit"_s, "0\n");
        QCOMPARE(phase(), platforms::JobFact::Phase::ended);
    }
};

QTEST_GUILESS_MAIN(TestExamplePlatform)
#include "tst_example_platform.moc"
