// SPDX-License-Identifier: GPL-3.0-or-later
// Roles of a trial as a table in the dialog of a new experiment, as the kinds with several pods a trial describe them.
#include "tests/fakes/page_bench.h"
#include "services/platforms/kind_json.h"
#include "services/platforms/kubernetes/operators/operator_fields.h"
#include "ui/experiments/new_experiment_dialog.h"
#include "ui/experiments/table_editor.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>

using namespace core;
using namespace Qt::StringLiterals;
using fakes::button;
using fakes::shows;

namespace {

/// The field or list with this name for screen readers.
QWidget* cell(const QWidget& in, const QString& name)
{
    for (QWidget* one : in.findChildren<QWidget*>())
        if (one->accessibleName() == name && (qobject_cast<QLineEdit*>(one) || qobject_cast<QComboBox*>(one)))
            return one;
    return nullptr;
}

QLineEdit* line(const QWidget& in, const QString& name)
{
    return qobject_cast<QLineEdit*>(cell(in, name));
}

QComboBox* list(const QWidget& in, const QString& name)
{
    return qobject_cast<QComboBox*>(cell(in, name));
}

QStringList wordsOf(const QComboBox* list)
{
    QStringList words;
    for (int i = 0; list && i < list->count(); ++i)
        words.append(list->itemText(i));
    return words;
}

/// A service with a platform of each kind that has roles, and one that has none.
struct Bench : fakes::PageBench
{
    Bench()
    {
        port.setHandler([this](const api::Command& command, const auto& done) {
            if (std::holds_alternative<api::ReadPlatformKinds>(command)) {
                done(api::Reply{
                    .document = platforms::kindsJson({platforms::kubernetes::kubeflowKind(),
                        platforms::kubernetes::frameworkControllerKind(), {.kind = u"local"_s, .title = u"local"_s}})});
                return true;
            }
            if (std::holds_alternative<api::CreateExperiment>(command) && refusal) {
                done(tl::unexpected(*refusal));
                return true;
            }
            return false;
        });
        QList<PlatformPtr> all;
        for (const auto& [id, kind, settings] : {std::tuple("kf", "kubeflow", Json({{"jobKind", "PyTorchJob"}})),
                 {"mpi", "kubeflow", Json({{"jobKind", "MPIJob"}})}, {"fc", "frameworkcontroller", Json::object()},
                 {"local", "local", Json::object()}}) {
            Platform platform{PlatformId(QString::fromLatin1(id)), QString::fromLatin1(kind)};
            platform.state = PlatformState::ready;
            platform.settings = settings;
            all.append(fakes::shared(platform));
        }
        port.publish({.platforms = all});
        client.start();
        (void)QTest::qWaitFor([this] { return mirror.state().isReady(); });
    }
    std::optional<Error> refusal;
};

ExperimentSpec specOn(const QString& platform, const char* roles = nullptr)
{
    ExperimentSpec spec;
    spec.name = u"bert"_s;
    spec.trialCommand = u"python3 train.py"_s;
    spec.platformId = PlatformId(platform);
    if (roles)
        spec.platformOptions = {{"roles", parseJson(roles).value_or(Json(roles))}};
    return spec;
}

const char* const twoRoles = R"([{"name":"Worker","count":3,"cpu":4},{"name":"Master","image":"a:1"}])";

/// The dialog, once its fields are the kind's.
std::unique_ptr<ui::NewExperimentDialog> opened(Bench& bench, const ExperimentSpec& spec)
{
    auto dialog = std::make_unique<ui::NewExperimentDialog>(bench.context, spec);
    dialog->setAttribute(Qt::WA_DeleteOnClose, false);
    dialog->show();
    (void)QTest::qWaitFor([&] { return dialog->findChild<ui::TableEditor*>() != nullptr; });
    return dialog;
}

void run(ui::NewExperimentDialog& dialog)
{
    QTest::keyClick(&dialog, Qt::Key_Return, Qt::ControlModifier);
}

} // namespace

class TestTableEditor : public QObject
{
    Q_OBJECT
private slots:
    void rolesAreAddedByKeys();
    void whatIsNotTouchedStays();
    void anEditedTextBecomesAList();
    void aTextThatIsNoTable();
    void namesFollowTheKindOfJob();
    void thePlatformsKindOfJobCounts();
    void theRowThatReportsIsMarked();
    void problemsAreShownAtTheirRow();
    void refusalsAreShownAtTheirRow();
    void rolesWithCommandsNeedNoOther();
    void rareColumnsAreBelowAButton();
    void otherKindsHaveNone();
    void everyCellIsReachedByTab();
    void itFits_data();
    void itFits();
};

void TestTableEditor::rolesAreAddedByKeys()
{
    Bench bench;
    const auto dialog = opened(bench, specOn(u"kf"_s));
    QVERIFY(!cell(*dialog, u"Role, row 1"_s));
    QVERIFY(!dialog->draft().options.contains("roles"));
    QAbstractButton* add = button(*dialog, u"Add a row"_s);
    QVERIFY(add);
    add->setFocus();
    QTest::keyClick(add, Qt::Key_Space);
    QVERIFY(list(*dialog, u"Role, row 1"_s));
    QTRY_VERIFY(list(*dialog, u"Role, row 1"_s)->hasFocus());
    QTest::keyClick(add, Qt::Key_Space);
    // Each row begins with a role that is not there yet.
    QCOMPARE(list(*dialog, u"Role, row 1"_s)->currentText(), u"Master"_s);
    QCOMPARE(list(*dialog, u"Role, row 2"_s)->currentText(), u"Worker"_s);
    QCOMPARE(line(*dialog, u"Pods, row 2"_s)->placeholderText(), u"1"_s);
    QTest::keyClicks(line(*dialog, u"Pods, row 2"_s), u"3"_s);
    QTest::keyClicks(line(*dialog, u"Command, row 2"_s), u"python3 w.py"_s);
    QTest::keyClicks(line(*dialog, u"CPUs, row 2"_s), u"0.5"_s);
    QTest::keyClicks(line(*dialog, u"GPUs, row 1"_s), u"2"_s);
    run(*dialog);
    QTRY_COMPARE(bench.asked<api::CreateExperiment>().size(), 1);
    QCOMPARE(dumpJson(bench.asked<api::CreateExperiment>()[0].spec.platformOptions["roles"]),
        QByteArray(R"([{"name":"Master","gpus":2},{"name":"Worker","count":3,"command":"python3 w.py","cpu":"0.5"}])"));
}

void TestTableEditor::whatIsNotTouchedStays()
{
    Bench bench;
    for (const char* roles : {twoRoles, "- {name: Master}\n- {name: Worker, count: 2} # as written"}) {
        const ExperimentSpec spec = specOn(u"kf"_s, roles);
        const auto dialog = opened(bench, spec);
        QVERIFY(cell(*dialog, u"Role, row 2"_s));
        QVERIFY(dialog->draft().options == spec.platformOptions);
    }
}

void TestTableEditor::anEditedTextBecomesAList()
{
    Bench bench;
    const auto dialog = opened(bench, specOn(u"kf"_s, "- {name: master, cpu: 4}\n- {name: Worker, count: 2}"));
    QCOMPARE(list(*dialog, u"Role, row 1"_s)->currentText(), u"Master"_s);
    QTest::keyClicks(line(*dialog, u"Memory, row 2"_s), u"8 GB"_s);
    QCOMPARE(dumpJson(dialog->draft().options["roles"]),
        QByteArray(R"([{"name":"master","cpu":4},{"name":"Worker","count":2,"memory":"8 GB"}])"));
    // The button of a row takes it away, and with the last one the option.
    for (int left = 1; left >= 0; --left) {
        auto* remove = dialog->findChild<ui::TableEditor*>()->findChildren<QToolButton*>().constFirst();
        QCOMPARE(remove->accessibleName(), u"Remove this row"_s);
        remove->setFocus();
        QTest::keyClick(remove, Qt::Key_Space);
        QTRY_COMPARE(dialog->findChild<ui::TableEditor*>()->rows().size(), left);
    }
    QVERIFY(!dialog->draft().options.contains("roles"));
    QVERIFY(button(*dialog, u"Add a row"_s)->hasFocus());
}

void TestTableEditor::aTextThatIsNoTable()
{
    Bench bench;
    const auto dialog = opened(bench, specOn(u"kf"_s, "- {name: Master"));
    QVERIFY(shows(*dialog, u"Roles is a text that cannot be shown as a table."_s));
    QVERIFY(dialog->draft().options["roles"] == "- {name: Master");
    button(*dialog, u"Add a row"_s)->click();
    QVERIFY(!shows(*dialog, u"Roles is a text"_s));
    QCOMPARE(dumpJson(dialog->draft().options["roles"]), QByteArray(R"([{"name":"Master"}])"));
}

void TestTableEditor::namesFollowTheKindOfJob()
{
    Bench bench;
    const auto dialog = opened(bench, specOn(u"kf"_s, twoRoles));
    QCOMPARE(wordsOf(list(*dialog, u"Role, row 1"_s)), (QStringList{u"Master"_s, u"Worker"_s}));
    QComboBox* kind = list(*dialog, u"Kind of job"_s);
    QVERIFY(kind);
    QCOMPARE(kind->currentText(), u"as the platform has it"_s);
    QVERIFY(!dialog->draft().options.contains("jobKind"));
    kind->setCurrentText(u"MPIJob"_s);
    // What is there stays until another one is chosen.
    QCOMPARE(wordsOf(list(*dialog, u"Role, row 2"_s)), (QStringList{u"Launcher"_s, u"Worker"_s, u"Master"_s}));
    QVERIFY(shows(*dialog, u"Role must be one of: Launcher, Worker."_s));
    list(*dialog, u"Role, row 2"_s)->setCurrentText(u"Launcher"_s);
    QVERIFY(!shows(*dialog, u"Role must be one of"_s));
    QCOMPARE(dumpJson(dialog->draft().options["roles"]),
        QByteArray(R"([{"name":"Worker","count":3,"cpu":4},{"name":"Launcher","image":"a:1"}])"));
}

void TestTableEditor::thePlatformsKindOfJobCounts()
{
    Bench bench;
    const auto dialog = opened(bench, specOn(u"mpi"_s));
    button(*dialog, u"Add a row"_s)->click();
    QCOMPARE(wordsOf(list(*dialog, u"Role, row 1"_s)), (QStringList{u"Launcher"_s, u"Worker"_s}));
}

void TestTableEditor::theRowThatReportsIsMarked()
{
    Bench bench;
    const auto dialog = opened(bench, specOn(u"kf"_s, twoRoles));
    const QString mark = u"The trial's values and its end come from here."_s;
    QCOMPARE(cell(*dialog, u"Role, row 1"_s)->accessibleDescription(), QString());
    QCOMPARE(cell(*dialog, u"Role, row 2"_s)->accessibleDescription(), mark);
    // Of two workers without a master it is the first.
    list(*dialog, u"Role, row 2"_s)->setCurrentText(u"Worker"_s);
    QCOMPARE(cell(*dialog, u"Role, row 1"_s)->accessibleDescription(), mark);
    const auto framework =
        opened(bench, specOn(u"fc"_s, R"([{"name":"ps","minSucceeded":-1},{"name":"worker","minSucceeded":1}])"));
    QCOMPARE(cell(*framework, u"Role, row 2"_s)->accessibleDescription(), mark);
    line(*framework, u"Succeeds after, row 1"_s)->clear();
    QTest::keyClicks(line(*framework, u"Succeeds after, row 1"_s), u"1"_s);
    QCOMPARE(cell(*framework, u"Role, row 1"_s)->accessibleDescription(), mark);
}

void TestTableEditor::problemsAreShownAtTheirRow()
{
    Bench bench;
    const auto dialog = opened(bench, specOn(u"kf"_s, twoRoles));
    QLineEdit* pods = line(*dialog, u"Pods, row 1"_s);
    pods->selectAll();
    QTest::keyClicks(pods, u"0"_s);
    QVERIFY(shows(*dialog, u"Pods must be at least 1."_s));
    QVERIFY(pods->property("invalid").toBool());
    QTRY_VERIFY(shows(*dialog, u"1 field(s) to correct"_s) || shows(*dialog, u"1 field to correct"_s));
    run(*dialog);
    QVERIFY(bench.asked<api::CreateExperiment>().isEmpty());
    QVERIFY(pods->hasFocus());
    pods->selectAll();
    QTest::keyClicks(pods, u"2"_s);
    QVERIFY(!shows(*dialog, u"Pods must be at least 1."_s) && !pods->property("invalid").toBool());
    run(*dialog);
    QTRY_COMPARE(bench.asked<api::CreateExperiment>().size(), 1);
}

void TestTableEditor::refusalsAreShownAtTheirRow()
{
    Bench bench;
    bench.refusal = Error{Kind::invalid,
        u"roles[1].image: \"a b\" is no name of an image. Write it as python:3.12-slim.\nroles[0].cpu: \"x\" is none."_s,
        {}};
    const auto dialog = opened(bench, specOn(u"kf"_s, twoRoles));
    run(*dialog);
    QTRY_VERIFY(shows(*dialog, u"Image: \"a b\" is no name of an image."_s));
    QVERIFY(shows(*dialog, u"CPUs: \"x\" is none."_s));
    QVERIFY(line(*dialog, u"Image, row 2"_s)->hasFocus());
    QVERIFY(line(*dialog, u"CPUs, row 1"_s)->property("invalid").toBool());
    // The field of the same name for all roles is not meant.
    QVERIFY(!line(*dialog, u"Container image"_s)->property("invalid").toBool());
    QTest::keyClicks(line(*dialog, u"Image, row 2"_s), u"2"_s);
    QVERIFY(!shows(*dialog, u"Image: \"a b\" is no name"_s));
}

void TestTableEditor::rolesWithCommandsNeedNoOther()
{
    Bench bench;
    ExperimentSpec spec = specOn(u"fc"_s, R"([{"name":"a","command":"x"},{"name":"b"}])");
    spec.trialCommand.clear();
    const auto dialog = opened(bench, spec);
    run(*dialog);
    QVERIFY(bench.asked<api::CreateExperiment>().isEmpty());
    QVERIFY(shows(*dialog, u"Write the command that runs one trial"_s));
    QTest::keyClicks(line(*dialog, u"Command, row 2"_s), u"y"_s);
    run(*dialog);
    QTRY_COMPARE(bench.asked<api::CreateExperiment>().size(), 1);
    QVERIFY(bench.asked<api::CreateExperiment>()[0].spec.trialCommand.isEmpty());
}

void TestTableEditor::rareColumnsAreBelowAButton()
{
    Bench bench;
    const auto dialog = opened(bench, specOn(u"fc"_s, R"([{"name":"a"}])"));
    QVERIFY(!cell(*dialog, u"Fails after, row 1"_s)->isVisible());
    QTest::mouseClick(button(*dialog, u"More of each row"_s), Qt::LeftButton);
    QVERIFY(cell(*dialog, u"Fails after, row 1"_s)->isVisible());
    QTest::keyClicks(line(*dialog, u"Fails after, row 1"_s), u"-1"_s);
    QVERIFY(dialog->draft().options["roles"][0]["minFailed"] == -1);
    const auto other = opened(bench, specOn(u"fc"_s, R"([{"name":"a","minFailed":2}])"));
    QVERIFY(cell(*other, u"Fails after, row 1"_s)->isVisible()); // what was set is seen
}

void TestTableEditor::otherKindsHaveNone()
{
    Bench bench;
    const auto dialog = opened(bench, specOn(u"kf"_s, twoRoles));
    QComboBox* platform = list(*dialog, u"Platform"_s);
    const auto choose = [&](const QString& id) {
        platform->setCurrentIndex(platform->findData(id));
        emit platform->activated(platform->currentIndex());
    };
    choose(u"local"_s);
    QVERIFY(!dialog->findChild<ui::TableEditor*>());
    QVERIFY(dialog->draft().options == Json::object());
    choose(u"kf"_s);
    QVERIFY(dialog->draft().options["roles"] == *parseJson(twoRoles));
}

void TestTableEditor::everyCellIsReachedByTab()
{
    Bench bench;
    const auto dialog = opened(bench, specOn(u"fc"_s, R"([{"name":"a","minFailed":2},{"name":"b"}])"));
    auto* command = dialog->findChild<QPlainTextEdit*>();
    QVERIFY(command);
    QStringList names;
    const QWidget* at = command;
    do {
        at = at->nextInFocusChain();
        if (at->isVisible() && (at->focusPolicy() & Qt::TabFocus) && !at->accessibleName().isEmpty())
            names.append(at->accessibleName());
    } while (names.value(names.size() - 1) != u"More of each row" && at != command);
    const QStringList row{u"Role"_s, u"Pods"_s, u"Command"_s, u"GPUs"_s, u"CPUs"_s, u"Memory"_s, u"Image"_s};
    QStringList wanted;
    for (int i = 1; i <= 2; ++i) {
        for (const QString& name : row)
            wanted.append(u"%1, row %2"_s.arg(name).arg(i));
        wanted.append(u"Remove this row"_s);
        for (const char* name : {"Fails after", "Succeeds after"})
            wanted.append(u"%1, row %2"_s.arg(QLatin1StringView(name)).arg(i));
    }
    const qsizetype first = names.indexOf(wanted.first());
    QVERIFY2(first >= 0, qPrintable(names.join(u", "_s)));
    QCOMPARE(names.mid(first, wanted.size()), wanted);
}

void TestTableEditor::itFits_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("isDark");
    for (const QSize size : {QSize(1090, 760), QSize(1024, 700)})
        for (const bool isDark : {false, true})
            QTest::addRow("%dx%d, %s", size.width(), size.height(), isDark ? "dark" : "light") << size << isDark;
}

/// No cell is narrower than it needs to be, and nothing has to be scrolled sideways. TRIALDECK_PICTURES=FOLDER keeps what it looks like.
void TestTableEditor::itFits()
{
    QFETCH(QSize, size);
    QFETCH(bool, isDark);
    Bench bench;
    bench.theme.setScheme(isDark ? ui::Theme::Scheme::dark : ui::Theme::Scheme::light);
    for (const auto& [platform, roles] :
        {std::pair("kf",
             R"([{"name":"Master","gpus":1,"cpu":8,"memory":"48 GiB"},{"name":"Worker","count":3,"command":"torchrun train.py","gpus":0,"cpu":"0.5","image":"registry.example.org/ml/torch:2.4"}])"),
            {"fc",
                R"([{"name":"ps","minSucceeded":-1},{"name":"worker","count":100,"minSucceeded":100},{"count":0}])"}}) {
        const auto dialog = opened(bench, specOn(QString::fromLatin1(platform), roles));
        dialog->resize(size);
        QTRY_COMPARE(dialog->size(), size);
        const auto* table = dialog->findChild<ui::TableEditor*>();
        const auto* scroll = dialog->findChild<QScrollArea*>();
        QTRY_VERIFY(cell(*table, u"Role, row 1"_s)->isVisible() && cell(*table, u"Role, row 1"_s)->width() > 0);
        QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
        for (QWidget* one : table->controls()) {
            if (!one->isVisible())
                continue;
            QVERIFY2(one->width() >= std::min(one->minimumSizeHint().width(), 48), qPrintable(one->accessibleName()));
            QVERIFY2(table->rect().contains(QRect(one->mapTo(table, QPoint()), one->size())),
                qPrintable(one->accessibleName()));
        }
        if (const QString folder = qEnvironmentVariable("TRIALDECK_PICTURES"); !folder.isEmpty())
            QVERIFY(dialog->grab().save(u"%1/%2-%3-%4.png"_s.arg(folder, QString::fromLatin1(platform))
                                            .arg(size.width())
                                            .arg(isDark ? u"dark"_s : u"light"_s)));
    }
}

QTEST_MAIN(TestTableEditor)
#include "tst_table_editor.moc"
