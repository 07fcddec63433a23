// SPDX-License-Identifier: GPL-3.0-or-later
#include "pull_plug.h"

#include "app/client/service_client.h"
#include "services/core/message/localized.h"
#include "services/client/http_engine_client.h"
#include "services/core/record_json.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>

using namespace Qt::StringLiterals;

namespace app {

using core::Result;
using core::TrialStatus;

namespace {

constexpr int trialsAtOnce = 8;
constexpr int trialsInAll = 11; ///< some wait, so that placing goes on afterwards
constexpr int valuesBefore = 8; ///< that each has reported when the plug is pulled
constexpr qint64 awayMs = 5'000;
constexpr qint64 afterMs = 4'000;
constexpr qint64 patienceMs = 60'000; ///< for any stage
constexpr int patienceWithEndMs = 5'000;

qint64 now()
{
    return QDateTime::currentMSecsSinceEpoch();
}

} // namespace

/// Lets a service end by itself, in the event loop of the program: it is asked to, and killed if it does not. What it works in is
/// kept until then.
static void letEnd(std::unique_ptr<QProcess> service, const std::shared_ptr<QTemporaryDir>& folder)
{
    if (service->state() == QProcess::NotRunning)
        return;
    QProcess* process = service.release();
    process->setParent(qApp);
    QObject::connect(process, &QProcess::finished, process, [process, folder] { process->deleteLater(); });
    QObject::connect(process, &QProcess::errorOccurred, process, [process](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            process->deleteLater();
    });
    QTimer::singleShot(patienceWithEndMs, process, &QProcess::kill);
    QObject::connect(qApp, &QCoreApplication::aboutToQuit, process, [process] {
        process->kill();
        process->waitForFinished();
    });
    process->terminate();
}

PullPlug::PullPlug(QString daemon)
    : m_daemon(std::move(daemon))
    , m_folder(std::make_shared<QTemporaryDir>())
    , m_service(std::make_unique<QProcess>())
{
    m_timer.setInterval(50);
    connect(&m_timer, &QTimer::timeout, this, &PullPlug::tick);
}

PullPlug::~PullPlug()
{
    m_mirror.reset();
    m_client.reset();
    QFile stop(m_folder->filePath(u"stop"_s)); // The trials look at it, so that none outlives the folder.
    if (stop.open(QIODevice::WriteOnly))
        stop.close();
    letEnd(std::move(m_service), m_folder);
}

void PullPlug::say(const QString& text, bool bad)
{
    m_proof.steps.append({now(), text, bad});
    emit changed();
}

void PullPlug::start()
{
    m_proof.begin = now();
    if (!m_folder->isValid()) {
        finish(tr("No folder could be made for it: %1").arg(m_folder->errorString()));
        return;
    }
    QDir(m_folder->path()).mkdir(u"marks"_s);
    startService();
    say(tr("Service started in a data directory of its own, process %1").arg(m_service->processId()));
    m_proof.pidBefore = m_service->processId();
    m_timer.start();
}

void PullPlug::startService()
{
    m_stageSince = now();
    m_service->setProgram(m_daemon);
    m_service->setArguments(
        {u"--serve"_s, u"--listen"_s, u"127.0.0.1:0"_s, u"--data-dir"_s, m_folder->filePath(u"data"_s)});
    m_service->setStandardInputFile(QProcess::nullDevice());
    m_service->setStandardOutputFile(QProcess::nullDevice());
    m_service->setStandardErrorFile(QProcess::nullDevice());
    m_service->start();
}

void PullPlug::tick()
{
    if (m_service->state() == QProcess::NotRunning && m_stage != Stage::away && m_stage != Stage::done) {
        finish(tr("The service ended by itself: %1").arg(m_service->errorString()));
        return;
    }
    if (now() - m_stageSince > patienceMs) {
        finish(tr("It did not go on within %1 seconds.").arg(patienceMs / 1'000));
        return;
    }
    switch (m_stage) {
    case Stage::starting:
    case Stage::returning:
        if (!m_client)
            connectTo();
        else if (m_mirror->state().isReady())
            m_stage == Stage::starting ? fill() : checkAdopted();
        break;
    case Stage::filling: {
        int ready = 0;
        for (const core::TrialPtr& trial : m_mirror->state().trials())
            ready += trial->status == TrialStatus::running && trial->metricCount >= valuesBefore ? 1 : 0;
        if (ready >= trialsAtOnce)
            pullPlug();
        break;
    }
    case Stage::away:
        if (m_service->state() == QProcess::NotRunning && now() - m_proof.killed >= awayMs) {
            m_proof.back = now();
            startService();
            m_proof.pidAfter = m_service->processId();
            m_stage = Stage::returning;
            say(tr("Service started again, process %1").arg(m_proof.pidAfter));
        }
        break;
    case Stage::after:
        if (now() - m_proof.adopted >= afterMs)
            readValues();
        break;
    case Stage::reading:
    case Stage::done:
        break;
    }
    emit changed();
}

void PullPlug::connectTo()
{
    const QString file = m_folder->filePath(u"data/endpoint.json"_s);
    const Result<Endpoint> endpoint = readEndpoint(file);
    if (!endpoint || endpoint->pid != m_service->processId())
        return;
    const Result<QByteArray> token = readToken(endpoint->tokenFile);
    if (!token)
        return;
    client::HttpEngineClient::Config config;
    config.service = addressOf(*endpoint, *token, false);
    config.metrics = "none";
    m_client = std::make_unique<client::HttpEngineClient>(config);
    m_mirror = std::make_unique<models::EngineMirror>(*m_client);
    m_client->start();
}

void PullPlug::fill()
{
    m_stage = Stage::filling;
    m_stageSince = now();
    core::ExperimentSpec spec;
    spec.name = u"pull the plug"_s;
    spec.platformId = core::PlatformId(u"local"_s);
    spec.trialConcurrency = trialsAtOnce;
    spec.metricPattern = u"value=(?P<value>[0-9]+)"_s;
    // Each start leaves a line; the values count, so that a missing or doubled one shows.
    spec.trialCommand =
        u"echo started >> '%1/marks/'$NNI_TRIAL_SEQ_ID; i=0; while [ $i -lt 300 ] && [ ! -e '%1/stop' ] && [ -d '%1' "
        u"]; do "
        "echo value=$i; date +%s%3N >> '%1/marks/'$NNI_TRIAL_SEQ_ID.times; i=$((i+1)); sleep 0.3; done"_s.arg(
            m_folder->path());
    m_mirror->ask(api::CreateExperiment{spec, {}}, [this](const auto& reply) {
        const Result<core::Json> document = reply ? client::documentOf(*reply) : core::fail(reply);
        if (!document) {
            finish(core::localized(document.error().message));
            return;
        }
        m_experiment = core::ExperimentId(document->value("id", QString()));
        const QList<api::TrialSubmission> trials(trialsInAll, api::TrialSubmission{.parameters = "{}"});
        m_mirror->ask(api::SubmitTrials{m_experiment, trials, {}}, [this](const auto& submitted) {
            if (!submitted)
                finish(core::localized(submitted.error().message));
            else
                say(tr("%1 trials submitted, %2 at once").arg(trialsInAll).arg(trialsAtOnce));
        });
    });
}

void PullPlug::pullPlug()
{
    for (const core::TrialPtr& trial : m_mirror->state().trials())
        if (trial->status == TrialStatus::running) {
            m_running += trial->id;
            m_proof.trials.append({trial->sequenceId, trial->startTime.value_or(0), {}, 0, false, false});
        }
    m_proof.knownBefore = int(m_mirror->state().trials().size());
    say(tr("%1 trials run, %2 wait").arg(m_running.size()).arg(m_proof.knownBefore - m_running.size()));
    m_service->kill(); // SIGKILL: it has no time for anything.
    m_proof.killed = now();
    m_stage = Stage::away;
    m_stageSince = now();
    say(tr("kill -9 to the service, process %1").arg(m_proof.pidBefore), true);
    say(tr("Trials go on. Their values stay beside them."));
    m_mirror.reset();
    m_client.reset();
}

void PullPlug::checkAdopted()
{
    for (qsizetype i = 0; i < m_running.size(); ++i) {
        const core::TrialPtr trial = m_mirror->state().trial(m_running[i]);
        m_proof.trials[i].adopted = trial && trial->status == TrialStatus::running;
    }
    if (m_proof.adoptedCount() < m_running.size())
        return;
    m_proof.adopted = now();
    m_proof.knownAfter = int(m_mirror->state().trials().size());
    m_stage = Stage::after;
    m_stageSince = now();
    say(tr("%1 trials adopted, %2 s after the start")
            .arg(m_running.size())
            .arg(QString::number(double(m_proof.adopted - m_proof.back) / 1'000, 'f', 1)));
}

int PullPlug::countStarts(qint64 sequence) const
{
    QFile mark(m_folder->filePath(u"marks/%1"_s.arg(sequence)));
    return mark.open(QIODevice::ReadOnly) ? int(mark.readAll().count('\n')) : 0;
}

QList<qint64> PullPlug::reportTimes(qint64 sequence) const
{
    // By the trial's own clock: what the service knows of a value of the gap is when it read it.
    QFile times(m_folder->filePath(u"marks/%1.times"_s.arg(sequence)));
    QList<qint64> result;
    if (times.open(QIODevice::ReadOnly))
        for (const QByteArray& line : times.readAll().split('\n'))
            if (!line.isEmpty())
                result += line.toLongLong();
    return result;
}

void PullPlug::readValues()
{
    m_stage = Stage::reading;
    m_stageSince = now();
    m_unread = int(m_running.size());
    for (qsizetype i = 0; i < m_running.size(); ++i) {
        api::ReadMetrics read;
        read.cursors = {{m_running[i], 0}};
        read.limit = 10'000;
        m_mirror->ask(read, [this, i](const auto& reply) {
            const Result<core::Json> document = reply ? client::documentOf(*reply) : core::fail(reply);
            ui::PlugTrial& trial = m_proof.trials[i];
            trial.starts = countStarts(trial.number);
            trial.complete = document.has_value();
            qint64 wanted = 0;
            if (document)
                for (const core::Json& json : document->value("metrics", core::Json::array())) {
                    const Result<core::Metric> metric = core::metricFromJson(json);
                    // Its n-th value is n: the order, the gaps and the doubles are told by the values themselves.
                    trial.complete = trial.complete && metric && metric->sequence == wanted
                        && metric->data == QByteArray::number(wanted);
                    ++wanted;
                }
            trial.complete = trial.complete && wanted > valuesBefore;
            trial.values = reportTimes(trial.number).mid(0, wanted);
            if (--m_unread == 0) {
                say(tr("%1 values of the gap read, in order").arg(m_proof.gapValues()));
                finish();
            }
        });
    }
}

void PullPlug::finish(const QString& problem)
{
    if (m_stage == Stage::done)
        return;
    m_stage = Stage::done;
    m_timer.stop();
    m_proof.problem = problem;
    m_proof.end = now();
    say(problem.isEmpty() ? tr("Proof written") : problem, !problem.isEmpty());
}

} // namespace app
