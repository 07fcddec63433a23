// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_run.h"

#include "metric_candidates.h"

#include "models/background.h"
#include "models/discard.h"
#include "models/engine_mirror.h"
#include "models/format.h"
#include "models/printable.h"
#include "models/trials/trial_text.h"
#include "ui/kit/icons.h"
#include "ui/kit/log_view.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include "services/core/message/localized.h"

#include <QDateTime>
#include <QPointer>

using namespace Qt::StringLiterals;

namespace ui {

/// The output of a running test is looked through at most this often, in ms, and no more than so many bytes of it.
static constexpr int scanEvery = 500;
static constexpr qsizetype mostScanned = 256 * 1024;

TestRun::TestRun(const PageContext& context, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_state(new StateLabel(this))
    , m_hint(makeQuietLabel(tr("one trial, not kept"), TextSize::header, this))
    , m_button(makeButton(tr("Run one trial"), u"play"_s, this))
    , m_candidates(new MetricCandidates(this))
    , m_log(new LogView(context.theme, context.mirror.client(), this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_hint->setWordWrap(true);
    m_hint->setTextFormat(Qt::PlainText);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(24, 0, 24, 0);
    head->setSpacing(metrics::gap);
    head->addWidget(makeLabel(tr("Test run"), TextSize::body, QFont::DemiBold, this));
    head->addWidget(m_state);
    head->addWidget(m_hint, 1);
    head->addWidget(m_button);
    m_log->hide();
    m_log->setFixedHeight(context.theme.scaled(180));
    m_state->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, metrics::gap, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addSpacing(metrics::gap);
    auto* body = new QHBoxLayout;
    body->setSpacing(metrics::gap);
    body->addWidget(m_candidates);
    body->addWidget(m_log, 1);
    layout->addLayout(body);

    connect(&m_clock, &QTimer::timeout, this, &TestRun::follow);
    m_scanSoon.setSingleShot(true);
    connect(&m_scanSoon, &QTimer::timeout, this, &TestRun::scan);
    for (const auto grown : {&models::LogModel::opened, &models::LogModel::linesAppended})
        connect(&m_log->model(), grown, this, [this] {
            if (!m_hasValues && !m_scanSoon.isActive())
                m_scanSoon.start(scanEvery);
        });
    connect(m_log, &LogView::lineChosen, this, [this](int line) {
        m_line = m_log->model().line(line);
        m_scanSoon.start(0);
    });
    connect(m_candidates, &MetricCandidates::chosen, this, &TestRun::metricChosen);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_isRunning)
            stop();
        else
            emit wanted();
    });
    connect(&context.mirror, &models::EngineMirror::changed, this, &TestRun::follow);
}

void TestRun::start(models::ExperimentDraft draft)
{
    stop();
    m_metric = draft.metric;
    m_endedWithoutValue = false;
    m_hasSearch = !draft.search.isEmpty();
    draft.name = tr("%1 (test run)").arg(draft.name.trimmed());
    draft.atOnce = 1;
    draft.trials = 1;
    core::ExperimentSpec spec = models::specOf(draft);
    spec.tags.append(u"test-run"_s);
    m_isRunning = true;
    showButton(tr("Stop"), u"stop"_s);
    m_state->show();
    m_sinceStart.start();
    m_clock.start(1'000);
    showPreparing();
    m_log->show();
    const QPointer<TestRun> self(this);
    m_context.mirror.ask(api::CreateExperiment{spec, {}},
        [self, round = m_round, context = m_context](const core::Result<api::Reply>& reply) {
            const auto document = reply ? client::documentOf(*reply) : core::Result<core::Json>(core::fail(reply));
            core::ExperimentId id;
            if (document && document->is_object() && document->contains("id"))
                id = core::ExperimentId((*document)["id"].get<QString>());
            if (!self || self->m_round != round) {
                if (!id.isEmpty()) // stopped or started again meanwhile
                    models::discardExperiment(context.mirror, id);
                return;
            }
            if (id.isEmpty())
                self->failed(reply ? tr("No answer") : core::localized(reply.error().message));
            else
                self->made(id);
        });
}

void TestRun::made(const core::ExperimentId& experiment)
{
    m_experiment = experiment;
    if (!m_hasSearch) {
        // Without a search space no trials are created automatically; submit one.
        api::SubmitTrials submit;
        submit.experiment = experiment;
        submit.trials = {api::TrialSubmission{}};
        submit.trials[0].parameters = "{}";
        m_context.mirror.ask(std::move(submit), [](const auto&) {});
    }
    follow();
}

void TestRun::follow()
{
    if (m_experiment.isEmpty()) {
        if (m_isRunning)
            showPreparing();
        return;
    }
    const std::vector<core::TrialPtr> trials = m_context.mirror.state().trialsOf(m_experiment);
    if (trials.empty()) {
        const core::ExperimentPtr experiment = m_context.mirror.state().experiments().find(m_experiment);
        if (experiment && experiment->state == core::ExperimentState::error)
            failed(core::localized(experiment->message));
        else if (m_isRunning)
            showPreparing();
        return;
    }
    const core::Trial& trial = *trials.front();
    const StateLook look = m_context.theme.state(trial.status);
    const auto ran = models::ranFor(trial, QDateTime::currentMSecsSinceEpoch());
    m_state->setLook(look,
        trial.status == core::TrialStatus::running && ran
            ? tr("Running on %1, %2").arg(models::machineWord(trial), models::durationText(*ran))
            : trial.status == core::TrialStatus::waiting
            ? tr("%1 for %2").arg(look.word, models::durationText(m_sinceStart.elapsed()))
            : look.word);
    m_log->setTrial(&trial);
    m_hasValues = trial.metricCount > 0;
    if (m_hasValues)
        m_candidates->offer({});
    if (trial.status == core::TrialStatus::waiting || trial.status == core::TrialStatus::failed)
        m_hint->setText(models::printable(trial.reason, 160));
    else if (trial.metricCount > 0 && trial.bestMetric)
        m_hint->setText(tr("%n value(s) of %1 came, best %2", nullptr, int(trial.metricCount))
                            .arg(m_metric, models::metricText(*trial.bestMetric)));
    else if (core::isFinal(trial.status))
        m_hint->setText(m_candidates->offered().isEmpty()
                ? tr("No value of %1 came: report it, or write the pattern of a line that tells it.").arg(m_metric)
                : tr("No value of %1 came: choose a number of its output, or a line that has it.").arg(m_metric));
    else
        m_hint->setText(tr("one trial, not kept"));
    if (core::isFinal(trial.status) && m_isRunning) {
        m_isRunning = false;
        m_clock.stop();
        m_endedWithoutValue = trial.status == core::TrialStatus::succeeded && !m_hasValues;
        showButton(tr("Run again"), u"play"_s);
    }
}

void TestRun::scan()
{
    if (m_hasValues)
        return;
    if (m_isScanning) {
        m_scanSoon.start(scanEvery); // when that one has ended
        return;
    }
    m_isScanning = true;
    const models::LogModel& log = m_log->model();
    QByteArray output;
    for (int i = 0; i < log.lineCount() && output.size() < mostScanned; ++i)
        output += log.line(i) + '\n';
    models::inBackground(
        this,
        [output, line = m_line, metric = m_metric] {
            const QList<trial::PatternCandidate> ofLine =
                line.isEmpty() ? QList<trial::PatternCandidate>() : trial::proposePatternsOfLine(output, line, metric);
            return ofLine.isEmpty() ? trial::proposePatterns(output, metric) : ofLine;
        },
        [this, round = m_round](const QList<trial::PatternCandidate>& found) {
            m_isScanning = false;
            if (round == m_round && !m_hasValues)
                offer(found);
        });
}

void TestRun::offer(const QList<trial::PatternCandidate>& found)
{
    m_candidates->offer(found);
    follow(); // the hint says what can be done
}

void TestRun::showPreparing()
{
    const qint64 ms = m_sinceStart.elapsed();
    const StateLook look = m_context.theme.state(core::TrialStatus::waiting);
    m_state->setLook(
        look, ms < 1'000 ? tr("Being prepared") : tr("Being prepared for %1").arg(models::durationText(ms)));
}

void TestRun::failed(const QString& why)
{
    m_isRunning = false;
    m_clock.stop();
    showButton(tr("Run again"), u"play"_s);
    m_state->setLook(m_context.theme.state(core::TrialStatus::failed));
    m_hint->setText(models::printable(why, 400));
}

void TestRun::stop()
{
    if (!m_experiment.isEmpty())
        models::discardExperiment(m_context.mirror, m_experiment);
    m_experiment = {};
    ++m_round;
    m_isRunning = false;
    m_clock.stop();
    showButton(tr("Run one trial"), u"play"_s);
    m_state->hide();
    m_hint->setText(tr("one trial, not kept"));
    m_hasValues = false;
    m_line.clear();
    m_scanSoon.stop();
    m_candidates->offer({});
    m_log->setTrial(nullptr);
}

void TestRun::showButton(const QString& text, const QString& icon)
{
    m_button->setText(text);
    m_button->setIcon(icons::icon(themeOf(*this), icon));
}

} // namespace ui
