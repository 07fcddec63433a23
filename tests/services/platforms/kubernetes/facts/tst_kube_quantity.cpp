// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/facts/kube_quantity.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

using Amount = std::optional<qint64>;

class TestKubeQuantity : public QObject
{
    Q_OBJECT
private slots:
    void amounts_data();
    void amounts();
};

void TestKubeQuantity::amounts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<Amount>("value");
    QTest::addColumn<Amount>("milli");
    const auto row = [](const char* text, Amount value, Amount milli) {
        QTest::newRow(text) << QString::fromLatin1(text) << value << milli;
    };
    row("0", 0, 0);
    row("2", 2, 2'000);
    row("+2", 2, 2'000);
    row("1500m", 2, 1'500);
    row("1m", 1, 1);
    row("100u", 1, 1);
    row("3n", 1, 1);
    row("0.5", 1, 500);
    row(".5", 1, 500);
    row("5.", 5, 5'000);
    row("1.5000000000000000000000000000", 2, 1'500);
    row("0.0001", 1, 1);
    row("1k", 1'000, 1'000'000);
    row("3M", 3'000'000, 3'000'000'000);
    row("2G", 2'000'000'000, 2'000'000'000'000);
    row("1T", 1'000'000'000'000, 1'000'000'000'000'000);
    row("1P", 1'000'000'000'000'000, 1'000'000'000'000'000'000);
    row("1E", 1'000'000'000'000'000'000, {});
    row("1Ki", 1'024, 1'024'000);
    row("1.5Ki", 1'536, 1'536'000);
    row("4Gi", 4'294'967'296, 4'294'967'296'000);
    row("512Mi", 536'870'912, 536'870'912'000);
    row("1Ti", 1'099'511'627'776, 1'099'511'627'776'000);
    row("1Pi", 1'125'899'906'842'624, 1'125'899'906'842'624'000);
    row("1Ei", 1'152'921'504'606'846'976, {});
    row("0.5Ei", 576'460'752'303'423'488, {});
    row("0Ei", 0, 0);
    row("8Ei", {}, {});
    row("7Ei", 8'070'450'532'247'928'832, {});
    row("1e3", 1'000, 1'000'000);
    row("1E3", 1'000, 1'000'000);
    row("12e-1", 2, 1'200);
    row("1e+2", 100, 100'000);
    row("1e18", 1'000'000'000'000'000'000, {});
    row("1e19", {}, {});
    row("1e100", {}, {});
    row("1e101", {}, {});
    row("1e-100", 1, 1);
    row("0e100", 0, 0);
    row("9223372036854775807", {}, {}); // more digits than any amount has
    row("999999999999999999", 999'999'999'999'999'999, {});
    for (const char* damaged : {"", " ", ".", "+", "-1", "1 ", " 1", "1.2.3", "m", "Gi", "1gi", "1K", "1KI", "1mi",
             "1e", "1e+", "1e1.5", "1e1000", "0x10", "1,5", "1_000", "NaN", "inf", "++1", "1Gi2"})
        row(damaged, {}, {});
}

void TestKubeQuantity::amounts()
{
    QFETCH(QString, text);
    QFETCH(Amount, value);
    QFETCH(Amount, milli);
    QCOMPARE(quantityValue(text), value);
    QCOMPARE(quantityMilli(text), milli);
}

QTEST_APPLESS_MAIN(TestKubeQuantity)
#include "tst_kube_quantity.moc"
