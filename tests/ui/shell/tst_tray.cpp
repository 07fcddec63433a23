// SPDX-License-Identifier: GPL-3.0-or-later
// The tray's menu and look, and the steps of getting started. There is no tray where the tests run: the menu exists without one.
#include "tests/fakes/window_test.h"
#include "ui/kit/widgets.h"
#include "ui/start/first_run.h"
#include "ui/start/getting_started.h"
#include "ui/shell/tray.h"

#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using Link = client::EngineClient::LinkState;

class TestTray : public fakes::WindowTest
{
    Q_OBJECT
private slots:
    void everyStateHasAShape_data()
    {
        QTest::addColumn<int>("unknown");
        QTest::addColumn<int>("running");
        QTest::addColumn<int>("waiting");
        QTest::addColumn<bool>("isLost");
        QTest::addColumn<QString>("icon");
        QTest::newRow("nothing") << 0 << 0 << 0 << false << u""_s;
        QTest::newRow("waiting") << 0 << 0 << 3 << false << u"waiting"_s;
        QTest::newRow("running") << 0 << 1 << 3 << false << u"running"_s;
        QTest::newRow("silent machine") << 1 << 1 << 3 << false << u"unknown"_s;
        QTest::newRow("no service") << 1 << 1 << 3 << true << u"failed"_s;
    }
    void everyStateHasAShape()
    {
        QFETCH(int, unknown);
        QFETCH(int, running);
        QFETCH(int, waiting);
        QFETCH(bool, isLost);
        QFETCH(QString, icon);
        std::array<qint64, trialStatusCount> counts{};
        counts[size_t(TrialStatus::unknown)] = unknown;
        counts[size_t(TrialStatus::running)] = running;
        counts[size_t(TrialStatus::waiting)] = waiting;
        const ui::StateLook look = ui::trayLook(counts, isLost ? Link::lost : Link::connected);
        QCOMPARE(look.icon, icon);
        QVERIFY(!look.word.isEmpty());
    }

    void theMenuHasTheLastFiveEvents()
    {
        auto* tray = m_window->findChild<ui::Tray*>();
        const auto texts = [tray] {
            QStringList shown;
            for (const QAction* action : tray->menu().actions())
                if (action->isVisible() && !action->isSeparator())
                    shown += action->text();
            return shown;
        };
        QVERIFY(texts().contains(u"No event yet"_s));
        const qsizetype before = texts().size();
        for (int i = 0; i < 7; ++i)
            tray->notify(u"Trial %1"_s.arg(i), u"failed & gone <b>"_s);
        QCOMPARE(texts().size(), before - 1 + 5);
        const qsizetype first = texts().indexOf(u"Trial 6: failed && gone <b>"_s);
        QVERIFY(first >= 0);
        QCOMPARE(texts()[first + 4], u"Trial 2: failed && gone <b>"_s);
        m_client->begin(fakes::sampleLab());
        for (QAction* action : tray->menu().actions())
            if (action->text().startsWith(u"Trial 6"_s))
                action->trigger();
        QCOMPARE(m_window->page()->objectName(), u"events"_s);
    }

    void aServiceOfTheBackgroundCanBeStopped()
    {
        const auto stop = [this]() -> QAction* {
            for (QAction* action : m_window->findChild<ui::Tray*>()->menu().actions())
                if (action->text().startsWith(u"Stop the service"_s))
                    return action;
            return nullptr;
        };
        QVERIFY(!stop()); // of another computer
        m_environment->folder = u"/data"_s;
        m_window = std::make_unique<ui::MainWindow>(*m_mirror, *m_theme, *m_environment);
        QVERIFY(stop());
        stop()->trigger();
        QCOMPARE(m_environment->stopped, 1);
        m_environment->own = true;
        m_window = std::make_unique<ui::MainWindow>(*m_mirror, *m_theme, *m_environment);
        m_window->setAsksBeforeClosing(false);
        QVERIFY(!stop()); // it is in this window
    }

    void whatWasDoneHasATick()
    {
        m_client->begin(fakes::sampleLab()); // an experiment of one's own on machines
        QVERIFY(m_window->openPage(u"overview"_s));
        m_window->page()->showRecord(u"start"_s);
        auto* first = m_window->findChild<ui::FirstRun*>();
        QVERIFY(first);
        QTRY_VERIFY(first->isVisible());
        const auto ticks = [first] {
            int count = 0;
            for (const auto* label : first->findChildren<ui::StateLabel*>())
                count += label->isVisible() && label->accessibleName() == u"Done"_s ? 1 : 0;
            return count;
        };
        QTRY_COMPARE(ticks(), 2);
        QPushButton* install = nullptr;
        for (auto* button : first->findChildren<QPushButton*>())
            if (button->text() == u"Install the service"_s)
                install = button;
        QVERIFY(install);
        QTest::mouseClick(install, Qt::LeftButton);
        QCOMPARE(m_environment->installed, 1);
        QVERIFY(ui::wasLeftRunning());
        first->hide();
        first->show();
        QCOMPARE(ticks(), 3);
    }
};

QTEST_MAIN(TestTray)
#include "tst_tray.moc"
