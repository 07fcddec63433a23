// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trials/column_layout.h"
#include "tests/fakes/fake_engine_port.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace Qt::StringLiterals;
using models::ColumnLayout;
using models::PlacedColumn;
using models::TrialColumn;

namespace {

/// A table of one trial with these parameters.
models::TrialTable tableOf(const QStringList& parameters)
{
    core::Trial trial = fakes::sampleTrial(1);
    core::Json values = core::Json::object();
    for (const QString& name : parameters)
        values[name.toStdString()] = 1;
    trial.parameters = QByteArray::fromStdString(values.dump());
    models::TrialTable table;
    table.put(std::make_shared<const core::Trial>(trial));
    return table;
}

QStringList namesOf(const std::vector<PlacedColumn>& placed, const models::TrialTable& table, bool shownOnly)
{
    QStringList names;
    for (const PlacedColumn& one : placed)
        if (one.isShown || !shownOnly)
            names += models::columnName(table, one.column);
    return names;
}

} // namespace

class TestColumnLayout : public QObject
{
    Q_OBJECT
private slots:
    void withoutAChoiceItIsTheUsualOrder()
    {
        const models::TrialTable table = tableOf({u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"e"_s, u"f"_s, u"g"_s});
        const auto placed = models::placeColumns({}, table);
        QCOMPARE(int(placed.size()), table.columnCount());
        const QStringList expected{u"state"_s, u"number"_s, u"best"_s, u"last"_s, u"curve"_s, u"parameter/a"_s,
            u"parameter/b"_s, u"parameter/c"_s, u"parameter/d"_s, u"parameter/e"_s, u"parameter/f"_s, u"machine"_s,
            u"ran"_s};
        QCOMPARE(namesOf(placed, table, true), expected); // g is the seventh parameter
    }

    void theExperimentIsShownWhereTrialsAreOfAll()
    {
        models::TrialTable table = tableOf({});
        QVERIFY(!namesOf(models::placeColumns({}, table), table, true).contains(u"experiment"_s));
        table.setOfAll(true);
        QCOMPARE(namesOf(models::placeColumns({}, table), table, true).mid(0, 4),
            (QStringList{u"state"_s, u"number"_s, u"experiment"_s, u"best"_s}));
        const ColumnLayout chosen{{u"state"_s, true, 0}, {u"experiment"_s, false, 0}, {u"id"_s, true, 0}};
        QVERIFY(!namesOf(models::placeColumns(chosen, table), table, true).contains(u"experiment"_s));
        // The choice of one table is none for another.
        QVERIFY(namesOf(models::placeColumns(models::forAnotherExperiment(chosen), table), table, true)
                    .contains(u"experiment"_s));
    }

    void everyFixedColumnHasAName()
    {
        const models::TrialTable table = tableOf({});
        QSet<QString> names;
        for (int column = 0; column < models::baseColumns; ++column)
            names.insert(models::columnName(table, column));
        QCOMPARE(names.size(), models::baseColumns);
        QVERIFY(!names.contains(QString()));
    }

    void aChoiceIsKept()
    {
        const models::TrialTable table = tableOf({u"lr"_s, u"fresh"_s});
        const ColumnLayout chosen{{u"parameter/lr"_s, true, 99}, {u"machine"_s, false, 0}, {u"state"_s, true, 0},
            {u"parameter/gone"_s, true, 0}, {u"machine"_s, true, 0}, {u"nonsense"_s, true, 0}};
        const auto placed = models::placeColumns(chosen, table);
        QCOMPARE(int(placed.size()), table.columnCount());
        QCOMPARE(models::columnName(table, placed[0].column), u"parameter/lr"_s);
        QCOMPARE(placed[0].width, 99);
        QCOMPARE(models::columnName(table, placed[1].column), u"parameter/fresh"_s); // behind the last parameter
        QVERIFY(placed[1].isShown);
        QVERIFY(!namesOf(placed, table, true).contains(u"machine"_s)); // the first of two choices counts
        QSet<int> columns;
        for (const PlacedColumn& one : placed)
            columns.insert(one.column);
        QCOMPARE(columns.size(), table.columnCount());
    }

    void parametersOfAnotherExperimentAreNotTaken()
    {
        const ColumnLayout chosen{{u"state"_s, true, 0}, {u"parameter/lr"_s, false, 0}, {u"id"_s, true, 50}};
        QCOMPARE(models::withoutParameters(chosen), (ColumnLayout{{u"state"_s, true, 0}, {u"id"_s, true, 50}}));
        QCOMPARE(models::forAnotherExperiment(chosen), (ColumnLayout{{u"state"_s, true, 0}, {u"id"_s, true, 50}}));
    }

    void textIsReadBack()
    {
        const ColumnLayout layout{{u"state"_s, true, 0}, {u"parameter/\"/ü"_s, false, 120}};
        QCOMPARE(models::layoutOf(models::layoutText(layout)), layout);
    }

    void otherTextIsNoLayout_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("entries");
        QTest::newRow("empty") << u""_s << 0;
        QTest::newRow("object") << u"{\"a\":1}"_s << 0;
        QTest::newRow("cut") << u"[[\"state\",tru"_s << 0;
        QTest::newRow("wrong kinds") << u"[[1,true,0],[\"a\",1,0],[\"a\",true,\"0\"],[\"a\"],7,[\"id\",true,-4]]"_s
                                     << 1;
        QTest::newRow("too long") << u"[[\"state\",true,0],%1]"_s.arg(QString(300'000, u' ')) << 0;
    }
    void otherTextIsNoLayout()
    {
        QFETCH(QString, text);
        QFETCH(int, entries);
        const ColumnLayout layout = models::layoutOf(text);
        QCOMPARE(layout.size(), entries);
        if (entries == 1)
            QCOMPARE(layout[0].width, 0);
    }

    void movesTurnOneOrderIntoAnother()
    {
        std::mt19937 random(7);
        for (int size = 0; size < 40; ++size) {
            std::vector<int> order(size_t(size), 0);
            std::iota(order.begin(), order.end(), 100);
            std::vector<int> wanted = order;
            std::shuffle(wanted.begin(), wanted.end(), random);
            std::vector<int> now = order;
            const auto moves = models::movesBetween(order, wanted);
            for (const auto& [from, to] : moves) {
                const int moved = now[size_t(from)];
                now.erase(now.begin() + from);
                now.insert(now.begin() + to, moved);
            }
            QCOMPARE(now, wanted);
            QVERIFY(int(moves.size()) < std::max(1, size));
            QVERIFY(models::movesBetween(wanted, wanted).empty());
        }
        // One entry from the front to the end is one move.
        QCOMPARE(models::movesBetween({1, 2, 3, 4}, {2, 3, 4, 1}).size(), size_t(1));
        QCOMPARE(models::movesBetween({1, 2, 3, 4}, {4, 1, 2, 3}).size(), size_t(1));
    }
};

QTEST_APPLESS_MAIN(TestColumnLayout)
#include "tst_column_layout.moc"
