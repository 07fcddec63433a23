// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/clock.h"

#include <QDateTime>
#include <QtTest>

using namespace core;

class TestClock : public QObject
{
    Q_OBJECT
private slots:
    void reads();
    void callsOnceAndLater();
    void destroyingCancels();
    void callbackMayDestroyItsHandle();
};

void TestClock::reads()
{
    SystemClock clock;
    QVERIFY(qAbs(clock.nowMs() - QDateTime::currentMSecsSinceEpoch()) < 10'000);
    const qint64 first = clock.steadyMs();
    QVERIFY(clock.steadyMs() >= first);
}

void TestClock::callsOnceAndLater()
{
    SystemClock clock;
    int calls = 0;
    const qint64 start = clock.steadyMs();
    const auto immediate = clock.after(-5, [&] { ++calls; });
    const auto later = clock.after(30, [&] { calls += 10; });
    QCOMPARE(calls, 0);
    QTRY_COMPARE(calls, 11);
    QVERIFY(clock.steadyMs() - start >= 29);
    QCoreApplication::processEvents();
    QCOMPARE(calls, 11);
}

void TestClock::destroyingCancels()
{
    SystemClock clock;
    bool cancelled = false;
    bool other = false;
    auto handle = clock.after(1, [&] { cancelled = true; });
    handle.reset();
    const auto second = clock.after(20, [&] { other = true; });
    QTRY_VERIFY(other);
    QVERIFY(!cancelled);
}

void TestClock::callbackMayDestroyItsHandle()
{
    SystemClock clock;
    std::unique_ptr<TimerHandle> handle;
    bool called = false;
    handle = clock.after(1, [&] {
        handle.reset();
        called = true;
    });
    QTRY_VERIFY(called);
    QVERIFY(!handle);
}

QTEST_GUILESS_MAIN(TestClock)
#include "tst_clock.moc"
