// SPDX-License-Identifier: GPL-3.0-or-later
#include "starter.h"

#include "code_store.h"
#include "probe.h"

#include "app/trialkeeper/base/own_folders.h"
#include "app/trialkeeper/base/proc.h"
#include "app/trialkeeper/trial/keeper_start.h"
#include "services/wire/names.h"
#include "services/wire/protocol.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr int spawnsPerTurn = 2;
constexpr int resultsPerFrame = 1000;
constexpr int undecidedMs = 10; ///< until a wrapper without a keeper is looked at again

/// The lowest free descriptor from 10 on: those below are a keeper's (launch.h).
Fd raised(int fd)
{
    Fd low(fd);
    return Fd(::fcntl(fd, F_DUPFD_CLOEXEC, 10));
}

} // namespace

Starter::Starter(Agent& agent, Trials& trials, CodeStore& code)
    : m_agent(agent)
    , m_trials(trials)
    , m_code(code)
    , m_maxInFlight(8 + 2 * std::size_t(cpuCount()))
{
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return;
    m_reports = raised(ends[0]);
    m_reportsWrite = raised(ends[1]);
    ::fcntl(m_reports.get(), F_SETFL, O_NONBLOCK);
    (void)m_agent.loop.watch(m_reports.get(), EPOLLIN, [this](std::uint32_t) { readReports(); });
}

void Starter::fail(const std::string& id, const Failure& failure, const std::string& gpu)
{
    m_results.push_back(
        {{"trial", id}, {"kind", failure.kind}, {"message", failure.message}, {"detail", failure.detail}});
    if (!gpu.empty())
        m_results.back()["gpu"] = gpu;
}

void Starter::start(const nlohmann::json& specs)
{
    Failure none; // removed meanwhile; if it cannot be made each keeper reports why
    if (!existsAt(AT_FDCWD, m_agent.places.trials().c_str()))
        (void)makeOwnFolder(m_agent.places.base, m_agent.places.trials(), none);
    for (const nlohmann::json& spec : specs) {
        Waiting waiting;
        Failure failure;
        waiting.id = spec.is_object() ? textOf(spec, "id") : std::string();
        if (isStarting(waiting.id))
            continue; // it is on its way; its one result answers both
        if (!makeLaunch(spec, m_agent.places, m_agent.shell, m_agent.environment, waiting.launch, failure)) {
            fail(waiting.id, failure);
            continue;
        }
        const nlohmann::json& code = spec.contains("code") ? spec["code"] : nlohmann::json();
        if (code.is_object() && textOf(code, "kind") == codeKind::archive && !m_code.claim(textOf(code, "sha"))) {
            // A clean-up may have removed it: the client uploads it again and repeats the start.
            fail(waiting.id, {"resource", "The trial's code is not on this machine any more.", {}});
            continue;
        }
        waiting.launch.spec = toText(spec);
        waiting.launch.openFiles = m_agent.openFiles;
        waiting.mode = stdoutModeOf(spec);
        m_byId.insert(waiting.id);
        m_queue.push_back(std::move(waiting));
    }
}

bool Starter::pump()
{
    for (int i = 0; i < spawnsPerTurn && !m_queue.empty() && m_inFlight.size() < m_maxInFlight; ++i) {
        Waiting waiting = std::move(m_queue.front());
        m_queue.pop_front();
        spawn(std::move(waiting));
    }
    while (!m_results.empty()) {
        nlohmann::json part = nlohmann::json::array();
        for (int i = 0; i < resultsPerFrame && !m_results.empty(); ++i) {
            part.push_back(std::move(m_results.front()));
            m_results.pop_front();
        }
        m_agent.out.control({{message::name, message::started}, {"results", std::move(part)}});
    }
    return !m_queue.empty() && m_inFlight.size() < m_maxInFlight;
}

void Starter::spawn(Waiting waiting)
{
    const std::int64_t now = steadyMs();
    if (now - m_oomReadAt > 500) {
        m_oomKills = oomKills();
        m_oomReadAt = now;
    }
    waiting.launch.oomKills = m_oomKills;
    const std::uint32_t ticket = m_nextTicket++;
    const std::string id = waiting.id;
    waiting.keeper = startKeeper(m_agent.children, m_agent.places, waiting.launch, ticket, m_reportsWrite.get(),
        [this, ticket, id](pid_t keeper) { keeperEnded(ticket, id, keeper); });
    if (waiting.keeper < 0) {
        const int error = errno;
        m_byId.erase(id);
        fail(id,
            {errorKind(error), hasProc() ? "A keeper for the trial cannot be started." : procMissing,
                errorText(error)});
        return;
    }
    waiting.gpuLocks = std::move(waiting.launch.gpuLocks);
    waiting.launch = {};
    m_inFlight.emplace(ticket, std::move(waiting));
}

void Starter::readReports()
{
    alignas(StartReport) char buffer[sizeof(StartReport) * 16];
    for (;;) {
        // Writes below PIPE_BUF are whole, so reads of a multiple of their size are, too.
        const ssize_t got = ::read(m_reports.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        for (ssize_t at = 0; at + ssize_t(sizeof(StartReport)) <= got; at += ssize_t(sizeof(StartReport)))
            take(*reinterpret_cast<const StartReport*>(buffer + at));
        if (got < ssize_t(sizeof buffer))
            return;
    }
}

void Starter::take(const StartReport& report)
{
    const auto found = m_inFlight.find(report.ticket);
    if (found == m_inFlight.end())
        return;
    const Waiting waiting = std::move(found->second);
    m_inFlight.erase(found);
    m_byId.erase(waiting.id);
    switch (report.result) {
    case StartReport::Result::Started:
        m_results.push_back({{"trial", waiting.id}, {"pid", report.pid}, {"time", report.time}, {"repeat", false}});
        m_trials.started(waiting.id, waiting.keeper, waiting.mode);
        if (waiting.keeperEnded)
            m_trials.keeperEnded(waiting.id, waiting.keeper);
        break;
    case StartReport::Result::Repeat:
        m_results.push_back({{"trial", waiting.id}, {"repeat", true}});
        break;
    default:
        fail(waiting.id, {report.kind, report.message, report.detail},
            report.gpuLock > 0 && std::size_t(report.gpuLock) <= waiting.gpuLocks.size()
                ? waiting.gpuLocks[std::size_t(report.gpuLock) - 1]
                : std::string());
        answerCancels(waiting, false);
        return;
    }
    answerCancels(waiting, true);
}

void Starter::answerCancels(const Waiting& waiting, bool isThere)
{
    if (waiting.cancels == 0)
        return;
    Failure failure;
    const std::string state = isThere
        ? m_trials.cancel(waiting.id, waiting.cancelIntent, waiting.cancelGraceMs, failure)
        : std::string(word(OnDisk::unknown));
    nlohmann::json results = nlohmann::json::array();
    for (int i = 0; i < waiting.cancels; ++i)
        results.push_back(cancelResult(waiting.id, state, failure));
    m_agent.out.control({{message::name, message::cancelled}, {"results", std::move(results)}});
}

void Starter::keeperEnded(std::uint32_t ticket, const std::string& id, pid_t keeper)
{
    readReports();
    if (const auto waiting = m_inFlight.find(ticket); waiting != m_inFlight.end()) {
        // It ended without a word. If the token is there something may run: then it counts as started before.
        waiting->second.keeperEnded = true;
        StartReport report;
        report.ticket = ticket;
        const OnDisk state = m_trials.stateOnDisk(id);
        if (state == OnDisk::starting) {
            // Its wrapper lives and has not decided yet.
            m_agent.loop.after(undecidedMs, [this, ticket, id, keeper] { this->keeperEnded(ticket, id, keeper); });
            return;
        }
        if (state == OnDisk::running || state == OnDisk::ended) {
            report.result = StartReport::Result::Repeat;
        } else {
            std::snprintf(report.kind, sizeof report.kind, "platform");
            std::snprintf(
                report.message, sizeof report.message, "The trial's keeper was killed before it started the command.");
        }
        take(report);
        return;
    }
    m_trials.keeperEnded(id, keeper);
}

Starter::Cancelled Starter::cancel(const std::string& id, const std::string& intent, int graceMs)
{
    const auto queued =
        std::find_if(m_queue.begin(), m_queue.end(), [&](const Waiting& waiting) { return waiting.id == id; });
    if (queued != m_queue.end()) {
        m_queue.erase(queued);
        m_byId.erase(id);
        fail(id, {"cancelled", "The trial was cancelled before it started.", {}});
        return Cancelled::Removed;
    }
    for (auto& [ticket, waiting] : m_inFlight) {
        if (waiting.id == id) {
            if (waiting.cancels++ == 0) { // the first intent stands
                waiting.cancelIntent = intent;
                waiting.cancelGraceMs = graceMs;
            }
            return Cancelled::WhenStarted;
        }
    }
    return Cancelled::NotHere;
}

} // namespace trialkeeper
