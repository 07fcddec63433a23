// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/series/metric_chunk.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace Qt::StringLiterals;
using namespace series;

static Points curve(int n)
{
    Points points;
    for (int i = 0; i < n; ++i)
        points.append(i, i, 1'750'000'000'000 + i * 125, 1.0 / (i + 1));
    return points;
}

class TestMetricChunk : public QObject
{
    Q_OBJECT

private slots:
    void roundTrip_data()
    {
        QTest::addColumn<Points>("points");
        const double inf = std::numeric_limits<double>::infinity();
        const qint64 least = std::numeric_limits<qint64>::min();
        const qint64 most = std::numeric_limits<qint64>::max();
        Points odd;
        odd.append(least, -0.0, most, -0.0);
        odd.append(most, 0.5, least, std::nan("7"));
        odd.append(0, inf, 0, -inf);
        odd.append(-1, std::nan(""), -1, std::numeric_limits<double>::denorm_min());
        Points whole;
        whole.append(5, 9007199254740992.0, 3, 1);
        whole.append(4, -9007199254740992.0, 2, inf);
        QTest::newRow("none") << Points();
        QTest::newRow("one") << curve(1);
        QTest::newRow("full") << curve(1000);
        QTest::newRow("odd") << odd;
        QTest::newRow("whole") << whole;
        std::mt19937_64 random(1);
        for (int round = 0; round < 10; ++round) {
            Points points;
            for (quint64 n = random() % 1000; n > 0; --n)
                points.append(qint64(random()), std::bit_cast<double>(quint64(random())), qint64(random()),
                    std::bit_cast<double>(quint64(random())));
            QTest::addRow("random %d", round) << points;
        }
    }

    void roundTrip()
    {
        QFETCH(Points, points);
        const auto bytes = encodeChunk(points);
        QVERIFY(bytes);
        const auto decoded = decodeChunk(*bytes);
        QVERIFY2(decoded, qPrintable(decoded ? QString() : decoded.error().message));
        QVERIFY(*decoded == points);
    }

    void isCompact()
    {
        const auto bytes = encodeChunk(curve(1000));
        QVERIFY2(bytes->size() < 12'100, qPrintable(QString::number(bytes->size())));
    }

    /// What is in stores out there stays readable.
    void formatIsFixed()
    {
        Points points;
        points.append(3, 7, 1000, 0.5);
        points.append(4, 8, 1001, std::nan(""));
        QCOMPARE(encodeChunk(points)->toHex(), "54444d0101020602d00f020e02000000000000e03f000000000000f87f35f1cc6e"_ba);
    }

    void refusesWrongColumns()
    {
        Points uneven = curve(3);
        uneven.step.pop_back();
        QVERIFY(!encodeChunk(uneven));
        QVERIFY(!encodeChunk(curve(1001)));
        QVERIFY(encodeChunk(curve(1001)).error().message.contains(u"1001"_s));
    }

    void everyChangedByteIsNoticed()
    {
        const QByteArray bytes = *encodeChunk(curve(20));
        for (qsizetype i = 0; i < bytes.size(); ++i) {
            for (const char change : {char(1), char(0x80)}) {
                QByteArray changed = bytes;
                changed[i] = char(changed[i] ^ change);
                QVERIFY(!decodeChunk(changed));
            }
            QVERIFY(!decodeChunk(bytes.first(i)));
        }
        QVERIFY(!decodeChunk(bytes + '\0'));
    }

    void hostileBytes_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("word");
        QTest::newRow("magic") << QByteArray("XDM\1\0\0", 6) << u"begin"_s;
        QTest::newRow("version") << QByteArray("TDM\2\0\0", 6) << u"version 2"_s;
        QTest::newRow("no flags") << "TDM\1"_ba << u"too early"_s;
        QTest::newRow("flags") << QByteArray("TDM\1\4\0", 6) << u"flags"_s;
        QTest::newRow("count") << QByteArray("TDM\1\0\xe9\x07", 7) << u"1001"_s;
        QTest::newRow("huge count") << QByteArray("TDM\1\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 15)
                                    << u"18446744073709551615"_s;
        QTest::newRow("endless number") << QByteArray("TDM\1\0", 5) + QByteArray(30, char(0xff)) << u"length"_s;
        QTest::newRow("points missing") << QByteArray("TDM\1\1\x05", 6) << u"length"_s;
        QTest::newRow("too much") << QByteArray("TDM\1\1\0xyz", 9) << u"length"_s;
    }

    /// With a right checksum, so that the checks behind it are reached: CRC-32C, done here bit by bit.
    void hostileBytes()
    {
        QFETCH(QByteArray, body);
        QFETCH(QString, word);
        quint32 crc = ~0U;
        for (const char c : std::as_const(body)) {
            crc ^= quint8(c);
            for (int bit = 0; bit < 8; ++bit)
                crc = crc & 1 ? crc >> 1 ^ 0x82f63b78U : crc >> 1;
        }
        crc = ~crc;
        for (int i = 0; i < 4; ++i)
            body.append(char(crc >> 8 * i));
        const auto decoded = decodeChunk(body);
        QVERIFY(!decoded);
        QCOMPARE(decoded.error().kind, Kind::invalid);
        QVERIFY2(decoded.error().message.contains(word), qPrintable(decoded.error().message));
    }
};

QTEST_GUILESS_MAIN(TestMetricChunk)
#include "tst_metric_chunk.moc"
