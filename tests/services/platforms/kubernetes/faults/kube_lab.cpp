// SPDX-License-Identifier: GPL-3.0-or-later
#include "kube_lab.h"

#include "services/platforms/kubernetes/jobs/job_names.h"

using namespace Qt::StringLiterals;

namespace kube_lab {

KubeLab::KubeLab(std::optional<QSslConfiguration> tls)
    : cluster([this] { return clock.nowMs(); }, std::move(tls))
{
    cluster.addNode(u"n1"_s);
    write(u"trialkeeper-pod"_s, "a keeper");
}

void KubeLab::pass(qint64 ms)
{
    constexpr qint64 leapMs = 5'000; // what waits for an answer waits longer
    constexpr int quietRounds = 4;
    const qint64 end = clock.steadyMs() + ms;
    for (;;) {
        for (int quiet = 0; quiet < quietRounds; clock.advance(0))
            quiet = fakes::turn() ? 0 : quiet + 1;
        if (clock.steadyMs() >= end)
            return;
        clock.advance(std::min(leapMs, end - clock.steadyMs()));
    }
}

QString KubeLab::write(const QString& name, const QByteArray& bytes, bool isProgram) const
{
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write");
    if (isProgram)
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return file.fileName();
}

QString KubeLab::kubeconfig(const QByteArray& more, const QByteArray& user) const
{
    return write(u"config"_s,
        "apiVersion: v1\nkind: Config\ncurrent-context: lab\nclusters:\n- {name: c, cluster: {server: '"
            + cluster.url().toString().toUtf8() + "'" + more + "}}\nusers:\n- {name: u, user: {" + user
            + "}}\ncontexts:\n- {name: lab, context: {cluster: c, user: u, namespace: ml}}\n");
}

// -------------------------------------------------------------------------------------------------------------- service

KubeService::KubeService(KubeLab& lab, const QString& id, const QString& kind)
    : m_lab(lab)
    , m_id(id)
    , m_kind(kind)
{
}

KubeService::~KubeService()
{
    close();
}

Result<> KubeService::open(const Json& more)
{
    platform = std::make_unique<OpenKubernetes>(m_kind);
    const QString config = m_lab.path(u"config"_s);
    Json settings = {
        {"kubeconfig", QFile::exists(config) ? config : m_lab.kubeconfig()}, {"image", "images.example/lab/train:3"}};
    settings.update(more);
    Context context;
    context.id = PlatformId(u"lab"_s);
    context.sink = &sink;
    context.clock = &m_lab.clock;
    context.dataDir = m_lab.path(m_id);
    context.serviceId = m_id;
    context.keeperPath = m_lab.path(u"trialkeeper"_s);
    const Result<> opened = m_lab.wait(platform->open(settings, context));
    m_isOpen = opened.has_value();
    return opened;
}

void KubeService::close()
{
    if (!std::exchange(m_isOpen, false))
        return;
    const auto closing = [](OpenKubernetes* one) -> Task<bool> {
        auto task = one->close();
        co_await task;
        co_return true;
    };
    m_lab.wait(closing(platform.get()));
    sink.closed = true;
    platform.reset();
}

TrialSpec KubeService::spec(const QString& trial) const
{
    TrialSpec spec;
    spec.id = TrialId(trial);
    spec.jobId = trial;
    spec.experimentId = ExperimentId(u"e1"_s);
    spec.command = u"python train.py"_s;
    spec.parameters = "{}";
    spec.stdoutWatch = StdoutWatch::all;
    spec.platformOptions = Json::object();
    return spec;
}

TrialRef KubeService::ref(const QString& trial) const
{
    return TrialRef{.trial = TrialId(trial), .experiment = ExperimentId(u"e1"_s)};
}

SubmitOutcome KubeService::submit(const TrialSpec& spec)
{
    const QList<TrialSpec> specs{spec};
    return m_lab.wait(platform->submit(specs)).value(0);
}

QList<SubmitOutcome> KubeService::submit(const QStringList& trials)
{
    QList<TrialSpec> specs;
    for (const QString& trial : trials)
        specs.append(spec(trial));
    return m_lab.wait(platform->submit(specs));
}

Result<> KubeService::cancel(const QString& trial)
{
    const QList<TrialRef> refs{ref(trial)};
    return m_lab.wait(platform->cancel(refs, CancelIntent::user));
}

Result<> KubeService::remove(const QStringList& trials)
{
    QList<TrialRef> refs;
    for (const QString& trial : trials)
        refs.append(ref(trial));
    return m_lab.wait(platform->remove(ExperimentId(u"e1"_s), refs));
}

QString KubeService::job(const QString& trial) const
{
    return kubernetes::jobName(m_id, TrialId(trial));
}

bool KubeService::start(const QString& trial)
{
    if (submit(trial).handle.isEmpty())
        return false;
    m_lab.cluster.run(job(trial));
    return becomes(trial, TrialStatus::running);
}

bool KubeService::becomes(const QString& trial, TrialStatus status, qint64 stepMs)
{
    return m_lab.spin([&] { return of(trial).status() == status && !of(trial).observations.isEmpty(); }, stepMs);
}

QString KubeService::course(const QString& trial) const
{
    QStringList words;
    const auto facts = sink.trials.find(TrialId(trial));
    if (facts != sink.trials.end())
        for (const Observation& one : facts->second.observations)
            if (const QString word = statusName(one.status); words.isEmpty() || words.last() != word)
                words += word;
    return words.join(u' ');
}

// ------------------------------------------------------------------------------------------------------------------ log

KeeperLog::KeeperLog(const QString& trial, const QByteArray& run)
    : m_writer(trial.toStdString(), run.toStdString())
{
}

QByteArray KeeperLog::bytes(trialkeeper::PodStream stream, const QByteArray& line)
{
    QByteArray& written = m_written[size_t(stream)];
    std::string out;
    m_writer.addBytes(out, stream, std::uint64_t(written.size()), (line + '\n').toStdString());
    written += line + '\n';
    return QByteArray::fromStdString(out);
}

QByteArray KeeperLog::running(qint64 time)
{
    const std::string event = dumpJson(Json{{"type", "running"}, {"time", time}, {"node", "n1"}}).toStdString();
    std::string out;
    if (!m_writer.addWhole(out, 'k', m_events, event))
        qFatal("an event is too long");
    m_events += event.size();
    return QByteArray::fromStdString(out);
}

QByteArray KeeperLog::exits(int code, qint64 time, qint64 wallMs)
{
    Json event = {{"type", "exited"}, {"final", true}, {"success", code == 0}, {"exitCode", code}, {"time", time},
        {"usage", {{"wallMs", wallMs}, {"peakMemoryBytes", 1'000}, {"userMs", 1}, {"systemMs", 1}}}};
    if (code != 0)
        event["failureClass"] = "exitCode";
    std::string totals;
    for (const QByteArray& one : m_written)
        totals += std::to_string(one.size()) + ' ';
    std::string out;
    if (!m_writer.addWhole(out, 'x', m_events, totals + dumpJson(event).toStdString()))
        qFatal("an event is too long");
    return QByteArray::fromStdString(out);
}

} // namespace kube_lab
