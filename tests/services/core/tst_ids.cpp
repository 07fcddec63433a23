// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/ids.h"

#include <QRegularExpression>
#include <QSet>
#include <QtTest>

#include <unordered_set>

using namespace core;
using namespace Qt::StringLiterals;

class TestIds : public QObject
{
    Q_OBJECT
private slots:
    void sortedAndUnique();
    void survivesAClockThatGoesBack();
    void compareAndHash();
};

void TestIds::sortedAndUnique()
{
    IdMaker maker;
    QSet<QString> seen;
    QString last;
    qint64 now = 1'750'000'000'000;
    const QRegularExpression form(u"^t[0-9a-hjkmnp-tv-z]{14}$"_s);
    for (int i = 0; i < 20'000; ++i) {
        if (i % 100 == 0)
            ++now;
        const QString id = maker.make(u't', now);
        QVERIFY(id > last);
        QVERIFY(!seen.contains(id));
        seen.insert(id);
        last = id;
        if (i % 1'000 == 0)
            QVERIFY2(form.match(id).hasMatch(), qPrintable(id));
    }
    QVERIFY(maker.make(u'e', now).startsWith(u'e'));
}

void TestIds::survivesAClockThatGoesBack()
{
    IdMaker maker;
    const QString first = maker.make(u't', 1'750'000'000'000);
    const QString second = maker.make(u't', 1'600'000'000'000);
    const QString third = maker.make(u't', 0);
    const QString fourth = maker.make(u't', 1'750'000'000'001);
    QVERIFY(first < second);
    QVERIFY(second < third);
    QVERIFY(third < fourth);
}

void TestIds::compareAndHash()
{
    const TrialId a(u"t1"_s);
    const TrialId b(u"t2"_s);
    QVERIFY(a < b);
    QVERIFY(a != b);
    QVERIFY(a == TrialId(u"t1"_s));
    QVERIFY(TrialId().isEmpty());
    QCOMPARE(QSet<TrialId>({a, b, a}).size(), 2);
    QCOMPARE(std::unordered_set<TrialId>({a, b, a}).size(), size_t(2));
    static_assert(!std::is_convertible_v<TrialId, ExperimentId>);
}

QTEST_GUILESS_MAIN(TestIds)
#include "tst_ids.moc"
