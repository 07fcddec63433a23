// SPDX-License-Identifier: GPL-3.0-or-later
#include "host_connection.h"

#include "agent_facts.h"
#include "placement_proof.h"

#include "services/core/logging.h"
#include "services/platforms/keeper/keeper_events.h"
#include "services/transport/wire_json.h"
#include "services/wire/protocol.h"

#include <QPointer>

using namespace Qt::StringLiterals;

namespace platforms {

using transport::AgentClient;
using transport::numberOf;
using transport::textOf;

namespace {

/// Interval of the agent's reports of machine load and GPUs.
constexpr qint64 reportIntervalMs = 5'000;

Stream streamOf(const QString& name)
{
    if (name == QLatin1StringView(trialkeeper::stream::nni))
        return Stream::nni;
    return name == QLatin1StringView(trialkeeper::stream::file) ? Stream::file : Stream::stdout_lines;
}

} // namespace

HostConnection::HostConnection(HostSetup setup, Context context, QObject* parent)
    : QObject(parent)
    , m_setup(std::move(setup))
    , m_context(std::move(context))
    , m_machine(m_setup.machine)
    , m_agent(std::make_unique<AgentClient>(
          m_context.clock, m_setup.link, m_context.serviceId, m_machine.id.value, reportIntervalMs))
{
    AgentClient* agent = m_agent.get();
    connect(agent, &AgentClient::up, this, &HostConnection::onUp);
    connect(agent, &AgentClient::lost, this, &HostConnection::onLost);
    connect(agent, &AgentClient::waiting, this, &HostConnection::onWaiting);
    agent->setReconnect(m_setup.reconnect);
    connect(agent, &AgentClient::trialEvent, this, &HostConnection::onEvent);
    connect(agent, &AgentClient::records, this, &HostConnection::onRecords);
    connect(agent, &AgentClient::startResolved, this, &HostConnection::onStartResolved);
    connect(agent, &AgentClient::gpu, this, &HostConnection::onGpu);
    connect(agent, &AgentClient::load, this, &HostConnection::onLoad);
    connect(agent, &AgentClient::finding, this, [this](const QString& trial, const Message& text) {
        if (trial.isEmpty())
            qCWarning(lcPlatform).noquote() << m_machine.id.value << ":" << text;
        else if (m_agent->watches(trial))
            m_context.sink->note(TrialId(trial), TrialEventKind::finding, text);
    });
}

HostConnection::~HostConnection() = default;

Task<Result<>> HostConnection::open()
{
    m_agent->start();
    co_return co_await m_opened.wait();
}

Task<> HostConnection::close()
{
    m_agent->disconnect(this);
    m_opened.set(fail(Kind::cancelled, u"The platform is being closed."_m));
    co_await m_agent->close();
}

void HostConnection::setLimits(const Machine& settings)
{
    for (Machine* machine : {&m_machine, &m_setup.machine}) {
        machine->maxTrialsPerGpu = settings.maxTrialsPerGpu;
        machine->useActiveGpu = settings.useActiveGpu;
        machine->usableGpus = settings.usableGpus;
    }
}

QString HostConnection::trialFolder(const TrialId& trial) const
{
    return m_trialsFolder.isEmpty() ? QString() : m_trialsFolder + trial.value;
}

void HostConnection::setState(MachineState state, const Message& message)
{
    m_machine.state = state;
    m_machine.message = state == MachineState::ready && m_diskFull ? fullDiskSentence() : message;
    m_machine.lastContact = state == MachineState::ready ? m_context.clock->nowMs() : m_machine.lastContact;
    emit machineChanged(true);
}

Message HostConnection::fullDiskSentence() const
{
    return u"The disk of %1 is full: trials cannot be started there, and running ones cannot write. Free some space%2."_m
        .arg(m_base, m_setup.sharesFiles ? Message() : u", or choose another folder for trials (scratchDir)"_m);
}

void HostConnection::onUp(const transport::AgentHello& hello)
{
    m_base = hello.base;
    m_trialsFolder = u"%1/%2/%3/trials/"_s.arg(hello.base, m_context.serviceId, m_machine.id.value);
    if (!m_strangersTold)
        m_onDisk = hello.trials;
    m_asks = false;
    m_machine.cpuCount = hello.cpuCount;
    m_machine.memoryTotal = hello.memoryTotal;
    m_context.sink->computer(m_machine.id, hello.bootId);
    setState(MachineState::ready, {});
    // After a loss of contact each running trial is reported again; otherwise its streams continue. A missing folder is always
    // reported.
    const QSet<QString> adopted = m_adopted;
    for (const QString& trial : adopted) {
        const QString state = hello.trials.value(trial, u"unknown"_s);
        if (state == u"running" && m_wasLost) {
            observeRunning(TrialId(trial));
        } else if (state != u"running" && state != u"ended") {
            m_adopted.remove(trial);
            m_agent->forget(trial);
            observeGone(TrialId(trial), state);
        }
    }
    m_wasLost = false;
    const QPointer<HostConnection> alive(this);
    m_opened.set({});
    if (alive && std::exchange(m_strangersWanted, false))
        emit strangersWaiting();
}

void HostConnection::onLost(const Error& error, qint64 since)
{
    m_wasLost = true;
    // A refused login needs a person's action, so the machine has failed and is not silent. A first attempt that is still under
    // way changes no state.
    const bool refused = error.kind == Kind::auth || error.kind == Kind::conflict || error.kind == Kind::invalid;
    if (!m_asks && !(error.message.isEmpty() && m_machine.state == MachineState::connecting))
        setState(refused ? MachineState::failed : MachineState::silent, error.message);
    m_context.sink->lost(m_machine.id, since);
    m_opened.set(tl::unexpected(error));
}

void HostConnection::onWaiting(const Message& what, bool forPerson)
{
    const bool asked = std::exchange(m_asks, forPerson);
    if (forPerson)
        setState(MachineState::question, what);
    else if (asked || m_machine.state == MachineState::connecting)
        setState(MachineState::connecting, what);
}

void HostConnection::observe(Observation observation)
{
    observation.machine = m_machine.id;
    observation.workingDirectory = trialFolder(observation.trial);
    if (m_setup.sharesFiles && !observation.workingDirectory.isEmpty())
        observation.url = u"file://"_s + observation.workingDirectory;
    if (observation.time == 0)
        observation.time = m_context.clock->nowMs();
    m_context.sink->observed(observation);
}

void HostConnection::observeRunning(const TrialId& trial)
{
    Observation running;
    running.trial = trial;
    running.status = TrialStatus::running;
    observe(running);
}

void HostConnection::observeCanceled(const TrialId& trial, CancelIntent intent)
{
    Observation canceled;
    canceled.trial = trial;
    canceled.status = cancelledStatus(intent);
    canceled.endTime = m_context.clock->nowMs();
    canceled.reason = u"It was cancelled before it ran."_m;
    observe(canceled);
}

void HostConnection::observeGone(const TrialId& trial, const QString& state)
{
    Observation gone;
    gone.trial = trial;
    gone.status = TrialStatus::failed;
    gone.endTime = m_context.clock->nowMs();
    gone.failureClass = FailureClass::trialFolderLost;
    gone.reason = state == u"prepared"
        ? u"It was prepared on %1, but never started."_m.arg(m_machine.address)
        : u"Its folder is not on %1, so nothing is known of how it ended."_m.arg(m_machine.address);
    observe(gone);
}

void HostConnection::onEvent(const QString& trial, const Json& event)
{
    auto observation = observationOf(TrialId(trial), event);
    if (!observation)
        return;
    if (observation->status == TrialStatus::running) {
        observation->pid = numberOf(event, "pid");
        rememberProcess(trial, observation->pid);
    }
    if (isFinal(observation->status)) {
        m_adopted.remove(trial);
        if (const qint64 pid = m_pids.take(trial); pid > 0)
            m_sessions.removeIf([&trial](auto entry) { return entry.value() == trial; });
    }
    observe(std::move(*observation));
}

void HostConnection::onRecords(const transport::AgentRecords& records)
{
    // Empty bytes only advance the cursor, past lines that are not wanted as records.
    m_context.sink->records(RecordBytes{TrialId(records.trial), streamOf(records.stream), records.offset, records.bytes,
        records.time, m_machine.id, records.reset});
}

void HostConnection::onStartResolved(const transport::StartOutcome& outcome)
{
    if (!outcome.error) {
        m_taken.remove(outcome.trial);
        m_adopted.insert(outcome.trial);
        observeRunning(TrialId(outcome.trial));
        return;
    }
    Observation failed;
    failed.trial = TrialId(outcome.trial);
    if (m_taken.contains(outcome.trial)) {
        observeCanceled(failed.trial, m_taken.take(outcome.trial));
        return;
    }
    failed.status = TrialStatus::failed;
    failed.failureClass = FailureClass::startFailed;
    failed.reason = outcome.error->message;
    failed.endTime = m_context.clock->nowMs();
    observe(failed);
}

void HostConnection::onLoad(const Json& load)
{
    m_machine.lastContact = m_context.clock->nowMs();
    const bool changed = applyLoad(m_machine, load);
    if (const bool full = transport::flagOf(load, "diskFull"); full != m_diskFull) {
        m_diskFull = full;
        if (m_machine.state == MachineState::ready)
            setState(MachineState::ready, {});
    } else if (changed) {
        emit machineChanged(false);
    }
}

void HostConnection::onGpu(const Json& gpu, const QByteArray& xml)
{
    const bool first = m_machine.gpus.isEmpty() && m_machine.gpuMessage.isEmpty();
    Machine next = m_machine;
    applyGpus(next, gpu, xml);
    markProcesses(next.gpus);
    if (next.gpus == m_machine.gpus && next.gpuMessage == m_machine.gpuMessage)
        return;
    // Placement depends on the number of GPUs, so a change of it is reported at once; their load may wait for the next push.
    const bool soon = first || next.gpus.size() != m_machine.gpus.size();
    m_machine = std::move(next);
    emit machineChanged(soon);
}

void HostConnection::rememberProcess(const QString& trial, qint64 pid)
{
    if (pid <= 0)
        return;
    m_pids.insert(trial, pid);
    // Look the session up while the process is alive. Each trial runs in its own session.
    if (m_setup.sessionOf && !m_machine.gpus.isEmpty()) {
        if (const qint64 session = m_setup.sessionOf(pid); session > 0)
            m_sessions.insert(session, trial);
    }
}

void HostConnection::markProcesses(QList<Gpu>& gpus) const
{
    if (m_pids.isEmpty())
        return;
    for (Gpu& gpu : gpus) {
        for (GpuProcess& process : gpu.processes) {
            if (!process.trialId.isEmpty())
                continue; // already known from the agent
            QString trial = m_pids.key(process.pid);
            if (trial.isEmpty() && m_setup.sessionOf)
                trial = m_sessions.value(m_setup.sessionOf(process.pid));
            process.trialId = TrialId(trial);
        }
    }
}

Task<SubmitOutcome> HostConnection::submit(TrialSpec spec, QByteArray text)
{
    const QPointer<HostConnection> alive(this);
    const auto started = co_await m_agent->startTrial(spec.id.value, std::move(text));
    SubmitOutcome outcome{spec.id, spec.id.value, started.error, started.unknown, started.gpu};
    if (!alive || outcome.unknown)
        co_return outcome;
    std::optional<CancelIntent> takenWith;
    const auto taken = m_taken.constFind(spec.id.value);
    if (taken != m_taken.constEnd()) {
        takenWith = *taken;
        m_taken.erase(taken);
        if (outcome.error)
            observeCanceled(spec.id, *takenWith);
    }
    if (!alive)
        co_return outcome;
    if (!outcome.error && m_agent->watches(spec.id.value))
        m_adopted.insert(spec.id.value);
    if (!outcome.error && takenWith) {
        // What was answered to the cancel may have been true before the start; a repeat is harmless.
        const QStringList ids{spec.id.value};
        std::ignore = co_await m_agent->cancel(ids, QString::fromLatin1(intentWord(*takenWith)), std::nullopt);
    }
    co_return outcome;
}

Task<Result<>> HostConnection::adopt(QList<TrialRef> trials)
{
    // Trials that are already watched keep their cursors; adopting them again would report their records twice.
    trials.removeIf([this](const TrialRef& trial) { return m_agent->watches(trial.trial.value); });
    QHash<QString, transport::AgentCursors> cursors;
    for (const TrialRef& trial : trials) {
        m_adopted.insert(trial.trial.value);
        cursors.insert(trial.trial.value,
            transport::AgentCursors{
                trial.cursors.nni, trial.cursors.file, trial.cursors.stdoutLines, trial.cursors.journal});
    }
    const QPointer<HostConnection> alive(this);
    const auto states = co_await m_agent->adopt(cursors);
    if (!states)
        co_return fail(states);
    for (const TrialRef& trial : trials) {
        if (!alive)
            break;
        const QString id = trial.trial.value;
        const QString state = states->value(id, u"unknown"_s);
        // Its end or its loss was reported while this call waited; nothing may be reported after that.
        if (!m_adopted.contains(id))
            continue;
        if (state == u"running") {
            observeRunning(trial.trial);
        } else if (state != u"ended") {
            m_adopted.remove(id);
            observeGone(trial.trial, state);
        }
    }
    co_return Result<>();
}

QByteArray HostConnection::proofOf(const TrialId& trial) const
{
    return m_context.placementKey.isEmpty() ? QByteArray()
                                            : placementProof(m_context.placementKey, trial, m_machine.id);
}

/// The agent of this computer runs as the same user, who can do anything here anyhow; trials of version 0.1.0 have no proof.
Task<bool> HostConnection::isProven(TrialId trial)
{
    if (m_setup.sharesFiles || m_context.placementKey.isEmpty())
        co_return true;
    constexpr qint64 mostSpecBytes = 1024 * 1024;
    const auto read = co_await m_agent->read(trial.value, u"spec.json"_s, 0, mostSpecBytes, false);
    co_return read&& holdsPlacementProof(read->bytes, m_context.placementKey, trial, m_machine.id);
}

Task<> HostConnection::adoptStrangers()
{
    if (!m_agent->isUp() && !m_strangersTold) {
        m_strangersWanted = true;
        co_return;
    }
    if (std::exchange(m_strangersTold, true))
        co_return;
    QList<TrialRef> strangers;
    const auto onDisk = std::exchange(m_onDisk, {});
    for (auto it = onDisk.constBegin(); it != onDisk.constEnd(); ++it) {
        if (it.value() == u"running" && !m_agent->watches(it.key()))
            strangers.append(TrialRef{.trial = TrialId(it.key())});
    }
    const QPointer<HostConnection> alive(this);
    QList<TrialRef> unproven;
    for (const TrialRef& trial : std::as_const(strangers)) {
        const bool proven = co_await isProven(trial.trial);
        if (!alive)
            co_return;
        if (!proven)
            unproven.append(trial);
    }
    if (!unproven.isEmpty())
        qCWarning(lcPlatform) << m_machine.id.value << "says that" << unproven.size()
                              << "trials run there which this service did not place there; the first:"
                              << unproven[0].trial.value;
    strangers.removeIf([&](const TrialRef& trial) {
        return std::any_of(
            unproven.begin(), unproven.end(), [&](const TrialRef& other) { return other.trial == trial.trial; });
    });
    if (strangers.isEmpty())
        co_return;
    qCInfo(lcPlatform) << strangers.size() << "trials run on" << m_machine.id.value << "that nobody named";
    const auto adopted = co_await adopt(strangers);
    Q_UNUSED(adopted) // without contact they are watched, and reported when the agent is back
}

Task<Result<>> HostConnection::cancel(QStringList trials, CancelIntent intent)
{
    // A pending start may be withdrawn; its own answer reports whether it was.
    QSet<QString> starting;
    for (const QString& trial : trials) {
        if (!m_agent->isStarting(trial))
            continue;
        starting.insert(trial);
        m_taken.insert(trial, intent);
    }
    const QPointer<HostConnection> alive(this);
    const auto states = co_await m_agent->cancel(trials, QString::fromLatin1(intentWord(intent)), std::nullopt);
    if (!states)
        co_return fail(states);
    for (const QString& trial : trials) {
        if (!alive || starting.contains(trial) || states->value(trial) != u"unknown")
            continue;
        // The machine does not know the trial, so no end will be reported for it: report the cancel here.
        m_adopted.remove(trial);
        observeCanceled(TrialId(trial), intent);
    }
    co_return Result<>();
}

} // namespace platforms
