// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_objects.h"

#include "services/platforms/kubernetes/facts/pod_reasons.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using namespace kube_objects;

class TestPodReasons : public QObject
{
    Q_OBJECT
private slots:
    void containers_data();
    void containers();
    void beforeThereIsAPod();
    void suspended();
    void stuck();
    void codeComesFirst();
    void scheduling();
    void events_data();
    void events();
    void aLoopByMemory();
    void initContainersComeFirst();
    void theCauseOfABackOffIsInAnEvent();
};

void TestPodReasons::containers_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<bool>("needsAPerson");
    const auto row = [](const char* word, const char* message, const char* sentence, bool needsAPerson = true) {
        QTest::addRow("%s %s", word, message)
            << QString::fromLatin1(word) << QString::fromUtf8(message) << QString::fromUtf8(sentence) << needsAPerson;
    };
    row("CreateContainerConfigError", "configmap \"code\" not found",
        "The namespace has no ConfigMap code. Create it, or correct the settings.");
    row("CreateContainerConfigError", "secret \"token\" not found",
        "The namespace has no secret token. Create it, or correct the settings.");
    row("CreateContainerConfigError", "couldn't find key token in Secret ml/access",
        "The Secret ml/access has no entry token. Add it, or correct the settings.");
    row("CreateContainerConfigError", "container has runAsNonRoot and image will run as root.",
        "The settings of its container cannot be applied: container has runAsNonRoot and image will run as root.");
    row("CreateContainerError", "context deadline exceeded",
        "Its node cannot start its container: context deadline exceeded.");
    row("RunContainerError", "", "Its node cannot start its container: RunContainerError.");
    row("InvalidImageName", "x", "\"images.example/lab/train:3\" is no name of an image. Correct it in the settings.");
    row("CrashLoopBackOff", "back-off 10s", "Its node starts its container again and again, and it ends each time.");
    row("ContainerCreating", "", "Its node n1 prepares it.", false);
    row("Haunted", "boo.", "Its node lets its container wait: boo.", false);
}

void TestPodReasons::containers()
{
    QFETCH(QString, word);
    QFETCH(QString, message);
    QFETCH(QString, sentence);
    QFETCH(bool, needsAPerson);
    const Json state{{"waiting", {{"reason", word}, {"message", message}}}};
    const PodView pod = placedPod("Pending", dumpJson(state).constData());
    const WaitingReason reason = waitingReason(jobView(), &pod, {});
    QCOMPARE(reason.message.text(), sentence);
    QCOMPARE(reason.needsAPerson, needsAPerson);
}

void TestPodReasons::beforeThereIsAPod()
{
    QCOMPARE(waitingReason(jobView(), nullptr, {}).message.text(), u"The cluster has not made its pod yet."_s);
    const EventView refused = eventOf(u"job-1"_s, u"FailedCreate"_s,
        u"Error creating: pods \"x\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5"_s,
        10);
    QCOMPARE(waitingReason(jobView(), nullptr, {refused}).message.text(),
        u"The quota q of its namespace is used up: 5 of 5 pods are used, and it asks for 1. It starts when others end."_s);
    const EventView made = eventOf(u"job-1"_s, u"SuccessfulCreate"_s, u"Created pod: x"_s, 20);
    QCOMPARE(
        waitingReason(jobView(), nullptr, {refused, made}).message.text(), u"The cluster has not made its pod yet."_s);
    EventView other = refused;
    other.objectUid = u"job-2"_s;
    QCOMPARE(waitingReason(jobView(), nullptr, {other}).message.text(), u"The cluster has not made its pod yet."_s);
}

void TestPodReasons::suspended()
{
    const WaitingReason byHand = waitingReason(jobView(R"({"spec": {"suspend": true}})"), nullptr, {});
    QCOMPARE(byHand.message.text(), u"Its Job is suspended. It starts when somebody resumes it."_s);
    QVERIFY(byHand.needsAPerson);
    const WaitingReason queued = waitingReason(
        jobView(R"({"spec": {"suspend": true}, "metadata": {"labels": {"kueue.x-k8s.io/queue-name": "gpus"}}})"),
        nullptr, {});
    QCOMPARE(queued.message.text(), u"It waits in the queue gpus (Kueue), which starts it when there is room."_s);
    QVERIFY(!queued.needsAPerson);
}

void TestPodReasons::stuck()
{
    const auto placed = [](const char* state) { return placedPod("Pending", state); };
    QVERIFY(isStuck(placed(R"({"waiting": {"reason": "ImagePullBackOff"}})"), {}));
    QVERIFY(isStuck(
        placed(R"({"waiting": {"reason": "CreateContainerConfigError", "message": "secret \"s\" not found"}})"), {}));
    // What is under way, holds nothing or is at its end may wait.
    QVERIFY(!isStuck(placed(R"({"waiting": {"reason": "ContainerCreating"}})"), {}));
    QVERIFY(!isStuck(placed(R"({"running": {}})"), {}));
    QVERIFY(!isStuck(
        podView(R"({"status": {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
        "message": "0/1 nodes are available: 1 Insufficient nvidia.com/gpu."}]}})"),
        {}));
    PodView leaving = placed(R"({"waiting": {"reason": "ImagePullBackOff"}})");
    leaving.isDeleting = true;
    QVERIFY(!isStuck(leaving, {}));
}

void TestPodReasons::codeComesFirst()
{
    const auto said = [](const char* name) {
        PodView pod = placedPod("Pending", R"({"waiting": {"reason": "PodInitializing"}})");
        ContainerView init;
        init.name = QString::fromLatin1(name);
        init.state = ContainerView::State::running;
        pod.initContainers.append(init);
        return waitingReason(jobView(), &pod, {}).message.text();
    };
    QCOMPARE(said("code"), u"Its code is unpacked in its pod."_s);
    QCOMPARE(said("setup"), u"Its init container setup runs before it."_s);
}

void TestPodReasons::scheduling()
{
    const auto said = [](const char* patch, const QList<EventView>& events) {
        const PodView pod = podView(patch);
        return waitingReason(jobView(), &pod, events).message.text();
    };
    QCOMPARE(said("{}", {}), u"The scheduler looks for a node for it."_s);
    QCOMPARE(
        said(
            R"({"status": {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "SchedulingGated"}]}})",
            {}),
        u"A scheduling gate holds its pod: another program of the cluster (such as a queue) must open it first."_s);
    const QString two =
        u"The only node cannot take it: less than 2 nvidia.com/gpu free. It starts when enough becomes free; if no "
        u"node is so large, ask for less."_s;
    QCOMPARE(said(R"({"status": {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
        "message": "0/1 nodes are available: 1 Insufficient nvidia.com/gpu."}]}})",
                 {}),
        two);
    QCOMPARE(
        said(R"({"status": {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}]}})",
            {eventOf(u"pod-1"_s, u"FailedScheduling"_s, u"0/1 nodes are available: 1 Insufficient nvidia.com/gpu."_s)}),
        two);
}

void TestPodReasons::events_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* word, const char* message, const char* sentence) {
        QTest::newRow(message) << QString::fromLatin1(word) << QString::fromUtf8(message)
                               << QString::fromUtf8(sentence);
    };
    row("FailedMount", "MountVolume.SetUp failed for volume \"code\" : configmap \"code-1\" not found",
        "The namespace has no ConfigMap code-1. Create it, or correct the settings.");
    row("FailedMount", "mount failed: exit status 32: access denied by server",
        "Its node cannot mount a volume of it: mount failed: exit status 32: access denied by server. It is tried "
        "again.");
    row("FailedAttachVolume", "Multi-Attach error for volume \"pvc-1\"",
        "Its node cannot mount a volume of it: Multi-Attach error for volume \"pvc-1\". It is tried again.");
    row("FailedCreatePodSandBox", "Failed to create pod sandbox: no runtime for \"nvidia\" is configured.",
        "Its node cannot make the pod's network and namespaces: Failed to create pod sandbox: no runtime for "
        "\"nvidia\" is "
        "configured. It is tried again.");
    row("NetworkNotReady", "network is not ready", "The network of its node is not ready. It starts when it is.");
    row("Pulling", "Pulling image \"images.example/lab/train:3\"",
        "Its node n1 downloads the image images.example/lab/train:3.");
    row("Pulling", "Pulling image \"alpine\"", "Its node n1 downloads an image.");
    row("Pulled", "Successfully pulled image", "Its node n1 prepares it.");
    row("Scheduled", "Successfully assigned ml/x to n1", "Its node n1 prepares it.");
}

void TestPodReasons::events()
{
    QFETCH(QString, word);
    QFETCH(QString, message);
    QFETCH(QString, sentence);
    const PodView pod = placedPod("Pending", R"({"waiting": {"reason": "ContainerCreating"}})");
    const QList<EventView> events{eventOf(u"pod-1"_s, u"FailedMount"_s, u"of before"_s, 5),
        eventOf(u"pod-1"_s, word, message, 10), eventOf(u"pod-2"_s, u"FailedMount"_s, u"of another"_s, 20)};
    const bool isKnown = word != "Scheduled"_L1;
    const WaitingReason reason = waitingReason(jobView(), &pod, isKnown ? events : events.mid(1));
    QCOMPARE(reason.message.text(), sentence);
}

void TestPodReasons::aLoopByMemory()
{
    const PodView pod = placedPod("Running", R"({"waiting": {"reason": "CrashLoopBackOff"}})",
        R"({"status": {"containerStatuses": [{"name": "trial", "restartCount": 3, "state": {"waiting": {"reason": "CrashLoopBackOff"}},
            "lastState": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}}]}})");
    QCOMPARE(waitingReason(jobView(), &pod, {}).message.text(),
        u"Its node starts its container again and again, and each time it uses more memory than it may (OOMKilled)."_s);
}

void TestPodReasons::initContainersComeFirst()
{
    const auto said = [](const char* state) {
        Json patch = json(R"({"spec": {"initContainers": [{"name": "code", "image": "alpine"}]},
            "status": {"initContainerStatuses": [{"name": "code"}]}})");
        patch["status"]["initContainerStatuses"][0]["state"] = json(state);
        const PodView pod =
            placedPod("Pending", R"({"waiting": {"reason": "PodInitializing"}})", dumpJson(patch).constData());
        return waitingReason(jobView(), &pod, {}).message.text();
    };
    QCOMPARE(said(R"({"running": {}})"), u"Its code is unpacked in its pod."_s);
    QCOMPARE(said(R"({"waiting": {"reason": "CreateContainerError", "message": "no"}})"),
        u"Its node cannot start its container code: no."_s);
    QCOMPARE(said(R"({"terminated": {"exitCode": 0}})"), u"Its node n1 prepares it."_s);
}

void TestPodReasons::theCauseOfABackOffIsInAnEvent()
{
    const PodView pod = placedPod("Pending",
        R"({"waiting": {"reason": "ImagePullBackOff", "message": "Back-off pulling image \"images.example/lab/train:3\""}})");
    const EventView pull = eventOf(u"pod-1"_s, u"Failed"_s,
        u"Failed to pull image \"images.example/lab/train:3\": rpc error: code = NotFound desc = images.example/lab/train:3: not found"_s);
    const WaitingReason known =
        waitingReason(jobView(), &pod, {pull, eventOf(u"pod-1"_s, u"Failed"_s, u"Error: ErrImagePull"_s)});
    QCOMPARE(known.message.text(),
        u"The registry has no image images.example/lab/train:3. Correct its name or its tag. (images.example/lab/train:3: not found)"_s);
    QVERIFY(known.needsAPerson);
    const WaitingReason unknown = waitingReason(jobView(), &pod, {});
    QCOMPARE(
        unknown.message.text(), u"The image images.example/lab/train:3 cannot be downloaded. It is tried again."_s);
    // Since 1.30 the state has it.
    const PodView newer = placedPod("Pending", R"({"waiting": {"reason": "ImagePullBackOff",
        "message": "Back-off pulling image \"images.example/lab/train:3\": ErrImagePull: dial tcp: i/o timeout"}})");
    const WaitingReason silent = waitingReason(jobView(), &newer, {});
    QVERIFY2(silent.message.contains(u"does not answer"), qPrintable(silent.message.text()));
    QVERIFY2(silent.message.endsWith(u"(ErrImagePull: dial tcp: i/o timeout)"), qPrintable(silent.message.text()));
}

QTEST_APPLESS_MAIN(TestPodReasons)
#include "tst_pod_reasons.moc"
