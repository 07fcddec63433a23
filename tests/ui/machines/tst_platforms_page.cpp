// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/engine_mirror.h"
#include "models/selection.h"
#include "services/api/error_marks.h"
#include "services/client/local_engine_client.h"
#include "tests/fakes/fake_actions.h"
#include "tests/fakes/fake_engine_port.h"
#include "ui/kit/style.h"
#include "ui/kit/theme.h"
#include "ui/machines/platforms_page.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

class TestPlatformsPage : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_theme.setScheme(ui::Theme::Scheme::light);
        QApplication::setStyle(new ui::Style(m_theme));
    }
    void cleanupTestCase() { QApplication::setStyle(u"fusion"_s); } // ours uses the theme

    void trialsUnderWayAreGivenUpByAChoiceOnly();
    void anotherConflictOffersNoForce();

private:
    struct Bench
    {
        Bench(ui::Theme& theme, const Error& refusal)
            : context{mirror, selection, theme, window}
        {
            port.setHandler([refusal](const api::Command& command, const auto& done) {
                if (std::holds_alternative<api::ReadPlatformKinds>(command)) {
                    const Json fields = {{{"name", "scratchDir"}, {"type", "string"}}};
                    done(api::Reply{
                        .document = {{"kinds", {{{"kind", "local"}, {"title", "local"}, {"fields", fields}}}}}});
                    return true;
                }
                const auto* put = std::get_if<api::PutPlatform>(&command);
                if (put && !put->force)
                    done(tl::unexpected(refusal));
                return put && !put->force;
            });
            client.start();
            page = std::make_unique<ui::PlatformsPage>(context);
            page->resize(900, 600);
            page->show();
            page->shown();
        }
        [[nodiscard]] QList<api::PutPlatform> asked()
        {
            port.settle();
            QList<api::PutPlatform> out;
            for (const api::Command& command : port.commands())
                if (const auto* one = std::get_if<api::PutPlatform>(&command))
                    out.append(*one);
            return out;
        }
        [[nodiscard]] QPushButton* button(const QString& text) const
        {
            for (auto* one : page->findChildren<QPushButton*>())
                if (one->text() == text)
                    return one;
            return nullptr;
        }
        [[nodiscard]] bool shows(const QString& words) const
        {
            for (const auto* one : page->findChildren<QLabel*>())
                if (one->isVisible() && one->text().contains(words))
                    return true;
            return false;
        }

        fakes::FakeEnginePort port;
        client::LocalEngineClient client{port};
        models::EngineMirror mirror{client};
        models::Selection selection;
        fakes::FakeActions window;
        ui::PageContext context;
        std::unique_ptr<ui::PlatformsPage> page;
    };

    ui::Theme m_theme;
};

void TestPlatformsPage::trialsUnderWayAreGivenUpByAChoiceOnly()
{
    Bench bench(m_theme, {Kind::conflict, u"Trials are under way on old."_s, api::forceMark});
    QPushButton* force = bench.button(u"Save all the same, and give these trials up"_s);
    QVERIFY(force);
    QTRY_VERIFY(bench.mirror.state().isReady());
    QVERIFY(!force->isVisible());
    QTest::mouseClick(bench.button(u"Save"_s), Qt::LeftButton);
    QTRY_VERIFY(force->isVisible());
    QVERIFY(bench.shows(u"Trials are under way on old."_s));
    QCOMPARE(bench.asked().size(), 1);
    QVERIFY(!bench.asked()[0].force);
    // Looking at the settings anew, or another attempt, begins without it.
    bench.page->showRecord(bench.asked()[0].id.value);
    QVERIFY(!force->isVisible());
    QTest::mouseClick(bench.button(u"Save"_s), Qt::LeftButton);
    QTRY_VERIFY(force->isVisible());
    QVERIFY(!bench.asked().last().force);

    QTest::mouseClick(force, Qt::LeftButton);
    QTRY_COMPARE(bench.window.notes.size(), 1);
    QVERIFY(!force->isVisible());
    const QList<api::PutPlatform> asked = bench.asked();
    QCOMPARE(asked.size(), 3);
    QVERIFY(asked[2].force);
    QCOMPARE(asked[2].id, asked[0].id);
    QVERIFY(asked[2].settings == asked[0].settings);
    QCOMPARE(asked[2].ifMatch, asked[0].ifMatch);
}

void TestPlatformsPage::anotherConflictOffersNoForce()
{
    Bench bench(
        m_theme, {Kind::conflict, u"The platform was changed by somebody else meanwhile: read it again."_s, {}});
    QTRY_VERIFY(bench.mirror.state().isReady());
    QTest::mouseClick(bench.button(u"Save"_s), Qt::LeftButton);
    QTRY_VERIFY(bench.shows(u"changed by somebody else"_s));
    QVERIFY(!bench.button(u"Save all the same, and give these trials up"_s)->isVisible());
}

QTEST_MAIN(TestPlatformsPage)
#include "tst_platforms_page.moc"
