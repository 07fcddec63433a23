// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a service's Jobs and pods, over a cluster of the test.
#include "services/platforms/kubernetes/wire/namespace_view.h"

#include "tests/services/platforms/kubernetes/fake_kubernetes.h"
#include "tests/services/platforms/kubernetes/kube_setup.h"
#include "tests/services/platforms/recording_sink.h"

#include "services/platforms/kubernetes/jobs/job_names.h"

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;
using Phase = JobFact::Phase;

namespace {

constexpr qint64 minuteMs = 60'000;

Json labelsOf(const char* trial, const char* service = "s1")
{
    return {{"app.kubernetes.io/managed-by", "trialdeck"}, {"trialdeck-service", service},
        {"trialdeck-experiment", "e1"}, {"trialdeck-trial", trial}};
}

} // namespace

class TestNamespaceView : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void needsBothLists_data();
    void needsBothLists();
    void fromBeginningToEnd();
    void factsOfWhatChanged();
    void whatIsNoJobOfOurs();
    void podsThatAreNotTheJobs();
    void theNewestPodCounts();
    void aJobThatIsGoneWhileItsPodRuns();
    void aPodThatIsSeenAfterItsJobIsGone();
    void aJobThatIsGoneWithoutAPod();
    void aJobThatIsGoneWithItsEnd();
    void aJobThatIsMadeAgain();
    void forgotten();
    void warnings();
    void expectsALog();
    void oneThatNeedsAPerson();
    void lostAndFound();
    void refusedAndPermitted();

private:
    [[nodiscard]] bool spin(const std::function<bool()>& until) { return m_setup->spin(until, 2); }
    /// The fact of the trial as text, like "running lab.n1", when what was changed has arrived; empty: there is none.
    [[nodiscard]] QString fact(const QString& trial)
    {
        const auto facts = m_view->facts();
        if (!facts)
            return u"error: "_s + facts.error().message.text();
        for (const JobFact& one : *facts) {
            if (one.trial.value != trial)
                continue;
            const char* const words[] = {"unknown", "waiting", "running", "ended"};
            const QString end = one.phase == Phase::ended ? statusName(one.end) : one.machine.value;
            return (QString::fromLatin1(words[int(one.phase)]) + u' ' + end).trimmed();
        }
        return {};
    }
    [[nodiscard]] bool becomes(const QString& trial, const QString& wanted)
    {
        return spin([&] { return fact(trial) == wanted; });
    }
    /// What is on its way has arrived: another Job is seen.
    [[nodiscard]] bool arrives()
    {
        const QByteArray name = "mark" + QByteArray::number(++m_marks);
        m_cluster->addJob(u"td-s1-"_s + QString::fromLatin1(name), labelsOf(name));
        m_cluster->makePod(u"td-s1-"_s + QString::fromLatin1(name));
        return spin([&] { return m_view->podOf(TrialId(QString::fromLatin1(name))) != nullptr; });
    }
    [[nodiscard]] bool open()
    {
        m_opened.emplace(m_view->open());
        return spin([&] { return m_opened->isDone(); }) && m_opened->value();
    }
    Task<bool> closed()
    {
        auto closing = m_view->close();
        co_await closing;
        co_return true;
    }

    const TrialId t1{u"t1"_s};
    const QString m_job = u"td-s1-t1"_s;
    std::unique_ptr<KubeSetup> m_setup;
    std::unique_ptr<fakes::FakeKubernetes> m_cluster;
    platform_test::RecordingSink m_sink;
    std::unique_ptr<NamespaceView> m_view;
    std::optional<Pending<Result<>>> m_opened;
    int m_marks = 0;
};

void TestNamespaceView::init()
{
    m_setup = std::make_unique<KubeSetup>(QUrl());
    m_cluster = std::make_unique<fakes::FakeKubernetes>([this] { return m_setup->clock.nowMs(); });
    m_setup->access.http.base = m_cluster->url();
    m_setup->open();
    m_sink = platform_test::RecordingSink();
    Context context;
    context.id = PlatformId(u"lab"_s);
    context.sink = &m_sink;
    context.clock = &m_setup->clock;
    context.serviceId = u"s1"_s;
    m_view = std::make_unique<NamespaceView>(
        m_setup->client.get(), m_setup->environment(), context, u"ml"_s, 5 * minuteMs, QList<WorkloadKind>());
}

void TestNamespaceView::cleanup()
{
    m_setup->wait(closed());
    m_opened.reset();
    m_view.reset();
    m_setup.reset();
    m_cluster.reset();
}

void TestNamespaceView::needsBothLists_data()
{
    QTest::addColumn<QByteArray>("resource");
    QTest::newRow("jobs") << "jobs"_ba;
    QTest::newRow("pods") << "pods"_ba;
}

void TestNamespaceView::needsBothLists()
{
    QFETCH(const QByteArray, resource);
    m_cluster->forbid(resource, "list");
    QVERIFY(!open());
    const QString said = m_opened->value().error().message.text();
    QVERIFY2(said.contains(u"The account eve may not list %1"_s.arg(QString::fromLatin1(resource))), qPrintable(said));
}

void TestNamespaceView::fromBeginningToEnd()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    QCOMPARE(fact(u"t1"_s), u"waiting"_s);
    QVERIFY(m_view->objectOf(t1) && !m_view->podOf(t1));
    const QString pod = m_cluster->makePod(m_job);
    QVERIFY(spin([&] { return m_view->podOf(t1) != nullptr; }));
    QCOMPARE(m_view->podOf(t1)->name, pod);
    QCOMPARE(fact(u"t1"_s), u"waiting"_s);
    m_cluster->run(m_job);
    QVERIFY(becomes(u"t1"_s, u"running lab.n1"_s));
    m_cluster->end(m_job, 3);
    QVERIFY(becomes(u"t1"_s, u"ended FAILED"_s));
    QCOMPARE(m_view->facts()->first().exitCode, std::optional(3));
    QCOMPARE(m_view->facts()->first().handle, u"uid-1"_s);
    QVERIFY(!m_view->lastFact(t1));
}

/// Nothing is said again of what did not change.
void TestNamespaceView::factsOfWhatChanged()
{
    for (const char* trial : {"t1", "t2"})
        m_cluster->addJob(u"td-s1-"_s + QLatin1StringView(trial), labelsOf(trial));
    QVERIFY(open());
    QCOMPARE(m_view->facts()->size(), 2);
    QCOMPARE(m_view->changedFacts()->size(), 0);
    const QSignalSpy changed(m_view.get(), &NamespaceView::changed);
    m_cluster->run(m_job);
    QVERIFY(spin([&] { return m_view->podOf(t1) && m_view->podOf(t1)->phase == u"Running"; }));
    const auto facts = m_view->changedFacts();
    QCOMPARE(facts->size(), 1);
    QVERIFY(facts->first().trial == t1 && facts->first().phase == Phase::running);
    QVERIFY(changed.count() >= 1);
    m_cluster->drop("jobs", u"td-s1-t2"_s);
    QVERIFY(spin([&] { return !m_view->objectOf(TrialId(u"t2"_s)); }));
    m_setup->clock.advance(NamespaceView::latePodMs);
    const auto gone = m_view->changedFacts();
    QCOMPARE(gone->size(), 1);
    QVERIFY(gone->first().trial.value == u"t2" && gone->first().end == TrialStatus::sys_canceled);
    m_view->touch(t1);
    QCOMPARE(m_view->changedFacts()->size(), 1);
}

void TestNamespaceView::whatIsNoJobOfOurs()
{
    m_cluster->addJob(u"td-s2-t1"_s, labelsOf("t1", "s2"));
    m_cluster->addJob(u"mine"_s, labelsOf("t1")); // of another name
    m_cluster->addJob(u"td-s1-t2"_s, labelsOf("t3"));
    m_cluster->addJob(u"td-s1-none"_s, {{"trialdeck-service", "s1"}});
    QVERIFY(open());
    for (const QString& job : {u"td-s2-t1"_s, u"mine"_s, u"td-s1-t2"_s, u"td-s1-none"_s})
        m_cluster->run(job);
    QVERIFY(arrives());
    QCOMPARE(m_view->facts()->size(), 1); // the mark
    QCOMPARE(m_view->pods().size(), 1);
}

void TestNamespaceView::podsThatAreNotTheJobs()
{
    QVERIFY(open());
    m_cluster->addJob(m_job, labelsOf("t1"));
    const QString pod = m_cluster->makePod(m_job);
    QVERIFY(spin([&] { return m_view->podOf(t1) != nullptr; }));
    // Of an earlier Job of this name, and of a Job that is somebody else's.
    m_cluster->pods().change(pod,
        {{"metadata",
            {{"ownerReferences", Json::array({{{"kind", "Job"}, {"name", m_job}, {"uid", "an earlier one"}}})}}}});
    QVERIFY(spin([&] { return m_view->podOf(t1) == nullptr; }));
    m_cluster->run(m_job);
    QVERIFY(arrives());
    QVERIFY(!m_view->podOf(t1));
    QVERIFY(!fact(u"t1"_s).startsWith(u"running"));
    QVERIFY(!m_view->expectsLog(t1));
}

void TestNamespaceView::theNewestPodCounts()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    const QString first = m_cluster->makePod(m_job);
    m_setup->clock.advance(2'000);
    const QString second = m_cluster->makePod(m_job);
    QVERIFY(spin([&] { return m_view->podOf(t1) && m_view->podOf(t1)->name == second; }));
    m_cluster->pods().change(first, {{"status", {{"reason", "late word"}}}});
    QVERIFY(arrives());
    QCOMPARE(m_view->podOf(t1)->name, second);
    m_cluster->pods().remove(first);
    QVERIFY(arrives());
    QCOMPARE(m_view->podOf(t1)->name, second);
}

void TestNamespaceView::aJobThatIsGoneWhileItsPodRuns()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    m_cluster->run(m_job);
    QVERIFY(becomes(u"t1"_s, u"running lab.n1"_s));
    m_cluster->nodesAreAway(true);
    const QString pod = m_cluster->podOf(m_job);
    m_cluster->drop("jobs", m_job);
    QVERIFY(spin([&] { return !m_view->objectOf(t1); }));
    QVERIFY(arrives());
    QCOMPARE(fact(u"t1"_s), u"running lab.n1"_s); // its process may run on
    QVERIFY(!m_view->lastFact(t1));
    m_cluster->pods().remove(pod);
    QVERIFY(becomes(u"t1"_s, {}));
    const auto last = m_view->lastFact(t1);
    QVERIFY(last && last->phase == Phase::ended && last->isDecisive);
    QCOMPARE(last->end, TrialStatus::sys_canceled);
    QCOMPARE(last->reason.text(), u"its Job was deleted in the cluster"_s);
}

/// A controller made it while the Job was being deleted: the garbage collector deletes it some time later.
void TestNamespaceView::aPodThatIsSeenAfterItsJobIsGone()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    m_cluster->nodesAreAway(true);
    m_cluster->pods().unseen([this] {
        m_cluster->run(m_job);
        m_cluster->drop("jobs", m_job);
    });
    const QString pod = m_cluster->podOf(m_job);
    QVERIFY(spin([&] { return !m_view->objectOf(t1); }));
    QCOMPARE(fact(u"t1"_s), u"waiting"_s);
    QVERIFY(!m_view->lastFact(t1));
    m_cluster->pods().change(pod, Json::object());
    QVERIFY(spin([&] { return m_view->podOf(t1) != nullptr; }));
    m_setup->clock.advance(NamespaceView::latePodMs);
    QCOMPARE(fact(u"t1"_s), u"waiting"_s); // its process runs
    QVERIFY(!m_view->lastFact(t1));
    m_cluster->pods().remove(pod);
    QVERIFY(becomes(u"t1"_s, {}));
    QCOMPARE(m_view->lastFact(t1)->end, TrialStatus::sys_canceled);
}

/// No event says that no pod of it was made.
void TestNamespaceView::aJobThatIsGoneWithoutAPod()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    QCOMPARE(m_view->facts()->size(), 1);
    m_cluster->drop("jobs", m_job);
    QVERIFY(spin([&] { return !m_view->objectOf(t1); }));
    QCOMPARE(m_view->changedFacts()->size(), 1);
    QVERIFY(!m_view->lastFact(t1));
    const QSignalSpy changed(m_view.get(), &NamespaceView::changed);
    m_setup->clock.advance(NamespaceView::latePodMs);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(m_view->changedFacts()->size(), 1);
    QCOMPARE(m_view->lastFact(t1)->end, TrialStatus::sys_canceled);
}

void TestNamespaceView::aJobThatIsGoneWithItsEnd()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    m_cluster->run(m_job);
    QVERIFY(becomes(u"t1"_s, u"running lab.n1"_s));
    m_cluster->end(m_job, 0);
    QVERIFY(becomes(u"t1"_s, u"ended SUCCEEDED"_s));
    m_cluster->drop("jobs", m_job); // as a TTL does
    QVERIFY(becomes(u"t1"_s, {}));
    QCOMPARE(m_view->lastFact(t1)->end, TrialStatus::succeeded);
}

void TestNamespaceView::aJobThatIsMadeAgain()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    m_cluster->run(m_job);
    QVERIFY(becomes(u"t1"_s, u"running lab.n1"_s));
    m_cluster->drop("jobs", m_job);
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(becomes(u"t1"_s, u"waiting"_s));
    QVERIFY(!m_view->lastFact(t1)); // that of the one before
    QVERIFY(!m_view->podOf(t1));
    QCOMPARE(m_view->facts()->first().handle, u"uid-2"_s);
}

void TestNamespaceView::forgotten()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    m_cluster->drop("jobs", m_job);
    QVERIFY(spin([&] { return !m_view->objectOf(t1); }));
    m_setup->clock.advance(NamespaceView::latePodMs);
    QVERIFY(becomes(u"t1"_s, {}));
    QVERIFY(m_view->lastFact(t1));
    m_view->forget(t1);
    QVERIFY(!m_view->lastFact(t1));
}

void TestNamespaceView::warnings()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    m_cluster->addJob(u"td-s1-x"_s, labelsOf("other", "s2")); // that looks like a trial of ours
    QVERIFY(open());
    const QString pod = m_cluster->makePod(m_job);
    QVERIFY(spin([&] { return m_view->podOf(t1) != nullptr; }));
    m_cluster->warn("jobs", m_job, "FailedCreate", "no room");
    m_cluster->warn("pods", pod, "FailedScheduling", "no node");
    m_cluster->warn("pods", pod, "FailedScheduling", "no node"); // again
    m_cluster->warn("jobs", u"td-s1-x"_s, "FailedCreate", "not ours");
    m_cluster->events().put(u"fine"_s,
        {{"type", "Normal"}, {"reason", "Pulled"}, {"message", "fine"},
            {"involvedObject", {{"kind", "Pod"}, {"name", pod}, {"uid", "pod-1"}}}});
    m_cluster->warn("pods", pod, "FailedMount", "no volume");
    QVERIFY(spin([&] { return m_sink.notes.join(u' ').contains(u"no volume"); }));
    QCOMPARE(m_sink.notes,
        (QStringList{u"The cluster warns: no room (FailedCreate)."_s,
            u"The cluster warns: no node (FailedScheduling)."_s, u"The cluster warns: no volume (FailedMount)."_s}));
}

/// Jobs and pods come on two connections: a Job may be complete before its pod is seen to run.
void TestNamespaceView::expectsALog()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    QVERIFY(!m_view->expectsLog(t1));
    m_cluster->makePod(m_job);
    QVERIFY(spin([&] { return m_view->podOf(t1) != nullptr; }));
    QVERIFY(!m_view->expectsLog(t1));
    m_cluster->endJob(m_job, true);
    QVERIFY(spin([&] { return m_view->expectsLog(t1); }));
    m_cluster->endPod(m_cluster->podOf(m_job), 0);
    QVERIFY(spin([&] { return !m_view->expectsLog(t1); }));
    m_cluster->pods().remove(m_cluster->podOf(m_job));
    QVERIFY(spin([&] { return m_view->expectsLog(t1); })); // there was one
    QVERIFY(!m_view->expectsLog(TrialId(u"none"_s)));
}

void TestNamespaceView::oneThatNeedsAPerson()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    const QString pod = m_cluster->makePod(m_job);
    const Json waits = {{"name", "trial"}, {"restartCount", 0},
        {"state", {{"waiting", {{"reason", "CreateContainerConfigError"}, {"message", "secret \"x\" not found"}}}}}};
    m_cluster->pods().change(
        pod, {{"spec", {{"nodeName", "n1"}}}, {"status", {{"containerStatuses", Json::array({waits})}}}});
    QVERIFY(becomes(u"t1"_s, u"waiting lab.n1"_s));
    const qint64 began = m_setup->clock.nowMs();
    const auto endsAfter = [&] {
        return m_setup->spin([&] { return fact(u"t1"_s) == u"ended FAILED"; }, 500) ? m_setup->clock.nowMs() - began
                                                                                    : -1;
    };
    const qint64 waited = endsAfter();
    QVERIFY2(waited >= 5 * minuteMs && waited < 6 * minuteMs, qPrintable(QString::number(waited)));
    QVERIFY(m_view->facts()->first().reason.text().contains(u"secret x"));
}

void TestNamespaceView::lostAndFound()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    const QSignalSpy lost(m_view.get(), &NamespaceView::lost);
    const QSignalSpy found(m_view.get(), &NamespaceView::found);
    const QByteArray away = fakes::FakeCollection::statusBody(500, "InternalError", "down");
    for (const char* verb : {"list", "watch"})
        m_cluster->pods().refuse(verb, 500, away);
    m_cluster->pods().cutWatches();
    QVERIFY(m_setup->spin([&] { return lost.count() == 1; }, 50));
    QCOMPARE(found.count(), 0);
    QVERIFY(m_setup->spin([&] { return fact(u"t1"_s) == u"error: Nothing is heard of the cluster."; }, 50));
    for (const char* verb : {"list", "watch"})
        m_cluster->permit("pods", verb);
    QVERIFY(m_setup->spin([&] { return found.count() == 1; }, 50));
    QCOMPARE(fact(u"t1"_s), u"waiting"_s);
    QCOMPARE(lost.count(), 1);
}

void TestNamespaceView::refusedAndPermitted()
{
    m_cluster->addJob(m_job, labelsOf("t1"));
    QVERIFY(open());
    m_cluster->forbid("jobs", "list");
    m_cluster->jobs().forget();
    m_cluster->jobs().cutWatches();
    const QString refused = u"error: The cluster does not let this account see its jobs and pods any more."_s;
    QVERIFY(m_setup->spin([&] { return fact(u"t1"_s) == refused; }, 20));
    m_cluster->permit("jobs", "list");
    QVERIFY(m_setup->spin([&] { return fact(u"t1"_s) == u"waiting"; }, 20));
}

QTEST_GUILESS_MAIN(TestNamespaceView)
#include "tst_namespace_view.moc"
