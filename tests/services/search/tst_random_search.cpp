// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/search/random_search.h"

#include "services/search/distribution.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace Qt::StringLiterals;
using namespace search;

using Cdf = std::function<double(double)>;
Q_DECLARE_METATYPE(Cdf)

static constexpr int draws = 10'000;

static double normalCdf(double x)
{
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

static SearchSpace spaceOf(const QByteArray& spec)
{
    auto space = parseSearchSpace(*parseJson("{\"x\":" + spec + '}'));
    if (!space)
        qFatal("%s", qPrintable(space.error().message));
    return *space;
}

static std::vector<double> sample(const QByteArray& spec, quint64 seed)
{
    RandomSearch search(spaceOf(spec), seed);
    std::vector<double> values;
    for (int i = 0; i < draws; ++i)
        values.push_back(search.next()["x"].get<double>());
    return values;
}

/// The value that a chi-square statistic with this many degrees exceeds once in a thousand (Wilson and Hilferty).
static double chiSquareBound(int degrees)
{
    const double d = degrees;
    return d * std::pow(1 - 2 / (9 * d) + 3.09 * std::sqrt(2 / (9 * d)), 3);
}

class TestRandomSearch : public QObject
{
    Q_OBJECT

private slots:
    void continuousFollowsItsDistribution_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<Cdf>("cdf");
        QTest::newRow("uniform") << R"({"_type":"uniform","_value":[-2,6]})"_ba
                                 << Cdf([](double x) { return (x + 2) / 8; });
        QTest::newRow("loguniform") << R"({"_type":"loguniform","_value":[1e-4,0.1]})"_ba
                                    << Cdf([](double x) { return std::log(x / 1e-4) / std::log(1e3); });
        QTest::newRow("normal") << R"({"_type":"normal","_value":[3,2]})"_ba
                                << Cdf([](double x) { return normalCdf((x - 3) / 2); });
        QTest::newRow("lognormal") << R"({"_type":"lognormal","_value":[1,0.5]})"_ba
                                   << Cdf([](double x) { return normalCdf((std::log(x) - 1) / 0.5); });
    }

    /// Kolmogorov and Smirnov: the greatest distance exceeds 1.95 / sqrt(n) once in a thousand.
    void continuousFollowsItsDistribution()
    {
        QFETCH(QByteArray, spec);
        QFETCH(Cdf, cdf);
        for (const quint64 seed : {1U, 2U, 3U}) {
            std::vector<double> values = sample(spec, seed);
            std::sort(values.begin(), values.end());
            double distance = 0;
            for (int i = 0; i < draws; ++i) {
                const double expected = cdf(values[size_t(i)]);
                distance = std::max({distance, expected - double(i) / draws, double(i + 1) / draws - expected});
            }
            QVERIFY2(distance < 1.95 / std::sqrt(double(draws)), qPrintable(QString::number(distance)));
        }
    }

    void discreteFollowsItsDistribution_data()
    {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<double>("q");
        QTest::addColumn<Cdf>("cdf"); // of the value before rounding
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        const double inf = std::numeric_limits<double>::infinity();
        QTest::newRow("randint") << R"({"_type":"randint","_value":[-3,7]})"_ba << 1.0
                                 << Cdf([](double x) { return std::clamp((x + 3.5) / 10, 0.0, 1.0); }) << -inf << inf;
        QTest::newRow("choice") << R"({"_type":"choice","_value":[0,1,2]})"_ba << 1.0
                                << Cdf([](double x) { return std::clamp((x + 0.5) / 3, 0.0, 1.0); }) << -inf << inf;
        QTest::newRow("quniform") << R"({"_type":"quniform","_value":[0,10,2]})"_ba << 2.0
                                  << Cdf([](double x) { return std::clamp(x / 10, 0.0, 1.0); }) << 0.0 << 10.0;
        QTest::newRow("qloguniform") << R"({"_type":"qloguniform","_value":[1,100,10]})"_ba << 10.0
                                     << Cdf([](double x) {
                                            return x <= 1 ? 0 : std::min(1.0, std::log(x) / std::log(100));
                                        })
                                     << 1.0 << 100.0;
        QTest::newRow("qnormal") << R"({"_type":"qnormal","_value":[5,2,0.5]})"_ba << 0.5
                                 << Cdf([](double x) { return normalCdf((x - 5) / 2); }) << -inf << inf;
        QTest::newRow("qlognormal") << R"({"_type":"qlognormal","_value":[1,1,1]})"_ba << 1.0
                                    << Cdf([](double x) { return x <= 0 ? 0 : normalCdf(std::log(x) - 1); }) << -inf
                                    << inf;
    }

    void discreteFollowsItsDistribution()
    {
        QFETCH(QByteArray, spec);
        QFETCH(double, q);
        QFETCH(Cdf, cdf);
        QFETCH(double, low);
        QFETCH(double, high);
        std::map<double, int> seen; // by multiple of q: what was clipped counts for the multiple that it came from
        for (const double value : sample(spec, 11)) {
            QVERIFY(value >= low && value <= high);
            const double multiple = std::nearbyint(value / q);
            QVERIFY(std::abs(multiple * q - value) < 1e-9 || value == low || value == high);
            ++seen[multiple];
        }
        double statistic = 0;
        double rest = 1;
        int restSeen = draws;
        int bins = 0;
        for (const auto& [multiple, count] : seen) {
            const double expected = cdf((multiple + 0.5) * q) - cdf((multiple - 0.5) * q);
            if (expected * draws < 10)
                continue;
            statistic += std::pow(count - expected * draws, 2) / (expected * draws);
            rest -= expected;
            restSeen -= count;
            ++bins;
        }
        if (rest * draws >= 10) {
            statistic += std::pow(restSeen - rest * draws, 2) / (rest * draws);
            ++bins;
        }
        QVERIFY(bins >= 3);
        QVERIFY2(statistic < chiSquareBound(bins - 1), qPrintable(u"%1 with %2 bins"_s.arg(statistic).arg(bins)));
    }

    void typesOfValues()
    {
        RandomSearch search(*parseSearchSpace(*parseJson(R"({"n":{"_type":"randint","_value":[0,5]},
            "q":{"_type":"quniform","_value":[16,128,16]},"s":{"_type":"choice","_value":["a",true,null]}})")),
            5);
        for (int i = 0; i < 100; ++i) {
            const Json drawn = search.next();
            QVERIFY(drawn["n"].is_number_integer());
            QVERIFY(drawn["q"].is_number_float());
            QVERIFY(!drawn["s"].is_number());
        }
    }

    void restartsWithoutReplay()
    {
        const SearchSpace space = spaceOf(R"({"_type":"normal","_value":[0,1]})");
        RandomSearch first(space, 42);
        std::vector<Json> all;
        for (int i = 0; i < 50; ++i)
            all.push_back(first.next());
        RandomSearch second(space, 42, 20);
        QCOMPARE(second.position(), 20u);
        for (size_t i = 20; i < 50; ++i)
            QVERIFY(second.next() == all[i]);
        QVERIFY(second.at(7) == all[7]);
        RandomSearch copy = second;
        second = RandomSearch(space, 43);
        QVERIFY(copy.at(8) == all[8]);
        QVERIFY(second.at(8) != all[8]);
        std::set<double> distinct;
        for (const Json& drawn : all)
            distinct.insert(drawn["x"].get<double>());
        QCOMPARE(distinct.size(), 50u);
    }

    /// These never change: a later version must continue the searches of an earlier one.
    void valuesAreFixed()
    {
        RandomSearch search(
            *parseSearchSpace(
                *parseJson(R"({"u":{"_type":"uniform","_value":[0,1]},"n":{"_type":"randint","_value":[0,1000000]}})")),
            7);
        QCOMPARE(dumpJson(search.at(0)), R"({"u":0.735755389552146,"n":348003})"_ba);
        QCOMPARE(dumpJson(search.at(1'000'000'007)), R"({"u":0.5265154530401546,"n":885845})"_ba);
    }

    void nestedHasOnlyItsOwnMembers()
    {
        RandomSearch search(*parseSearchSpace(*parseJson(R"({"opt": {"_type": "choice", "_value": [
            {"_name": "sgd", "momentum": {"_type": "uniform", "_value": [0, 1]}}, {"_name": "adam"}]}})")),
            1);
        int adam = 0;
        for (int i = 0; i < 200; ++i) {
            const Json drawn = search.next()["opt"];
            if (drawn["_name"] == "adam") {
                ++adam;
                QCOMPARE(drawn.size(), 1u);
            } else {
                QCOMPARE(drawn.size(), 2u);
                QVERIFY(drawn["momentum"].get<double>() < 1);
            }
        }
        QVERIFY(adam > 60 && adam < 140);
    }

    void neverInfinite()
    {
        RandomSearch search(spaceOf(R"({"_type":"lognormal","_value":[5000,1]})"), 1);
        QCOMPARE(search.next()["x"].get<double>(), std::numeric_limits<double>::max());
    }

    void inverseOfTheNormalDistribution()
    {
        QCOMPARE(inverseNormal(0.5), 0.0);
        QVERIFY(std::abs(inverseNormal(0.975) - 1.959963984540054) < 1e-15);
        QVERIFY(std::abs(inverseNormal(0.25) + 0.6744897501960817) < 2e-16);
        QVERIFY(std::isinf(inverseNormal(0)) && std::isinf(inverseNormal(1)));
        for (const double p : {1e-300, 1e-100, 1e-20, 1e-10, 1e-5, 0.01, 0.1, 0.3, 0.49999})
            QVERIFY2(std::abs(normalCdf(inverseNormal(p)) / p - 1) < 1e-11, qPrintable(QString::number(p)));
        for (double p = 0.001; p < 0.5; p += 0.013)
            QCOMPARE(inverseNormal(1 - p), -inverseNormal(1 - (1 - p)));
    }
};

QTEST_GUILESS_MAIN(TestRandomSearch)
#include "tst_random_search.moc"
