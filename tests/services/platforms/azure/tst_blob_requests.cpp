// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/azure/blob_list.h"
#include "services/platforms/azure/blob_requests.h"
#include "services/platforms/azure/service_sas.h"

#include <QCryptographicHash>
#include <QTest>

using namespace platforms;
using namespace platforms::azure;
using namespace Qt::StringLiterals;

class TestBlobRequests : public QObject
{
    Q_OBJECT
private slots:
    void urls();
    void blocks();
    void puts();
    void reads_data();
    void reads();
    void sizes();
    void errors();
    void lists();
    void pages();
    void noPages_data();
    void noPages();
    void signaturesOfOurOwn();
};

static const QUrl folder(u"https://acc.blob.core.windows.net/azureml/Local%20Upload/7"_s);
static const QUrl signature(
    u"https://acc.blob.core.windows.net/azureml?sv=2020-12-06&se=2026-01-01T00%3A00%3A00Z&sig=a%2Bb%2Fc%3D"_s);

static transport::HttpReply replyOf(int status, const QByteArray& body = {}, const transport::HttpHeaders& headers = {})
{
    transport::HttpReply reply;
    reply.status = status;
    reply.body = body;
    reply.headers = headers;
    return reply;
}

void TestBlobRequests::urls()
{
    const QUrl blob = blobUrl(folder, u"code/a b.gz"_s, signature);
    QCOMPARE(blob.toEncoded(),
        "https://acc.blob.core.windows.net/azureml/Local%20Upload/7/code/a%20b.gz?sv=2020-12-06&se=2026-01-01T00%3A00%3A00Z&sig=a%2Bb%2Fc%3D"_ba);
    QCOMPARE(signatureEndMs(blob), 1'767'225'600'000);
    QVERIFY(!signatureEndMs(folder));
    const transport::HttpRequest request = readRequest(blob, 10, 5);
    QCOMPARE(request.target, blob.toEncoded());
    QCOMPARE(transport::headerValue(request.headers, "x-ms-range"), "bytes=10-14"_ba);
    QVERIFY(request.secrets.contains("a%2Bb%2Fc%3D") && request.secrets.contains("a+b/c="));
    QVERIFY(!request.isAuthorized);
}

void TestBlobRequests::blocks()
{
    QCOMPARE(blockCount(1), 1);
    QCOMPARE(blockCount(blockBytes), 1);
    QCOMPARE(blockCount(blockBytes + 1), 2);
    QCOMPARE(blockId(0).size(), blockId(mostBlocks - 1).size());
    QCOMPARE(QByteArray::fromBase64(blockId(7)), "000007"_ba);
    QCOMPARE(blockListText(2),
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList><Latest>" + blockId(0) + "</Latest><Latest>" + blockId(1)
            + "</Latest></BlockList>");
}

void TestBlobRequests::puts()
{
    const QUrl blob = blobUrl(folder, u"x"_s, signature);
    const transport::HttpRequest block = putBlockRequest(blob, 1, "abc");
    QCOMPARE(block.method, "PUT"_ba);
    QVERIFY2(block.target.contains("/7/x?comp=block&blockid=MDAwMDAx&sv=2020-12-06"), block.target.constData());
    QVERIFY(block.target.endsWith("&sig=a%2Bb%2Fc%3D"));
    QCOMPARE(transport::headerValue(block.headers, "Content-MD5"),
        QCryptographicHash::hash("abc", QCryptographicHash::Md5).toBase64());
    QCOMPARE(block.isRepeatable, true);
    const transport::HttpRequest list = putBlockListRequest(blob, 2, "0123456789abcdef");
    QVERIFY(list.target.contains("?comp=blocklist&sv="));
    QCOMPARE(transport::headerValue(list.headers, "x-ms-blob-content-md5"), "0123456789abcdef"_ba.toBase64());
}

void TestBlobRequests::reads_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("range");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<qint64>("size");
    QTest::newRow("a piece") << 206 << QByteArray("cd") << QByteArray("bytes 2-3/6") << QByteArray("cd") << qint64(6);
    QTest::newRow("the rest") << 206 << QByteArray("cdef") << QByteArray("bytes 2-5/6") << QByteArray("cdef")
                              << qint64(6);
    QTest::newRow("nothing new") << 416 << QByteArray("<Error/>") << QByteArray("bytes */2") << QByteArray()
                                 << qint64(2);
    QTest::newRow("nothing new, no size") << 416 << QByteArray() << QByteArray() << QByteArray() << qint64(2);
    QTest::newRow("shorter now") << 416 << QByteArray() << QByteArray("bytes */1") << QByteArray() << qint64(1);
    QTest::newRow("empty, as Azurite says it")
        << 206 << QByteArray() << QByteArray("bytes 2-2/2") << QByteArray() << qint64(2);
}

void TestBlobRequests::reads()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, range);
    QFETCH(QByteArray, bytes);
    QFETCH(qint64, size);
    const Result<BlobPiece> piece =
        readPiece(replyOf(status, body, {{"Content-Range", range}, {"x-ms-creation-time", "then"}}), 2);
    QVERIFY(piece);
    QCOMPARE(piece->bytes, bytes);
    QCOMPARE(piece->size, size);
    QCOMPARE(piece->identity, "then"_ba);
}

void TestBlobRequests::sizes()
{
    QCOMPARE(readSize(replyOf(200, {}, {{"content-length", "12"}})).value_or(-1), 12);
    QVERIFY(!readSize(replyOf(200)));
    QVERIFY(!readSize(replyOf(404)));
}

void TestBlobRequests::errors()
{
    const Error expired = blobError(replyOf(403,
        "<?xml version=\"1.0\"?><Error><Code>AuthenticationFailed</Code><Message>sig=geheim9 is not "
        "good</Message></Error>"));
    QCOMPARE(expired.kind, Kind::auth);
    QVERIFY(expired.message.text().contains(u"AuthenticationFailed"_s));
    QVERIFY(!expired.detail.contains(u"geheim9"_s));
    const Error none = blobError(replyOf(404, {}, {{"x-ms-error-code", "BlobNotFound"}}));
    QCOMPARE(none.kind, Kind::not_found);
    QVERIFY(none.message.text().contains(u"BlobNotFound"_s));
    QVERIFY(blobError(replyOf(503)).message.text().contains(u"HTTP 503"_s));
    // What stands between and answers with a page of its own.
    const Result<BlobPiece> page = readPiece(replyOf(200, "<html>"), 0);
    QVERIFY(!page);
    QCOMPARE(page.error().kind, Kind::network);
    QVERIFY(isStored(replyOf(201)) && !isStored(replyOf(200, "<html>")));
}

void TestBlobRequests::signaturesOfOurOwn()
{
    // The signatures are what Python's hmac makes of the fields that the reference names.
    SasGrant grant{u"acc"_s, u"azureml"_s, u"rcwl"_s, true, 1'767'225'600'000, 1'767'240'000'999};
    QCOMPARE(serviceSas(grant, "c2VjcmV0IGtleQ==").value_or(QByteArray()),
        "sv=2020-12-06&st=2026-01-01T00%3A00%3A00Z&se=2026-01-01T04%3A00%3A00Z&sr=c&sp=rcwl&spr=https%2Chttp&sig=ZD3%2FD6MZ6%2FgLEFr0clG7Jd9vq%2FCv5xOqWkC4LHiEzT0%3D"_ba);
    grant.isForHttp = false;
    QCOMPARE(serviceSas(grant, "c2VjcmV0IGtleQ==").value_or(QByteArray()),
        "sv=2020-12-06&st=2026-01-01T00%3A00%3A00Z&se=2026-01-01T04%3A00%3A00Z&sr=c&sp=rcwl&spr=https&sig=TOqHxRdi6yeqZx5iFufiieV0cdQq8%2BZQ1kYTU5foLrg%3D"_ba);
    for (const char* key : {"", "=", "no base64!"})
        QCOMPARE(serviceSas(grant, key).error().kind, Kind::platform);
}

void TestBlobRequests::lists()
{
    const QUrl container(u"https://acc.blob.core.windows.net/azureml?sv=1&sig=a"_s);
    QCOMPARE(listRequest(container, {u"a b/"_s, {}, true, 7}).target,
        "https://acc.blob.core.windows.net/azureml?restype=container&comp=list&include=metadata&maxresults=7&prefix=a%20b%2F&sv=1&sig=a"_ba);
    QVERIFY(listRequest(container, {u"a/"_s, u"2!92!x="_s, false, 7})
                .target.contains("&prefix=a%2F&marker=2%2192%21x%3D&delimiter=%2F&"));
    QCOMPARE(deleteRequest(container).method, "DELETE"_ba);
    QVERIFY(isDeleted(replyOf(202)) && isDeleted(replyOf(404)) && !isDeleted(replyOf(403)) && !isDeleted(replyOf(200)));
    const transport::HttpRequest put = putBlobRequest(blobUrl(folder, u"x"_s, signature), "abc");
    QCOMPARE(transport::headerValue(put.headers, "x-ms-blob-type"), "BlockBlob"_ba);
    QCOMPARE(put.body, "abc"_ba);
}

void TestBlobRequests::pages()
{
    const Result<BlobPage> page = readBlobPage(R"(<?xml version="1.0" encoding="utf-8"?>
<EnumerationResults ServiceEndpoint="https://acc.blob.core.windows.net/" ContainerName="c"><Prefix>a/</Prefix><Blobs>
<Blob><Name>a/b &amp; c</Name><Deleted>false</Deleted><Properties><Last-Modified>Thu, 01 Jan 2026 00:00:00 GMT</Last-Modified>
<Etag>0x8</Etag><Content-Length>12</Content-Length></Properties><Metadata><Other>true</Other></Metadata><OrMetadata/></Blob>
<Blob><Name>a/d</Name><Properties><Content-Length>0</Content-Length></Properties><Metadata><hdi_isfolder>true</hdi_isfolder></Metadata></Blob>
<BlobPrefix><Name>a/e/</Name></BlobPrefix><Something><Blob><Name>no</Name></Blob></Something>
<Blob><Name></Name></Blob></Blobs><NextMarker>2!x</NextMarker></EnumerationResults>)");
    QVERIFY(page);
    const QList<BlobEntry> blobs{{u"a/b & c"_s, 12, 1'767'225'600'000, false}, {u"a/d"_s, 0, 0, true}};
    QCOMPARE(page->blobs, blobs);
    QCOMPARE(page->folders, QStringList{u"a/e/"_s});
    QCOMPARE(page->marker, u"2!x"_s);
}

void TestBlobRequests::noPages_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << ""_ba;
    QTest::newRow("a page of somebody's") << "<html><body>Log in</body></html>"_ba;
    QTest::newRow("JSON") << "{}"_ba;
    QTest::newRow("cut") << "<EnumerationResults><Blobs><Blob><Name>a</Name></Blob>"_ba;
    QTest::newRow("endless entities")
        << "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;'>"
           "<!ENTITY c '&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;'>"
           "<!ENTITY e '&d;&d;&d;&d;&d;&d;'><!ENTITY f '&e;&e;&e;&e;&e;&e;'>]>"
           "<EnumerationResults><NextMarker>&f;&f;&f;</NextMarker></EnumerationResults>"_ba;
}

void TestBlobRequests::noPages()
{
    QFETCH(QByteArray, text);
    const Result<BlobPage> page = readBlobPage(text);
    QVERIFY(!page);
    QCOMPARE(page.error().kind, Kind::network);
}

QTEST_GUILESS_MAIN(TestBlobRequests)
#include "tst_blob_requests.moc"
