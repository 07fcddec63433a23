// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/kube_status.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using transport::HttpReply;

Q_DECLARE_METATYPE(platforms::kubernetes::Refusal)

class TestKubeStatus : public QObject
{
    Q_OBJECT
private slots:
    void meanings_data();
    void meanings();
    void errorEvents_data();
    void errorEvents();
    void parts();
    void secretsAreNotRepeated();
    void hugeTexts();
};

namespace {

HttpReply replyOf(int code, const QByteArray& body, const transport::HttpHeaders& headers = {})
{
    HttpReply reply;
    reply.status = code;
    reply.body = body;
    reply.headers = headers;
    reply.url = QUrl(u"https://kube.lab:6443/api/v1"_s);
    return reply;
}

QByteArray statusBody(const QByteArray& reason, const QByteArray& message, const QByteArray& details = "{}")
{
    Json json = {{"kind", "Status"}, {"apiVersion", "v1"}, {"status", "Failure"}, {"reason", reason.toStdString()},
        {"message", message.toStdString()}};
    json["details"] = *parseJson(details);
    return dumpJson(json);
}

QString shownRefusal(const KubeRefusal& refusal)
{
    return kindName(refusal.error.kind) + u": "_s + refusal.error.message;
}

} // namespace

void TestKubeStatus::meanings_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<Refusal>("what");
    QTest::addColumn<QString>("shown");
    QTest::newRow("401")
        << 401 << statusBody("Unauthorized", "Unauthorized") << Refusal::unauthorized
        << u"auth: kube.lab does not accept the credentials of the kubeconfig (401). Log in to the cluster again, or choose another context."_s;
    QTest::newRow("403 of a namespace")
        << 403
        << statusBody("Forbidden",
               R"(pods is forbidden: User "system:serviceaccount:ml:default" cannot list resource "pods" in API group "" in the namespace "ml")",
               R"({"kind":"pods"})")
        << Refusal::forbidden
        << u"auth: The account system:serviceaccount:ml:default may not list pods in the namespace ml (403). Ask who administers the cluster for the right, or choose another namespace."_s;
    QTest::newRow("403 of the cluster")
        << 403
        << statusBody("Forbidden",
               R"(jobs.batch "x" is forbidden: User "ada" cannot delete resource "jobs" in API group "batch" at the cluster scope)")
        << Refusal::forbidden
        << u"auth: The account ada may not delete jobs.batch in the whole cluster (403). Ask who administers the cluster for the right."_s;
    QTest::newRow("403 without credentials")
        << 403
        << statusBody("Forbidden",
               R"(pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "ml")")
        << Refusal::forbidden
        << u"auth: kube.lab did not see any credentials (403, system:anonymous). Check the user of the context: its token or certificate is missing, or belongs to another cluster."_s;
    QTest::newRow("403 of a policy")
        << 403 << statusBody("Forbidden", "pods \"x\" is forbidden: violates PodSecurity \"restricted:latest\".")
        << Refusal::forbidden
        << u"auth: kube.lab does not permit this (403). Ask who administers the cluster for the right. It says: pods \"x\" is forbidden: violates PodSecurity \"restricted:latest\"."_s;
    QTest::newRow("403 of a webhook")
        << 403
        << statusBody("Forbidden",
               R"(admission webhook "validator.pytorchjob.training-operator.kubeflow.org" denied the request: spec.pytorchReplicaSpecs[Master].template.spec.containers: Required value: must have at least one container with name pytorch)")
        << Refusal::forbidden
        << u"auth: A rule of the cluster (validator.pytorchjob.training-operator.kubeflow.org) refuses this (403). It says: spec.pytorchReplicaSpecs[Master].template.spec.containers: Required value: must have at least one container with name pytorch."_s;
    QTest::newRow("403 of a quota")
        << 403
        << statusBody("Forbidden",
               "pods \"x\" is forbidden: exceeded quota: q, requested: requests.nvidia.com/gpu=2, used: 8, limited: 8")
        << Refusal::quota
        << u"resource: A quota of the namespace is used up (403). It is tried again; free something in the namespace, or ask for a larger quota. It says: pods \"x\" is forbidden: exceeded quota: q, requested: requests.nvidia.com/gpu=2, used: 8, limited: 8."_s;
    QTest::newRow("404 of an object") << 404
                                      << statusBody("NotFound", "jobs.batch \"x\" not found",
                                             R"({"name":"x","group":"batch","kind":"jobs"})")
                                      << Refusal::notFound << u"not_found: kube.lab has no jobs.batch \"x\" (404)."_s;
    QTest::newRow("404 of a group")
        << 404 << "404 page not found\n"_ba << Refusal::notServed
        << u"not_found: kube.lab does not know this kind of object (404). Is the operator installed in the cluster, and is the server's address right?"_s;
    QTest::newRow("404 of a kind")
        << 404 << statusBody("NotFound", "the server could not find the requested resource") << Refusal::notServed
        << u"not_found: kube.lab does not know this kind of object (404). Is the operator installed in the cluster, and is the server's address right?"_s;
    QTest::newRow("404 of a proxy")
        << 404 << "<html><head><title>404 Not Found</title></head>nginx</html>"_ba << Refusal::other
        << u"platform: kube.lab was asked, and something in front of it answered that there is nothing (HTTP 404). Check the address and the proxy. It says: 404 Not Found."_s;
    QTest::newRow("409 exists") << 409
                                << statusBody("AlreadyExists", "jobs.batch \"x\" already exists",
                                       R"({"name":"x","group":"batch","kind":"jobs"})")
                                << Refusal::alreadyExists
                                << u"conflict: kube.lab has jobs.batch \"x\" already (409)."_s;
    QTest::newRow("409 changed")
        << 409 << statusBody("Conflict", "Operation cannot be fulfilled on jobs.batch \"x\": changed")
        << Refusal::conflict
        << u"conflict: The object was changed or replaced in between (409). It says: Operation cannot be fulfilled on jobs.batch \"x\": changed."_s;
    QTest::newRow("410")
        << 410 << statusBody("Expired", "too old resource version: 1 (283)") << Refusal::expired
        << u"conflict: What was read of the cluster is too old to go on from (410), so it is read anew."_s;
    QTest::newRow("413")
        << 413 << statusBody("RequestEntityTooLarge", "limit is 3145728") << Refusal::invalid
        << u"invalid: kube.lab does not take an object of this size (413). It says: limit is 3145728."_s;
    QTest::newRow("422")
        << 422
        << statusBody("Invalid", "Job.batch \"x\" is invalid",
               R"({"causes":[{"field":"spec.template","message":"Required value"},{"message":"no field"},
                   {"field":"a","message":"b"},{"field":"c","message":"d"},{"field":"e","message":"f"}]})")
        << Refusal::invalid
        << u"invalid: kube.lab does not accept the object (422): spec.template: Required value; no field; a: b, and 2 more."_s;
    QTest::newRow("400")
        << 400 << statusBody("BadRequest", "field label not supported: x") << Refusal::invalid
        << u"invalid: kube.lab does not accept the request (400). It says: field label not supported: x."_s;
    QTest::newRow("415")
        << 415 << statusBody("UnsupportedMediaType", "the body of the request was in an unknown format")
        << Refusal::invalid
        << u"invalid: kube.lab does not accept the request (415). It says: the body of the request was in an unknown format."_s;
    QTest::newRow("429") << 429 << statusBody("TooManyRequests", "slow down", R"({"retryAfterSeconds":7})")
                         << Refusal::busy
                         << u"resource: kube.lab has too many requests at the moment (429). It is asked again later."_s;
    QTest::newRow("500") << 500 << statusBody("InternalError", "Internal error occurred: etcd is away")
                         << Refusal::other
                         << u"platform: kube.lab failed (500). It says: Internal error occurred: etcd is away."_s;
    QTest::newRow("500 of a webhook")
        << 500
        << statusBody("InternalError",
               R"(Internal error occurred: failed calling webhook "validator.pytorchjob.training-operator.kubeflow.org": failed to call webhook: Post "https://training-operator.kubeflow.svc:443/validate-kubeflow-org-v1-pytorchjob?timeout=10s": dial tcp 10.88.0.1:19445: connect: connection refused)")
        << Refusal::busy
        << u"resource: The cluster asks a webhook (validator.pytorchjob.training-operator.kubeflow.org) before it takes an object, and that one does not answer (500). It is asked again later."_s;
    QTest::newRow("500 in time") << 500 << statusBody("ServerTimeout", "later") << Refusal::other
                                 << u"timeout: kube.lab could not answer in time (500). It says: later."_s;
    QTest::newRow("502 of a proxy") << 502 << "<html><head><title>502 Bad Gateway</title></head>nginx</html>"_ba
                                    << Refusal::other
                                    << u"platform: kube.lab failed (502). It says: 502 Bad Gateway."_s;
    QTest::newRow("502 in words") << 502 << "upstream is gone\n"_ba << Refusal::other
                                  << u"platform: kube.lab failed (502). It says: upstream is gone."_s;
    QTest::newRow("503 without a body")
        << 503 << QByteArray() << Refusal::busy
        << u"resource: kube.lab is not available at the moment (503). It is asked again later."_s;
    QTest::newRow("504 behind")
        << 504
        << statusBody("Timeout", "Too large resource version: 9, current: 3",
               R"({"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],"retryAfterSeconds":1})")
        << Refusal::versionUnknown
        << u"timeout: kube.lab does not know yet what was read from another server of the cluster (504)."_s;
    QTest::newRow("504") << 504 << QByteArray("{") << Refusal::other
                         << u"timeout: kube.lab could not answer in time (504)."_s;
    QTest::newRow("a redirect")
        << 302 << QByteArray() << Refusal::other
        << u"platform: kube.lab redirects the request (302), which is not followed. Is the server's address right?"_s;
    QTest::newRow("a status of another kind")
        << 500 << R"({"status":500,"message":"x"})"_ba << Refusal::other << u"platform: kube.lab failed (500)."_s;
    QTest::newRow("wrong types") << 422 << R"({"kind":"Status","message":7,"details":[1],"code":"x"})"_ba
                                 << Refusal::invalid << u"invalid: kube.lab does not accept the request (422)."_s;
}

void TestKubeStatus::meanings()
{
    QFETCH(int, code);
    QFETCH(QByteArray, body);
    QFETCH(Refusal, what);
    QFETCH(QString, shown);
    const KubeRefusal refusal = refusalOf(replyOf(code, body));
    QCOMPARE(shownRefusal(refusal), shown);
    QCOMPARE(refusal.what, what);
    QCOMPARE(refusal.end.status, code);
}

void TestKubeStatus::errorEvents_data()
{
    QTest::addColumn<QByteArray>("object");
    QTest::addColumn<Refusal>("what");
    QTest::addColumn<int>("code");
    QTest::newRow("too old")
        << R"-({"kind":"Status","status":"Failure","reason":"Expired","code":410,"message":"too old resource version: 1 (283)"})-"_ba
        << Refusal::expired << 410;
    QTest::newRow("too old, in old words") << R"({"kind":"Status","reason":"Gone"})"_ba << Refusal::expired << 410;
    QTest::newRow("busy") << R"({"kind":"Status","code":429,"details":{"retryAfterSeconds":9}})"_ba << Refusal::busy
                          << 429;
    QTest::newRow("anything") << R"({"kind":"Status","message":"x"})"_ba << Refusal::other << 500;
    QTest::newRow("no status") << R"({"a":1})"_ba << Refusal::other << 500;
    QTest::newRow("a success") << R"({"kind":"Status","status":"Success","code":200})"_ba << Refusal::other << 500;
}

void TestKubeStatus::errorEvents()
{
    QFETCH(QByteArray, object);
    QFETCH(Refusal, what);
    QFETCH(int, code);
    const KubeRefusal refusal = refusalOf(*parseJson(object));
    QCOMPARE(refusal.what, what);
    QCOMPARE(refusal.end.status, code);
    QVERIFY(refusal.error.message.hasKey());
    if (code == 429)
        QCOMPARE(refusal.end.retryAfter, "9"_ba);
}

void TestKubeStatus::parts()
{
    const KubeRefusal refusal =
        refusalOf(replyOf(429, statusBody("TooManyRequests", "slow down", R"({"retryAfterSeconds":7})"),
            {{"Retry-After", "3"}, {"Date", "Sun, 06 Nov 1994 08:49:37 GMT"}}));
    QCOMPARE(refusal.end.retryAfter, "3"_ba); // the header is what a proxy changes
    QCOMPARE(refusal.end.date, "Sun, 06 Nov 1994 08:49:37 GMT"_ba);
    QCOMPARE(refusal.status.retryAfterSeconds.value_or(0), 7);
    QCOMPARE(refusal.error.detail, u"TooManyRequests: slow down"_s);
    // As an exec ends.
    const std::optional<KubeStatus> exec = readStatus(*parseJson(
        R"({"metadata":{},"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}})"));
    QVERIFY(exec);
    QCOMPARE(exec->causes, (QList<StatusCause>{{u"ExitCode"_s, u"3"_s, {}}}));
    QVERIFY(readStatus(*parseJson(R"({"metadata":{},"status":"Success"})"))->isSuccess);
    QVERIFY(!readStatus(*parseJson(R"({"kind":"Pod","status":{"phase":"Running"}})")));
}

void TestKubeStatus::secretsAreNotRepeated()
{
    for (const int code : {401, 403, 404, 422, 500, 502, 503}) {
        for (const QByteArray& body :
            {statusBody("Any", "invalid bearer token: Bearer hunter2hunter2 and password=hunter2hunter2"),
                "<title>Authorization: Bearer hunter2hunter2</title>"_ba, "token=hunter2hunter2"_ba}) {
            const KubeRefusal refusal = refusalOf(replyOf(code, body));
            const QString all = refusal.error.message + refusal.error.detail;
            QVERIFY2(!all.contains("hunter2"_L1), qPrintable(all));
        }
    }
}

void TestKubeStatus::hugeTexts()
{
    const QByteArray huge(5'000'000, 'x');
    for (const QByteArray& body :
        {huge, statusBody("Any", huge), "<title>" + huge, statusBody("Any", huge.first(200'000))}) {
        const KubeRefusal refusal = refusalOf(replyOf(500, body));
        QVERIFY(refusal.error.message.size() < 600);
        QVERIFY(refusal.error.detail.size() <= 1'100);
    }
    QByteArray causes = "[";
    for (int i = 0; i < 5'000; ++i)
        causes += "{\"message\":\"m\"},";
    const KubeRefusal refusal =
        refusalOf(replyOf(422, statusBody("Invalid", "x", "{\"causes\":" + causes.chopped(1) + "]}")));
    QCOMPARE(refusal.status.causes.size(), 64);
}

QTEST_APPLESS_MAIN(TestKubeStatus)
#include "tst_kube_status.moc"
