// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_conformance.h"

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_platform.h"

#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace platform_test;
using fakes::FakePlatform;

namespace {

class FakeSubject : public Subject
{
public:
    std::unique_ptr<platforms::Platform> make() override
    {
        auto platform = std::make_unique<FakePlatform>(m_world);
        platform->onRun = [this, raw = platform.get()](const TrialId& trial) { play(*raw, trial); };
        m_platform = platform.get();
        return platform;
    }
    Context context(Sink* sink) override
    {
        Context context;
        context.id = PlatformId(u"fake"_s);
        context.sink = sink;
        context.clock = &m_clock;
        return context;
    }
    TrialSpec spec(const TrialId& trial, Job job) override
    {
        m_jobs[trial] = job;
        TrialSpec spec;
        spec.id = trial;
        spec.jobId = trial.value;
        spec.experimentId = ExperimentId(u"e1"_s);
        spec.stdoutWatch = StdoutWatch::all;
        return spec;
    }
    void release(const TrialId& trial) override
    {
        m_released.insert(trial);
        const auto found = m_world->trials.find(trial);
        if (m_platform && found != m_world->trials.end() && found->second.status == TrialStatus::running)
            finishWaiting(*m_platform, trial);
    }
    int starts(const TrialId& trial) override
    {
        return m_world->trials.contains(trial) ? m_world->trials[trial].starts : 0;
    }
    bool leftovers(const TrialId& trial) override { return m_world->trials.contains(trial); }
    bool lives(const TrialId& trial) override
    {
        return m_world->trials.contains(trial) && m_world->trials[trial].status == TrialStatus::running;
    }
    QByteArray parameter(const TrialId& trial, int index) { return m_world->trials[trial].parameters.value(index); }

private:
    void print(FakePlatform& platform, const TrialId& trial, const QByteArray& text)
    {
        platform.appendLog(trial, u"stdout"_s, text);
        platform.write(trial, Stream::stdout_lines, text);
    }
    void finishWaiting(FakePlatform& platform, const TrialId& trial)
    {
        print(platform, trial, "end\n");
        platform.finish(trial);
    }
    void play(FakePlatform& platform, const TrialId& trial)
    {
        switch (m_jobs[trial]) {
        case Job::quick:
            platform.finish(trial);
            break;
        case Job::failing:
            platform.finish(trial, 3);
            break;
        case Job::ignores:
        case Job::waits:
            print(platform, trial, "begin\n");
            if (m_released.contains(trial))
                finishWaiting(platform, trial);
            break;
        case Job::streams:
            for (const Stream stream : {Stream::nni, Stream::file, Stream::stdout_lines})
                platform.write(trial, stream, expectedStream(stream));
            platform.finish(trial);
            break;
        case Job::files:
            platform.appendLog(trial, u"output/a.txt"_s, "alpha");
            platform.appendLog(trial, u"output/deep/b.bin"_s, QByteArray(200'000, '\0'));
            platform.appendLog(trial, u"trial.log"_s, "log\n");
            platform.finish(trial);
            break;
        }
    }

    fakes::FakeClock m_clock;
    std::shared_ptr<FakePlatform::World> m_world = std::make_shared<FakePlatform::World>();
    QPointer<FakePlatform> m_platform;
    std::map<TrialId, Job> m_jobs;
    QSet<TrialId> m_released;
};

} // namespace

class TestFakePlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<FakeSubject>(); }

protected:
    QByteArray parameterOf(const TrialId& trial, int index) override
    {
        return static_cast<FakeSubject*>(m_subject.get())->parameter(trial, index);
    }
    FakePlatform& fake() { return *static_cast<FakePlatform*>(m_platform.get()); }

private slots:
    void refusedAndUnknownSubmits()
    {
        fake().onSubmit = [](const TrialSpec& spec) -> std::optional<SubmitOutcome> {
            if (spec.id.value == u"t1")
                return SubmitOutcome{spec.id, {}, Error{Kind::resource, u"no room"_s, {}}, false};
            return SubmitOutcome{spec.id, {}, Error{Kind::network, u"broke"_s, {}}, true};
        };
        QVERIFY(submit(t1, Job::quick).error.has_value());
        QVERIFY(submit(t2, Job::quick).unknown);
        QTRY_VERIFY(facts(t2).ended());
        QCOMPARE(m_subject->starts(t1), 0);
        QCOMPARE(m_subject->starts(t2), 1);
        QCOMPARE(fake().calls, (QStringList{u"open"_s, u"submit t1"_s, u"submit t2"_s}));
    }

    void heldSubmits()
    {
        fake().holdSubmits = true;
        const QList<TrialSpec> specs{m_subject->spec(t1, Job::quick)};
        auto submitting = m_platform->submit(specs);
        QTRY_VERIFY(facts(t1).ended());
        QVERIFY(!submitting.isReady());
        fake().releaseSubmits();
        QVERIFY(submitting.isReady());
    }

    void silence()
    {
        (void)submit(t1, Job::waits);
        QTRY_COMPARE(facts(t1).status(), TrialStatus::running);
        fake().lose();
        QCOMPARE(m_sink->losses.size(), 1);
        fake().finish(t1);
        QCOMPARE(facts(t1).status(), TrialStatus::running);
        fake().back();
        QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
    }
};

QTEST_GUILESS_MAIN(TestFakePlatform)
#include "tst_fake_platform.moc"
