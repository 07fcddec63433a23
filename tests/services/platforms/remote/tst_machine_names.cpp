// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/remote/machine_names.h"

#include <QTest>

#include <set>

using namespace core;
using namespace platforms;
using namespace Qt::StringLiterals;

namespace {

QStringList namesOf(const Json& list)
{
    QStringList names;
    for (const Json& entry : list)
        names.append(entry.contains("name") ? entry["name"].get<QString>() : u"-"_s);
    return names;
}

} // namespace

class TestMachineNames : public QObject
{
    Q_OBJECT
private slots:
    void fromAddresses()
    {
        const Json list = Json::array({{{"host", "Lab1.Example.org"}},
            {{"host", "ada@lab1.example.org"}, {"port", 2222}}, {{"host", "lab1.example.org"}, {"user", "bob"}},
            {{"host", "::1"}}, {{"host", "fe80::1%eth0"}}, {{"host", "a_b"}}});
        const Result<Json> named = withMachineNames(list, Json::array());
        QVERIFY(named);
        QCOMPARE(namesOf(*named),
            QStringList({u"lab1.example.org"_s, u"lab1.example.org-2222"_s, u"lab1.example.org-2"_s, u"ip6-1"_s,
                u"ip6-fe80-1-eth0"_s, u"a-b"_s}));
        QVERIFY(*withMachineNames(*named, *named) == *named);
        QCOMPARE(machineIdOf(PlatformId(u"my_lab"_s), u"lab1"_s).value, u"my-lab.lab1"_s);
        QCOMPARE(machineIdOf(PlatformId(), u"lab1"_s).value, u"lab1"_s);
    }

    void orderDoesNotMatter()
    {
        const Json ada = {{"host", "lab"}, {"user", "ada"}};
        const Json bob = {{"host", "lab"}, {"user", "bob"}};
        const Json kept = *withMachineNames(Json::array({ada, bob}), Json::array());
        QCOMPARE(namesOf(kept), QStringList({u"lab"_s, u"lab-2"_s}));
        // Another client sends the addresses alone, in another order.
        QCOMPARE(namesOf(*withMachineNames(Json::array({bob, ada}), kept)), QStringList({u"lab-2"_s, u"lab"_s}));
        QCOMPARE(namesOf(*withMachineNames(Json::array({bob}), kept)), QStringList({u"lab-2"_s}));
        // The same account, written in another way.
        const Json inOne = {{"host", "bob@lab"}};
        QCOMPARE(namesOf(*withMachineNames(Json::array({inOne, ada}), kept)), QStringList({u"lab-2"_s, u"lab"_s}));
        // A new one does not take the name of one that leaves with the same change.
        const Json eve = {{"host", "lab"}, {"user", "eve"}};
        QCOMPARE(namesOf(*withMachineNames(Json::array({eve, bob}), kept)), QStringList({u"lab-3"_s, u"lab-2"_s}));
        // A moved machine keeps its name.
        Json moved = kept;
        moved[1]["host"] = "10.0.0.7";
        QCOMPARE(namesOf(*withMachineNames(moved, kept)), QStringList({u"lab"_s, u"lab-2"_s}));
    }

    void twiceTheSameAccount()
    {
        const Json ada = {{"host", "lab"}};
        const Json kept = *withMachineNames(Json::array({ada, ada}), Json::array());
        QCOMPARE(namesOf(kept), QStringList({u"lab"_s, u"lab-2"_s}));
        QCOMPARE(namesOf(*withMachineNames(Json::array({ada, ada}), kept)), QStringList({u"lab"_s, u"lab-2"_s}));
    }

    void refused_data()
    {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::newRow("taken") << u"a"_s << u"a"_s;
        QTest::newRow("upper case") << u"Lab"_s << u"b"_s;
        QTest::newRow("slash") << u"a"_s << u"../b"_s;
        QTest::newRow("option") << u"-rf"_s << u"b"_s;
        QTest::newRow("long") << u"a"_s << QString(129, u'b');
        QTest::newRow("line end") << u"a\n"_s << u"b"_s;
    }
    void refused()
    {
        QFETCH(QString, first);
        QFETCH(QString, second);
        const Json list = Json::array({{{"host", "x"}, {"name", first}}, {{"host", "y"}, {"name", second}}});
        const Result<Json> named = withMachineNames(list, Json::array());
        QVERIFY(!named);
        QCOMPARE(named.error().kind, Kind::invalid);
        QVERIFY2(named.error().message.contains(u"machineList["_s), qPrintable(named.error().message));
    }

    /// What cannot be read is left to who reads it; nothing is lost or thrown.
    void unreadableEntries()
    {
        const Json list = Json::array({{{"host", "two words"}}, {{"user", "ada"}}, {{"host", "lab"}}});
        const Result<Json> named = withMachineNames(list, Json::array({Json(7), Json::object()}));
        QVERIFY(named);
        QCOMPARE(namesOf(*named), QStringList({u"-"_s, u"-"_s, u"lab"_s}));
    }

    void wrongOnesAreSortedOut()
    {
        // Wrong: numbers above 9, and a number that stands there already.
        const auto judge = [](const Json& list) -> Result<> {
            std::set<int> seen;
            for (size_t i = 0; i < list.size(); ++i) {
                const int number = list[i].get<int>();
                if (number > 9 || !seen.insert(number).second)
                    return fail(Kind::invalid, u"machineList[%1] is %2."_s.arg(i).arg(number));
            }
            return {};
        };
        QVERIFY(sortedMachines(Json::array({1, 2}), judge).refused.empty());
        const SortedMachines sorted = sortedMachines(Json::array({20, 1, 2, 1, 3, 30}), judge);
        QVERIFY2(sorted.usable == Json::array({1, 2, 3}), sorted.usable.dump().c_str());
        QStringList refused;
        for (const SortedMachines::Refused& each : sorted.refused)
            refused.append(QString::number(each.index) + u": "_s + each.error.message);
        QCOMPARE(refused,
            QStringList({u"0: machineList[0] is 20."_s, u"5: machineList[5] is 30."_s, u"3: machineList[3] is 1."_s}));
        QVERIFY(sortedMachines(Json::array({20, 20}), judge).usable.empty());
    }
};

QTEST_GUILESS_MAIN(TestMachineNames)
#include "tst_machine_names.moc"
