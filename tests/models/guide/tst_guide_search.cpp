// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/guide/guide_search.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

class TestGuideSearch : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(u"guide/en"_s));
        write(u"index.md"_s, u"# Guide\n- [Slurm](slurm.md): jobs of a cluster\n- [Ours](ours.md)\n"_s);
        write(u"slurm.md"_s,
            u"# Slurm\nA cluster with queues.\n## Arrays\nMany trials in one job.\n## Limits\nAn account may have few jobs.\n"_s);
        write(u"ours.md"_s,
            u"# Ours\n%1\n## 数组作业\n每个作业运行许多试验。\n```sh\ntrialdeck list --status FAILED\n```\n"_s.arg(
                u"word "_s.repeated(40) + u"NEEDLE in hay "_s + u"more "_s.repeated(40)));
    }

    void finds_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QStringList>("found"); // page#heading
        QTest::newRow("one word, those with it in a heading first")
            << u"slurm"_s << QStringList{u"slurm.md#"_s, u"index.md#"_s};
        QTest::newRow("the title counts for its sections") << u"SLURM trials"_s << QStringList{u"slurm.md#Arrays"_s};
        QTest::newRow("both words") << u"jobs account"_s << QStringList{u"slurm.md#Limits"_s};
        QTest::newRow("a part of a word") << u"arra"_s << QStringList{u"slurm.md#Arrays"_s};
        QTest::newRow("in no section together") << u"arrays account"_s << QStringList{};
        QTest::newRow("Chinese") << u"作业运行"_s << QStringList{u"ours.md#数组作业"_s};
        QTest::newRow("code") << u"--status failed"_s << QStringList{u"ours.md#数组作业"_s};
        QTest::newRow("blanks alone") << u"  \u3000 "_s << QStringList{};
        QTest::newRow("nothing") << u"kubernetes"_s << QStringList{};
    }
    void finds()
    {
        QFETCH(QString, typed);
        const models::GuideBook book(m_folder.path(), u"en"_s);
        QStringList found;
        for (const models::GuideHit& hit : models::GuideSearch(book).find(typed))
            found.append(hit.page + u'#' + hit.heading);
        QTEST(found, "found");
    }

    void contextHasTheWord()
    {
        const models::GuideBook book(m_folder.path(), u"en"_s);
        const QList<models::GuideHit> hits = models::GuideSearch(book).find(u"needle"_s);
        QCOMPARE(hits.size(), 1);
        QVERIFY2(hits[0].context.size() < 130, qPrintable(hits[0].context));
        QVERIFY(hits[0].context.startsWith(u"…word"_s));
        QVERIFY(hits[0].context.endsWith(u"…"_s));
        QVERIFY(hits[0].context.contains(u"NEEDLE in hay"_s));
        QCOMPARE(hits[0].title, u"Ours"_s);
    }

    void contextBeginsNotFarBeforeTheWord_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("context");
        QTest::newRow("near the beginning") << u"A line with a needle in it"_s << u"A line with a needle in it"_s;
        QTest::newRow("far from it") << u"This line has more words than fit, and a needle at its end"_s
                                     << u"…has more words than fit, and a needle at its end"_s;
        QTest::newRow("Chinese") << u"这一行在这个词之前有许多其他的字，它们放不下，然后是needle这个词。"_s
                                 << u"…前有许多其他的字，它们放不下，然后是needle这个词。"_s;
    }
    void contextBeginsNotFarBeforeTheWord()
    {
        QFETCH(QString, line);
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(u"guide/en"_s));
        QFile file(folder.filePath(u"guide/en/index.md"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write("# T\n" + line.toUtf8()) > 0);
        file.close();
        const models::GuideBook book(folder.path(), u"en"_s);
        const QList<models::GuideHit> hits = models::GuideSearch(book).find(u"needle"_s);
        QCOMPARE(hits.size(), 1);
        QTEST(hits[0].context, "context");
    }

    void leavesNothingOut()
    {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(u"guide/en"_s));
        QFile file(folder.filePath(u"guide/en/index.md"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 300; ++i)
            QVERIFY(file.write("## Section\n\nneedle\n\n") > 0);
        file.close();
        const models::GuideBook book(folder.path(), u"en"_s);
        QCOMPARE(models::GuideSearch(book).find(u"needle"_s).size(), 300);
    }

    void marks()
    {
        using Marks = QList<std::pair<int, int>>;
        QCOMPARE(models::guideMarks(u"A job, a JOB"_s, {u"job"_s}), (Marks{{2, 3}, {9, 3}}));
        QCOMPARE(models::guideMarks(u"abcdef"_s, {u"bcd"_s, u"de"_s}), (Marks{{1, 4}}));
        QCOMPARE(models::guideMarks(u"abc"_s, {u"x"_s}), Marks());
        QCOMPARE(models::guideWords(u" a\u3000b  a "_s), (QStringList{u"a"_s, u"b"_s}));
    }

private:
    void write(const QString& name, const QString& text)
    {
        QFile file(m_folder.filePath(u"guide/en/"_s + name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write(text.toUtf8()) > 0);
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestGuideSearch)
#include "tst_guide_search.moc"
