// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/wire/code_sender.h"

#include "tests/services/platforms/kubernetes/kube_setup.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;
using fakes::FakeWebServer;
using Peer = FakeWebServer::Peer;

namespace {

/// The payloads of masked frames, and the rest.
QByteArrayList takeFrames(QByteArray& bytes)
{
    QByteArrayList payloads;
    for (;;) {
        qsizetype head = 2;
        if (bytes.size() < head)
            return payloads;
        qint64 size = bytes[1] & 0x7f;
        if (size >= 126) {
            const qsizetype more = size == 126 ? 2 : 8;
            if (bytes.size() < head + more)
                return payloads;
            size = 0;
            for (qsizetype i = 0; i < more; ++i)
                size = size << 8 | uchar(bytes[head + i]);
            head += more;
        }
        if (bytes.size() < head + 4 + size)
            return payloads;
        QByteArray payload = bytes.mid(head + 4, size);
        for (qsizetype i = 0; i < payload.size(); ++i)
            payload[i] = char(payload[i] ^ bytes[head + i % 4]);
        payloads.append(payload);
        bytes.remove(0, head + 4 + size);
    }
}

QByteArray statusFrame(const QByteArray& status)
{
    return fakes::serverFrame(0x82, '\3' + status);
}
const QByteArray success = R"({"metadata":{},"status":"Success"})";

QByteArray exitStatus(int code)
{
    return R"({"status":"Failure","reason":"NonZeroExitCode","message":"command terminated","details":{"causes":[{"reason":"ExitCode","message":")"
        + QByteArray::number(code) + R"("}]}})";
}

/// A pod's container: takes what is sent to it.
struct Container
{
    Peer peer;
    QByteArray raw, input;
    bool hasEnded = false; ///< its input

    void take()
    {
        raw += peer.take();
        for (const QByteArray& payload : takeFrames(raw)) {
            if (payload.startsWith('\0'))
                input += payload.mid(1);
            hasEnded = hasEnded || payload == QByteArray("\xff\0", 2);
        }
    }
};

} // namespace

class TestCodeSender : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void wholeArchive_data();
    void wholeArchive();
    void endsByItsArchive();
    void cutAndSentAgain();
    void refused();
    void busyIsNoFailure();
    void givenUp();
    void noMoreForAPodThatIsGone();
    void fewAtOnce();
    void codeThatIsGone();

private:
    void begin(const QByteArray& protocol = "v5.channel.k8s.io");
    void offer(const QString& trial = u"t1"_s)
    {
        m_sender->offer(TrialId(trial), trial + u"-x"_s, trial + u"-uid"_s, m_code);
    }
    [[nodiscard]] QString said(const QString& trial = u"t1"_s) const
    {
        const Message* state = m_sender->stateOf(TrialId(trial));
        return state ? state->text() : QString();
    }
    /// A tar ends with zeroes.
    [[nodiscard]] bool hasWhole(Container& container) const
    {
        container.take();
        return container.input.size() > m_bytes && container.input.endsWith(QByteArray(1'024, '\0'));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWebServer> m_server;
    std::unique_ptr<KubeSetup> m_setup;
    std::unique_ptr<PackedCodes> m_codes;
    std::unique_ptr<CodeSender> m_sender;
    QList<std::shared_ptr<Container>> m_containers;
    QByteArray m_protocol;
    CodeSource m_code;
    qint64 m_bytes = 1'000'000; ///< of a file that does not become smaller
};

void TestCodeSender::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_folder->path()).mkpath(u"code"_s));
    QByteArray noise(m_bytes, Qt::Uninitialized);
    QRandomGenerator(7).fillRange(reinterpret_cast<quint32*>(noise.data()), m_bytes / 4);
    QFile file(m_folder->path() + u"/code/data"_s);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(noise) == m_bytes);
    m_code = CodeSource{
        .kind = CodeSource::Kind::snapshot, .sha = u"a"_s, .folder = m_folder->path() + u"/code"_s, .archive = {}};
}

void TestCodeSender::begin(const QByteArray& protocol)
{
    m_protocol = protocol;
    m_server = std::make_unique<FakeWebServer>();
    m_server->on([this](const Peer& peer, const FakeWebServer::Request& request) {
        m_containers.append(std::make_shared<Container>());
        m_containers.last()->peer = peer;
        peer.send(fakes::upgradeAnswer(request, m_protocol));
    });
    m_setup = std::make_unique<KubeSetup>(m_server->url());
    m_codes = std::make_unique<PackedCodes>();
    m_sender =
        std::make_unique<CodeSender>(&m_setup->open(), &m_setup->clock, &m_setup->strand, m_codes.get(), u"ml"_s);
}

void TestCodeSender::cleanup()
{
    if (m_sender) {
        const auto closed = [this]() -> Task<bool> {
            auto closing = m_sender->close();
            co_await closing;
            co_return true;
        };
        m_setup->wait(closed());
    }
    m_sender.reset();
    m_codes.reset();
    m_setup.reset();
    m_server.reset();
    m_containers.clear();
}

void TestCodeSender::wholeArchive_data()
{
    QTest::addColumn<QByteArray>("protocol");
    QTest::newRow("v5") << "v5.channel.k8s.io"_ba;
    QTest::newRow("v4") << "v4.channel.k8s.io"_ba;
}

void TestCodeSender::wholeArchive()
{
    QFETCH(QByteArray, protocol);
    begin(protocol);
    QSignalSpy changed(m_sender.get(), &CodeSender::changed);
    offer();
    offer(); // the same pod
    QVERIFY(m_setup->spin([&] { return !m_containers.isEmpty() && hasWhole(*m_containers.first()); }));
    QCOMPARE(m_server->requests().first().target,
        "/api/v1/namespaces/ml/pods/t1-x/exec?container=code&command=%2Ftrialdeck%2Fbin%2Ftrialkeeper-pod&command=unpack&command=%2Ftrialdeck%2Finbox&stdin=true&stdout=true&stderr=true&tty=false"_ba);
    QVERIFY2(said().contains(u" of 1.0 MB"_s), qPrintable(said()));
    int turns = 0;
    QVERIFY(m_setup->spin([&] {
        m_containers.first()->take();
        return m_containers.first()->hasEnded || (protocol.startsWith("v4") && ++turns > 20);
    }));
    QCOMPARE(m_containers.first()->hasEnded, protocol.startsWith("v5"));
    m_containers.first()->peer.send(fakes::serverFrame(0x82, "\1..") + statusFrame(success));
    QVERIFY(m_setup->spin([&] { return said().contains(u"is there"_s); }));
    QVERIFY(changed.count() > 1);
    QVERIFY(!m_sender->failureOf(TrialId(u"t1"_s)));
    offer();
    m_setup->clock.advance(120'000);
    QCOMPARE(m_containers.size(), 1);
    QVERIFY(m_containers.first()->input.contains("data"));
}

void TestCodeSender::endsByItsArchive()
{
    // The program ends while more is sent: it has all that it wants.
    begin();
    offer();
    QVERIFY(m_setup->spin([&] {
        if (!m_containers.isEmpty())
            m_containers.first()->take();
        return !m_containers.isEmpty() && m_containers.first()->input.size() > 1'000;
    }));
    m_containers.first()->peer.send(statusFrame(success));
    QVERIFY(m_setup->spin([&] { return said().contains(u"is there"_s); }));
}

void TestCodeSender::cutAndSentAgain()
{
    begin();
    offer();
    for (int cut = 0; cut < 3; ++cut) {
        QVERIFY(m_setup->spin([&] { return m_containers.size() == cut + 1; }, 200));
        Container& container = *m_containers.last();
        QVERIFY(m_setup->spin([&] {
            container.take();
            return container.input.size() > 1'000;
        }));
        if (cut == 1)
            container.peer.close(); // in order, but without a word of its end
        else
            container.peer.reset();
        QVERIFY(m_setup->spin([&] { return said().contains(u"The last try failed"_s); }));
        // Said before the next try says something else.
        QCOMPARE(m_containers.size(), cut + 1);
    }
    QVERIFY(m_setup->spin([&] { return m_containers.size() == 4; }, 200));
    QVERIFY(m_setup->spin([&] { return hasWhole(*m_containers.last()); }));
    m_containers.last()->peer.send(statusFrame(success));
    QVERIFY(m_setup->spin([&] { return said().contains(u"is there"_s); }));
}

void TestCodeSender::refused()
{
    begin();
    bool isAllowed = false;
    m_server->on([&](const Peer& peer, const FakeWebServer::Request& request) {
        if (!isAllowed) {
            peer.answer(403,
                R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"pods \"t1-x\" is forbidden: User \"ada\" cannot create resource \"pods/exec\" in API group \"\" in the namespace \"ml\""})");
            return;
        }
        m_containers.append(std::make_shared<Container>());
        m_containers.last()->peer = peer;
        peer.send(fakes::upgradeAnswer(request, m_protocol));
    });
    offer();
    QVERIFY(m_setup->spin([&] { return said().contains(u"pods/exec"_s); }));
    isAllowed = true; // somebody applied the Role
    QVERIFY(m_setup->spin([&] { return !m_containers.isEmpty(); }, 500));
    QVERIFY(m_setup->spin([&] { return hasWhole(*m_containers.last()); }));
    QVERIFY(!m_sender->failureOf(TrialId(u"t1"_s)));
}

void TestCodeSender::busyIsNoFailure()
{
    begin();
    offer();
    for (int i = 0; i < 5; ++i) {
        QVERIFY(m_setup->spin([&] { return m_containers.size() == i + 1; }, 200));
        m_containers.last()->peer.send(statusFrame(exitStatus(75)));
    }
    QVERIFY(m_setup->spin([&] { return m_containers.size() == 6; }, 200));
    QVERIFY(!m_sender->failureOf(TrialId(u"t1"_s)));
}

void TestCodeSender::givenUp()
{
    begin();
    offer();
    for (int i = 0; i < CodeSender::mostFailures; ++i) {
        QVERIFY(!m_sender->failureOf(TrialId(u"t1"_s)));
        QVERIFY(m_setup->spin([&] { return m_containers.size() == i + 1; }, 200));
        m_containers.last()->peer.send(fakes::serverFrame(0x82, "\2trialkeeper-pod: The archive is \x1b[31mdamaged.\n")
            + statusFrame(exitStatus(1)));
    }
    QVERIFY(m_setup->spin([&] { return m_sender->failureOf(TrialId(u"t1"_s)) != nullptr; }));
    const QString why = m_sender->failureOf(TrialId(u"t1"_s))->message.text();
    QVERIFY2(why.contains(u"The archive is"_s) && !why.contains(u'\x1b'), qPrintable(why));
    offer();
    int turns = 0;
    QVERIFY(m_setup->spin([&] { return ++turns > 50; }, 60'000));
    QCOMPARE(m_containers.size(), CodeSender::mostFailures);
}

void TestCodeSender::noMoreForAPodThatIsGone()
{
    begin();
    offer();
    QVERIFY(m_setup->spin([&] { return m_containers.size() == 1; }));
    m_sender->keepOnly(TrialId(u"t1"_s), {});
    m_sender->keepOnly(TrialId(u"t1"_s), {});
    QVERIFY(m_setup->spin([&] { return !m_containers.first()->peer.isOpen(); }));
    QVERIFY(m_sender->isEmpty());
    // Another pod of the same trial is another receiver.
    offer();
    QVERIFY(m_setup->spin([&] { return m_containers.size() == 2; }));
}

void TestCodeSender::fewAtOnce()
{
    begin();
    for (int i = 1; i <= 2 * CodeSender::mostAtOnce; ++i)
        offer(u"t%1"_s.arg(i));
    QVERIFY(m_setup->spin([&] { return m_containers.size() == CodeSender::mostAtOnce; }));
    QVERIFY2(said(u"t8"_s).contains(u"others"_s), qPrintable(said(u"t8"_s)));
    m_sender->keepOnly(TrialId(u"t8"_s), {}); // never begun
    for (int i = 0; i < 2 * CodeSender::mostAtOnce - 1; ++i) {
        QVERIFY(m_setup->spin([&] { return m_containers.size() > i && hasWhole(*m_containers.at(i)); }));
        m_containers.at(i)->peer.send(statusFrame(success));
    }
    QVERIFY(m_setup->spin([&] { return said(u"t7"_s).contains(u"is there"_s); }));
    QCOMPARE(m_containers.size(), 2 * CodeSender::mostAtOnce - 1);
}

void TestCodeSender::codeThatIsGone()
{
    begin();
    m_code.folder += u"/none"_s;
    offer();
    QVERIFY(m_setup->spin([&] { return said().contains(u"cannot be sent"_s); }));
    QCOMPARE(m_containers.size(), 0);
}

QTEST_GUILESS_MAIN(TestCodeSender)
#include "tst_code_sender.moc"
