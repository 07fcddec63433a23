// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubernetes_wire.h"

#include "kubernetes_check.h"

#include "services/platforms/cluster/in_turns.h"
#include "services/platforms/cluster/local_command_host.h"
#include "services/platforms/kubernetes/facts/pod_reasons.h"
#include "services/platforms/kubernetes/jobs/config_maps.h"
#include "services/platforms/kubernetes/jobs/job_names.h"
#include "services/platforms/kubernetes/jobs/job_options.h"
#include "services/platforms/kubernetes/kube_status.h"
#include "services/platforms/kubernetes/kubeconfig_files.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr int atOnce = 8; ///< requests that change something
constexpr qint64 quotaAgainMs = 30'000;

KubeResource configMapsResource()
{
    return {"", "v1", "configmaps"};
}

QString textSetting(const Json& settings, const char* name)
{
    const auto found = settings.is_object() ? settings.find(name) : settings.end();
    return found != settings.end() && found->is_string() ? found->get<QString>().trimmed() : QString();
}

/// Deletes the pods, too: a Job's pods stay where nothing is said.
Json deleteOptions()
{
    return {{"kind", "DeleteOptions"}, {"apiVersion", "v1"}, {"propagationPolicy", "Background"}};
}

struct Loaded
{
    Result<KubeAccess> access;
};

Loaded loadAccess(const QString& given, const KubeChoice& choice)
{
    const KubeSurroundings surroundings = systemSurroundings();
    const Result<Kubeconfig> config = loadKubeconfig(given, surroundings, readKubeFile);
    if (!config)
        return {fail(config)};
    return {accessOf(*config, choice, surroundings, readKubeFile)};
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
    return m_client ? u"%1/%2"_s.arg(m_client->access().context, m_namespace) : u"Kubernetes"_s;
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
    choice.context = textSetting(m_settings, "context");
    choice.inNamespace = textSetting(m_settings, "namespace");
    if (const QString plugins = textSetting(m_settings, "plugins"); !plugins.isEmpty())
        choice.plugins = plugins.split(u',', Qt::SkipEmptyParts);
    choice.nowMs = m_context.clock->nowMs();
    const QString given = textSetting(m_settings, "kubeconfig");
    auto loading = m_strand.run([given, choice] { return loadAccess(given, choice); });
    const Loaded loaded = co_await loading;
    if (!loaded.access)
        co_return fail(loaded.access);
    m_namespace = loaded.access->inNamespace;
    KubeEnvironment environment{{.clock = m_context.clock, .strand = &m_strand}, m_commands.get()};
    auto client = KubeClient::make(*loaded.access, environment);
    if (!client)
        co_return fail(client);
    m_client = std::move(*client);
    co_return Result<>{};
}

Task<Result<Json>> KubernetesWire::get(KubeTarget target, KubeParameters parameters)
{
    const Result<QByteArray> path = kubePath(target);
    if (!path)
        co_return fail(path);
    auto getting = getPath(withParameters(*path, parameters));
    co_return co_await getting;
}

Task<Result<Json>> KubernetesWire::getPath(QByteArray path)
{
    transport::HttpRequest request;
    request.target = std::move(path);
    request.accept = "application/json";
    request.attempts = 2;
    auto sending = m_client->send(std::move(request), m_context.stop);
    const Result<transport::HttpReply> reply = co_await sending;
    if (!reply)
        co_return fail(reply);
    if (!reply->isOk())
        co_return tl::unexpected(refusalOf(*reply).error);
    co_return reply->json;
}

Task<Result<Json>> KubernetesWire::post(KubeTarget target, Json object)
{
    const Result<QByteArray> path = kubePath(target);
    if (!path)
        co_return fail(path);
    transport::HttpRequest request;
    request.method = "POST";
    request.target = *path;
    request.accept = "application/json";
    request.contentType = "application/json";
    request.body = dumpJson(object);
    auto sending = m_client->send(std::move(request), m_context.stop);
    const Result<transport::HttpReply> reply = co_await sending;
    if (!reply)
        co_return fail(reply);
    if (!reply->isOk())
        co_return tl::unexpected(refusalOf(*reply).error);
    co_return reply->json;
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
        transport::HttpEnvironment{.clock = m_context.clock, .strand = &m_strand}, m_context, m_namespace,
        values.gpuResource);
    connect(m_view.get(), &NamespaceView::changed, this, &ClusterWire::jobsChanged);
    connect(m_view.get(), &NamespaceView::found, this, &ClusterWire::connected);
    m_logs = std::make_unique<PodLogs>(m_client.get(), m_context.clock, m_namespace);
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

KubeTarget KubernetesWire::jobTarget(const TrialId& trial) const
{
    return {jobsResource(), m_namespace, jobName(m_context.serviceId, trial), {}};
}

bool KubernetesWire::isFresh(qint64 seenAt) const
{
    constexpr qint64 believedMs = 60'000; // somebody may delete what trials share
    return m_context.clock->steadyMs() - seenAt < believedMs;
}

Task<Result<>> KubernetesWire::putMap(QString name, Json map)
{
    auto asking = get({configMapsResource(), m_namespace, name, {}});
    const Result<Json> there = co_await asking;
    if (there) {
        // Its name holds the hash of its content; what somebody put in our place has no label of ours.
        const Json* metadata = memberOf(*there, "metadata");
        const Json* labels = metadata ? memberOf(*metadata, "labels") : nullptr;
        if (labels && textOf(*labels, serviceLabel) == m_context.serviceId)
            co_return Result<>{};
        co_return fail(Kind::conflict,
            u"The ConfigMap %1 in the namespace %2 is not this service's. Delete it, or choose another namespace."_m
                .arg(name, m_namespace));
    }
    if (there.error().kind != Kind::not_found)
        co_return fail(there);
    auto posting = post({configMapsResource(), m_namespace, {}, {}}, std::move(map));
    const Result<Json> put = co_await posting;
    if (!put && put.error().kind != Kind::conflict) // another turn was quicker
        co_return fail(put, u"The ConfigMap %1 cannot be made"_m.arg(name));
    co_return Result<>{};
}

Task<Result<>> KubernetesWire::putKeeper()
{
    if (!m_keeperMap.isEmpty() && isFresh(m_keeperSeenAt))
        co_return Result<>{};
    // All nodes of another processor: theirs. Mixed ones: ours, by the node selector.
    const QString own = QSysInfo::currentCpuArchitecture() == "arm64"_L1 ? u"arm64"_s : u"amd64"_s;
    m_arch = own;
    QSet<QString> archs;
    for (const NodeView& node : m_view->nodes())
        if (!node.architecture.isEmpty())
            archs.insert(node.architecture);
    if (!archs.isEmpty() && !archs.contains(own))
        m_arch = archs.contains(u"amd64"_s) ? u"amd64"_s : *archs.cbegin();
    const QString arch = m_arch == u"arm64"_s ? u"aarch64"_s : m_arch == u"amd64"_s ? u"x86_64"_s : m_arch;
    QString source = QFileInfo(m_context.keeperPath).absolutePath() + u"/trialkeeper-pod"_s;
    if (m_arch != own)
        source += u'-' + arch;
    auto reading = m_strand.run([source] {
        QFile file(source);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    });
    const QByteArray bytes = co_await reading;
    if (bytes.isEmpty())
        co_return fail(
            Kind::invalid, u"There is no trialkeeper-pod for %1 (%2): reinstall Trialdeck."_m.arg(arch, source));
    if (bytes.size() > maxMapBytes)
        co_return fail(Kind::invalid,
            u"trialkeeper-pod has %1 bytes, and a ConfigMap carries %2. Use a release build of Trialdeck."_m
                .arg(bytes.size())
                .arg(maxMapBytes));
    const QString name =
        keeperMapName(m_context.serviceId, arch, QCryptographicHash::hash(bytes, QCryptographicHash::Sha256));
    QMap<QString, QString> labels = serviceLabels(m_context.serviceId);
    labels.insert(QString::fromLatin1(partLabel), u"keeper"_s);
    auto putting = putMap(name, configMap(name, labels, u"trialkeeper-pod"_s, bytes));
    const Result<> put = co_await putting;
    if (put) {
        m_keeperMap = name;
        m_keeperSeenAt = m_context.clock->steadyMs();
    }
    co_return put;
}

Task<Result<QStringList>> KubernetesWire::putCode(ExperimentId experiment, CodeSource code)
{
    if (code.kind == CodeSource::Kind::none)
        co_return QStringList();
    if (code.kind == CodeSource::Kind::inPlace)
        co_return fail(Kind::invalid, u"Code in place runs only on this computer; this platform needs a snapshot."_m);
    const QString key = experiment.value + u'/' + code.sha;
    if (const auto known = m_codeMaps.constFind(key); known != m_codeMaps.constEnd() && isFresh(known->seenAt))
        co_return known->names;
    if (const auto others = m_puttingCode.find(key); others != m_puttingCode.end()) {
        OneShot<Result<QStringList>> shot;
        others->append(shot);
        co_return co_await shot.wait();
    }
    m_puttingCode.insert(key, {});
    Result<QStringList> names = QStringList();
    auto packing = m_codes.packed(code, m_context.stop);
    const Result<package::PackedCode> packed = co_await packing;
    const Result<int> parts = packed ? codeParts(packed->bytes) : Result<int>(fail(packed));
    if (!parts)
        names = fail(parts);
    for (int index = 0; names && index < *parts; ++index) {
        auto reading = m_strand.run([path = packed->path, index] {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) && file.seek(index * maxMapBytes) ? file.read(maxMapBytes)
                                                                                    : QByteArray();
        });
        const QByteArray bytes = co_await reading;
        const QString name = codeMapName(m_context.serviceId, experiment, code.sha, index);
        QMap<QString, QString> labels = experimentLabels(m_context.serviceId, experiment);
        labels.insert(QString::fromLatin1(partLabel), u"code"_s);
        auto putting = putMap(name, configMap(name, labels, u"part"_s, bytes));
        const Result<> put = co_await putting;
        if (!put)
            names = fail(put);
        else
            names->append(name);
    }
    if (names)
        m_codeMaps.insert(key, {*names, m_context.clock->steadyMs()});
    for (OneShot<Result<QStringList>>& other : m_puttingCode.take(key))
        other.set(names);
    co_return names;
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
        values.nodeSelector.insert(u"kubernetes.io/arch"_s, m_arch);
    return values;
}

Task<SubmitOutcome> KubernetesWire::submitJob(TrialId trial, ExperimentId experiment, JobValues values)
{
    Q_UNUSED(experiment)
    SubmitOutcome outcome{.trial = trial};
    const Result<Json> manifest = jobManifest(values);
    if (!manifest) {
        outcome.error = manifest.error();
        co_return outcome;
    }
    const Result<QByteArray> path = kubePath({jobsResource(), m_namespace, {}, {}});
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
        auto asking = get(jobTarget(trial));
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
    auto keeping = putKeeper();
    const Result<> keeper = co_await keeping;
    if (!keeper)
        co_return notNow(keeper.error());
    Result<JobValues> values = valuesOf(spec);
    if (!values) {
        outcome.error = values.error();
        co_return outcome;
    }
    values->keeperMap = m_keeperMap;
    if (values->codeFolder.isEmpty()) {
        m_context.sink->progress(spec.id, u"its code is brought to the cluster"_m);
        auto putting = putCode(spec.experimentId, spec.code);
        const Result<QStringList> code = co_await putting;
        if (!code)
            co_return notNow(code.error());
        values->codeMaps = *code;
    }
    m_view->forget(spec.id);
    auto submitting = submitJob(spec.id, spec.experimentId, std::move(*values));
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

Task<Result<>> KubernetesWire::drop(KubeTarget target)
{
    const Result<QByteArray> path = kubePath(target);
    if (!path)
        co_return fail(path);
    transport::HttpRequest request;
    request.method = "DELETE";
    request.target = *path;
    request.accept = "application/json";
    request.contentType = "application/json";
    request.body = dumpJson(deleteOptions());
    request.isRepeatable = true;
    auto sending = m_client->send(std::move(request), m_context.stop);
    const Result<transport::HttpReply> reply = co_await sending;
    if (!reply)
        co_return fail(reply);
    if (!reply->isOk() && reply->status != 404)
        co_return tl::unexpected(refusalOf(*reply).error);
    co_return Result<>{};
}

Task<Result<>> KubernetesWire::cancel(QList<TrialRef> trials)
{
    const std::function<Task<Result<>>(TrialRef)> one = [this](TrialRef ref) { return drop(jobTarget(ref.trial)); };
    auto cancelling = inTurns<Result<>>(std::move(trials), atOnce, one);
    const std::vector<Result<>> results = co_await cancelling;
    for (const Result<>& result : results)
        if (!result)
            co_return result;
    co_return Result<>{};
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
                m_namespace, trial.trial.value));
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
    return u"%1/%2"_s.arg(m_namespace, jobName(m_context.serviceId, trial.trial));
}

// ------------------------------------------------------------------------------------------------------------- clean-up

Task<Result<QList<std::pair<QString, TrialId>>>> KubernetesWire::listed(
    KubeResource resource, QMap<QString, QString> labels)
{
    const Result<QString> selector = labelSelector(pairsOf(labels));
    if (!selector)
        co_return fail(selector);
    QList<std::pair<QString, TrialId>> objects;
    QString next;
    do {
        auto asking = get(
            {resource, m_namespace, {}, {}}, {{"labelSelector", *selector}, {"limit", u"500"_s}, {"continue", next}});
        const Result<Json> page = co_await asking;
        if (!page)
            co_return fail(page);
        const Json* items = memberOf(*page, "items");
        if (!items || !items->is_array())
            co_return fail(Kind::network, u"The cluster's list is incomplete. It is asked again."_m);
        for (const Json& item : *items)
            if (const auto job = readJob(item))
                objects.append({job->name, trialOf(m_context.serviceId, job->labels)});
        const Json* metadata = memberOf(*page, "metadata");
        next = metadata ? textOf(*metadata, "continue") : QString();
    } while (!next.isEmpty());
    co_return objects;
}

Task<Result<>> KubernetesWire::dropAll(KubeResource resource, QMap<QString, QString> labels)
{
    auto listing = listed(resource, labels);
    const auto objects = co_await listing;
    if (!objects)
        co_return fail(objects);
    QList<QString> names;
    for (const auto& [name, trial] : *objects)
        names.append(name);
    const std::function<Task<Result<>>(QString)> one = [this, resource](QString name) {
        return drop({resource, m_namespace, name, {}});
    };
    auto dropping = inTurns<Result<>>(std::move(names), atOnce, one);
    const std::vector<Result<>> results = co_await dropping;
    for (const Result<>& result : results)
        if (!result)
            co_return result;
    co_return Result<>{};
}

Task<Result<>> KubernetesWire::removeUnused(ExperimentId experiment)
{
    if (m_submitting > 0)
        co_return Result<>{}; // the next removal does it
    auto listing = listed(jobsResource(), serviceLabels(m_context.serviceId));
    const auto jobs = co_await listing;
    if (!jobs)
        co_return fail(jobs);
    auto own = listed(jobsResource(), experimentLabels(m_context.serviceId, experiment));
    const auto ofExperiment = co_await own;
    if (!ofExperiment)
        co_return fail(ofExperiment);
    if (!ofExperiment->isEmpty() || m_submitting > 0)
        co_return Result<>{};
    m_codeMaps.removeIf(
        [prefix = experiment.value + u'/'](const auto& entry) { return entry.key().startsWith(prefix); });
    auto dropping = dropAll(configMapsResource(), experimentLabels(m_context.serviceId, experiment));
    const Result<> dropped = co_await dropping;
    if (!dropped || !jobs->isEmpty() || m_submitting > 0)
        co_return dropped;
    m_keeperMap.clear();
    QMap<QString, QString> keeper = serviceLabels(m_context.serviceId);
    keeper.insert(QString::fromLatin1(partLabel), u"keeper"_s);
    auto last = dropAll(configMapsResource(), keeper);
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
    auto listing = listed(jobsResource(), experimentLabels(m_context.serviceId, experiment));
    const auto jobs = co_await listing;
    if (!jobs)
        co_return fail(jobs);
    QList<TrialRef> strays;
    for (const auto& [name, trial] : *jobs)
        if (!trial.isEmpty() && !known.contains(trial))
            strays.append(TrialRef{.trial = trial, .experiment = experiment});
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
