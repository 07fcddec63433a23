// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/page_bench.h"
#include "ui/keys/key_edit.h"
#include "ui/shell/keys_dialog.h"
#include "ui/kit/widgets.h"

#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace Qt::StringLiterals;

namespace {

ui::KeyCommand command(const QString& id, const QString& title, const QString& key)
{
    return {id, title, {}, {QKeySequence(key)}};
}

QList<ui::KeyScope> scopes()
{
    return {{u"Everywhere"_s,
                {command(u"palette"_s, u"Go to, or do"_s, u"Ctrl+K"_s), command(u"note"_s, u"Note"_s, u"N"_s)}, true},
        {u"Trials"_s, {command(u"trials/retry"_s, u"Retry"_s, u"R"_s), command(u"trials/tags"_s, u"Tags"_s, u"T"_s)}},
        {u"Failures"_s, {command(u"failures/retry"_s, u"Retry this group"_s, u"R"_s)}}};
}

QString keysIn(const QString& id)
{
    for (const ui::KeyScope& scope : scopes())
        for (const ui::KeyCommand& one : scope.commands)
            if (one.id == id)
                return ui::keysText(ui::keysOf(one));
    return {};
}

} // namespace

class TestKeysDialog : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        QSettings().clear();
        m_bench = std::make_unique<fakes::PageBench>();
        m_dialog = std::make_unique<ui::KeysDialog>(scopes());
        m_dialog->show();
    }
    void cleanup()
    {
        m_dialog.reset();
        m_bench.reset();
    }

    void aKeyIsChangedAtOnce()
    {
        const QSignalSpy changed(m_dialog.get(), &ui::KeysDialog::keysChanged);
        m_dialog->choose(u"trials/retry"_s);
        QTest::keyClick(edit(), Qt::Key_F7, Qt::ControlModifier);
        QCOMPARE(keysIn(u"trials/retry"_s), u"Ctrl+F7"_s);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(rowOf(u"Retry"_s)->text(1), u"Ctrl+F7"_s);
        QCOMPARE(rowOf(u"Retry"_s)->text(2), u"R"_s);
        // One press is one key, however fast the next one follows.
        QTest::keyClick(edit(), Qt::Key_F8);
        QCOMPARE(keysIn(u"trials/retry"_s), u"F8"_s);
        fakes::button(*m_dialog, u"Usual key"_s)->click();
        QCOMPARE(keysIn(u"trials/retry"_s), u"R"_s);
        fakes::button(*m_dialog, u"No key"_s)->click();
        QCOMPARE(keysIn(u"trials/retry"_s), QString());
    }

    void conflicts_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("key");
        QTest::addColumn<QString>("other"); // empty: it can be had
        QTest::newRow("on the same page") << u"trials/retry"_s << int(Qt::Key_T) << u"Tags"_s;
        QTest::newRow("of the window") << u"trials/retry"_s << int(Qt::Key_N) << u"Note"_s;
        QTest::newRow("of a page, for the window") << u"note"_s << int(Qt::Key_T) << u"Tags"_s;
        QTest::newRow("of another page") << u"failures/retry"_s << int(Qt::Key_T) << QString();
        QTest::newRow("its own") << u"trials/retry"_s << int(Qt::Key_R) << QString();
    }
    void conflicts()
    {
        QFETCH(QString, id);
        QFETCH(int, key);
        QFETCH(QString, other);
        const QString before = keysIn(id);
        m_dialog->choose(id);
        QTest::keyClick(edit(), Qt::Key(key));
        const QString wanted = QKeySequence(key).toString();
        QAbstractButton* take = fakes::button(*m_dialog, u"Use it here instead"_s);
        if (other.isEmpty()) {
            QCOMPARE(keysIn(id), wanted);
            QVERIFY(!take);
            return;
        }
        QCOMPARE(keysIn(id), before);
        QVERIFY(fakes::shows(*m_dialog, u"%1 is the key of “%2”."_s.arg(wanted, other)));
        QVERIFY(take);
        take->click();
        QCOMPARE(keysIn(id), wanted);
        QCOMPARE(rowOf(other)->text(1), QString());
        QVERIFY(!fakes::button(*m_dialog, u"Use it here instead"_s));
    }

    void keysOfListsCannotBeHad_data()
    {
        QTest::addColumn<QString>("key");
        for (const char* key : {"J", "K", "Space", "Shift+Space", "Return", "Down", "Home", "Del", "Ctrl+C"})
            QTest::newRow(key) << QString::fromLatin1(key);
    }
    void keysOfListsCannotBeHad()
    {
        QFETCH(QString, key);
        QVERIFY(ui::isFixedKey(QKeySequence(key)));
        QVERIFY(!ui::isFixedKey(QKeySequence(u"Alt+Down"_s)));
        QVERIFY(!ui::isFixedKey(QKeySequence(u"Shift+J"_s)));
        m_dialog->choose(u"trials/retry"_s);
        const QKeyCombination press = QKeySequence(key)[0];
        QTest::keyClick(edit(), press.key(), press.keyboardModifiers());
        QCOMPARE(keysIn(u"trials/retry"_s), u"R"_s);
        QVERIFY(fakes::shows(*m_dialog, u"is needed in lists and fields"_s));
    }

    void aTakenUsualKeyIsNotGivenTwice()
    {
        m_dialog->choose(u"trials/retry"_s);
        QTest::keyClick(edit(), Qt::Key_F8);
        m_dialog->choose(u"trials/tags"_s);
        QTest::keyClick(edit(), Qt::Key_R);
        QCOMPARE(keysIn(u"trials/tags"_s), u"R"_s);
        m_dialog->choose(u"trials/retry"_s);
        fakes::button(*m_dialog, u"Usual key"_s)->click();
        QCOMPARE(keysIn(u"trials/retry"_s), u"F8"_s);
        QVERIFY(fakes::shows(*m_dialog, u"R is the key of “Tags”."_s));
    }

    void theListIsSearched()
    {
        auto* field = m_dialog->findChild<ui::FilterField*>();
        const auto shown = [this] {
            QStringList titles;
            for (QTreeWidgetItemIterator row(list(), QTreeWidgetItemIterator::NotHidden); *row; ++row)
                if ((*row)->parent() && !(*row)->parent()->isHidden())
                    titles += (*row)->text(0);
            return titles;
        };
        QCOMPARE(shown().size(), 5);
        field->setText(u"group"_s);
        QTRY_COMPARE(shown(), QStringList{u"Retry this group"_s});
        QCOMPARE(list()->currentItem()->text(0), u"Retry this group"_s);
        field->setText(u"ctrl+k"_s);
        QTRY_COMPARE(shown(), QStringList{u"Go to, or do"_s});
    }

    void theFieldIsLeftByEscape()
    {
        m_dialog->choose(u"trials/retry"_s);
        edit()->setFocus();
        QTest::keyClick(edit(), Qt::Key_Escape);
        QVERIFY(m_dialog->isVisible());
        QCOMPARE(keysIn(u"trials/retry"_s), u"R"_s);
    }

private:
    [[nodiscard]] ui::KeyEdit* edit() const { return m_dialog->findChild<ui::KeyEdit*>(); }
    [[nodiscard]] QTreeWidget* list() const { return m_dialog->findChild<QTreeWidget*>(); }
    [[nodiscard]] QTreeWidgetItem* rowOf(const QString& title) const
    {
        return list()->findItems(title, Qt::MatchExactly | Qt::MatchRecursive).value(0);
    }

    std::unique_ptr<fakes::PageBench> m_bench;
    std::unique_ptr<ui::KeysDialog> m_dialog;
};

QTEST_MAIN(TestKeysDialog)
#include "tst_keys_dialog.moc"
