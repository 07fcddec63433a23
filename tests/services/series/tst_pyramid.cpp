// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/series/pyramid.h"

#include <QTest>

#include <cmath>
#include <ctime>
#include <random>
#include <thread>

using namespace Qt::StringLiterals;
using namespace series;

static constexpr double inf = std::numeric_limits<double>::infinity();

/// The same answer by going through all points: what the pyramid must equal.
static std::vector<Column> naive(const Points& points, const Query& query, qint64 origin)
{
    const double nan = std::nan("");
    std::vector<Column> columns(static_cast<size_t>(query.columns));
    for (size_t i = 0; i < columns.size(); ++i) {
        columns[i].x = query.from + double(i) * (query.to - query.from) / query.columns;
        columns[i].min = columns[i].max = columns[i].first = columns[i].last = columns[i].firstX = columns[i].lastX =
            nan;
    }
    for (size_t i = 0; i < points.size(); ++i) {
        const double x = query.axis == Axis::step ? points.step[i]
            : query.axis == Axis::time            ? double(points.time[i])
            : query.axis == Axis::relative        ? double(points.time[i] - origin)
                                                  : double(i);
        if (!(x >= query.from && x <= query.to))
            continue;
        Column& column = columns[size_t(columnOf(x, query.from, query.to, query.columns))];
        const double v = points.value[i];
        ++column.count;
        if (std::isnan(v)) {
            ++column.nanCount;
        } else if (std::isinf(v)) {
            ++(v > 0 ? column.plusInfinities : column.minusInfinities);
        } else {
            if (std::isnan(column.min)) {
                column.min = column.max = column.first = v;
                column.firstX = x;
            }
            column.min = std::min(column.min, v);
            column.max = std::max(column.max, v);
            column.last = v;
            column.lastX = x;
        }
    }
    return columns;
}

static QString differs(const std::vector<Column>& a, const std::vector<Column>& b)
{
    if (a.size() != b.size())
        return u"%1 columns and %2"_s.arg(a.size()).arg(b.size());
    const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    for (size_t i = 0; i < a.size(); ++i) {
        const Column& l = a[i];
        const Column& r = b[i];
        if (!same(l.min, r.min) || !same(l.max, r.max) || !same(l.first, r.first) || !same(l.last, r.last)
            || !same(l.firstX, r.firstX) || !same(l.lastX, r.lastX) || l.count != r.count || l.nanCount != r.nanCount
            || l.plusInfinities != r.plusInfinities || l.minusInfinities != r.minusInfinities
            || std::abs(l.x - r.x) > 1e-9 * std::max(1.0, std::abs(r.x)))
            return u"column %1: min %2 %3 max %4 %5 first %6 %7 last %8 %9"_s.arg(i)
                       .arg(l.min)
                       .arg(r.min)
                       .arg(l.max)
                       .arg(r.max)
                       .arg(l.first)
                       .arg(r.first)
                       .arg(l.last)
                       .arg(r.last)
                + u" count %1 %2 firstX %3 %4 x %5 %6"_s.arg(l.count)
                      .arg(r.count)
                      .arg(l.firstX)
                      .arg(r.firstX)
                      .arg(l.x)
                      .arg(r.x);
    }
    return {};
}

/// Nanoseconds of processor time of this thread: other programs do not count.
static qint64 processorTime()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return qint64(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

static Points piece(const Points& points, size_t from, size_t to)
{
    Points part;
    for (size_t i = from; i < to; ++i)
        part.append(points.sequence[i], points.step[i], points.time[i], points.value[i]);
    return part;
}

class TestPyramid : public QObject
{
    Q_OBJECT

private slots:
    /// Random series of every awkward kind, appended in random pieces, asked in random ranges, against the naive
    /// answer.
    void equalsTheNaiveAnswer_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<QByteArray>("kind");
        for (const int size : {0, 1, 63, 64, 65, 1023, 1025, 8191, 8192, 8193, 20'000})
            for (const char* kind : {"plain", "spikes", "specials", "duplicates", "resumed", "scattered", "noSteps"})
                QTest::addRow("%s %d", kind, size) << size << QByteArray(kind);
    }

    void equalsTheNaiveAnswer()
    {
        QFETCH(int, size);
        QFETCH(QByteArray, kind);
        std::mt19937_64 random(quint64(size) * 31 + qHash(kind));
        const auto unit = [&] { return double(random() >> 11) * 0x1p-53; };
        Points points;
        double step = 0;
        qint64 time = 1'750'000'000'000;
        for (int i = 0; i < size; ++i) {
            double value = unit() * 2 - 1;
            if (kind == "spikes" && random() % 500 == 0)
                value *= 1e12;
            if (kind == "specials" && random() % 3 == 0)
                value = std::array{std::nan(""), inf, -inf}[random() % 3];
            if (kind == "specials" && i > 2000 && i < 5000)
                value = std::nan("");
            step += kind == "duplicates" ? double(random() % 2) : unit();
            time += qint64(random() % 5);
            if (kind == "resumed" && random() % 1500 == 0)
                step = 0;
            if (kind == "scattered")
                step = unit() * 1000;
            if (kind == "scattered" && random() % 1000 == 0)
                time -= 1000;
            points.append(i, kind == "noSteps" && random() % 50 == 0 ? std::nan("") : step, time, value);
        }
        Pyramid pyramid;
        for (size_t done = 0; done < points.size();) {
            const size_t n = std::min<size_t>(1 + random() % (random() % 4 == 0 ? 3000 : 40), points.size() - done);
            if (n == 1)
                pyramid.append(points.step[done], points.time[done], points.value[done]);
            else
                pyramid.append(piece(points, done, done + n));
            done += n;
        }
        QCOMPARE(pyramid.size(), points.size());
        const bool withOrigin = random() % 2 == 0;
        const qint64 origin = withOrigin || size == 0 ? 1'749'999'999'000 : points.time[0];
        if (withOrigin || size == 0)
            pyramid.setOrigin(origin);

        for (const Axis axis : {Axis::step, Axis::time, Axis::relative, Axis::index}) {
            auto [low, high] = pyramid.range(axis);
            if (size == 0) {
                QVERIFY(std::isnan(low) && std::isnan(high));
                low = 0;
                high = 1;
            }
            std::vector<Query> queries{{axis, low, high, 1}, {axis, low, high, 7}, {axis, low, high, 2000},
                {axis, low - 10, high + 10, 33}, {axis, low, low, 3}, {axis, high, high, 2},
                {axis, high + 1, high + 2, 4}};
            for (int i = 0; i < 6; ++i) {
                const double a = low + unit() * (high - low);
                const double b = low + unit() * (high - low);
                queries.push_back({axis, std::min(a, b), std::max(a, b), int(1 + random() % (i % 2 == 0 ? 20 : 3000))});
            }
            for (const Query& query : queries) {
                const QString difference = differs(pyramid.query(query), naive(points, query, origin));
                QVERIFY2(difference.isEmpty(),
                    qPrintable(u"axis %1 from %2 to %3 columns %4: "_s.arg(int(axis))
                                   .arg(query.from)
                                   .arg(query.to)
                                   .arg(query.columns)
                        + difference));
            }
        }
    }

    void oneSpikeInMillions()
    {
        Pyramid pyramid;
        for (int i = 0; i < 1'000'000; ++i)
            pyramid.append(i, i, i == 777'777 ? 1e30 : i == 123'456 ? -5.0 : 0.0);
        const auto columns = pyramid.query({Axis::step, 0, 1e6, 100});
        QCOMPARE(columns.size(), 100u);
        for (size_t i = 0; i < 100; ++i) {
            QCOMPARE(columns[i].count, 10'000u);
            QCOMPARE(columns[i].max, i == 77 ? 1e30 : 0.0);
            QCOMPARE(columns[i].min, i == 12 ? -5.0 : 0.0);
        }
    }

    void oddRanges()
    {
        Pyramid pyramid;
        const auto none = pyramid.query({Axis::step, -inf, inf, 2});
        QCOMPARE(none.size(), 2u);
        QCOMPARE(none[1].count, 0u);
        QCOMPARE(none[1].x, 0.0);
        pyramid.append(10, 1000, 1);
        pyramid.append(20, 2000, 2);
        pyramid.append(30, 3000, 4);
        const double nan = std::nan("");
        QVERIFY(pyramid.query({Axis::step, 2, 1, 5}).empty());
        QVERIFY(pyramid.query({Axis::step, nan, 1, 5}).empty());
        QVERIFY(pyramid.query({Axis::step, 0, nan, 5}).empty());
        QVERIFY(pyramid.query({Axis::step, 0, 1, 0}).empty());
        QVERIFY(pyramid.query({Axis::step, 0, 1, -3}).empty());
        const auto all = pyramid.query({Axis::step, -inf, inf, 2});
        QCOMPARE(all[0].x, 10.0);
        QCOMPARE(all[1].x, 20.0);
        QCOMPARE(all[0].count, 1u);
        QCOMPARE(all[1].max, 4.0);
        QCOMPARE(all[1].firstX, 20.0);
        QCOMPARE(all[1].lastX, 30.0);
        QCOMPARE(pyramid.query({Axis::step, -inf, 5, 2})[0].count, 0u);
        QCOMPARE(pyramid.query({Axis::step, 35, inf, 2})[0].count, 0u);
        QCOMPARE(pyramid.query({Axis::step, 20, inf, 1})[0].count, 2u);
        QCOMPARE(pyramid.query({Axis::relative, 0, 1500, 1})[0].count, 2u);
        pyramid.setOrigin(-500);
        QCOMPARE(pyramid.query({Axis::relative, 0, 1500, 1})[0].count, 1u);
        QCOMPARE(pyramid.range(Axis::relative), std::pair(1500.0, 3500.0));
        QCOMPARE(pyramid.value(2), 4.0);
        QCOMPARE(pyramid.time(1), 2000);
        QCOMPARE(pyramid.step(0), 10.0);
    }

    void columnsAreHalfOpenButTheLast()
    {
        QCOMPARE(columnOf(0, 0, 10, 5), 0);
        QCOMPARE(columnOf(1.999, 0, 10, 5), 0);
        QCOMPARE(columnOf(2, 0, 10, 5), 1);
        QCOMPARE(columnOf(10, 0, 10, 5), 4);
        QCOMPARE(columnOf(3, 3, 3, 5), 0);
        QCOMPARE(columnOf(5e-324, 0, 5e-324, 5), 0);
    }

    void copiesAreSnapshots()
    {
        Pyramid pyramid;
        const auto grow = [&](int from, int to) {
            for (int i = from; i < to; ++i)
                pyramid.append(i, i, i % 100);
        };
        grow(0, 10'000);
        const Pyramid snapshot = pyramid;
        std::vector<Column> seen;
        std::thread reader([copy = snapshot, &seen]() mutable {
            for (int i = 0; i < 50; ++i)
                seen = copy.query({Axis::step, 0, 1e6, 10});
            copy = {};
        });
        grow(10'000, 40'000);
        reader.join();
        QCOMPARE(seen[0].count, 10'000u);
        QCOMPARE(snapshot.size(), 10'000u);
        QCOMPARE(snapshot.query({Axis::step, 0, 1e6, 1})[0].count, 10'000u);
        QCOMPARE(pyramid.query({Axis::step, 0, 1e6, 1})[0].count, 40'000u);
    }

    /// Printed, not judged: this also runs under sanitizers and on busy machines.
    void timing()
    {
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
        const int chunks = 30;
#else
        const int chunks = 10'000;
#endif
        Points points;
        Pyramid pyramid;
        qint64 appending = 0;
        std::mt19937_64 random(3);
        for (int c = 0; c < chunks; ++c) {
            points = {};
            for (int i = 0; i < 1000; ++i) {
                const int n = c * 1000 + i;
                points.append(n, n, 1'750'000'000'000 + n, double(random() >> 40));
            }
            const qint64 start = processorTime();
            pyramid.append(points);
            appending += processorTime() - start;
        }
        const double n = double(pyramid.size());
        qInfo("append: %.1f million points a second", n / double(appending) * 1e3);
        qInfo("memory: %.3f of 24 bytes a point", double(pyramid.memoryBytes()) / (n * 24));
        for (const Axis axis : {Axis::step, Axis::time, Axis::index}) {
            for (const int columns : {1, 2000}) {
                const qint64 start = processorTime();
                const auto result = pyramid.query({axis, -inf, inf, columns});
                qInfo(
                    "query of %d columns, axis %d: %.3f ms", columns, int(axis), double(processorTime() - start) / 1e6);
                QCOMPARE(result.size(), size_t(columns));
            }
        }
        for (int run = 0; run < 70; ++run)
            pyramid.append(0, 0, 0), pyramid.append(1, 1, 0);
        const qint64 start = processorTime();
        QCOMPARE(pyramid.query({Axis::step, -inf, inf, 2000}).size(), 2000u);
        qInfo("query of a scattered axis: %.1f ms", double(processorTime() - start) / 1e6);
        QVERIFY(double(pyramid.memoryBytes()) < n * 24 * 1.5);
    }
};

QTEST_GUILESS_MAIN(TestPyramid)
#include "tst_pyramid.moc"
