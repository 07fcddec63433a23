// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/newest_by_id.h"

#include <QtTest>

#include <memory>

using Table = core::NewestById<int, std::shared_ptr<const int>>;

class TestNewestById : public QObject
{
    Q_OBJECT
private slots:
    void keepsTheOrderOfFirstComing();
    void droppedAndPutAgainComesLast();
    void compactKeepsEveryPlace();
    void takeLeavesNothing();

private:
    static std::shared_ptr<const int> value(int number) { return std::make_shared<const int>(number); }
    static QList<int> values(const QList<std::shared_ptr<const int>>& list)
    {
        QList<int> out;
        for (const auto& each : list)
            out.append(each ? *each : -1);
        return out;
    }
};

void TestNewestById::keepsTheOrderOfFirstComing()
{
    Table table;
    table.put(3, value(30));
    table.put(1, value(10));
    table.put(3, value(31));
    QCOMPARE(values(table.list()), (QList<int>{31, 10}));
    QCOMPARE(*table.find(3), 31);
    QVERIFY(!table.find(2));
}

void TestNewestById::droppedAndPutAgainComesLast()
{
    Table table;
    for (const int id : {1, 2, 3})
        table.put(id, value(id));
    QVERIFY(table.drop(1));
    QVERIFY(!table.drop(1));
    table.put(1, value(11));
    QCOMPARE(table.size(), 3);
    QCOMPARE(values(table.take()), (QList<int>{2, 3, 11}));
}

void TestNewestById::compactKeepsEveryPlace()
{
    Table table;
    for (int id = 0; id < 100; ++id)
        table.put(id, value(id));
    for (int id = 0; id < 100; id += 3)
        table.drop(id);
    table.compact();
    table.compact();
    QCOMPARE(table.list().size(), table.size());
    for (int id = 0; id < 100; ++id)
        QCOMPARE(bool(table.find(id)), id % 3 != 0);
    table.put(50, value(500));
    QCOMPARE(*table.find(50), 500);
    QCOMPARE(table.size(), 66);
}

void TestNewestById::takeLeavesNothing()
{
    Table table;
    table.put(1, value(1));
    table.put(2, value(2));
    table.drop(2);
    QCOMPARE(values(table.take()), QList<int>{1});
    QVERIFY(table.list().isEmpty() && table.size() == 0 && !table.find(1));
    table.put(1, value(7));
    QCOMPARE(values(table.list()), QList<int>{7});
}

QTEST_GUILESS_MAIN(TestNewestById)
#include "tst_newest_by_id.moc"
