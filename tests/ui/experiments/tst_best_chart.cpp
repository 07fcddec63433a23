// SPDX-License-Identifier: GPL-3.0-or-later
// The chart of the objective over the trials of an experiment, for whatever trials report.
#include "tests/fakes/page_bench.h"
#include "ui/experiments/best_chart.h"

#include <cmath>
#include <limits>

using namespace core;

class TestBestChart : public QObject
{
    Q_OBJECT
private slots:
    void valuesBesideEachOther_data();
    void valuesBesideEachOther();
};

/// A step between them is none: adding it to one gives the same number.
void TestBestChart::valuesBesideEachOther_data()
{
    QTest::addColumn<double>("value");
    QTest::newRow("a share") << 0.5;
    QTest::newRow("a clock in nanoseconds") << 1.76e18;
    QTest::newRow("a negative one") << -1.76e18;
    QTest::newRow("far out") << 1e300;
    QTest::newRow("small") << 1e-300;
}

void TestBestChart::valuesBesideEachOther()
{
    QFETCH(const double, value);
    const fakes::PageBench bench;
    std::vector<TrialPtr> trials;
    for (const double one : {value, std::nextafter(value, std::numeric_limits<double>::max())}) {
        Trial trial;
        trial.id = TrialId(QString::number(trials.size()));
        trial.sequenceId = qint64(trials.size());
        trial.bestMetric = one;
        trials.push_back(std::make_shared<const Trial>(trial));
    }
    ui::BestChart chart;
    chart.setTrials(trials, true);
    chart.resize(400, 220);
    QVERIFY(!chart.grab().isNull()); // it returns
}

QTEST_MAIN(TestBestChart)
#include "tst_best_chart.moc"
