// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_platform.h"

using namespace Qt::StringLiterals;

namespace fakes {

using namespace platforms;

namespace {

QString intentName(CancelIntent intent)
{
    switch (intent) {
    case CancelIntent::user:
        return u"user"_s;
    case CancelIntent::early:
        return u"early"_s;
    case CancelIntent::system:
        return u"system"_s;
    }
    Q_UNREACHABLE();
}

bool isName(const QString& name)
{
    if (name == u"stdout" || name == u"stderr" || name == u"trial.log")
        return true;
    return name.startsWith(u"output/") && !name.split(u'/').contains(u".."_s);
}

} // namespace

FakePlatform::FakePlatform(std::shared_ptr<World> world, QObject* parent)
    : platforms::Platform(parent)
    , m_world(std::move(world))
{
}

FakePlatform::~FakePlatform()
{
    m_open = false;
    releaseSubmits();
    releaseOpens();
    releaseCloses();
    releaseChecks();
    wakeReaders();
}

// ----------------------------------------------------------------------------------------------------- what the test does

FakePlatform::Trial* FakePlatform::trial(const TrialId& trial)
{
    const auto found = m_world->trials.find(trial);
    return found == m_world->trials.end() ? nullptr : &found->second;
}

bool FakePlatform::tells(const TrialId& trial) const
{
    return m_open && !forgetsFacts && m_known.contains(trial);
}

void FakePlatform::later(std::function<void()> work)
{
    QMetaObject::invokeMethod(this, std::move(work), Qt::QueuedConnection);
}

void FakePlatform::observe(const TrialId& id)
{
    Trial* t = trial(id);
    Observation& last = t->last;
    last.trial = id;
    last.status = t->status;
    last.time = m_context.clock ? m_context.clock->nowMs() : 0;
    last.machine = t->spec.machineId;
    last.workingDirectory = u"/fake/"_s + id.value;
    last.journalCursor = ++t->journal;
    last.attempt = attemptOf(*t);
    if (t->status == TrialStatus::running && !last.startTime)
        last.startTime = last.time;
    if (isFinal(t->status))
        last.endTime = last.time;
    if (tells(id))
        m_context.sink->observed(last);
}

void FakePlatform::tellFrom(const TrialId& id, const Cursors& from)
{
    Trial* t = trial(id);
    if (!t || !tells(id))
        return;
    std::array cursors{from.nni, from.file, from.stdoutLines};
    if (from.attempt != attemptOf(*t))
        cursors.fill(0);
    for (size_t i = 0; i < cursors.size(); ++i) {
        if (cursors[i] < t->streams[i].size()) {
            t->told[i] = t->streams[i].size();
            RecordBytes bytes{id, Stream(i), cursors[i], t->streams[i].mid(cursors[i]), m_context.clock->nowMs()};
            bytes.attempt = attemptOf(*t);
            m_context.sink->records(bytes);
        }
    }
    if (t->status != TrialStatus::waiting)
        m_context.sink->observed(t->last);
}

void FakePlatform::run(const TrialId& id)
{
    Trial* t = trial(id);
    Q_ASSERT(t);
    if (t->status != TrialStatus::waiting)
        return;
    t->status = TrialStatus::running;
    observe(id);
    if (onRun)
        onRun(id);
}

void FakePlatform::finish(const TrialId& id, int exitCode)
{
    Trial* t = trial(id);
    Q_ASSERT(t);
    if (isFinal(t->status))
        return;
    t->last.exitCode = exitCode;
    if (exitCode == 0)
        end(id, TrialStatus::succeeded);
    else
        end(id, TrialStatus::failed, u"The command ended with exit code %1."_m.arg(exitCode), FailureClass::exitCode);
}

void FakePlatform::end(
    const TrialId& id, TrialStatus status, const Message& reason, const OpenWord<FailureClass>& failureClass)
{
    Trial* t = trial(id);
    Q_ASSERT(t && core::isFinal(status));
    if (core::isFinal(t->status))
        return;
    t->status = status;
    t->last.reason = reason;
    t->last.failureClass = failureClass;
    observe(id);
    wakeReaders();
}

void FakePlatform::requeue(const TrialId& id, const QString& reason)
{
    Trial* t = trial(id);
    Q_ASSERT(t && t->status == TrialStatus::running);
    t->status = TrialStatus::waiting;
    ++t->attempt;
    t->streams = {};
    t->told = {};
    t->last.startTime.reset();
    t->last.reason = reason;
    observe(id);
    t->last.reason.clear();
}

void FakePlatform::write(const TrialId& id, Stream stream, const QByteArray& bytes, const QByteArray& platformCursor)
{
    Trial* t = trial(id);
    Q_ASSERT(t);
    QByteArray& all = t->streams[size_t(stream)];
    const qint64 offset = all.size();
    all += bytes;
    if (!tells(id))
        return;
    t->told[size_t(stream)] = all.size();
    RecordBytes report{id, stream, offset, bytes, m_context.clock->nowMs()};
    report.attempt = attemptOf(*t);
    report.platformCursor = platformCursor;
    m_context.sink->records(report);
}

void FakePlatform::appendLog(const TrialId& id, const QString& name, const QByteArray& bytes)
{
    trial(id)->logs[name] += bytes;
    wakeReaders();
}

void FakePlatform::setMachines(const QList<Machine>& machines)
{
    m_world->machines = machines;
    if (m_open)
        m_context.sink->machines(machines);
}

void FakePlatform::setState(PlatformState state, const QString& message)
{
    if (m_open)
        m_context.sink->state(state, message);
}

void FakePlatform::lose(const MachineId& machine)
{
    forgetsFacts = true;
    if (m_open)
        m_context.sink->lost(machine, m_context.clock->nowMs());
}

void FakePlatform::back()
{
    forgetsFacts = false;
    if (m_open && !m_world->machines.isEmpty())
        m_context.sink->machines(m_world->machines);
    for (const TrialId& id : QSet<TrialId>(m_known)) {
        if (const Trial* t = trial(id))
            tellFrom(id,
                Cursors{.nni = t->told[0], .file = t->told[1], .stdoutLines = t->told[2], .attempt = attemptOf(*t)});
    }
}

void FakePlatform::releaseSubmits()
{
    for (OneShot<bool> held : std::exchange(m_heldSubmits, {}))
        held.set(true);
}

void FakePlatform::releaseOpens()
{
    for (OneShot<bool> held : std::exchange(m_heldOpens, {}))
        held.set(true);
}

void FakePlatform::releaseCloses()
{
    for (OneShot<bool> held : std::exchange(m_heldCloses, {}))
        held.set(true);
}

void FakePlatform::releaseChecks()
{
    for (OneShot<bool> held : std::exchange(m_heldChecks, {}))
        held.set(true);
}

void FakePlatform::wakeReaders()
{
    for (OneShot<bool> reader : std::exchange(m_readers, {}))
        reader.set(true);
}

// ----------------------------------------------------------------------------------------------------------- the contract

Result<> FakePlatform::checkOptions(const Json&, const Json& options) const
{
    return optionRules ? optionRules(options) : Result<>();
}

KindDescription FakePlatform::describe() const
{
    return KindDescription{kind, u"Fake"_s, fields, capabilities, experimentFields, ownRoles};
}

Task<Result<>> FakePlatform::open(Json settings, Context context)
{
    calls.append(u"open"_s);
    openedWith = settings;
    if (openError)
        co_return tl::unexpected(*openError);
    if (holdOpens) {
        OneShot<bool> held;
        m_heldOpens.push_back(held);
        if (!co_await held.wait())
            co_return fail(Kind::cancelled, u"The platform is being closed."_s);
    }
    m_context = context;
    m_open = true;
    m_context.sink->state(PlatformState::ready, {});
    if (!m_world->machines.isEmpty())
        m_context.sink->machines(m_world->machines);
    co_return Result<>();
}

Result<bool> FakePlatform::canReconfigure(const Json& settings) const
{
    return onCanReconfigure ? onCanReconfigure(settings) : Result<bool>(false);
}

Task<QList<MachineId>> FakePlatform::reconfigure(Json)
{
    calls.append(u"reconfigure"_s);
    co_return QList<MachineId>(interrupts);
}

Task<QList<SubmitOutcome>> FakePlatform::submit(QList<TrialSpec> specs)
{
    QList<SubmitOutcome> outcomes;
    for (const TrialSpec& spec : specs) {
        calls.append(u"submit "_s + spec.id.value);
        const bool news = !m_known.contains(spec.id);
        SubmitOutcome outcome{spec.id, spec.id.value, {}, false};
        const auto fault = onSubmit ? onSubmit(spec) : std::nullopt;
        if (!m_open)
            outcome.error = Error{Kind::cancelled, u"The platform is closed."_s, {}};
        else if (fault)
            outcome = *fault;
        if ((!outcome.error && !outcome.later) || outcome.unknown) {
            Trial& t = m_world->trials[spec.id];
            if (t.starts == 0) {
                t.spec = spec;
                ++t.starts;
            }
            if (t.status == TrialStatus::waiting && autoRun) {
                later([this, id = spec.id] {
                    if (trial(id))
                        run(id);
                });
            } else if (t.status != TrialStatus::waiting && news) {
                // It was started in an earlier life: everything of it is reported from the beginning, and nothing before that.
                later([this, id = spec.id] {
                    m_known.insert(id);
                    tellFrom(id, {});
                });
                outcomes.append(outcome);
                continue;
            }
            m_known.insert(spec.id);
        }
        outcomes.append(outcome);
    }
    if (holdSubmits && m_open) {
        OneShot<bool> held;
        m_heldSubmits.push_back(held);
        co_await held.wait();
    }
    co_return outcomes;
}

Task<Result<>> FakePlatform::cancel(QList<TrialRef> trials, CancelIntent intent)
{
    if (!m_open)
        co_return fail(Kind::cancelled, u"The platform is closed."_s);
    if (cancelError) {
        ++failedCancels;
        co_return tl::unexpected(*cancelError);
    }
    for (const TrialRef& ref : trials) {
        calls.append(u"cancel %1 %2"_s.arg(ref.trial.value, intentName(intent)));
        if (!trial(ref.trial)) {
            Observation gone;
            gone.trial = ref.trial;
            gone.status = cancelledStatus(intent);
            gone.time = m_context.clock->nowMs();
            gone.endTime = gone.time;
            m_context.sink->observed(gone);
            continue;
        }
        if (autoCancel) {
            later([this, id = ref.trial, intent] {
                if (trial(id) && !isFinal(trial(id)->status))
                    end(id, cancelledStatus(intent));
            });
        }
    }
    co_return Result<>();
}

Task<Result<>> FakePlatform::sendParameter(TrialRef ref, int index, QByteArray text)
{
    calls.append(u"parameter %1 %2"_s.arg(ref.trial.value).arg(index));
    Trial* t = trial(ref.trial);
    if (!m_open || !t)
        co_return fail(Kind::not_found, u"There is no such trial."_s);
    t->parameters[index] = text;
    co_return Result<>();
}

Task<Result<QStringList>> FakePlatform::logNames(TrialRef ref)
{
    Trial* t = trial(ref.trial);
    if (!m_open || !t)
        co_return fail(Kind::not_found, u"There is no such trial."_s);
    QStringList names{u"stdout"_s};
    if (!mergedLog)
        names.append(u"stderr"_s);
    for (const QString& name : t->logs.keys()) {
        if (!names.contains(name) && (!name.startsWith(u"output/") || name.endsWith(u".log")))
            names.append(name);
    }
    co_return names;
}

Task<Result<Bytes>> FakePlatform::readLog(TrialRef ref, QString name, ReadRange range)
{
    if (!isName(name))
        co_return fail(Kind::invalid, u"There is no log of that name."_s);
    while (true) {
        Trial* t = trial(ref.trial);
        if (!m_open || !t)
            co_return fail(m_open ? Kind::not_found : Kind::cancelled, u"There is no such trial."_s);
        const bool ended = isFinal(t->status);
        const bool standard = name == u"stdout" || (name == u"stderr" && !mergedLog);
        const auto found = t->logs.constFind(name);
        if (found == t->logs.constEnd() && !standard && (!range.follow || ended))
            co_return fail(Kind::not_found, u"There is no such file."_s);
        const QByteArray all = found == t->logs.constEnd() ? QByteArray() : *found;
        if (range.tail) {
            range.offset = std::max<qint64>(0, all.size() - *range.tail);
            range.tail.reset();
        }
        const QByteArray part = all.mid(range.offset, range.limit);
        if (!part.isEmpty() || !range.follow || ended)
            co_return Bytes{part, range.offset, all.size(), ended && range.offset + part.size() >= all.size()};
        OneShot<bool> more;
        m_readers.push_back(more);
        co_await more.wait();
    }
}

Task<Result<FileList>> FakePlatform::listFiles(TrialRef ref, QString after, qint64 limit)
{
    Trial* t = trial(ref.trial);
    if (!m_open || !t)
        co_return fail(Kind::not_found, u"There is no such trial."_s);
    FileList list;
    for (auto it = t->logs.constBegin(); it != t->logs.constEnd(); ++it) {
        if (!it.key().startsWith(u"output/") || it.key().mid(7) <= after)
            continue;
        if (list.files.size() == limit) {
            list.next = list.files.last().path;
            break;
        }
        list.files.append(FileEntry{it.key().mid(7), it.value().size(), 0, u"file"_s, {}});
    }
    co_return list;
}

Task<Result<>> FakePlatform::adopt(QList<TrialRef> trials)
{
    if (!m_open)
        co_return fail(Kind::cancelled, u"The platform is closed."_s);
    for (const TrialRef& ref : trials) {
        calls.append(u"adopt "_s + ref.trial.value);
        adopted.append(ref);
        m_known.insert(ref.trial);
        later([this, ref] {
            Trial* t = trial(ref.trial);
            if (!tells(ref.trial))
                return;
            if (!t) {
                Observation gone;
                gone.trial = ref.trial;
                gone.status = TrialStatus::failed;
                gone.time = m_context.clock->nowMs();
                gone.endTime = gone.time;
                gone.failureClass = FailureClass::trialFolderLost;
                gone.reason = u"Its folder is gone."_s;
                m_context.sink->observed(gone);
                return;
            }
            tellFrom(ref.trial, ref.cursors);
        });
    }
    QList<Observation> strangers;
    for (const auto& [id, found] : m_world->trials) {
        if (found.status == TrialStatus::running && !m_known.contains(id))
            strangers.append(found.last);
    }
    for (const Observation& stranger : strangers)
        m_context.sink->observed(stranger);
    co_return Result<>();
}

Task<Result<>> FakePlatform::remove(ExperimentId, QList<TrialRef> trials)
{
    if (removeError)
        co_return tl::unexpected(*removeError);
    for (const TrialRef& ref : trials) {
        calls.append(u"remove "_s + ref.trial.value);
        const Trial* t = trial(ref.trial);
        if (t && !isFinal(t->status))
            co_return fail(Kind::conflict, u"The trial is running."_s);
        m_world->trials.erase(ref.trial);
        m_known.remove(ref.trial);
    }
    co_return Result<>();
}

Task<Result<int>> FakePlatform::removeUnknown(ExperimentId, QSet<TrialId> known)
{
    if (strays == 0)
        co_return 0;
    calls.append(u"removeUnknown %1"_s.arg(known.size()));
    co_return std::exchange(strays, 0);
}

Task<Result<QStringList>> FakePlatform::choices(QString field, Json settings, Context)
{
    calls.append(u"choices "_s + field);
    m_world->choicesAsked = settings;
    co_return choiceValues;
}

Task<Result<>> FakePlatform::check(OperationId request, Json, MachineId, CheckExtent extent, Context context)
{
    calls.append(extent == CheckExtent::look ? u"look"_s : u"check"_s);
    if (holdChecks) {
        OneShot<bool> held;
        m_heldChecks.push_back(held);
        co_await held.wait();
    }
    bool failed = false;
    for (const CheckStep& step : checkSteps) {
        context.sink->finding(request, step);
        failed = failed || step.state == CheckState::fail;
    }
    if (failed)
        co_return fail(Kind::platform, u"The check failed."_s);
    co_return Result<>();
}

Task<> FakePlatform::close()
{
    calls.append(u"close"_s);
    m_open = false;
    releaseSubmits();
    wakeReaders();
    for (OneShot<bool> held : std::exchange(m_heldOpens, {}))
        held.set(false);
    if (holdCloses) {
        OneShot<bool> held;
        m_heldCloses.push_back(held);
        co_await held.wait();
    }
}

} // namespace fakes
