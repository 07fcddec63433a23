// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of objects says to the views what the whole ones say.
#include "services/platforms/kubernetes/facts/job_view.h"
#include "services/platforms/kubernetes/facts/node_facts.h"
#include "services/platforms/kubernetes/facts/pod_view.h"
#include "services/platforms/kubernetes/wire/slim_objects.h"

#include "services/platforms/kubernetes/jobs/code_mark.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;

class TestSlimObjects : public QObject
{
    Q_OBJECT
private slots:
    void sameViews();
    void smaller();
    void holders();
};

void TestSlimObjects::sameViews()
{
    const QDir seeds(QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/fuzz/corpus/kube_objects"));
    int objects = 0;
    for (const QString& name : seeds.entryList(QDir::Files)) {
        QFile file(seeds.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto json = core::parseJson(file.readAll());
        if (!json || !json->is_array())
            continue;
        for (const core::Json& object : *json) {
            const QString kind = textOf(object, "kind");
            objects += kind == u"Pod"_s || kind == u"Job"_s || kind == u"Node"_s;
            if (kind == u"Pod"_s)
                QCOMPARE(readPod(slimPod(object)), readPod(object));
            if (kind == u"Node"_s)
                QCOMPARE(readNode(slimNode(object)), readNode(object));
            if (kind != u"Job"_s)
                continue;
            std::optional<JobView> whole = readJob(object);
            if (whole) // no other one is used
                whole->annotations.removeIf(
                    [](const auto& one) { return one.key() != QLatin1StringView(codeAnnotation); });
            QCOMPARE(readJob(slimJob(object)), whole);
        }
    }
    QVERIFY2(objects > 20, qPrintable(QString::number(objects)));
}

void TestSlimObjects::smaller()
{
    const auto pod = core::parseJson(R"({"metadata":{"name":"a","annotations":{"x":"y"},"managedFields":[1]},
        "spec":{"volumes":[{"name":"v"}],"containers":[{"name":"trial","image":"i","env":[{"name":"SECRET","value":"s"}],
            "command":["sh"],"resources":{"limits":{"cpu":"1"}}}]},
        "status":{"phase":"Running","hostIPs":[{"ip":"10.0.0.1"}]}})");
    QVERIFY(pod);
    const QByteArray kept = core::dumpJson(slimPod(*pod));
    for (const char* word : {"annotations", "managedFields", "volumes", "SECRET", "command", "hostIPs"})
        QVERIFY2(!kept.contains(word), kept);
    QVERIFY(slimPod(core::Json(7)).is_object());
    const auto job = core::parseJson(R"({"metadata":{"name":"a","annotations":{"x":"y","trialdeck/code":"z"}}})");
    QVERIFY(job);
    QCOMPARE(
        core::dumpJson(slimJob(*job)), "{\"metadata\":{\"name\":\"a\",\"annotations\":{\"trialdeck/code\":\"z\"}}}"_ba);
}

void TestSlimObjects::holders()
{
    const auto pod = core::parseJson(R"({"metadata":{"name":"a","namespace":"n","uid":"u","labels":{"x":"y"}},
        "spec":{"nodeName":"n1","volumes":[{"name":"v"}],"containers":[{"name":"c","image":"i","env":[{"name":"SECRET"}],
            "resources":{"limits":{"nvidia.com/gpu":"2"}}}]},
        "status":{"phase":"Running","conditions":[{"type":"Ready"}]}})");
    QVERIFY(pod);
    const QByteArray kept = core::dumpJson(slimHolder(*pod));
    for (const char* word : {"labels", "volumes", "SECRET", "conditions"})
        QVERIFY2(!kept.contains(word), kept);
    const auto view = readPod(slimHolder(*pod));
    QVERIFY(view && view->node == u"n1"_s && view->isActive());
    QCOMPARE(view->requests.value(u"nvidia.com/gpu"_s), 2);
    QVERIFY(slimHolder(core::Json("x")).is_object());
    QVERIFY(slimWorkload(core::Json("x")).is_object());
}

QTEST_GUILESS_MAIN(TestSlimObjects)
#include "tst_slim_objects.moc"
