// SPDX-License-Identifier: GPL-3.0-or-later
#include "removal.h"

#include "app/trialkeeper/base/gpu_locks.h"
#include "app/trialkeeper/base/lock.h"
#include "app/trialkeeper/base/proc.h"
#include "app/trialkeeper/trial/adopt.h"
#include "services/wire/names.h"
#include "services/wire/protocol.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr const char* removedPrefix = ".removed-";
constexpr const char* agents = "bin"; ///< of the base folder: a folder for each program, as bootstraps put them
constexpr std::int64_t unusedAfterSeconds = 30 * 24 * 3600;
constexpr std::size_t maxFailures = 2000; ///< in one reply; the rest is reported by the next request

/// The code that a trial was started with, if it was sent here.
std::string codeOf(int trials, const std::string& id)
{
    std::string text;
    if (!readFileAt(trials, (id + "/spec.json").c_str(), text, 16 << 20))
        return {};
    const nlohmann::json spec = nlohmann::json::parse(text, nullptr, false);
    if (!spec.is_object() || !spec.contains("code") || !spec["code"].is_object())
        return {};
    const nlohmann::json& code = spec["code"];
    const auto sha = code.find("sha");
    return sha != code.end() && sha->is_string() && isSha256(sha->get<std::string>()) ? sha->get<std::string>()
                                                                                      : std::string();
}

/// `ARCH-SHA256`, as a bootstrap names the folder of an agent.
bool isAgentFolder(std::string_view name)
{
    const std::size_t dash = name.rfind('-');
    return dash != std::string_view::npos && dash > 0 && isSha256(name.substr(dash + 1));
}

} // namespace

bool Removal::lives(const std::string& id) const
{
    const OnDisk state = m_trials.stateOnDisk(id);
    if (state == OnDisk::starting || state == OnDisk::running)
        return true;
    const Fd folder = openFolder(AT_FDCWD, m_agent.places.trial(id).c_str());
    ProcessIdentity keeper;
    return folder && keeperLives(folder.get(), keeper) && isAlive(keeper) && keeper.pid != ::getpid()
        && !existsAt(folder.get(), "exit");
}

void Removal::removeTrials(std::int64_t req, const std::vector<std::string>& ids)
{
    std::vector<std::string> paths;
    std::vector<Refused> refused;
    std::set<std::string> shas;
    bool isMissing = false; // an earlier request may be deleting it
    const Fd trials = openFolder(AT_FDCWD, m_agent.places.trials().c_str());
    for (const std::string& id : ids) {
        if (!isSafeId(id)) {
            refused.push_back({id, "This is not the id of a trial."});
            continue;
        }
        if (lives(id)) {
            refused.push_back({id, "The trial is running."});
            continue;
        }
        m_trials.forget(id);
        const std::string sha = codeOf(trials.get(), id);
        const std::string gone = m_agent.places.trials() + '/' + removedPrefix + id + '-' + std::to_string(nowMs());
        if (::rename(m_agent.places.trial(id).c_str(), gone.c_str()) == 0) {
            paths.push_back(gone);
            if (!sha.empty())
                shas.insert(sha);
        } else if (errno == ENOENT) {
            isMissing = true;
        } else {
            refused.push_back({id, errorText(errno)});
        }
    }
    for (std::string& path : unusedCode(std::move(shas)))
        paths.push_back(std::move(path));
    erase(req, paths, refused, false, isMissing);
}

std::vector<std::string> Removal::unusedCode(std::set<std::string> shas)
{
    if (shas.empty() || isStarting())
        return {};
    const Fd trials = openFolder(AT_FDCWD, m_agent.places.trials().c_str());
    if (!trials)
        return {};
    (void)forEachEntry(trials.get(), [&](const char* name, unsigned char) {
        if (isSafeId(name))
            shas.erase(codeOf(trials.get(), name));
        return !shas.empty();
    });
    std::vector<std::string> paths;
    for (const std::string& sha : shas) {
        for (std::string& path : m_code.unclaim(sha))
            paths.push_back(std::move(path));
    }
    return paths;
}

std::vector<std::string> Removal::unusedAgents() const
{
    // Only where agents lie beside each other as bootstraps put them; ours is marked as used today.
    char program[4096];
    const ssize_t size = ::readlink(ownProgram, program, sizeof program);
    char* real = ::realpath((m_agent.places.base + '/' + agents).c_str(), nullptr);
    const std::string bin = real ? real : "";
    std::free(real);
    const std::string own(program, std::size_t(std::max<ssize_t>(size, 0)));
    const Fd folder = bin.empty() ? Fd() : openFolder(AT_FDCWD, bin.c_str());
    if (!folder || !own.starts_with(bin + '/'))
        return {};
    const std::string ownName = own.substr(bin.size() + 1, own.find('/', bin.size() + 1) - bin.size() - 1);
    (void)::utimensat(folder.get(), ownName.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
    std::vector<std::string> paths;
    (void)forEachEntry(folder.get(), [&](const char* name, unsigned char) {
        struct stat info
        {
        };
        if (name != ownName && isAgentFolder(name) && ::fstatat(folder.get(), name, &info, AT_SYMLINK_NOFOLLOW) == 0
            && S_ISDIR(info.st_mode) && info.st_mtime < nowMs() / 1000 - unusedAfterSeconds)
            paths.push_back(bin + '/' + name);
        return true;
    });
    return paths;
}

void Removal::removeAll(std::int64_t req)
{
    std::vector<std::string> ids;
    if (const Fd folder = openFolder(AT_FDCWD, m_agent.places.trials().c_str())) {
        (void)forEachEntry(folder.get(), [&](const char* name, unsigned char) {
            ids.emplace_back(name);
            return true;
        });
    }
    std::vector<Refused> refused;
    for (const std::string& id : ids) {
        if (isSafeId(id) && lives(id))
            refused.push_back({id, "The trial is running."});
    }
    if (!refused.empty()) {
        erase(req, {}, refused, false);
        return;
    }
    for (const std::string& id : ids)
        m_trials.forget(id);
    std::vector<std::string> paths = m_code.unclaim({});
    paths.push_back(m_agent.places.own());
    erase(req, paths, {}, true, true);
}

void Removal::removeCode(std::int64_t req, const std::vector<std::string>& shas)
{
    std::vector<std::string> paths;
    std::vector<Refused> refused;
    for (const std::string& sha : shas) {
        if (!isSha256(sha)) {
            refused.push_back({sha, "This is not a SHA-256."});
            continue;
        }
        for (std::string& path : m_code.unclaim(sha))
            paths.push_back(std::move(path));
    }
    erase(req, paths, refused, false, true);
}

void Removal::erase(
    std::int64_t req, const std::vector<std::string>& paths, const std::vector<Refused>& refused, bool all, bool behind)
{
    nlohmann::json failed = nlohmann::json::array();
    for (const Refused& each : refused) {
        if (failed.size() < maxFailures)
            failed.push_back({{"id", each.id}, {"message", each.message}});
    }
    if (paths.empty()) {
        if (req >= 0)
            reply(req, std::move(failed), behind);
        return;
    }
    const std::uint64_t number = ++m_lastJob;
    m_jobs.insert(number);
    Children::Job job;
    job.program = ownProgram;
    job.arguments = {"trialkeeper", "erase"};
    for (const std::string& path : paths)
        job.input += path + '\n';
    m_agent.children.run(
        std::move(job), [this, number, req, failed, all, behind](const Children::Outcome& outcome) mutable {
            if (outcome.startError != 0)
                failed.push_back({{"id", ""}, {"message", errorText(outcome.startError)}});
            for (std::size_t begin = 0; begin < outcome.output.size() && failed.size() < maxFailures;) {
                const std::size_t end = std::min(outcome.output.find('\n', begin), outcome.output.size());
                const std::string line = outcome.output.substr(begin, end - begin);
                const std::size_t tab = std::min(line.find('\t'), line.size());
                failed.push_back(
                    {{"id", line.substr(0, tab)}, {"message", line.substr(std::min(tab + 1, line.size()))}});
                begin = end + 1;
            }
            if (all) {
                removeBase();
                removeUnusedGpuLocks(m_agent.places.serviceId);
            }
            ended(number);
            if (req >= 0)
                reply(req, std::move(failed), behind);
        });
}

void Removal::removeBase() const
{
    // What is empty now goes too; what another service or machine still uses is not empty, and stays.
    const std::string& base = m_agent.places.base;
    ::rmdir((base + '/' + m_agent.places.serviceId).c_str());
    ::rmdir(m_agent.places.code().c_str());
    const Fd folder = openFolder(AT_FDCWD, base.c_str());
    if (!folder)
        return;
    bool others = false;
    std::vector<std::string> leftovers; // of an agent that was killed here
    (void)forEachEntry(folder.get(), [&](const char* name, unsigned char) {
        if (std::string_view(name).starts_with(removedPrefix))
            leftovers.emplace_back(name);
        else
            others = others || std::string_view(name) != agents;
        return true;
    });
    // A login that has found the program and runs its preCommand has made no folder yet. One that begins after the rename finds no program
    // and sends its own; one that began just before the rename is found by the second look.
    if (others || isInAShellsCommand(agentStart))
        return;
    const std::string gone = std::string(removedPrefix) + agents + '-' + std::to_string(::getpid());
    if (::renameat(folder.get(), agents, folder.get(), gone.c_str()) == 0
        && (!isInAShellsCommand(agentStart) || ::renameat(folder.get(), gone.c_str(), folder.get(), agents) != 0))
        leftovers.push_back(gone);
    for (const std::string& name : leftovers)
        (void)removeTree(folder.get(), name.c_str());
    ::rmdir(base.c_str());
}

void Removal::reply(std::int64_t req, nlohmann::json failed, bool behind)
{
    nlohmann::json message = {{message::name, message::removed}, {"req", req}, {"failed", std::move(failed)}};
    if (behind && !m_jobs.empty())
        m_held.push_back({std::move(message), m_jobs});
    else
        m_agent.out.control(message);
}

void Removal::ended(std::uint64_t job)
{
    m_jobs.erase(job);
    std::erase_if(m_held, [&](Held& held) {
        held.behind.erase(job);
        if (held.behind.empty())
            m_agent.out.control(held.message);
        return held.behind.empty();
    });
}

void Removal::sweep()
{
    std::vector<std::string> paths = unusedAgents();
    for (std::string& path : m_code.leftovers())
        paths.push_back(std::move(path));
    if (const Fd folder = openFolder(AT_FDCWD, m_agent.places.trials().c_str())) {
        (void)forEachEntry(folder.get(), [&](const char* name, unsigned char) {
            if (std::string_view(name).starts_with(removedPrefix))
                paths.push_back(m_agent.places.trials() + '/' + name);
            return true;
        });
    }
    erase(-1, paths, {}, false);
}

int eraseListed()
{
    std::string text;
    char buffer[4096];
    ssize_t got = 0;
    while ((got = ::read(0, buffer, sizeof buffer)) > 0)
        text.append(buffer, std::size_t(got));
    int status = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string path = text.substr(begin, end - begin);
        begin = end + 1;
        if (path.empty() || removeTree(AT_FDCWD, path.c_str()))
            continue;
        status = 1;
        std::printf("%s\t%s\n", path.c_str(), errorText(errno).c_str());
    }
    return status;
}

} // namespace trialkeeper
