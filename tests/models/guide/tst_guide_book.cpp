// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/guide/guide_book.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using models::GuideBook;
using Kind = models::GuideTarget::Kind;

class TestGuideBook : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        write(u"guide/en/index.md"_s,
            "# Guide\n- [Two](two.md)\n- [Again](two.md#b)\n- [One](one.md)\n- [P](../../api/p.md)");
        write(u"guide/en/one.md"_s, "# One");
        write(u"guide/en/two.md"_s, "# Two\n## B\n## B");
        write(u"guide/en/zero.md"_s, "# Zero");
        write(u"guide/zh_CN/index.md"_s, "# 指南\n- [一](one.md)");
        write(u"guide/zh_CN/one.md"_s, "# 一");
        write(u"api/p.md"_s, "# Protocol\n## Calls");
        write(u"pictures/a.png"_s, "x");
    }

    void order()
    {
        QCOMPARE(GuideBook(m_folder->path(), u"en"_s).pages(),
            (QStringList{u"index.md"_s, u"two.md"_s, u"one.md"_s, u"zero.md"_s}));
        QCOMPARE(GuideBook(m_folder->path(), u"de_DE"_s).pages().size(), 4);
        QVERIFY(GuideBook(m_folder->filePath(u"none"_s), u"en"_s).pages().isEmpty());
    }

    void whatIsMissingIsInEnglish()
    {
        const GuideBook book(m_folder->path(), u"zh_CN"_s);
        QCOMPARE(book.pages(), (QStringList{u"index.md"_s, u"one.md"_s, u"two.md"_s, u"zero.md"_s}));
        QCOMPARE(book.title(u"index.md"_s), u"指南"_s);
        QCOMPARE(book.title(u"one.md"_s), u"一"_s);
        QCOMPARE(book.title(u"two.md"_s), u"Two"_s);
        QVERIFY(book.has(u"zero.md"_s));
        QVERIFY(!book.has(u"three.md"_s));
        QVERIFY(!book.has(QString()));
    }

    void links_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("link");
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("to"); // page or address
        QTest::addColumn<int>("section");
        const auto row = [](const char* name, const QString& from, const QString& link, Kind kind, const QString& to,
                             int section = 0) { QTest::newRow(name) << from << link << kind << to << section; };
        const QString index = u"index.md"_s;
        row("a page", index, u"two.md"_s, Kind::page, u"two.md"_s);
        row("its heading", index, u"two.md#b"_s, Kind::page, u"two.md"_s, 1);
        row("the second of that name", index, u"./two.md#b-1"_s, Kind::page, u"two.md"_s, 2);
        row("the same page", u"two.md"_s, u"#b"_s, Kind::page, u"two.md"_s, 1);
        row("the top", u"two.md"_s, u"#"_s, Kind::page, u"two.md"_s);
        row("another language", index, u"../zh_CN/one.md"_s, Kind::page, u"one.md"_s);
        row("another document", index, u"../../api/p.md#calls"_s, Kind::page, u"api/p.md"_s, 1);
        row("from there", u"api/p.md"_s, u"../guide/en/two.md"_s, Kind::page, u"two.md"_s);
        row("there itself", u"api/p.md"_s, u"#calls"_s, Kind::page, u"api/p.md"_s, 1);
        row("no such heading", index, u"two.md#c"_s, Kind::nothing, {});
        row("no such page", index, u"three.md"_s, Kind::document, u"resources/guide/en/three.md"_s);
        row("the repository", index, u"../../../README.md"_s, Kind::document, u"README.md"_s);
        row("a file of it", index, u"../../api/openapi.yaml"_s, Kind::document, u"resources/api/openapi.yaml"_s);
        row("outside", index, u"../../../../x.md"_s, Kind::nothing, {});
        row("the web", index, u"https://example.org/a.md#b"_s, Kind::web, u"https://example.org/a.md#b"_s);
    }
    void links()
    {
        QFETCH(QString, from);
        QFETCH(QString, link);
        const models::GuideTarget target = GuideBook(m_folder->path(), u"en"_s).resolve(from, link);
        QTEST(target.kind, "kind");
        QTEST(target.kind == Kind::page ? target.page : target.address, "to");
        QTEST(target.section, "section");
    }

    void pictures()
    {
        const GuideBook book(m_folder->path(), u"en"_s);
        QCOMPARE(book.picture(u"one.md"_s, u"../../pictures/a.png"_s), m_folder->filePath(u"pictures/a.png"_s));
        QCOMPARE(book.picture(u"one.md"_s, u"../../pictures/b.png"_s), QString());
        QCOMPARE(book.picture(u"one.md"_s, u"../../../../../etc/hostname"_s), QString());
    }

    void pagesOfKinds()
    {
        QCOMPARE(models::guidePageOfKind(u"slurm"_s), u"slurm.md"_s);
        QCOMPARE(models::guidePageOfKind(u"remote"_s), u"ssh-machines.md"_s);
        QCOMPARE(models::guidePageOfKind(u"aml"_s), u"azure-ml.md"_s);
        QCOMPARE(models::guidePageOfKind(u"external.my-queue"_s), u"own-training-service.md"_s);
        QCOMPARE(models::guidePageOfKind(u"nni"_s), QString());
    }

private:
    void write(const QString& name, const QByteArray& text)
    {
        QFile file(m_folder->filePath(name));
        QVERIFY(QDir(m_folder->path()).mkpath(name.section(u'/', 0, -2)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestGuideBook)
#include "tst_guide_book.moc"
