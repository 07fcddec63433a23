// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/api/error_marks.h"
#include "tests/fakes/page_bench.h"
#include "ui/fields/kind_form.h"
#include "ui/machines/platforms_page.h"

#include <QComboBox>
#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>

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
    void checkingKeepsTheFocus();
    void anotherConflictOffersNoForce();
    void thisComputerCannotBeRemoved();
    void aStoredSecretIsCleared();
    void aStoredSecretIsForOneAddress();
    void aWrongNameIsMarked();
    void nothingScrollsSideways_data();
    void nothingScrollsSideways();
    void helpIsWhole();
    void helpIsWholeBesideAFailure();
    void oneThatCouldNotBeOpenedIsTriedAgain();
    void fieldsDependOnOthers();
    void rareFieldsAreFolded();
    void theGuideIsOfferedWhereItHasAPage();

private:
    struct Bench : fakes::PageBench
    {
        explicit Bench(const Error& refusal)
        {
            port.setHandler([refusal](const api::Command& command, const auto& done) {
                if (std::holds_alternative<api::ReadPlatformKinds>(command)) {
                    const Json fields = {{{"name", "scratchDir"}, {"type", "string"}}};
                    const Json machine = {{{"name", "host"}, {"type", "string"}, {"title", "Host"}, {"required", true}},
                        {{"name", "password"}, {"type", "string"}, {"title", "Password"}, {"secret", true},
                            {"help", "Better leave it empty and use a key; you are asked when one is needed."}},
                        {{"name", "sshKeyFile"}, {"type", "path"}, {"title", "Key file"}}};
                    const Json list = {
                        {{"name", "machineList"}, {"type", "list"}, {"title", "Machines"}, {"items", machine}}};
                    Json many = Json::array();
                    for (int i = 0; i < 12; ++i)
                        many.push_back({{"name", "field" + std::to_string(i)}, {"type", i == 5 ? "path" : "string"},
                            {"title", "Field"}, {"secret", i == 2}, {"choices", i == 3}, {"advanced", i > 9},
                            {"help",
                                i % 2 ? "Short."
                                      : "Where the share with your home or work folder is mounted on the "
                                        "service's computer, as an absolute path of it."}});
                    done(api::Reply{.document = {{"kinds",
                                        {{{"kind", "local"}, {"title", "local"}, {"fields", fields}},
                                            {{"kind", "remote"}, {"title", "Machines over SSH"}, {"fields", list}},
                                            {{"kind", "many"}, {"title", "Many fields"}, {"fields", many}}}}}});
                    return true;
                }
                const auto* put = std::get_if<api::PutPlatform>(&command);
                if (put && !put->force)
                    done(tl::unexpected(refusal));
                return put && !put->force;
            });
            client.start();
            page = std::make_unique<ui::PlatformsPage>(context);
            page->resize(1'190, 740);
            page->show();
            page->shown();
        }
        void publishLab()
        {
            Platform lab{PlatformId(u"lab"_s), u"remote"_s};
            lab.settings = Json{{"machineList",
                Json::array({{{"host", "lab1"}, {"password", {{"set", true}}}}, {{"host", "lab2.example.org"}}})}};
            port.publish({.platforms = {fakes::shared(lab)}});
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

/// While a check runs its button is disabled, and the one behind it removes the platform.
void TestPlatformsPage::checkingKeepsTheFocus()
{
    Bench bench({Kind::conflict, u"Not now."_s, {}});
    QTRY_VERIFY(bench.mirror.state().isReady());
    bench.publishLab();
    bench.page->showRecord(u"lab"_s);
    QAbstractButton* check = button(*bench.page, u"Check"_s);
    QVERIFY(check);
    QVERIFY(QTest::qWaitForWindowActive(bench.page.get()));
    check->setFocus();
    QTRY_VERIFY(check->hasFocus());
    Operation running;
    running.id = OperationId(u"r1"_s);
    running.kind = u"check"_s;
    running.subject = u"lab"_s;
    running.state = OperationState::running;
    bench.port.publish({.requests = {fakes::shared(running)}});
    QTRY_VERIFY(!check->isEnabled());
    QVERIFY(QApplication::focusWidget() != button(*bench.page, u"Remove"_s));
    running.state = OperationState::succeeded;
    bench.port.publish({.requests = {fakes::shared(running)}});
    QTRY_VERIFY(check->isEnabled());
    QVERIFY(check->hasFocus());
}

void TestPlatformsPage::anotherConflictOffersNoForce()
{
    Bench bench({Kind::conflict, u"The platform was changed by somebody else meanwhile: read it again."_s, {}});
    QTRY_VERIFY(bench.mirror.state().isReady());
    QTest::mouseClick(button(*bench.page, u"Save"_s), Qt::LeftButton);
    QTRY_VERIFY(shows(*bench.page, u"changed by somebody else"_s));
    QVERIFY(!button(*bench.page, forceText));
}

void TestPlatformsPage::thisComputerCannotBeRemoved()
{
    Bench bench({Kind::conflict, u"Not now."_s, {}});
    bench.publishLab();
    QTRY_VERIFY(bench.mirror.state().platforms().find(PlatformId(u"lab"_s)));
    QTRY_VERIFY(shows(*bench.page, u"this computer (local)"_s));
    QVERIFY(!button(*bench.page, u"Remove"_s));
    bench.page->showRecord(u"lab"_s);
    QVERIFY(button(*bench.page, u"Remove"_s));
}

void TestPlatformsPage::aStoredSecretIsCleared()
{
    Bench bench({Kind::invalid, u"machineList[0].password is wrong."_s, {}});
    bench.publishLab();
    QTRY_VERIFY(bench.mirror.state().platforms().find(PlatformId(u"lab"_s)));
    bench.page->showRecord(u"lab"_s);
    QTRY_VERIFY(button(*bench.page, u"Clear"_s));
    const auto password = [&bench](int at) {
        QTest::mouseClick(button(*bench.page, u"Save"_s), Qt::LeftButton);
        return bench.asked<api::PutPlatform>().last().settings["machineList"][size_t(at)]["password"];
    };
    QCOMPARE(dumpJson(password(0)), QByteArray(R"({"set":true})"));
    // The refusal is shown at its field.
    QTRY_VERIFY(shows(*bench.page, u"password is wrong."_s));
    QAbstractButton* clear = button(*bench.page, u"Clear"_s);
    QVERIFY(!clear->accessibleName().isEmpty());
    QTest::mouseClick(clear, Qt::LeftButton);
    QVERIFY(!shows(*bench.page, u"is wrong"_s));
    QVERIFY(password(0).is_null());
    QTRY_VERIFY(button(*bench.page, u"Save"_s)->isEnabled());
    QTest::mouseClick(button(*bench.page, u"Keep"_s), Qt::LeftButton);
    QCOMPARE(dumpJson(password(0)), QByteArray(R"({"set":true})"));
    QTRY_VERIFY(button(*bench.page, u"Save"_s)->isEnabled());
    // Typing replaces it, also after Clear.
    QTest::mouseClick(button(*bench.page, u"Clear"_s), Qt::LeftButton);
    for (QLineEdit* line : bench.page->findChildren<QLineEdit*>())
        if (line->echoMode() == QLineEdit::Password && line->placeholderText().startsWith(u"removed"_s))
            QTest::keyClicks(line, u"new"_s);
    QVERIFY(button(*bench.page, u"Clear"_s));
    QCOMPARE(dumpJson(password(0)), QByteArray(R"("new")"));
}

void TestPlatformsPage::aWrongNameIsMarked()
{
    Bench bench({Kind::conflict, u"Not now."_s, {}});
    QTRY_VERIFY(bench.mirror.state().isReady());
    QTest::mouseClick(button(*bench.page, u"Add a platform"_s), Qt::LeftButton);
    QLineEdit* name = nullptr;
    for (QLineEdit* line : bench.page->findChildren<QLineEdit*>())
        if (line->accessibleName() == u"Name"_s)
            name = line;
    QVERIFY(name);
    const QList<std::pair<QString, QString>> wrong{{{}, u"needs a name"_s}, {u"a b"_s, u"begins with a letter"_s},
        {u"local"_s, u"this computer (local) already"_s}};
    for (const auto& [text, problem] : wrong) {
        name->clear();
        QTest::keyClicks(name, text);
        QVERIFY(!name->property("invalid").toBool());
        QTest::mouseClick(button(*bench.page, u"Add"_s), Qt::LeftButton);
        QVERIFY2(shows(*bench.page, problem), qPrintable(problem));
        QVERIFY(name->property("invalid").toBool());
    }
    QCOMPARE(bench.asked<api::PutPlatform>().size(), 0);
}

void TestPlatformsPage::nothingScrollsSideways_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {1240, 824, 664}) // windows of 1440 and 1024 pixels with the sidebar, and narrower
        QTest::addRow("%d", width) << width;
}

void TestPlatformsPage::nothingScrollsSideways()
{
    QFETCH(int, width);
    Bench bench({Kind::conflict, u"Not now."_s, {}});
    bench.publishLab();
    bench.page->resize(width, 600);
    QTRY_VERIFY(bench.mirror.state().platforms().find(PlatformId(u"lab"_s)));
    for (const QString& id : {u"lab"_s, u"local"_s, QString()}) {
        bench.page->showRecord(id);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        QCOMPARE(bench.page->width(), width);
        for (const QScrollArea* area : bench.page->findChildren<QScrollArea*>()) {
            QTRY_COMPARE(area->horizontalScrollBar()->maximum(), 0);
            QVERIFY2(area->widget()->width() <= area->viewport()->width(), qPrintable(area->accessibleName()));
        }
    }
}

/// Not heightForWidth(): that is never less than the minimum height that was set.
static int wrappedHeight(const QLabel& label)
{
    const QRect room(0, 0, label.width(), QWIDGETSIZE_MAX);
    return label.fontMetrics().boundingRect(room, Qt::TextWordWrap, label.text()).height();
}

void TestPlatformsPage::helpIsWhole()
{
    Bench bench({Kind::conflict, u"Not now."_s, {}}); // for the theme
    const std::string help = "Where a trial with GPUs goes when several places are free: pack puts it beside others "
                             "and keeps whole machines "
                             "free, spread keeps it apart from others.";
    Json fields = Json::array();
    for (int i = 0; i < 5; ++i)
        fields.push_back({{"name", "field" + std::to_string(i)}, {"title", "Placement"},
            {"type", i % 2 ? "string" : "bool"}, {"help", i % 2 ? "Short." : help}});
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    auto* form = new ui::KindForm(&window);
    layout->addWidget(form);
    layout->addStretch(1);
    form->setFields(fields, Json::object());
    window.resize(580, 700);
    window.show();
    for (const int width : {580, 420, 240, 900}) {
        window.resize(width, 900);
        for (const QLabel* label : form->findChildren<QLabel*>())
            if (label->isVisible() && label->wordWrap())
                QTRY_COMPARE(label->height(), wrappedHeight(*label)); // whole, and no gap below it
    }
}

/// What is said above the form takes no room away from it.
void TestPlatformsPage::helpIsWholeBesideAFailure()
{
    Bench bench({Kind::conflict, u"Not now."_s, {}});
    QTRY_VERIFY(bench.mirror.state().isReady());
    Platform many{PlatformId(u"many"_s), u"many"_s};
    many.state = PlatformState::ready;
    bench.port.publish({.platforms = {fakes::shared(many)}});
    QTRY_VERIFY(bench.mirror.state().platforms().find(PlatformId(u"many"_s)));
    bench.page->showRecord(u"many"_s);
    const auto areWhole = [&] {
        int wrapped = 0;
        for (const QLabel* label : bench.page->findChild<ui::KindForm*>()->findChildren<QLabel*>())
            if (label->isVisible() && label->wordWrap()) {
                wrapped += label->height() > 2 * label->fontMetrics().height() - 2 ? 1 : 0;
                if (label->height() != wrappedHeight(*label))
                    return false;
            }
        return wrapped >= 5;
    };
    QTRY_VERIFY(areWhole());
    many.state = PlatformState::failed;
    many.message =
        u"DLTS does not accept the email and password. Enter the password of your user page in the dashboard "
        "(32 digits), not the one that you log in with."_s;
    many.retryTime = QDateTime::currentMSecsSinceEpoch() + 90'000;
    bench.port.publish({.platforms = {fakes::shared(many)}});
    QTRY_VERIFY(button(*bench.page, u"Try again"_s));
    QTRY_VERIFY(areWhole());
    QTest::qWait(0); // all that was posted is done
    QVERIFY(areWhole());
}

void TestPlatformsPage::oneThatCouldNotBeOpenedIsTriedAgain()
{
    Bench bench({Kind::conflict, u"No."_s, {}});
    QTRY_VERIFY(bench.mirror.state().isReady());
    Platform lab{PlatformId(u"lab"_s), u"remote"_s};
    lab.state = PlatformState::failed;
    lab.message = u"The login node does not answer."_s;
    lab.retryTime = QDateTime::currentMSecsSinceEpoch() + 90'000;
    bench.port.publish({.platforms = {fakes::shared(lab)}});
    bench.page->showRecord(u"lab"_s);
    QTRY_VERIFY(shows(*bench.page, u"The login node does not answer."_s));
    const auto counts = [&] {
        const QList<QLabel*> labels = bench.page->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
            [](const QLabel* label) { return label->isVisible() && label->text().contains(u"is tried again in "); });
    };
    QTRY_VERIFY(counts());
    QTest::mouseClick(button(*bench.page, u"Try again"_s), Qt::LeftButton);
    QTRY_COMPARE(bench.asked<api::RetryPlatform>().size(), 1);
    QCOMPARE(bench.asked<api::RetryPlatform>()[0].id, lab.id);
    // It is being opened: nothing to press, nothing to wait for.
    QTRY_VERIFY(!button(*bench.page, u"Try again"_s));
    lab.state = PlatformState::failed;
    lab.retryTime.reset();
    bench.port.publish({.platforms = {fakes::shared(lab)}});
    QTRY_VERIFY(button(*bench.page, u"Try again"_s));
    QVERIFY(!counts());
}

void TestPlatformsPage::fieldsDependOnOthers()
{
    Bench bench({Kind::conflict, u"No."_s, {}});
    ui::KindForm form(bench.page.get());
    const Json fields = {
        {{"name", "login"}, {"type", "string"}, {"words", {"token", "password"}}, {"default", "token"}},
        {{"name", "user"}, {"type", "string"}, {"dependsOn", {{"field", "login"}, {"value", "password"}}}},
        {{"name", "script"}, {"type", "text"}, {"dependsOn", {{"field", "user"}, {"value", "me"}}}},
        {{"name", "keyFile"}, {"type", "file"}}};
    form.setFields(fields, Json::object());
    form.show();
    auto* login = form.findChild<QComboBox*>();
    auto* script = form.findChild<QPlainTextEdit*>();
    QLineEdit* user = nullptr;
    for (QLineEdit* line : form.findChildren<QLineEdit*>())
        if (line->accessibleName() == u"user")
            user = line;
    QVERIFY(login && script && user);
    QVERIFY(!user->isVisibleTo(&form) && !script->isVisibleTo(&form));
    login->setCurrentText(u"password"_s);
    QVERIFY(user->isVisibleTo(&form) && !script->isVisibleTo(&form));
    QTest::keyClicks(user, u"me"_s);
    QVERIFY(script->isVisibleTo(&form));
    script->setPlainText(u"module load cuda\n  indented\n"_s);
    QCOMPARE(form.settings()["script"].get<QString>(), u"module load cuda\n  indented\n"_s);
    // Hidden again it is kept.
    login->setCurrentText(u"token"_s);
    QVERIFY(!script->isVisibleTo(&form));
    QCOMPARE(form.settings()["user"].get<QString>(), u"me"_s);
}

void TestPlatformsPage::aStoredSecretIsForOneAddress()
{
    Bench bench({Kind::conflict, u"No."_s, {}});
    ui::KindForm form(bench.page.get());
    const Json fields = {{{"name", "host"}, {"type", "string"}},
        {{"name", "token"}, {"type", "string"}, {"secret", true}, {"sentTo", {"host"}}}};
    form.setFields(fields, {{"host", "a"}, {"token", {{"set", true}}}});
    form.show();
    const auto lines = form.findChildren<QLineEdit*>();
    QCOMPARE(lines.size(), 2);
    QLineEdit* token = lines.at(1);
    QVERIFY(token->placeholderText().startsWith(u"kept"_s));
    QTest::keyClicks(lines.at(0), u"b"_s);
    QCOMPARE(token->placeholderText(), u"enter it again"_s);
    QVERIFY(form.showError(u"token must be entered again: the saved one was entered for another host."_s));
    QVERIFY(token->property("invalid").toBool() && !lines.at(0)->property("invalid").toBool());
    QTest::keyClick(lines.at(0), Qt::Key_Backspace);
    QVERIFY(token->placeholderText().startsWith(u"kept"_s));
}

void TestPlatformsPage::rareFieldsAreFolded()
{
    Bench bench({Kind::conflict, u"No."_s, {}});
    ui::KindForm form(bench.page.get());
    form.setFoldsRare(true);
    const Json fields = {{{"name", "odd"}, {"type", "string"}, {"advanced", true}},
        {{"name", "usual"}, {"type", "string"}, {"words", {"a", "b"}}, {"default", "a"}},
        {{"name", "needed"}, {"type", "string"}, {"advanced", true}, {"required", true}},
        {{"name", "other"}, {"type", "string"}, {"advanced", true},
            {"dependsOn", {{"field", "usual"}, {"value", "b"}}}}};
    const auto find = [&form](const QString& name) {
        for (QWidget* one : form.controls())
            if (one->accessibleName() == name)
                return one;
        return static_cast<QWidget*>(nullptr);
    };
    form.setFields(fields, Json::object());
    form.show();
    auto* more = qobject_cast<QToolButton*>(find(u"More settings"_s));
    QVERIFY(more && !more->isChecked());
    const QList<QWidget*> order{find(u"usual"_s), find(u"needed"_s), more, find(u"odd"_s), find(u"other"_s)};
    QCOMPARE(form.controls(), order);
    QVERIFY(find(u"needed"_s)->isVisibleTo(&form) && !find(u"odd"_s)->isVisibleTo(&form));
    more->click();
    QVERIFY(find(u"odd"_s)->isVisibleTo(&form) && !find(u"other"_s)->isVisibleTo(&form));
    form.findChild<QComboBox*>()->setCurrentText(u"b"_s);
    QVERIFY(find(u"other"_s)->isVisibleTo(&form));
    more->click();
    QVERIFY(!find(u"other"_s)->isVisibleTo(&form));
    // An error is shown where it belongs, and what was set is seen.
    QVERIFY(form.showError(u"odd: it is too odd"_s));
    QVERIFY(more->isChecked() && find(u"odd"_s)->isVisibleTo(&form));
    form.setFields(fields, {{"odd", "x"}});
    QVERIFY(find(u"odd"_s)->isVisibleTo(&form));
    QCOMPARE(form.settings()["odd"].get<QString>(), u"x"_s);
    form.setFields({{{"name", "usual"}, {"type", "string"}}}, Json::object());
    QVERIFY(!find(u"More settings"_s));
}

void TestPlatformsPage::theGuideIsOfferedWhereItHasAPage()
{
    Bench bench({Kind::conflict, u"No."_s, {}});
    bench.window.guide = {{u"ssh-machines.md"_s, u"Machines behind SSH"_s}};
    QTRY_VERIFY(bench.mirror.state().isReady());
    bench.publishLab();
    QTRY_VERIFY(bench.mirror.state().platforms().find(PlatformId(u"lab"_s)));
    const QString text = u"Guide: Machines behind SSH"_s;
    QVERIFY(!button(*bench.page, text)); // of this computer there is no page
    bench.page->showRecord(u"lab"_s);
    QVERIFY(button(*bench.page, text));
    QTest::mouseClick(button(*bench.page, text), Qt::LeftButton);
    QCOMPARE(bench.window.shown, QStringList{u"guide ssh-machines.md"_s});
    // For a new one it follows the kind.
    QTest::mouseClick(button(*bench.page, u"Add a platform"_s), Qt::LeftButton);
    auto* kind = bench.page->findChild<QComboBox*>();
    kind->setCurrentIndex(kind->findData(u"local"_s));
    QVERIFY(!button(*bench.page, text));
    kind->setCurrentIndex(kind->findData(u"remote"_s));
    QVERIFY(button(*bench.page, text));
    kind->setCurrentIndex(kind->findData(u"many"_s));
    QVERIFY(!button(*bench.page, text));
}

QTEST_MAIN(TestPlatformsPage)
#include "tst_platforms_page.moc"
