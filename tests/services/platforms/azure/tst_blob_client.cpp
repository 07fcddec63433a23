// SPDX-License-Identifier: GPL-3.0-or-later
// Uploads in blocks, and reads of pieces, against a storage in this process.
#include "azure_setup.h"

#include "services/platforms/azure/blob_client.h"

#include <QCryptographicHash>
#include <QUrlQuery>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::azure;
using fakes::FakeWebServer;

namespace {

/// No two blocks are alike: what repeats is no part of a block's length.
QByteArray content(qint64 bytes)
{
    QByteArray piece;
    while (piece.size() < 99'000)
        piece += QByteArray::number(piece.size()) + ' ';
    return piece.repeated(bytes / piece.size() + 1).left(bytes);
}

/// One account whose blobs are in memory.
struct BlobLab
{
    BlobLab()
    {
        server.on(
            [this](const FakeWebServer::Peer& peer, const FakeWebServer::Request& request) { answer(peer, request); });
        client = std::make_unique<BlobClient>(QByteArray(), setup.environment());
    }
    ~BlobLab() { setup.wait(closed()); }
    void answer(const FakeWebServer::Peer& peer, const FakeWebServer::Request& request)
    {
        const QUrl url = QUrl::fromEncoded(request.target);
        const QUrlQuery query(url);
        if (query.queryItemValue(u"sig"_s) != good) {
            peer.answer(403, "<Error><Code>AuthenticationFailed</Code></Error>", "Content-Type: application/xml\r\n");
            return;
        }
        const QString what = query.queryItemValue(u"comp"_s);
        if (request.method == "PUT" && what == u"block"_s) {
            const int index =
                QByteArray::fromBase64(query.queryItemValue(u"blockid"_s, QUrl::FullyDecoded).toLatin1()).toInt();
            ++puts;
            if (cutAt && *cutAt == index) {
                cutAt.reset();
                good = u"another"_s;
                peer.answer(
                    403, "<Error><Code>AuthenticationFailed</Code></Error>", "Content-Type: application/xml\r\n");
                return;
            }
            const bool isWhole = request.headers.value("content-md5")
                == QCryptographicHash::hash(request.body, QCryptographicHash::Md5).toBase64();
            if (isWhole)
                blocks[index] = request.body;
            peer.answer(isWhole ? 201 : 400, "");
        } else if (request.method == "PUT" && what == u"blocklist"_s) {
            blob.clear();
            for (int i = 0; i < request.body.count("<Latest>"); ++i)
                blob += blocks[i];
            peer.answer(201, "");
        } else if (request.method == "GET") {
            const QByteArray range = request.headers.value("x-ms-range").mid(6);
            const qint64 from = range.left(range.indexOf('-')).toLongLong();
            const qint64 to = range.mid(range.indexOf('-') + 1).toLongLong();
            if (from >= blob.size()) {
                peer.answer(416, "", "Content-Range: bytes */" + QByteArray::number(blob.size()) + "\r\n");
                return;
            }
            peer.answer(206, blob.mid(from, to - from + 1),
                "Content-Range: bytes x/" + QByteArray::number(blob.size()) + "\r\n");
        }
    }
    [[nodiscard]] QUrl url(const QString& signature = u"one"_s) const
    {
        return QUrl(server.url().toString() + u"/c/path/x?sv=1&sig="_s + signature);
    }
    Result<> upload(const QByteArray& bytes, const BlobClient::Blocks& done, const QString& signature = u"one"_s)
    {
        const BlobSource source = [bytes](qint64 offset, qint64 wanted) { return piece(bytes.mid(offset, wanted)); };
        const QByteArray md5 = QCryptographicHash::hash(bytes, QCryptographicHash::Md5);
        return setup.wait(client->upload(url(signature), bytes.size(), md5, source, done, {}));
    }
    static core::Task<Result<QByteArray>> piece(QByteArray bytes) { co_return bytes; }
    core::Task<bool> closed()
    {
        auto closing = client->close();
        co_await closing;
        co_return true;
    }

    AzureSetup setup;
    FakeWebServer server;
    std::unique_ptr<BlobClient> client;
    QString good = u"one"_s; ///< signature that counts
    std::map<int, QByteArray> blocks;
    QByteArray blob;
    int puts = 0;             ///< of blocks
    std::optional<int> cutAt; ///< the block at which the signature ends
};

} // namespace

class TestBlobClient : public QObject
{
    Q_OBJECT
private slots:
    void uploads_data();
    void uploads();
    void goesOnWithAnotherSignature();
    void fileThatChanges();
    void reads();
    void closed();
};

void TestBlobClient::uploads_data()
{
    QTest::addColumn<qint64>("size");
    QTest::newRow("a few bytes") << qint64(10);
    QTest::newRow("one block") << blockBytes;
    QTest::newRow("a byte more") << blockBytes + 1;
    QTest::newRow("six blocks") << 5 * blockBytes + 7;
}

void TestBlobClient::uploads()
{
    QFETCH(qint64, size);
    BlobLab lab;
    const QByteArray bytes = content(size);
    const auto done = std::make_shared<std::set<int>>();
    const Result<> uploaded = lab.upload(bytes, done);
    QVERIFY2(uploaded, uploaded ? "" : qPrintable(uploaded.error().message.text()));
    QVERIFY(lab.blob == bytes);
    QCOMPARE(int(done->size()), blockCount(size));
}

/// The signature ends in the middle: what was sent is not sent again.
void TestBlobClient::goesOnWithAnotherSignature()
{
    BlobLab lab;
    lab.cutAt = 3;
    const QByteArray bytes = content(6 * blockBytes);
    const auto done = std::make_shared<std::set<int>>();
    const Result<> broken = lab.upload(bytes, done);
    QVERIFY(!broken);
    QCOMPARE(broken.error().kind, Kind::auth);
    QVERIFY(lab.blob.isEmpty());
    const int before = lab.puts;
    const int there = int(done->size());
    QVERIFY(there < 6);
    QVERIFY(lab.upload(bytes, done, u"another"_s));
    QVERIFY(lab.blob == bytes);
    QCOMPARE(lab.puts - before, 6 - there);
}

void TestBlobClient::fileThatChanges()
{
    BlobLab lab;
    const BlobSource source = [](qint64, qint64) { return BlobLab::piece("short"); };
    const auto done = std::make_shared<std::set<int>>();
    const Result<> uploaded = lab.setup.wait(lab.client->upload(lab.url(), 100, {}, source, done, {}));
    QVERIFY(!uploaded);
    QCOMPARE(uploaded.error().kind, Kind::conflict);
    QCOMPARE(lab.puts, 0);
}

void TestBlobClient::reads()
{
    BlobLab lab;
    lab.blob = "0123456789";
    const auto read = [&](qint64 offset, qint64 limit) {
        return lab.setup.wait(lab.client->read(lab.url(), offset, limit, {}));
    };
    QCOMPARE(read(2, 3)->bytes, "234"_ba);
    QCOMPARE(read(8, 30)->bytes, "89"_ba);
    QCOMPARE(read(10, 5)->bytes, QByteArray());
    QCOMPARE(read(10, 5)->size, 10);
    QCOMPARE(read(20, 5)->size, 10);
    const Result<BlobPiece> refused = lab.setup.wait(lab.client->read(lab.url(u"old7"_s), 0, 5, {}));
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Kind::auth);
    QVERIFY(!refused.error().detail.contains(u"old7"_s));
}

void TestBlobClient::closed()
{
    BlobLab lab;
    lab.setup.wait(lab.closed());
    const Result<BlobPiece> late = lab.setup.wait(lab.client->read(lab.url(), 0, 5, {}));
    QVERIFY(!late);
    QCOMPARE(late.error().kind, Kind::cancelled);
}

QTEST_GUILESS_MAIN(TestBlobClient)
#include "tst_blob_client.moc"
