// SPDX-License-Identifier: GPL-3.0-or-later
#include "reads.h"

#include "listing.h"

#include "services/wire/names.h"
#include "services/wire/protocol.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trialkeeper {

Reads::Reads(Agent& agent, Trials& trials)
    : m_agent(agent)
    , m_trials(trials)
    , m_buffer(maxRaw, '\0')
{
}

void Reads::fail(std::int64_t req, const std::string& kind, const std::string& text)
{
    m_agent.out.control({{message::name, message::readFailed}, {"req", req}, {"kind", kind}, {"message", text}});
}

void Reads::read(const nlohmann::json& message)
{
    const std::int64_t req = numberOf(message, "req", -1);
    Request request;
    request.trial = textOf(message, "trial");
    request.path = textOf(message, "name");
    if (request.path == "trial.log")
        request.path = "output/trial.log";
    request.offset = numberOf(message, "offset", 0);
    request.left = std::uint64_t(std::max<std::int64_t>(0, numberOf(message, "limit", INT64_MAX)));
    request.follow = flagOf(message, "follow");
    if (!isSafeId(request.trial) || !isSafeRelativePath(request.path)) {
        fail(req, "invalid", "This is not the name of a trial's file.");
        return;
    }
    if (!existsAt(AT_FDCWD, m_agent.places.trial(request.trial).c_str())) {
        fail(req, "not_found", "The machine has no files of this trial.");
        return;
    }
    stop(req);
    m_requests[req] = std::move(request);
    ready(req);
}

void Reads::ready(std::int64_t req)
{
    const auto found = m_requests.find(req);
    if (found != m_requests.end() && !std::exchange(found->second.queued, true))
        m_ready.push_back(req);
}

void Reads::end(std::int64_t req)
{
    const auto found = m_requests.find(req);
    if (found == m_requests.end())
        return;
    m_agent.watcher.remove(found->second.watch);
    m_requests.erase(found);
}

void Reads::stop(std::int64_t req)
{
    end(req);
}

void Reads::trialEnded(const std::string& id)
{
    for (const auto& [req, request] : m_requests) {
        if (request.trial == id)
            ready(req);
    }
}

void Reads::watch(std::int64_t req, Request& request)
{
    if (request.watch != 0)
        return;
    request.watch =
        m_agent.watcher.add(m_agent.places.trial(request.trial) + '/' + request.path, [this, req] { ready(req); });
    ready(req); // what came before the watch stood
}

bool Reads::step(std::int64_t req, Request& request, bool& more)
{
    more = false;
    const OnDisk state = m_trials.stateOnDisk(request.trial);
    const bool ended = state != OnDisk::starting && state != OnDisk::running && !m_trials.isWatched(request.trial);
    const Fd folder = openFolder(AT_FDCWD, m_agent.places.trial(request.trial).c_str());
    const Fd file = folder ? openBeneath(folder.get(), request.path, O_RDONLY | O_NONBLOCK) : Fd();
    const int error = errno;
    if (!file && error == ENOENT && request.follow && !ended) {
        watch(req, request);
        return true;
    }
    if (!file) {
        if (error == ENOENT)
            fail(req, "not_found", "The trial has no such file.");
        else if (error == EXDEV || error == ELOOP)
            fail(req, "invalid", "The file lies outside the trial's folder.");
        else
            fail(req, errorKind(error), "The file cannot be read: " + errorText(error) + ".");
        return false;
    }
    const std::optional<FileState> info = fileState(file.get());
    if (!info || !info->isRegular) {
        fail(req, "invalid", "This is not a file that can be read.");
        return false;
    }
    const auto size = std::int64_t(info->size);
    if (request.offset < 0)
        request.offset = std::max<std::int64_t>(0, size + request.offset);
    else if (request.follow && request.file.inode != 0 && (request.file != info->identity || size < request.offset))
        request.offset = 0;
    request.file = info->identity;
    const std::size_t want = std::size_t(std::min<std::uint64_t>(request.left, maxRaw));
    const ssize_t got = want == 0 ? 0 : ::pread(file.get(), m_buffer.data(), want, request.offset);
    if (got < 0) {
        fail(req, errorKind(errno), "The file cannot be read: " + errorText(errno) + ".");
        return false;
    }
    const std::int64_t offset = request.offset;
    request.offset += got;
    request.left -= std::uint64_t(got);
    const bool atEnd = request.offset >= size || got == 0;
    const bool last = request.left == 0 || (atEnd && (!request.follow || ended));
    if (got > 0 || last) {
        char json[200];
        const int length = std::snprintf(json, sizeof json,
            "{\"m\":\"data\",\"req\":%" PRId64 ",\"offset\":%" PRId64 ",\"size\":%" PRId64 ",\"eof\":%s}", req, offset,
            std::max(size, request.offset), last ? "true" : "false");
        m_agent.out.read({json, std::size_t(length)}, {m_buffer.data(), std::size_t(got)});
    }
    if (last)
        return false;
    more = !atEnd;
    if (request.follow)
        watch(req, request);
    return true;
}

bool Reads::pump()
{
    for (int i = 0; i < 16 && !m_ready.empty() && m_agent.out.mayRead(); ++i) {
        const std::int64_t req = m_ready.front();
        m_ready.pop_front();
        const auto found = m_requests.find(req);
        if (found == m_requests.end())
            continue;
        found->second.queued = false;
        bool more = false;
        if (!step(req, found->second, more))
            end(req);
        else if (more)
            ready(req);
    }
    return !m_ready.empty() && m_agent.out.mayRead();
}

void Reads::list(const nlohmann::json& request)
{
    const std::int64_t req = numberOf(request, "req", -1);
    const std::string trial = textOf(request, "trial");
    const std::string path = textOf(request, "path", "output");
    const Fd folder = isSafeId(trial) ? openFolder(AT_FDCWD, m_agent.places.trial(trial).c_str()) : Fd();
    const Fd start = folder ? openBeneath(folder.get(), path, O_RDONLY | O_DIRECTORY) : Fd();
    const std::string after = textOf(request, "after");
    const bool isCursor = after.empty() || Listing::isCursor(after);
    if (!start || !isCursor) {
        m_agent.out.control({{message::name, message::failed}, {"re", message::list}, {"req", req},
            {"kind", folder && isSafeRelativePath(path) && isCursor ? "not_found" : "invalid"},
            {"message", isCursor ? "The trial has no such folder." : "A list does not go on there."}});
        return;
    }
    const std::int64_t limit = numberOf(request, "limit", maxListEntries);
    Listing listing(start.get(), after, std::size_t(std::clamp<std::int64_t>(limit, 1, maxListEntries)));
    nlohmann::json reply = {{message::name, message::files}, {"req", req}, {"entries", std::move(listing.entries())}};
    if (const std::string next = listing.next(); !next.empty())
        reply["next"] = next;
    m_agent.out.control(reply);
}

} // namespace trialkeeper
