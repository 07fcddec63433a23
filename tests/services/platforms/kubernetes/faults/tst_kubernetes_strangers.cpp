// SPDX-License-Identifier: GPL-3.0-or-later
// Others in the same namespace: what they do to trials of a service, and that a service does nothing to theirs.
#include "kube_lab.h"

#include "services/platforms/kubernetes/jobs/job_names.h"

#include <QCryptographicHash>

using namespace Qt::StringLiterals;
using namespace kube_lab;
using fakes::FakeCollection;
using Way = FakeCollection::Answer::Way;

namespace {

QString keeperMap(const QString& service)
{
    const QByteArray hash = QCryptographicHash::hash("a keeper", QCryptographicHash::Sha256);
    return platforms::kubernetes::keeperMapName(service, u"x86_64"_s, hash);
}

/// All that is there, with its versions: equal where nobody changed anything.
QStringList everything(fakes::FakeKubernetes& cluster, const QString& prefix)
{
    QStringList all;
    for (FakeCollection* objects : {&cluster.jobs(), &cluster.pods(), &cluster.maps()})
        for (const QString& name : objects->names())
            if (name.startsWith(prefix))
                all += QString::fromUtf8(dumpJson(objects->at(name)));
    return all;
}

} // namespace

class TestKubernetesStrangers : public QObject
{
    Q_OBJECT
private slots:
    void jobIsDeleted();
    void podIsDeleted();
    void nodeIsGone_data();
    void nodeIsGone();
    void nodeComesBack();
    void jobOfThisName();
    void mapOfThisName();
    void labelsAreChanged();
    void jobIsSuspended();
    void placeIsTakenAway_data();
    void placeIsTakenAway();
    void suspendedWhileNobodyLooked();
    void killedBetweenMapAndJob();
    void anotherService();
    void answersThatNameOthers();
};

void TestKubernetesStrangers::jobIsDeleted()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    lab.cluster.drop("jobs", service.job(u"t1"_s));
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::sys_canceled));
    QVERIFY(service.last(u"t1"_s).reason.text().endsWith(u" was deleted in the cluster"));
    QCOMPARE(service.course(u"t1"_s), u"RUNNING SYS_CANCELED"_s);
}

void TestKubernetesStrangers::podIsDeleted()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    const QString pod = lab.cluster.podOf(service.job(u"t1"_s));
    lab.cluster.nodesAreAway(true);
    lab.cluster.drop("pods", pod);
    lab.pass(1'000);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s); // it is being ended
    lab.cluster.nodesAreAway(false);
    lab.cluster.drop("pods", pod);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::sys_canceled));
    QCOMPARE(service.last(u"t1"_s).reason.text(), u"its pod was deleted on the cluster"_s);
}

void TestKubernetesStrangers::nodeIsGone_data()
{
    QTest::addColumn<bool>("isDeleted");
    QTest::newRow("silent") << false;
    QTest::newRow("its pods are deleted") << true;
}

void TestKubernetesStrangers::nodeIsGone()
{
    QFETCH(const bool, isDeleted);
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    const QString pod = lab.cluster.podOf(service.job(u"t1"_s));
    lab.cluster.nodesAreAway(true);
    if (isDeleted)
        lab.cluster.drop("pods", pod); // by the cluster's own controller
    else
        lab.cluster.loseNodeOf(pod);
    int minutes = 0;
    for (; minutes < 30 && !service.of(u"t1"_s).ended(); ++minutes)
        lab.pass(minuteMs);
    QVERIFY2(minutes >= 10 && minutes <= 13, qPrintable(QString::number(minutes))); // with a moment for its log
    QCOMPARE(service.course(u"t1"_s), u"RUNNING FAILED"_s);
    QCOMPARE(service.last(u"t1"_s).failureClass.word(), u"infrastructure"_s);
    QVERIFY2(service.last(u"t1"_s).reason.text().startsWith(u"its node n1 has been lost for 10 min"),
        qPrintable(service.last(u"t1"_s).reason.text()));
}

void TestKubernetesStrangers::nodeComesBack()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    const QString job = service.job(u"t1"_s);
    lab.cluster.loseNodeOf(lab.cluster.podOf(job));
    lab.pass(8 * minuteMs);
    lab.cluster.pods().change(lab.cluster.podOf(job), {{"status", {{"reason", nullptr}, {"conditions", nullptr}}}});
    lab.pass(20 * minuteMs);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s);
    lab.cluster.end(job, 0);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::succeeded));
}

void TestKubernetesStrangers::jobOfThisName()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    const QString job = service.job(u"t1"_s);
    lab.cluster.addJob(job, {{"app", "other"}});
    lab.cluster.run(job);
    const QStringList before = everything(lab.cluster, job);
    const SubmitOutcome outcome = service.submit(u"t1"_s);
    QVERIFY(outcome.error && !outcome.later && !outcome.unknown);
    QVERIFY(outcome.error->kind == Kind::conflict);
    QCOMPARE(outcome.error->message.text(), u"The namespace has a Job %1 that is not this service's."_s.arg(job));
    lab.pass(minuteMs);
    QVERIFY(service.of(u"t1"_s).observations.isEmpty());
    QVERIFY(service.remove({u"t1"_s}));
    QVERIFY(service.cancel(u"t1"_s)); // as an engine does that knows nothing of an outcome
    QCOMPARE(everything(lab.cluster, job), before);
}

void TestKubernetesStrangers::mapOfThisName()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    const QString map = keeperMap(u"s1"_s);
    lab.cluster.addMap(map, {{"app", "other"}});
    const QStringList before = everything(lab.cluster, map);
    const SubmitOutcome outcome = service.submit(u"t1"_s);
    QVERIFY(outcome.later && !outcome.error && !outcome.unknown);
    QVERIFY2(outcome.later->reason.text().startsWith(
                 u"The ConfigMap %1 in the namespace ml is not this service's."_s.arg(map)),
        qPrintable(outcome.later->reason.text()));
    QCOMPARE(lab.cluster.jobs().names(), QStringList());
    QVERIFY(service.remove({u"t1"_s}));
    QCOMPARE(everything(lab.cluster, map), before);
    lab.cluster.maps().remove(map);
    QVERIFY(service.start(u"t1"_s));
    QCOMPARE(lab.cluster.maps().names(), QStringList{map});
}

/// Its Job is taken from the service: what its pod says still counts.
void TestKubernetesStrangers::labelsAreChanged()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    const QString job = service.job(u"t1"_s);
    const QString pod = lab.cluster.podOf(job);
    KeeperLog log(u"t1"_s);
    lab.cluster.say(pod, log.running(lab.clock.nowMs()) + log.reports("1"));
    QVERIFY(lab.spin([&] { return service.of(u"t1"_s).stream(Stream::file) == "1\n"; }));
    lab.cluster.jobs().change(job, {{"metadata", {{"labels", {{"trialdeck-service", "s2"}}}}}});
    lab.pass(5 * minuteMs);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s);
    lab.cluster.say(pod, log.reports("2"));
    QVERIFY(lab.spin([&] { return service.of(u"t1"_s).stream(Stream::file) == log.reported(); }));
    lab.cluster.say(pod, log.exits(0, lab.clock.nowMs()));
    lab.cluster.end(job, 0);
    QVERIFY(lab.spin([&] { return service.of(u"t1"_s).ended(); }));
    QCOMPARE(service.course(u"t1"_s), u"RUNNING SUCCEEDED"_s);
}

void TestKubernetesStrangers::jobIsSuspended()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    const QString job = service.job(u"t1"_s);
    KeeperLog first(u"t1"_s, "71");
    lab.cluster.say(lab.cluster.podOf(job), first.running(lab.clock.nowMs()) + first.reports("a"));
    QVERIFY(lab.spin([&] { return service.of(u"t1"_s).stream(Stream::file) == "a\n"; }));
    lab.cluster.suspend(job);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::waiting));
    QCOMPARE(service.last(u"t1"_s).reason.text(), u"Its Job is suspended. It starts when somebody resumes it."_s);
    QCOMPARE(service.last(u"t1"_s).attempt, 2);
    lab.pass(minuteMs);
    lab.cluster.resume(job); // the pod of before is all that is known of its pods
    lab.pass(minuteMs);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING WAITING"_s);
    lab.cluster.makePod(job);
    lab.cluster.run(job);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::running));
    service.sink.contiguous = false; // another run begins at 0
    KeeperLog second(u"t1"_s, "72");
    lab.cluster.say(lab.cluster.podOf(job), second.running(lab.clock.nowMs()) + second.reports("b"));
    QVERIFY(lab.spin([&] { return service.of(u"t1"_s).stream(Stream::file) == "a\nb\n"; }));
    lab.cluster.say(lab.cluster.podOf(job), second.exits(0, lab.clock.nowMs()));
    lab.cluster.end(job, 0);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::succeeded));
    QCOMPARE(service.course(u"t1"_s), u"RUNNING WAITING RUNNING SUCCEEDED"_s);
    QCOMPARE(service.last(u"t1"_s).attempt, 2);
}

void TestKubernetesStrangers::placeIsTakenAway_data()
{
    QTest::addColumn<int>("exitCode"); ///< of a trial that is asked to end
    QTest::newRow("killed") << 143;
    QTest::newRow("ends well") << 0;
    QTest::newRow("ends badly") << 3;
}

/// By Kueue, for another Job. How the trial's process takes that is not the trial's end.
void TestKubernetesStrangers::placeIsTakenAway()
{
    QFETCH(int, exitCode);
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    const QString job = service.job(u"t1"_s);
    lab.cluster.jobs().change(job, {{"metadata", {{"labels", {{"kueue.x-k8s.io/queue-name", "team"}}}}}});
    const Json owner = {{"kind", "Job"}, {"uid", lab.cluster.jobs().at(job)["metadata"]["uid"]}, {"controller", true}};
    lab.cluster.of("workloads")
        .put(u"job-1"_s,
            {{"metadata", {{"ownerReferences", Json::array({owner})}}}, {"spec", {{"queueName", "team"}}},
                {"status",
                    {{"conditions",
                        Json::array({{{"type", "QuotaReserved"}, {"status", "True"}},
                            {{"type", "Admitted"}, {"status", "True"}},
                            {{"type", "Evicted"}, {"status", "True"}, {"reason", "Preempted"},
                                {"message", "Preempted to accommodate a workload"}}})}}}});
    const QString pod = lab.cluster.podOf(job);
    KeeperLog first(u"t1"_s, "71");
    lab.cluster.say(pod, first.running(lab.clock.nowMs()) + first.reports("a"));
    QVERIFY(lab.spin([&] { return service.of(u"t1"_s).stream(Stream::file) == "a\n"; }));
    lab.cluster.nodesAreAway(true);
    lab.cluster.suspend(job); // and its pod is given time
    lab.pass(minuteMs / 6);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s);
    lab.cluster.say(pod, first.reports("last words") + first.exits(exitCode, lab.clock.nowMs()));
    QVERIFY(lab.spin([&] { return service.of(u"t1"_s).stream(Stream::file) == "a\nlast words\n"; }));
    lab.pass(minuteMs);
    QVERIFY2(!service.of(u"t1"_s).ended(), qPrintable(service.course(u"t1"_s)));
    lab.cluster.endPod(pod, exitCode);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::waiting));
    const auto reason = [&] { return service.last(u"t1"_s).reason.text(); };
    QCOMPARE(reason(),
        u"Kueue took its place in the queue team away (Preempted), and starts it again when there is room: Preempted to accommodate a workload."_s);
    QCOMPARE(service.last(u"t1"_s).attempt, 2);
    lab.cluster.pods().remove(pod);
    lab.pass(15 * minuteMs);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING WAITING"_s);
    // Once more, after it began again.
    for (int attempt = 2; attempt <= 3; ++attempt) {
        lab.cluster.nodesAreAway(false);
        lab.cluster.resume(job);
        lab.cluster.makePod(job);
        lab.cluster.run(job);
        QVERIFY(service.becomes(u"t1"_s, TrialStatus::running));
        QCOMPARE(service.last(u"t1"_s).attempt, attempt);
        service.sink.contiguous = false;
        KeeperLog next(u"t1"_s, "7" + QByteArray::number(attempt));
        lab.cluster.say(lab.cluster.podOf(job), next.running(lab.clock.nowMs()) + next.reports("b"));
        const QByteArray all = "a\nlast words\n" + QByteArray("b\n").repeated(attempt - 1);
        QVERIFY(lab.spin([&] { return service.of(u"t1"_s).stream(Stream::file) == all; }));
        if (attempt == 3)
            break;
        lab.cluster.suspend(job);
        QVERIFY(service.becomes(u"t1"_s, TrialStatus::waiting));
        QCOMPARE(service.last(u"t1"_s).attempt, attempt + 1);
    }
    lab.cluster.end(job, 0);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::succeeded));
    QCOMPARE(service.last(u"t1"_s).attempt, 3);
}

/// What a service that begins anew finds.
void TestKubernetesStrangers::suspendedWhileNobodyLooked()
{
    KubeLab lab;
    TrialRef ref;
    {
        KubeService service(lab);
        QVERIFY(service.open());
        QVERIFY(service.start(u"t1"_s));
        KeeperLog first(u"t1"_s, "71");
        lab.cluster.say(lab.cluster.podOf(service.job(u"t1"_s)), first.running(lab.clock.nowMs()) + first.reports("a"));
        QVERIFY(lab.spin([&] { return service.of(u"t1"_s).stream(Stream::file) == "a\n"; }));
        ref = service.ref(u"t1"_s);
        ref.handle = QString::fromStdString(lab.cluster.jobs().at(service.job(u"t1"_s))["metadata"]["uid"]);
        ref.cursors = service.sink.cursors[ref.trial];
    }
    KubeService service(lab);
    lab.cluster.suspend(service.job(u"t1"_s));
    QVERIFY(service.open());
    QVERIFY(lab.wait(service.platform->adopt({ref})));
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::waiting));
    QCOMPARE(service.last(u"t1"_s).attempt, 2);
    lab.pass(minuteMs);
    QCOMPARE(service.course(u"t1"_s), u"WAITING"_s);
}

void TestKubernetesStrangers::killedBetweenMapAndJob()
{
    KubeLab lab;
    TrialSpec spec = KubeService(lab).spec(u"t1"_s);
    spec.code = {CodeSource::Kind::snapshot, u"0123456789abcdef"_s, {}, lab.write(u"code.tar.gz"_s, "code")};
    const QList<TrialSpec> specs{spec};
    std::optional<Pending<QList<SubmitOutcome>>> submitting;
    {
        KubeService service(lab);
        QVERIFY(service.open());
        lab.cluster.jobs().fault("create", FakeCollection::Answer{0, {}, {}, Way::silence});
        submitting.emplace(service.platform->submit(specs));
        QVERIFY(lab.spin([&] { return lab.cluster.calls("jobs", "create").size() == 1; }));
        service.close();
        QVERIFY(lab.spin([&] { return submitting->isDone(); }));
        QVERIFY(submitting->value().value(0).handle.isEmpty());
    }
    const QStringList maps = everything(lab.cluster, u"td-s1-"_s);
    QCOMPARE(maps.size(), 2); // keeper and code
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(!service.submit(spec).handle.isEmpty());
    QCOMPARE(lab.cluster.jobs().names(), QStringList{service.job(u"t1"_s)});
    QCOMPARE(lab.cluster.maps().names().size(), 2);
    QCOMPARE(everything(lab.cluster, u"td-s1-e1-"_s) + everything(lab.cluster, u"td-s1-keeper"_s), maps);
    lab.cluster.run(service.job(u"t1"_s));
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::running));
    QVERIFY(service.cancel(u"t1"_s));
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::user_canceled));
    QVERIFY(service.remove({u"t1"_s}));
    lab.cluster.reap();
    QCOMPARE(everything(lab.cluster, {}), QStringList());
}

/// With an id that begins as ours, trials of the same ids, and an experiment of the same id.
void TestKubernetesStrangers::anotherService()
{
    KubeLab lab;
    KubeService other(lab, u"s1-t1"_s);
    QVERIFY(other.open());
    for (const QString& trial : {u"t1"_s, u"t2"_s, u"t3"_s})
        QVERIFY(other.start(trial));
    lab.pass(2'000);
    const QStringList before = everything(lab.cluster, u"td-s1-t1-"_s);
    QCOMPARE(before.size(), 7);

    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(lab.wait(service.platform->adopt({})));
    lab.pass(minuteMs);
    QVERIFY(service.sink.trials.empty()); // none of the other's
    for (const QString& trial : {u"t1"_s, u"t2"_s})
        QVERIFY(service.start(trial));
    QVERIFY(service.cancel(u"t1"_s));
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::user_canceled));
    QVERIFY(service.cancel(u"t3"_s)); // that only the other one has
    QCOMPARE(*lab.wait(service.platform->removeUnknown(ExperimentId(u"e1"_s), {TrialId(u"t1"_s)})), 1);
    QVERIFY(service.becomes(u"t2"_s, TrialStatus::sys_canceled));
    QVERIFY(service.becomes(u"t3"_s, TrialStatus::user_canceled, 1'000)); // when it was missed for long enough
    QVERIFY(service.remove({u"t1"_s, u"t2"_s, u"t3"_s}));
    lab.cluster.reap();
    QCOMPARE(everything(lab.cluster, u"td-s1-"_s), before); // and nothing of ours is left
    for (const QString& trial : {u"t1"_s, u"t2"_s, u"t3"_s})
        QCOMPARE(other.course(trial), u"RUNNING"_s);
}

void TestKubernetesStrangers::answersThatNameOthers()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    // The answer to a creation is of somebody else's Job.
    lab.cluster.jobs().fault("create",
        FakeCollection::Answer{201,
            R"({"metadata":{"name":"other","uid":"of another","labels":{"trialdeck-trial":"t1"}}})", {}, Way::behind});
    QVERIFY(!service.submit(u"t2"_s).error);
    // Labels of ours, on what others made: a Job of another name, and pods of Jobs that are not ours.
    const Json ours = lab.cluster.jobs().at(service.job(u"t1"_s))["metadata"]["labels"];
    lab.cluster.addJob(u"other"_s, ours);
    lab.cluster.run(u"other"_s);
    lab.cluster.end(u"other"_s, 9);
    lab.cluster.warn("jobs", u"other"_s, "FailedCreate", "not ours");
    Json third = ours;
    third["trialdeck-trial"] = "t3";
    lab.cluster.addJob(u"td-s1-t9"_s, third);
    lab.cluster.run(u"td-s1-t9"_s);
    lab.pass(2 * minuteMs);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s);
    QCOMPARE(service.course(u"t2"_s), QString());
    QVERIFY(service.of(u"t3"_s).observations.isEmpty());
    QVERIFY(service.of(u"t9"_s).observations.isEmpty());
    QCOMPARE(service.sink.notes, QStringList());
    lab.cluster.run(service.job(u"t2"_s));
    QVERIFY(service.becomes(u"t2"_s, TrialStatus::running));
    lab.cluster.end(service.job(u"t2"_s), 0);
    QVERIFY(service.becomes(u"t2"_s, TrialStatus::succeeded));
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s);
    // A list of such things says nothing either.
    lab.cluster.jobs().cutWatches();
    lab.cluster.jobs().forget();
    lab.pass(minuteMs);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s);
}

QTEST_GUILESS_MAIN(TestKubernetesStrangers)
#include "tst_kubernetes_strangers.moc"
