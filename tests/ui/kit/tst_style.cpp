// SPDX-License-Identifier: GPL-3.0-or-later
// What the style paints, as far as a machine can see it: nothing is cut, no corner is lost.
#include "ui/kit/plate.h"
#include "ui/kit/record_delegate.h"
#include "ui/kit/style.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace {

QRect globalRect(const QWidget& inner, const QWidget& outer)
{
    return {inner.mapTo(&outer, QPoint()), inner.size()};
}

/// How many pixels of the rectangle have about this colour.
int count(const QImage& image, const QRect& rect, const QColor& color)
{
    int found = 0;
    for (int y = rect.top(); y <= rect.bottom(); ++y)
        for (int x = rect.left(); x <= rect.right(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            found += std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green())
                        + std::abs(pixel.blue() - color.blue())
                    < 60
                ? 1
                : 0;
        }
    return found;
}

} // namespace

class TestStyle : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QApplication::setStyle(new ui::Style(m_theme));
        m_theme.setScheme(ui::Theme::Scheme::light);
    }
    void cleanupTestCase() { QApplication::setStyle(u"fusion"_s); } // ours uses the theme

    void aSeparatorIsLowerThanAnEntry()
    {
        QMenu menu;
        const QAction* entry = menu.addAction(u"Open"_s);
        const QAction* line = menu.addSeparator();
        const QAction* last = menu.addAction(u"Quit"_s);
        menu.ensurePolished();
        QVERIFY(menu.actionGeometry(const_cast<QAction*>(line)).height() < 12);
        QVERIFY(menu.actionGeometry(const_cast<QAction*>(entry)).top() >= 4);
        QVERIFY(menu.sizeHint().height() - menu.actionGeometry(const_cast<QAction*>(last)).bottom() > 4);
    }

    void theCornersOfATextFieldAreWhole()
    {
        QWidget window;
        QPlainTextEdit field(&window);
        field.setProperty("field", true);
        field.setGeometry(10, 10, 120, 60);
        window.resize(140, 80);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QImage image = window.grab().toImage();
        const QColor border = m_theme.roles().control;
        for (const QPoint& corner : {QPoint(10, 10), QPoint(126, 10), QPoint(10, 66), QPoint(126, 66)}) {
            int inked = 0; // of a quarter of a circle: at least one inked pixel a column
            for (int x = 0; x < 4; ++x) {
                bool isInked = false;
                for (int y = 0; y < 4; ++y)
                    isInked = isInked
                        || image.pixelColor(corner + QPoint(x, y)).lightness()
                            < (border.lightness() + m_theme.roles().window.lightness()) / 2 + 40;
                inked += isInked ? 1 : 0;
            }
            QVERIFY2(inked >= 3, qPrintable(u"%1 at %2,%3"_s.arg(inked).arg(corner.x()).arg(corner.y())));
        }
    }

    void aChoiceWithoutRoomIsElided()
    {
        QComboBox box;
        box.addItem(u"an experiment with a long name, and no end of it"_s);
        box.resize(140, 28);
        box.show();
        QVERIFY(QTest::qWaitForWindowExposed(&box));
        const QImage image = box.grab().toImage();
        // Between the words and the arrow nothing is inked.
        QCOMPARE(count(image, QRect(box.width() - 26, 4, 3, 20), m_theme.roles().text), 0);
        QVERIFY(count(image, QRect(10, 4, 60, 20), m_theme.roles().text) > 0);
    }

    void aHeaderWithoutRoomIsElided()
    {
        QStandardItemModel model(1, 2);
        model.setHorizontalHeaderLabels({u"A title that is far too long"_s, u"b"_s});
        QTableView table;
        ui::setUpTable(&table, u"Table"_s);
        table.setModel(&model);
        table.horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
        table.setColumnWidth(0, 80);
        table.resize(300, 100);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        const QImage image = table.grab().toImage();
        QCOMPARE(count(image, QRect(0, 2, 6, 20), m_theme.roles().text2), 0);
        QVERIFY(count(image, QRect(8, 2, 64, 20), m_theme.roles().text2) > 0);
    }

    void tabsWithoutRoomHaveArrows()
    {
        QTabBar bar;
        for (const char* name : {"Summary", "Curve", "Log", "Parameters", "Events", "Files"})
            bar.addTab(QString::fromLatin1(name));
        bar.setUsesScrollButtons(true);
        bar.resize(200, 32);
        bar.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
        int arrows = 0;
        for (const QToolButton* button : bar.findChildren<QToolButton*>()) {
            if (!button->isVisible())
                continue;
            const QImage image = const_cast<QToolButton*>(button)->grab().toImage();
            const QRect inside = image.rect().adjusted(3, 3, -3, -3);
            QVERIFY(count(image, inside, image.pixelColor(inside.topLeft())) < inside.width() * inside.height() - 4);
            ++arrows;
        }
        QCOMPARE(arrows, 2);
    }

    void theRingOfARowIsClosed()
    {
        QStandardItemModel model(2, 3);
        QTableView table;
        ui::setUpTable(&table, u"Table"_s);
        table.setModel(&model);
        table.setItemDelegate(new ui::RecordDelegate(&table));
        table.setColumnHidden(2, true);
        table.resize(300, 120);
        table.show();
        QVERIFY(QTest::qWaitForWindowActive(&table));
        table.setFocus();
        table.setCurrentIndex(model.index(0, 0));
        QTRY_VERIFY(table.hasFocus());
        const QImage image = table.grab().toImage();
        const QRect viewport = globalRect(*table.viewport(), table);
        const int right = viewport.left() + table.columnViewportPosition(1) + table.columnWidth(1) - 1;
        const int top = viewport.top() + table.rowViewportPosition(0);
        const int height = table.rowHeight(0);
        for (const int x : {viewport.left(), right})
            QVERIFY2(count(image, QRect(x, top, 1, height), m_theme.roles().accent) >= height - 2,
                qPrintable(QString::number(x)));
    }

    void aPlateBreaksOnlyWordsThatAreTooLong()
    {
        ui::Plate plate(u"Command"_s);
        const auto* label = plate.findChild<QLabel*>();
        plate.setText(u"\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n"_s);
        QCOMPARE(label->text(), u"apiVersion: rbac.authorization.k8s.io/v1\nkind: Role"_s);
        const QString fingerprint = u"SHA256:"_s + QString(43, u'x');
        plate.setText(fingerprint);
        QCOMPARE(label->text().count(QChar(0x200B)), 3);
        QCOMPARE(label->text().remove(QChar(0x200B)), fingerprint);
    }

private:
    ui::Theme m_theme;
};

QTEST_MAIN(TestStyle)
#include "tst_style.moc"
