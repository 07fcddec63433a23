// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/series/best_so_far.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace series;

class TestBestSoFar : public QObject
{
    Q_OBJECT

private slots:
    void followsTheDirection()
    {
        const double nan = std::nan("");
        const std::vector<double> values{nan, 3, 2, 3, 5, nan, 1, 5, 4, 0};
        QVERIFY(bestSoFar(values, Direction::maximize) == (std::vector<BestStep>{{1, 3}, {4, 5}}));
        QVERIFY(bestSoFar(values, Direction::minimize) == (std::vector<BestStep>{{1, 3}, {2, 2}, {6, 1}, {9, 0}}));
        QVERIFY(bestSoFar({}, Direction::minimize).empty());
        const std::vector<double> none{nan, nan};
        QVERIFY(bestSoFar(none, Direction::maximize).empty());
    }

    void tellsAnImprovement()
    {
        BestSoFar best(Direction::minimize);
        QVERIFY(best.add(std::numeric_limits<double>::infinity()));
        QVERIFY(best.add(2));
        QVERIFY(!best.add(2));
        QVERIFY(!best.add(std::nan("")));
        QVERIFY(best.add(-1));
        QCOMPARE(best.steps().back().index, 4);
        QCOMPARE(best.steps().size(), 3u);
    }
};

QTEST_GUILESS_MAIN(TestBestSoFar)
#include "tst_best_so_far.moc"
