// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/result.h"
#include "services/core/scope.h"
#include "services/core/strand.h"

#include <QCoroSignal>
#include <QCoroTimer>
#include <QThread>
#include <QtTest>

#include <atomic>
#include <chrono>

using namespace core;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

class Gate : public QObject
{
    Q_OBJECT
signals:
    void opened();
};

Task<> waitFor(Gate* gate, bool* done)
{
    co_await qCoro(gate, &Gate::opened);
    *done = true;
}

Task<int> twice(int number)
{
    co_return number * 2;
}

} // namespace

class TestScope : public QObject
{
    Q_OBJECT
private slots:
    void drainsWhenAllEnded();
    void drainGivesUpAtItsDeadline();
    void stopReachesTheBodies();
    void callableLivesAsLongAsItsCoroutine();
    void emptyScopeDrainsAtOnce();
    void strandComesBackToTheCaller();
    void strandKeepsOneThreadAndOrder();
    void strandDoesNotBlockTheLoop();
    void strandReturnsResults();
    void strandDestroysCapturesOnce();
};

void TestScope::drainsWhenAllEnded()
{
    Scope scope;
    Gate gate;
    bool one = false;
    bool two = false;
    scope.spawn([&]() -> Task<> { co_await waitFor(&gate, &one); });
    scope.spawn([&]() -> Task<> { co_await waitFor(&gate, &two); });
    QCOMPARE(scope.running(), 2);
    std::optional<bool> drained;
    Scope outer;
    outer.spawn([&]() -> Task<> { drained = co_await scope.drain(); });
    QVERIFY(!drained);
    emit gate.opened();
    QTRY_VERIFY(drained.has_value());
    QVERIFY(*drained);
    QVERIFY(one && two);
    QCOMPARE(scope.running(), 0);
    QTRY_COMPARE(outer.running(), 0);
}

void TestScope::drainGivesUpAtItsDeadline()
{
    Scope scope;
    Scope outer;
    Gate gate;
    bool done = false;
    scope.spawn([&]() -> Task<> { co_await waitFor(&gate, &done); });
    std::optional<bool> drained;
    outer.spawn([&]() -> Task<> { drained = co_await scope.drain(20); });
    QTRY_VERIFY(drained.has_value());
    QVERIFY(!*drained);
    QCOMPARE(scope.running(), 1);
    QCOMPARE(scope.origins().size(), 1); // and the log can say which one it is
    QVERIFY(scope.origins().first().contains(u"tst_scope.cpp:"_s));
    emit gate.opened();
    QTRY_COMPARE(scope.running(), 0);
    QVERIFY(scope.origins().isEmpty());
    QVERIFY(done);
}

void TestScope::stopReachesTheBodies()
{
    Scope scope;
    int turns = 0;
    scope.spawn([&]() -> Task<> {
        while (!scope.stopToken().stop_requested()) {
            ++turns;
            co_await QCoro::sleepFor(1ms);
        }
    });
    QTRY_VERIFY(turns > 2);
    QCOMPARE(scope.running(), 1);
    QVERIFY(QCoro::waitFor(scope.drain()));
    QCOMPARE(scope.running(), 0);
}

void TestScope::callableLivesAsLongAsItsCoroutine()
{
    Scope scope;
    Gate gate;
    auto shared = std::make_shared<int>(1);
    std::weak_ptr<int> watch = shared;
    int seen = 0;
    scope.spawn([shared = std::move(shared), &gate, &seen]() -> Task<> {
        co_await qCoro(&gate, &Gate::opened);
        seen = *shared; // a capture, used after the suspension
    });
    QVERIFY(!watch.expired());
    emit gate.opened();
    QTRY_COMPARE(seen, 1);
    QTRY_VERIFY(watch.expired());
}

void TestScope::emptyScopeDrainsAtOnce()
{
    Scope scope;
    QVERIFY(QCoro::waitFor(scope.drain()));
    QVERIFY(scope.stopToken().stop_requested());
}

void TestScope::strandComesBackToTheCaller()
{
    Strand strand(u"test"_s);
    Scope scope;
    QThread* worker = nullptr;
    QThread* resumed = nullptr;
    scope.spawn([&]() -> Task<> {
        worker = co_await strand.run([] { return QThread::currentThread(); });
        resumed = QThread::currentThread();
    });
    QTRY_VERIFY(resumed);
    QVERIFY(worker != resumed);
    QCOMPARE(resumed, QThread::currentThread());
}

void TestScope::strandKeepsOneThreadAndOrder()
{
    Strand strand(u"test"_s);
    QList<int> order;
    QSet<QThread*> threads;
    for (int i = 0; i < 50; ++i) {
        strand.post([&, i] {
            order.append(i);
            threads.insert(QThread::currentThread());
        });
    }
    QCoro::waitFor(strand.run([&] { order.append(50); }));
    QCOMPARE(order.size(), 51);
    QVERIFY(std::is_sorted(order.begin(), order.end()));
    QCOMPARE(threads.size(), 1);
}

void TestScope::strandDoesNotBlockTheLoop()
{
    std::atomic<bool> release = false;
    Strand strand(u"test"_s);
    Scope scope;
    bool done = false;
    scope.spawn([&]() -> Task<> {
        co_await strand.run([&] {
            while (!release)
                QThread::yieldCurrentThread();
        });
        done = true;
    });
    int ticks = 0;
    QTimer timer;
    timer.callOnTimeout([&] { ++ticks; });
    timer.start(1);
    QTRY_VERIFY(ticks >= 5); // the loop turns while the worker waits
    QVERIFY(!done);
    release = true;
    QTRY_VERIFY(done);
}

void TestScope::strandReturnsResults()
{
    Strand strand(u"test"_s);
    const Result<int> bad =
        QCoro::waitFor(strand.run([]() -> Result<int> { return fail(Kind::timeout, u"Too late."_s); }));
    QVERIFY(!bad);
    QVERIFY(bad.error().kind == Kind::timeout);
    const auto moved = QCoro::waitFor(strand.run([] { return std::make_shared<int>(7); }));
    QCOMPARE(*moved, 7);
    QCOMPARE(QCoro::waitFor(twice(21)), 42);
}

void TestScope::strandDestroysCapturesOnce()
{
    // The two spellings that are safe; see strand.h.
    auto shared = std::make_shared<int>(3);
    Strand strand(u"test"_s);
    Scope scope;
    int sum = 0;
    scope.spawn([&]() -> Task<> {
        auto work = [shared] { return *shared; };
        sum += co_await strand.run(std::move(work));
        auto running = strand.run([shared] { return *shared; });
        sum += co_await running;
    });
    QTRY_COMPARE(scope.running(), 0);
    QCOMPARE(sum, 6);
    QTRY_COMPARE(shared.use_count(), 1L);
}

QTEST_GUILESS_MAIN(TestScope)
#include "tst_scope.moc"
