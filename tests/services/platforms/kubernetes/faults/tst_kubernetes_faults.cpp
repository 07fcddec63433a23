// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong between a service and the API server: connections, versions, rights, answers, clocks. Trials are never the worse for it.
#include "kube_lab.h"

#include "tests/fakes/web/test_certificates.h"

#include "services/platforms/kubernetes/wire/kubernetes_wire.h"

#include <random>

using namespace Qt::StringLiterals;
using namespace kube_lab;
using fakes::FakeCollection;
using Way = FakeCollection::Answer::Way;

namespace {

constexpr qint64 hourMs = 60 * minuteMs;

FakeCollection::Answer broken(Way way)
{
    return {500, FakeCollection::statusBody(500, "InternalError", "etcdserver: leader changed"), {}, way};
}

FakeCollection::Answer busy(int seconds)
{
    return {429, FakeCollection::statusBody(429, "TooManyRequests", "Too many requests"),
        "Content-Type: application/json\r\nRetry-After: " + QByteArray::number(seconds) + "\r\n", Way::instead};
}

} // namespace

class TestKubernetesFaults : public QObject
{
    Q_OBJECT
private slots:
    void nothingGoesWrong();
    void aGatewaysPageRemovesNothing();
    void watchesAreCutAnywhere_data();
    void watchesAreCutAnywhere();
    void versionsAreTooOld_data();
    void versionsAreTooOld();
    void aTokenIsReplaced();
    void mayNotCreate();
    void mayNotDelete();
    void mayNotWatch();
    void mayNotList();
    void mayNotReadLogs();
    void busyServer();
    void creationFails_data();
    void creationFails();
    void deletionFails();
    void quotaOfJobs();
    void quotaOfPods();
    void tooMuchCode();
    void clocksAreFarOff_data();
    void clocksAreFarOff();
    void hugeAnswers();
};

void TestKubernetesFaults::nothingGoesWrong()
{
    KubeLab lab;
    KubeService service(lab);
    const auto opened = service.open();
    QVERIFY2(opened, opened ? "" : qPrintable(opened.error().message));
    QVERIFY(service.start(u"t1"_s));
    QCOMPARE(service.last(u"t1"_s).machine.value, u"lab.n1"_s);
    KeeperLog log(u"t1"_s);
    const QString pod = lab.cluster.podOf(service.job(u"t1"_s));
    lab.cluster.say(pod, log.running(lab.clock.nowMs()) + log.reports("a") + log.prints("b"));
    QVERIFY(lab.spin([&] { return service.of(u"t1"_s).stream(Stream::file) == "a\n"; }));
    lab.cluster.say(pod, log.exits(0, lab.clock.nowMs()));
    lab.cluster.end(service.job(u"t1"_s), 0);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::succeeded));
    QCOMPARE(service.of(u"t1"_s).stream(Stream::stdout_lines), "b\n"_ba);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING SUCCEEDED"_s);
    QVERIFY(service.remove({u"t1"_s}));
    for (FakeCollection* all : {&lab.cluster.jobs(), &lab.cluster.pods(), &lab.cluster.maps()})
        QCOMPARE(all->names(), QStringList());
}

/// It is no word that an object is gone, whether it comes when the object is looked at or when it is deleted.
void TestKubernetesFaults::aGatewaysPageRemovesNothing()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    lab.cluster.end(service.job(u"t1"_s), 0);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::succeeded));
    for (const char* verb : {"get", "delete"}) {
        lab.cluster.jobs().refuse(verb, 404, "<html><head><title>404 Not Found</title></head></html>");
        QVERIFY2(!service.remove({u"t1"_s}), verb);
        QCOMPARE(lab.cluster.jobs().names().size(), 1);
        lab.cluster.jobs().permit(verb);
    }
    QVERIFY(service.remove({u"t1"_s}));
    QCOMPARE(lab.cluster.jobs().names(), QStringList());
}

void TestKubernetesFaults::watchesAreCutAnywhere_data()
{
    QTest::addColumn<uint>("seed");
    for (uint seed = 1; seed <= 8; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

/// Four trials from their beginning to their end, while each watch is cut after some bytes.
void TestKubernetesFaults::watchesAreCutAnywhere()
{
    QFETCH(const uint, seed);
    std::mt19937 random(seed);
    KubeLab lab;
    for (FakeCollection* all : {&lab.cluster.jobs(), &lab.cluster.pods(), &lab.cluster.events(), &lab.cluster.nodes()})
        all->cutAfter([&random] { return qsizetype(random() % 12'000); });
    KubeService service(lab);
    QVERIFY(service.open());
    const QStringList trials{u"t0"_s, u"t1"_s, u"t2"_s, u"t3"_s};
    for (const SubmitOutcome& outcome : service.submit(trials))
        QVERIFY(!outcome.handle.isEmpty());
    std::map<QString, int> steps;
    std::map<QString, KeeperLog> logs;
    const auto step = [&](const QString& trial) {
        const QString job = service.job(trial);
        KeeperLog& log = logs.try_emplace(trial, trial).first->second;
        switch (++steps[trial]) {
        case 1:
            lab.cluster.makePod(job);
            break;
        case 2:
            lab.cluster.warn("pods", lab.cluster.podOf(job), "FailedScheduling", "0/1 nodes are available");
            break;
        case 3:
            lab.cluster.run(job);
            lab.cluster.say(lab.cluster.podOf(job), log.running(lab.clock.nowMs()));
            break;
        case 4:
        case 5:
            lab.cluster.say(
                lab.cluster.podOf(job), log.reports(trial.toUtf8() + '=' + QByteArray::number(steps[trial])));
            lab.cluster.jobs().change(job, {{"status", {{"ready", steps[trial]}}}});
            break;
        case 6: {
            const int code = trial == u"t0"_s ? 0 : trial == u"t1"_s ? 3 : 137;
            if (trial == u"t3"_s)
                return; // it is cancelled
            if (code != 137)
                lab.cluster.say(lab.cluster.podOf(job), log.exits(code, lab.clock.nowMs()));
            lab.cluster.end(job, code, code == 137 ? "OOMKilled"_ba : QByteArray());
            break;
        }
        default:
            break;
        }
    };
    for (int i = 0; i < 200; ++i) {
        step(trials[int(random() % 4)]);
        lab.pass(random() % 300);
    }
    QVERIFY(service.cancel(u"t3"_s));
    for (const QString& trial : trials)
        QVERIFY2(
            lab.spin([&] { return service.of(trial).ended(); }, 20), qPrintable(trial + u' ' + service.course(trial)));
    QCOMPARE(service.course(u"t0"_s), u"RUNNING SUCCEEDED"_s);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING FAILED"_s);
    QCOMPARE(service.last(u"t1"_s).exitCode, std::optional(3));
    QCOMPARE(service.course(u"t2"_s), u"RUNNING FAILED"_s);
    QCOMPARE(service.last(u"t2"_s).failureClass.value(), FailureClass::outOfMemory);
    QCOMPARE(service.course(u"t3"_s), u"RUNNING USER_CANCELED"_s);
    for (const QString& trial : trials) {
        QCOMPARE(service.of(trial).stream(Stream::file), logs.at(trial).reported());
        QVERIFY(!service.of(trial).recordsAfterEnd);
    }
    const int watches = int(lab.cluster.calls("jobs", "watch").size() + lab.cluster.calls("pods", "watch").size());
    qInfo("seed %u: %d watches of jobs and pods", seed, watches);
    QVERIFY(watches > 8);
}

void TestKubernetesFaults::versionsAreTooOld_data()
{
    QTest::addColumn<bool>("asStatus");
    QTest::newRow("event") << false;
    QTest::newRow("status") << true;
}

void TestKubernetesFaults::versionsAreTooOld()
{
    QFETCH(const bool, asStatus);
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    for (const QString& trial : {u"t1"_s, u"t2"_s, u"t3"_s})
        QVERIFY(service.start(trial));
    lab.pass(2'000);
    for (FakeCollection* all : {&lab.cluster.jobs(), &lab.cluster.pods(), &lab.cluster.events()})
        all->cutWatches();
    lab.cluster.end(service.job(u"t1"_s), 0);
    lab.cluster.drop("jobs", service.job(u"t2"_s));
    for (FakeCollection* all : {&lab.cluster.jobs(), &lab.cluster.pods(), &lab.cluster.events()})
        all->forget(asStatus);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::succeeded));
    QVERIFY(service.becomes(u"t2"_s, TrialStatus::sys_canceled));
    lab.pass(minuteMs);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING SUCCEEDED"_s);
    QCOMPARE(service.course(u"t2"_s), u"RUNNING SYS_CANCELED"_s);
    QCOMPARE(service.course(u"t3"_s), u"RUNNING"_s);
    QCOMPARE(lab.cluster.calls("jobs", "list").size(), 2);
}

void TestKubernetesFaults::aTokenIsReplaced()
{
    TestCertificates certificates;
    if (!certificates.make())
        QSKIP("there is no openssl here");
    KubeLab lab(certificates.server());
    const auto token = [&](const QByteArray& text) {
        lab.write(u"answer"_s,
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":")" + text
                + "\"}}");
        lab.cluster.wantAuthorization("Bearer " + text);
    };
    const QByteArray folder = lab.folder.path().toUtf8();
    const QString plugin = lab.write(u"plugin"_s, "#!/bin/sh\ncd '" + folder + "'\necho x >> runs\ncat answer\n", true);
    const auto runs = [&] { return QFileInfo(lab.path(u"runs"_s)).size() / 2; };
    lab.kubeconfig(", certificate-authority: " + certificates.path(u"ca.pem"_s).toUtf8(),
        "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: '" + plugin.toUtf8()
            + "'}");
    token("t1");
    KubeService service(lab);
    const auto opened = service.open();
    QVERIFY2(opened, opened ? "" : qPrintable(opened.error().message));
    QVERIFY(service.start(u"t1"_s));
    QCOMPARE(runs(), 1);
    token("t2");
    kubernetes::NamespaceObjects& objects =
        static_cast<kubernetes::KubernetesWire*>(service.platform->wire())->objects();
    std::vector<Pending<Result<Json>>> sent;
    for (int i = 0; i < 50; ++i)
        sent.emplace_back(objects.get(objects.target(kubernetes::jobsResource(), service.job(u"t1"_s))));
    QVERIFY(
        lab.spin([&] { return std::all_of(sent.begin(), sent.end(), [](const auto& one) { return one.isDone(); }); }));
    for (const auto& one : sent)
        QVERIFY2(one.value(), qPrintable(one.value() ? QString() : one.value().error().message.text()));
    QCOMPARE(runs(), 2);
    // Watches go on with it, too.
    lab.cluster.jobs().cutWatches();
    lab.cluster.pods().cutWatches();
    lab.cluster.end(service.job(u"t1"_s), 0);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::succeeded));
    QCOMPARE(runs(), 2);
}

void TestKubernetesFaults::mayNotCreate()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    for (const char* resource : {"configmaps", "jobs"}) {
        lab.cluster.forbid(resource, "create");
        const SubmitOutcome refused = service.submit(u"t1"_s);
        QVERIFY(!refused.error && !refused.unknown && refused.later);
        const QString said = refused.later->reason.text();
        QVERIFY2(
            said.contains(u"The account eve may not create %1"_s.arg(QLatin1StringView(resource))), qPrintable(said));
        QVERIFY2(said.contains(u"in the namespace ml (403)"), qPrintable(said));
        QCOMPARE(lab.cluster.jobs().names(), QStringList());
        lab.cluster.permit(resource, "create");
    }
    QVERIFY(service.start(u"t1"_s));
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s);
}

void TestKubernetesFaults::mayNotDelete()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    lab.cluster.forbid("jobs", "delete");
    const Result<> refused = service.cancel(u"t1"_s);
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == Kind::auth);
    QVERIFY2(
        refused.error().message.text().contains(u"The account eve may not delete jobs.batch in the namespace ml (403)"),
        qPrintable(refused.error().message.text()));
    lab.pass(minuteMs);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s);
    lab.cluster.permit("jobs", "delete");
    QVERIFY(service.cancel(u"t1"_s));
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::user_canceled));
}

/// What may not be watched is listed, and is watched when that may be.
void TestKubernetesFaults::mayNotWatch()
{
    KubeLab lab;
    lab.cluster.forbid("jobs", "watch");
    lab.cluster.forbid("pods", "watch");
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    QVERIFY(service.start(u"t2"_s));
    lab.cluster.end(service.job(u"t1"_s), 3);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::failed));
    QCOMPARE(lab.cluster.jobs().watches(), 0);
    lab.cluster.permit("jobs", "watch");
    lab.cluster.permit("pods", "watch");
    lab.pass(20 * minuteMs);
    QCOMPARE(lab.cluster.jobs().watches(), 1);
    const auto lists = lab.cluster.calls("jobs", "list").size();
    lab.cluster.end(service.job(u"t2"_s), 0);
    QVERIFY(service.becomes(u"t2"_s, TrialStatus::succeeded));
    QCOMPARE(service.course(u"t2"_s), u"RUNNING SUCCEEDED"_s);
    QCOMPARE(lab.cluster.calls("jobs", "list").size(), lists);
}

void TestKubernetesFaults::mayNotList()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    QVERIFY(service.start(u"t2"_s));
    for (const char* resource : {"jobs", "pods"}) {
        lab.cluster.forbid(resource, "list");
        lab.cluster.of(resource).cutWatches();
    }
    lab.cluster.end(service.job(u"t1"_s), 0);
    for (FakeCollection* all : {&lab.cluster.jobs(), &lab.cluster.pods()})
        all->forget();
    lab.pass(5 * minuteMs);
    QCOMPARE(service.sink.states.last(), PlatformState::silent);
    QCOMPARE(service.sink.losses.size(), 1);
    for (const QString& trial : {u"t1"_s, u"t2"_s})
        QVERIFY(!service.of(trial).ended());
    for (const char* resource : {"jobs", "pods"})
        lab.cluster.permit(resource, "list");
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::succeeded, 100));
    QVERIFY(lab.spin(
        [&] { return service.of(u"t2"_s).count(TrialStatus::running) == 2; }, 100)); // it was UNKNOWN meanwhile
    QCOMPARE(service.sink.states.last(), PlatformState::ready);
    QCOMPARE(service.course(u"t2"_s), u"RUNNING"_s);
}

void TestKubernetesFaults::mayNotReadLogs()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    lab.cluster.forbid("pods", "log");
    QVERIFY(service.start(u"t1"_s));
    const QString pod = lab.cluster.podOf(service.job(u"t1"_s));
    KeeperLog log(u"t1"_s);
    lab.cluster.say(pod, log.running(lab.clock.nowMs()) + log.reports("1"));
    lab.cluster.say(pod, log.reports("2"));
    lab.pass(minuteMs);
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s);
    QCOMPARE(service.of(u"t1"_s).stream(Stream::file), QByteArray());
    const QString said = service.sink.notes.join(u'\n');
    QVERIFY2(said.contains(u"The account eve may not get pods/log in the namespace ml (403)"), qPrintable(said));
    QCOMPARE(service.sink.notes.size(), 1);
    // Of the platform it is said at once, and while it lasts.
    QCOMPARE(service.sink.remark,
        u"Logs and values of trials cannot be read, so trials end late and without them. The account eve may not get pods/log in the namespace ml (403). Ask who administers the cluster for the right, or choose another namespace. What its Role lacks: - {apiGroups: [\"\"], resources: [pods/log], verbs: [get]}"_s);
    lab.cluster.permit("pods", "log");
    QVERIFY(lab.spin([&] { return service.of(u"t1"_s).stream(Stream::file) == log.reported(); }));
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s);
    QCOMPARE(service.sink.remark, QString());
    // It goes with the last trial that it concerns, too.
    lab.cluster.forbid("pods", "log");
    QVERIFY(service.start(u"t2"_s));
    QVERIFY(lab.spin([&] { return service.sink.remark.startsWith(u"Logs and values"); }));
    lab.cluster.end(service.job(u"t2"_s), 0);
    QVERIFY(service.becomes(u"t2"_s, TrialStatus::succeeded, 100));
    QVERIFY(lab.spin([&] { return service.sink.remark.isEmpty(); }, 100));
}

void TestKubernetesFaults::busyServer()
{
    KubeLab lab;
    lab.cluster.pods().fault("list", busy(3));
    KubeService service(lab);
    QVERIFY(service.open());
    lab.cluster.jobs().fault("create", busy(7));
    QVERIFY(service.start(u"t1"_s));
    lab.cluster.jobs().fault("delete", busy(11));
    QVERIFY(service.cancel(u"t1"_s));
    const auto waited = [&](const QByteArray& resource, const QByteArray& verb) {
        const auto calls = lab.cluster.calls(resource, verb);
        return calls.size() == 2 ? calls[1].at - calls[0].at : -1;
    };
    for (const auto& [resource, verb, seconds] : {std::tuple("jobs", "create", 7), std::tuple("jobs", "delete", 11)}) {
        const qint64 ms = waited(resource, verb);
        QVERIFY2(ms >= seconds * 1'000 && ms < seconds * 1'500, qPrintable(QString::number(ms)));
    }
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::user_canceled));
}

void TestKubernetesFaults::creationFails_data()
{
    QTest::addColumn<Way>("way");
    QTest::addColumn<bool>("isThere");
    QTest::newRow("500 before it is made") << Way::instead << false;
    QTest::newRow("500 behind it") << Way::behind << true;
    QTest::newRow("cut before it is made") << Way::broken << false;
    QTest::newRow("cut behind it") << Way::brokenBehind << true;
}

void TestKubernetesFaults::creationFails()
{
    QFETCH(const Way, way);
    QFETCH(const bool, isThere);
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    lab.cluster.jobs().fault("create", broken(way));
    const SubmitOutcome first = service.submit(u"t1"_s);
    QVERIFY(first.unknown && !first.later);
    QCOMPARE(lab.cluster.calls("jobs", "create").size(), 1); // it is looked for, not made again
    QCOMPARE(lab.cluster.jobs().names().size(), isThere ? 1 : 0);
    if (isThere) {
        lab.pass(2'000);
        const SubmitOutcome again = service.submit(u"t1"_s);
        QVERIFY(!again.unknown && !again.error && !again.handle.isEmpty());
        QCOMPARE(lab.cluster.calls("jobs", "create").size(), 1);
    } else {
        QVERIFY(service.becomes(u"t1"_s, TrialStatus::failed, 100));
        QCOMPARE(service.last(u"t1"_s).failureClass.value(), FailureClass::neverStarted);
        QVERIFY(!service.submit(u"t1"_s).handle.isEmpty());
        QCOMPARE(lab.cluster.calls("jobs", "create").size(), 2);
    }
    QCOMPARE(lab.cluster.jobs().names(), QStringList{service.job(u"t1"_s)});
    lab.cluster.run(service.job(u"t1"_s));
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::running));
}

void TestKubernetesFaults::deletionFails()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    QVERIFY(service.start(u"t2"_s));
    lab.cluster.jobs().fault("delete", broken(Way::instead));
    QVERIFY(service.cancel(u"t1"_s));
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::user_canceled));
    lab.cluster.jobs().refuse("delete", 500, broken(Way::instead).body);
    QVERIFY(!service.cancel(u"t2"_s)); // the engine asks again
    lab.pass(minuteMs);
    QCOMPARE(service.course(u"t2"_s), u"RUNNING"_s);
    lab.cluster.permit("jobs", "delete");
    lab.cluster.jobs().fault("delete", broken(Way::brokenBehind));
    QVERIFY(service.cancel(u"t2"_s));
    QVERIFY(service.becomes(u"t2"_s, TrialStatus::user_canceled));
    QCOMPARE(lab.cluster.jobs().names(), QStringList());
}

void TestKubernetesFaults::quotaOfJobs()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    lab.cluster.jobs().refuse("create", 403,
        FakeCollection::statusBody(403, "Forbidden",
            "jobs.batch \"x\" is forbidden: exceeded quota: few, requested: count/jobs.batch=1, used: "
            "count/jobs.batch=2, limited: count/jobs.batch=2"));
    const SubmitOutcome refused = service.submit(u"t1"_s);
    QVERIFY(refused.later && !refused.error && !refused.unknown);
    QVERIFY2(refused.later->reason.text().contains(u"exceeded quota: few"), qPrintable(refused.later->reason.text()));
    QCOMPARE(refused.later->retryAfterMs, std::optional<qint64>(30'000));
    lab.cluster.permit("jobs", "create");
    QVERIFY(service.start(u"t1"_s));
}

void TestKubernetesFaults::quotaOfPods()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(!service.submit(u"t1"_s).handle.isEmpty());
    lab.cluster.warn("jobs", service.job(u"t1"_s), "FailedCreate",
        "Error creating: pods \"x\" is forbidden: exceeded quota: gpus, requested: requests.nvidia.com/gpu=1, used: "
        "requests.nvidia.com/gpu=2, limited: requests.nvidia.com/gpu=2");
    const auto isSaid = [&] {
        return service.sink.progresses[TrialId(u"t1"_s)].join(u'\n').contains(
            u"The quota gpus of its namespace is used up: 2 of 2 requests.nvidia.com/gpu are used, and it asks for 1.");
    };
    QVERIFY(lab.spin(isSaid));
    lab.pass(20 * minuteMs);
    QVERIFY(service.of(u"t1"_s).observations.isEmpty()); // it waits
    lab.cluster.run(service.job(u"t1"_s));
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::running));
}

void TestKubernetesFaults::tooMuchCode()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QFile archive(lab.path(u"code.tar.gz"_s));
    QVERIFY(archive.open(QIODevice::WriteOnly) && archive.resize(301'000'000)); // of nothing but holes
    TrialSpec spec = service.spec(u"t1"_s);
    spec.code = {CodeSource::Kind::snapshot, u"0123456789abcdef"_s, {}, archive.fileName()};
    const SubmitOutcome outcome = service.submit(spec);
    QVERIFY(outcome.error && !outcome.later && !outcome.unknown);
    QVERIFY(outcome.error->kind == Kind::invalid);
    QVERIFY2(
        outcome.error->message.text().startsWith(u"The packed code has 301.0 MB, and 300 MB can be given to pods."),
        qPrintable(outcome.error->message.text()));
    QCOMPARE(lab.cluster.jobs().names(), QStringList());
    QCOMPARE(lab.cluster.maps().names().size(), 1); // the keeper
}

void TestKubernetesFaults::clocksAreFarOff_data()
{
    QTest::addColumn<qint64>("server");
    QTest::addColumn<qint64>("nodes");
    QTest::newRow("server ahead") << 5 * hourMs << qint64(0);
    QTest::newRow("server behind") << -5 * hourMs << qint64(0);
    QTest::newRow("nodes ahead") << qint64(0) << 5 * hourMs;
    QTest::newRow("nodes behind") << qint64(0) << -5 * hourMs;
    QTest::newRow("both ahead") << 5 * hourMs << 5 * hourMs;
    QTest::newRow("apart") << -5 * hourMs << 5 * hourMs;
}

void TestKubernetesFaults::clocksAreFarOff()
{
    QFETCH(const qint64, server);
    QFETCH(const qint64, nodes);
    KubeLab lab;
    lab.cluster.setAhead(server, nodes);
    KubeService service(lab);
    QVERIFY(service.open());
    for (const QString& trial : {u"t1"_s, u"t2"_s, u"t3"_s, u"t4"_s})
        QVERIFY(service.start(trial));
    lab.pass(minuteMs);
    lab.cluster.end(service.job(u"t1"_s), 0);
    QVERIFY(service.becomes(u"t1"_s, TrialStatus::succeeded));
    const Observation end = service.last(u"t1"_s);
    QVERIFY(end.startTime && end.endTime);
    const qint64 lasted = *end.endTime - *end.startTime;
    QVERIFY2(lasted >= minuteMs && lasted < 2 * minuteMs, qPrintable(QString::number(lasted)));
    // By its container alone: the Job's word is waited for, but not for hours.
    lab.cluster.endPod(lab.cluster.podOf(service.job(u"t4"_s)), 3);
    lab.pass(2 * minuteMs);
    QCOMPARE(service.course(u"t4"_s), u"RUNNING FAILED"_s);
    // A pod that is being ended has its grace, and its node its ten minutes.
    lab.cluster.nodesAreAway(true);
    const QString pod = lab.cluster.podOf(service.job(u"t2"_s));
    lab.cluster.drop("pods", pod);
    lab.pass(5 * minuteMs);
    QCOMPARE(service.course(u"t2"_s), u"RUNNING"_s);
    lab.pass(8 * minuteMs);
    QCOMPARE(service.course(u"t2"_s), u"RUNNING FAILED"_s);
    QCOMPARE(service.course(u"t3"_s), u"RUNNING"_s);
    QVERIFY(service.cancel(u"t3"_s));
    const QString forced = lab.cluster.podOf(service.job(u"t3"_s));
    lab.cluster.pods().remove(forced);
    lab.cluster.endLogs(forced);
    QVERIFY(service.becomes(u"t3"_s, TrialStatus::user_canceled));
}

/// An answer without an end, and a log of one line without an end.
void TestKubernetesFaults::hugeAnswers()
{
    KubeLab lab;
    KubeService service(lab);
    QVERIFY(service.open());
    QVERIFY(service.start(u"t1"_s));
    const QByteArray huge = R"({"metadata":{"uid":"x"},"spec":")" + QByteArray(17 * 1024 * 1024, 'x') + "\"}";
    lab.cluster.jobs().fault("create", FakeCollection::Answer{201, huge, {}, Way::behind});
    const SubmitOutcome outcome = service.submit(u"t2"_s);
    QVERIFY(outcome.unknown);
    lab.pass(2'000);
    QVERIFY(!service.submit(u"t2"_s).handle.isEmpty());
    lab.cluster.run(service.job(u"t2"_s));
    QVERIFY(service.becomes(u"t2"_s, TrialStatus::running));

    const QString pod = lab.cluster.podOf(service.job(u"t1"_s));
    KeeperLog log(u"t1"_s);
    QVERIFY(lab.spin([&] { return lab.cluster.followers(pod) == 1; }));
    lab.cluster.say(pod, log.running(lab.clock.nowMs()) + log.reports("1"));
    lab.cluster.say(pod, QByteArray(5 * 1024 * 1024, 'y'));
    lab.cluster.say(pod, log.reports("2"));
    QVERIFY(lab.spin([&] { return service.of(u"t1"_s).stream(Stream::file) == log.reported(); }));
    QCOMPARE(service.course(u"t1"_s), u"RUNNING"_s);
}

QTEST_GUILESS_MAIN(TestKubernetesFaults)
#include "tst_kubernetes_faults.moc"
