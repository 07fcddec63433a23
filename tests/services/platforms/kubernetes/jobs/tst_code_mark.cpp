// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/jobs/code_mark.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

class TestCodeMark : public QObject
{
    Q_OBJECT
private slots:
    void marks();
};

void TestCodeMark::marks()
{
    const QString sha(64, u'a');
    const TrialId trial(u"t1"_s);
    const QString mark = codeMark("key", trial, sha);
    QVERIFY(mark.startsWith(sha + u':'));
    QVERIFY(mark.size() < 128);
    QCOMPARE(markedCode("key", trial, mark), sha);
    QVERIFY(markedCode("other", trial, mark).isEmpty());
    QVERIFY(markedCode("key", TrialId(u"t2"_s), mark).isEmpty());
    const QString other = QString(64, u'b') + mark.sliced(64);
    for (const QString& wrong :
        {QString(), u":"_s, sha, sha + u':', mark + u'0', mark.chopped(1), other, mark.toUpper()})
        QVERIFY2(markedCode("key", trial, wrong).isEmpty(), qPrintable(wrong));
}

QTEST_GUILESS_MAIN(TestCodeMark)
#include "tst_code_mark.moc"
