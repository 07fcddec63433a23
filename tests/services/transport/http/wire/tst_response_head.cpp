// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/transport/http/wire/response_head.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace transport;
using State = ResponseHeadParser::State;

/// What a person reads of a head: `200 OK|a=1|b=2`.
static QByteArray shown(const ResponseHead& head)
{
    QByteArray text = QByteArray::number(head.status) + ' ' + head.reason;
    for (const auto& [name, value] : head.headers)
        text += '|' + name + '=' + value;
    return text;
}

/// Of text in pieces of `step` bytes.
static QByteArray parsed(const QByteArray& text, qsizetype step, QByteArray* rest = nullptr)
{
    ResponseHeadParser parser;
    for (qsizetype at = 0; at < text.size(); at += step) {
        QByteArray piece = text.mid(at, step);
        const State state = parser.take(piece);
        if (state == State::broken)
            return "broken";
        if (state == State::done) {
            if (rest)
                *rest = piece + text.mid(at + step);
            return shown(parser.head());
        }
    }
    return "more";
}

class TestResponseHead : public QObject
{
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void leavesWhatFollows();
    void boundsItsSize();
    void framing_data();
    void framing();
    void keepsAlive();
    void joinsRepeatedFields();
};

void TestResponseHead::reads_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("head");
    const auto row = [](const char* name, const char* text, const char* head) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(head);
    };
    row("fields", "HTTP/1.1 200 OK\r\nA: 1\r\nB:\t two  \r\nC:\r\n\r\n", "200 OK|A=1|B=two|C=");
    row("no field", "HTTP/1.1 204 \r\n\r\n", "204 ");
    row("no reason", "HTTP/1.1 204\r\n\r\n", "204 ");
    row("line feeds alone", "HTTP/1.0 404 Not Found\nA: b\n\n", "404 Not Found|A=b");
    row("not complete", "HTTP/1.1 200 OK\r\nA: 1\r\n", "more");
    row("another protocol", "SSH-2.0-OpenSSH_9.2\r\n", "broken");
    row("another version", "HTTP/2 200 OK\r\n\r\n", "broken");
    row("no status", "HTTP/1.1 abc OK\r\n\r\n", "broken");
    row("a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", "broken");
    row("a status out of range", "HTTP/1.1 099 OK\r\n\r\n", "broken");
    row("an empty line first", "\r\nHTTP/1.1 200 OK\r\n\r\n", "broken");
    row("a continued line", "HTTP/1.1 200 OK\r\nA: 1\r\n 2: x\r\n\r\n", "broken");
    row("a space before the colon", "HTTP/1.1 200 OK\r\nA : 1\r\n\r\n", "broken");
    row("no colon", "HTTP/1.1 200 OK\r\nA\r\n\r\n", "broken");
    row("no name", "HTTP/1.1 200 OK\r\n: 1\r\n\r\n", "broken");
    row("a carriage return in a value", "HTTP/1.1 200 OK\r\nA: 1\rB: 2\r\n\r\n", "broken");
    row("an escape in the reason", "HTTP/1.1 200 \x1b[2J\r\n\r\n", "broken");
    QTest::newRow("a zero byte") << QByteArray("HTTP/1.1 200 OK\r\nA: \0\r\n\r\n", 25) << QByteArray("broken");
}

void TestResponseHead::reads()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, head);
    for (const qsizetype step : {qsizetype(1), qsizetype(2), qsizetype(7), text.size()})
        QCOMPARE(parsed(text, step), head);
}

void TestResponseHead::leavesWhatFollows()
{
    for (qsizetype step = 1; step < 40; ++step) {
        QByteArray rest;
        QCOMPARE(parsed("HTTP/1.1 200 OK\r\nA: 1\r\n\r\nbody\r\n\r\n", step, &rest), QByteArray("200 OK|A=1"));
        QCOMPARE(rest, QByteArray("body\r\n\r\n"));
    }
}

void TestResponseHead::boundsItsSize()
{
    const QByteArray line = "A: " + QByteArray(100, 'x') + "\r\n";
    QCOMPARE(parsed("HTTP/1.1 200 OK\r\n" + line.repeated(1'000), 4'096), QByteArray("broken"));
    QCOMPARE(parsed("HTTP/1.1 200 OK\r\nA: " + QByteArray(maxHeadBytes, 'x'), 4'096), QByteArray("broken"));
    QCOMPARE(parsed("HTTP/1.1 200 OK\r\n" + QByteArray("a:1\r\n").repeated(maxHeadFields + 1) + "\r\n", 4'096),
        QByteArray("broken"));
    QVERIFY(parsed("HTTP/1.1 200 OK\r\n" + QByteArray("a:1\r\n").repeated(maxHeadFields) + "\r\n", 4'096)
                .startsWith("200 OK|a=1"));
}

void TestResponseHead::framing_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<QByteArray>("framing");
    const auto row = [](const char* name, const char* method, const char* head, const char* framing) {
        QTest::newRow(name) << QByteArray(method) << QByteArray(head) << QByteArray(framing);
    };
    row("a length", "GET", "1.1 200|Content-Length: 12", "12");
    row("the same length twice", "GET", "1.1 200|Content-Length: 12|content-length: 12", "12");
    row("two lengths", "GET", "1.1 200|Content-Length: 12|Content-Length: 13", "broken");
    row("two lengths in a field", "GET", "1.1 200|Content-Length: 12, 12", "broken");
    row("a negative length", "GET", "1.1 200|Content-Length: -1", "broken");
    row("a length with a sign", "GET", "1.1 200|Content-Length: +1", "broken");
    row("an empty length", "GET", "1.1 200|Content-Length:", "broken");
    row("a length beyond all", "GET", "1.1 200|Content-Length: 99999999999999999999", "broken");
    row("chunks", "GET", "1.1 200|Transfer-Encoding: Chunked", "chunked");
    row("chunks and a length", "GET", "1.1 200|Transfer-Encoding: chunked|Content-Length: 3", "broken");
    row("chunks twice", "GET", "1.1 200|Transfer-Encoding: chunked|Transfer-Encoding: chunked", "broken");
    row("another coding", "GET", "1.1 200|Transfer-Encoding: gzip, chunked", "broken");
    row("chunks of HTTP/1.0", "GET", "1.0 200|Transfer-Encoding: chunked", "broken");
    row("until the end", "GET", "1.1 200", "close");
    row("HEAD", "HEAD", "1.1 200|Content-Length: 12", "none");
    row("no content", "GET", "1.1 204|Content-Length: 12", "none");
    row("not modified", "GET", "1.1 304|Transfer-Encoding: chunked", "none");
    row("upgrade", "GET", "1.1 101", "none");
}

void TestResponseHead::framing()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, head);
    QFETCH(QByteArray, framing);
    QByteArray text = "HTTP/" + head.replace('|', "\r\n") + "\r\n\r\n";
    ResponseHeadParser parser;
    QVERIFY(parser.take(text) == State::done);
    const std::optional<BodyFraming> found = framingOf(parser.head(), method);
    QByteArray words = "broken";
    if (found)
        words = found->kind == BodyFraming::Kind::none  ? "none"
            : found->kind == BodyFraming::Kind::chunked ? "chunked"
            : found->kind == BodyFraming::Kind::length  ? QByteArray::number(found->length)
                                                        : "close";
    QCOMPARE(words, framing);
}

void TestResponseHead::keepsAlive()
{
    const BodyFraming length{BodyFraming::Kind::length, 3};
    QVERIFY(transport::keepsAlive({1, 200, {}, {}}, length));
    QVERIFY(!transport::keepsAlive({0, 200, {}, {}}, length));
    QVERIFY(!transport::keepsAlive({1, 200, {}, {{"Connection", "x, Close"}}}, length));
    QVERIFY(!transport::keepsAlive({1, 200, {}, {}}, {BodyFraming::Kind::untilClose, 0}));
}

void TestResponseHead::joinsRepeatedFields()
{
    const HttpHeaders headers = {{"Accept", "a"}, {"X", ""}, {"ACCEPT", "b"}};
    QCOMPARE(headerValue(headers, "accept"), QByteArray("a, b"));
    QCOMPARE(headerValue(headers, "x"), QByteArray());
    QCOMPARE(headerValue(headers, "y"), QByteArray());
}

QTEST_APPLESS_MAIN(TestResponseHead)
#include "tst_response_head.moc"
