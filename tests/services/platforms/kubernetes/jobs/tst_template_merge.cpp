// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/jobs/template_merge.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

class TestTemplateMerge : public QObject
{
    Q_OBJECT
private slots:
    void oursLiesOver();
    void namedLists();
    void reads();
    void refuses_data();
    void refuses();
};

void TestTemplateMerge::oursLiesOver()
{
    const Json theirs = {{"spec", {{"dnsPolicy", "None"}, {"volumes", Json::array({1})}, {"hostname", "theirs"}}},
        {"metadata", {{"labels", {{"team", "ml"}, {"app", "theirs"}}}}}};
    const Json ours = {
        {"spec", {{"hostname", "ours"}, {"volumes", Json::array({2})}}}, {"metadata", {{"labels", {{"app", "ours"}}}}}};
    const Json merged = mergedUnder(theirs, ours);
    QVERIFY(merged["spec"]["dnsPolicy"] == "None");
    QVERIFY(merged["spec"]["hostname"] == "ours");
    QVERIFY(merged["spec"]["volumes"] == Json::array({2})); // no names: ours
    QVERIFY(merged["metadata"]["labels"]["team"] == "ml");
    QVERIFY(merged["metadata"]["labels"]["app"] == "ours");
}

void TestTemplateMerge::namedLists()
{
    const Json theirs = {{"containers",
        Json::array({{{"name", "proxy"}, {"image", "envoy"}},
            {{"name", "trial"}, {"image", "theirs"}, {"tty", true},
                {"env", Json::array({{{"name", "A"}, {"value", "1"}}, {{"name", "B"}, {"value", "2"}}})}}})}};
    const Json ours = {{"containers",
        Json::array(
            {{{"name", "trial"}, {"image", "ours"}, {"env", Json::array({{{"name", "B"}, {"value", "3"}}})}}})}};
    const Json merged = mergedUnder(theirs, ours)["containers"];
    QCOMPARE(merged.size(), 2U);
    QVERIFY(merged[0]["image"] == "ours");
    QVERIFY(merged[0]["tty"] == true);
    QCOMPARE(merged[0]["env"].size(), 2U);
    QVERIFY(merged[0]["env"][0]["value"] == "3");
    QVERIFY(merged[0]["env"][1]["name"] == "A");
    QVERIFY(merged[1]["name"] == "proxy");
}

void TestTemplateMerge::reads()
{
    QVERIFY(readTemplate({})->is_null());
    QVERIFY(readTemplate(u" \n"_s)->is_null());
    const auto pod = readTemplate(u"apiVersion: v1\nkind: Pod\nspec:\n  dnsPolicy: None\n"_s);
    QVERIFY(pod);
    QVERIFY((*pod)["spec"]["dnsPolicy"] == "None");
    QVERIFY(!pod->contains("kind"));
}

void TestTemplateMerge::refuses_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("no yaml") << u"spec: ["_s;
    QTest::newRow("a list") << u"- 1"_s;
    QTest::newRow("a word") << u"spec"_s;
    QTest::newRow("a job") << u"spec: {}\nstatus: {}"_s;
    QTest::newRow("spec is a word") << u"spec: pod"_s;
    QTest::newRow("runs again") << u"spec: {restartPolicy: Always}"_s;
}

void TestTemplateMerge::refuses()
{
    QFETCH(QString, text);
    const auto pod = readTemplate(text);
    QVERIFY(!pod);
    QCOMPARE(pod.error().kind, Kind::invalid);
}

QTEST_GUILESS_MAIN(TestTemplateMerge)
#include "tst_template_merge.moc"
