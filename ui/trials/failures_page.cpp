// SPDX-License-Identifier: GPL-3.0-or-later
#include "failures_page.h"

#include "trial_detail_panel.h"

#include "models/engine_mirror.h"
#include "models/format.h"
#include "models/printable.h"
#include "models/selection.h"
#include "models/trials/failure_model.h"
#include "models/trials/parameters_text.h"
#include "models/trials/trial_text.h"
#include "ui/kit/actions.h"
#include "ui/keys/list_keys.h"
#include "ui/kit/age_column.h"
#include "ui/kit/icons.h"
#include "ui/kit/record_delegate.h"
#include "ui/kit/theme.h"
#include "ui/kit/trial_actions.h"
#include "ui/kit/widgets.h"

#include <QDateTime>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStackedLayout>
#include <QTableView>
#include <QTreeWidget>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr qsizetype mostTrialsListed = 1000;
constexpr int roomForMachines = 600; ///< pixels at 100 % of the table; a narrower one leaves them to the card below

} // namespace

FailuresPage::FailuresPage(const PageContext& context, QWidget* parent)
    : Page(context, parent)
    , m_model(new models::FailureModel(context.mirror.client(), this))
    , m_panel(new TrialDetailPanel(context, this))
{
    m_panel->hide();
    addCommand(keyCommands().first(), [this] { retryGroup(); });
    m_summary = makeLabel({}, TextSize::title, QFont::DemiBold, this);
    m_summary->setContentsMargins(metrics::margin, 12, metrics::margin, 12);

    m_table = new QTableView(this);
    setUpTable(m_table, tr("Groups of failures"));
    m_table->setModel(m_model);
    auto* delegate = new RecordDelegate(m_table);
    delegate->setStrongColumns({models::FailureModel::count_column});
    delegate->setQuietColumns({models::FailureModel::machines_column, models::FailureModel::class_column});
    m_table->setItemDelegate(delegate);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    QHeaderView* header = m_table->horizontalHeader();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(models::FailureModel::cause_column, QHeaderView::Stretch);
    header->resizeSection(models::FailureModel::count_column, context.theme.scaled(64));
    header->resizeSection(models::FailureModel::machines_column, context.theme.scaled(140));
    header->resizeSection(models::FailureModel::class_column, context.theme.scaled(156));

    m_detail = new Card(this);
    static_cast<Card*>(m_detail)->setEdge(&Roles::failed);
    m_cause = makeLabel({}, TextSize::title, QFont::DemiBold, m_detail);
    m_cause->setWordWrap(true);
    m_cause->setTextFormat(Qt::PlainText);
    makeSelectable(m_cause);
    m_facts = makeQuietLabel({}, TextSize::body, m_detail);
    m_facts->setWordWrap(true);
    m_sample = makeLabel({}, TextSize::mono, QFont::Normal, m_detail);
    m_sample->setWordWrap(true);
    m_sample->setTextFormat(Qt::PlainText);
    m_sample->setMargin(metrics::gap);
    setFillRole(m_sample, &Roles::sunken);
    makeSelectable(m_sample);
    m_retry = makePrimaryButton(tr("Retry this group"), u"retry"_s, m_detail);
    m_show = makeButton(tr("Show in the table"), u"trials"_s, m_detail);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(metrics::gap);
    buttons->addWidget(m_retry);
    buttons->addWidget(m_show);
    buttons->addStretch();
    m_trials = new QTreeWidget(m_detail);
    m_trials->setAccessibleName(tr("Trials of this group"));
    useListKeys(m_trials);
    m_trials->setRootIsDecorated(false);
    m_trials->setUniformRowHeights(true);
    m_trials->setFrameShape(QFrame::NoFrame);
    m_trials->setHeaderLabels({u"#"_s, tr("Machine"), tr("Ended"), tr("Parameters")});
    m_trials->header()->setStretchLastSection(false);
    m_trials->header()->setMinimumSectionSize(context.theme.scaled(32));
    m_trials->header()->setSectionResizeMode(3, QHeaderView::Stretch);
    auto* detail = new QVBoxLayout(m_detail);
    detail->setContentsMargins(metrics::margin, 12, metrics::margin, 12);
    detail->setSpacing(metrics::gap);
    detail->addWidget(m_cause);
    detail->addWidget(m_facts);
    detail->addWidget(m_sample);
    detail->addLayout(buttons);
    detail->addWidget(m_trials, 1);

    auto* groups = new QWidget(this);
    auto* groupsLayout = new QVBoxLayout(groups);
    groupsLayout->setContentsMargins(metrics::margin, 0, metrics::margin, metrics::margin);
    groupsLayout->setSpacing(metrics::margin);
    groupsLayout->addWidget(m_table, 2);
    groupsLayout->addWidget(m_detail, 3);
    m_empty = new EmptyState({}, {}, tr("Show all trials"), this);
    auto* centre = new QWidget(this);
    m_stack = new QStackedLayout(centre);
    m_stack->addWidget(groups);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_summary);
    layout->addWidget(centre, 1);

    connect(
        &context.mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) { take(*change); });
    connect(m_model, &models::FailureModel::loaded, this, &FailuresPage::showState);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &FailuresPage::showGroup);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FailuresPage::showGroup);
    connect(m_retry, &QPushButton::clicked, this, &FailuresPage::retryGroup);
    connect(m_show, &QPushButton::clicked, this, [this] {
        const models::FailureGroup* chosen = group();
        if (!chosen)
            return;
        this->context().selection.set(QSet<core::TrialId>(chosen->trials.begin(), chosen->trials.end()), this);
        this->context().selection.setCurrent(chosen->trials.value(0), this);
        this->context().actions.showPage(u"trials"_s, u"state:failed"_s);
    });
    connect(m_empty, &EmptyState::pressed, this, [this] { this->context().actions.showPage(u"trials"_s); });
    connect(m_trials, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item)
            this->context().selection.setCurrent(core::TrialId(item->data(0, Qt::UserRole).toString()), this);
    });
    connect(m_trials, &QTreeWidget::itemActivated, this, [this] { emit inspectorWanted(); });
    connect(m_panel, &TrialDetailPanel::closeWanted, this, &Page::inspectorDone);
    keepAges(*m_trials, 2);
    connect(&m_clock, &QTimer::timeout, this, [this] {
        if (isVisible())
            showFacts();
    });
    m_clock.start(1'000);
    showState();
}

QWidget* FailuresPage::inspector()
{
    return m_panel;
}

void FailuresPage::setExperiment(const core::ExperimentId& experiment)
{
    m_experiment = experiment;
    m_model->setExperiment(experiment);
    showState();
}

void FailuresPage::shown()
{
    m_model->refresh();
    m_table->setFocus();
}

void FailuresPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_table->setColumnHidden(models::FailureModel::machines_column, width() < context().theme.scaled(roomForMachines));
}

void FailuresPage::take(const api::Change& change)
{
    const bool failed =
        change.full || std::any_of(change.trials.begin(), change.trials.end(), [this](const core::TrialPtr& trial) {
            return trial->experimentId == m_experiment && trial->status == core::TrialStatus::failed;
        });
    if (failed)
        m_model->refresh();
}

void FailuresPage::showState()
{
    const QList<models::FailureGroup>& groups = m_model->groups();
    qsizetype trials = 0;
    for (const models::FailureGroup& one : groups)
        trials += one.trials.size();
    m_summary->setText(groups.isEmpty()
            ? tr("Failures")
            : tr("%1 for %2")
                  .arg(tr("%n trial(s) failed", nullptr, int(trials)), tr("%n cause(s)", nullptr, int(groups.size()))));
    m_stack->setCurrentIndex(groups.isEmpty() ? 1 : 0);
    const bool hasExperiments = !context().mirror.state().experiments().list().isEmpty();
    if (hasExperiments && m_experiment.isEmpty())
        m_empty->setTexts(tr("One experiment at a time"),
            tr("Choose an experiment above to see why its trials failed."), tr("Show all trials"));
    else if (hasExperiments && m_model->isLoading())
        m_empty->setTexts(tr("Loading …"), tr("The failures of this experiment are on their way from the service."),
            tr("Show all trials"));
    else if (hasExperiments && !m_model->message().isEmpty())
        m_empty->setTexts(tr("The failures could not be read"), m_model->message(), tr("Show all trials"));
    else
        m_empty->setTexts(
            tr("Nothing failed"), tr("Failed trials are gathered here by their cause."), tr("Show all trials"));
    if (!groups.isEmpty() && !m_table->currentIndex().isValid())
        m_table->selectRow(0);
    showGroup();
}

const models::FailureGroup* FailuresPage::group() const
{
    const int row = m_table->currentIndex().row();
    return row >= 0 && row < m_model->groups().size() ? &m_model->groups()[row] : nullptr;
}

void FailuresPage::showGroup()
{
    const models::FailureGroup* chosen = group();
    m_detail->setVisible(chosen);
    if (!chosen)
        return;
    m_cause->setText(models::printable(chosen->cause, 600));
    const int count = int(chosen->trials.size());
    m_retry->setText(tr("Retry %n trial(s)", nullptr, count));
    m_firstEnd = 0;
    m_trials->clear();
    for (const core::TrialId& id : chosen->trials) {
        const core::TrialPtr trial = context().mirror.state().trial(id);
        if (!trial)
            continue;
        if (trial->endTime && (m_firstEnd == 0 || *trial->endTime < m_firstEnd))
            m_firstEnd = *trial->endTime;
        if (m_trials->topLevelItemCount() >= mostTrialsListed)
            continue;
        auto* row = new QTreeWidgetItem(m_trials,
            {QString::number(trial->sequenceId), models::machineWord(*trial), QString(),
                models::parametersText(trial->parameters)});
        setAge(*row, 2, trial->endTime.value_or(0));
        row->setData(0, Qt::UserRole, id.value);
        row->setToolTip(3, models::printable(QString::fromUtf8(trial->parameters), 2000));
    }
    m_trials->header()->resizeSection(0, context().theme.scaled(60));
    m_trials->header()->resizeSection(1, context().theme.scaled(110));
    m_trials->header()->resizeSection(2, context().theme.scaled(120));
    showFacts();
    m_sample->setText(models::printable(chosen->sample, 1500));
    m_sample->setVisible(!chosen->sample.isEmpty());
}

void FailuresPage::showFacts()
{
    const models::FailureGroup* chosen = group();
    if (!chosen)
        return;
    QStringList facts{tr("%n trial(s)", nullptr, int(chosen->trials.size()))};
    if (!chosen->machines.isEmpty())
        facts.append(tr("on %1").arg(chosen->machines.mid(0, 6).join(u", "_s)));
    if (m_firstEnd > 0)
        facts.append(tr("first %1").arg(models::agoText(m_firstEnd, QDateTime::currentMSecsSinceEpoch())));
    m_facts->setText(facts.join(u", "_s));
}

void FailuresPage::retryGroup()
{
    if (const models::FailureGroup* chosen = group())
        retryTrials(context(), QSet<core::TrialId>(chosen->trials.begin(), chosen->trials.end()), this);
}

QList<KeyCommand> FailuresPage::keyCommands()
{
    return {{u"failures/retry"_s, tr("Retry this group"), u"retry"_s, {Qt::Key_R}}};
}

QList<std::pair<QString, QString>> FailuresPage::keys() const
{
    return {{tr("Enter"), tr("Open a trial in the inspector")}};
}

} // namespace ui
