// SPDX-License-Identifier: GPL-3.0-or-later
#include "host_platform.h"

#include "agent_facts.h"
#include "host_check.h"

#include "services/platforms/platform_fields.h"
#include "services/transport/wire_json.h"
#include "services/wire/protocol.h"

#include <QLocale>
#include <QPointer>

using namespace Qt::StringLiterals;

namespace platforms {

using transport::AgentClient;
using transport::textOf;

namespace {

/// The shortest time between two reports of machine load.
constexpr qint64 pushIntervalMs = 1'000;
/// The largest number of bytes that one call of readLog() returns.
constexpr qint64 longestRead = 16 * 1024 * 1024;

/// Reports the progress of the upload of a trial's code to the sink, in steps of 5 %.
AgentClient::Progress uploadProgress(Sink* sink, const TrialId& trial, const QString& address, qint64 size)
{
    return [sink, trial, address, size, told = qint64(0)](qint64 bytes) mutable {
        const qint64 step = bytes * 20 / std::max<qint64>(size, 1);
        if (step == std::exchange(told, step))
            return;
        const QString whole = QLocale::c().formattedDataSize(size, 1, QLocale::DataSizeSIFormat);
        sink->progress(trial,
            step < 20 ? u"Its code is being sent to %1: %2 % of %3."_m.arg(address, QString::number(step * 5), whole)
                      : u"It is being started on %1."_m.arg(address));
    };
}

} // namespace

HostPlatform::HostPlatform(QObject* parent)
    : Platform(parent)
{
}

HostPlatform::~HostPlatform() = default;

Result<QList<HostSetup>> HostPlatform::checkedHosts(const Json& settings, const Context& context) const
{
    const auto checked = checkedSettings(describe().fields, settings);
    if (!checked)
        return fail(checked);
    return hosts(*checked, context);
}

Json HostPlatform::workable(Json settings, const Context&, QList<Machine>&) const
{
    return settings;
}

Task<Result<>> HostPlatform::open(Json settings, Context context)
{
    if (m_open)
        co_return fail(Kind::conflict, u"The platform is open already."_m);
    m_refused.clear();
    auto setups = checkedHosts(workable(settings, context, m_refused), context);
    if (!setups)
        co_return fail(setups);
    m_context = context;
    m_kind = describe().kind;
    m_open = true;
    m_context.sink->state(PlatformState::opening, {});
    m_state = PlatformState::opening;
    for (HostSetup& setup : *setups)
        m_hosts.push_back(makeHost(std::move(setup)));
    pushMachines(true);
    std::vector<Task<Result<>>> opening;
    for (const auto& host : m_hosts)
        opening.push_back(host->open());
    if (!opensWithAgent()) {
        pushState();
        co_return Result<>();
    }
    const QPointer<HostPlatform> alive(this);
    for (auto& task : opening) {
        const auto opened = co_await task;
        if (opened)
            continue;
        if (alive && m_open && opened.error().kind != Kind::cancelled)
            co_await close();
        co_return fail(opened);
    }
    co_return Result<>();
}

std::unique_ptr<HostConnection> HostPlatform::makeHost(HostSetup setup)
{
    auto host = std::make_unique<HostConnection>(std::move(setup), m_context);
    connect(host.get(), &HostConnection::machineChanged, this, &HostPlatform::pushMachines);
    connect(host.get(), &HostConnection::strangersWaiting, this,
        [this, late = host.get()] { m_scope.spawn([late] { return late->adoptStrangers(); }); });
    return host;
}

Result<Json> HostPlatform::completed(Json settings, const Json&) const
{
    const auto setups = checkedHosts(settings, {});
    if (!setups)
        return fail(setups);
    return settings;
}

QList<MachineId> HostPlatform::leftBehind(const Json& before, const Json& after, const PlatformId& id) const
{
    Context context;
    context.id = id;
    QList<Machine> refused;
    const auto was = checkedHosts(workable(before, context, refused), context);
    const auto becomes = checkedHosts(after, context);
    QList<MachineId> left;
    if (!was || !becomes)
        return left; // settings that never worked have no trials
    for (const HostSetup& old : *was) {
        const bool stays = std::any_of(becomes->begin(), becomes->end(),
            [&old](const HostSetup& setup) { return setup.machine.id == old.machine.id && setup.place == old.place; });
        if (!stays)
            left.append(old.machine.id);
    }
    return left;
}

Task<Result<>> HostPlatform::removeAll(MachineId machine)
{
    HostConnection* host = m_open ? hostOf(machine) : nullptr;
    if (!host)
        co_return fail(Kind::not_found, u"The platform has no machine %1."_m.arg(machine.value));
    if (!host->agent().isUp())
        co_return fail(Kind::network, u"%1 is not reached."_m.arg(machine.value));
    co_return co_await host->agent().removeAll();
}

HostConnection* HostPlatform::keptHost(const HostSetup& setup) const
{
    HostConnection* host = m_open ? hostOf(setup.machine.id) : nullptr;
    return host && host->setup().connection == setup.connection ? host : nullptr;
}

Result<bool> HostPlatform::canReconfigure(const Json& settings) const
{
    const auto setups = checkedHosts(settings, m_context);
    if (!setups)
        return fail(setups);
    return std::any_of(setups->begin(), setups->end(), [this](const HostSetup& setup) { return keptHost(setup); });
}

Task<QList<MachineId>> HostPlatform::reconfigure(Json settings)
{
    QList<MachineId> interrupted;
    auto setups = checkedHosts(settings, m_context);
    if (!m_open || !setups)
        co_return interrupted;
    std::vector<std::unique_ptr<HostConnection>> next;
    std::vector<QPointer<HostConnection>> added;
    for (HostSetup& setup : *setups) {
        HostConnection* kept = keptHost(setup);
        if (!kept) {
            next.push_back(makeHost(std::move(setup)));
            added.emplace_back(next.back().get());
            continue;
        }
        kept->setLimits(setup.machine);
        const auto own =
            std::find_if(m_hosts.begin(), m_hosts.end(), [kept](const auto& h) { return h.get() == kept; });
        next.push_back(std::move(*own));
        m_hosts.erase(own);
    }
    const auto ended = std::exchange(m_hosts, std::move(next));
    m_refused.clear();
    pushMachines(true);
    // A machine whose connection changed keeps the name of its agent, so the old connection must be closed before the new one
    // opens.
    std::vector<Task<>> closing;
    for (const auto& host : ended) {
        interrupted.append(host->machine().id);
        host->disconnect(this);
        closing.push_back(host->close());
    }
    for (auto& task : closing)
        co_await task;
    if (!m_open)
        co_return interrupted;
    for (const auto& host : m_hosts) {
        // Saving the settings again triggers an attempt to reconnect at once.
        if (std::find(added.begin(), added.end(), host.get()) == added.end())
            host->agent().reconnectNow();
    }
    for (const auto& host : added)
        m_scope.spawn([this, host] { return connectLater(host); });
    co_return interrupted;
}

/// The result is ignored: it is visible in the machine's state.
Task<> HostPlatform::connectLater(QPointer<HostConnection> host)
{
    if (host)
        std::ignore = co_await host->open();
}

Task<> HostPlatform::close()
{
    if (!m_open)
        co_return;
    m_open = false;
    m_push.reset();
    const auto hosts = std::exchange(m_hosts, {});
    std::vector<Task<>> closing;
    for (const auto& host : hosts) {
        host->disconnect(this);
        closing.push_back(host->close());
    }
    for (auto& task : closing)
        co_await task;
    co_await m_scope.drain();
}

// ------------------------------------------------------------------------------------------------------------- machines

HostConnection* HostPlatform::hostOf(const MachineId& machine) const
{
    if (machine.isEmpty())
        return m_hosts.empty() ? nullptr : m_hosts.front().get();
    for (const auto& host : m_hosts) {
        if (host->machine().id == machine)
            return host.get();
    }
    return nullptr;
}

Result<HostConnection*> HostPlatform::hostOf(const TrialRef& trial) const
{
    if (!m_open)
        return fail(Kind::cancelled, u"The platform is closed."_m);
    if (HostConnection* host = hostOf(trial.machine))
        return host;
    return fail(Kind::not_found, u"The platform has no machine %1 any more."_m.arg(trial.machine.value));
}

std::map<HostConnection*, QList<TrialRef>> HostPlatform::byHost(const QList<TrialRef>& trials) const
{
    std::map<HostConnection*, QList<TrialRef>> out;
    for (const TrialRef& trial : trials)
        out[hostOf(trial.machine)].append(trial);
    return out;
}

void HostPlatform::pushMachines(bool soon)
{
    if (!m_open)
        return;
    const qint64 wait = m_lastPush + pushIntervalMs - m_context.clock->steadyMs();
    if (!soon && m_lastPush != 0 && wait > 0) {
        if (!m_push)
            m_push = m_context.clock->after(wait, [this] { pushMachines(true); });
        return;
    }
    m_push.reset();
    m_lastPush = m_context.clock->steadyMs();
    QList<Machine> machines;
    for (const auto& host : m_hosts)
        machines.append(host->machine());
    machines.append(m_refused);
    const QPointer<HostPlatform> alive(this);
    m_context.sink->machines(machines);
    if (alive && soon)
        pushState();
}

void HostPlatform::pushState()
{
    if (!m_open)
        return;
    const auto count = [this](MachineState state) {
        return std::count_if(
            m_hosts.begin(), m_hosts.end(), [state](const auto& h) { return h->machine().state == state; });
    };
    PlatformState state = PlatformState::opening;
    Message message;
    if (count(MachineState::ready) > 0 || !opensWithAgent())
        state = PlatformState::ready;
    else if (count(MachineState::silent) == qint64(m_hosts.size()))
        state = PlatformState::silent;
    if (state == PlatformState::silent)
        message = m_hosts.front()->machine().message;
    if (m_state == state)
        return;
    m_state = state;
    m_context.sink->state(state, message);
}

Task<Result<>> HostPlatform::trust(MachineId machine, QString fingerprint)
{
    HostConnection* host = m_open ? hostOf(machine) : nullptr;
    if (!host)
        co_return fail(Kind::not_found, u"The platform has no machine %1."_m.arg(machine.value));
    if (!host->setup().trust)
        co_return co_await Platform::trust(machine, fingerprint);
    const QPointer<HostConnection> alive(host);
    const Result<> trusted = co_await host->setup().trust(fingerprint);
    if (trusted && alive)
        alive->agent().reconnectNow();
    co_return trusted;
}

// --------------------------------------------------------------------------------------------------------------- trials

Task<Result<AgentCode>> HostPlatform::codeFor(HostConnection* host, TrialId trial, CodeSource code)
{
    if (host->sharesFiles())
        co_return localCode(code);
    if (code.kind == CodeSource::Kind::none)
        co_return AgentCode();
    if (code.kind == CodeSource::Kind::inPlace)
        co_return fail(Kind::invalid, u"Code in place runs only on this computer; this platform needs a snapshot."_m);
    const QPointer<HostConnection> alive(host);
    // If the machine is gone, `this` may be destroyed too, so no member is used then.
    const Result<package::PackedCode> packed = co_await m_codes.packed(code, m_context.stop);
    if (!packed)
        co_return fail(packed);
    if (!alive)
        co_return fail(Kind::cancelled, u"The machine is not in use any more."_m);
    const auto progress = uploadProgress(m_context.sink, trial, host->machine().address, packed->bytes);
    const auto sent = co_await host->agent().put(packed->sha256, packed->bytes, m_codes.reader(packed->path), progress);
    if (!sent)
        co_return fail(sent);
    co_return AgentCode{QString::fromLatin1(trialkeeper::codeKind::archive), {}, packed->sha256};
}

Task<SubmitOutcome> HostPlatform::submitOne(TrialSpec spec)
{
    SubmitOutcome outcome{spec.id, {}, {}, false};
    HostConnection* host = m_open ? hostOf(spec.machineId) : nullptr;
    if (!host) {
        outcome.error = m_open
            ? Error{Kind::not_found, u"The platform has no machine %1."_m.arg(spec.machineId.value), {}}
            : Error{Kind::cancelled, u"The platform is closed."_m, {}};
        co_return outcome;
    }
    AgentCode code;
    if (host->sharesFiles()) {
        code = localCode(spec.code); // without co_await, so that starts of the same turn are sent in one frame
    } else {
        const QPointer<HostConnection> alive(host);
        const auto sent = co_await codeFor(host, spec.id, spec.code);
        if (!sent || !alive) {
            outcome.error = sent ? Error{Kind::cancelled, u"The platform is closed."_m, {}} : sent.error();
            co_return outcome;
        }
        code = *sent;
    }
    const QByteArray proof = host->proofOf(spec.id);
    auto text = startSpecText(spec, m_kind, code, host->machine().gpus, proof);
    if (!text) {
        outcome.error = text.error();
        co_return outcome;
    }
    co_return co_await host->submit(std::move(spec), std::move(*text));
}

Task<QList<SubmitOutcome>> HostPlatform::submit(QList<TrialSpec> specs)
{
    std::vector<Task<SubmitOutcome>> starting;
    starting.reserve(size_t(specs.size()));
    for (TrialSpec& spec : specs)
        starting.push_back(submitOne(std::move(spec)));
    QList<SubmitOutcome> outcomes;
    for (auto& task : starting)
        outcomes.append(co_await task);
    co_return outcomes;
}

Task<Result<>> HostPlatform::cancel(QList<TrialRef> trials, CancelIntent intent)
{
    if (!m_open)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    std::vector<Task<Result<>>> cancelling;
    for (const auto& [host, refs] : byHost(trials)) {
        if (!host)
            continue; // the machine is no longer in the settings
        QStringList ids;
        for (const TrialRef& ref : refs)
            ids.append(ref.trial.value);
        cancelling.push_back(host->cancel(ids, intent));
    }
    Result<> all;
    for (auto& task : cancelling) {
        const auto one = co_await task;
        if (!one && all)
            all = one;
    }
    co_return all;
}

Task<Result<>> HostPlatform::adopt(QList<TrialRef> trials)
{
    if (!m_open)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    std::vector<Task<Result<>>> adopting;
    for (const auto& [host, refs] : byHost(trials)) {
        if (host) {
            adopting.push_back(host->adopt(refs));
            continue;
        }
        for (const TrialRef& ref : refs) {
            // It may still run there; if the machine is added again, it is cancelled then.
            Observation unknown;
            unknown.trial = ref.trial;
            unknown.status = TrialStatus::unknown;
            unknown.time = m_context.clock->nowMs();
            unknown.machine = ref.machine;
            unknown.reason =
                u"its machine %1 is not in the settings of its platform any more; add it again, or give the "
                "trial up (trialdeck cancel --force)"_m.arg(ref.machine.value);
            m_context.sink->observed(unknown);
        }
    }
    const QPointer<HostPlatform> alive(this);
    Result<> all;
    for (auto& task : adopting) {
        const auto one = co_await task;
        if (!one && all)
            all = one;
    }
    if (!alive || !m_open)
        co_return all;
    std::vector<Task<>> strangers;
    for (const auto& host : m_hosts)
        strangers.push_back(host->adoptStrangers());
    for (auto& task : strangers)
        co_await task;
    co_return all;
}

Task<Result<>> HostPlatform::sendParameter(TrialRef trial, int index, QByteArray text)
{
    const auto host = hostOf(trial);
    if (!host)
        co_return fail(host);
    if (index < 0)
        co_return fail(Kind::invalid, u"The index of a parameter is not negative."_m);
    co_return co_await (*host)->agent().sendParameter(trial.trial.value, index, text);
}

Task<Result<>> HostPlatform::remove(ExperimentId, QList<TrialRef> trials)
{
    if (!m_open)
        co_return fail(Kind::cancelled, u"The platform is closed."_m);
    Result<> all;
    std::vector<Task<Result<>>> removing;
    for (const auto& [host, refs] : byHost(trials)) {
        QStringList ids;
        for (const TrialRef& ref : refs)
            ids.append(ref.trial.value);
        if (host)
            removing.push_back(host->agent().remove(ids));
        else
            all = fail(Kind::not_found,
                u"The platform has no machine %1 any more: folders of trials stay there."_m.arg(
                    refs.front().machine.value));
    }
    for (auto& task : removing) {
        const auto one = co_await task;
        if (!one && all)
            all = one;
    }
    co_return all;
}

// ----------------------------------------------------------------------------------------------------------- logs, files

Task<Result<QStringList>> HostPlatform::logNames(TrialRef trial)
{
    const auto files = co_await listFiles(trial, {}, trialkeeper::maxListEntries);
    if (!files)
        co_return fail(files);
    QStringList names{u"stdout"_s, u"stderr"_s};
    for (const FileEntry& file : files->files) {
        if (file.path == u"trial.log")
            names.insert(2, file.path);
        else if (file.type == u"file"_s && !file.path.contains(u'/') && file.path.endsWith(u".log"))
            names.append(u"output/"_s + file.path);
    }
    co_return names;
}

Task<Result<Bytes>> HostPlatform::readLog(TrialRef trial, QString name, ReadRange range)
{
    const auto host = hostOf(trial);
    if (!host)
        co_return fail(host);
    if (!isLogName(name))
        co_return fail(Kind::not_found,
            u"There is no log \"%1\"; there are stdout, stderr, trial.log and output/PATH."_m.arg(name));
    if (range.limit < 1 || range.offset < 0 || (range.tail && *range.tail < 0))
        co_return fail(Kind::invalid, u"A log is read from an offset of at least 0, at least one byte at a time."_m);
    const QPointer<HostConnection> alive(*host);
    const QString id = trial.trial.value;
    const qint64 limit = std::min(range.limit, longestRead);
    qint64 offset = range.offset;
    if (range.tail) {
        // A tail of 0 bytes asks for the file's size only; following continues from there.
        offset = *range.tail > 0 ? -std::min(*range.tail, longestRead) : 0;
        if (*range.tail == 0) {
            const auto probe = co_await (*host)->agent().read(id, name, -1, 1, false);
            if (!probe && !(range.follow && probe.error().kind == Kind::not_found))
                co_return fail(probe);
            offset = probe ? probe->size : 0;
            if (!range.follow || !alive)
                co_return Bytes{{}, offset, offset, !alive || !alive->agent().watches(id)};
        }
    }
    auto data = co_await (*host)->agent().read(id, name, offset, limit, range.follow);
    if (!data)
        co_return fail(data);
    Bytes bytes{std::move(data->bytes), data->offset, data->size, data->ended};
    const bool atEnd = bytes.offset + bytes.bytes.size() >= bytes.size;
    if (alive && atEnd && !alive->agent().watches(id))
        bytes.end = true;
    co_return bytes;
}

Task<Result<FileList>> HostPlatform::listFiles(TrialRef trial, QString after, qint64 limit)
{
    const auto host = hostOf(trial);
    if (!host)
        co_return fail(host);
    const auto files = co_await (*host)->agent().list(trial.trial.value, after, limit);
    if (!files && files.error().kind == Kind::invalid && after.isEmpty())
        co_return fail(Kind::not_found, u"Its machine has no files of this trial."_m);
    if (!files)
        co_return fail(files);
    FileList list;
    for (const transport::AgentFile& file : files->files)
        list.files.append(FileEntry{file.path, file.size, file.modified, file.type, file.message});
    list.next = files->next;
    co_return list;
}

// --------------------------------------------------------------------------------------------------------- checks, forms

Task<Result<QStringList>> HostPlatform::choices(QString field, Json, Context)
{
    QStringList out;
    if (field == u"gpuIndices") {
        for (const auto& host : m_hosts) {
            for (const Gpu& gpu : host->machine().gpus)
                out.append(QString::number(gpu.index));
        }
        out.removeDuplicates();
    }
    co_return out;
}

/// A CheckExtent::look: asks the connected agents, all at the same time.
Task<Result<>> HostPlatform::askAgents(OperationId request, MachineId machine, Context context)
{
    std::vector<Task<Result<>>> asking;
    qsizetype silent = 0;
    for (const auto& host : m_hosts) {
        const Machine& asked = host->machine();
        if (!machine.isEmpty() && asked.id != machine)
            continue;
        const MachineId named = machine.isEmpty() ? asked.id : MachineId();
        if (host->agent().isUp()) {
            asking.push_back(host->agent().doctor([sink = context.sink, request, named](const Json& finding) {
                sink->finding(request, checkStepOf(finding, named));
            }));
            continue;
        }
        ++silent;
        context.sink->finding(request,
            CheckStep{u"agent"_s, u"Ask the agent"_m, CheckState::fail,
                asked.message.isEmpty() ? u"It is not reached."_m : asked.message, {}, named});
        host->agent().reconnectNow(); // who asks does not want to wait for the next attempt
    }
    if (asking.empty() && silent == 0)
        co_return fail(Kind::not_found, u"The platform has no machine %1."_m.arg(machine.value));
    Result<> all;
    for (auto& task : asking) {
        const Result<> one = co_await task;
        if (!one && all)
            all = one;
    }
    if (all && silent > 0)
        co_return fail(Kind::network,
            silent == 1 ? u"A machine is not reached."_m : u"%1 machines are not reached."_m.arg(silent));
    co_return all;
}

Task<Result<>> HostPlatform::check(
    OperationId request, Json settings, MachineId machine, CheckExtent extent, Context context)
{
    if (m_open && extent == CheckExtent::look) {
        auto asking = askAgents(request, machine, context);
        const Result<> asked = co_await asking;
        co_return asked;
    }
    // An open machine is checked with the settings that it was opened with.
    QList<HostSetup> setups;
    if (m_open && !machine.isEmpty()) {
        if (const HostConnection* open = hostOf(machine))
            setups.append(open->setup());
    } else {
        auto checked = checkedHosts(settings, context);
        if (!checked)
            co_return fail(checked);
        setups = std::move(*checked);
        setups.removeIf(
            [&machine](const HostSetup& setup) { return !machine.isEmpty() && setup.machine.id != machine; });
    }
    if (setups.isEmpty())
        co_return fail(Kind::not_found, u"The platform has no machine %1."_m.arg(machine.value));
    std::vector<Task<Result<>>> checking;
    std::vector<QPointer<HostConnection>> hosts;
    for (HostSetup& setup : setups) {
        const MachineId named = machine.isEmpty() ? setup.machine.id : MachineId();
        HostConnection* open = m_open ? hostOf(setup.machine.id) : nullptr;
        hosts.emplace_back(open);
        // A remote machine is logged in to again, because the connection itself is checked.
        if (open && open->agent().isUp() && open->sharesFiles())
            checking.push_back(open->agent().doctor([sink = context.sink, request, named](const Json& finding) {
                sink->finding(request, checkStepOf(finding, named));
            }));
        else
            checking.push_back(checkHost(request, std::move(setup), context, named, describe().kind));
    }
    Result<> all;
    for (size_t i = 0; i < checking.size(); ++i) {
        const Result<> one = co_await checking[i];
        // What the check came through to is not waited for any longer.
        if (one && hosts[i])
            hosts[i]->agent().reconnectNow();
        if (!one && all)
            all = one;
    }
    co_return all;
}

} // namespace platforms
