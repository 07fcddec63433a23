// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/one_shot.h"
#include "services/platforms/cluster/in_turns.h"

#include <QCoroTask>
#include <QTest>

using namespace core;
using platforms::inTurns;
using platforms::nextInTurn;

class TestInTurns : public QObject
{
    Q_OBJECT
private slots:
    void nothing();
    void atOnce();
    void aFewAtATime();
};

void TestInTurns::nothing()
{
    const std::function<Task<int>(int)> never = [](int) -> Task<int> { co_return 1; };
    QVERIFY(QCoro::waitFor(inTurns<int>(QList<int>(), 3, never)).empty());
}

void TestInTurns::aFewAtATime()
{
    int last = 0;
    const auto take = [&last](QList<int> items) {
        const QList<int> taken = nextInTurn(items, last, 2);
        return std::pair(taken, items);
    };
    using Pair = std::pair<QList<int>, QList<int>>;
    QCOMPARE(take({5, 1, 3}), Pair({1, 3}, {5}));
    QCOMPARE(take({1, 3, 5}), Pair({5, 1}, {3})); // none of them was answered
    QCOMPARE(take({9, 3}).first, (QList<int>{3, 9}));
    QVERIFY(take({9, 3}).second.isEmpty());
    QCOMPARE(take({2}).first, QList<int>{2});
    QVERIFY(take({}).first.isEmpty());
}

void TestInTurns::atOnce()
{
    std::map<int, OneShot<int>> shots;
    QList<int> begun;
    const std::function<Task<int>(int)> work = [&](int item) -> Task<int> {
        begun.append(item);
        co_return co_await shots[item].wait();
    };
    std::vector<int> results;
    const auto run = [&]() -> Task<> {
        auto running = inTurns<int>(QList<int>{1, 2, 3, 4}, 2, work);
        results = co_await running;
    };
    const Task<> running = run();
    QCOMPARE(begun, (QList<int>{1, 2}));
    shots[2].set(20);
    QCOMPARE(begun, (QList<int>{1, 2, 3}));
    shots[3].set(30);
    QCOMPARE(begun, (QList<int>{1, 2, 3, 4}));
    shots[4].set(40);
    QVERIFY(results.empty());
    shots[1].set(10);
    QCOMPARE(results, (std::vector<int>{10, 20, 30, 40}));
}

QTEST_GUILESS_MAIN(TestInTurns)
#include "tst_in_turns.moc"
