// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/experiments/draft_forecast.h"
#include "models/experiments/experiment_draft.h"
#include "models/forecast.h"
#include "models/trials/parameters_text.h"
#include "models/trials/trial_sentence.h"
#include "services/api/mirror.h"

#include <QTest>

#include <cmath>

Q_DECLARE_METATYPE(models::ExperimentDraft)

using namespace Qt::StringLiterals;
using namespace models;

static const QString script = uR"py(
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=1e-2, help="learning rate (the step)")
parser.add_argument('-b', '--batch-size', type=int, default=64)
parser.add_argument("--dropout", default=0.1)
parser.add_argument("--optimizer", choices=["sgd", 'adam'], default="sgd")
parser.add_argument("--epochs", type=int, default=60)
parser.add_argument("--data-dir", default="/data")
parser.add_argument("--amp", action="store_true")
parser.add_argument("--seed", type=int, default=1)
)py"_s;

class TstExperimentDraft : public QObject
{
    Q_OBJECT
private slots:
    void findsArguments();
    void findsOtherStyles();
    void namesOfATemplate();
    void proposesFromAScript();
    void problems_data();
    void problems();
    void specAndBack();
    void wholeNumbersIncludeBothEnds();
    void examples();
    void aNewNameGetsARow();
    void noScriptCrashes();
    void texts();
    void sentencesOfATrial();
    void forecasts();
    void whatStartsAtOnce();
};

void TstExperimentDraft::findsArguments()
{
    const QList<ScriptArgument> found = scanScript(script);
    QStringList names;
    for (const ScriptArgument& one : found)
        names.append(one.name);
    QCOMPARE(names, (QStringList{u"lr"_s, u"batch_size"_s, u"dropout"_s, u"optimizer"_s, u"epochs"_s}));
    QCOMPARE(found[0].preset, u"1e-2"_s);
    QVERIFY(found[0].isNumber && !found[0].isWhole);
    QCOMPARE(found[1].flag, u"--batch-size"_s);
    QVERIFY(found[1].isWhole);
    QCOMPARE(found[3].choices, (QStringList{u"sgd"_s, u"adam"_s}));
}

void TstExperimentDraft::findsOtherStyles()
{
    const QList<ScriptArgument> found = scanScript(uR"py(
@click.option("--lr", default=0.1, type=float)
flags.DEFINE_float('momentum', 0.9, 'how much')
flags.DEFINE_integer("layers", 4, "depth")
)py"_s);
    QCOMPARE(found.size(), 3);
    QCOMPARE(found[0].name, u"lr"_s);
    QCOMPARE(found[1].name, u"momentum"_s);
    QVERIFY(found[2].isWhole);
}

void TstExperimentDraft::namesOfATemplate()
{
    QStringList names;
    for (const TemplateName& name : templateNames(u"python3 t.py --lr {lr} ${HOME} {args} {a.b} { x } {}"_s))
        names.append(name.name);
    QCOMPARE(names, (QStringList{u"lr"_s, u"a.b"_s}));
}

void TstExperimentDraft::proposesFromAScript()
{
    ExperimentDraft draft;
    proposeFromScript(draft, u"/home/me/cifar/train it.py"_s, script);
    QCOMPARE(draft.codeDir, u"/home/me/cifar"_s);
    QCOMPARE(draft.name, u"cifar"_s);
    QCOMPARE(draft.command,
        u"python3 'train it.py' --lr {lr} --batch-size {batch_size} --dropout {dropout} --optimizer {optimizer}"_s);
    QCOMPARE(draft.search.size(), 4);
    QCOMPARE(draft.search[0].kind, SearchKind::log_uniform);
    QCOMPARE(draft.search[0].from, u"0.001"_s);
    QCOMPARE(draft.search[1].choices, u"32, 64, 128"_s);
    draft.platform = core::PlatformId(u"local"_s);
    QCOMPARE(problemsOf(draft), QList<DraftProblem>());
}

static ExperimentDraft good()
{
    ExperimentDraft draft;
    draft.name = u"one"_s;
    draft.command = u"python3 train.py --lr {lr}"_s;
    draft.platform = core::PlatformId(u"local"_s);
    draft.search = {{u"lr"_s, SearchKind::log_uniform, u"0.001"_s, u"0.1"_s, {}}};
    return draft;
}

void TstExperimentDraft::problems_data()
{
    QTest::addColumn<ExperimentDraft>("draft");
    QTest::addColumn<int>("field");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, DraftField field, const QString& message, auto change) {
        ExperimentDraft draft = good();
        change(draft);
        QTest::newRow(name) << draft << int(field) << message;
    };
    row("name", DraftField::name, u"Give it a name."_s, [](ExperimentDraft& d) { d.name = u" "_s; });
    row("command", DraftField::command, u"Write the command that runs one trial, or choose a script."_s,
        [](ExperimentDraft& d) { d.command.clear(); });
    row("swapped", DraftField::search, u"lr: From must be below To."_s,
        [](ExperimentDraft& d) { std::swap(d.search[0].from, d.search[0].to); });
    row("zero", DraftField::search, u"lr: a logarithmic range begins above 0."_s,
        [](ExperimentDraft& d) { d.search[0].from = u"0"_s; });
    row("no number", DraftField::search, u"lr: To must be a number."_s,
        [](ExperimentDraft& d) { d.search[0].to = u"big"_s; });
    row("twice", DraftField::search, u"lr stands here twice."_s,
        [](ExperimentDraft& d) { d.search.append(d.search[0]); });
    row("no choice", DraftField::search, u"lr: write the values to choose from, with commas between them."_s,
        [](ExperimentDraft& d) { d.search[0].kind = SearchKind::choice; });
    row("not searched", DraftField::command, u"{batch} is in the command, but not in the search."_s,
        [](ExperimentDraft& d) { d.command += u" --batch {batch}"_s; });
    row("pattern", DraftField::pattern, u"It needs a group called value, for example acc=(?P<value>[\\d.]+)"_s,
        [](ExperimentDraft& d) { d.pattern = u"acc=(.*)"_s; });
    row("platform", DraftField::platform, u"Choose where it runs."_s, [](ExperimentDraft& d) { d.platform = {}; });
    row("metric", DraftField::metric, u"Name the metric; a script that reports plain numbers reports \"default\"."_s,
        [](ExperimentDraft& d) { d.metric.clear(); });
}

void TstExperimentDraft::problems()
{
    QFETCH(ExperimentDraft, draft);
    QFETCH(int, field);
    QFETCH(QString, message);
    const QList<DraftProblem> found = problemsOf(draft);
    QCOMPARE(found.size(), 1);
    QCOMPARE(int(found[0].field), field);
    QCOMPARE(found[0].message, message);
    QCOMPARE(found[0].canSwap, QLatin1StringView(QTest::currentDataTag()) == u"swapped");
}

void TstExperimentDraft::specAndBack()
{
    ExperimentDraft draft = good();
    draft.search.append({u"batch"_s, SearchKind::choice, {}, {}, u"32, 64, adam, true"_s});
    draft.search.append({u"layers"_s, SearchKind::whole, u"1"_s, u"8"_s, {}});
    draft.gpus = 2;
    draft.secondsATrial = 3600;
    draft.tags = u"a, b"_s;
    draft.metric = u"loss"_s;
    draft.maximize = false;
    draft.base.environment.insert(u"KEPT"_s, u"yes"_s);
    const core::ExperimentSpec spec = specOf(draft);
    QCOMPARE(core::dumpJson(spec.searchSpace),
        QByteArray(
            R"({"lr":{"_type":"loguniform","_value":[0.001,0.1]},"batch":{"_type":"choice","_value":[32,64,"adam",true]},)"
            R"("layers":{"_type":"randint","_value":[1,9]}})"));
    QCOMPARE(spec.tunerName, u"Random"_s);
    QCOMPARE(spec.tags, (QStringList{u"a"_s, u"b"_s}));
    QCOMPARE(spec.environment.value(u"KEPT"_s), u"yes"_s);
    ExperimentDraft back = draftOf(spec);
    QCOMPARE(back.search, draft.search);
    QCOMPARE(specOf(back), spec);
    draft.search.clear();
    QVERIFY(specOf(draft).searchSpace.is_null());
    QVERIFY(specOf(draft).tunerName.isEmpty());
}

void TstExperimentDraft::wholeNumbersIncludeBothEnds()
{
    ExperimentDraft draft = good();
    draft.search = {{u"lr"_s, SearchKind::whole, u"1"_s, u"9"_s, {}}};
    QCOMPARE(core::dumpJson(specOf(draft).searchSpace["lr"]["_value"]), QByteArray("[1,10]"));
}

void TstExperimentDraft::examples()
{
    QCOMPARE(examplesOf({u"lr"_s, SearchKind::uniform, u"0"_s, u"1"_s, {}}), u"0.62, 0.14, 0.87"_s);
    QCOMPARE(examplesOf({u"b"_s, SearchKind::choice, {}, {}, u"a, b"_s}), u"b, a"_s);
    QCOMPARE(examplesOf({u"lr"_s, SearchKind::uniform, u"1"_s, u"0"_s, {}}), QString());
}

void TstExperimentDraft::aNewNameGetsARow()
{
    ExperimentDraft draft = good();
    draft.command += u" --wd {wd}"_s;
    addMissingRows(draft);
    QCOMPARE(draft.search.size(), 2);
    QCOMPARE(draft.search[1].name, u"wd"_s);
    QCOMPARE(unusedRows(draft), QStringList());
    draft.command = u"python3 train.py {wd}"_s;
    QCOMPARE(unusedRows(draft), QStringList{u"lr"_s});
    draft.command = u"python3 train.py {args}"_s;
    QCOMPARE(unusedRows(draft), QStringList());
    // Commands of roles count, too, also where these are a text.
    draft.command = u"python3 train.py"_s;
    draft.search.clear();
    for (const core::Json& roles : {core::Json::array({{{"name", "Worker"}, {"command", "w --lr {lr}"}}}),
             core::Json("- {name: Worker, command: 'w --lr {lr}'}")}) {
        draft.options = {{"image", "a:1"}, {"roles", roles}};
        draft.search.clear();
        addMissingRows(draft);
        QCOMPARE(draft.search.size(), 1);
        QCOMPARE(draft.search[0].name, u"lr"_s);
        QCOMPARE(unusedRows(draft), QStringList());
    }
    draft.options = core::Json::object();
    QCOMPARE(unusedRows(draft), QStringList{u"lr"_s});
}

void TstExperimentDraft::noScriptCrashes()
{
    for (const QString& text : {u"add_argument("_s, u"add_argument('--lr', default=[((("_s, u"option('"_s,
             QString(100'000, u'('), u"add_argument("_s.repeated(5000)})
        (void)scanScript(text);
}

void TstExperimentDraft::texts()
{
    QCOMPARE(parametersText(R"({"lr": 0.05512, "opt": "adam", "l": [1]})"), u"lr 0.0551, opt adam, l [1]"_s);
    QCOMPARE(parametersText("no json"), u"no json"_s);
}

void TstExperimentDraft::sentencesOfATrial()
{
    core::Trial trial;
    trial.id = core::TrialId(u"t1"_s);
    trial.submitTime = 10'000;
    const qint64 now = 70'000;
    QCOMPARE(resultSentence(trial, nullptr, now), u"Waits for 1 min"_s);
    QCOMPARE(stateSentence(trial, u"Waiting"_s, now), u"Waiting"_s);
    trial.status = core::TrialStatus::running;
    trial.startTime = 28'000;
    trial.machineId = core::MachineId(u"<lab>"_s);
    trial.gpuIndices = {0, 2};
    QCOMPARE(stateSentence(trial, u"Running"_s, now), u"Running for 42 s"_s);
    QCOMPARE(resultSentence(trial, nullptr, now), u"No value was reported yet, on &lt;lab&gt; GPU 0, 2"_s);
    core::Experiment experiment;
    experiment.spec.objective.metric = u"acc"_s;
    experiment.best = core::BestTrial{trial.id, 0.5};
    const auto of = std::make_shared<const core::Experiment>(experiment);
    trial.bestMetric = 0.5;
    trial.latestMetric = core::MetricSummary{0, 7, {core::MetricValue::Kind::object, 0.4, R"({"acc": 0.4})"}, 69'000};
    QVERIFY(isBest(trial, of));
    QCOMPARE(resultSentence(trial, of, now), u"Best so far <b>0.5000</b>, on &lt;lab&gt; GPU 0, 2, just now"_s);
    trial.attempt = 2;
    QCOMPARE(detailSentence(trial, of, now), u"Last 0.4000 at step 7. Attempt 2."_s);
    trial.status = core::TrialStatus::failed;
    trial.reason = u"out of\nmemory"_s;
    QCOMPARE(detailSentence(trial, of, now), u"Out of⏎memory. Attempt 2."_s);
    trial.status = core::TrialStatus::unknown;
    trial.cancelIntent = core::CancelIntent::user;
    QCOMPARE(detailSentence(trial, of, now), u"It is being cancelled."_s);
}

void TstExperimentDraft::whatStartsAtOnce()
{
    core::Platform platform;
    platform.id = core::PlatformId(u"lab"_s);
    platform.state = core::PlatformState::ready;
    core::Machine machine;
    machine.id = core::MachineId(u"lab.1"_s);
    machine.platformId = platform.id;
    machine.gpus = {core::Gpu(), core::Gpu(), core::Gpu()};
    machine.gpus[1].processes.append(core::GpuProcess());
    api::Change lab;
    lab.full = true;
    lab.platforms = {std::make_shared<const core::Platform>(platform)};
    api::Mirror state;
    state.apply(lab);
    ExperimentDraft draft;
    QCOMPARE(draftForecast(draft, state), u"Choose a platform first."_s);
    draft.platform = platform.id;
    draft.atOnce = 4;
    draft.trials = 3;
    QCOMPARE(draftForecast(draft, state), u"The first 3 start at once on lab."_s);
    draft.gpus = 2;
    QCOMPARE(draftForecast(draft, state), u"No GPU is known on lab; trials that want one would wait."_s);
    lab.machines = {std::make_shared<const core::Machine>(machine)};
    state.apply(lab);
    QCOMPARE(draftForecast(draft, state), u"2 of 3 GPUs are free: the first 1 start at once."_s);
    // Roles: so many pods, each with the trial's number of GPUs or its own.
    draft.options = {{"roles", "- {name: Master, gpus: 1}\n- {name: Worker, count: 3, gpus: 0}"}};
    QCOMPARE(draftForecast(draft, state),
        u"Each trial: 4 pods, GPUs: 1. 2 of 3 GPUs are free: the first 2 start at once."_s);
    draft.options = {{"roles", {{{"name", "Worker"}, {"count", 2}}}}};
    QCOMPARE(draftForecast(draft, state),
        u"Each trial: 2 pods, GPUs: 4. 2 of 3 GPUs are free: the first 0 start at once."_s);
    draft.gpus = 0;
    QCOMPARE(draftForecast(draft, state), u"Each trial: 2 pods. The first 3 start at once on lab."_s);
    draft.options = {{"roles", {{{"name", "Worker"}}}}}; // one pod, as without roles
    QCOMPARE(draftForecast(draft, state), u"The first 3 start at once on lab."_s);
    platform.state = core::PlatformState::silent;
    platform.message = u"gone"_s;
    lab.platforms = {std::make_shared<const core::Platform>(platform)};
    state.apply(lab);
    QCOMPARE(draftForecast(draft, state), u"lab is not ready: gone"_s);
    platform.state = core::PlatformState::opening;
    platform.message = {};
    lab.platforms = {std::make_shared<const core::Platform>(platform)};
    state.apply(lab);
    QCOMPARE(draftForecast(draft, state), u"lab is not ready yet."_s);
}

void TstExperimentDraft::forecasts()
{
    QVERIFY(!forecastEnd({1000, 1000}, 10, 2, 0));
    QVERIFY(!forecastEnd({1000, 1000, 1000}, 0, 2, 0));
    const auto band = forecastEnd({60'000, 60'000, 60'000, 60'000}, 10, 2, 1'000'000);
    QVERIFY(band);
    // Five rounds of a minute.
    QCOMPARE(band->first, 1'300'000);
    QCOMPARE(band->second, 1'300'000);
    const auto wide = forecastEnd({30'000, 90'000, 60'000, 20'000}, 10, 2, 1'000'000);
    QVERIFY(wide->first < wide->second);
}

QTEST_APPLESS_MAIN(TstExperimentDraft)
#include "tst_experiment_draft.moc"
