// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubernetes_wire.h"

#include "kubernetes_check.h"

#include "services/platforms/cluster/in_turns.h"
#include "services/platforms/cluster/local_command_host.h"
#include "services/platforms/kubernetes/facts/pod_reasons.h"
#include "services/platforms/kubernetes/jobs/job_names.h"
#include "services/platforms/kubernetes/jobs/job_options.h"
#include "services/platforms/kubernetes/kube_status.h"
#include "services/platforms/kubernetes/kubeconfig_files.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr int atOnce = 8; ///< requests that change something
constexpr qint64 quotaAgainMs = 30'000;

Result<KubeAccess> loadAccess(const QString& given, const KubeChoice& choice)
{
    const KubeSurroundings surroundings = systemSurroundings();
    const Result<Kubeconfig> config = loadKubeconfig(given, surroundings, readKubeFile);
    if (!config)
        return fail(config);
    return accessOf(*config, choice, surroundings, readKubeFile);
}

} // namespace

KubernetesWire::KubernetesWire(Json settings, Context context)
    : m_settings(std::move(settings))
    , m_context(std::move(context))
    , m_commands(std::make_unique<LocalCommandHost>(m_context.clock))
    , m_strand(u"kubernetes"_s, 2)
{
}

KubernetesWire::~KubernetesWire() = default;

QString KubernetesWire::name() const
{
    return m_client ? u"%1/%2"_s.arg(m_client->access().context, m_objects->inNamespace()) : u"Kubernetes"_s;
}

int KubernetesWire::mostJobs() const
{
    const auto found = m_settings.is_object() ? m_settings.find("maxJobs") : m_settings.end();
    return found != m_settings.end() && found->is_number_integer()
        ? int(std::clamp<qint64>(found->get<qint64>(), 0, 1'000'000))
        : 0;
}

// ---------------------------------------------------------------------------------------------------------- connection

Task<Result<>> KubernetesWire::connectClient()
{
    if (m_client)
        co_return Result<>{};
    KubeChoice choice;
    choice.context = textOf(m_settings, "context").trimmed();
    choice.inNamespace = textOf(m_settings, "namespace").trimmed();
    if (const QString plugins = textOf(m_settings, "plugins").trimmed(); !plugins.isEmpty())
        choice.plugins = plugins.split(u',', Qt::SkipEmptyParts);
    choice.nowMs = m_context.clock->nowMs();
    const QString given = textOf(m_settings, "kubeconfig").trimmed();
    auto loading = m_strand.run([given, choice] { return loadAccess(given, choice); });
    const Result<KubeAccess> access = co_await loading;
    if (!access)
        co_return fail(access);
    KubeEnvironment environment{{.clock = m_context.clock, .strand = &m_strand}, m_commands.get()};
    auto client = KubeClient::make(*access, environment);
    if (!client)
        co_return fail(client);
    m_client = std::move(*client);
    m_objects = std::make_unique<NamespaceObjects>(
        m_client.get(), m_client->access().inNamespace, m_context.serviceId, m_context.stop);
    m_shared = std::make_unique<SharedMaps>(m_objects.get(), &m_strand, m_context);
    co_return Result<>{};
}

Task<Result<>> KubernetesWire::open()
{
    auto commands = m_commands->open();
    co_await commands;
    auto connecting = connectClient();
    const Result<> connected = co_await connecting;
    if (!connected)
        co_return connected;
    JobValues values;
    if (const Result<> applied = applyOptions(values, m_settings, Json::object()); !applied)
        co_return applied;
    m_view = std::make_unique<NamespaceView>(m_client.get(),
        transport::HttpEnvironment{.clock = m_context.clock, .strand = &m_strand}, m_context, m_objects->inNamespace(),
        values.gpuResource);
    connect(m_view.get(), &NamespaceView::changed, this, &ClusterWire::jobsChanged);
    connect(m_view.get(), &NamespaceView::found, this, &ClusterWire::connected);
    m_logs = std::make_unique<PodLogs>(m_client.get(), m_context.clock, m_objects->inNamespace());
    connect(m_logs.get(), &PodLogs::grew, this, &ClusterWire::logsGrew);
    auto opening = m_view->open();
    co_return co_await opening;
}

Task<> KubernetesWire::close()
{
    if (m_logs) {
        auto closing = m_logs->close();
        co_await closing;
    }
    if (m_view) {
        auto closing = m_view->close();
        co_await closing;
    }
    if (m_client) {
        auto closing = m_client->close();
        co_await closing;
    }
    co_await m_commands->close();
}

// ---------------------------------------------------------------------------------------------------------- submission

/// That of all nodes, where it is one; of mixed ones this computer's, which the node selector asks for.
QString KubernetesWire::architecture() const
{
    const QString own = QSysInfo::currentCpuArchitecture() == "arm64"_L1 ? u"arm64"_s : u"amd64"_s;
    QSet<QString> all;
    for (const NodeView& node : m_view->nodes())
        if (!node.architecture.isEmpty())
            all.insert(node.architecture);
    return all.isEmpty() || all.contains(own) ? own : all.contains(u"amd64"_s) ? u"amd64"_s : *all.cbegin();
}

Result<JobValues> KubernetesWire::valuesOf(const TrialSpec& spec) const
{
    JobValues values;
    if (const Result<> applied = applyOptions(values, m_settings, spec.platformOptions); !applied)
        return fail(applied);
    values.name = jobName(m_context.serviceId, spec.id);
    values.labels = trialLabels(m_context.serviceId, spec.experimentId, spec.id);
    values.gpus = spec.gpuNumber;
    values.trialId = spec.id.value;
    values.environment = spec.environment;
    values.environment.insert(u"NNI_PLATFORM"_s, u"local"_s); // NNI's SDK writes .nni/metrics for it
    values.environment.insert(u"NNI_EXP_ID"_s, spec.experimentId.value);
    values.environment.insert(u"NNI_TRIAL_JOB_ID"_s, spec.jobId);
    values.environment.insert(u"NNI_TRIAL_SEQ_ID"_s, QString::number(spec.sequenceId));
    values.environment.insert(u"PYTHONUNBUFFERED"_s, spec.environment.value(u"PYTHONUNBUFFERED"_s, u"1"_s));
    values.command = spec.setup.isEmpty() ? spec.command.toUtf8() : spec.setup.toUtf8() + '\n' + spec.command.toUtf8();
    values.parameters = spec.parameters;
    if (!spec.parameterCfg.isEmpty())
        values.parameterCfg = spec.parameterCfg;
    values.graceSeconds = std::max(1, spec.graceMs / 1'000);
    if (!values.nodeSelector.contains(u"kubernetes.io/arch"_s))
        values.nodeSelector.insert(u"kubernetes.io/arch"_s, architecture());
    return values;
}

Task<SubmitOutcome> KubernetesWire::submitJob(TrialId trial, JobValues values)
{
    SubmitOutcome outcome{.trial = trial};
    const Result<Json> manifest = jobManifest(values);
    if (!manifest) {
        outcome.error = manifest.error();
        co_return outcome;
    }
    const Result<QByteArray> path = kubePath(m_objects->target(jobsResource()));
    if (!path) {
        outcome.error = path.error();
        co_return outcome;
    }
    transport::HttpRequest request;
    request.method = "POST";
    request.target = withParameters(*path, {{"fieldManager", u"trialdeck"_s}, {"fieldValidation", u"Strict"_s}});
    request.accept = "application/json";
    request.contentType = "application/json";
    request.body = dumpJson(*manifest);
    auto sending = m_client->send(std::move(request), m_context.stop);
    const Result<transport::HttpReply> reply = co_await sending;
    if (!reply && reply.error().kind == Kind::auth) {
        outcome.later = trial::SubmitLater{reply.error().message, {}};
        co_return outcome;
    }
    if (!reply) {
        outcome.unknown = true; // jobs() tells whether it is there
        outcome.error = reply.error();
        co_return outcome;
    }
    if (reply->isOk()) {
        outcome.handle = metadataOf(reply->json, "uid");
        co_return outcome;
    }
    const KubeRefusal refusal = refusalOf(*reply);
    switch (refusal.what) {
    case Refusal::alreadyExists: {
        // An answer that was lost, or somebody else's Job of this name.
        auto asking = m_objects->get(m_objects->target(jobsResource(), values.name));
        const Result<Json> there = co_await asking;
        const std::optional<JobView> job = there ? readJob(*there) : std::nullopt;
        if (!job) {
            outcome.unknown = true;
            outcome.error = there ? refusal.error : there.error();
        } else if (trialOf(m_context.serviceId, job->labels) == trial && !job->isDeleting) {
            outcome.handle = job->uid;
        } else if (job->isDeleting) {
            outcome.later = trial::SubmitLater{u"A Job of the same name is being deleted."_m, 2'000};
        } else {
            outcome.error =
                Error{Kind::conflict, u"The namespace has a Job %1 that is not this service's."_m.arg(values.name), {}};
        }
        break;
    }
    case Refusal::quota:
        outcome.later = trial::SubmitLater{refusal.error.message, quotaAgainMs};
        break;
    case Refusal::unauthorized:
    case Refusal::forbidden:
    case Refusal::busy:
    case Refusal::notFound: // the namespace
    case Refusal::notServed:
        outcome.later = trial::SubmitLater{refusal.error.message, {}};
        break;
    case Refusal::invalid:
        outcome.error = refusal.error;
        break;
    case Refusal::conflict:
    case Refusal::expired:
    case Refusal::versionUnknown:
    case Refusal::other: // it may be there, whatever broke behind it
        outcome.unknown = true;
        outcome.error = refusal.error;
        break;
    }
    co_return outcome;
}

Task<SubmitOutcome> KubernetesWire::submitOne(TrialSpec spec)
{
    SubmitOutcome outcome{.trial = spec.id};
    const auto notNow = [&outcome](const Error& error) {
        if (error.kind == Kind::invalid)
            outcome.error = error;
        else
            outcome.later = trial::SubmitLater{error.message, {}};
        return outcome;
    };
    auto keeping = m_shared->keeper(architecture());
    const Result<QString> keeper = co_await keeping;
    if (!keeper)
        co_return notNow(keeper.error());
    Result<JobValues> values = valuesOf(spec);
    if (!values) {
        outcome.error = values.error();
        co_return outcome;
    }
    values->keeperMap = *keeper;
    if (values->codeFolder.isEmpty()) {
        m_context.sink->progress(spec.id, u"its code is brought to the cluster"_m);
        auto putting = m_shared->code(spec.experimentId, spec.code);
        const Result<QStringList> code = co_await putting;
        if (!code)
            co_return notNow(code.error());
        values->codeMaps = *code;
    }
    m_view->forget(spec.id);
    auto submitting = submitJob(spec.id, std::move(*values));
    co_return co_await submitting;
}

Task<QList<SubmitOutcome>> KubernetesWire::submit(QList<TrialSpec> specs)
{
    ++m_submitting;
    const std::function<Task<SubmitOutcome>(TrialSpec)> one = [this](TrialSpec spec) {
        return submitOne(std::move(spec));
    };
    // The first one puts what all share.
    QList<SubmitOutcome> outcomes;
    if (!specs.isEmpty()) {
        auto first = submitOne(specs.takeFirst());
        outcomes.append(co_await first);
    }
    auto submitting = inTurns<SubmitOutcome>(std::move(specs), atOnce, one);
    for (SubmitOutcome& outcome : co_await submitting)
        outcomes.append(std::move(outcome));
    --m_submitting;
    co_return outcomes;
}

// ----------------------------------------------------------------------------------------------------------- questions

Task<Result<QList<JobFact>>> KubernetesWire::jobs()
{
    co_return m_view->facts();
}

Task<Result<QList<JobFact>>> KubernetesWire::endedJobs(QList<TrialRef> trials)
{
    QList<JobFact> facts;
    for (const TrialRef& ref : trials)
        if (const auto fact = m_view->lastFact(ref.trial))
            facts.append(*fact);
    co_return facts;
}

Task<Result<>> KubernetesWire::cancel(QList<TrialRef> trials)
{
    QStringList names;
    for (const TrialRef& ref : trials)
        names.append(jobName(m_context.serviceId, ref.trial));
    auto dropping = m_objects->dropThese(jobsResource(), std::move(names));
    co_return co_await dropping;
}

Task<Result<QList<Machine>>> KubernetesWire::machines()
{
    co_return m_view->machines();
}

QList<PlatformQueue> KubernetesWire::queues() const
{
    return m_view ? m_view->queues() : QList<PlatformQueue>();
}

MachineId KubernetesWire::machineOf(const QString& node) const
{
    return machineIdOf(m_context.id, node);
}

// ---------------------------------------------------------------------------------------------------------------- logs

Task<Result<QList<LogPart>>> KubernetesWire::readLogs(QList<LogWish> wishes)
{
    QList<LogPart> parts;
    QSet<TrialId> wanted;
    for (const LogWish& wish : wishes) {
        const TrialId& trial = wish.trial.trial;
        const PodView* pod = m_view->podOf(trial);
        const ContainerView* container = pod ? trialContainer(*pod) : nullptr;
        const bool hasBegun = container && container->state != ContainerView::State::none
            && container->state != ContainerView::State::waiting;
        wanted.insert(trial);
        LogPod source;
        if (hasBegun) {
            source.name = pod->name;
            source.uid = pod->uid;
            source.hasEnded = container->state == ContainerView::State::terminated;
            source.termination = source.hasEnded ? container->message.toUtf8() : QByteArray();
            m_logPods.insert(trial, source);
        } else if (const auto known = m_logPods.constFind(trial); known != m_logPods.constEnd() && !pod) {
            source = *known; // the pod is gone; what was read of its log is here
            source.hasEnded = true;
        } else {
            LogPart part;
            part.trial = trial;
            part.state = m_view->expectsLog(trial) ? LogPart::State::read : LogPart::State::missing;
            parts.append(part);
            continue;
        }
        parts.append(m_logs->read(wish, source));
    }
    m_logs->keepOnly(wanted);
    m_logPods.removeIf([&wanted](const auto& entry) { return !wanted.contains(entry.key()); });
    co_return parts;
}

Task<Result<QStringList>> KubernetesWire::logNames(TrialRef trial)
{
    if (!m_view->hasJob(trial.trial) && !m_view->podOf(trial.trial) && !m_view->lastFact(trial.trial))
        co_return fail(Kind::not_found,
            u"The namespace %1 has no job of trial %2, and none of its log was kept."_m.arg(
                m_objects->inNamespace(), trial.trial.value));
    co_return QStringList{u"stdout"_s, u"stderr"_s};
}

Task<Result<Bytes>> KubernetesWire::readFile(TrialRef trial, QString name, qint64 offset, qint64 limit)
{
    Q_UNUSED(trial)
    Q_UNUSED(offset)
    Q_UNUSED(limit)
    co_return fail(Kind::not_found,
        u"There is no log \"%1\": of a pod there are stdout and stderr; what a trial writes into its folder goes with the pod."_m
            .arg(name));
}

Task<Result<FileList>> KubernetesWire::listFiles(TrialRef trial, QString after, qint64 limit)
{
    Q_UNUSED(trial)
    Q_UNUSED(after)
    Q_UNUSED(limit)
    co_return fail(Kind::not_found,
        u"What a trial writes into its folder goes with its pod. Have it write to a volume (volumes), or send it elsewhere."_m);
}

QString KubernetesWire::folderText(const TrialRef& trial) const
{
    return u"%1/%2"_s.arg(m_objects->inNamespace(), jobName(m_context.serviceId, trial.trial));
}

// ------------------------------------------------------------------------------------------------------------- clean-up

Task<Result<>> KubernetesWire::removeUnused(ExperimentId experiment)
{
    if (m_submitting > 0)
        co_return Result<>{}; // the next removal does it
    auto asking = m_objects->listed(jobsResource(), experimentLabels(m_context.serviceId, experiment));
    const Result<QList<NamedObject>> ofExperiment = co_await asking;
    if (!ofExperiment)
        co_return fail(ofExperiment);
    if (!ofExperiment->isEmpty() || m_submitting > 0)
        co_return Result<>{};
    auto dropping = m_shared->dropCode(experiment);
    const Result<> dropped = co_await dropping;
    if (!dropped)
        co_return dropped;
    auto looking = m_objects->listed(jobsResource(), serviceLabels(m_context.serviceId));
    const Result<QList<NamedObject>> ofService = co_await looking;
    if (!ofService)
        co_return fail(ofService);
    if (!ofService->isEmpty() || m_submitting > 0)
        co_return Result<>{};
    auto last = m_shared->dropKeeper();
    co_return co_await last;
}

Task<Result<>> KubernetesWire::remove(ExperimentId experiment, QList<TrialRef> trials)
{
    auto removing = cancel(trials);
    const Result<> removed = co_await removing;
    if (!removed)
        co_return removed;
    for (const TrialRef& ref : trials)
        m_view->forget(ref.trial);
    auto cleaning = removeUnused(experiment);
    co_return co_await cleaning;
}

Task<Result<int>> KubernetesWire::removeUnknown(ExperimentId experiment, QSet<TrialId> known)
{
    auto listing = m_objects->listed(jobsResource(), experimentLabels(m_context.serviceId, experiment));
    const Result<QList<NamedObject>> jobs = co_await listing;
    if (!jobs)
        co_return fail(jobs);
    QList<TrialRef> strays;
    for (const NamedObject& job : *jobs)
        if (!job.trial.isEmpty() && !known.contains(job.trial))
            strays.append(TrialRef{.trial = job.trial, .experiment = experiment});
    if (strays.isEmpty())
        co_return 0;
    const int count = int(strays.size());
    auto removing = remove(experiment, std::move(strays));
    const Result<> removed = co_await removing;
    if (!removed)
        co_return fail(removed);
    co_return count;
}

// --------------------------------------------------------------------------------------------------------------- check

Task<Result<Message>> KubernetesWire::runTestJob()
{
    constexpr int patienceSeconds = 120;
    TrialSpec spec;
    spec.id = TrialId(u"check%1"_s.arg(QRandomGenerator::system()->generate64(), 16, 16, QLatin1Char('0')));
    spec.jobId = spec.id.value;
    spec.experimentId = ExperimentId(u"check"_s);
    spec.gpuNumber = 0;
    spec.command = u"exit 0"_s;
    spec.platformOptions = Json::object();
    auto submitting = submitOne(spec);
    const SubmitOutcome outcome = co_await submitting;
    Result<Message> said = u"a pod ran there"_m;
    if (outcome.error || outcome.later)
        said = outcome.error ? Result<Message>(tl::unexpected(*outcome.error))
                             : fail(Kind::platform, outcome.later->reason);
    Message waits = u"its pod did not begin"_m;
    bool isDone = !said;
    for (int second = 0; !isDone && second < patienceSeconds; ++second) {
        OneShot<bool> later;
        const auto timer = m_context.clock->after(1'000, [later]() mutable { later.set(true); });
        co_await later.wait();
        for (const JobFact& fact : m_view->facts().value_or(QList<JobFact>())) {
            if (fact.trial != spec.id)
                continue;
            if (!fact.reason.isEmpty())
                waits = fact.reason;
            if (fact.phase != JobFact::Phase::ended)
                continue;
            isDone = true;
            if (fact.end != TrialStatus::succeeded)
                said = fail(Kind::platform, fact.reason);
        }
    }
    if (said && !isDone)
        said = fail(Kind::timeout, u"its pod still waits after %1 s: %2"_m.arg(patienceSeconds).arg(waits));
    QList<TrialRef> own{TrialRef{.trial = spec.id, .experiment = spec.experimentId}};
    auto removing = remove(spec.experimentId, own);
    co_await removing;
    co_return said;
}

Task<Result<>> KubernetesWire::check(OperationId request, CheckExtent extent, Sink* sink)
{
    auto checking = checkCluster(this, request, extent, sink);
    co_return co_await checking;
}

} // namespace platforms::kubernetes
