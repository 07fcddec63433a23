// SPDX-License-Identifier: GPL-3.0-or-later
// The guide in its window: opened by a key, every page drawn, every link followed, searched by keys alone.
#include "tests/fakes/window_test.h"
#include "ui/guide/guide_browser.h"
#include "ui/guide/guide_opener.h"
#include "ui/guide/guide_results.h"
#include "ui/guide/guide_window.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/keys_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextTable>
#include <QToolButton>
#include <QTreeWidget>

using namespace Qt::StringLiterals;

namespace {

/// A guide of one's own, with everything that a page may have.
class SmallGuide
{
public:
    SmallGuide()
    {
        write(u"guide/en/index.md"_s, "# Guide\n- [Parts](parts.md)\n- [Long](long.md)\n");
        write(u"guide/en/parts.md"_s, R"(# Parts

See [long](long.md#the-end), [README](../../../README.md), [nowhere](long.md#none) and [the web](https://example.org/x).

> A quotation.

```python one.py
import os

    print("one")
```
```sh
echo two
```

| field | meaning |
|---|---|
| `a` | the first |

Text before the picture
![picture](../../pictures/wide.png) and text after it.

- an item

  ```sh
  in a list
  ```
)");
        write(u"guide/en/long.md"_s,
            "# Long\n" + QByteArray("A line of text.\n\n").repeated(200) + "## The end\nA needle, a NEEDLE.\n");
        QImage picture(2'000, 100, QImage::Format_RGB32);
        picture.fill(Qt::gray);
        QDir(m_folder.path()).mkpath(u"pictures"_s);
        picture.save(m_folder.filePath(u"pictures/wide.png"_s));
    }
    [[nodiscard]] QString path() const { return m_folder.path(); }

private:
    void write(const QString& name, const QByteArray& text)
    {
        QDir(m_folder.path()).mkpath(name.section(u'/', 0, -2));
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
    }
    QTemporaryDir m_folder;
};

/// Takes the addresses that would be opened by a browser.
class TakenUrls : public QObject
{
    Q_OBJECT
public:
    TakenUrls() { QDesktopServices::setUrlHandler(u"https"_s, this, "take"); }
    ~TakenUrls() override { QDesktopServices::unsetUrlHandler(u"https"_s); }
    QList<QUrl> urls;
public slots:
    void take(const QUrl& url) { urls.append(url); }
};

QString noticeOf(const ui::GuideWindow& window)
{
    for (const QLabel* label : window.findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(u' ') && label->wordWrap())
            return label->text();
    return {};
}

} // namespace

class TestGuideWindow : public fakes::WindowTest
{
    Q_OBJECT
private slots:
    void everyPageOfTheProgram_data()
    {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << u"en"_s;
        QTest::newRow("Chinese") << u"zh_CN"_s;
    }
    /// What is compiled in is what is in the folder, and each page is drawn with everything that it has, and links only what is there.
    void everyPageOfTheProgram()
    {
        QFETCH(QString, language);
        const QLocale usual;
        const auto restore = qScopeGuard([&] { QLocale::setDefault(usual); });
        QLocale::setDefault(QLocale(language));
        ui::GuideOpener opener(*m_theme, {}, m_window.get());
        const models::GuideBook& book = opener.book();
        const QString folder = QStringLiteral(TRIALDECK_SOURCE_DIR "/resources/guide/") + language;
        QStringList there = QDir(folder).entryList({u"*.md"_s}, QDir::Files);
        QStringList pages = book.pages();
        QCOMPARE(pages.value(0), u"index.md"_s);
        std::sort(pages.begin(), pages.end());
        QCOMPARE(pages, there);

        ui::GuideWindow& window = opener.open();
        window.resize(900, 600);
        auto* browser = window.findChild<ui::GuideBrowser*>();
        QStringList linked = book.pages();
        QSet<QString> seen;
        while (!linked.isEmpty()) {
            const QString name = linked.takeFirst();
            if (seen.contains(name))
                continue;
            seen.insert(name);
            window.openPage(name);
            QCOMPARE(window.page(), name);
            const models::GuidePage& page = book.page(name);
            if (!name.contains(u'/')) {
                QFile file(folder + u'/' + name);
                QVERIFY(file.open(QIODevice::ReadOnly));
                QCOMPARE(book.markdown(name), QString::fromUtf8(file.readAll()));
            }
            QVERIFY2(!page.title.isEmpty(), qPrintable(name));
            // Qt and our own reader see the same page.
            const auto headings = std::count_if(
                page.sections.begin(), page.sections.end(), [](const auto& one) { return one.level > 0; });
            QCOMPARE(browser->outline().headings.size(), headings);
            QList<ui::GuidePlate> codes = browser->outline().plates;
            codes.removeIf([](const ui::GuidePlate& one) { return one.kind != ui::GuidePlate::Kind::code; });
            QCOMPARE(codes.size(), page.codes.size());
            for (qsizetype i = 0; i < codes.size(); ++i)
                QCOMPARE(codes[i].text, page.codes[i].lines.join(u'\n') + u'\n');
            // Qt lays the end of a long page out later.
            QTRY_VERIFY2(browser->horizontalScrollBar()->maximum() == 0, qPrintable(name + u" is too wide"_s));
            for (const QString& picture : page.pictures) {
                const QString file = book.picture(name, picture);
                QVERIFY2(!file.isEmpty(), qPrintable(name + u": "_s + picture));
                QVERIFY(!browser->document()->resource(QTextDocument::ImageResource, QUrl(u"qrc"_s + file)).isNull());
            }
            for (const QString& link : page.links) {
                const models::GuideTarget target = book.resolve(name, link);
                switch (target.kind) {
                case models::GuideTarget::Kind::page:
                    linked.append(target.page);
                    break;
                case models::GuideTarget::Kind::document: {
                    const QString file = QStringLiteral(TRIALDECK_SOURCE_DIR "/") + target.address;
                    QVERIFY2(QFile::exists(file), qPrintable(name + u" links "_s + link));
                    QVERIFY2(!target.address.startsWith(u"resources/guide/"_s), qPrintable(link));
                    break;
                }
                case models::GuideTarget::Kind::web:
                    break;
                case models::GuideTarget::Kind::nothing:
                    QFAIL(qPrintable(name + u" links "_s + link));
                }
            }
        }
        QVERIFY(seen.contains(u"api/external-platform.md"_s));
    }

    void isOpenedByItsKeyAndIsOne()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        ui::GuideWindow* guide = opened();
        QVERIFY(guide);
        QCOMPARE(guide->page(), u"index.md"_s);
        guide->openPage(u"own-script.md"_s);
        guide->resize(800, 555);
        guide->close();
        QVERIFY(!guide->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        QCOMPARE(m_window->findChildren<ui::GuideWindow*>().size(), 1);
        QVERIFY(opened()->isVisible());
        QCOMPARE(opened()->page(), u"own-script.md"_s);
        // The next window has the size of the last one.
        m_window = std::make_unique<ui::MainWindow>(*m_mirror, *m_theme, *m_environment);
        m_window->setAsksBeforeClosing(false);
        QCOMPARE(m_window->showGuide().size(), QSize(800, 555));
    }

    /// Its pages can be found by their titles, too.
    void isInThePaletteAndInTheListOfKeys()
    {
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* palette = m_window->findChild<ui::CommandPalette*>();
        auto* field = palette->findChild<QLineEdit*>();
        QTest::keyClicks(field, u"ten minutes"_s);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(opened());
        QCOMPARE(opened()->page(), u"first-ten-minutes.md"_s);
        opened()->close();
        m_window->activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), m_window.get());
        m_window->findChild<QAction*>(u"changeKeys"_s)->trigger();
        auto* keys = m_window->findChild<ui::KeysDialog*>();
        QVERIFY(keys);
        const auto keyOf = [keys](const QString& title) {
            const auto rows = keys->findChild<QTreeWidget*>()->findItems(title, Qt::MatchExactly | Qt::MatchRecursive);
            return rows.isEmpty() ? QString() : rows.first()->text(1);
        };
        QCOMPARE(keyOf(u"Guide"_s), u"F1"_s);
        QCOMPARE(keyOf(u"Keys"_s), u"?"_s);
        keys->close();
    }

    void searchesByKeysAlone()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        ui::GuideWindow* guide = opened();
        QTRY_COMPARE(QApplication::activeWindow(), guide);
        auto* field = guide->findChild<QLineEdit*>();
        auto* results = guide->findChild<ui::GuideResults*>();
        auto* browser = guide->findChild<ui::GuideBrowser*>();
        QTest::keyClick(guide, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(field->hasFocus());
        QTest::keyClicks(field, u"TRIALDECK_METRICS_file json"_s);
        QTRY_VERIFY(results->isVisible());
        QVERIFY(!results->hits().isEmpty());
        QCOMPARE(results->hits()[0].page, u"own-script.md"_s);
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(guide->page(), u"own-script.md"_s);
        QVERIFY(browser->hasFocus());
        QVERIFY(browser->markCount() >= 2);
        QVERIFY(browser->verticalScrollBar()->value() > 0);
        // Back where it was, and forward again.
        QTest::keyClick(guide, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(guide->page(), u"index.md"_s);
        QCOMPARE(browser->verticalScrollBar()->value(), 0);
        QTest::keyClick(guide, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(guide->page(), u"own-script.md"_s);
        QVERIFY(browser->verticalScrollBar()->value() > 0);
        // Several: the arrows choose in the list while the field keeps the focus.
        QTest::keyClick(guide, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(field, u"trialdeck"_s);
        QTRY_VERIFY(results->hits().size() > 10); // those of the search before were fewer
        QCOMPARE(results->currentIndex().row(), 0);
        QTest::keyClick(field, Qt::Key_Down);
        QTest::keyClick(field, Qt::Key_Down);
        QTest::keyClick(field, Qt::Key_Up);
        QCOMPARE(results->currentIndex().row(), 1);
        QVERIFY(field->hasFocus());
        // Nothing fits.
        field->setText(u"no-such-word-at-all"_s);
        QTRY_VERIFY(noticeOf(*guide).contains(u"no-such-word-at-all"_s));
        QVERIFY(!results->isVisible());
        // Escape ends the search, then the window.
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(field->text(), QString());
        QCOMPARE(browser->markCount(), 0);
        QVERIFY(guide->findChild<QListWidget*>()->isVisible());
        QVERIFY(guide->isVisible());
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!guide->isVisible());
    }

    void followsLinks()
    {
        const SmallGuide files;
        const models::GuideBook book(files.path(), u"en"_s);
        QStringList asked;
        ui::GuideWindow window(
            book, *m_theme,
            [&](const QString& path) {
                asked.append(path);
                return asked.size() == 1 ? u"/usr/share/doc/README.md"_s : QString();
            },
            nullptr);
        window.openPage(u"parts.md"_s);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto* browser = window.findChild<ui::GuideBrowser*>();

        click(*browser, u"README"_s);
        QCOMPARE(asked, QStringList{u"README.md"_s});
        QVERIFY(noticeOf(window).contains(u"/usr/share/doc/README.md"_s));
        QVERIFY(window.findChild<QPushButton*>()->isVisible());
        click(*browser, u"README"_s); // now it is nowhere
        QVERIFY(noticeOf(window).contains(u"sources"_s));
        QVERIFY(!window.findChild<QPushButton*>()->isVisible());
        click(*browser, u"nowhere"_s);
        QVERIFY(noticeOf(window).contains(u"long.md#none"_s));
        QCOMPARE(window.page(), u"parts.md"_s);

        TakenUrls taken;
        click(*browser, u"the web"_s);
        QCOMPARE(taken.urls, QList<QUrl>{QUrl(u"https://example.org/x"_s)});

        click(*browser, u"long"_s);
        QCOMPARE(window.page(), u"long.md"_s);
        QCOMPARE(noticeOf(window), QString());
        QCOMPARE(browser->verticalScrollBar()->value(), browser->verticalScrollBar()->maximum());
        QCOMPARE(window.findChild<QListWidget*>()->currentItem()->text(), u"Long"_s);
    }

    void marksWhereTheWordsAre()
    {
        const SmallGuide files;
        const models::GuideBook book(files.path(), u"en"_s);
        ui::GuideWindow window(book, *m_theme, {}, nullptr);
        window.openPage({});
        window.show();
        window.search(u"needle"_s);
        auto* results = window.findChild<ui::GuideResults*>();
        auto* browser = window.findChild<ui::GuideBrowser*>();
        QCOMPARE(results->hits().size(), 1);
        QTest::mouseClick(
            results->viewport(), Qt::LeftButton, {}, results->visualRect(results->currentIndex()).center());
        QCOMPARE(window.page(), u"long.md"_s);
        QCOMPARE(browser->markCount(), 2);
        const QRect mark = browser->cursorRect(browser->extraSelections().first().cursor);
        QVERIFY(browser->viewport()->rect().contains(mark));
    }

    void codeIsCopied()
    {
        const SmallGuide files;
        const models::GuideBook book(files.path(), u"en"_s);
        ui::GuideWindow window(book, *m_theme, {}, nullptr);
        window.openPage(u"parts.md"_s);
        window.show();
        auto* browser = window.findChild<ui::GuideBrowser*>();
        QCOMPARE(browser->outline().plates.size(), 4); // with the quotation
        const auto buttons = browser->viewport()->findChildren<QToolButton*>(Qt::FindDirectChildrenOnly);
        QCOMPARE(buttons.size(), 3);
        QCOMPARE(buttons[0]->accessibleName(), u"Copy one.py"_s);
        buttons[0]->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), u"import os\n\n    print(\"one\")\n"_s);
        buttons[1]->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), u"echo two\n"_s);
        QTest::keyClick(buttons[2], Qt::Key_Space);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"in a list\n"_s);
        // Each is on its block, also after a change of the width.
        window.resize(720, 480);
        for (qsizetype i = 1; i < buttons.size(); ++i)
            QVERIFY(buttons[i]->y() > buttons[i - 1]->geometry().bottom());
        for (const QToolButton* button : buttons)
            QVERIFY(button->geometry().right() < browser->viewport()->width() - 32);
    }

    void picturesFit()
    {
        const SmallGuide files;
        const models::GuideBook book(files.path(), u"en"_s);
        ui::GuideWindow window(book, *m_theme, {}, nullptr);
        window.openPage(u"parts.md"_s);
        window.show();
        auto* browser = window.findChild<ui::GuideBrowser*>();
        for (const QSize& size : {QSize(1'400, 800), QSize(720, 480), QSize(1'000, 700)}) {
            window.resize(size);
            QTRY_COMPARE(window.size(), size);
            QCOMPARE(browser->horizontalScrollBar()->maximum(), 0);
            const QTextCursor found = browser->document()->find(QString(QChar::ObjectReplacementCharacter));
            QVERIFY(found.charFormat().isImageFormat());
            QCOMPARE(found.block().length(), 2); // alone in its paragraph
            const double width = found.charFormat().toImageFormat().width();
            QVERIFY2(width > 200 && width <= browser->viewport()->width(), qPrintable(QString::number(width)));
        }
    }

    void theLooksFollowTheTheme()
    {
        const SmallGuide files;
        const models::GuideBook book(files.path(), u"en"_s);
        ui::GuideWindow window(book, *m_theme, {}, nullptr);
        window.openPage(u"parts.md"_s);
        window.show();
        auto* browser = window.findChild<ui::GuideBrowser*>();
        const auto linkColor = [&] {
            const QTextCursor link = browser->document()->find(u"README"_s);
            return link.charFormat().foreground().color();
        };
        QCOMPARE(linkColor(), m_theme->roles().accent);
        const QColor light = linkColor();
        m_theme->setScheme(ui::Theme::Scheme::dark);
        QCOMPARE(linkColor(), m_theme->roles().accent);
        QVERIFY(linkColor() != light);
        m_theme->setScheme(ui::Theme::Scheme::light);
    }

    void everythingHasANameAndIsReachedByTab()
    {
        ui::GuideWindow& guide = m_window->showGuide(u"own-script.md"_s);
        QTRY_COMPARE(QApplication::activeWindow(), &guide);
        guide.findChild<QLineEdit*>()->setFocus();
        QSet<QWidget*> reached;
        int presses = 0;
        for (QWidget* at = QApplication::focusWidget(); at && presses < 60;
             at = QApplication::focusWidget(), ++presses) {
            reached.insert(at);
            QTest::keyClick(at, Qt::Key_Tab);
        }
        for (QWidget* widget : guide.findChildren<QWidget*>()) {
            const bool isControl = widget->isVisible() && widget->isEnabled()
                && (qobject_cast<QToolButton*>(widget) || qobject_cast<QLineEdit*>(widget)
                    || qobject_cast<QListWidget*>(widget) || qobject_cast<ui::GuideBrowser*>(widget))
                && (widget->focusPolicy() & Qt::TabFocus);
            if (!isControl)
                continue;
            QVERIFY(!widget->accessibleName().isEmpty());
            QVERIFY2(reached.contains(widget), qPrintable(widget->accessibleName()));
        }
        QVERIFY(reached.size() >= 6);
    }

private:
    [[nodiscard]] ui::GuideWindow* opened() const { return m_window->findChild<ui::GuideWindow*>(); }

    static void click(ui::GuideBrowser& browser, const QString& text)
    {
        browser.verticalScrollBar()->setValue(0);
        QTextCursor link = browser.document()->find(text, 0, QTextDocument::FindCaseSensitively);
        QVERIFY(link.charFormat().isAnchor());
        link.setPosition(link.selectionStart() + 1);
        QTest::mouseClick(browser.viewport(), Qt::LeftButton, {}, browser.cursorRect(link).center());
    }
};

QTEST_MAIN(TestGuideWindow)
#include "tst_guide_window.moc"
