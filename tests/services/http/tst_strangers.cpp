// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/http/strangers.h"

#include <QtTest>

using http::Strangers;

class TestStrangers : public QObject
{
    Q_OBJECT
private slots:
    void theOldestLeaves();
    void onePeerTakesNoPlaceOfOthers();
    void whoShowedATokenIsNoStranger();

private:
    /// Never used but as a name.
    static http::Connection* connection(std::uintptr_t number)
    {
        return reinterpret_cast<http::Connection*>(number * 64);
    }
};

void TestStrangers::theOldestLeaves()
{
    Strangers strangers(3, 2);
    for (std::uintptr_t i = 1; i <= 3; ++i)
        QVERIFY(!strangers.add(connection(i), ""));
    QCOMPARE(strangers.add(connection(4), ""), connection(1));
    strangers.remove(connection(1));
    QCOMPARE(strangers.size(), size_t(3));
    QCOMPARE(strangers.add(connection(5), ""), connection(2));
}

void TestStrangers::onePeerTakesNoPlaceOfOthers()
{
    Strangers strangers(10, 2);
    QVERIFY(!strangers.add(connection(1), "10.0.0.1"));
    QVERIFY(!strangers.add(connection(2), "10.0.0.2"));
    QVERIFY(!strangers.add(connection(3), "10.0.0.2"));
    QCOMPARE(strangers.add(connection(4), "10.0.0.2"), connection(2));
    strangers.remove(connection(2));
    QCOMPARE(strangers.add(connection(5), "10.0.0.2"), connection(3));
    QVERIFY(!strangers.add(connection(6), "10.0.0.1"));
}

void TestStrangers::whoShowedATokenIsNoStranger()
{
    Strangers strangers(2, 2);
    QVERIFY(!strangers.add(connection(1), "10.0.0.1"));
    strangers.remove(connection(1));
    strangers.remove(connection(1));
    QCOMPARE(strangers.size(), size_t(0));
    QVERIFY(!strangers.add(connection(2), "10.0.0.1"));
    QVERIFY(!strangers.add(connection(3), "10.0.0.1"));
    QCOMPARE(strangers.add(connection(4), "10.0.0.1"), connection(2));
}

QTEST_GUILESS_MAIN(TestStrangers)
#include "tst_strangers.moc"
