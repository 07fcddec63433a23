// SPDX-License-Identifier: GPL-3.0-or-later
// Uploads, reads and signatures of ours against Azurite, Microsoft's own server of Blob storage.
#include "azure_setup.h"

#include "services/platforms/azure/blob_folder.h"
#include "services/platforms/azure/service_sas.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QProcess>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::azure;

namespace {

const QString account = u"trialdeck1"_s;
const QByteArray accountKey = QByteArray("a key of this test's own, of 64 bytes ........................").toBase64();
constexpr qint64 hourMs = 3'600'000;

/// Random, so that no block is like another.
QByteArray content(qint64 bytes)
{
    QByteArray all(bytes, Qt::Uninitialized);
    auto* words = reinterpret_cast<quint32*>(all.data());
    QRandomGenerator(7).generate(words, words + bytes / 4);
    return all;
}

} // namespace

class TestAzurite : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void aBlobInBlocks_data();
    void aBlobInBlocks();
    void anUploadGoesOn();
    void whatIsNotThere();
    void signaturesThatAreNotGood_data();
    void signaturesThatAreNotGood();
    void aFolder();
    void aFolderOfMany();
    void aFolderOfOthers();

private:
    /// A signature of an account, which alone makes containers.
    [[nodiscard]] QUrl makeContainerUrl() const;
    [[nodiscard]] SasGrant grant(const QString& permissions = u"rcwl"_s) const
    {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        return {account, u"code"_s, permissions, true, now - hourMs, now + hourMs};
    }
    [[nodiscard]] QUrl blob(const QString& path, const SasGrant& grant) const
    {
        QUrl signature = m_container;
        signature.setQuery(QString::fromLatin1(*serviceSas(grant, accountKey)), QUrl::StrictMode);
        return blobUrl(m_container, path, signature);
    }
    [[nodiscard]] std::unique_ptr<BlobFolder> folder(const QString& name, const QString& permissions = u"rcwdl"_s)
    {
        BlobFolder::Place place{m_container, name, [=, this] { return serviceSas(grant(permissions), accountKey); }};
        return std::make_unique<BlobFolder>(place, QByteArray(), m_setup->environment(), std::stop_token());
    }
    void close(BlobFolder& folder)
    {
        const auto closed = [&folder]() -> Task<bool> {
            auto closing = folder.close();
            co_await closing;
            co_return true;
        };
        m_setup->wait(closed());
    }
    Result<> upload(const QUrl& url, const QByteArray& bytes, const BlobClient::Blocks& done)
    {
        m_sent = 0;
        const BlobSource source = [this, bytes](qint64 offset, qint64 count) -> Task<Result<QByteArray>> {
            ++m_sent;
            co_return bytes.mid(offset, count);
        };
        const QByteArray md5 = QCryptographicHash::hash(bytes, QCryptographicHash::Md5);
        return m_setup->wait(m_client->upload(url, bytes.size(), md5, source, done, {}));
    }
    Result<BlobPiece> read(const QUrl& url, qint64 offset, qint64 limit)
    {
        return m_setup->wait(m_client->read(url, offset, limit, {}));
    }

    QTemporaryDir m_folder;
    QProcess m_server;
    QUrl m_container;
    std::unique_ptr<AzureSetup> m_setup;
    std::unique_ptr<BlobClient> m_client;
    int m_sent = 0; ///< blocks of the last upload
};

QUrl TestAzurite::makeContainerUrl() const
{
    const QString end =
        QDateTime::fromMSecsSinceEpoch(QDateTime::currentMSecsSinceEpoch() + hourMs, Qt::UTC).toString(Qt::ISODate);
    const QStringList fields{account, u"c"_s /*permissions*/, u"b"_s /*services*/, u"c"_s /*resource types*/,
        {} /*start*/, end, {} /*addresses*/, {} /*protocols*/, u"2018-11-09"_s, {}};
    const QByteArray signature = QMessageAuthenticationCode::hash(
        fields.join(u'\n').toUtf8(), QByteArray::fromBase64(accountKey), QCryptographicHash::Sha256);
    QUrl url = m_container;
    url.setQuery(u"restype=container&sv=2018-11-09&ss=b&srt=c&sp=c&se=%1&sig=%2"_s.arg(
                     end, QString::fromLatin1(signature.toBase64().toPercentEncoding())),
        QUrl::StrictMode);
    return url;
}

void TestAzurite::initTestCase()
{
    QProcess installer;
    installer.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    installer.start(u"python3"_s, {u"-B"_s, QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/peers/azurite_peer.py")});
    installer.waitForFinished(900'000);
    const QStringList program = QString::fromUtf8(installer.readAllStandardOutput()).trimmed().split(u'\n');
    if (installer.exitStatus() != QProcess::NormalExit || installer.exitCode() != 0 || program.size() != 2)
        QSKIP("Azurite is not there, and cannot be installed");
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"AZURITE_ACCOUNTS"_s, account + u':' + QString::fromLatin1(accountKey));
    environment.remove(u"LD_PRELOAD"_s);
    m_server.setProcessEnvironment(environment);
    m_server.setProcessChannelMode(QProcess::MergedChannels);
    m_server.start(program[0],
        {program[1], u"--blobPort"_s, u"0"_s, u"--location"_s, m_folder.path(), u"--disableTelemetry"_s,
            u"--silent"_s});
    QByteArray said;
    static const QRegularExpression listens(u"listens on http://127\\.0\\.0\\.1:(\\d+)"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(
        (said += m_server.readAll(), listens.match(QString::fromUtf8(said)).hasMatch()), said.constData(), 60'000);
    const QString port = listens.match(QString::fromUtf8(said)).captured(1);
    m_container = QUrl(u"http://127.0.0.1:%1/%2/code"_s.arg(port, account));
    m_setup = std::make_unique<AzureSetup>();
    m_client = std::make_unique<BlobClient>(QByteArray(), m_setup->environment());
    transport::HttpRequest make;
    make.method = "PUT";
    make.target = makeContainerUrl().toEncoded();
    make.headers = {{"x-ms-version", "2020-12-06"}};
    const Result<transport::HttpReply> made = m_setup->wait(m_client->send(make, {}));
    QVERIFY2(made && made->status == 201, made ? made->body.constData() : qPrintable(made.error().message));
}

void TestAzurite::cleanupTestCase()
{
    if (m_client) {
        const auto closed = [this]() -> Task<bool> {
            auto closing = m_client->close();
            co_await closing;
            co_return true;
        };
        m_setup->wait(closed());
    }
    m_client.reset();
    m_setup.reset();
    if (m_server.state() != QProcess::NotRunning) {
        m_server.kill();
        m_server.waitForFinished();
    }
}

void TestAzurite::aBlobInBlocks_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("empty") << qint64(0);
    QTest::newRow("a byte") << qint64(1);
    QTest::newRow("a block") << blockBytes;
    QTest::newRow("three blocks") << 2 * blockBytes + 12;
}

void TestAzurite::aBlobInBlocks()
{
    QFETCH(qint64, bytes);
    const QByteArray all = content(bytes + 4).left(bytes);
    const QUrl url = blob(u"LocalUpload/a b/%1 (1).gz"_s.arg(bytes), grant());
    const Result<> done = upload(url, all, std::make_shared<std::set<int>>());
    QVERIFY2(done, done ? "" : qPrintable(done.error().message.text() + done.error().detail));
    QCOMPARE(m_sent, blockCount(bytes));
    QByteArray back;
    QByteArray identity;
    for (;;) {
        const Result<BlobPiece> piece = read(url, back.size(), 3'000'000);
        QVERIFY2(piece, piece ? "" : qPrintable(piece.error().message.text() + piece.error().detail));
        QCOMPARE(piece->size, bytes);
        if (piece->bytes.isEmpty()) // at its end
            break;
        QVERIFY(identity.isEmpty() || identity == piece->identity);
        identity = piece->identity;
        back += piece->bytes;
    }
    QCOMPARE(back, all);
    const Result<transport::HttpReply> head = m_setup->wait(m_client->send(sizeRequest(url), {}));
    QVERIFY(head);
    QCOMPARE(*readSize(*head), bytes);
    QCOMPARE(head->header("Content-MD5"), QCryptographicHash::hash(all, QCryptographicHash::Md5).toBase64());
    // Written anew. Azurite keeps its time of creation, so this does not show in the identity.
    QVERIFY(upload(url, all + "more", std::make_shared<std::set<int>>()));
    const Result<BlobPiece> again = read(url, bytes, 100);
    QVERIFY(again);
    QCOMPARE(again->bytes, "more"_ba);
}

/// Blocks that were sent before stay, also where the signature is another one.
void TestAzurite::anUploadGoesOn()
{
    const QByteArray all = content(2 * blockBytes + 400);
    const QUrl first = blob(u"resumed"_s, grant());
    const auto done = std::make_shared<std::set<int>>();
    for (const int index : {0, 2}) {
        const QByteArray bytes = all.mid(index * blockBytes, blockBytes);
        const Result<transport::HttpReply> put =
            m_setup->wait(m_client->send(putBlockRequest(first, index, bytes), {}));
        QVERIFY(put && isStored(*put));
        done->insert(index);
    }
    QCOMPARE(read(first, 0, 10).error().kind, Kind::not_found); // not before all of it is there
    const QUrl second = blob(u"resumed"_s, grant(u"rcw"_s));
    QVERIFY(upload(second, all, done));
    QCOMPARE(m_sent, 1);
    const Result<BlobPiece> whole = read(second, 0, all.size());
    QVERIFY(whole);
    QCOMPARE(whole->bytes, all);
}

void TestAzurite::whatIsNotThere()
{
    QCOMPARE(read(blob(u"nothing"_s, grant()), 0, 10).error().kind, Kind::not_found);
}

void TestAzurite::signaturesThatAreNotGood_data()
{
    QTest::addColumn<SasGrant>("given");
    SasGrant old = grant();
    old.endMs = old.startMs + 1'000;
    QTest::newRow("too old") << old;
    SasGrant early = grant();
    early.startMs = early.endMs - 1'000;
    QTest::newRow("not yet") << early;
    QTest::newRow("another right") << grant(u"l"_s);
    SasGrant other = grant();
    other.container = u"another"_s;
    QTest::newRow("of another container") << other;
}

void TestAzurite::signaturesThatAreNotGood()
{
    QFETCH(SasGrant, given);
    QVERIFY(upload(blob(u"there"_s, grant()), "here", std::make_shared<std::set<int>>()));
    const QUrl url = blob(u"there"_s, given);
    QCOMPARE(read(url, 0, 10).error().kind, Kind::auth);
    QCOMPARE(upload(url, "not here", std::make_shared<std::set<int>>()).error().kind, Kind::auth);
    QCOMPARE(read(blob(u"there"_s, grant()), 0, 10)->bytes, "here"_ba);
}

static QStringList pathsOf(const FileList& list)
{
    QStringList paths;
    for (const FileEntry& file : list.files)
        paths.append(u"%1 %2 %3"_s.arg(file.type, file.path).arg(file.size));
    return paths;
}

/// What a SharedFolder promises, and how one differs that keeps whole files alone.
void TestAzurite::aFolder()
{
    using State = FolderBytes::State;
    const auto shared = folder(u"trialdeck/s 1"_s);
    QVERIFY(shared->isObjectStore());
    QVERIFY(m_setup->wait(shared->prepare()));
    QList<FolderFile> files;
    for (int i = 0; i < 20; ++i)
        files.append({u"trials/e/t%1/job.sh"_s.arg(i), "echo " + QByteArray::number(i), false});
    files.append({u"trials/e/t1/log/0000000000000000"_s, "pieces", false});
    files.append({u"trials/f/ünï %41/x"_s, "y", false});
    QVERIFY(m_setup->wait(shared->put(files)));
    QVERIFY(m_setup->wait(shared->put({FolderFile{u"trials/e/t0/job.sh"_s, "another text", false}}))); // in its place
    QList<FolderRead> reads;
    reads.append({u"trials/e/t0/job.sh"_s, 8, 100, {}});
    reads.append({u"trials/e/t0/nothing"_s, 0, 100, {}});
    reads.append({u"trials/e/t2/job.sh"_s, 6, 100, {}});  // at its end
    reads.append({u"trials/e/t2/job.sh"_s, 50, 100, {}}); // behind it
    reads.append({u"trials/e/t2/job.sh"_s, 0, 100, "of another file"});
    reads.append({u"trials/f/ünï %41/x"_s, 0, 100, {}});
    const Result<QList<FolderBytes>> read = m_setup->wait(shared->read(reads, 1'000));
    QVERIFY2(read, read ? "" : qPrintable(read.error().message.text()));
    QCOMPARE(read->size(), reads.size());
    QCOMPARE(read->at(0).bytes, "text"_ba);
    QCOMPARE(read->at(0).size, 12);
    QCOMPARE(read->at(1).state, State::missing);
    QCOMPARE(read->at(2).state, State::read);
    QCOMPARE(read->at(2).bytes, QByteArray());
    QCOMPARE(read->at(3).state, State::shrank);
    QCOMPARE(read->at(4).state, State::replaced);
    QCOMPARE(read->at(5).bytes, "y"_ba);
    QCOMPARE(m_setup->wait(shared->folders(u"trials"_s)).value_or(QStringList()), (QStringList{u"e"_s, u"f"_s}));
    QCOMPARE(m_setup->wait(shared->folders(u"trials/f"_s)).value_or(QStringList()), QStringList{u"ünï %41"_s});
    QCOMPARE(m_setup->wait(shared->folders(u"nowhere"_s)).value_or(QStringList{u"error"_s}), QStringList());
    const Result<FileList> list = m_setup->wait(shared->list(u"trials/e/t1"_s, {}, 100));
    QVERIFY(list);
    QCOMPARE(pathsOf(*list), (QStringList{u"file job.sh 6"_s, u"file log/0000000000000000 6"_s}));
    QVERIFY(list->files.at(0).modified > QDateTime::currentMSecsSinceEpoch() - hourMs);
    QCOMPARE(m_setup->wait(shared->list(u"trials/e/t99"_s, {}, 100)).error().kind, Kind::not_found);
    for (const QString& wrong : {u"../x"_s, u"/x"_s, u""_s, u"a//b"_s})
        QCOMPARE(m_setup->wait(shared->remove({wrong})).error().kind, Kind::invalid);
    // An archive stays packed, and one that is there stays; a copy comes in its place.
    QTemporaryDir here;
    const auto fileOf = [&](const QByteArray& text) {
        QFile file(here.filePath(u"file"_s));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName() : QString();
    };
    QVERIFY(m_setup->wait(shared->putArchive(u"code/abc"_s, fileOf("packed"))));
    QVERIFY(m_setup->wait(shared->putArchive(u"code/abc"_s, fileOf("something else"))));
    QVERIFY(m_setup->wait(shared->putCopy(u"bin/keeper"_s, fileOf(content(blockBytes + 8)), true)));
    const Result<QList<FolderBytes>> put = m_setup->wait(shared->read(
        {FolderRead{u"code/abc.tar.gz"_s, 0, 100, {}}, FolderRead{u"bin/keeper"_s, blockBytes, 100, {}}}, 1'000));
    QVERIFY(put);
    QCOMPARE(put->at(0).bytes, "packed"_ba);
    QCOMPARE(put->at(1).bytes, content(blockBytes + 8).right(8));
    QCOMPARE(
        m_setup->wait(shared->putCopy(u"bin/none"_s, here.filePath(u"none"_s), true)).error().kind, Kind::internal);
    // A tree goes, and no other whose name begins like it.
    QVERIFY(m_setup->wait(shared->remove({u"trials/e/t1"_s, u"not/there"_s})));
    QCOMPARE(m_setup->wait(shared->folders(u"trials/e"_s)).value_or(QStringList()).size(), 19);
    QVERIFY(m_setup->wait(shared->remove({u"trials"_s, u"code"_s, u"bin"_s})));
    QVERIFY(m_setup->wait(folder(u"trialdeck"_s)->list(u"s 1"_s, {}, 10)).error().kind == Kind::not_found);
    close(*shared);
    QCOMPARE(m_setup->wait(shared->prepare()).error().kind, Kind::cancelled);
}

/// Names come in pages.
void TestAzurite::aFolderOfMany()
{
    const auto shared = folder(u"many"_s);
    QList<FolderFile> files;
    for (int i = 0; i < 1'100; ++i)
        files.append({u"d/%1"_s.arg(i, 4, 10, QLatin1Char('0')), "x", false});
    QVERIFY(m_setup->wait(shared->put(files)));
    QString after;
    QStringList names;
    int pages = 0;
    do {
        const Result<FileList> page = m_setup->wait(shared->list(u"d"_s, after, 400));
        QVERIFY(page);
        QVERIFY(page->files.size() <= 400);
        for (const FileEntry& file : page->files)
            names.append(file.path);
        after = page->next;
    } while (!after.isEmpty() && ++pages < 10);
    QCOMPARE(names.size(), 1'100);
    QVERIFY(std::is_sorted(names.begin(), names.end()));
    QVERIFY(m_setup->wait(shared->remove({u"d"_s})));
    QCOMPARE(m_setup->wait(shared->list(u"d"_s, {}, 10)).error().kind, Kind::not_found);
    close(*shared);
}

/// Without the right to delete, or to write, it says so before any trial does.
void TestAzurite::aFolderOfOthers()
{
    for (const QString& permissions : {u"rl"_s, u"rcwl"_s}) {
        const auto shared = folder(u"others"_s, permissions);
        QCOMPARE(m_setup->wait(shared->prepare()).error().kind, Kind::auth);
        close(*shared);
    }
}

QTEST_GUILESS_MAIN(TestAzurite)
#include "tst_azurite.moc"
