// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/api/error_marks.h"
#include "tests/fakes/page_bench.h"
#include "ui/machines/platforms_page.h"

#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;
using fakes::button;
using fakes::shows;

class TestPlatformsPage : public QObject
{
    Q_OBJECT
private slots:
    void trialsUnderWayAreGivenUpByAChoiceOnly();
    void savingKeepsTheFocus();
    void anotherConflictOffersNoForce();

private:
    struct Bench : fakes::PageBench
    {
        explicit Bench(const Error& refusal)
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
        std::unique_ptr<ui::PlatformsPage> page;
    };
    static const QString forceText;
};

const QString TestPlatformsPage::forceText = u"Save all the same, and give these trials up"_s;

void TestPlatformsPage::trialsUnderWayAreGivenUpByAChoiceOnly()
{
    Bench bench({Kind::conflict, u"Trials are under way on old."_s, api::forceMark});
    const ui::PlatformsPage& page = *bench.page;
    const auto asked = [&] { return bench.asked<api::PutPlatform>(); };
    QTRY_VERIFY(bench.mirror.state().isReady());
    QVERIFY(!button(page, forceText));
    QTest::mouseClick(button(page, u"Save"_s), Qt::LeftButton);
    QTRY_VERIFY(button(page, forceText));
    QVERIFY(shows(page, u"Trials are under way on old."_s));
    QCOMPARE(asked().size(), 1);
    QVERIFY(!asked()[0].force);
    // Looking at the settings anew, or another attempt, begins without it.
    bench.page->showRecord(asked()[0].id.value);
    QVERIFY(!button(page, forceText));
    QTest::mouseClick(button(page, u"Save"_s), Qt::LeftButton);
    QTRY_VERIFY(button(page, forceText));
    QVERIFY(!asked().last().force);

    QTest::mouseClick(button(page, forceText), Qt::LeftButton);
    QTRY_COMPARE(bench.window.notes.size(), 1);
    QVERIFY(!button(page, forceText));
    const QList<api::PutPlatform> all = asked();
    QCOMPARE(all.size(), 3);
    QVERIFY(all[2].force);
    QCOMPARE(all[2].id, all[0].id);
    QVERIFY(all[2].settings == all[0].settings);
    QCOMPARE(all[2].ifMatch, all[0].ifMatch);
}

void TestPlatformsPage::savingKeepsTheFocus()
{
    Bench bench({Kind::conflict, u"Not now."_s, {}});
    ui::PlatformsPage& page = *bench.page;
    QTRY_VERIFY(bench.mirror.state().isReady());
    QVERIFY(QTest::qWaitForWindowActive(&page));
    QAbstractButton* save = button(page, u"Save"_s);
    save->setFocus();
    QTest::keyClick(save, Qt::Key_Space);
    QVERIFY(!save->isEnabled());
    QVERIFY2(!qobject_cast<QAbstractButton*>(page.focusWidget()), "a second press would hit it");
    QTRY_VERIFY(shows(page, u"Not now."_s));
    QVERIFY(save->hasFocus());
    // Whoever goes elsewhere meanwhile stays there.
    QTest::keyClick(save, Qt::Key_Space);
    button(page, u"Add a platform"_s)->setFocus();
    QTRY_VERIFY(save->isEnabled());
    QVERIFY(button(page, u"Add a platform"_s)->hasFocus());
}

void TestPlatformsPage::anotherConflictOffersNoForce()
{
    Bench bench({Kind::conflict, u"The platform was changed by somebody else meanwhile: read it again."_s, {}});
    QTRY_VERIFY(bench.mirror.state().isReady());
    QTest::mouseClick(button(*bench.page, u"Save"_s), Qt::LeftButton);
    QTRY_VERIFY(shows(*bench.page, u"changed by somebody else"_s));
    QVERIFY(!button(*bench.page, forceText));
}

QTEST_MAIN(TestPlatformsPage)
#include "tst_platforms_page.moc"
