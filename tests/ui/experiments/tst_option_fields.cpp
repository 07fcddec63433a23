// SPDX-License-Identifier: GPL-3.0-or-later
// What an experiment sets besides, by the fields of its platform's kind: in the form, and in the dialog of a new experiment.
#include "tests/fakes/page_bench.h"
#include "ui/experiments/new_experiment_dialog.h"
#include "ui/experiments/option_fields.h"

#include <QComboBox>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>

using namespace core;
using namespace Qt::StringLiterals;
using fakes::button;
using fakes::shows;

namespace {

const Json batchFields = {{{"name", "memory"}, {"type", "string"}, {"title", "Memory"}, {"required", true}},
    {{"name", "partition"}, {"type", "string"}, {"title", "Partition"}, {"choices", true}},
    {{"name", "cpus"}, {"type", "integer"}, {"title", "CPUs"}, {"default", 1}},
    {{"name", "extra"}, {"type", "string"}, {"title", "Extra"}, {"advanced", true}},
    {{"name", "must"}, {"type", "string"}, {"title", "Must"}, {"advanced", true}, {"required", true}}};

QLineEdit* line(const QWidget& in, const QString& name)
{
    for (QLineEdit* one : in.findChildren<QLineEdit*>())
        if (one->accessibleName() == name)
            return one;
    return nullptr;
}

/// A service with two platforms, of which one has a scheduler with options of its own.
struct Bench : fakes::PageBench
{
    Bench()
    {
        port.setHandler([this](const api::Command& command, const auto& done) {
            if (std::holds_alternative<api::ReadPlatformKinds>(command)) {
                done(api::Reply{.document = {{"kinds",
                                    {{{"kind", "local"}, {"title", "local"}, {"fields", Json::array()}},
                                        {{"kind", "batch"}, {"title", "Batch"}, {"fields", Json::array()},
                                            {"experimentFields", batchFields}}}}}});
                return true;
            }
            if (std::holds_alternative<api::PlatformChoices>(command)) {
                if (choices)
                    done(api::Reply{.document = {{"choices", *choices}}});
                else
                    done(tl::unexpected(Error{Kind::network, u"The controller does not answer."_s, {}}));
                return true;
            }
            if (std::holds_alternative<api::CreateExperiment>(command) && refusal) {
                done(tl::unexpected(*refusal));
                return true;
            }
            return false;
        });
        Platform lab{PlatformId(u"lab"_s), u"batch"_s};
        lab.state = PlatformState::ready;
        lab.settings = {{"workingDirectory", "/shared"}};
        Platform here{PlatformId(u"local"_s), u"local"_s};
        here.state = PlatformState::ready;
        port.publish({.platforms = {fakes::shared(here), fakes::shared(lab)}});
        client.start();
    }
    std::optional<Json> choices = Json::array({"gpu", "c&u"});
    std::optional<Error> refusal;
};

} // namespace

class TestOptionFields : public QObject
{
    Q_OBJECT
private slots:
    void rareOnesAreBelowAButton();
    void aListOfWordsCanBeLeftUnset();
    void eachKindKeepsItsOwn();
    void givenOptionsStayWhileTheKindIsUnknown();
    void aProblemIsShownAtItsField();
    void anExperimentGetsThem();
    void choicesAreAskedFor();
    void choicesThatCannotBeHad();
};

void TestOptionFields::rareOnesAreBelowAButton()
{
    Bench bench; // for the theme
    ui::OptionFields fields;
    fields.setKind(u"local"_s, u"local"_s, Json::array());
    fields.show();
    QVERIFY(fields.controls().isEmpty());
    fields.setKind(u"batch"_s, u"Batch"_s, batchFields);
    QVERIFY(fields.isVisible());
    QTRY_VERIFY(line(fields, u"Memory"_s)->isVisible());
    QVERIFY(line(fields, u"Must"_s)->isVisible()); // required: never hidden
    QVERIFY(!line(fields, u"Extra"_s)->isVisible());
    QTest::mouseClick(button(fields, u"More options"_s), Qt::LeftButton);
    QVERIFY(line(fields, u"Extra"_s)->isVisible());
    QVERIFY(fields.options() == Json::object());
    QTest::keyClicks(line(fields, u"Extra"_s), u"--nice"_s);
    QTest::keyClicks(line(fields, u"CPUs"_s), u"4"_s);
    QVERIFY(fields.options() == Json({{"cpus", 4}, {"extra", "--nice"}}));
    // One that has a value is in sight.
    ui::OptionFields other;
    other.setKind(u"batch"_s, u"Batch"_s, batchFields);
    other.setOptions(u"batch"_s, {{"extra", "--nice"}});
    other.show();
    QVERIFY(line(other, u"Extra"_s)->isVisible());
}

void TestOptionFields::aListOfWordsCanBeLeftUnset()
{
    Bench bench;
    const Json words = {{{"name", "pull"}, {"type", "string"}, {"title", "Pull"}, {"words", {"Always", "Never"}}},
        {{"name", "mode"}, {"type", "string"}, {"title", "Mode"}, {"words", {"fast", "slow"}}, {"default", "slow"}}};
    ui::OptionFields fields;
    fields.setKind(u"batch"_s, u"Batch"_s, words);
    QVERIFY(fields.options() == Json({{"mode", "slow"}})); // the platform's word counts for the other one
    auto* pull = fields.findChildren<QComboBox*>().constFirst();
    QCOMPARE(pull->currentText(), u"as the platform has it"_s);
    pull->setCurrentText(u"Never"_s);
    QVERIFY(fields.options() == Json({{"pull", "Never"}, {"mode", "slow"}}));
    pull->setCurrentIndex(0);
    QVERIFY(fields.options() == Json({{"mode", "slow"}}));
    fields.setOptions(u"batch"_s, {{"pull", "Always"}});
    QCOMPARE(fields.findChildren<QComboBox*>().constFirst()->currentText(), u"Always"_s);
}

void TestOptionFields::eachKindKeepsItsOwn()
{
    Bench bench;
    ui::OptionFields fields;
    fields.setKind(u"batch"_s, u"Batch"_s, batchFields);
    QTest::keyClicks(line(fields, u"Memory"_s), u"8 GB"_s);
    fields.setKind(u"local"_s, u"local"_s, Json::array());
    QVERIFY(fields.options() == Json::object()); // what another kind would refuse
    QVERIFY(fields.isHidden());
    fields.setKind(u"batch"_s, u"Batch"_s, batchFields);
    QVERIFY(fields.options() == Json({{"memory", "8 GB"}}));
}

void TestOptionFields::givenOptionsStayWhileTheKindIsUnknown()
{
    Bench bench;
    ui::OptionFields fields;
    const Json given = {{"memory", "8 GB"}, {"extra", "--nice"}};
    fields.setOptions(u"batch"_s, given);
    fields.setKind(u"batch"_s, u"batch"_s, Json::array()); // the service has not said yet what there is
    QVERIFY(fields.options() == given);
    fields.setKind(u"batch"_s, u"Batch"_s, batchFields);
    QVERIFY(fields.options() == given);
    QCOMPARE(line(fields, u"Memory"_s)->text(), u"8 GB"_s);
}

void TestOptionFields::aProblemIsShownAtItsField()
{
    Bench bench;
    ui::OptionFields fields;
    fields.setKind(u"batch"_s, u"Batch"_s, batchFields);
    fields.show();
    QVERIFY(fields.showError(u"platformOptions.extra: no such option of sbatch."_s));
    QVERIFY(line(fields, u"Extra"_s)->isVisible());
    QVERIFY(shows(fields, u"no such option of sbatch"_s));
    QTest::keyClicks(line(fields, u"Extra"_s), u"x"_s);
    QVERIFY(!shows(fields, u"no such option of sbatch"_s));
    QVERIFY(!fields.showError(u"The code folder is not there."_s));
    QVERIFY(fields.showMissing());
    QTest::keyClicks(line(fields, u"Memory"_s), u"1 GB"_s);
    QTest::keyClicks(line(fields, u"Must"_s), u"1"_s);
    QVERIFY(!fields.showMissing());
}

void TestOptionFields::anExperimentGetsThem()
{
    Bench bench;
    bench.refusal = Error{Kind::invalid, u"platformOptions.memory must be a size."_s, {}};
    QTRY_VERIFY(bench.mirror.state().isReady());
    ExperimentSpec spec;
    spec.name = u"search"_s;
    spec.trialCommand = u"python3 train.py"_s;
    spec.platformId = PlatformId(u"lab"_s);
    ui::NewExperimentDialog dialog(bench.context, spec);
    dialog.show();
    QTRY_VERIFY(line(dialog, u"Memory"_s) && line(dialog, u"Memory"_s)->isVisible());
    const auto run = [&] { QTest::keyClick(&dialog, Qt::Key_Return, Qt::ControlModifier); };
    run();
    QVERIFY(shows(dialog, u"This is needed."_s));
    QVERIFY(bench.asked<api::CreateExperiment>().isEmpty());
    QTest::keyClicks(line(dialog, u"Memory"_s), u"8"_s);
    QTest::keyClicks(line(dialog, u"Must"_s), u"1"_s);
    run();
    QTRY_COMPARE(bench.asked<api::CreateExperiment>().size(), 1);
    QVERIFY(bench.asked<api::CreateExperiment>()[0].spec.platformOptions == Json({{"memory", "8"}, {"must", "1"}}));
    QTRY_VERIFY(shows(dialog, u"platformOptions.memory must be a size."_s));
    // They are in the tab order, behind the platform's other fields.
    QSet<QWidget*> seen;
    for (QWidget* at = &dialog; !seen.contains(at); at = at->nextInFocusChain())
        seen.insert(at);
    QVERIFY(seen.contains(line(dialog, u"Memory"_s)));
    // Another platform takes none of them.
    auto* platform = dialog.findChildren<QComboBox*>().constFirst();
    for (QComboBox* box : dialog.findChildren<QComboBox*>())
        platform = box->accessibleName() == u"Platform" ? box : platform;
    platform->setCurrentIndex(platform->findData(u"local"_s));
    emit platform->activated(platform->currentIndex());
    QVERIFY(dialog.draft().options == Json::object());
    platform->setCurrentIndex(platform->findData(u"lab"_s));
    emit platform->activated(platform->currentIndex());
    QVERIFY(dialog.draft().options == Json({{"memory", "8"}, {"must", "1"}}));
}

void TestOptionFields::choicesAreAskedFor()
{
    Bench bench;
    QTRY_VERIFY(bench.mirror.state().isReady());
    ExperimentSpec spec;
    spec.platformId = PlatformId(u"lab"_s);
    ui::NewExperimentDialog dialog(bench.context, spec);
    dialog.show();
    QTRY_VERIFY(line(dialog, u"Partition"_s));
    QLineEdit* partition = line(dialog, u"Partition"_s);
    QVERIFY(bench.asked<api::PlatformChoices>().isEmpty()); // not before it is wanted
    partition->setFocus();
    QTest::keyClick(partition, Qt::Key_Down);
    QTRY_VERIFY(partition->findChild<QMenu*>());
    const api::PlatformChoices asked = bench.asked<api::PlatformChoices>().value(0);
    QCOMPARE(asked.kind, u"batch"_s);
    QCOMPARE(asked.field, u"partition"_s);
    QCOMPARE(asked.id, PlatformId(u"lab"_s));
    QCOMPARE(QString::fromStdString(asked.settings.value("workingDirectory", "")), u"/shared"_s);
    const QList<QAction*> offered = partition->findChild<QMenu*>()->actions();
    QCOMPARE(offered.size(), 2);
    offered[1]->trigger();
    QCOMPARE(partition->text(), u"c&u"_s);
    QVERIFY(dialog.draft().options == Json({{"partition", "c&u"}}));
}

void TestOptionFields::choicesThatCannotBeHad()
{
    Bench bench;
    bench.choices.reset();
    QTRY_VERIFY(bench.mirror.state().isReady());
    ExperimentSpec spec;
    spec.platformId = PlatformId(u"lab"_s);
    ui::NewExperimentDialog dialog(bench.context, spec);
    dialog.show();
    QTRY_VERIFY(line(dialog, u"Partition"_s));
    QLineEdit* partition = line(dialog, u"Partition"_s);
    partition->setFocus();
    QTest::keyClick(partition, Qt::Key_Down);
    QTRY_VERIFY(shows(dialog, u"The controller does not answer."_s));
    QTest::keyClicks(partition, u"debug"_s); // it can be typed all the same
    QVERIFY(dialog.draft().options == Json({{"partition", "debug"}}));
    bench.choices = Json::array();
    QTest::keyClick(partition, Qt::Key_Down);
    QTRY_VERIFY(shows(dialog, u"There is nothing to choose from."_s));
}

QTEST_MAIN(TestOptionFields)
#include "tst_option_fields.moc"
