// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/object_list.h"
#include "services/platforms/kubernetes/watch_lines.h"

#include <QTest>

#include <random>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

Q_DECLARE_METATYPE(platforms::kubernetes::WatchEvent::Type)

class TestWatchLines : public QObject
{
    Q_OBJECT
private slots:
    void cutAtEachByte();
    void cutAtRandom();
    void longLines();
    void events_data();
    void events();
    void damagedLines_data();
    void damagedLines();
    void nothingOfTheObjectInErrors();
    void pages();
    void brokenPages_data();
    void brokenPages();
};

namespace {

/// All lines of the bytes, with `|` between them.
QByteArray shownLines(WatchLines& lines)
{
    QByteArrayList all;
    while (const std::optional<QByteArray> line = lines.next())
        all += *line;
    return all.join('|');
}

QByteArray eventLine(const char* type, int number)
{
    return QByteArray(R"({"type":")") + type + R"(","object":{"metadata":{"name":"p)" + QByteArray::number(number)
        + R"(","resourceVersion":")" + QByteArray::number(100 + number) + "\"}}}\n";
}

Json nameOnly(const Json& object)
{
    return object["metadata"]["name"];
}

} // namespace

void TestWatchLines::cutAtEachByte()
{
    const QByteArray all = "{\"a\":1}\n\n  {\"b\":\"ü\"}\r\n{\"c\":3}\n{\"cut";
    for (qsizetype cut = 0; cut <= all.size(); ++cut) {
        WatchLines lines;
        lines.push(QByteArrayView(all).first(cut));
        const QByteArray first = shownLines(lines);
        lines.push(QByteArrayView(all).sliced(cut));
        const QByteArray second = shownLines(lines);
        const QByteArray joined = first.isEmpty() || second.isEmpty() ? first + second : first + '|' + second;
        QCOMPARE(joined, "{\"a\":1}|{\"b\":\"ü\"}|{\"c\":3}"_ba);
        QCOMPARE(lines.pending(), 5);
    }
}

void TestWatchLines::cutAtRandom()
{
    std::mt19937 random(7);
    QByteArray all;
    for (int i = 0; i < 2'000; ++i)
        all += eventLine(i % 3 == 0 ? "ADDED" : "MODIFIED", i);
    WatchLines lines;
    int count = 0;
    for (qsizetype at = 0; at < all.size();) {
        const qsizetype size = std::min<qsizetype>(1 + qsizetype(random() % 700), all.size() - at);
        lines.push(QByteArrayView(all).sliced(at, size));
        at += size;
        while (const std::optional<QByteArray> line = lines.next()) {
            const Result<WatchEvent> read = readWatchLine(*line);
            QVERIFY(read);
            QCOMPARE(metadataOf(read->object, "resourceVersion"), QString::number(100 + count));
            ++count;
        }
        QVERIFY(lines.pending() < 1'000); // what was given is let go
    }
    QCOMPARE(count, 2'000);
}

void TestWatchLines::longLines()
{
    WatchLines lines;
    const QByteArray most(WatchLines::maxLineBytes, 'x');
    lines.push(most + "\n{}\n");
    QCOMPARE(lines.next().value_or(QByteArray()).size(), WatchLines::maxLineBytes);
    QCOMPARE(lines.next().value_or(QByteArray()), "{}"_ba);
    QVERIFY(!lines.isTooLong());
    lines.push(most);
    QVERIFY(!lines.next());
    QVERIFY(!lines.isTooLong());
    lines.push("x");
    QVERIFY(!lines.next());
    QVERIFY(lines.isTooLong());
    lines.push("\n{}\n"); // nothing after it is kept, or given
    QVERIFY(!lines.next());
    QCOMPARE(lines.pending(), 0);
}

void TestWatchLines::events_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<WatchEvent::Type>("type");
    QTest::addColumn<QByteArray>("object");
    using Type = WatchEvent::Type;
    QTest::newRow("added") << R"({"type":"ADDED","object":{"a":1}})"_ba << Type::added << R"({"a":1})"_ba;
    QTest::newRow("modified") << R"({"type":"MODIFIED","object":{}})"_ba << Type::modified << "{}"_ba;
    QTest::newRow("deleted") << R"({"object":{},"type":"DELETED"})"_ba << Type::deleted << "{}"_ba;
    QTest::newRow("bookmark")
        << R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"303","creationTimestamp":null}}})"_ba
        << Type::bookmark << R"({"metadata":{"resourceVersion":"303","creationTimestamp":null}})"_ba;
    QTest::newRow("error") << R"({"type":"ERROR","object":{"kind":"Status","code":410}})"_ba << Type::error
                           << R"({"kind":"Status","code":410})"_ba;
    QTest::newRow("a word of later") << R"({"type":"RENAMED","object":{}})"_ba << Type::other << "{}"_ba;
    QTest::newRow("managed fields")
        << R"({"type":"ADDED","object":{"metadata":{"managedFields":[{"manager":"x"}],"name":"p"},"managedFields":1}})"_ba
        << Type::added << R"({"metadata":{"name":"p"},"managedFields":1})"_ba;
    QTest::newRow("metadata of another type")
        << R"({"type":"ADDED","object":{"metadata":[1]}})"_ba << Type::added << R"({"metadata":[1]})"_ba;
}

void TestWatchLines::events()
{
    QFETCH(QByteArray, line);
    QFETCH(WatchEvent::Type, type);
    QFETCH(QByteArray, object);
    const Result<WatchEvent> read = readWatchLine(line);
    QVERIFY2(read, read ? "" : qPrintable(read.error().message));
    QCOMPARE(read->type, type);
    QCOMPARE(dumpJson(read->object), object);
}

void TestWatchLines::damagedLines_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("half") << R"({"type":"ADDED","obj)"_ba;
    QTest::newRow("two") << R"({"type":"ADDED","object":{}}{"type":"ADDED","object":{}})"_ba;
    QTest::newRow("HTML") << "<html>"_ba;
    QTest::newRow("a list") << "[1]"_ba;
    QTest::newRow("no type") << R"({"object":{}})"_ba;
    QTest::newRow("type of another type") << R"({"type":1,"object":{}})"_ba;
    QTest::newRow("no object") << R"({"type":"ADDED"})"_ba;
    QTest::newRow("object of another type") << R"({"type":"ADDED","object":"x"})"_ba;
    QTest::newRow("zero byte") << "{\"type\":\"ADDED\",\"object\":{}}\0"_ba;
    QTest::newRow("not UTF-8") << "{\"type\":\"ADDED\",\"object\":{\"a\":\"\xff\"}}"_ba;
    QTest::newRow("nested too deep") << R"({"type":"ADDED","object":{"a":)"_ba + QByteArray(100'000, '[');
}

void TestWatchLines::damagedLines()
{
    QFETCH(QByteArray, line);
    const Result<WatchEvent> read = readWatchLine(line);
    QVERIFY(!read);
    QCOMPARE(read.error().kind, Kind::network);
    QCOMPARE(read.error().message.text(), u"A line of the watch is damaged, so it is begun again."_s);
}

void TestWatchLines::nothingOfTheObjectInErrors()
{
    const Result<WatchEvent> read = readWatchLine(R"({"type":"ADDED","object":{"data":{"password":"hunter2"}}}x)");
    QVERIFY(!read);
    QVERIFY(!(read.error().message + read.error().detail).contains(u"hunter2"));
    const auto page = readObjectPage(R"({"items":[{"data":"hunter2"x)", nameOnly, false);
    QVERIFY(!page);
    QVERIFY(!(page.error().message + page.error().detail).contains(u"hunter2"));
}

void TestWatchLines::pages()
{
    const QByteArray body = R"({"kind":"PodList","metadata":{"resourceVersion":"42","continue":"abc"},"items":[
        {"metadata":{"name":"a","namespace":"ml","uid":"u1","resourceVersion":"7","managedFields":[1]}},
        {"metadata":{"namespace":"ml"}},
        {"metadata":{"name":"b","namespace":"ml","uid":"u2","resourceVersion":"8"}}]})";
    const SlimObject whole = [](const Json& object) { return object["metadata"]; };
    const auto page = readObjectPage(body, whole, false);
    QVERIFY2(page, page ? "" : qPrintable(page.error().message));
    QCOMPARE(page->version, u"42"_s);
    QCOMPARE(page->next, u"abc"_s);
    QCOMPARE(page->objects.size(), 2);
    QCOMPARE(page->objects[0].key + page->objects[0].uid + page->objects[0].version, u"au17"_s);
    QCOMPARE(dumpJson(page->objects[0].kept), R"({"name":"a","namespace":"ml","uid":"u1","resourceVersion":"7"})"_ba);
    QCOMPARE(readObjectPage(body, whole, true)->objects[1].key, u"ml/b"_s);
    const auto empty = readObjectPage(R"({"metadata":{"resourceVersion":"1"},"items":null})", whole, false);
    QVERIFY(empty);
    QVERIFY(empty->objects.isEmpty() && empty->next.isEmpty());
}

void TestWatchLines::brokenPages_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<Kind>("kind");
    QTest::newRow("cut") << R"({"items":[)"_ba << Kind::network;
    QTest::newRow("empty") << QByteArray() << Kind::network;
    QTest::newRow("HTML") << "<html></html>"_ba << Kind::network;
    QTest::newRow("an object") << R"({"kind":"Pod","metadata":{"resourceVersion":"1"}})"_ba << Kind::platform;
    QTest::newRow("no version") << R"({"items":[]})"_ba << Kind::platform;
    QTest::newRow("items of another type") << R"({"metadata":{"resourceVersion":"1"},"items":{}})"_ba << Kind::platform;
    QTest::newRow("a list of JSON") << "[]"_ba << Kind::platform;
}

void TestWatchLines::brokenPages()
{
    QFETCH(QByteArray, body);
    QFETCH(Kind, kind);
    const auto page = readObjectPage(body, nameOnly, false);
    QVERIFY(!page);
    QCOMPARE(page.error().kind, kind);
}

QTEST_APPLESS_MAIN(TestWatchLines)
#include "tst_watch_lines.moc"
