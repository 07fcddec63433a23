// SPDX-License-Identifier: GPL-3.0-or-later
#include "new_experiment_dialog.h"

#include "command_fields.h"
#include "copy_trial_dialog.h"
#include "objective_fields.h"
#include "place_fields.h"
#include "search_fields.h"
#include "test_run.h"

#include "models/engine_mirror.h"
#include "models/experiments/draft_forecast.h"
#include "services/core/message/localized.h"
#include "services/core/record_json.h"
#include "ui/kit/actions.h"
#include "ui/kit/save_as.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QPointer>
#include <QScrollArea>
#include <QShortcut>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace ui {

using models::DraftField;
using models::DraftProblem;
using models::ExperimentDraft;

namespace {

/// The dialog's title with the field for the name beside it.
class NameField : public DraftFields
{
public:
    explicit NameField(QWidget* parent)
        : DraftFields(parent)
        , m_name(new QLineEdit(this))
    {
        m_name->setAccessibleName(NewExperimentDialog::tr("Name of the experiment"));
        m_name->setPlaceholderText(NewExperimentDialog::tr("Name"));
        m_name->setMinimumWidth(240);
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(24, 12, 24, 12);
        layout->setSpacing(24);
        layout->addWidget(makeLabel(NewExperimentDialog::tr("New experiment"), TextSize::title, QFont::DemiBold, this));
        layout->addWidget(withProblem(DraftField::name, m_name));
        layout->addStretch();
        setFocusProxy(m_name);
        connect(m_name, &QLineEdit::textEdited, this, &DraftFields::edited);
    }
    void showDraft(const ExperimentDraft& draft) override { m_name->setText(draft.name); }
    void readInto(ExperimentDraft& draft) const override { draft.name = m_name->text(); }
    [[nodiscard]] QList<QWidget*> controls() const override { return {m_name}; }

private:
    QLineEdit* m_name;
};

/// Whether the problem is only an empty field, which is not shown before the button is pressed.
bool isOnlyEmpty(const DraftProblem& problem, const ExperimentDraft& draft)
{
    return problem.field == DraftField::name || problem.field == DraftField::metric
        || (problem.field == DraftField::command && draft.command.isEmpty());
}

QString newKey()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

/// The initial draft: the given spec, with defaults where it has no values.
ExperimentDraft firstDraft(const core::ExperimentSpec& prefill, const api::Mirror& state)
{
    ExperimentDraft draft = models::draftOf(prefill);
    const auto& platforms = state.platforms().list();
    if (draft.platform.isEmpty() && !platforms.isEmpty())
        draft.platform = platforms.first()->id;
    if (prefill.trialCommand.isEmpty()) {
        draft.atOnce = 4;
        draft.trials = 20;
    }
    return draft;
}

} // namespace

NewExperimentDialog::NewExperimentDialog(
    const PageContext& context, const core::ExperimentSpec& prefill, QWidget* parent)
    : QDialog(parent)
    , m_context(context)
    , m_kinds(context.mirror)
    , m_base(prefill)
    , m_key(newKey())
{
    setWindowTitle(tr("New experiment"));
    setAttribute(Qt::WA_DeleteOnClose);
    setModal(false);
    resize(roomOnScreen(this, QSize(1090, 760) * m_context.theme.scaled(100) / 100));
    m_name = new NameField(this);
    QWidget* fields = makeFields();
    m_test = new TestRun(context, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_name);
    layout->addWidget(fields, 3);
    layout->addWidget(m_test);
    layout->addWidget(makeFooter());
    setFocusOrder();

    m_soon.setSingleShot(true);
    m_soon.setInterval(150);
    connect(&m_soon, &QTimer::timeout, this, &NewExperimentDialog::check);
    for (DraftFields* part : std::as_const(m_parts))
        connect(part, &DraftFields::edited, &m_soon, qOverload<>(&QTimer::start));
    connect(m_command, &CommandFields::scriptChosen, this, &NewExperimentDialog::openScript);
    connect(m_test, &TestRun::wanted, this, &NewExperimentDialog::startTest);
    connect(m_test, &TestRun::metricChosen, this, &NewExperimentDialog::takeMetric);
    connect(&context.mirror, &models::EngineMirror::changed, this,
        [this] { m_place->offerPlatforms(m_context.mirror.state()); });
    m_place->options().setChoices([this](const QString& field, const core::Json& options, const auto& done) {
        askChoices(field, options, done);
    });
    m_place->offerPlatforms(context.mirror.state());
    m_place->setKinds(m_kinds);
    connect(&m_place->options(), &OptionFields::rebuilt, this, &NewExperimentDialog::setFocusOrder);
    m_kinds.read();
    setDraft(firstDraft(prefill, context.mirror.state()));
    m_name->setFocus();
}

QWidget* NewExperimentDialog::makeFields()
{
    auto* fields = new QWidget(this);
    m_command = new CommandFields(fields);
    m_search = new SearchFields(fields);
    auto* objective = new ObjectiveFields(fields);
    m_place = new PlaceFields(fields);
    m_parts = {m_name, m_command, m_search, objective, m_place};
    auto* left = new QVBoxLayout;
    left->setSpacing(metrics::gap);
    left->addWidget(m_command);
    left->addWidget(m_place->options().tables());
    left->addSpacing(metrics::tight);
    left->addWidget(m_search);
    left->addWidget(objective);
    left->addStretch();
    auto* columns = new QHBoxLayout(fields);
    columns->setContentsMargins(24, 0, 24, metrics::gap);
    columns->setSpacing(32);
    columns->addLayout(left, 5);
    columns->addWidget(m_place, 3);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(fields);
    scroll->setFocusPolicy(Qt::NoFocus); // its fields take the focus and are scrolled into view
    return scroll;
}

QWidget* NewExperimentDialog::makeFooter()
{
    auto* footer = new QWidget(this);
    footer->setMinimumHeight(metrics::dialogFooter);
    auto* layout = new QHBoxLayout(footer);
    layout->setContentsMargins(24, 0, 24, 0);
    layout->setSpacing(metrics::gap);
    m_problem = new ProblemLabel(TextSize::body, footer);
    m_save = makeButton(tr("Save as file"), {}, footer);
    m_cancel = makeButton(tr("Cancel"), {}, footer);
    m_run = makePrimaryButton(tr("Run"), u"play"_s, footer);
    layout->addWidget(m_problem, 1);
    layout->addStretch();
    layout->addWidget(m_save);
    layout->addWidget(m_cancel);
    layout->addWidget(m_run);
    m_run->setDefault(true);
    // Return inserts a line break in the command; Ctrl+Return creates the experiment from every field.
    for (const char* key : {"Ctrl+Return", "Ctrl+Enter"})
        connect(
            new QShortcut(QKeySequence(QLatin1String(key)), this), &QShortcut::activated, m_run, &QPushButton::click);
    connect(m_save, &QPushButton::clicked, this, &NewExperimentDialog::saveAsFile);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_run, &QPushButton::clicked, this, &NewExperimentDialog::create);
    return footer;
}

/// Visual order: down the left column, then the right one, then the footer.
void NewExperimentDialog::setFocusOrder()
{
    QList<QWidget*> order;
    for (const DraftFields* part : std::as_const(m_parts)) {
        if (part == m_search)
            order += m_place->options().tableControls();
        order += part->controls();
    }
    order += {m_test->button(), m_save, m_cancel, m_run};
    for (qsizetype i = 1; i < order.size(); ++i)
        setTabOrder(order[i - 1], order[i]);
}

void NewExperimentDialog::askChoices(const QString& field, const core::Json& options,
    const std::function<void(const QStringList&, const QString&)>& done)
{
    const core::PlatformPtr platform = m_context.mirror.state().platforms().find(draft().platform);
    if (!platform)
        return done({}, tr("Choose where it runs."));
    core::Json settings = platform->settings.is_object() ? platform->settings : core::Json::object();
    settings.update(options);
    models::askChoices(m_context.mirror, {platform->kind, field, settings, platform->id}, done);
}

// -------------------------------------------------------------------------------------------------------------- the fields

ExperimentDraft NewExperimentDialog::draft() const
{
    ExperimentDraft draft;
    draft.base = m_base;
    for (const DraftFields* part : m_parts)
        part->readInto(draft);
    return draft;
}

void NewExperimentDialog::setDraft(const ExperimentDraft& draft)
{
    m_base = draft.base;
    for (DraftFields* part : std::as_const(m_parts))
        part->showDraft(draft);
    check();
}

void NewExperimentDialog::openScript(const QString& file)
{
    ExperimentDraft next = draft();
    if (m_command->openScript(file, next))
        setDraft(next);
}

void NewExperimentDialog::check()
{
    ExperimentDraft now = draft();
    // Add a row at once for a new {name} in the command.
    const qsizetype before = now.search.size();
    models::addMissingRows(now);
    if (now.search.size() != before)
        m_search->showDraft(now);
    m_search->setCommand(models::commandsOf(now));
    QList<DraftProblem> problems = models::problemsOf(now);
    const qsizetype ofTables = m_place->options().tableProblems();
    const qsizetype all = problems.size() + ofTables;
    const bool isTold = m_isPressed || ofTables > 0
        || std::any_of(
            problems.begin(), problems.end(), [](const DraftProblem& p) { return p.field == DraftField::search; });
    if (!m_isPressed)
        problems.removeIf([&now](const DraftProblem& problem) { return isOnlyEmpty(problem, now); });
    for (DraftFields* part : std::as_const(m_parts))
        part->showProblems(problems);
    m_problem->tell(all == 0 || !isTold ? QString() : u"✕ "_s + tr("%n field(s) to correct", nullptr, int(all)));
    m_run->setText(!now.trials || now.search.isEmpty() ? tr("Run") : tr("Run %n trial(s)", nullptr, int(*now.trials)));
    m_place->showForecast(models::draftForecast(now, m_context.mirror.state()));
}

bool NewExperimentDialog::isGood(const ExperimentDraft& draft)
{
    m_isPressed = true;
    const QList<DraftProblem> problems = models::problemsOf(draft);
    if (problems.isEmpty())
        return !m_place->options().showMissing();
    check();
    for (DraftFields* part : std::as_const(m_parts))
        if (part->focusProblem(problems.first()))
            break;
    return false;
}

// --------------------------------------------------------------------------------------------------------------- what it does

void NewExperimentDialog::create()
{
    if (const ExperimentDraft now = draft(); !isGood(now) || !isResultExpected(now))
        return;
    setBusy(m_run, true);
    const QPointer<NewExperimentDialog> self(this);
    m_context.mirror.execute(api::CreateExperiment{models::specOf(draft()), m_key},
        [self, context = m_context](const core::Result<api::Reply>& reply) {
            if (!self)
                return;
            setBusy(self->m_run, false);
            if (!reply) {
                // Show the service's error: it checks more than the form does.
                const QString why = core::localized(reply.error().message);
                self->m_problem->tell(u"✕ "_s + why);
                if (reply.error().kind == core::Kind::invalid)
                    self->m_place->options().showError(why);
                self->m_key = newKey();
                return;
            }
            const auto document = client::documentOf(*reply);
            self->accept();
            if (document && document->is_object() && document->contains("id"))
                context.actions.showExperiment(core::ExperimentId((*document)["id"].get<QString>()));
            context.actions.showPage(u"trials"_s);
        });
}

void NewExperimentDialog::saveAsFile()
{
    const ExperimentDraft now = draft();
    const QString name = now.name.isEmpty() ? u"experiment"_s : now.name;
    saveAs(this, m_context.actions, tr("Save as file"), name + u".json"_s, tr("Experiment (*.json)"),
        [&now](const QString& file) {
            return writeFile(file, core::dumpJson(core::toJson(models::specOf(now)), 2) + '\n');
        });
}

void NewExperimentDialog::startTest()
{
    ExperimentDraft test = draft();
    if (test.name.trimmed().isEmpty())
        test.name = tr("test run");
    if (test.metric.trimmed().isEmpty())
        test.metric = u"default"_s; // what is to be the metric may be seen in its output
    if (!isGood(test))
        return;
    m_isWarned = false;
    m_test->start(test);
}

void NewExperimentDialog::takeMetric(const trial::PatternCandidate& candidate)
{
    ExperimentDraft next = draft();
    next.metric = candidate.name;
    next.pattern = candidate.pattern;
    next.maximize = !trial::soundsLikeLoss(candidate.name);
    setDraft(next);
}

bool NewExperimentDialog::isResultExpected(const ExperimentDraft& draft)
{
    if (m_isWarned || !m_test->endedWithoutValue() || !draft.pattern.trimmed().isEmpty())
        return true;
    m_isWarned = true;
    m_problem->tell(u"✕ "_s
        + tr("The test run reported no value, so no trial would have a result. Choose a number of its output, or press "
             "again to run them all the same."));
    return false;
}

void NewExperimentDialog::done(int result)
{
    m_test->stop();
    QDialog::done(result);
}

void NewExperimentDialog::closeEvent(QCloseEvent* event)
{
    m_test->stop();
    QDialog::closeEvent(event);
}

void openNewExperiment(
    const PageContext& context, const core::ExperimentSpec& prefill, const core::TrialId& copyOf, QWidget* parent)
{
    const core::TrialPtr trial = context.mirror.state().trial(copyOf);
    QDialog* dialog = nullptr;
    if (trial)
        dialog = new CopyTrialDialog(context, *trial, parent);
    else
        dialog = new NewExperimentDialog(context, prefill, parent);
    dialog->show();
    dialog->raise();
}

} // namespace ui
