// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/keys/key_command.h"
#include "ui/keys/list_keys.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QSettings>
#include <QTest>

using namespace Qt::StringLiterals;

class TestKeyCommand : public QObject
{
    Q_OBJECT
private slots:
    void init() { QSettings().clear(); }

    void ownKeysAreRemembered()
    {
        QCOMPARE(ui::keysOf(retry()), retry().usual);
        QVERIFY(!ui::hasOwnKeys(retry()));
        const QList<QKeySequence> own{QKeySequence(u"Ctrl+J"_s), QKeySequence(u"F7"_s)};
        ui::setKeys(retry(), own);
        QCOMPARE(QSettings().value(u"keys/trials/retry"_s).toString(), u"Ctrl+J; F7"_s); // a person may write it there
        QCOMPARE(ui::keysOf(retry()), own);
        QCOMPARE(ui::keysText(ui::keysOf(retry())), u"Ctrl+J · F7"_s);
        ui::setKeys(retry(), {});
        QVERIFY(ui::keysOf(retry()).isEmpty());
        QVERIFY(ui::hasOwnKeys(retry()));
        ui::resetKeys(retry());
        QCOMPARE(ui::keysOf(retry()), retry().usual);
        ui::setKeys(retry(), retry().usual);
        QVERIFY(!QSettings().contains(u"keys/trials/retry"_s));
    }

    void whatCannotBeReadIsTheUsualKey()
    {
        QSettings().setValue(u"keys/trials/retry"_s, u"Weather+Q"_s);
        QCOMPARE(ui::keysOf(retry()), retry().usual);
    }

    void presses_data()
    {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<int>("key");
        QTest::addColumn<Qt::KeyboardModifiers>("held");
        QTest::addColumn<bool>("isPressed");
        const auto row = [](const char* name, const QString& keys, int key, Qt::KeyboardModifiers held,
                             bool isPressed) { QTest::newRow(name) << keys << key << held << isPressed; };
        row("a letter", u"R"_s, Qt::Key_R, Qt::NoModifier, true);
        row("another letter", u"R"_s, Qt::Key_S, Qt::NoModifier, false);
        row("with Shift it is another one", u"R"_s, Qt::Key_R, Qt::ShiftModifier, false);
        row("with Shift", u"Shift+S"_s, Qt::Key_S, Qt::ShiftModifier, true);
        row("several modifiers", u"Ctrl+Alt+C"_s, Qt::Key_C, Qt::ControlModifier | Qt::AltModifier, true);
        row("Shift makes the character", u"+"_s, Qt::Key_Plus, Qt::ShiftModifier, true);
        row("on the keypad", u"+"_s, Qt::Key_Plus, Qt::KeypadModifier, true);
        row("Enter of the keypad", u"Ctrl+Return"_s, Qt::Key_Enter, Qt::ControlModifier | Qt::KeypadModifier, true);
        row("the second key", u"F7; X"_s, Qt::Key_X, Qt::NoModifier, true);
        row("none", u"none"_s, Qt::Key_R, Qt::NoModifier, false);
        row("Shift with a function key", u"F6"_s, Qt::Key_F6, Qt::ShiftModifier, false);
    }
    void presses()
    {
        QFETCH(QString, keys);
        QFETCH(int, key);
        QFETCH(Qt::KeyboardModifiers, held);
        QSettings().setValue(u"keys/trials/retry"_s, keys);
        QTEST(ui::isPressed(retry(), QKeyEvent(QEvent::KeyPress, key, held)), "isPressed");
    }

    /// Qt's lists would search for what is typed.
    void charactersInAListReachThePage()
    {
        struct Page : QWidget
        {
            void keyPressEvent(QKeyEvent* event) override
            {
                if (event->key() != Qt::Key_Shift)
                    keys += event->key();
            }
            QList<int> keys;
        } page;
        auto* list = new QListWidget(&page);
        list->addItems({u"[a"_s, u"b"_s, u"5"_s});
        list->setCurrentRow(1);
        ui::useListKeys(list);
        for (const Qt::Key key : {Qt::Key_R, Qt::Key_BracketLeft, Qt::Key_5})
            QTest::keyClick(list, key);
        QTest::keyClick(list, Qt::Key_J, Qt::ShiftModifier);
        QCOMPARE(page.keys, (QList<int>{Qt::Key_R, Qt::Key_BracketLeft, Qt::Key_5, Qt::Key_J}));
        QCOMPARE(list->currentRow(), 1);
        QTest::keyClick(list, Qt::Key_J);
        QCOMPARE(list->currentRow(), 2);
    }

private:
    static ui::KeyCommand retry()
    {
        return {u"trials/retry"_s, u"Retry the selection"_s, u"retry"_s, {QKeySequence(u"R"_s)}};
    }
};

QTEST_MAIN(TestKeyCommand)
#include "tst_key_command.moc"
