// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of answers: lengths, chunks and gzip, whole, cut at each byte, and damaged.
#include "services/transport/http/wire/body_decoder.h"

#include "tests/fakes/gzip_text.h"

#include <QTest>

using namespace transport;

/// The body, or `broken`, `cut`, `truncated`; with what followed it behind a bar.
static QByteArray decoded(const QByteArray& fields, const QByteArray& wire, qsizetype step, qsizetype most = 1'000)
{
    QByteArray head = "HTTP/1.1 200 OK\r\n" + fields + "\r\n";
    ResponseHeadParser parser;
    if (parser.take(head) != ResponseHeadParser::State::done)
        return "no head";
    std::optional<BodyDecoder> body = BodyDecoder::of(parser.head(), "GET");
    if (!body)
        return "broken";
    QByteArray all;
    QByteArray rest;
    const auto drain = [&] {
        for (;;) {
            const std::optional<QByteArray> taken = body->take(most);
            if (!taken)
                return false;
            if (taken->isEmpty())
                return true;
            all += *taken;
        }
    };
    for (qsizetype at = 0; at < wire.size(); at += step) {
        rest += wire.mid(at, step);
        if (!body->push(rest) || !drain())
            return "broken";
    }
    if (!body->isReceived() && !body->end())
        return "cut";
    if (!drain())
        return "broken";
    if (body->isTruncated())
        return "truncated";
    return body->isDone() ? all + (rest.isEmpty() ? "" : "|" + rest) : "not done";
}

class TestResponseBody : public QObject
{
    Q_OBJECT
private slots:
    void decodes_data();
    void decodes();
    void cutAtEachByte();
    void damagedAtEachByte();
    void aBombIsTakenInPieces();
};

void TestResponseBody::decodes_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<QByteArray>("wire");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char* name, const QByteArray& fields, const QByteArray& wire, const QByteArray& body) {
        QTest::newRow(name) << fields << wire << body;
    };
    const QByteArray chunked = "Transfer-Encoding: chunked\r\n";
    const QByteArray gzip = "Content-Encoding: gzip\r\n";
    row("length", "Content-Length: 3\r\n", "abc", "abc");
    row("length and more", "Content-Length: 3\r\n", "abcHTTP", "abc|HTTP");
    row("nothing", "Content-Length: 0\r\n", "", "");
    row("until the end", "", "abc", "abc");
    row("one chunk", chunked, "3\r\nabc\r\n0\r\n\r\n", "abc");
    row("chunks, more behind", chunked, "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\nHTTP", "abc0123456789|HTTP");
    row("extensions and trailers", chunked, "3;a=\"b\" ; c\r\nabc\r\n000 \r\nX: y\r\nZ: \r\n\r\n", "abc");
    row("no chunk", chunked, "0\r\n\r\n", "");
    row("no size", chunked, "\r\nabc\r\n", "broken");
    row("a size that is no number", chunked, "zz\r\nabc\r\n", "broken");
    row("a negative size", chunked, "-3\r\nabc\r\n", "broken");
    row("a size beyond all", chunked, "FFFFFFFFFFFFFFFFF\r\n", "broken");
    row("a line feed alone", chunked, "3\nabc\n0\n\n", "broken");
    row("more than its size", chunked, "2\r\nabc\r\n", "broken");
    row("endless extensions", chunked, "3;" + QByteArray(5'000, 'x'), "broken");
    row("endless trailers", chunked, "0\r\n" + QByteArray("X: y\r\n").repeated(5'000), "broken");
    row("gzip", gzip + chunked, "17\r\n" + gzipText("abc") + "\r\n0\r\n\r\n", "abc");
    row("gzip of nothing", gzip + "Content-Length: 0\r\n", "", "");
    row("gzip in two members", gzip, gzipText("abc") + gzipText("def"), "abcdef");
    row("gzip and rubbish", gzip, gzipText("abc") + "xyz", "broken");
    row("no gzip at all", gzip, "abcdefghijklmnop", "broken");
    row("another compression", "Content-Encoding: br\r\n", "abc", "broken");
    row("identity", "Content-Encoding: identity\r\n", "abc", "abc");
}

void TestResponseBody::decodes()
{
    QFETCH(QByteArray, fields);
    QFETCH(QByteArray, wire);
    QFETCH(QByteArray, body);
    for (const qsizetype step : {qsizetype(1), qsizetype(3), std::max<qsizetype>(1, wire.size())})
        for (const qsizetype most : {qsizetype(1), qsizetype(1'000)})
            QCOMPARE(decoded(fields, wire, step, most), body);
}

void TestResponseBody::cutAtEachByte()
{
    const QByteArray text = QByteArray("some text ").repeated(20);
    const QByteArray packed = gzipText(text);
    const auto chunk = [](const QByteArray& bytes) {
        return QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n";
    };
    const QByteArray chunks = chunk(text.first(50)) + chunk(text.sliced(50)) + "0\r\n\r\n";
    const QByteArray chunkedGzip = chunk(packed.first(10)) + chunk(packed.sliced(10)) + "0\r\n\r\n";
    const QByteArray length = "Content-Length: " + QByteArray::number(text.size()) + "\r\n";
    for (const auto& [fields, wire] :
        {std::pair(length, text), std::pair(QByteArray("Transfer-Encoding: chunked\r\n"), chunks),
            std::pair(QByteArray("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n"), chunkedGzip)}) {
        QCOMPARE(decoded(fields, wire, 13), text);
        for (qsizetype end = 0; end < wire.size(); ++end)
            QCOMPARE(decoded(fields, wire.first(end), 13), QByteArray("cut"));
    }
    // Without a length only the compression shows that something is missing.
    for (qsizetype end = 1; end < packed.size(); ++end)
        QCOMPARE(decoded("Content-Encoding: gzip\r\n", packed.first(end), 13), QByteArray("truncated"));
}

void TestResponseBody::damagedAtEachByte()
{
    const QByteArray text = QByteArray("some text ").repeated(20);
    const QByteArray packed = gzipText(text);
    for (qsizetype at = 10; at < packed.size(); ++at) { // the header's own bytes (time, system) do not matter
        QByteArray damaged = packed;
        damaged[at] = char(damaged[at] ^ 0x20);
        QVERIFY2(decoded("Content-Encoding: gzip\r\n", damaged, 13) != text, qPrintable(QString::number(at)));
    }
}

void TestResponseBody::aBombIsTakenInPieces()
{
    const QByteArray bomb = gzipText(QByteArray(64 * 1024 * 1024, '\0'));
    QVERIFY(bomb.size() < 100'000);
    GzipInflater inflater;
    inflater.push(bomb);
    for (int pieces = 0; pieces < 100; ++pieces)
        QCOMPARE(inflater.pull(1'000).value_or("broken").size(), qsizetype(1'000));
    QVERIFY(!inflater.isComplete());
}

QTEST_APPLESS_MAIN(TestResponseBody)
#include "tst_response_body.moc"
