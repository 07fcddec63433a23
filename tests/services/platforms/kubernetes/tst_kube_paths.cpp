// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/kube_paths.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

class TestKubePaths : public QObject
{
    Q_OBJECT
private slots:
    void paths_data();
    void paths();
    void refusedNames_data();
    void refusedNames();
    void parameters();
    void names_data();
    void names();
    void selectors_data();
    void selectors();
};

void TestKubePaths::paths_data()
{
    QTest::addColumn<KubeTarget>("target");
    QTest::addColumn<QByteArray>("path");
    const KubeResource frameworks{"frameworkcontroller.microsoft.com", "v1", "frameworks"};
    QTest::newRow("pods of a namespace") << KubeTarget{podsResource(), u"ml"_s, {}, {}}
                                         << "/api/v1/namespaces/ml/pods"_ba;
    QTest::newRow("pods of all") << KubeTarget{podsResource(), {}, {}, {}} << "/api/v1/pods"_ba;
    QTest::newRow("a job") << KubeTarget{jobsResource(), u"ml"_s, u"t1"_s, {}}
                           << "/apis/batch/v1/namespaces/ml/jobs/t1"_ba;
    QTest::newRow("a log") << KubeTarget{podsResource(), u"ml"_s, u"t1-0.x"_s, "log"}
                           << "/api/v1/namespaces/ml/pods/t1-0.x/log"_ba;
    QTest::newRow("a custom resource") << KubeTarget{frameworks, u"ml"_s, {}, {}}
                                       << "/apis/frameworkcontroller.microsoft.com/v1/namespaces/ml/frameworks"_ba;
    QTest::newRow("a node") << KubeTarget{nodesResource(), {}, u"gpu-1.example.org"_s, {}}
                            << "/api/v1/nodes/gpu-1.example.org"_ba;
}

void TestKubePaths::paths()
{
    QFETCH(KubeTarget, target);
    QFETCH(QByteArray, path);
    const Result<QByteArray> made = kubePath(target);
    QVERIFY2(made, made ? "" : qPrintable(made.error().message));
    QCOMPARE(*made, path);
}

void TestKubePaths::refusedNames_data()
{
    QTest::addColumn<KubeTarget>("target");
    QTest::addColumn<QString>("named");
    const KubeResource pods = podsResource();
    QTest::newRow("namespace that leads elsewhere") << KubeTarget{pods, u"../.."_s, {}, {}} << u"../.."_s;
    QTest::newRow("name with a slash") << KubeTarget{pods, u"ml"_s, u"a/b"_s, {}} << u"a/b"_s;
    QTest::newRow("name with a query") << KubeTarget{pods, u"ml"_s, u"a?x=1"_s, {}} << u"a?x=1"_s;
    QTest::newRow("name with a line end") << KubeTarget{pods, u"ml"_s, u"a\r\nb"_s, {}} << u"a⏎⏎b"_s;
    QTest::newRow("dots alone") << KubeTarget{pods, u"ml"_s, u".."_s, {}} << u".."_s;
    QTest::newRow("capitals") << KubeTarget{pods, u"ML"_s, {}, {}} << u"ML"_s;
    QTest::newRow("namespace with a dot") << KubeTarget{pods, u"a.b"_s, {}, {}} << u"a.b"_s;
    QTest::newRow("subresource of nothing") << KubeTarget{pods, u"ml"_s, {}, "log"} << u"log"_s;
    QTest::newRow("no plural") << KubeTarget{{"batch", "v1", ""}, u"ml"_s, {}, {}} << u""_s;
    QTest::newRow("a group that leads elsewhere") << KubeTarget{{"a/../b", "v1", "x"}, u"ml"_s, {}, {}} << u"a/../b"_s;
    QTest::newRow("letters of another script") << KubeTarget{pods, u"mⅼ"_s, {}, {}} << u"mⅼ"_s;
}

void TestKubePaths::refusedNames()
{
    QFETCH(KubeTarget, target);
    QFETCH(QString, named);
    const Result<QByteArray> made = kubePath(target);
    QVERIFY(!made);
    QCOMPARE(made.error().kind, Kind::invalid);
    QVERIFY2(made.error().message.startsWith(u'"' + named + u"\" is no name"_s), qPrintable(made.error().message));
}

void TestKubePaths::parameters()
{
    QCOMPARE(withParameters("/api/v1/pods", {}), "/api/v1/pods"_ba);
    QCOMPARE(
        withParameters("/api/v1/pods", {{"labelSelector", u"a=b,c in (x,ü)"_s}, {"continue", {}}, {"limit", u"500"_s}}),
        "/api/v1/pods?labelSelector=a%3Db%2Cc%20in%20%28x%2C%C3%BC%29&limit=500"_ba);
    QCOMPARE(withParameters("/x", {{"command", u"a&b=c"_s}, {"command", u"#+ "_s}}),
        "/x?command=a%26b%3Dc&command=%23%2B%20"_ba);
}

void TestKubePaths::names_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("is"); ///< l: DNS label, d: subdomain, v: label value, k: label key
    const QString long63(63, u'a');
    QTest::newRow("plain") << u"a-1"_s << u"ldvk"_s;
    QTest::newRow("one character") << u"a"_s << u"ldvk"_s;
    QTest::newRow("a digit first") << u"1a"_s << u"ldvk"_s;
    QTest::newRow("empty") << QString() << u"v"_s;
    QTest::newRow("dash first") << u"-a"_s << u""_s;
    QTest::newRow("dash last") << u"a-"_s << u""_s;
    QTest::newRow("dots") << u"a.b"_s << u"dvk"_s;
    QTest::newRow("two dots") << u"a..b"_s << u"vk"_s;
    QTest::newRow("capitals") << u"aB"_s << u"vk"_s;
    QTest::newRow("underscore") << u"a_b"_s << u"vk"_s;
    QTest::newRow("63") << long63 << u"ldvk"_s;
    QTest::newRow("64") << long63 + u'a' << u"d"_s;
    QTest::newRow("253") << (long63 + u'.').repeated(3) + long63.left(61) << u"d"_s;
    QTest::newRow("254") << (long63 + u'.').repeated(3) + long63.left(62) << u""_s;
    QTest::newRow("domain") << u"kubernetes.io/os"_s << u"k"_s;
    QTest::newRow("two domains") << u"a/b/c"_s << u""_s;
    QTest::newRow("domain alone") << u"a/"_s << u""_s;
    QTest::newRow("domain in capitals") << u"A/b"_s << u""_s;
    QTest::newRow("space") << u"a b"_s << u""_s;
}

void TestKubePaths::names()
{
    QFETCH(QString, text);
    QFETCH(QString, is);
    QCOMPARE((isDnsLabel(text) ? u"l"_s : u""_s) + (isDnsSubdomain(text) ? u"d"_s : u""_s)
            + (isLabelValue(text) ? u"v"_s : u""_s) + (isLabelKey(text) ? u"k"_s : u""_s),
        is);
}

void TestKubePaths::selectors_data()
{
    using Labels = QList<std::pair<QString, QString>>;
    QTest::addColumn<Labels>("labels");
    QTest::addColumn<QString>("selector"); ///< empty: refused
    QTest::newRow("none") << Labels() << QString();
    QTest::newRow("two") << Labels{{u"app"_s, u"trialdeck-trial"_s}, {u"exp"_s, u"X_1"_s}}
                         << u"app=trialdeck-trial,exp=X_1"_s;
    QTest::newRow("an empty value") << Labels{{u"app"_s, {}}} << u"app="_s;
    QTest::newRow("a comma") << Labels{{u"app"_s, u"a,b"_s}} << QString();
    QTest::newRow("an operator") << Labels{{u"app!"_s, u"a"_s}} << QString();
}

void TestKubePaths::selectors()
{
    using Labels = QList<std::pair<QString, QString>>;
    QFETCH(Labels, labels);
    QFETCH(QString, selector);
    const Result<QString> made = labelSelector(labels);
    QCOMPARE(made.has_value(), !selector.isEmpty());
    QCOMPARE(made.value_or(QString()), selector);
    if (!made)
        QCOMPARE(made.error().kind, Kind::invalid);
}

QTEST_APPLESS_MAIN(TestKubePaths)
#include "tst_kube_paths.moc"
