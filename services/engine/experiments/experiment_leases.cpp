// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment_leases.h"

#include "services/core/message/message_json.h"
#include "services/core/record_json.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace engine {

static const QString factPrefix = u"lease/"_s;
/// A timer that fires later than this means that the service itself was stopped (SIGSTOP, a suspended computer).
static constexpr qint64 lateMs = 1'000;
/// Extra time after such a stop, for renewals that already wait in sockets.
static constexpr qint64 catchUpMs = 5'000;
static constexpr qint64 maxSeconds = 24 * 3'600; ///< as in the API

static bool takesTrials(const Experiment& experiment)
{
    return experiment.state == ExperimentState::preparing || experiment.state == ExperimentState::running
        || experiment.state == ExperimentState::paused;
}

static QString timeText(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms).toString(u"yyyy-MM-dd HH:mm"_s);
}

ExperimentLeases::ExperimentLeases(EngineState& state, store::Store& store)
    : m_state(state)
    , m_store(store)
{
}

Task<Result<Reply>> ExperimentLeases::renew(RenewLease command)
{
    const ExperimentPtr experiment = m_state.experiment(command.id);
    if (!experiment)
        co_return fail(Kind::not_found, u"There is no experiment \"%1\"."_m.arg(command.id.value));
    if (command.seconds == 0) {
        end(command.id);
    } else if (!takesTrials(*experiment)) {
        co_return fail(Kind::conflict,
            u"The experiment \"%1\" is %2: it takes no trials."_m.arg(
                experiment->spec.name, experimentStateName(experiment->state)));
    } else {
        Lease& lease = m_leases[command.id];
        const bool isSame = lease.holder == command.holder && lease.seconds == command.seconds
            && lease.remedy == command.remedy && lease.missed.isEmpty();
        lease.holder = command.holder;
        lease.seconds = command.seconds;
        lease.remedy = command.remedy;
        lease.heard = timeText(m_state.clock().nowMs());
        arm(command.id, lease, lease.seconds * 1'000);
        tell(command.id, std::exchange(lease.missed, {}), {});
        if (!isSame)
            keep(command.id);
    }
    co_return Reply{.document = toJson(*m_state.experiment(command.id))};
}

void ExperimentLeases::restore(const QMap<QString, QByteArray>& values)
{
    for (auto it = values.lowerBound(factPrefix); it != values.end() && it.key().startsWith(factPrefix); ++it) {
        const ExperimentId id(it.key().mid(factPrefix.size()));
        const ExperimentPtr experiment = m_state.experiment(id);
        const Result<Json> fact = parseJson(it.value());
        if (!experiment || !takesTrials(*experiment) || !fact || !fact->is_object()) {
            keep(id); // without a lease: the fact goes
            continue;
        }
        const auto text = [&](const char* name) {
            const auto member = fact->find(name);
            return member != fact->end() && member->is_string() ? member->get<QString>() : QString();
        };
        const auto seconds = fact->find("seconds");
        Lease& lease = m_leases[id];
        lease.holder = text("holder");
        lease.remedy = text("remedy");
        lease.seconds = seconds != fact->end() && seconds->is_number_integer()
            ? std::clamp<qint64>(seconds->get<qint64>(), 1, maxSeconds)
            : 60;
        lease.missed = core::readMessage(*fact, "missed");
        lease.heard = u"the service started at "_m + timeText(m_state.clock().nowMs());
        if (lease.missed.isEmpty())
            arm(id, lease, lease.seconds * 1'000);
    }
}

void ExperimentLeases::end(const ExperimentId& id)
{
    const auto it = m_leases.find(id);
    if (it == m_leases.end())
        return;
    tell(id, it->second.missed, {});
    m_leases.erase(it);
    keep(id);
}

Message ExperimentLeases::message(const ExperimentId& id) const
{
    const auto it = m_leases.find(id);
    return it == m_leases.end() ? Message() : it->second.missed;
}

void ExperimentLeases::arm(const ExperimentId& id, Lease& lease, qint64 ms)
{
    lease.due = m_state.clock().steadyMs() + ms;
    lease.timer = m_state.clock().after(ms, [this, id] { lapse(id); });
}

// By value: the timer that calls it, and is replaced in it, holds the id. NOLINTNEXTLINE(performance-unnecessary-value-param)
void ExperimentLeases::lapse(ExperimentId id)
{
    Lease& lease = m_leases[id];
    if (m_state.clock().steadyMs() > lease.due + lateMs) {
        arm(id, lease, catchUpMs);
        return;
    }
    lease.missed =
        u"%1 has not been heard of since %2. The trials that it asked for go on; nobody asks for more."_m.arg(
            lease.holder, lease.heard);
    if (!lease.remedy.isEmpty())
        lease.missed += u' ' + lease.remedy;
    tell(id, {}, lease.missed);
    keep(id);
}

/// Replaces the experiment's message only if it is still the one set here (or empty).
void ExperimentLeases::tell(const ExperimentId& id, const Message& before, const Message& now)
{
    const ExperimentPtr experiment = m_state.experiment(id);
    if (!experiment || before == now || experiment->message != before)
        return;
    m_state.change(id, [&](Experiment& changed) { changed.message = now; });
    m_state.saveSoon(store::Durability::normal);
}

void ExperimentLeases::keep(const ExperimentId& id) const
{
    const auto it = m_leases.find(id);
    QByteArray fact;
    if (it != m_leases.end()) {
        Json json = {{"holder", it->second.holder}, {"remedy", it->second.remedy}, {"seconds", it->second.seconds}};
        core::addMessage(json, "missed", it->second.missed);
        fact = dumpJson(json);
    }
    store::Batch batch;
    batch.values.insert(factPrefix + id.value, fact);
    m_store.commit(std::move(batch), store::Durability::normal);
}

} // namespace engine
