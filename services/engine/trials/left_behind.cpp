// SPDX-License-Identifier: GPL-3.0-or-later
#include "left_behind.h"

#include "services/core/logging.h"

using namespace Qt::StringLiterals;

namespace engine {

namespace {

const QString keyPrefix = u"left/"_s; ///< of the store's values; the trial's id follows

constexpr qint64 firstRetryMs = 1'000;
constexpr qint64 longestRetryMs = 600'000;

Message noteOf(qsizetype trials)
{
    return trials == 1
        ? u"1 trial was given up there and may run on: once the machine answers it is ended there, and its folder goes "
          u"if "
          "that was asked for."_m
        : u"%1 trials were given up there and may run on: once the machine answers they are ended there, and their "
          "folders go if that was asked for."_m.arg(trials);
}

} // namespace

LeftBehind::LeftBehind(
    EngineState& state, store::Store& store, PlatformManager& platforms, MachineRegistry& machines, Scope& scope)
    : m_state(state)
    , m_store(store)
    , m_platforms(platforms)
    , m_machines(machines)
    , m_scope(scope)
{
    // A platform without machines answers as a whole.
    connect(&platforms, &PlatformManager::opened, this, [this] { begin({}); });
    connect(&platforms, &PlatformManager::removed, this,
        [this](const PlatformId& id) { dropAll([&](const Item& item) { return item.platform == id; }); });
    connect(&platforms, &PlatformManager::cleared, this,
        [this](const MachineId& id) { dropAll([&](const Item& item) { return item.machine == id; }); });
}

LeftBehind::~LeftBehind() = default;

void LeftBehind::restore(const QMap<QString, QByteArray>& values)
{
    QSet<MachineId> machines;
    for (auto it = values.lowerBound(keyPrefix); it != values.end() && it.key().startsWith(keyPrefix); ++it) {
        const Result<Json> json = parseJson(it.value());
        if (!json || !json->is_object())
            continue;
        const auto text = [&](const char* name) {
            const auto member = json->find(name);
            return member != json->end() && member->is_string() ? member->get<QString>() : QString();
        };
        const auto folder = json->find("folder");
        m_items.insert(TrialId(it.key().mid(keyPrefix.size())),
            {PlatformId(text("platform")), MachineId(text("machine")), ExperimentId(text("experiment")), text("handle"),
                folder != json->end() && *folder == true});
        machines.insert(MachineId(text("machine")));
    }
    for (const MachineId& machine : std::as_const(machines))
        note(machine);
}

store::Batch LeftBehind::take(const PlatformId& platform, const QList<platforms::TrialRef>& trials, bool folders)
{
    store::Batch batch;
    QSet<MachineId> machines;
    for (const platforms::TrialRef& trial : trials) {
        Item item{platform, trial.machine, trial.experiment, trial.handle, folders};
        const auto known = m_items.constFind(trial.trial);
        item.folder = folders || (known != m_items.cend() && known->folder);
        if (known != m_items.cend() && *known == item)
            continue;
        m_items.insert(trial.trial, item);
        batch.values.insert(keyPrefix + trial.trial.value,
            dumpJson(Json{{"platform", platform.value}, {"machine", item.machine.value},
                {"experiment", item.experiment.value}, {"handle", item.handle}, {"folder", item.folder}}));
        machines.insert(item.machine);
    }
    for (const MachineId& machine : std::as_const(machines)) {
        note(machine);
        // It may be back already.
        QMetaObject::invokeMethod(
            this, [this, machine] { begin(machine); }, Qt::QueuedConnection);
    }
    return batch;
}

void LeftBehind::add(const PlatformId& platform, const QList<platforms::TrialRef>& trials, bool folders)
{
    store::Batch batch = take(platform, trials, folders);
    if (!batch.isEmpty())
        m_store.commit(std::move(batch), store::Durability::full);
}

Task<Result<>> LeftBehind::added(PlatformId platform, QList<platforms::TrialRef> trials, bool folders)
{
    store::Batch batch = take(platform, trials, folders);
    if (batch.isEmpty())
        co_return Result<>{};
    const Result<> committed = co_await m_store.committed(std::move(batch), store::Durability::full);
    co_return committed;
}

bool LeftBehind::answers(const PlatformId& platform, const MachineId& machine) const
{
    if (!m_platforms.ready(platform))
        return false;
    if (machine.isEmpty() || !m_state.placesTrials(platform))
        return true;
    const MachinePtr record = m_state.machines.value(machine);
    return record && (record->state == MachineState::ready || record->state == MachineState::drained);
}

void LeftBehind::seen(const QList<Machine>& machines)
{
    if (m_items.isEmpty())
        return;
    QSet<MachineId> owing;
    for (const Item& item : std::as_const(m_items))
        owing.insert(item.machine);
    for (const Machine& machine : machines) {
        if (!owing.contains(machine.id))
            continue;
        if (machine.state != MachineState::ready) {
            m_failures.remove(machine.id);
            m_retries.erase(machine.id);
        } else if (!m_retries.contains(machine.id)) {
            begin(machine.id);
        }
    }
}

LeftBehind::Items LeftBehind::itemsOn(const MachineId& machine) const
{
    Items items;
    for (auto it = m_items.cbegin(); it != m_items.cend(); ++it)
        if (it->machine == machine)
            items.insert(it.key(), it.value());
    return items;
}

void LeftBehind::begin(const MachineId& machine)
{
    if (m_settling.contains(machine) || m_scope.stopToken().stop_requested())
        return;
    const bool any = std::any_of(m_items.cbegin(), m_items.cend(),
        [&](const Item& item) { return item.machine == machine && answers(item.platform, machine); });
    if (!any)
        return;
    m_settling.insert(machine);
    m_scope.spawn([this, machine] { return settle(machine); });
}

Task<> LeftBehind::settle(MachineId machine)
{
    QMap<PlatformId, Items> byPlatform;
    const Items all = itemsOn(machine);
    for (auto it = all.cbegin(); it != all.cend(); ++it)
        byPlatform[it->platform].insert(it.key(), it.value());
    Result<> result;
    for (auto it = byPlatform.cbegin(); it != byPlatform.cend(); ++it) {
        const PlatformId& id = it.key();
        QList<platforms::TrialRef> ending;
        QMap<ExperimentId, QList<platforms::TrialRef>> removing;
        Items ended;
        Items removed;
        for (auto item = it->cbegin(); item != it->cend(); ++item) {
            const TrialEntry* entry = m_state.trial(item.key());
            // The service was killed between storing this item and the trial's end: the trial is still followed, so keep it.
            if (entry && !isFinal(entry->trial->status)) {
                ended.insert(item.key(), item.value());
                continue;
            }
            const platforms::TrialRef ref{.trial = item.key(),
                .experiment = item->experiment,
                .machine = machine,
                .handle = item->handle,
                .cursors = {}};
            ending.append(ref);
            (item->folder ? removed : ended).insert(item.key(), item.value());
            if (item->folder)
                removing[item->experiment].append(ref);
        }
        platforms::Platform* platform = m_platforms.ready(id);
        Result<> done = platform ? Result<>{} : Result<>(fail(Kind::network, u"The platform is not open."_m));
        if (platform && !ending.isEmpty())
            done = co_await platform->cancel(ending, CancelIntent::user);
        if (done)
            drop(ended);
        for (auto part = removing.cbegin(); done && part != removing.cend(); ++part) {
            platform = m_platforms.ready(id);
            if (!platform)
                done = fail(Kind::network, u"The platform is not open."_m);
            else
                done = co_await platform->remove(part.key(), part.value());
        }
        if (done)
            drop(removed);
        else
            result = done;
    }
    m_settling.remove(machine);
    if (result) {
        m_failures.remove(machine);
        if (!itemsOn(machine).isEmpty())
            begin(machine); // came meanwhile
        co_return;
    }
    qCInfo(lcEngine) << "what was left on" << machine.value << "is not removed yet:" << result.error().message;
    tryLater(machine);
}

void LeftBehind::tryLater(const MachineId& machine)
{
    // A process that is being ended takes its grace; what cannot be removed is not asked for all the time.
    const int failures = std::min(m_failures[machine]++, 10);
    m_retries[machine] = m_state.clock().after(std::min(firstRetryMs << failures, longestRetryMs), [this, machine] {
        m_retries.erase(machine);
        begin(machine);
    });
}

void LeftBehind::drop(const Items& items)
{
    store::Batch batch;
    QSet<MachineId> machines;
    for (auto it = items.cbegin(); it != items.cend(); ++it) {
        const auto known = m_items.constFind(it.key());
        if (known == m_items.cend() || *known != *it)
            continue;
        machines.insert(it->machine);
        TrialEntry* entry = m_state.trial(it.key());
        if (entry && isFinal(entry->trial->status)) {
            m_state.event(*entry, TrialEventKind::cancel,
                it->folder ? u"%1 answers again: what ran there of it has ended, and its folder was removed."_m.arg(
                    it->machine.value)
                           : u"%1 answers again: what may run there of it is being ended."_m.arg(it->machine.value));
            if (it->folder)
                m_state.changeState(*entry, [](store::TrialPrivate& state) { state.cleaned = 1; });
        }
        batch.values.insert(keyPrefix + it.key().value, QByteArray());
        m_items.remove(it.key());
    }
    if (batch.isEmpty())
        return;
    m_state.saveSoon(store::Durability::normal);
    m_store.commit(std::move(batch), store::Durability::normal);
    for (const MachineId& machine : std::as_const(machines))
        note(machine);
}

void LeftBehind::dropAll(const std::function<bool(const Item&)>& which)
{
    store::Batch batch;
    QSet<MachineId> machines;
    for (auto it = m_items.begin(); it != m_items.end();) {
        if (!which(*it)) {
            ++it;
            continue;
        }
        batch.values.insert(keyPrefix + it.key().value, QByteArray());
        machines.insert(it->machine);
        it = m_items.erase(it);
    }
    if (!batch.isEmpty())
        m_store.commit(std::move(batch), store::Durability::normal);
    for (const MachineId& machine : std::as_const(machines))
        note(machine);
}

void LeftBehind::note(const MachineId& machine)
{
    const qsizetype count = itemsOn(machine).size();
    m_machines.setNote(machine, count > 0 ? noteOf(count) : Message());
}

} // namespace engine
