// SPDX-License-Identifier: GPL-3.0-or-later
#include "new_experiment_dialog.h"

#include "actions.h"
#include "copy_trial_dialog.h"
#include "icons.h"
#include "search_editor.h"
#include "style.h"
#include "test_run.h"
#include "theme.h"
#include "widgets.h"

#include "models/engine_mirror.h"
#include "services/core/record_json.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QPlainTextEdit>
#include <QPointer>
#include <QSaveFile>
#include <QScrollArea>
#include <QShortcut>
#include <QSpinBox>
#include <QSyntaxHighlighter>
#include <QUuid>

#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace ui {

using models::DraftField;
using models::DraftProblem;
using models::ExperimentDraft;

namespace {

constexpr int labelColumn = 112;
constexpr qint64 largestScript = 2 * 1024 * 1024;

/// `{name}` stands out: it becomes a value.
class NameHighlighter : public QSyntaxHighlighter
{
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override
    {
        const Roles& roles = Theme::current().roles();
        QTextCharFormat format;
        format.setForeground(roles.accent);
        format.setBackground(roles.select);
        for (const models::TemplateName& name : models::templateNames(text))
            setFormat(int(name.at), int(name.length), format);
    }
};

QFormLayout* makeForm()
{
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(metrics::gap);
    form->setVerticalSpacing(metrics::gap);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return form;
}

QLabel* formLabel(const QString& text)
{
    QLabel* label = makeQuietLabel(text);
    label->setMinimumWidth(labelColumn - metrics::gap);
    return label;
}

/// A number with a word at its right.
QWidget* withWord(QSpinBox* box, const QString& word)
{
    auto* out = new QWidget;
    auto* layout = new QHBoxLayout(out);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::gap);
    box->setFixedWidth(84);
    layout->addWidget(box);
    layout->addWidget(makeQuietLabel(word, TextSize::header), 1);
    return out;
}

} // namespace

NewExperimentDialog::NewExperimentDialog(
    const PageContext& context, const core::ExperimentSpec& prefill, QWidget* parent)
    : QDialog(parent)
    , m_context(context)
    , m_base(prefill)
    , m_key(QUuid::createUuid().toString(QUuid::WithoutBraces))
{
    setWindowTitle(tr("New experiment"));
    setAttribute(Qt::WA_DeleteOnClose);
    setModal(false);
    resize(roomOnScreen(this, QSize(1090, 760) * m_context.theme.scaled(100) / 100));

    auto* head = new QHBoxLayout;
    head->setContentsMargins(24, 12, 24, 12);
    head->setSpacing(24);
    head->addWidget(makeLabel(tr("New experiment"), TextSize::title, QFont::DemiBold, this));
    m_name = new QLineEdit(this);
    m_name->setAccessibleName(tr("Name of the experiment"));
    m_name->setPlaceholderText(tr("Name"));
    m_name->setMinimumWidth(240);
    head->addWidget(withProblem(m_name, DraftField::name));
    head->addStretch();

    auto* fields = new QWidget(this);
    auto* columns = new QHBoxLayout(fields);
    columns->setContentsMargins(24, 0, 24, metrics::gap);
    columns->setSpacing(32);
    columns->addWidget(makeLeft(), 5);
    columns->addWidget(makeRight(), 3);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(fields);
    scroll->setFocusPolicy(Qt::NoFocus); // what is in it is reached, and comes into view

    m_test = new TestRun(context, this);
    connect(m_test, &TestRun::wanted, this, &NewExperimentDialog::startTest);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(scroll, 3);
    layout->addWidget(m_test);
    layout->addWidget(makeFooter());
    setFocusOrder();

    m_soon.setSingleShot(true);
    m_soon.setInterval(150);
    connect(&m_soon, &QTimer::timeout, this, &NewExperimentDialog::check);
    connect(&context.mirror, &models::EngineMirror::changed, this, &NewExperimentDialog::fillPlatforms);
    fillPlatforms();

    ExperimentDraft draft = models::draftOf(prefill);
    if (draft.platform.isEmpty()) {
        const auto& platforms = context.mirror.state().platforms().list();
        if (!platforms.isEmpty())
            draft.platform = platforms.first()->id;
    }
    if (prefill.trialCommand.isEmpty()) {
        draft.atOnce = 4;
        draft.trials = 20;
    }
    setDraft(draft);
    m_name->setFocus();
}

/// As the eye goes: down the left column, then the right one, then the foot.
void NewExperimentDialog::setFocusOrder()
{
    QWidget* before = m_name;
    for (QWidget* control : std::initializer_list<QWidget*>{m_scriptField, m_choose, m_interpreter, m_command,
             m_explorer, m_search->lastControl(), m_direction, m_metric, m_pattern, m_platform, m_gpus, m_atOnce,
             m_trials, m_minutes, m_codeDir, m_setup, m_tags, m_test->button(), m_save, m_cancel, m_run}) {
        setTabOrder(before, control);
        before = control;
    }
}

QWidget* NewExperimentDialog::withProblem(QWidget* field, DraftField which)
{
    auto* out = new QWidget;
    auto* layout = new QVBoxLayout(out);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(field);
    QLabel* problem = makeLabel({}, TextSize::header, QFont::Normal, out);
    problem->setTextFormat(Qt::PlainText);
    problem->setWordWrap(true);
    QPalette red = problem->palette();
    red.setColor(QPalette::WindowText, m_context.theme.roles().failed);
    problem->setPalette(red);
    problem->hide();
    layout->addWidget(problem);
    m_problemLabels.insert(int(which), problem);
    return out;
}

QWidget* NewExperimentDialog::makeLeft()
{
    auto* left = new QWidget(this);
    auto* layout = new QVBoxLayout(left);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::gap);

    m_scriptField = new QLineEdit(left);
    m_scriptField->setAccessibleName(tr("Script"));
    m_scriptField->setPlaceholderText(tr("A training script, of any language"));
    m_scriptField->setFont(m_context.theme.font(TextSize::mono));
    m_choose = makeButton(tr("Choose"), u"file"_s, left);
    auto* scriptRow = new QWidget(left);
    auto* scriptLayout = new QHBoxLayout(scriptRow);
    scriptLayout->setContentsMargins(0, 0, 0, 0);
    scriptLayout->setSpacing(metrics::gap);
    scriptLayout->addWidget(m_scriptField, 1);
    scriptLayout->addWidget(m_choose);
    m_interpreter = new QComboBox(left);
    m_interpreter->setEditable(true);
    m_interpreter->setAccessibleName(tr("Interpreter"));
    m_interpreter->addItem(QString());
    m_interpreter->lineEdit()->setPlaceholderText(tr("The one that the command finds"));
    m_interpreter->lineEdit()->setFont(m_context.theme.font(TextSize::mono));
    m_command = new QPlainTextEdit(left);
    m_command->setAccessibleName(tr("Command of a trial"));
    m_command->setFont(m_context.theme.font(TextSize::mono));
    m_command->setPlaceholderText(u"python3 train.py --lr {lr} --batch-size {batch}"_s);
    m_command->setTabChangesFocus(true);
    m_command->setProperty("field", true);
    m_command->setFixedHeight(m_context.theme.scaled(56));
    new NameHighlighter(m_command->document());
    m_commandHint = makeQuietLabel({}, TextSize::caption, left);
    auto* commandBox = new QWidget(left);
    commandBox->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* commandLayout = new QVBoxLayout(commandBox);
    commandLayout->setContentsMargins(0, 0, 0, 0);
    commandLayout->setSpacing(2);
    commandLayout->addWidget(withProblem(m_command, DraftField::command));
    commandLayout->addWidget(m_commandHint);
    QFormLayout* form = makeForm();
    form->addRow(formLabel(tr("Script")), withProblem(scriptRow, DraftField::script));
    form->addRow(formLabel(tr("Interpreter")), m_interpreter);
    form->addRow(formLabel(tr("Command")), commandBox);
    layout->addLayout(form);

    m_searchTitle = makeLabel(tr("Search"), TextSize::title, QFont::DemiBold, left);
    m_searchTitle->setTextFormat(Qt::RichText);
    m_explorer = new QComboBox(left);
    m_explorer->setAccessibleName(tr("Explored by"));
    m_explorer->addItems({tr("Random"), tr("Grid")});
    auto* searchHead = new QHBoxLayout;
    searchHead->addWidget(m_searchTitle);
    searchHead->addStretch();
    searchHead->addWidget(makeQuietLabel(tr("Explored by"), TextSize::body, left));
    searchHead->addWidget(m_explorer);
    m_search = new SearchEditor(left);
    layout->addSpacing(metrics::tight);
    layout->addLayout(searchHead);
    layout->addWidget(m_search);

    layout->addWidget(makeLabel(tr("Objective"), TextSize::title, QFont::DemiBold, left));
    m_direction = new QComboBox(left);
    m_direction->setAccessibleName(tr("Direction"));
    m_direction->addItems({tr("Maximize"), tr("Minimize")});
    m_metric = new QLineEdit(left);
    m_metric->setAccessibleName(tr("Metric"));
    m_metric->setPlaceholderText(u"accuracy"_s);
    m_pattern = new QLineEdit(left);
    m_pattern->setAccessibleName(tr("Pattern of the lines that tell it"));
    m_pattern->setPlaceholderText(tr("only if the script prints it: val_acc=(?P<value>[\\d.]+)"));
    m_pattern->setFont(m_context.theme.font(TextSize::mono));
    auto* objective = new QHBoxLayout;
    objective->setSpacing(metrics::gap);
    objective->addWidget(m_direction, 0, Qt::AlignTop);
    objective->addWidget(withProblem(m_metric, DraftField::metric), 1, Qt::AlignTop);
    QLabel* from = makeQuietLabel(tr("read from output"), TextSize::body, left);
    from->setFixedHeight(metrics::control);
    objective->addWidget(from, 0, Qt::AlignTop);
    objective->addWidget(withProblem(m_pattern, DraftField::pattern), 2, Qt::AlignTop);
    layout->addLayout(objective);
    layout->addStretch();

    connect(m_choose, &QPushButton::clicked, this, &NewExperimentDialog::chooseScript);
    connect(m_scriptField, &QLineEdit::editingFinished, this, [this] {
        if (m_scriptField->text() != m_script && !m_scriptField->text().isEmpty())
            openScript(m_scriptField->text());
    });
    connect(m_name, &QLineEdit::textEdited, this, &NewExperimentDialog::edited);
    connect(m_command, &QPlainTextEdit::textChanged, this, &NewExperimentDialog::edited);
    connect(m_search, &SearchEditor::edited, this, &NewExperimentDialog::edited);
    for (QLineEdit* field : {m_metric, m_pattern})
        connect(field, &QLineEdit::textEdited, this, &NewExperimentDialog::edited);
    for (QComboBox* box : {m_explorer, m_direction})
        connect(box, &QComboBox::activated, this, &NewExperimentDialog::edited);
    return left;
}

QWidget* NewExperimentDialog::makeRight()
{
    auto* right = new QWidget(this);
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::gap);
    layout->addWidget(makeLabel(tr("Where"), TextSize::title, QFont::DemiBold, right));
    m_platform = new QComboBox(right);
    m_platform->setAccessibleName(tr("Platform"));
    m_gpus = new QSpinBox(right);
    m_gpus->setRange(-1, 64);
    m_gpus->setSpecialValueText(tr("any"));
    m_gpus->setAccessibleName(tr("GPUs a trial"));
    m_atOnce = new QSpinBox(right);
    m_atOnce->setRange(1, 100'000);
    m_atOnce->setAccessibleName(tr("Trials at once"));
    m_trials = new QSpinBox(right);
    m_trials->setRange(0, 10'000'000);
    m_trials->setSpecialValueText(tr("no limit"));
    m_trials->setAccessibleName(tr("Trials"));
    m_minutes = new QSpinBox(right);
    m_minutes->setRange(0, 1'000'000);
    m_minutes->setSuffix(tr(" min"));
    m_minutes->setSpecialValueText(tr("no limit"));
    m_minutes->setAccessibleName(tr("Time a trial"));
    m_codeDir = new QLineEdit(right);
    m_codeDir->setAccessibleName(tr("Folder of the code"));
    m_codeDir->setPlaceholderText(tr("none"));
    m_codeDir->setFont(m_context.theme.font(TextSize::mono));
    m_setup = new QLineEdit(right);
    m_setup->setAccessibleName(tr("Setup"));
    m_setup->setPlaceholderText(u"source .venv/bin/activate"_s);
    m_setup->setFont(m_context.theme.font(TextSize::mono));
    m_tags = new QLineEdit(right);
    m_tags->setAccessibleName(tr("Tags"));
    m_tags->setPlaceholderText(tr("with commas between them"));
    QFormLayout* form = makeForm();
    form->addRow(formLabel(tr("Platform")), withProblem(m_platform, DraftField::platform));
    form->addRow(formLabel(tr("GPUs a trial")), withWord(m_gpus, tr("any: sees all, reserves none")));
    form->addRow(formLabel(tr("At once")), withWord(m_atOnce, tr("trials")));
    form->addRow(formLabel(tr("Trials")), withWord(m_trials, tr("no more than this")));
    form->addRow(formLabel(tr("Time a trial")), withWord(m_minutes, tr("then stopped early")));
    form->addRow(formLabel(tr("Code")), withProblem(m_codeDir, DraftField::code));
    form->addRow(formLabel(tr("Setup")), m_setup);
    form->addRow(formLabel(tr("Tags")), m_tags);
    layout->addLayout(form);
    QLabel* hint = makeQuietLabel(
        tr("A snapshot of the folder is taken: later edits do not change a running search."), TextSize::caption, right);
    hint->setWordWrap(true);
    layout->addWidget(hint);
    layout->addSpacing(metrics::gap);
    layout->addWidget(makeLabel(tr("Forecast"), TextSize::title, QFont::DemiBold, right));
    m_forecast = makeLabel({}, TextSize::body, QFont::Normal, right);
    m_forecast->setWordWrap(true);
    layout->addWidget(m_forecast);
    layout->addStretch();
    for (QSpinBox* box : {m_gpus, m_atOnce, m_trials, m_minutes})
        connect(box, &QSpinBox::valueChanged, this, &NewExperimentDialog::edited);
    for (QLineEdit* field : {m_codeDir, m_setup, m_tags})
        connect(field, &QLineEdit::textEdited, this, &NewExperimentDialog::edited);
    connect(m_platform, &QComboBox::activated, this, &NewExperimentDialog::edited);
    return right;
}

QWidget* NewExperimentDialog::makeFooter()
{
    auto* footer = new QWidget(this);
    footer->setFixedHeight(metrics::dialogFooter);
    auto* layout = new QHBoxLayout(footer);
    layout->setContentsMargins(24, 0, 24, 0);
    layout->setSpacing(metrics::gap);
    m_footerProblem = makeLabel({}, TextSize::body, QFont::Normal, footer);
    m_footerProblem->setTextFormat(Qt::RichText);
    m_save = makeButton(tr("Save as file"), {}, footer);
    m_cancel = makeButton(tr("Cancel"), {}, footer);
    m_run = makePrimaryButton(tr("Run"), u"play"_s, footer);
    layout->addWidget(m_footerProblem, 1);
    layout->addWidget(m_save);
    layout->addWidget(m_cancel);
    layout->addWidget(m_run);
    m_run->setDefault(true);
    // Return makes a new line in the command; with Ctrl it runs from every field.
    for (const char* key : {"Ctrl+Return", "Ctrl+Enter"})
        connect(
            new QShortcut(QKeySequence(QLatin1String(key)), this), &QShortcut::activated, m_run, &QPushButton::click);
    connect(m_save, &QPushButton::clicked, this, &NewExperimentDialog::saveAsFile);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_run, &QPushButton::clicked, this, &NewExperimentDialog::create);
    return footer;
}

void NewExperimentDialog::fillPlatforms()
{
    QStringList ids;
    for (const core::PlatformPtr& platform : m_context.mirror.state().platforms().list())
        ids.append(platform->id.value);
    QStringList before;
    for (int i = 0; i < m_platform->count(); ++i)
        before.append(m_platform->itemData(i).toString());
    if (ids == before)
        return;
    const QString chosen = m_platform->currentData().toString();
    m_platform->clear();
    for (const core::PlatformPtr& platform : m_context.mirror.state().platforms().list())
        m_platform->addItem(platform->kind == platform->id.value ? platform->id.value
                                                                 : tr("%1, %2").arg(platform->id.value, platform->kind),
            platform->id.value);
    m_platform->setCurrentIndex(std::max(0, m_platform->findData(chosen)));
}

// -------------------------------------------------------------------------------------------------------------- the fields

ExperimentDraft NewExperimentDialog::draft() const
{
    ExperimentDraft draft;
    draft.base = m_base;
    draft.name = m_name->text();
    draft.script = m_script;
    draft.command = m_command->toPlainText();
    draft.interpreter = m_interpreter->currentText();
    draft.search = m_search->rows();
    draft.isGrid = m_explorer->currentIndex() == 1;
    draft.maximize = m_direction->currentIndex() == 0;
    draft.metric = m_metric->text();
    draft.pattern = m_pattern->text();
    draft.platform = core::PlatformId(m_platform->currentData().toString());
    draft.gpus = m_gpus->value() < 0 ? std::nullopt : std::optional(m_gpus->value());
    draft.atOnce = m_atOnce->value();
    draft.trials = m_trials->value() == 0 ? std::nullopt : std::optional<qint64>(m_trials->value());
    draft.secondsATrial = m_minutes->value() == 0 ? std::nullopt : std::optional<qint64>(m_minutes->value() * 60LL);
    draft.codeDir = m_codeDir->text();
    draft.setup = m_setup->text();
    draft.tags = m_tags->text();
    return draft;
}

void NewExperimentDialog::setDraft(const ExperimentDraft& draft)
{
    m_base = draft.base;
    m_script = draft.script;
    m_name->setText(draft.name);
    m_scriptField->setText(draft.script);
    m_interpreter->setEditText(draft.interpreter);
    m_command->setPlainText(draft.command);
    m_search->setRows(draft.search);
    m_explorer->setCurrentIndex(draft.isGrid ? 1 : 0);
    m_direction->setCurrentIndex(draft.maximize ? 0 : 1);
    m_metric->setText(draft.metric);
    m_pattern->setText(draft.pattern);
    m_platform->setCurrentIndex(std::max(0, m_platform->findData(draft.platform.value)));
    m_gpus->setValue(draft.gpus.value_or(-1));
    m_atOnce->setValue(draft.atOnce);
    m_trials->setValue(int(std::min<qint64>(draft.trials.value_or(0), m_trials->maximum())));
    m_minutes->setValue(int((draft.secondsATrial.value_or(0) + 59) / 60));
    m_codeDir->setText(draft.codeDir);
    m_setup->setText(draft.setup);
    m_tags->setText(draft.tags);
    check();
}

void NewExperimentDialog::chooseScript()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Choose a training script"),
        m_script.isEmpty() ? QDir::homePath() : QFileInfo(m_script).absolutePath(),
        tr("Scripts (*.py *.sh *.R *.jl *.js *.pl);;All files (*)"));
    if (!file.isEmpty())
        openScript(file);
}

void NewExperimentDialog::openScript(const QString& typed)
{
    QString path = typed;
    if (path.startsWith(u"~/"_s))
        path = QDir::homePath() + path.mid(1);
    QFile file(path);
    ExperimentDraft next = draft();
    next.script = typed;
    QLabel* problem = m_problemLabels.value(int(DraftField::script));
    const bool readable = file.open(QIODevice::ReadOnly);
    problem->setVisible(!readable);
    setInvalid(m_scriptField, !readable);
    m_script = typed;
    if (!readable) {
        problem->setText(tr("%1 cannot be read: %2.").arg(typed, file.errorString()));
        return;
    }
    models::proposeFromScript(next, path, QString::fromUtf8(file.read(largestScript)));
    // Environments beside the script are what it runs in, most likely.
    const QDir folder = QFileInfo(path).absoluteDir();
    m_interpreter->clear();
    m_interpreter->addItem(QString());
    for (const QString& place : {u".venv/bin/python"_s, u"venv/bin/python"_s, u"../.venv/bin/python"_s}) {
        if (QFileInfo(folder.filePath(place)).isExecutable())
            m_interpreter->addItem(QDir::cleanPath(folder.filePath(place)));
    }
    if (m_interpreter->count() > 1)
        next.interpreter = m_interpreter->itemText(1);
    setDraft(next);
}

void NewExperimentDialog::edited()
{
    m_soon.start();
}

void NewExperimentDialog::check()
{
    ExperimentDraft now = draft();
    // A new {name} in the command gets its row at once.
    const qsizetype before = now.search.size();
    models::addMissingRows(now);
    if (now.search.size() != before)
        m_search->setRows(now.search);
    m_problems = models::problemsOf(now);
    const qsizetype used = models::templateNames(now.command).size();
    m_commandHint->setText(used == 0
            ? tr("{name} becomes the value of that parameter, {args} all of them as --name value.")
            : tr("%n parameter(s) in the command. {name} becomes the value.", nullptr, int(used)));
    m_searchTitle->setText(u"%1&nbsp; <span style=\"font-weight:400;font-size:small;color:%3\">%2</span>"_s.arg(
        tr("Search"), tr("%n parameter(s)", nullptr, int(now.search.size())), m_context.theme.roles().text2.name()));
    m_run->setText(!now.trials || now.search.isEmpty() ? tr("Run") : tr("Run %n trial(s)", nullptr, int(*now.trials)));
    m_search->setProblems(m_problems, models::unusedRows(now));
    showProblem(DraftField::name, m_name);
    showProblem(DraftField::command, m_command);
    showProblem(DraftField::metric, m_metric);
    showProblem(DraftField::pattern, m_pattern);
    showProblem(DraftField::platform, m_platform);
    showProblem(DraftField::code, m_codeDir);

    const bool shown = m_isPressed || std::any_of(m_problems.begin(), m_problems.end(), [](const DraftProblem& p) {
        return p.field == DraftField::search;
    });
    m_footerProblem->setText(m_problems.isEmpty() || !shown
            ? QString()
            : u"<span style=\"color:%1\">✕ %2</span>"_s.arg(
                m_context.theme.roles().failed.name(), tr("%n field(s) to correct", nullptr, int(m_problems.size()))));
    // What can be said before: how many of them start at once.
    const core::PlatformPtr platform = m_context.mirror.state().platforms().find(now.platform);
    int free = 0;
    int gpus = 0;
    for (const core::MachinePtr& machine : m_context.mirror.state().machines().list()) {
        if (machine->platformId != now.platform)
            continue;
        for (const core::Gpu& gpu : machine->gpus) {
            ++gpus;
            free += gpu.reservations.isEmpty() && gpu.processes.isEmpty() ? 1 : 0;
        }
    }
    if (!platform)
        m_forecast->setText(tr("Choose a platform first."));
    else if (platform->state != core::PlatformState::ready)
        m_forecast->setText(tr("%1 is not ready: %2").arg(platform->id.value, platform->message));
    else if (now.gpus.value_or(0) > 0)
        m_forecast->setText(gpus == 0
                ? tr("No GPU is known on %1; trials that want one would wait.").arg(platform->id.value)
                : tr("%1 of %2 GPUs are free: the first %3 start at once.")
                      .arg(free)
                      .arg(gpus)
                      .arg(std::min(now.atOnce, free / *now.gpus)));
    else
        m_forecast->setText(tr("The first %1 start at once on %2.")
                                .arg(std::min<qint64>(now.atOnce, now.trials.value_or(now.atOnce)))
                                .arg(platform->id.value));
}

void NewExperimentDialog::showProblem(DraftField which, QWidget* field)
{
    QLabel* label = m_problemLabels.value(int(which));
    const auto found =
        std::find_if(m_problems.begin(), m_problems.end(), [&](const DraftProblem& p) { return p.field == which; });
    // An empty field is no mistake before somebody wants to run it.
    const bool isEmptyField = which == DraftField::name || which == DraftField::metric
        || (which == DraftField::command && m_command->toPlainText().isEmpty());
    const bool shown = found != m_problems.end() && (m_isPressed || !isEmptyField);
    label->setVisible(shown);
    if (shown)
        label->setText(found->message);
    setInvalid(field, shown);
}

// --------------------------------------------------------------------------------------------------------------- what it does

void NewExperimentDialog::create()
{
    m_isPressed = true;
    check();
    if (!m_problems.isEmpty()) {
        const DraftProblem& first = m_problems.first();
        switch (first.field) {
        case DraftField::name:
            m_name->setFocus();
            break;
        case DraftField::command:
            m_command->setFocus();
            break;
        case DraftField::search:
            m_search->focusRow(first.row);
            break;
        case DraftField::metric:
            m_metric->setFocus();
            break;
        case DraftField::pattern:
            m_pattern->setFocus();
            break;
        case DraftField::platform:
            m_platform->setFocus();
            break;
        case DraftField::script:
        case DraftField::code:
            m_codeDir->setFocus();
            break;
        }
        return;
    }
    m_run->setEnabled(false);
    const QPointer<NewExperimentDialog> self(this);
    m_context.mirror.execute(engine::CreateExperiment{models::specOf(draft()), m_key},
        [self, context = m_context](const core::Result<engine::Reply>& reply) {
            if (!self)
                return;
            self->m_run->setEnabled(true);
            if (!reply) {
                // The service knows more than the form: its sentence stands where a person looks for it.
                self->m_footerProblem->setText(u"<span style=\"color:%1\">✕ %2</span>"_s.arg(
                    context.theme.roles().failed.name(), reply.error().message.toHtmlEscaped()));
                self->m_footerProblem->setWordWrap(true);
                self->m_key = QUuid::createUuid().toString(QUuid::WithoutBraces);
                return;
            }
            const auto document = engine::documentOf(*reply);
            self->accept();
            if (document && document->is_object() && document->contains("id"))
                context.actions.showExperiment(core::ExperimentId((*document)["id"].get<QString>()));
            context.actions.showPage(u"trials"_s);
        });
}

void NewExperimentDialog::saveAsFile()
{
    const QString name = m_name->text().isEmpty() ? u"experiment"_s : m_name->text();
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Save as file"), name + u".json"_s, tr("Experiment (*.json)"));
    if (file.isEmpty())
        return;
    QSaveFile out(file);
    const QByteArray text = core::dumpJson(core::toJson(models::specOf(draft())), 2) + '\n';
    if (out.open(QIODevice::WriteOnly) && out.write(text) == text.size() && out.commit())
        m_context.actions.note(tr("Saved %1").arg(file));
    else
        m_context.actions.error(
            {core::Kind::resource, tr("%1 could not be written: %2.").arg(file, out.errorString()), {}});
}

void NewExperimentDialog::startTest()
{
    m_isPressed = true;
    ExperimentDraft test = draft();
    if (test.name.trimmed().isEmpty())
        test.name = tr("test run");
    m_problems = models::problemsOf(test);
    if (!m_problems.isEmpty()) {
        create(); // goes to the first problem
        return;
    }
    m_test->start(test);
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
