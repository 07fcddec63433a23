// SPDX-License-Identifier: GPL-3.0-or-later
#include "endpoint_opener.h"

#include "services/platforms/cluster/in_turns.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::dlts {

/// Null: the job has none of this name.
static const JobEndpoint* endpointNamed(const QList<JobEndpoint>& endpoints, const QString& name)
{
    const auto found =
        std::find_if(endpoints.begin(), endpoints.end(), [&](const JobEndpoint& one) { return one.name == name; });
    return found == endpoints.end() ? nullptr : &*found;
}

EndpointOpener::EndpointOpener(DltsCalls* calls, const Context& context)
    : m_calls(calls)
    , m_context(context)
{
}

Task<> EndpointOpener::close()
{
    m_opening.clear();
    co_await m_scope.drain();
}

void EndpointOpener::runs(const TrialId& trial, const DltsJob& job)
{
    if (job.endpoints.isEmpty() || m_done.contains(trial) || m_opening.contains(trial))
        return;
    m_opening.emplace(trial, Opening{.id = job.id, .wished = job.endpoints});
}

void EndpointOpener::rests(const TrialId& trial, bool isOver)
{
    m_opening.erase(trial);
    m_done.erase(trial);
    if (isOver)
        m_new.erase(trial);
}

void EndpointOpener::turn()
{
    if (m_opening.empty() || m_isOpening)
        return;
    m_scope.spawn([this] { return openSome(); });
}

Task<> EndpointOpener::openSome()
{
    constexpr qsizetype mostInATurn = 50;
    constexpr int atOnce = 4;
    m_isOpening = true;
    QList<TrialId> trials;
    for (const auto& [trial, opening] : m_opening)
        trials.append(trial);
    const QList<TrialId> asked = nextInTurn(trials, m_askedLast, mostInATurn);
    const std::function<Task<bool>(TrialId)> one = [this](TrialId trial) { return openOne(std::move(trial)); };
    auto opening = inTurns<char>(asked, atOnce, one);
    co_await opening;
    m_isOpening = false;
}

Task<bool> EndpointOpener::openOne(TrialId trial)
{
    const auto begun = m_opening.find(trial);
    if (begun == m_opening.end())
        co_return false;
    const QString id = begun->second.id;
    auto asking = m_calls->endpoints(id);
    const Result<QList<JobEndpoint>> there = co_await asking;
    const auto found = m_opening.find(trial); // its job may have ended meanwhile
    if (!there || found == m_opening.end())
        co_return false;
    Opening& opening = found->second;
    QList<Endpoint> missing;
    bool areOpen = true;
    for (const Endpoint& wished : std::as_const(opening.wished)) {
        const auto known =
            std::find_if(there->begin(), there->end(), [&](const JobEndpoint& one) { return one.name == wished.name; });
        areOpen = areOpen && known != there->end() && known->isOpen;
        if (known == there->end())
            missing.append(wished);
    }
    if (areOpen) {
        // Endpoints of an adopted job that were open from the start are in the journal already, from before the restart.
        if (opening.wasClosed || m_new.contains(trial))
            tell(trial, opening, *there);
        m_done.insert(trial);
        m_opening.erase(trial);
        co_return true;
    }
    opening.wasClosed = true;
    if (++opening.turns >= mostTurns) {
        giveUp(trial, u"DLTS has not opened the endpoints of the job for a long time; its page may say why."_m);
        co_return false;
    }
    if (missing.isEmpty())
        co_return true;
    auto posting = m_calls->openEndpoints(id, missing);
    const Result<> posted = co_await posting;
    const auto again = m_opening.find(trial);
    if (!posted && again != m_opening.end() && ++again->second.failures >= mostFailures)
        giveUp(trial, u"The endpoints of the job could not be opened: %1"_m.arg(posted.error().message));
    co_return posted.has_value();
}

void EndpointOpener::tell(const TrialId& trial, const Opening& opening, const QList<JobEndpoint>& there)
{
    QStringList addresses;
    for (const Endpoint& wished : opening.wished) {
        const JobEndpoint* one = endpointNamed(there, wished.name);
        if (one && !one->address.isEmpty())
            addresses.append(one->name == "ssh"_L1 ? one->address : one->name + u' ' + one->address);
    }
    if (!addresses.isEmpty())
        m_context.sink->note(
            trial, TrialEventKind::finding, u"Its job can be reached: %1"_m.arg(addresses.join(u", "_s)));
}

void EndpointOpener::giveUp(const TrialId& trial, const Message& why)
{
    m_context.sink->note(trial, TrialEventKind::finding, why);
    m_done.insert(trial);
    m_opening.erase(trial);
}

} // namespace platforms::dlts
