// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/log_model.h"
#include "services/client/local_engine_client.h"
#include "tests/fakes/fake_engine_port.h"

#include <QMutex>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using namespace models;

/// A file that grows, read by ranges.
class LogFile
{
public:
    LogFile()
    {
        port.setHandler([this](const api::Command& command, const fakes::FakeEnginePort::Done& done) {
            const auto* read = std::get_if<api::ReadLog>(&command);
            if (!read)
                return false;
            const QMutexLocker lock(&m_mutex);
            if (m_isMissing) {
                done(fail(m_why,
                    m_why == Kind::conflict ? u"The platform local is not open."_s
                                            : u"Trial t1 waits and has no files yet."_s));
                return true;
            }
            api::Reply reply;
            reply.size = m_text.size();
            reply.offset = read->tail ? std::max<qint64>(0, m_text.size() - *read->tail)
                                      : std::min<qint64>(read->offset, m_text.size());
            reply.bytes = m_text.mid(reply.offset, read->limit);
            reply.end = false;
            m_bytesRead += reply.bytes.size();
            done(reply);
            return true;
        });
    }
    void set(const QByteArray& text)
    {
        const QMutexLocker lock(&m_mutex);
        m_text = text;
        m_isMissing = false;
    }
    void refuse(Kind why)
    {
        const QMutexLocker lock(&m_mutex);
        m_why = why;
    }
    void append(const QByteArray& text)
    {
        const QMutexLocker lock(&m_mutex);
        m_text += text;
    }
    qint64 bytesRead() const
    {
        const QMutexLocker lock(&m_mutex);
        return m_bytesRead;
    }

    fakes::FakeEnginePort port;
    client::LocalEngineClient client{port};

private:
    mutable QMutex m_mutex;
    QByteArray m_text;
    bool m_isMissing = true;
    Kind m_why = Kind::not_found;
    qint64 m_bytesRead = 0;
};

static QStringList linesOf(const LogModel& model)
{
    QStringList out;
    for (int i = 0; i < model.lineCount(); ++i)
        out.append(logLineText(model.line(i)));
    return out;
}

class TstLogModel : public QObject
{
    Q_OBJECT
private slots:
    void lineTexts_data();
    void lineTexts();
    void severities();
    void readsAndFollows();
    void onlyNewBytesTravel();
    void largeFilesBeginAtTheirEnd();
    void aCutFileBeginsAnew();
    void missingFilesSayWhy();
    void aPlatformThatOpensLater();
    void searches();
};

void TstLogModel::lineTexts_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("text");
    QTest::newRow("plain") << QByteArray("epoch 1\n") << u"epoch 1"_s;
    QTest::newRow("windows") << QByteArray("epoch 1\r\n") << u"epoch 1"_s;
    QTest::newRow("progress bar") << QByteArray("10%\r50%\r100%\n") << u"100%"_s;
    QTest::newRow("colours") << QByteArray("\x1b[1;31merror\x1b[0m: x") << u"error: x"_s;
    QTest::newRow("title") << QByteArray("\x1b]0;title\x07rest") << u"rest"_s;
    QTest::newRow("half an escape") << QByteArray("a\x1b[") << u"a"_s;
    QTest::newRow("control") << QByteArray("a\x01"
                                           "b\x7f")
                             << u"a␁b␡"_s;
    QTest::newRow("right to left") << QStringLiteral("a\u202eb").toUtf8() << u"a\ufffdb"_s;
    QTest::newRow("no utf-8") << QByteArray("a\xff"
                                            "b")
                              << u"a\ufffdb"_s;
    QTest::newRow("tab") << QByteArray("a\tb") << u"a    b"_s;
}

void TstLogModel::lineTexts()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, text);
    QCOMPARE(logLineText(line), text);
    QVERIFY(logLineText(QByteArray(10'000'000, 'x')).size() < 4100);
}

void TstLogModel::severities()
{
    QCOMPARE(logSeverity("ValueError: no"), LogSeverity::error);
    QCOMPARE(logSeverity("Traceback (most recent call last):"), LogSeverity::error);
    QCOMPARE(logSeverity("UserWarning: old"), LogSeverity::warning);
    QCOMPARE(logSeverity("terror in the night"), LogSeverity::plain);
    QCOMPARE(logSeverity("loss 0.1"), LogSeverity::plain);
}

void TstLogModel::readsAndFollows()
{
    LogFile file;
    file.set("one\ntwo\nthr");
    LogModel model(file.client);
    QSignalSpy appended(&model, &LogModel::linesAppended);
    model.open(TrialId(u"t1"_s), u"stdout"_s, true);
    QTRY_COMPARE(model.lineCount(), 3);
    QCOMPARE(model.firstNumber(), std::optional<qint64>(1));
    file.append("ee\n");
    QTRY_COMPARE(linesOf(model), (QStringList{u"one"_s, u"two"_s, u"three"_s}));
    file.append("four\nfive");
    QTRY_COMPARE(linesOf(model).last(), u"five"_s);
    QCOMPARE(model.lineCount(), 5);
    QVERIFY(appended.size() >= 2);
    // The last bytes come with the end; then it is quiet.
    file.append("\nlast\n");
    model.setLive(false);
    QTRY_COMPARE(linesOf(model).last(), u"last"_s);
}

void TstLogModel::onlyNewBytesTravel()
{
    LogFile file;
    file.set(QByteArray(1000, 'a') + '\n');
    LogModel model(file.client);
    model.open(TrialId(u"t1"_s), u"stdout"_s, true);
    QTRY_COMPARE(model.lineCount(), 1);
    file.append("b\n");
    QTRY_COMPARE(model.lineCount(), 2);
    QCOMPARE(file.bytesRead(), 1003);
}

void TstLogModel::largeFilesBeginAtTheirEnd()
{
    QByteArray text;
    for (int i = 0; text.size() < 12'000'000; ++i)
        text += "line " + QByteArray::number(i) + QByteArray(90, '.') + '\n';
    LogFile file;
    file.set(text);
    LogModel model(file.client);
    model.open(TrialId(u"t1"_s), u"stdout"_s, false);
    QTRY_VERIFY(model.lineCount() > 1000);
    QVERIFY(model.hasEarlier());
    QVERIFY(!model.firstNumber());
    const QByteArray last = model.line(model.lineCount() - 1);
    QVERIFY(text.endsWith(last));
    QSignalSpy prepended(&model, &LogModel::linesPrepended);
    const int before = model.lineCount();
    model.readEarlier();
    QTRY_COMPARE(prepended.size(), 1);
    QCOMPARE(model.lineCount(), before + prepended[0][0].toInt());
    QCOMPARE(model.line(model.lineCount() - 1), last);
    // A small one comes whole, and has numbers.
    file.set(text.first(3'000'000));
    model.open(TrialId(u"t1"_s), u"stderr"_s, false);
    QTRY_VERIFY(model.lineCount() > 25'000);
    QCOMPARE(model.firstNumber(), std::optional<qint64>(1));
    QVERIFY(model.line(0).startsWith("line 0"));
}

void TstLogModel::aCutFileBeginsAnew()
{
    LogFile file;
    file.set("a\nb\nc\n");
    LogModel model(file.client);
    model.open(TrialId(u"t1"_s), u"stdout"_s, true);
    QTRY_COMPARE(model.lineCount(), 3);
    file.set("x\n");
    QTRY_VERIFY(model.lineCount() <= 1);
}

void TstLogModel::missingFilesSayWhy()
{
    LogFile file;
    LogModel model(file.client);
    QSignalSpy opened(&model, &LogModel::opened);
    model.open(TrialId(u"t1"_s), u"stdout"_s, true);
    QTRY_COMPARE(model.message(), u"Trial t1 waits and has no files yet."_s);
    file.set("now\n");
    QTRY_COMPARE(model.lineCount(), 1);
    QVERIFY(model.message().isEmpty());
}

void TstLogModel::aPlatformThatOpensLater()
{
    LogFile file;
    file.refuse(Kind::conflict);
    LogModel model(file.client);
    model.open(TrialId(u"t1"_s), u"stdout"_s, false); // a trial that has ended
    QTRY_COMPARE(model.message(), u"The platform local is not open."_s);
    file.set("now\n");
    QTRY_COMPARE(model.lineCount(), 1);
    QVERIFY(model.message().isEmpty());
}

void TstLogModel::searches()
{
    LogFile file;
    file.set("start\nepoch 1\nepoch 2\nRuntimeError: x\nend\n");
    LogModel model(file.client);
    model.open(TrialId(u"t1"_s), u"stdout"_s, false);
    QTRY_COMPARE(model.lineCount(), 5);
    const auto find = [&](const QString& text, int from, bool backwards = false) {
        QSignalSpy searched(&model, &LogModel::searched);
        if (text.isEmpty())
            model.searchError();
        else
            model.search(QRegularExpression(text), from, backwards);
        return searched.isEmpty() && !searched.wait() ? -2 : searched[0][0].toInt();
    };
    const QString epoch = u"epoch \\d"_s;
    QCOMPARE(find(epoch, 0), 1);
    QCOMPARE(find(epoch, 2), 2);
    QCOMPARE(find(epoch, 3), 1);
    QCOMPARE(find(epoch, 1, true), 1);
    QCOMPARE(find(epoch, 0, true), 2);
    QCOMPARE(find(u"nowhere"_s, 0), -1);
    QCOMPARE(find({}, 0), 3); // the first error
}

QTEST_GUILESS_MAIN(TstLogModel)
#include "tst_log_model.moc"
