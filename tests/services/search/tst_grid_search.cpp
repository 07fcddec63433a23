// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/search/grid_search.h"

#include <QFile>
#include <QTest>

#include <cmath>
#include <set>

using namespace Qt::StringLiterals;
using namespace search;

static SearchSpace gridOf(const QByteArray& text)
{
    auto space = parseSearchSpace(*parseJson(text));
    if (!space)
        qFatal("%s", qPrintable(space.error().message));
    return *space;
}

/// Equal but for the last digits of exp and of the inverse error function.
static bool nearlyEqual(const Json& a, const Json& b)
{
    if (a.is_object() && b.is_object()) {
        if (a.size() != b.size())
            return false;
        for (const auto& [name, value] : a.items())
            if (!b.contains(name) || !nearlyEqual(value, b[name]))
                return false;
        return true;
    }
    if (a.is_number_float() && b.is_number_float()) {
        const double x = a.get<double>();
        const double y = b.get<double>();
        return std::abs(x - y) <= 1e-12 * std::max(std::abs(x), std::abs(y)) + 1e-300;
    }
    return a.is_number_float() == b.is_number_float() && a == b;
}

class TestGridSearch : public QObject
{
    Q_OBJECT

private slots:
    /// The file was recorded from NNI 2.10.1: each space with the parameters that its GridSearch tuner gave, in order.
    void ordersAsNni_data()
    {
        QFile file(QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/fixtures/search/grid_order.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto cases = parseJson(file.readAll());
        QVERIFY(cases);
        QTest::addColumn<QByteArray>("record");
        for (const auto& [name, record] : cases->items())
            QTest::newRow(name.c_str()) << dumpJson(record);
    }

    void ordersAsNni()
    {
        QFETCH(QByteArray, record);
        const Json expected = *parseJson(record);
        GridSearch search(gridOf(dumpJson(expected["space"])));
        for (const Json& wanted : expected["parameters"]) {
            const auto got = search.next();
            QVERIFY2(got, "ended too early");
            QVERIFY2(nearlyEqual(*got, wanted),
                qPrintable(u"%1: %2 instead of %3"_s.arg(search.position())
                               .arg(QString::fromUtf8(dumpJson(*got)), QString::fromUtf8(dumpJson(wanted)))));
        }
        if (expected["exhausted"].get<bool>()) {
            QVERIFY(!search.next());
            QVERIFY(!search.next());
        }
    }

    void quantisedGridIsComplete()
    {
        GridSearch search(gridOf(R"({"b":{"_type":"quniform","_value":[16,1024,16]}})"));
        std::set<double> values;
        int count = 0;
        while (const auto point = search.next()) {
            values.insert((*point)["b"].get<double>());
            QVERIFY(++count < 1000);
        }
        QCOMPARE(count, 64);
        QCOMPARE(values.size(), 64u);
        QCOMPARE(*values.begin(), 16.0);
        QCOMPARE(*values.rbegin(), 1024.0);
    }

    void continuousNeverRepeats()
    {
        GridSearch search(gridOf(R"({"a":{"_type":"uniform","_value":[0,1]},"b":{"_type":"lognormal","_value":[0,1]},
            "c":{"_type":"qnormal","_value":[0,1,1]}})"));
        std::set<QByteArray> seen;
        for (int i = 0; i < 5000; ++i) {
            const auto point = search.next();
            QVERIFY(point);
            QVERIFY2(seen.insert(dumpJson(*point)).second, dumpJson(*point).constData());
        }
    }

    void tailsEnd()
    {
        GridSearch search(gridOf(R"({"c":{"_type":"qlognormal","_value":[0,1,50]}})"));
        int count = 0;
        while (search.next())
            QVERIFY(++count < 1000);
        QVERIFY2(count > 5, qPrintable(QString::number(count)));
    }

    void nestedThreeDeep()
    {
        GridSearch search(gridOf(R"({"a":{"_type":"choice","_value":[
            {"_name":"x","b":{"_type":"choice","_value":[
             {"_name":"p","c":{"_type":"choice","_value":[1,2]}},{"_name":"q"}]}},
            {"_name":"y"}]},"d":{"_type":"randint","_value":[0,2]}})"));
        QByteArrayList all;
        while (const auto point = search.next())
            all.append(dumpJson(*point));
        QCOMPARE(all,
            QByteArrayList({R"({"a":{"_name":"x","b":{"_name":"p","c":1}},"d":0})",
                R"({"a":{"_name":"x","b":{"_name":"p","c":1}},"d":1})",
                R"({"a":{"_name":"x","b":{"_name":"p","c":2}},"d":0})",
                R"({"a":{"_name":"x","b":{"_name":"p","c":2}},"d":1})",
                R"({"a":{"_name":"x","b":{"_name":"q"}},"d":0})", R"({"a":{"_name":"x","b":{"_name":"q"}},"d":1})",
                R"({"a":{"_name":"y"},"d":0})", R"({"a":{"_name":"y"},"d":1})"}));
    }

    void hugeRangesAreNotStored()
    {
        GridSearch search(
            gridOf(R"({"n":{"_type":"randint","_value":[0,4000000000000]},"m":{"_type":"randint","_value":[0,3]}})"));
        search.skip(3'000);
        QCOMPARE(dumpJson(*search.next()), R"({"n":1000,"m":0})"_ba);
    }

    void resumes_data()
    {
        QTest::addColumn<int>("passed");
        for (const int passed : {0, 1, 17, 120, 499})
            QTest::addRow("%d", passed) << passed;
    }

    void resumes()
    {
        QFETCH(int, passed);
        const SearchSpace space =
            gridOf(R"({"u":{"_type":"uniform","_value":[0,1]},"c":{"_type":"choice","_value":["a","b",3]}})");
        GridSearch first(space);
        for (int i = 0; i < passed; ++i)
            QVERIFY(first.next());
        GridSearch second(space);
        second.skip(quint64(passed));
        QCOMPARE(second.position(), quint64(passed));
        GridSearch copy = second;
        for (int i = 0; i < 20; ++i) {
            const auto expected = first.next();
            QVERIFY(*expected == *second.next());
            QVERIFY(*expected == *copy.next());
        }
    }

    void skippingPastTheEnd()
    {
        GridSearch search(gridOf(R"({"c":{"_type":"choice","_value":[1,2]}})"));
        search.skip(1'000'000'000'000);
        QCOMPARE(search.position(), 2u);
        QVERIFY(!search.next());
    }
};

QTEST_GUILESS_MAIN(TestGridSearch)
#include "tst_grid_search.moc"
