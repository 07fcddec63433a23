// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_objects.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using namespace kube_objects;

using Time = std::optional<qint64>;
Q_DECLARE_METATYPE(Time)

class TestKubeMembers : public QObject
{
    Q_OBJECT
private slots:
    void times_data();
    void times();
    void membersOfAnyShape();
    void counts();
    void amounts();
    void conditions();
    void sumsAreBounded();
};

void TestKubeMembers::times_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<Time>("time");
    const auto row = [](const char* text, Time time) { QTest::newRow(text) << QString::fromLatin1(text) << time; };
    row("2026-05-01T12:00:00Z", noon);
    row("2026-05-01t12:00:00z", noon);
    row("2026-05-01T12:00:00.5Z", noon + 500);
    row("2026-05-01T12:00:00.123456Z", noon + 123);
    row("2026-05-01T12:00:00.123456789Z", noon + 123);
    row("2026-05-01T14:00:00+02:00", noon);
    row("2026-05-01T06:30:00-05:30", noon);
    row("2026-05-01T11:59:60Z", noon - 1'000);
    for (const char* bad : {"", "null", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2026-05-01",
             "2026-05-01T12:00:00", "2026-05-01 12:00:00Z", "2026-13-01T12:00:00Z", "2026-02-30T12:00:00Z",
             "2026-05-01T25:00:00Z", "2026-05-01T12:00:00+2:00", "2026-05-01T12:00:00+02:99", "2026-05-01T12:00:00Zx",
             "2026-05-01T12:00:00.Zx", "26-05-01T12:00:00Z", "soon"})
        row(bad, {});
}

void TestKubeMembers::times()
{
    QFETCH(QString, text);
    QFETCH(Time, time);
    QCOMPARE(kubeTime(text), time);
}

void TestKubeMembers::membersOfAnyShape()
{
    const Json object = json(R"({"a": {"b": "text", "n": 3, "flag": true}, "list": [{"x": 1}, 2, null, {"x": 3}],
        "labels": {"one": "1", "two": 2, "three": null}})");
    QCOMPARE(textAt(object, {"a", "b"}), u"text"_s);
    QCOMPARE(textAt(object, {"a", "n"}), QString());
    QCOMPARE(textAt(object, {"a", "b", "c"}), QString());
    QCOMPARE(textAt(object, {"none"}), QString());
    QCOMPARE(textAt(Json("text"), {"a"}), QString());
    QVERIFY(isTrueAt(object, {"a", "flag"}));
    QVERIFY(!isTrueAt(object, {"a", "b"}));
    QCOMPARE(objectsIn(object, "list").size(), 2);
    QCOMPARE(objectsIn(object, "a").size(), 0);
    QCOMPARE(textsAt(object, {"labels"}), (QMap<QString, QString>{{u"one"_s, u"1"_s}}));
    const std::string megabyte(1'000'000, 'x');
    QCOMPARE(textAt(Json{{"long", megabyte}}, {"long"}).size(), maxFactText);
}

void TestKubeMembers::counts()
{
    const Json object = json(
        R"({"three": 3, "text": "4", "minus": -1, "half": 0.5, "large": 18446744073709551615, "odd": [], "none": null})");
    QCOMPARE(countAt(object, {"three"}), 3);
    QCOMPARE(countAt(object, {"text"}), 4);
    for (const char* name : {"minus", "half", "large", "odd", "none", "absent"})
        QCOMPARE(countAt(object, {name}), std::nullopt);
    QCOMPARE(countAt(object, {"three"}, 2), std::nullopt);
}

void TestKubeMembers::amounts()
{
    const Json object =
        json(R"({"hard": {"cpu": "1500m", "requests.cpu": "2", "limits.cpu": 3, "memory": "1Ki", "nvidia.com/gpu": "4",
        "pods": 5, "damaged": "many", "odd": {}, "negative": -1}})");
    QCOMPARE(amountsAt(object, {"hard"}),
        (QMap<QString, qint64>{{u"cpu"_s, 1'500}, {u"requests.cpu"_s, 2'000}, {u"limits.cpu"_s, 3'000},
            {u"memory"_s, 1'024}, {u"nvidia.com/gpu"_s, 4}, {u"pods"_s, 5}}));
}

void TestKubeMembers::conditions()
{
    const Json object = json(R"({"status": {"conditions": [null, {"type": "Ready", "status": "False", "reason": "x"},
        {"type": "Complete", "status": "True"}, {"type": 5}]}})");
    QCOMPARE(textAt(conditionOf(object, "Ready"_L1), {"reason"}), u"x"_s);
    QVERIFY(!holds(conditionOf(object, "Ready"_L1)));
    QVERIFY(holds(conditionOf(object, "Complete"_L1)));
    QVERIFY(!holds(conditionOf(object, "Failed"_L1)));
    QVERIFY(!holds(conditionOf(json("[]"), "Failed"_L1)));
}

void TestKubeMembers::sumsAreBounded()
{
    QCOMPARE(boundedSum(1, 2), 3);
    const qint64 most = std::numeric_limits<qint64>::max();
    QCOMPARE(boundedSum(most, 1), most);
    QCOMPARE(boundedSum(most - 1, 1), most);
}

QTEST_APPLESS_MAIN(TestKubeMembers)
#include "tst_kube_members.moc"
