// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/selection.h"

#include <QTest>

using namespace Qt::StringLiterals;
using core::TrialId;
using models::Selection;

class TstSelection : public QObject
{
    Q_OBJECT
private slots:
    void colorsAreKeptUntilTheTrialLeaves();
    void aLargeSelectionHasTheColorsThatItIsGiven();
    void colorsGoInTheGivenOrder();
};

static TrialId id(int number)
{
    return TrialId(u"t%1"_s.arg(number, 2, 10, QLatin1Char('0')));
}

void TstSelection::colorsAreKeptUntilTheTrialLeaves()
{
    Selection selection;
    selection.set({id(5)}, nullptr);
    QCOMPARE(selection.colorOf(id(5)), 0);
    selection.set({id(5), id(1), id(9)}, nullptr);
    QCOMPARE(selection.colorOf(id(5)), 0);
    QCOMPARE(selection.colorOf(id(1)), 1);
    QCOMPARE(selection.colorOf(id(9)), 2);
    selection.set({id(1), id(9)}, nullptr);
    QCOMPARE(selection.colorOf(id(5)), -1);
    QCOMPARE(selection.colorOf(id(1)), 1);
    // The next one takes the colour that has become free.
    selection.set({id(1), id(9), id(12)}, nullptr);
    QCOMPARE(selection.colorOf(id(12)), 0);
    QCOMPARE(selection.colorOf(id(9)), 2);
}

void TstSelection::aLargeSelectionHasTheColorsThatItIsGiven()
{
    Selection selection;
    QSet<TrialId> trials;
    for (int i = 0; i < Selection::mostColors; ++i)
        trials.insert(id(i));
    selection.set(trials, nullptr);
    QSet<int> colors;
    for (const TrialId& trial : std::as_const(trials))
        colors.insert(selection.colorOf(trial));
    QCOMPARE(colors.size(), Selection::mostColors);
    QVERIFY(!colors.contains(-1));
    trials.insert(id(90));
    selection.set(trials, nullptr);
    QCOMPARE(selection.colorOf(id(90)), -1); // until it is given one
    const int kept = selection.colorOf(id(3));
    selection.colorSome({id(90), id(3)});
    QCOMPARE(selection.colors().size(), 2);
    QCOMPARE(selection.colorOf(id(3)), kept);
    QVERIFY(selection.colorOf(id(90)) >= 0 && selection.colorOf(id(90)) != kept);
    QCOMPARE(selection.colorOf(id(1)), -1);
    selection.set({id(1), id(3)}, nullptr);
    selection.colorSome({id(1)});
    QCOMPARE(selection.colorOf(id(3)), kept); // of few each has one
}

void TstSelection::colorsGoInTheGivenOrder()
{
    const QHash<TrialId, int> colors = models::colorTrials({id(3), id(1), id(2)}, {{id(2), 1}, {id(8), 0}});
    QCOMPARE(colors, (QHash<TrialId, int>{{id(2), 1}, {id(3), 0}, {id(1), 2}}));
    QList<TrialId> many;
    for (int i = 0; i < 20; ++i)
        many.append(id(i));
    QCOMPARE(models::colorTrials(many, {}).size(), Selection::mostColors);
}

QTEST_APPLESS_MAIN(TstSelection)
#include "tst_selection.moc"
