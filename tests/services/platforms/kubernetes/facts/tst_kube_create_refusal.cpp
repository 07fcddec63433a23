// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/facts/create_refusal.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

class TestKubeCreateRefusal : public QObject
{
    Q_OBJECT
private slots:
    void sentences_data();
    void sentences();
};

void TestKubeCreateRefusal::sentences_data()
{
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<bool>("needsAPerson");
    const auto row = [](const char* name, const char* message, const char* sentence, bool needsAPerson = true) {
        QTest::newRow(name) << QString::fromUtf8(message) << QString::fromUtf8(sentence) << needsAPerson;
    };
    row("quota",
        "Error creating: pods \"td-s1-t1-x7k2p\" is forbidden: exceeded quota: team, requested: "
        "requests.nvidia.com/gpu=2, used: "
        "requests.nvidia.com/gpu=7, limited: requests.nvidia.com/gpu=8",
        "The quota team of its namespace is used up: 7 of 8 requests.nvidia.com/gpu are used, and it asks for 2. It "
        "starts when "
        "others end.",
        false);
    row("quota of two",
        "Error creating: pods \"x\" is forbidden: exceeded quota: team, requested: cpu=2,memory=4Gi, used: "
        "cpu=9500m,memory=30Gi, "
        "limited: cpu=10,memory=32Gi",
        "The quota team of its namespace is used up: 9500m of 10 cpu are used, and it asks for 2; 30Gi of 32Gi memory "
        "are used, and "
        "it asks for 4Gi. It starts when others end.",
        false);
    row("more than the quota",
        "Error creating: pods \"x\" is forbidden: exceeded quota: team, requested: cpu=16, used: cpu=0, limited: "
        "cpu=10",
        "It asks for more than the quota team of its namespace has at all: 0 of 10 cpu are used, and it asks for 16. "
        "Ask for less, "
        "or have the quota raised.");
    row("quota's demand",
        "Error creating: pods \"x\" is forbidden: failed quota: team: must specify limits.cpu for: trial",
        "The quota team of its namespace demands that each container says limits.cpu for: trial. Set it in the "
        "settings.");
    row("limit range", "Error creating: pods \"x\" is forbidden: maximum cpu usage per Container is 2, but limit is 4",
        "A limit range of its namespace refuses what it asks for: maximum cpu usage per Container is 2, but limit is "
        "4. Change "
        "that, or have the limit changed.");
    row("limit ranges",
        "Error creating: pods \"x\" is forbidden: [minimum memory usage per Container is 100Mi, but request is 50Mi, "
        "maximum cpu "
        "usage per Pod is 2, but limit is 4]",
        "A limit range of its namespace refuses what it asks for: minimum memory usage per Container is 100Mi, but "
        "request is "
        "50Mi. Change that, or have the limit changed.");
    row("limit ratio",
        "Error creating: pods \"x\" is forbidden: cpu max limit to request ratio per Container is 2, but provided "
        "ratio is 4.000000",
        "A limit range of its namespace refuses what it asks for: cpu max limit to request ratio per Container is 2, "
        "but provided "
        "ratio is 4.000000. Change that, or have the limit changed.");
    row("pod security",
        "Error creating: pods \"x\" is forbidden: violates PodSecurity \"restricted:latest\": allowPrivilegeEscalation "
        "!= false "
        "(container \"trial\" must set securityContext.allowPrivilegeEscalation=false)",
        "The pod security level \"restricted\" of its namespace refuses its pod: allowPrivilegeEscalation != false "
        "(container "
        "\"trial\" must set securityContext.allowPrivilegeEscalation=false). Use another namespace, or settings that "
        "the level "
        "allows.");
    row("webhook",
        "Error creating: admission webhook \"policy.example\" denied the request: images must come from "
        "registry.example",
        "A rule of the cluster (policy.example) refuses its pod: images must come from registry.example.");
    row("silent webhook",
        "Error creating: Internal error occurred: failed calling webhook \"policy.example\": failed to call webhook: "
        "Post "
        "\"https://policy.svc:443/\": context deadline exceeded",
        "The cluster asks a webhook (policy.example) before it makes a pod, and that one does not answer. It is tried "
        "again.",
        false);
    row("service account",
        "Error creating: pods \"x\" is forbidden: error looking up service account ml/runner: serviceaccount "
        "\"runner\" not found",
        "The namespace has no service account runner. Create it, or choose another one in the settings.");
    row("priority class", "Error creating: pods \"x\" is forbidden: no PriorityClass with name high was found",
        "The cluster has no priority class high. Choose another one in the settings.");
    row("runtime class", "Error creating: pods \"x\" is forbidden: pod rejected: RuntimeClass \"nvidia\" not found",
        "The cluster has no runtime class nvidia. Choose another one in the settings.");
    row("namespace",
        "Error creating: pods \"x\" is forbidden: unable to create new content in namespace ml because it is being "
        "terminated",
        "Its namespace is being deleted. Choose another one in the settings.");
    row("invalid", "Error creating: Pod \"x\" is invalid: spec.containers[0].image: Required value",
        "The cluster refuses to make its pod: spec.containers[0].image: Required value.");
    row("other", "Error creating: the server is currently unable to handle the request.",
        "The cluster refuses to make its pod: the server is currently unable to handle the request.", false);
    row("nothing", "", "The cluster refuses to make its pod, and gives no reason.", false);
}

void TestKubeCreateRefusal::sentences()
{
    QFETCH(QString, message);
    QFETCH(QString, sentence);
    QFETCH(bool, needsAPerson);
    const WaitingReason reason = createRefusal(message);
    QCOMPARE(reason.message.text(), sentence);
    QCOMPARE(reason.needsAPerson, needsAPerson);
}

QTEST_APPLESS_MAIN(TestKubeCreateRefusal)
#include "tst_kube_create_refusal.moc"
