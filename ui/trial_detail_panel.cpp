// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_detail_panel.h"

#include "actions.h"
#include "charts/metric_chart.h"
#include "icons.h"
#include "list_keys.h"
#include "log_view.h"
#include "theme.h"
#include "trial_actions.h"
#include "widgets.h"

#include "models/engine_mirror.h"
#include "models/selection.h"
#include "models/trial_details.h"
#include "models/trial_text.h"
#include "services/engine/json_slice.h"

#include <QClipboard>
#include <QDateTime>
#include <QDesktopServices>
#include <QFileDialog>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLocale>
#include <QMenu>
#include <QSaveFile>
#include <QSplitter>
#include <QStandardPaths>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeWidget>
#include <QUrl>

#include <chrono>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace ui {

using core::Trial;
using core::TrialStatus;

namespace {

/// A reason may be a clause or a whole sentence.
QString asSentence(QString words)
{
    words[0] = words.at(0).toUpper();
    if (!words.endsWith(u'.') && !words.endsWith(u'…'))
        words += u'.';
    return words;
}

constexpr qint64 largestFile = 256LL * 1024 * 1024;
constexpr int valuesBelowTheCurve = 4;

/// Tabs side by side without arrows: six fit into the narrowest inspector.
class NarrowTabBar : public QTabBar
{
public:
    using QTabBar::QTabBar;

protected:
    QSize tabSizeHint(int index) const override
    {
        return {fontMetrics().horizontalAdvance(tabText(index)) + 12, QTabBar::tabSizeHint(index).height()};
    }
    QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }
};

class NarrowTabs : public QTabWidget
{
public:
    explicit NarrowTabs(QWidget* parent)
        : QTabWidget(parent)
    {
        setTabBar(new NarrowTabBar(this));
    }
};

QTreeWidget* makeList(const QStringList& headers, const QString& name, QWidget* parent)
{
    auto* list = new QTreeWidget(parent);
    useListKeys(list);
    list->setAccessibleName(name);
    list->setHeaderLabels(headers);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setFrameShape(QFrame::NoFrame);
    list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list->header()->setStretchLastSection(true);
    list->setTextElideMode(Qt::ElideRight);
    return list;
}

/// Members of the parameters as they were written.
QList<std::pair<QString, QString>> membersOf(const QByteArray& json)
{
    QList<std::pair<QString, QString>> out;
    const engine::JsonSlice object{QByteArrayView(json)};
    if (!engine::checkJson(json) || object.type() != engine::JsonSlice::Type::object)
        return out;
    for (engine::MemberWalker member(object); member.next();) {
        const engine::JsonSlice& value = member.value();
        out.emplaceBack(QString::fromUtf8(member.key()),
            value.type() == engine::JsonSlice::Type::string ? QString::fromUtf8(value.string())
                                                            : QString::fromUtf8(value.text()));
    }
    return out;
}

QString shortValue(const QString& text)
{
    bool good = false;
    const double number = text.toDouble(&good);
    return good ? models::parameterText(number) : models::printable(text, 40);
}

qint64 now()
{
    return QDateTime::currentMSecsSinceEpoch();
}

} // namespace

TrialDetailPanel::TrialDetailPanel(const PageContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_details(new models::TrialDetails(context.mirror.client(), this))
{
    setMinimumWidth(metrics::inspectorLeast);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);

    m_nothing = makeQuietLabel(tr("Select a trial to see its curve, log and files."), TextSize::body, this);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_body = new QWidget(this);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_nothing);
    whole->addWidget(m_body);

    m_star = new QLabel(m_body);
    m_star->setAccessibleName(tr("Best trial"));
    m_title = makeLabel({}, TextSize::title, QFont::DemiBold, m_body);
    m_state = new StateLabel(m_body);
    QToolButton* more = makeIconButton(u"more"_s, tr("More actions"), m_body);
    QToolButton* close = makeIconButton(u"close"_s, tr("Close the inspector"), m_body);
    auto* top = new QHBoxLayout;
    top->setSpacing(metrics::gap);
    top->addWidget(m_star);
    top->addWidget(m_title);
    top->addSpacing(metrics::tight);
    top->addWidget(m_state);
    top->addStretch();
    top->addWidget(more);
    top->addWidget(close);

    m_sentence = makeLabel({}, TextSize::title, QFont::Normal, m_body);
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::RichText);
    makeSelectable(m_sentence);
    m_next = makeQuietLabel({}, TextSize::body, m_body);
    m_next->setWordWrap(true);
    m_next->setTextFormat(Qt::PlainText);
    makeSelectable(m_next);

    m_act = makeButton({}, {}, m_body);
    m_copy = makeButton(tr("Copy with edits"), u"copy"_s, m_body);
    m_open = makeButton(tr("Open folder"), u"folder"_s, m_body);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(metrics::gap);
    buttons->addWidget(m_act);
    buttons->addWidget(m_copy);
    buttons->addWidget(m_open);
    buttons->addStretch();

    auto* head = new QVBoxLayout;
    head->setContentsMargins(metrics::margin, 12, metrics::gap, metrics::gap);
    head->setSpacing(metrics::tight);
    head->addLayout(top);
    head->addSpacing(metrics::tight);
    head->addWidget(m_sentence);
    head->addWidget(m_next);
    head->addSpacing(metrics::tight);
    head->addLayout(buttons);

    m_tabs = new NarrowTabs(m_body);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("What is known of the trial"));
    m_tabs->tabBar()->setExpanding(false);
    m_tabs->tabBar()->setDrawBase(true);

    // Summary: the curve, the first parameters, the log.
    m_smallCurve = new charts::MetricChart(context.theme, context.mirror.client(), this);
    m_metric = makeLabel({}, TextSize::body, QFont::DemiBold, this);
    m_metric->setTextFormat(Qt::RichText);
    m_values = new QWidget(this);
    auto* curveBox = new QWidget(this);
    auto* curveLayout = new QVBoxLayout(curveBox);
    curveLayout->setContentsMargins(metrics::margin, metrics::gap, metrics::margin, metrics::gap);
    curveLayout->setSpacing(metrics::tight);
    curveLayout->addWidget(m_metric);
    curveLayout->addWidget(m_smallCurve, 1);
    curveLayout->addWidget(m_values);
    m_smallLog = new LogView(context.theme, context.mirror.client(), this);
    auto* summary = new QSplitter(Qt::Vertical, this);
    summary->setChildrenCollapsible(false);
    summary->addWidget(curveBox);
    summary->addWidget(m_smallLog);
    // The log grows before the curve does.
    summary->setStretchFactor(0, 1);
    summary->setStretchFactor(1, 2);
    summary->setSizes({280, 300});

    m_curve = new charts::MetricChart(context.theme, context.mirror.client(), this);
    auto* curvePage = new QWidget(this);
    auto* curvePageLayout = new QVBoxLayout(curvePage);
    curvePageLayout->setContentsMargins(metrics::margin, metrics::gap, metrics::margin, metrics::margin);
    curvePageLayout->addWidget(m_curve);

    m_log = new LogView(context.theme, context.mirror.client(), this);
    m_parameters = makeList({tr("Parameter"), tr("Value")}, tr("Parameters"), this);
    m_events = makeList({tr("When"), tr("What happened")}, tr("Events"), this);
    m_events->setWordWrap(true);
    m_events->setUniformRowHeights(false);
    m_files = makeList({tr("File"), tr("Size"), tr("Changed")}, tr("Output files"), this);
    m_files->header()->setStretchLastSection(false);
    m_files->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_files->setContextMenuPolicy(Qt::CustomContextMenu);
    m_filesMessage = makeQuietLabel({}, TextSize::body, this);
    m_filesMessage->setWordWrap(true);
    m_filesMessage->setMargin(metrics::margin);
    auto* filesPage = new QWidget(this);
    auto* filesLayout = new QVBoxLayout(filesPage);
    filesLayout->setContentsMargins(0, 0, 0, 0);
    filesLayout->addWidget(m_filesMessage);
    filesLayout->addWidget(m_files, 1);

    m_tabs->addTab(summary, tr("Summary"));
    m_tabs->addTab(curvePage, tr("Curve"));
    m_tabs->addTab(m_log, tr("Log"));
    m_tabs->addTab(m_parameters, tr("Parameters"));
    m_tabs->addTab(m_events, tr("Events"));
    m_tabs->addTab(filesPage, tr("Files"));

    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(0);
    body->addLayout(head);
    body->addWidget(m_tabs, 1);

    connect(close, &QToolButton::clicked, this, &TrialDetailPanel::closeWanted);
    connect(more, &QToolButton::clicked, this, &TrialDetailPanel::openMenu);
    connect(m_act, &QPushButton::clicked, this, [this] {
        if (!m_trial)
            return;
        if (core::isFinal(m_trial->status))
            retryTrials(m_context, {m_trial->id}, window());
        else
            cancelTrials(m_context, {m_trial->id}, window());
    });
    connect(m_copy, &QPushButton::clicked, this, [this] {
        if (const core::ExperimentPtr from = experiment())
            m_context.actions.openNewExperiment(from->spec, m_trial->id);
    });
    connect(m_open, &QPushButton::clicked, this,
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_trial->workingDirectory)); });
    connect(m_tabs, &QTabWidget::currentChanged, this, &TrialDetailPanel::tabChanged);
    connect(m_details, &models::TrialDetails::eventsChanged, this, &TrialDetailPanel::showEvents);
    connect(m_details, &models::TrialDetails::filesChanged, this, &TrialDetailPanel::showFiles);
    connect(m_details, &models::TrialDetails::logNamesChanged, this, [this] {
        m_smallLog->setNames(m_details->logNames());
        m_log->setNames(m_details->logNames());
    });
    connect(m_files, &QTreeWidget::itemActivated, this,
        [this](QTreeWidgetItem* item) { openFile(item->data(0, Qt::UserRole).toString(), false); });
    connect(m_files, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        const QTreeWidgetItem* item = m_files->itemAt(at);
        const QString path = item ? item->data(0, Qt::UserRole).toString() : QString();
        if (path.isEmpty())
            return;
        QMenu menu(this);
        const QAction* open = menu.addAction(tr("Open"));
        const QAction* save = menu.addAction(tr("Save as…"));
        if (const QAction* chosen = menu.exec(m_files->viewport()->mapToGlobal(at)); chosen == open || chosen == save)
            openFile(path, chosen == save);
    });
    connect(m_smallCurve, &charts::MetricChart::ready, this, &TrialDetailPanel::ready);
    connect(&context.selection, &models::Selection::currentChanged, this, &TrialDetailPanel::follow);
    connect(&context.mirror, &models::EngineMirror::changed, this,
        [this](const engine::ChangePtr& change) { take(*change); });
    connect(&context.theme, &Theme::changed, this, &TrialDetailPanel::showHeader);
    // Durations in the header run.
    connect(&m_clock, &QTimer::timeout, this, [this] {
        if (isVisible() && m_trial && !core::isFinal(m_trial->status))
            showHeader();
    });
    m_clock.start(1s);
    follow();
}

QSize TrialDetailPanel::sizeHint() const
{
    return {440, 600};
}

core::ExperimentPtr TrialDetailPanel::experiment() const
{
    return m_trial ? m_context.mirror.state().experiments().find(m_trial->experimentId) : nullptr;
}

void TrialDetailPanel::follow()
{
    const core::TrialPtr trial = m_context.mirror.state().trial(m_context.selection.current());
    const bool isOther = !trial || !m_trial || trial->id != m_trial->id;
    m_trial = trial;
    m_nothing->setVisible(!trial);
    m_body->setVisible(bool(trial));
    if (isOther) {
        m_details->setTrial(trial ? trial->id : core::TrialId());
        const core::ExperimentPtr of = experiment();
        for (charts::MetricChart* chart : {m_smallCurve, m_curve}) {
            if (of)
                chart->setObjective(of->spec.objective);
            chart->setTrials(trial ? QList<core::TrialId>{trial->id} : QList<core::TrialId>());
        }
        if (of) {
            const Roles& roles = m_context.theme.roles();
            m_metric->setText(u"%1 <span style=\"font-weight:400;color:%3\">%2</span>"_s.arg(
                models::printable(of->spec.objective.metric, 40).toHtmlEscaped(), tr("by step"), roles.text2.name()));
        }
        m_details->readLogNames();
        tabChanged();
        emit trialChanged();
    }
    m_smallLog->setTrial(trial.get());
    m_log->setTrial(trial.get());
    showHeader();
    showParameters();
}

void TrialDetailPanel::take(const engine::Change& change)
{
    if (change.full) {
        follow();
        return;
    }
    if (!m_trial)
        return;
    for (const core::TrialPtr& trial : change.trials) {
        if (trial->id != m_trial->id)
            continue;
        const core::TrialPtr before = m_trial;
        m_trial = trial;
        showHeader();
        m_smallLog->setTrial(trial.get());
        m_log->setTrial(trial.get());
        if (trial->parameters != before->parameters)
            showParameters();
        if (trial->metricCount != before->metricCount) {
            m_smallCurve->refresh();
            m_curve->refresh();
        }
        if (trial->startTime != before->startTime)
            m_details->readLogNames();
        if (trial->status != before->status || trial->reason != before->reason)
            tabChanged();
    }
}

QString TrialDetailPanel::sentence(const Trial& trial) const
{
    const QString where = trial.machineId.isEmpty() ? QString()
        : trial.gpuIndices.isEmpty()                ? tr(", on %1").arg(trial.machineId.value)
                                                    : [&] {
                                           QStringList gpus;
                                           for (const int gpu : trial.gpuIndices)
                                               gpus.append(QString::number(gpu));
                                           return tr(", on %1 GPU %2").arg(trial.machineId.value, gpus.join(u", "_s));
                                       }();
    const core::ExperimentPtr of = experiment();
    const bool isBest = of && of->best && of->best->trialId == trial.id;
    if (trial.bestMetric) {
        const auto& metric = trial.finalMetric ? trial.finalMetric : trial.latestMetric;
        const QString when = metric ? tr(", %1").arg(models::agoText(metric->time, now())) : QString();
        return (isBest ? tr("Best so far <b>%1</b>%2%3") : tr("Best <b>%1</b>%2%3"))
            .arg(models::metricText(*trial.bestMetric), where.toHtmlEscaped(), when);
    }
    switch (trial.status) {
    case TrialStatus::waiting:
        return tr("Waits for %1").arg(models::durationText(models::waitedFor(trial, now())));
    case TrialStatus::running:
        return tr("No value was reported yet%1").arg(where.toHtmlEscaped());
    default:
        return tr("No value was reported%1").arg(where.toHtmlEscaped());
    }
}

QString TrialDetailPanel::nextSentence(const Trial& trial) const
{
    if (trial.cancelIntent && !core::isFinal(trial.status))
        return tr("It is being cancelled.");
    QStringList parts;
    if (!trial.reason.isEmpty() && trial.status != TrialStatus::running && trial.status != TrialStatus::succeeded)
        parts.append(asSentence(models::printable(trial.reason, 400)));
    if (const auto& metric = trial.latestMetric; metric && trial.status != TrialStatus::failed) {
        const core::ExperimentPtr of = experiment();
        const auto value = of ? models::metricNumber(metric->value, of->spec.objective.metric) : std::nullopt;
        if (value && metric->step)
            parts.append(tr("Last %1 at step %2.").arg(models::metricText(*value)).arg(*metric->step));
        else if (value)
            parts.append(tr("Last %1.").arg(models::metricText(*value)));
    }
    if (trial.attempt > 1)
        parts.append(tr("Attempt %1.").arg(trial.attempt));
    if (trial.status == TrialStatus::unknown && trial.lastContact)
        parts.append(tr("Last contact %1.").arg(models::agoText(trial.lastContact, now())));
    return parts.join(u' ');
}

void TrialDetailPanel::showHeader()
{
    if (!m_trial)
        return;
    const Trial& trial = *m_trial;
    const core::ExperimentPtr of = experiment();
    const bool isBest = of && of->best && of->best->trialId == trial.id;
    m_star->setVisible(isBest);
    if (isBest)
        m_star->setPixmap(icons::pixmap(u"star"_s, m_context.theme.roles().ink, 16, devicePixelRatioF()));
    m_title->setText(tr("Trial %1").arg(trial.sequenceId));
    m_title->setToolTip(trial.id.value);
    const StateLook look = m_context.theme.state(trial.status);
    const auto ran = models::ranFor(trial, now());
    m_state->setLook(look,
        !ran                                       ? look.word
            : trial.status == TrialStatus::running ? tr("%1 for %2").arg(look.word, models::durationText(*ran))
                                                   : tr("%1 after %2").arg(look.word, models::durationText(*ran)));
    m_sentence->setText(sentence(trial));
    const QString next = nextSentence(trial);
    m_next->setText(next);
    m_next->setVisible(!next.isEmpty());
    const bool ended = core::isFinal(trial.status);
    m_act->setText(ended ? tr("Retry") : tr("Cancel"));
    m_act->setIcon(icons::icon(ended ? u"retry"_s : u"stop"_s));
    m_act->setEnabled(ended || !trial.cancelIntent);
    // A folder of another computer cannot be opened here.
    m_open->setVisible(!trial.workingDirectory.isEmpty() && QFileInfo::exists(trial.workingDirectory));
}

void TrialDetailPanel::showParameters()
{
    m_parameters->clear();
    delete m_values->layout();
    qDeleteAll(m_values->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    if (!m_trial)
        return;
    const auto members = membersOf(m_trial->parameters);
    for (const auto& [name, value] : members) {
        auto* row = new QTreeWidgetItem(m_parameters, {models::printable(name, 200), models::printable(value, 2000)});
        row->setToolTip(1, models::printable(value, 2000));
    }
    const auto fact = [&](const QString& name, const QString& value) {
        if (value.isEmpty())
            return;
        auto* row = new QTreeWidgetItem(m_parameters, {name, models::printable(value, 2000)});
        row->setForeground(0, m_context.theme.roles().text2);
        row->setToolTip(1, row->text(1));
    };
    const QLocale locale;
    const auto time = [&](std::optional<qint64> when) {
        return when ? locale.toString(QDateTime::fromMSecsSinceEpoch(*when), QLocale::ShortFormat) : QString();
    };
    fact(tr("Id"), m_trial->id.value);
    fact(tr("Client id"), m_trial->clientId);
    fact(tr("Platform"), m_trial->platformId.value);
    fact(tr("Machine"), m_trial->machineId.value);
    fact(tr("Submitted"), time(m_trial->submitTime));
    fact(tr("Started"), time(m_trial->startTime));
    fact(tr("Ended"), time(m_trial->endTime));
    fact(tr("Exit code"), m_trial->exitCode ? QString::number(*m_trial->exitCode) : QString());
    fact(tr("Peak memory"),
        m_trial->usage.peakMemoryBytes ? models::sizeText(m_trial->usage.peakMemoryBytes) : QString());
    fact(tr("Retry of"), m_trial->retryOf.value);
    fact(tr("Tags"), m_trial->tags.join(u", "_s));
    fact(tr("Folder"), m_trial->workingDirectory);
    if (const core::ExperimentPtr of = experiment())
        fact(tr("Command"), of->spec.trialCommand);
    m_parameters->resizeColumnToContents(0);
    m_parameters->setColumnWidth(0, std::clamp(m_parameters->columnWidth(0), 100, 180));

    auto* grid = new QGridLayout(m_values);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(metrics::margin);
    grid->setVerticalSpacing(0);
    int column = 0;
    for (const auto& [name, value] : members) {
        if (column == valuesBelowTheCurve)
            break;
        grid->addWidget(makeQuietLabel(models::printable(name, 24), TextSize::header, m_values), 0, column);
        QLabel* shown = makeLabel(shortValue(value), TextSize::body, QFont::Normal, m_values);
        shown->setToolTip(models::printable(value, 2000));
        makeSelectable(shown);
        grid->addWidget(shown, 1, column++);
    }
    grid->setColumnStretch(column, 1);
    m_values->setVisible(column > 0);
}

void TrialDetailPanel::tabChanged()
{
    if (m_tabs->currentIndex() == events_tab)
        m_details->readEvents();
    else if (m_tabs->currentIndex() == files_tab)
        m_details->readFiles();
}

void TrialDetailPanel::showEvents()
{
    m_events->clear();
    const QLocale locale;
    for (const core::TrialEvent& event : m_details->events()) {
        const QDateTime when = QDateTime::fromMSecsSinceEpoch(event.time);
        auto* row = new QTreeWidgetItem(m_events,
            {when.toString(when.date() == QDate::currentDate() ? u"HH:mm:ss"_s : u"d MMM HH:mm:ss"_s),
                models::printable(event.text, 2000)});
        row->setToolTip(0, locale.toString(when, QLocale::LongFormat));
        row->setToolTip(1, row->text(1));
        row->setForeground(0, m_context.theme.roles().text2);
    }
    m_events->resizeColumnToContents(0);
    m_events->scrollToBottom();
}

void TrialDetailPanel::showFiles()
{
    m_files->clear();
    const QLocale locale;
    for (const models::TrialFile& file : m_details->files()) {
        auto* row = new QTreeWidgetItem(m_files,
            {models::printable(file.path, 400), file.isFolder ? QString() : models::sizeText(file.size),
                file.modified ? models::agoText(file.modified, now()) : QString()});
        row->setIcon(0, icons::icon(file.isFolder ? u"folder"_s : u"file"_s));
        row->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        row->setToolTip(2, locale.toString(QDateTime::fromMSecsSinceEpoch(file.modified), QLocale::LongFormat));
        if (!file.isFolder)
            row->setData(0, Qt::UserRole, file.path);
    }
    m_filesMessage->setVisible(m_details->files().isEmpty());
    m_filesMessage->setText(m_details->filesMessage().isEmpty()
            ? tr("No files yet. What the trial writes into TRIALDECK_OUTPUT_DIR appears here.")
            : m_details->filesMessage());
}

void TrialDetailPanel::openFile(const QString& path, bool save)
{
    if (path.isEmpty())
        return;
    const QString name = QFileInfo(path).fileName();
    QString target;
    if (save) {
        target = QFileDialog::getSaveFileName(this, tr("Save %1").arg(name),
            QDir(QStandardPaths::writableLocation(QStandardPaths::DownloadLocation)).filePath(name));
        if (target.isEmpty())
            return;
    } else {
        const QDir folder(
            QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + u"/files/"_s + m_trial->id.value);
        folder.mkpath(u"."_s);
        target = folder.filePath(name);
    }
    m_details->readFile(path, largestFile, [this, target, save](const core::Result<engine::Reply>& reply) {
        if (!reply) {
            m_context.actions.error(reply.error());
            return;
        }
        QSaveFile file(target);
        const bool written =
            file.open(QIODevice::WriteOnly) && file.write(reply->bytes) == reply->bytes.size() && file.commit();
        if (!written)
            m_context.actions.error(
                {core::Kind::resource, tr("%1 could not be written: %2.").arg(target, file.errorString()), {}});
        else if (reply->bytes.size() < reply->size)
            m_context.actions.error({core::Kind::resource,
                tr("Only the first %1 of %2 were saved.")
                    .arg(models::sizeText(reply->bytes.size()), models::sizeText(reply->size)),
                {}});
        else if (save)
            m_context.actions.note(tr("Saved %1").arg(target));
        else
            QDesktopServices::openUrl(QUrl::fromLocalFile(target));
    });
}

void TrialDetailPanel::openMenu()
{
    if (!m_trial)
        return;
    QMenu menu(this);
    const bool ended = core::isFinal(m_trial->status);
    if (!ended)
        menu.addAction(icons::icon(u"early-stopped"_s), tr("Stop early"), this,
            [this] { cancelTrials(m_context, {m_trial->id}, window(), true); });
    if (m_trial->status == TrialStatus::waiting)
        menu.addAction(icons::icon(u"waiting"_s), tr("Why is it waiting?"), this,
            [this] { m_context.actions.showWhyWaiting(m_trial->id); });
    if (!m_trial->machineId.isEmpty())
        menu.addAction(icons::icon(u"machines"_s), tr("Show its machine"), this,
            [this] { m_context.actions.showMachine(m_trial->machineId); });
    if (!m_trial->retryOf.isEmpty())
        menu.addAction(icons::icon(u"retry"_s), tr("Show the attempt before"), this,
            [this] { m_context.actions.showTrial(m_trial->retryOf); });
    menu.addSeparator();
    const auto copy = [&](const QString& title, const QString& text) {
        menu.addAction(icons::icon(u"copy"_s), title, this, [text] { QGuiApplication::clipboard()->setText(text); });
    };
    copy(tr("Copy id"), m_trial->id.value);
    copy(tr("Copy parameters"), QString::fromUtf8(m_trial->parameters));
    if (!m_trial->workingDirectory.isEmpty())
        copy(tr("Copy folder"), m_trial->workingDirectory);
    menu.exec(QCursor::pos());
}

void TrialDetailPanel::showTab(Tab tab)
{
    m_tabs->setCurrentIndex(tab);
    if (tab == log_tab)
        m_log->setFocus();
}

} // namespace ui
