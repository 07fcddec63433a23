// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/guide/guide_page.h"

#include <QTest>

using namespace Qt::StringLiterals;

class TestGuidePage : public QObject
{
    Q_OBJECT
private slots:
    void readsSections()
    {
        const models::GuidePage page = models::parseGuidePage(uR"(# Slurm, `sbatch` & more

A paragraph that goes
on in the next line.

## Settings

- one **item**
  that goes on
- another

| field | meaning |
|---|:---|
| `partition` | where [it](a.md#b) runs |

### Settings ###
> quoted
> text
)"_s);
        QCOMPARE(page.title, u"Slurm, sbatch & more"_s);
        QCOMPARE(page.sections.size(), 3);
        QCOMPARE(page.sections[0].level, 1);
        QCOMPARE(page.sections[0].anchor, u"slurm-sbatch--more"_s);
        QCOMPARE(page.sections[0].lines, QStringList{u"A paragraph that goes on in the next line."_s});
        QCOMPARE(page.sections[1].anchor, u"settings"_s);
        QCOMPARE(page.sections[1].lines,
            (QStringList{
                u"one item that goes on"_s, u"another"_s, u"field · meaning"_s, u"partition · where it runs"_s}));
        QCOMPARE(page.sections[2].heading, u"Settings"_s);
        QCOMPARE(page.sections[2].anchor, u"settings-1"_s);
        QCOMPARE(page.sections[2].lines, QStringList{u"quoted text"_s});
        QCOMPARE(page.links, QStringList{u"a.md#b"_s});
    }

    void readsBlocksOfCode()
    {
        const models::GuidePage page = models::parseGuidePage(
            u"# T\n```python my_queue.py\n# no heading\n\n    x = [1](2)\n```\n```sh\ntrialdeck list\n```\n- in a list\n\n  ````\n  ```\n  ````\n"_s);
        QCOMPARE(page.sections.size(), 1);
        QCOMPARE(page.codes.size(), 3);
        QCOMPARE(page.codes[0].language, u"python"_s);
        QCOMPARE(page.codes[0].file, u"my_queue.py"_s);
        QCOMPARE(page.codes[0].lines, (QStringList{u"# no heading"_s, QString(), u"    x = [1](2)"_s}));
        QCOMPARE(page.codes[1].language, u"sh"_s);
        QCOMPARE(page.codes[1].file, QString());
        QCOMPARE(page.codes[2].lines, QStringList{u"```"_s});
        QCOMPARE(page.sections[0].lines,
            (QStringList{u"# no heading"_s, u"x = [1](2)"_s, u"trialdeck list"_s, u"in a list"_s, u"```"_s}));
        QVERIFY(page.links.isEmpty());
    }

    void plainText_data()
    {
        QTest::addColumn<QString>("markdown");
        QTest::addColumn<QString>("plain");
        QTest::addColumn<QStringList>("links");
        const auto row = [](const char* name, const char16_t* markdown, const char16_t* plain, QStringList links = {}) {
            QTest::newRow(name) << QString::fromUtf16(markdown) << QString::fromUtf16(plain) << links;
        };
        row("emphasis", u"**bold** and *it*, 2 * 3", u"bold and it, 2 * 3");
        row("code keeps its marks", u"`a*b*` and `` `x` ``", u"a*b* and `x`");
        row("a tick alone", u"a ` b", u"a ` b");
        row("a link", u"see [`x` **y**](p.md), then", u"see x y, then", {u"p.md"_s});
        row("a link with a title", u"[x](p.md \"T\")", u"x", {u"p.md"_s});
        row("brackets alone", u"a [b] (c)", u"a [b] (c)");
        row("a picture is no link", u"![the table](../../pictures/a.png)", u"the table");
        row("an address", u"<https://example.org/a>", u"https://example.org/a", {u"https://example.org/a"_s});
        row("a tag", u"a <br> b", u"a  b");
        row("comparison", u"a < b > c", u"a < b > c");
        row("escapes", u"\\*not\\* \\[a\\]", u"*not* [a]");
        row("Chinese", u"见[**指南**](index.md)。", u"见指南。", {u"index.md"_s});
    }
    void plainText()
    {
        QFETCH(QString, markdown);
        QFETCH(QStringList, links);
        const models::GuidePage page = models::parseGuidePage(markdown);
        QCOMPARE(page.sections.size(), 1);
        QCOMPARE(page.sections[0].level, 0);
        QTEST(page.sections[0].lines.value(0), "plain");
        QCOMPARE(page.links, links);
    }

    void anchors_data()
    {
        QTest::addColumn<QString>("heading");
        QTest::addColumn<QString>("anchor");
        QTest::newRow("words") << u"Adding it"_s << u"adding-it"_s;
        QTest::newRow("marks") << u"What's there, already?"_s << u"whats-there-already"_s;
        QTest::newRow("dashes") << u"own_script - a-b"_s << u"own_script---a-b"_s;
        QTest::newRow("Chinese") << u"添加：它 吗？"_s << u"添加它-吗"_s;
    }
    void anchors()
    {
        QFETCH(QString, heading);
        QTEST(models::guideAnchor(heading), "anchor");
    }

    void odd_data()
    {
        QTest::addColumn<QString>("markdown");
        for (const char16_t* one : {u"", u"\n\n", u"```sh\nnever ends", u"[", u"![", u"[a](", u"[a](b", u"``", u"<",
                 u"#", u"|", u"[[a]](b)", u"\\"})
            QTest::addRow("%s", qPrintable(QString::fromUtf16(one).toHtmlEscaped())) << QString::fromUtf16(one);
    }
    void odd()
    {
        QFETCH(QString, markdown);
        const models::GuidePage page = models::parseGuidePage(markdown);
        QVERIFY(page.title.isEmpty());
        QVERIFY(page.sections.size() <= 1);
    }
};

QTEST_GUILESS_MAIN(TestGuidePage)
#include "tst_guide_page.moc"
