// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_objects.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;
using namespace kube_objects;

class TestKubeEventView : public QObject
{
    Q_OBJECT
private slots:
    void times_data();
    void times();
    void members();
    void whatIsNoEvent();
    void theNewestOfAReason();
};

namespace {

Json eventObject(const char* patch)
{
    Json one = json(R"({"metadata": {"name": "x.17", "creationTimestamp": "2026-05-01T12:00:01Z"}, "type": "Warning",
        "reason": "FailedScheduling", "message": "0/1 nodes are available", "count": null, "firstTimestamp": null,
        "lastTimestamp": null, "eventTime": null, "involvedObject": {"kind": "Pod", "name": "p", "uid": "u1"}})");
    one.merge_patch(json(patch));
    return one;
}

} // namespace

void TestKubeEventView::times_data()
{
    QTest::addColumn<QByteArray>("patch");
    QTest::addColumn<qint64>("time");
    QTest::addColumn<int>("count");
    const auto row = [](const char* name, const char* patch, qint64 time, int count) {
        QTest::newRow(name) << QByteArray(patch) << noon + time << count;
    };
    row("created", "{}", 1'000, 1);
    row("first", R"({"firstTimestamp": "2026-05-01T12:00:02Z"})", 2'000, 1);
    row("new api", R"({"eventTime": "2026-05-01T12:00:03.000000Z", "firstTimestamp": "2026-05-01T12:00:02Z"})", 3'000,
        1);
    row("series",
        R"({"eventTime": "2026-05-01T12:00:03Z", "series": {"count": 7, "lastObservedTime": "2026-05-01T12:00:04Z"}})",
        4'000, 7);
    row("last",
        R"({"lastTimestamp": "2026-05-01T12:00:05Z", "count": 3, "series": {"count": 7, "lastObservedTime": "2026-05-01T12:00:04Z"}})",
        5'000, 3);
    row("odd", R"({"lastTimestamp": 5, "count": "many", "series": []})", 1'000, 1);
}

void TestKubeEventView::times()
{
    QFETCH(QByteArray, patch);
    QFETCH(qint64, time);
    QFETCH(int, count);
    const EventView event = readEvent(eventObject(patch.constData())).value();
    QCOMPARE(event.time, time);
    QCOMPARE(event.count, count);
}

void TestKubeEventView::members()
{
    const EventView event = readEvent(eventObject("{}")).value();
    QCOMPARE(event.reason, u"FailedScheduling"_s);
    QCOMPARE(event.message, u"0/1 nodes are available"_s);
    QVERIFY(event.isWarning);
    QCOMPARE(event.objectUid, u"u1"_s);
    QCOMPARE(event.objectKind, u"Pod"_s);
    QCOMPARE(event.objectName, u"p"_s);
    QVERIFY(!readEvent(eventObject(R"({"type": "Normal"})")).value().isWarning);
}

void TestKubeEventView::whatIsNoEvent()
{
    for (const char* text : {"null", "[]", "{}", R"({"reason": "x"})", R"({"involvedObject": {"uid": "u"}})"})
        QVERIFY2(!readEvent(json(text)), text);
}

void TestKubeEventView::theNewestOfAReason()
{
    const QList<EventView> events{eventOf(u"u1"_s, u"A"_s, u"old"_s, 1), eventOf(u"u1"_s, u"A"_s, u"new"_s, 3),
        eventOf(u"u1"_s, u"A"_s, u"middle"_s, 2), eventOf(u"u2"_s, u"A"_s, u"other"_s, 9),
        eventOf(u"u1"_s, u"B"_s, u"b"_s, 9)};
    const EventView* newest = newestEvent(events, u"u1"_s, "A"_L1);
    QVERIFY(newest);
    QCOMPARE(newest->message, u"new"_s);
    QVERIFY(!newestEvent(events, u"u1"_s, "C"_L1));
}

QTEST_APPLESS_MAIN(TestKubeEventView)
#include "tst_kube_event_view.moc"
