// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/schedule/trial_queue.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace schedule;

namespace {

PlacementRequest request(const QString& id, int priority, qint64 order, std::optional<int> gpus = std::nullopt)
{
    return {TrialId(id), ExperimentId(u"e1"_s), PlatformId(u"lab"_s), priority, order, false, gpus, {}};
}

} // namespace

class TestRequestQueue : public QObject
{
    Q_OBJECT

private slots:
    void servesByPriorityThenOrder()
    {
        TrialQueue queue;
        queue.put(request(u"ta"_s, 0, 5));
        queue.put(request(u"tb"_s, 3, 9, 2));
        queue.put(request(u"tc"_s, 0, 1, 1));
        queue.put(request(u"td"_s, 0, 5));
        const QList<TrialId> expected{TrialId(u"tb"_s), TrialId(u"tc"_s), TrialId(u"ta"_s), TrialId(u"td"_s)};
        QCOMPARE(queue.ordered(), expected);
    }

    void sameWishesShareAClass()
    {
        TrialQueue queue;
        queue.put(request(u"ta"_s, 0, 1));
        queue.put(request(u"tb"_s, 7, 2));
        queue.put(request(u"tc"_s, 0, 3, 0)); // none is not the same as absent
        QCOMPARE(queue.classes().size(), size_t(2));
        QCOMPARE(queue.classOf(TrialId(u"ta"_s)), queue.classOf(TrialId(u"tb"_s)));
        QVERIFY(queue.classOf(TrialId(u"ta"_s)) != queue.classOf(TrialId(u"tc"_s)));
        QVERIFY(!queue.classOf(TrialId(u"tz"_s)));
    }

    void putReplaces()
    {
        TrialQueue queue;
        queue.put(request(u"ta"_s, 0, 1));
        PlacementRequest changed = request(u"ta"_s, 4, 8, 2);
        changed.hold = true;
        changed.wantedMachine = MachineId(u"m1"_s);
        queue.put(changed);
        QCOMPARE(queue.size(), 1);
        QCOMPARE(queue.classes().size(), size_t(1));
        QCOMPARE(*queue.find(TrialId(u"ta"_s)), changed);
    }

    void removeLeavesNothing()
    {
        TrialQueue queue;
        queue.put(request(u"ta"_s, 0, 1));
        const auto before = queue.classOf(TrialId(u"ta"_s));
        queue.remove(TrialId(u"ta"_s));
        queue.remove(TrialId(u"ta"_s));
        QCOMPARE(queue.size(), 0);
        QVERIFY(queue.classes().empty());
        QVERIFY(!queue.find(TrialId(u"ta"_s)));
        // A number that was seen once never means something else.
        queue.put(request(u"tb"_s, 0, 1, 3));
        QVERIFY(queue.classOf(TrialId(u"tb"_s)) != before);
    }
};

QTEST_GUILESS_MAIN(TestRequestQueue)
#include "tst_trial_queue.moc"
