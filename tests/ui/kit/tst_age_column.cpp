// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/age_column.h"

#include <QDateTime>
#include <QTest>
#include <QTreeWidget>

class TestAgeColumn : public QObject
{
    Q_OBJECT
private slots:
    void agesGoOn()
    {
        QTreeWidget list;
        list.setColumnCount(2);
        ui::keepAges(list, 1);
        auto* row = new QTreeWidgetItem(&list);
        auto* none = new QTreeWidgetItem(&list);
        ui::setAge(*row, 1, QDateTime::currentMSecsSinceEpoch() - 10'000);
        ui::setAge(*none, 1, 0);
        QCOMPARE(none->text(1), QString());
        QVERIFY(none->toolTip(1).isEmpty());
        const QString first = row->text(1);
        QVERIFY(first.contains(u"10"));
        QVERIFY(!row->toolTip(1).isEmpty());
        list.show();
        QTRY_VERIFY(row->text(1) != first);
        QCOMPARE(none->text(1), QString());
    }
};

QTEST_MAIN(TestAgeColumn)
#include "tst_age_column.moc"
