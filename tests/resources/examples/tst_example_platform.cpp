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
        return {.wordMs = 20'000, .drainMs = 5'000, .missingMs = 3'000, .lostMs = 30'000};
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
};

QTEST_GUILESS_MAIN(TestExamplePlatform)
#include "tst_example_platform.moc"
