// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubernetes_wire.h"

#include "kubernetes_check.h"

#include "services/platforms/cluster/in_turns.h"
#include "services/platforms/cluster/test_job.h"
#include "services/platforms/commands/local_command_host.h"
#include "services/platforms/kubernetes/facts/pod_reasons.h"
#include "services/platforms/kubernetes/jobs/code_mark.h"
#include "services/platforms/kubernetes/jobs/job_names.h"
#include "services/platforms/kubernetes/jobs/job_options.h"
#include "services/platforms/kubernetes/kube_status.h"
#include "services/platforms/kubernetes/kubeconfig_files.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr int atOnce = 8; ///< requests that change something
constexpr qint64 quotaAgainMs = 30'000;

qint64 startPatienceMs(const Json& settings)
{
    const Json* minutes = memberOf(settings, "startPatience");
    constexpr qint64 byDefault = 10;
    const qint64 given = minutes && minutes->is_number_integer() ? minutes->get<qint64>() : byDefault;
    return std::clamp<qint64>(given, 0, 100'000) * 60'000;
}

Result<KubeAccess> loadAccess(const QString& given, const KubeChoice& choice)
{
    const KubeSurroundings surroundings = systemSurroundings();
    const Result<Kubeconfig> config = loadKubeconfig(given, surroundings, readKubeFile);
    if (!config)
        return fail(config);
    return accessOf(*config, choice, surroundings, readKubeFile);
}

/// Its container runs, or has ended.
bool hasBegun(const PodView& pod)
{
    const ContainerView* trial = trialContainer(pod);
    return trial && (trial->state == ContainerView::State::running || trial->state == ContainerView::State::terminated);
}

} // namespace

KubernetesWire::KubernetesWire(QString platformKind, Json settings, Context context)
    : m_platformKind(std::move(platformKind))
    , m_settings(std::move(settings))
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
    const auto remark = [this](const Message& said) {
        m_loginRemark = said;
        emit remarkChanged();
    };
    KubeEnvironment environment{{.clock = m_context.clock, .strand = &m_strand}, m_commands.get(), remark};
    auto client = KubeClient::make(*access, environment);
    if (!client)
        co_return fail(client);
    m_client = std::move(*client);
    m_objects = std::make_unique<NamespaceObjects>(
        m_client.get(), m_client->access().inNamespace, m_context.serviceId, m_context.stop);
    m_shared = std::make_unique<SharedMaps>(m_objects.get(), &m_codes, &m_strand, m_context);
    co_return Result<>{};
}

Task<Result<>> KubernetesWire::findKinds()
{
    QList<WorkloadKind> wanted;
    if (m_platformKind == u"kubeflow"_s)
        wanted = {WorkloadKind::pytorchJob, WorkloadKind::tfJob, WorkloadKind::mpiJob, WorkloadKind::trainJob};
    else if (m_platformKind == u"frameworkcontroller"_s)
        wanted = {WorkloadKind::framework};
    m_kinds.clear();
    if (wanted.isEmpty())
        co_return Result<>();
    auto asking = m_objects->getPath("/apis");
    const Result<Json> groups = co_await asking;
    if (!groups)
        co_return fail(groups);
    QHash<QByteArray, Json> resources; // by group and version
    Result<> missing;
    for (const WorkloadKind kind : wanted) {
        const KubeResource resource = workloadResource(kind);
        const QByteArray path = "/apis/" + resource.group + '/' + resource.version;
        if (!servedVersions(kind, *groups).isEmpty() && !resources.contains(path)) {
            auto listing = m_objects->getPath(path);
            const Result<Json> list = co_await listing;
            if (!list && list.error().kind != Kind::not_found)
                co_return fail(list);
            resources.insert(path, list.value_or(Json()));
        }
        const Result<Message> finding = operatorFinding(kind, *groups, resources.value(path));
        if (finding)
            m_kinds.append(kind);
        else if (missing)
            missing = fail(finding);
    }
    if (m_kinds.isEmpty())
        co_return missing;
    if (m_kinds.contains(WorkloadKind::trainJob)) {
        auto defining = m_objects->get({definitionsResource(), {}, definitionName(WorkloadKind::trainJob), {}});
        const Result<Json> definition = co_await defining;
        m_train = trainSupport(definition.value_or(Json())); // few accounts may read it
    }
    co_return Result<>();
}

QList<KubeResource> KubernetesWire::trialResources() const
{
    QList<KubeResource> all;
    for (const WorkloadKind kind : m_kinds)
        all.append(workloadResource(kind));
    return all.isEmpty() ? QList<KubeResource>{jobsResource()} : all;
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
    auto finding = findKinds();
    const Result<> found = co_await finding;
    if (!found)
        co_return found;
    const transport::HttpEnvironment environment{.clock = m_context.clock, .strand = &m_strand};
    m_view = std::make_unique<NamespaceView>(
        m_client.get(), environment, m_context, m_objects->inNamespace(), startPatienceMs(m_settings), m_kinds);
    m_nodes = std::make_unique<NodesView>(
        m_client.get(), environment, m_context, m_objects->inNamespace(), values.gpuResource);
    connect(m_nodes.get(), &NodesView::changed, this, &ClusterWire::machinesChanged);
    connect(m_view.get(), &NamespaceView::changed, this, &ClusterWire::jobsChanged);
    connect(m_view.get(), &NamespaceView::found, this, &ClusterWire::connected);
    m_logs = std::make_unique<PodLogs>(m_client.get(), m_context.clock, m_objects->inNamespace());
    connect(m_logs.get(), &PodLogs::grew, this, &ClusterWire::logsGrew);
    connect(m_logs.get(), &PodLogs::takesTurnsChanged, this, &ClusterWire::remarkChanged);
    connect(m_logs.get(), &PodLogs::prohibitionChanged, this, &ClusterWire::remarkChanged);
    m_sender =
        std::make_unique<CodeSender>(m_client.get(), m_context.clock, &m_strand, &m_codes, m_objects->inNamespace());
    connect(m_sender.get(), &CodeSender::changed, m_view.get(), &NamespaceView::touch);
    connect(m_view.get(), &NamespaceView::trialChanged, this, &KubernetesWire::lookForCode);
    auto opening = m_view->open();
    const Result<> opened = co_await opening;
    if (opened) {
        auto looking = m_nodes->open(); // which processors they have decides which keeper pods get
        co_await looking;
    }
    co_return opened;
}

Task<> KubernetesWire::close()
{
    if (m_sender) {
        auto closing = m_sender->close();
        co_await closing;
    }
    if (m_logs) {
        auto closing = m_logs->close();
        co_await closing;
    }
    if (m_view) {
        auto closing = m_view->close();
        co_await closing;
    }
    if (m_nodes) {
        auto closing = m_nodes->close();
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
    for (const NodeView& node : m_nodes->nodes())
        if (!node.architecture.isEmpty())
            all.insert(node.architecture);
    return all.isEmpty() || all.contains(own) ? own : all.contains(u"amd64"_s) ? u"amd64"_s : *all.cbegin();
}

SubmitOutcome KubernetesWire::refused(TrialId trial, const KubeRefusal& refusal) const
{
    SubmitOutcome outcome{.trial = std::move(trial)};
    switch (refusal.what) {
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
    case Refusal::alreadyExists:
    case Refusal::conflict:
    case Refusal::expired:
    case Refusal::versionUnknown:
    case Refusal::other: // it may be there, whatever broke behind it
        outcome.unknown = true;
        outcome.error = refusal.error;
        break;
    }
    return outcome;
}

/// An answer that was lost, or somebody else's object of this name.
Task<SubmitOutcome> KubernetesWire::lookUp(TrialId trial, TrialRequest request, Error refusal)
{
    SubmitOutcome outcome{.trial = trial};
    auto asking = m_objects->get(m_objects->target(request.resource(), request.name));
    const Result<Json> there = co_await asking;
    const std::optional<JobView> object = there ? readJob(*there) : std::nullopt; // any object has a name and labels
    if (!object) {
        outcome.unknown = true;
        outcome.error = there ? refusal : there.error();
    } else if (trialOf(m_context.serviceId, object->labels) == trial && !object->isDeleting) {
        outcome.handle = object->uid;
    } else if (object->isDeleting) {
        outcome.later = trial::SubmitLater{u"A Job of the same name is being deleted."_m, 2'000};
    } else {
        outcome.error =
            Error{Kind::conflict, u"The namespace has a Job %1 that is not this service's."_m.arg(request.name), {}};
    }
    co_return outcome;
}

Task<SubmitOutcome> KubernetesWire::make(TrialId trial, TrialRequest request)
{
    SubmitOutcome outcome{.trial = trial};
    const auto objects = request.objects(m_train);
    if (!objects) {
        outcome.error = objects.error();
        co_return outcome;
    }
    for (const auto& [resource, object] : *objects) {
        const Result<QByteArray> path = kubePath(m_objects->target(resource));
        if (!path) {
            outcome.error = path.error();
            co_return outcome;
        }
        transport::HttpRequest post;
        post.method = "POST";
        post.target = withParameters(*path, {{"fieldManager", u"trialdeck"_s}, {"fieldValidation", u"Strict"_s}});
        post.accept = "application/json";
        post.contentType = "application/json";
        post.body = dumpJson(object);
        auto sending = m_client->send(std::move(post), m_context.stop);
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
            continue;
        }
        const KubeRefusal refusal = refusalOf(*reply);
        const bool isTrial = resource == request.resource();
        if (refusal.what == Refusal::alreadyExists && !isTrial)
            continue; // a runtime of this trial's name, from before
        if (refusal.what != Refusal::alreadyExists)
            co_return refused(trial, refusal);
        auto looking = lookUp(trial, request, refusal.error);
        co_return co_await looking;
    }
    co_return outcome;
}

Task<SubmitOutcome> KubernetesWire::submitOne(TrialSpec spec, bool isTest)
{
    SubmitOutcome outcome{.trial = spec.id};
    const auto notNow = [&outcome](const Error& error) {
        if (error.kind == Kind::invalid)
            outcome.error = error;
        else
            outcome.later = trial::SubmitLater{error.message, {}};
        return outcome;
    };
    const RequestContext context{m_platformKind, m_settings, m_context.serviceId, architecture(), m_train};
    Result<TrialRequest> request = trialRequest(context, spec);
    if (request && request->kind && !m_kinds.contains(*request->kind))
        request = fail(Kind::invalid,
            u"The cluster knows no %1. Choose another kind of job, or have its operator installed."_m.arg(
                kindWord(*request->kind)));
    if (!request) {
        outcome.error = request.error();
        co_return outcome;
    }
    JobValues& values = request->values;
    auto keeping = m_shared->keeper(architecture());
    const Result<QString> keeper = co_await keeping;
    if (!keeper)
        co_return notNow(keeper.error());
    values.keeperMap = *keeper;
    values.isLogRead = !isTest;
    const bool hasCode = values.codeFolder.isEmpty() && spec.code.kind != CodeSource::Kind::none;
    values.isCodeSent = values.isCodeSent && hasCode && spec.code.kind == CodeSource::Kind::snapshot;
    if (hasCode && !values.isCodeSent) {
        m_context.sink->progress(spec.id, u"its code is brought to the cluster"_m);
        auto putting = m_shared->code(spec.experimentId, spec.code);
        const Result<QStringList> code = co_await putting;
        if (!code)
            co_return notNow(code.error());
        values.codeMaps = *code;
        values.isCodeSent = code->isEmpty();
    }
    if (values.isCodeSent)
        values.annotations.insert(
            QString::fromLatin1(codeAnnotation), codeMark(m_context.placementKey, spec.id, spec.code.sha));
    m_view->forget(spec.id);
    auto making = make(spec.id, std::move(*request));
    co_return co_await making;
}

Task<QList<SubmitOutcome>> KubernetesWire::submit(QList<TrialSpec> specs)
{
    ++m_submitting;
    const std::function<Task<SubmitOutcome>(TrialSpec)> one = [this](TrialSpec spec) {
        return submitOne(std::move(spec), false);
    };
    // The first one puts what all share.
    QList<SubmitOutcome> outcomes;
    if (!specs.isEmpty()) {
        auto first = submitOne(specs.takeFirst(), false);
        outcomes.append(co_await first);
    }
    auto submitting = inTurns<SubmitOutcome>(std::move(specs), atOnce, one);
    for (SubmitOutcome& outcome : co_await submitting)
        outcomes.append(std::move(outcome));
    --m_submitting;
    co_return outcomes;
}

// ----------------------------------------------------------------------------------------------------------- questions

/// Init containers of pods that wait for the code that the object names.
void KubernetesWire::lookForCode(const TrialId& trial)
{
    const TrialObject* object = m_view->objectOf(trial);
    const QString mark = object ? object->job.annotations.value(QString::fromLatin1(codeAnnotation)) : QString();
    const QString sha = mark.isEmpty() ? QString() : markedCode(m_context.placementKey, trial, mark);
    QSet<QString> waiting;
    for (const PodView& pod : sha.isEmpty() ? QList<PodView>() : m_view->podsOf(trial)) {
        const bool isWaiting = !pod.isDeleting
            && std::any_of(pod.initContainers.begin(), pod.initContainers.end(), [](const ContainerView& one) {
                   return one.name == QLatin1StringView(codeContainerName)
                       && one.state == ContainerView::State::running;
               });
        if (!isWaiting)
            continue;
        waiting.insert(pod.uid);
        CodeSource code{.kind = CodeSource::Kind::snapshot,
            .sha = sha,
            .folder = snapshotFolder(m_context.dataDir, sha),
            .archive = {}};
        m_sender->offer(trial, pod.name, pod.uid, std::move(code));
    }
    m_sender->keepOnly(trial, waiting);
}

Task<Result<QList<JobFact>>> KubernetesWire::jobs()
{
    auto completing = completed(m_view->facts());
    co_return co_await completing;
}

Task<Result<QList<JobFact>>> KubernetesWire::changedJobs()
{
    auto completing = completed(m_view->changedFacts());
    co_return co_await completing;
}

Task<Result<QList<JobFact>>> KubernetesWire::completed(Result<QList<JobFact>> facts)
{
    if (!facts)
        co_return facts;
    QList<TrialId> givenUp;
    for (JobFact& fact : *facts) {
        if (const Error* failure = m_sender->isEmpty() ? nullptr : m_sender->failureOf(fact.trial)) {
            fact.phase = JobFact::Phase::ended;
            fact.end = TrialStatus::failed;
            fact.failureClass = FailureClass::startFailed;
            fact.reason = failure->message;
            fact.isDecisive = true;
        } else if (const Message* state = m_sender->isEmpty() ? nullptr : m_sender->stateOf(fact.trial);
                   state && fact.phase == JobFact::Phase::waiting) {
            fact.reason = *state;
        }
        if (fact.phase == JobFact::Phase::ended && !m_givenUp.contains(fact.handle) && holdsItsNode(fact)) {
            m_givenUp.insert(fact.handle);
            givenUp.append(fact.trial);
        }
    }
    if (givenUp.isEmpty())
        co_return facts;
    auto dropping = dropTrials(std::move(givenUp));
    co_await dropping; // what stays is removed with the trial
    co_return facts;
}

/// A trial that has ended before it began, whose pod waits on.
bool KubernetesWire::holdsItsNode(const JobFact& fact) const
{
    const TrialObject* object = m_view->objectOf(fact.trial);
    const PodView* pod = m_view->podOf(fact.trial);
    return object && pod && pod->isActive() && !hasBegun(*pod) && !object->job.isComplete && !object->job.isFailed
        && !object->job.isDeleting;
}

Task<Result<QList<JobFact>>> KubernetesWire::endedJobs(QList<TrialRef> trials)
{
    QList<JobFact> facts;
    for (const TrialRef& ref : trials)
        if (const auto fact = m_view->lastFact(ref.trial))
            facts.append(*fact);
    co_return facts;
}

Task<Result<>> KubernetesWire::dropTrials(QList<TrialId> trials)
{
    QHash<qsizetype, QStringList> names; // by place in m_kinds; 0 for Jobs
    for (const TrialId& trial : trials) {
        if (m_kinds.isEmpty())
            names[0].append(jobName(m_context.serviceId, trial));
        const TrialObject* object = m_view ? m_view->objectOf(trial) : nullptr;
        for (qsizetype i = 0; i < m_kinds.size(); ++i) {
            if (object && object->workload && object->workload->kind != m_kinds.at(i))
                continue;
            const Result<QString> name = workloadName(m_kinds.at(i), m_context.serviceId, trial, {});
            if (name)
                names[i].append(*name);
        }
    }
    const QList<KubeResource> resources = trialResources();
    Result<> all;
    for (qsizetype i = 0; i < resources.size(); ++i) {
        auto dropping = m_objects->dropThese(resources.at(i), names.value(i));
        const Result<> dropped = co_await dropping;
        if (!dropped && all)
            all = dropped;
    }
    if (m_kinds.contains(WorkloadKind::trainJob)) {
        auto dropping =
            m_objects->dropThese(trainingRuntimesResource(), names.value(m_kinds.indexOf(WorkloadKind::trainJob)));
        const Result<> dropped = co_await dropping;
        if (!dropped && all)
            all = dropped;
    }
    co_return all;
}

Task<Result<>> KubernetesWire::cancel(QList<TrialRef> trials)
{
    QList<TrialId> ids;
    for (const TrialRef& ref : trials)
        ids.append(ref.trial);
    auto dropping = dropTrials(std::move(ids));
    co_return co_await dropping;
}

Task<Result<QList<NamedObject>>> KubernetesWire::listed(QMap<QString, QString> labels)
{
    QList<NamedObject> all;
    for (const KubeResource& resource : trialResources()) {
        auto asking = m_objects->listed(resource, labels);
        const Result<QList<NamedObject>> some = co_await asking;
        if (!some)
            co_return fail(some);
        all += *some;
    }
    co_return all;
}

Task<Result<QList<Machine>>> KubernetesWire::machines()
{
    co_return m_nodes->machines(m_view->pods());
}

QList<PlatformQueue> KubernetesWire::queues() const
{
    return m_nodes ? m_nodes->queues() : QList<PlatformQueue>();
}

Message KubernetesWire::remark() const
{
    if (m_logs && !m_logs->prohibition().isEmpty())
        return u"Logs and values of trials cannot be read, so trials end late and without them. %1 What its Role lacks: %2"_m
            .arg(m_logs->prohibition(), u"- {apiGroups: [\"\"], resources: [pods/log], verbs: [get]}"_s);
    if (!m_loginRemark.isEmpty())
        return m_loginRemark;
    return m_logs && m_logs->takesTurns()
        ? u"More than %1 pods run: their logs and values are read in turns, each for %2 seconds."_m
              .arg(PodLogs::mostStreams)
              .arg(PodLogs::turnMs / 1'000)
        : Message();
}

MachineId KubernetesWire::machineOf(const QString& node) const
{
    return machineIdOf(m_context.id, node);
}

// ---------------------------------------------------------------------------------------------------------------- logs

const PodView* KubernetesWire::logPodOf(const TrialId& trial, const QString& part) const
{
    const PodView* pod = part.isEmpty() ? m_view->podOf(trial) : m_view->partsOf(trial).value(part);
    const TrialObject* object = m_view->objectOf(trial);
    if (!pod && part.isEmpty() && object && object->workload) // its operator has deleted it, and keeps its last words
        pod = decidingPod(object->workload->remembered, *object->workload);
    return pod;
}

Task<Result<QList<LogPart>>> KubernetesWire::readLogs(QList<LogWish> wishes)
{
    QList<LogPart> parts;
    QSet<PodLogs::Key> wanted;
    for (const LogWish& wish : wishes) {
        const TrialId& trial = wish.trial.trial;
        const PodLogs::Key key{trial, wish.part};
        wanted.insert(key);
        LogPod source;
        const PodView* pod = logPodOf(trial, wish.part);
        if (pod && hasBegun(*pod)) {
            const ContainerView* container = trialContainer(*pod);
            source.name = pod->name;
            source.uid = pod->uid;
            source.part = wish.part;
            const auto kind = labelledKind(pod->labels);
            source.container = QString::fromLatin1(kind ? traitsOf(*kind).container : trialContainerName);
            source.hasEnded = container->state == ContainerView::State::terminated;
            source.termination = source.hasEnded ? container->message.toUtf8() : QByteArray();
            m_logPods.insert(key, source);
        } else if (const auto known = m_logPods.constFind(key); known != m_logPods.constEnd() && !pod) {
            source = *known; // the pod is gone; what was read of its log is here
            source.hasEnded = true;
        } else {
            LogPart part;
            part.trial = trial;
            part.part = wish.part;
            const bool isExpected = wish.part.isEmpty() ? m_view->expectsLog(trial) : pod && pod->isActive();
            part.state = isExpected ? LogPart::State::read : LogPart::State::missing;
            parts.append(part);
            continue;
        }
        parts.append(m_logs->read(wish, source));
    }
    m_logs->keepOnly(wanted);
    m_logPods.removeIf([&wanted](const auto& entry) { return !wanted.contains(entry.key()); });
    co_return parts;
}

QStringList KubernetesWire::logParts(const TrialId& trial) const
{
    return m_kinds.isEmpty() ? QStringList() : QStringList(m_view->partsOf(trial).keys());
}

Task<Result<QStringList>> KubernetesWire::logNames(TrialRef trial)
{
    if (!m_view->objectOf(trial.trial) && !m_view->podOf(trial.trial) && !m_view->lastFact(trial.trial))
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
    const TrialObject* object = m_view ? m_view->objectOf(trial.trial) : nullptr;
    return u"%1/%2"_s.arg(
        m_objects->inNamespace(), object ? object->job.name : jobName(m_context.serviceId, trial.trial));
}

// ------------------------------------------------------------------------------------------------------------- clean-up

Task<Result<>> KubernetesWire::removeUnused(ExperimentId experiment)
{
    if (m_submitting > 0)
        co_return Result<>{}; // the next removal does it
    auto asking = listed(experimentLabels(m_context.serviceId, experiment));
    const Result<QList<NamedObject>> ofExperiment = co_await asking;
    if (!ofExperiment)
        co_return fail(ofExperiment);
    if (!ofExperiment->isEmpty() || m_submitting > 0)
        co_return Result<>{};
    auto dropping = m_shared->dropCode(experiment);
    const Result<> dropped = co_await dropping;
    if (!dropped)
        co_return dropped;
    auto looking = listed(serviceLabels(m_context.serviceId));
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
    auto listing = listed(experimentLabels(m_context.serviceId, experiment));
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

Task<Result<Message>> KubernetesWire::runTestJob(std::optional<PostReach>* reach)
{
    constexpr qint64 patienceMs = 120'000;
    const TrialSpec spec = testTrial(m_context, Json::object());
    const PostProbe probe(&m_context);
    auto submitting = submitOne(spec, true);
    const SubmitOutcome outcome = co_await submitting;
    Result<Message> said = u"a pod ran there"_m;
    if (outcome.error || outcome.later)
        said = outcome.error ? Result<Message>(tl::unexpected(*outcome.error))
                             : fail(Kind::platform, outcome.later->reason);
    Message waits = u"its pod did not begin"_m;
    bool isDone = !said;
    const qint64 until = m_context.clock->steadyMs() + patienceMs;
    while (!isDone && m_context.clock->steadyMs() < until) {
        OneShot<bool> later;
        const auto timer = m_context.clock->after(10'000, [later]() mutable { later.set(true); });
        const auto change =
            connect(m_view.get(), &NamespaceView::changed, this, [later]() mutable { later.set(true); });
        co_await later.wait();
        disconnect(change);
        for (const JobFact& fact : m_view->facts().value_or(QList<JobFact>())) {
            if (fact.trial != spec.id)
                continue;
            if (!fact.reason.isEmpty())
                waits = fact.reason;
            if (fact.phase != JobFact::Phase::ended)
                continue;
            isDone = true;
            *reach = probe.reachOf(fact.exitCode);
            if (fact.end != TrialStatus::succeeded && !*reach)
                said = fail(Kind::platform, fact.reason);
        }
    }
    if (said && !isDone)
        said = fail(Kind::timeout, u"its pod still waits after %1 s: %2"_m.arg(patienceMs / 1'000).arg(waits));
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
