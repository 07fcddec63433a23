// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/quantile_scale.h"

#include <QTest>

#include <cmath>

using models::QuantileScale;

class TstQuantileScale : public QObject
{
    Q_OBJECT
private slots:
    void placesAreRanks();
    void anOutlierMovesNone();
    void equalValuesShareAPlace();
    void manyValuesAreSummedUp();
    void oddValuesAreLeftOut();
};

void TstQuantileScale::placesAreRanks()
{
    const QuantileScale scale({40, 10, 20, 30, 50});
    QCOMPARE(scale.placeOf(10), 0.0);
    QCOMPARE(scale.placeOf(20), 0.25);
    QCOMPARE(scale.placeOf(25), 0.375);
    QCOMPARE(scale.placeOf(50), 1.0);
    QCOMPARE(scale.placeOf(-100), 0.0);
    QCOMPARE(scale.placeOf(100), 1.0);
    QCOMPARE(scale.valueAt(0.375), 25.0);
    QCOMPARE(scale.valueAt(1), 50.0);
}

void TstQuantileScale::anOutlierMovesNone()
{
    const QuantileScale scale({0.90, 0.92, 0.94, 0.96, -1e9});
    QVERIFY(std::abs(scale.placeOf(0.90) - 0.25) < 1e-9);
    QVERIFY(std::abs(scale.placeOf(0.94) - 0.75) < 1e-9);
}

void TstQuantileScale::equalValuesShareAPlace()
{
    const QuantileScale scale({1, 2, 2, 2, 3});
    QCOMPARE(scale.placeOf(2), 0.5);
    QCOMPARE(QuantileScale({7, 7, 7}).placeOf(7), 1.0);
    QCOMPARE(QuantileScale({7}).placeOf(7), 1.0);
}

void TstQuantileScale::manyValuesAreSummedUp()
{
    std::vector<double> values;
    for (int i = 0; i <= 100'000; ++i)
        values.push_back(double(i) * i);
    const QuantileScale scale(values);
    QCOMPARE(scale.count(), size_t(100'001));
    for (const double place : {0.0, 0.1, 0.5, 0.99, 1.0}) {
        const double value = std::pow(place * 100'000, 2);
        QVERIFY(std::abs(scale.placeOf(value) - place) < 0.005);
        QVERIFY(std::abs(std::sqrt(scale.valueAt(place)) / 100'000 - place) < 0.005);
    }
}

void TstQuantileScale::oddValuesAreLeftOut()
{
    const QuantileScale scale({std::nan(""), HUGE_VAL, 1, -HUGE_VAL, 2});
    QCOMPARE(scale.count(), size_t(2));
    QCOMPARE(scale.placeOf(2), 1.0);
    QVERIFY(QuantileScale({std::nan("")}).isEmpty());
    QVERIFY(std::isnan(QuantileScale().valueAt(0.5)));
}

QTEST_APPLESS_MAIN(TstQuantileScale)
#include "tst_quantile_scale.moc"
