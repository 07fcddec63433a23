// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_server.h"

#include "agent_claim.h"
#include "code_store.h"
#include "probe.h"
#include "reads.h"
#include "removal.h"
#include "starter.h"
#include "trials.h"

#include "app/trialkeeper/base/io.h"
#include "app/trialkeeper/base/own_folders.h"
#include "app/trialkeeper/base/proc.h"
#include "services/wire/frame.h"
#include "services/wire/names.h"
#include "services/wire/protocol.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iterator>
#include <set>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char** environ;

namespace trialkeeper {

namespace {

using nlohmann::json;

constexpr std::size_t entriesPerFrame = 4000; ///< an entry has an id (maxId) and a state

class AgentServer
{
public:
    AgentServer(const std::string& base, int in, int out)
        : m_agent(out)
        , m_trials(m_agent)
        , m_code(m_agent)
        , m_starter(m_agent, m_trials, m_code)
        , m_reads(m_agent, m_trials)
        , m_removal(m_agent, m_trials, m_code)
        , m_probe(m_agent)
        , m_in(in)
    {
        m_agent.places.base = base;
        for (const char* shell : {"/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"}) {
            if (m_agent.shell.empty() && ::access(shell, X_OK) == 0)
                m_agent.shell = shell;
        }
        for (char** pair = environ; *pair; ++pair)
            m_agent.environment.emplace_back(*pair);
        m_trials.onEnded = [this](const std::string& id) { m_reads.trialEnded(id); };
        m_removal.isStarting = [this] { return m_starter.isStarting(); };
        m_agent.children.onTerminate = [this] { m_agent.loop.stop(); };
    }

    int run()
    {
        rlimit files{};
        if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
            m_agent.openFiles = files.rlim_cur;
            files.rlim_cur = files.rlim_max;
            ::setrlimit(RLIMIT_NOFILE, &files);
        }
        ::fcntl(m_in, F_SETFL, ::fcntl(m_in, F_GETFL) | O_NONBLOCK);
        if (!m_agent.loop.watch(m_in, EPOLLIN, [this](std::uint32_t) { readInput(); }))
            return 0; // a file or /dev/null: there is no peer
        m_agent.loop.addPump([this] { return m_starter.pump(); });
        m_agent.loop.addPump([this] { return m_trials.pump(); });
        m_agent.loop.addPump([this] { return m_reads.pump(); });
        m_agent.loop.addPump([this] { return m_agent.out.flush(); });
        m_agent.loop.run();
        m_agent.children.killJobs();
        if (m_refused)
            m_agent.out.drain();
        return m_refused ? 1 : 0;
    }

private:
    void readInput()
    {
        // A bounded amount a turn: a long upload must not keep the streams waiting.
        static char buffer[65536];
        const ssize_t got = ::read(m_in, buffer, sizeof buffer);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (got <= 0) {
            m_agent.loop.stop();
            return;
        }
        m_decoder.feed({buffer, std::size_t(got)});
        FrameView frame;
        FrameDecoder::Status status = FrameDecoder::Status::NeedMore;
        while (!m_refused && (status = m_decoder.next(frame)) == FrameDecoder::Status::Frame) {
            const json request = parseMessage(frame.json);
            if (!request.is_object()) {
                status = FrameDecoder::Status::Error;
                break;
            }
            handle(request, frame.raw);
        }
        if (status == FrameDecoder::Status::Error) {
            std::fprintf(stderr, "trialkeeper: the input is damaged\n");
            refuse({{message::name, message::failed}, {"re", ""}, {"kind", "invalid"},
                {"message", "The connection carried something that is no message."}});
        }
    }

    void refuse(const json& reply)
    {
        m_agent.out.control(reply);
        m_refused = true;
        m_agent.loop.stop();
    }

    void handle(const json& request, std::string_view raw)
    {
        const std::string name = textOf(request, message::name);
        if (!m_greeted) {
            if (name == message::hello)
                hello(request);
            else
                refuse({{message::name, message::failed}, {"re", name}, {"kind", "invalid"},
                    {"message", "The first message must be hello."}});
            return;
        }
        struct Entry
        {
            const char* name;
            void (AgentServer::*call)(const json&, std::string_view);
        };
        static constexpr Entry entries[] = {
            {message::adopt, &AgentServer::adopt},
            {message::has, &AgentServer::has},
            {message::put, &AgentServer::put},
            {message::removeCode, &AgentServer::removeCode},
            {message::start, &AgentServer::start},
            {message::cancel, &AgentServer::cancel},
            {message::parameter, &AgentServer::parameter},
            {message::read, &AgentServer::read},
            {message::readStop, &AgentServer::readStop},
            {message::list, &AgentServer::list},
            {message::gpu, &AgentServer::gpu},
            {message::host, &AgentServer::load},
            {message::doctor, &AgentServer::doctor},
            {message::remove, &AgentServer::remove},
            {message::forget, &AgentServer::forget},
            {message::ping, &AgentServer::ping},
        };
        for (const Entry& entry : entries) {
            if (name == entry.name) {
                (this->*entry.call)(request, raw);
                return;
            }
        }
        json reply = {{message::name, message::failed}, {"re", name}, {"kind", "invalid"},
            {"message", "The agent does not know this message."}};
        if (request.contains("req"))
            reply["req"] = request["req"];
        m_agent.out.control(reply);
    }

    void failed(const char* re, const json& request, const Failure& failure)
    {
        m_agent.out.control({{message::name, message::failed}, {"re", re}, {"req", numberOf(request, "req", -1)},
            {"kind", failure.kind}, {"message", failure.message}, {"detail", failure.detail}});
    }

    void hello(const json& request)
    {
        const auto fail = [&](const char* kind, const std::string& text) {
            refuse({{message::name, message::helloFailed}, {"version", protocolVersion}, {"kind", kind},
                {"message", text}});
        };
        m_agent.places.serviceId = textOf(request, "serviceId");
        m_agent.places.machineId = textOf(request, "machineId");
        if (numberOf(request, "version", 0) != protocolVersion)
            return fail("invalid", "The agent speaks version " + std::to_string(protocolVersion) + " of the protocol.");
        if (!isSafeId(m_agent.places.serviceId) || !isSafeId(m_agent.places.machineId))
            return fail("invalid", "The id of the service or of the machine is not usable as the name of a folder.");
        Failure failure;
        for (const std::string& folder : {m_agent.places.trials(), m_agent.places.code()}) {
            if (!makeOwnFolder(m_agent.places.base, folder, failure))
                return fail(failure.kind.c_str(), failure.message);
        }
        spreadFoldersIn(m_agent.places.trials());
        if (!m_claim.take(m_agent.places.own()))
            return fail("conflict", "Another agent of this service works on the machine and does not end.");
        m_greeted = true;
        m_removal.sweep();

        json states = adoptAll(request);
        std::set<std::string> named;
        for (const json& state : states)
            named.insert(state["id"].get<std::string>());
        std::int64_t ended = 0;
        if (const Fd folder = openFolder(AT_FDCWD, m_agent.places.trials().c_str())) {
            (void)forEachEntry(folder.get(), [&](const char* name, unsigned char) {
                if (!isSafeId(name) || named.count(name) > 0)
                    return true;
                // Ten thousand ended trials are one look at each.
                if (existsAt(folder.get(), (std::string(name) + "/exit").c_str()))
                    ++ended;
                else
                    states.push_back({{"id", name}, {"state", word(m_trials.stateOnDisk(name))}});
                return true;
            });
        }
        utsname system{};
        ::uname(&system);
        const char* user = ::getenv("USER");
        const char* home = ::getenv("HOME");
        m_agent.out.control({{message::name, message::hello}, {"version", protocolVersion}, {"arch", system.machine},
            {"bootId", bootId()}, {"hostname", system.nodename}, {"user", user ? user : ""}, {"home", home ? home : ""},
            {"base", m_agent.places.base}, {"shell", m_agent.shell}, {"cpuCount", cpuCount()},
            {"memoryTotal", memoryOfMachine().first}, {"time", nowMs()}, {"ended", ended},
            {"trials", firstOf(states)}});
        if (!states.empty())
            sendInParts(message::adopted, "trials", std::move(states));
    }

    /// Takes the first entries out of a list, as many as one frame surely holds.
    static json firstOf(json& list)
    {
        json part = json::array();
        const auto count = std::ptrdiff_t(std::min<std::size_t>(list.size(), entriesPerFrame));
        std::move(list.begin(), list.begin() + count, std::back_inserter(part));
        list.erase(list.begin(), list.begin() + count);
        return part;
    }

    void sendInParts(const char* name, const char* member, json list)
    {
        do {
            m_agent.out.control({{message::name, name}, {member, firstOf(list)}});
        } while (!list.empty());
    }

    json adoptAll(const json& request)
    {
        json states = json::array();
        const auto trials = request.find("trials");
        if (trials == request.end() || !trials->is_array())
            return states;
        for (const json& trial : *trials) {
            if (!trial.is_object())
                continue;
            const std::string id = textOf(trial, "id");
            Cursors cursors;
            if (const auto given = trial.find("cursors"); given != trial.end() && given->is_object()) {
                const auto cursor = [&](const char* name) {
                    return std::uint64_t(std::max<std::int64_t>(0, numberOf(*given, name, 0)));
                };
                cursors = {cursor("nni"), cursor("file"), cursor("stdout"), cursor("journal")};
            }
            states.push_back({{"id", id}, {"state", word(m_trials.adopt(id, cursors))}});
        }
        return states;
    }

    void adopt(const json& request, std::string_view) { sendInParts(message::adopted, "trials", adoptAll(request)); }

    void has(const json& request, std::string_view) { m_code.has(textOf(request, "sha")); }
    void put(const json& request, std::string_view raw) { m_code.put(request, raw); }
    void removeCode(const json& request, std::string_view)
    {
        m_removal.removeCode(numberOf(request, "req", -1), textsOf(request, "shas"));
    }

    void start(const json& request, std::string_view)
    {
        const auto trials = request.find("trials");
        if (trials == request.end() || !trials->is_array())
            return failed(message::start, request, {"invalid", "The message start has no trials.", {}});
        m_starter.start(*trials);
    }

    void cancel(const json& request, std::string_view)
    {
        const std::string why = textOf(request, "intent", intent::user);
        if (why != intent::user && why != intent::early && why != intent::system)
            return failed(message::cancel, request, {"invalid", "The intent of the cancel is not known.", {}});
        const int grace = int(std::clamp<std::int64_t>(numberOf(request, "graceMs", ownGrace), ownGrace, 3600 * 1000));
        json results = json::array();
        for (const std::string& id : textsOf(request, "trials")) {
            Failure failure;
            const Starter::Cancelled early = m_starter.cancel(id, why, grace);
            if (early == Starter::Cancelled::WhenStarted)
                continue;
            const std::string state =
                early == Starter::Cancelled::Removed ? "ended" : m_trials.cancel(id, why, grace, failure);
            results.push_back(cancelResult(id, state, failure));
        }
        if (!results.empty())
            sendInParts(message::cancelled, "results", std::move(results));
    }

    void parameter(const json& request, std::string_view)
    {
        const std::string id = textOf(request, "trial");
        const std::int64_t index = numberOf(request, "index", -1);
        if (!isSafeId(id) || index < 0 || index > 1000000000)
            return failed(message::parameter, request, {"invalid", "This is not a trial's parameter.", {}});
        const Fd folder = openFolder(AT_FDCWD, m_agent.places.trial(id).c_str());
        const std::string name = index == 0 ? "parameter.cfg" : "parameter_" + std::to_string(index) + ".cfg";
        if (!folder || !replaceFileAt(folder.get(), name.c_str(), textOf(request, "text"))) {
            const int error = errno;
            return failed(
                message::parameter, request, {errorKind(error), "The parameter cannot be written.", errorText(error)});
        }
        m_agent.out.control({{message::name, message::parameterDone}, {"req", numberOf(request, "req", -1)}});
    }

    void read(const json& request, std::string_view) { m_reads.read(request); }
    void readStop(const json& request, std::string_view) { m_reads.stop(numberOf(request, "req", -1)); }
    void list(const json& request, std::string_view) { m_reads.list(request); }
    void gpu(const json& request, std::string_view) { m_probe.setGpuInterval(interval(request)); }
    void load(const json& request, std::string_view) { m_probe.setHostInterval(interval(request)); }

    static int interval(const json& request)
    {
        const std::int64_t ms = numberOf(request, "intervalMs", 0);
        return ms <= 0 ? 0 : int(std::clamp<std::int64_t>(ms, 100, 86400000));
    }

    void doctor(const json& request, std::string_view)
    {
        const std::int64_t req = numberOf(request, "req", -1);
        Children::Job job;
        job.program = ownProgram;
        job.arguments = {"trialkeeper", "doctor", m_agent.places.base};
        job.timeoutMs = 60000;
        job.onLine = [this, req](std::string_view line) {
            json finding = parseMessage(line);
            if (!finding.is_object())
                return;
            finding[message::name] = message::finding;
            finding["req"] = req;
            m_agent.out.control(finding);
        };
        m_agent.children.run(std::move(job), [this, req](const Children::Outcome& outcome) {
            const auto tell = [this, req](
                                  const char* id, const char* title, const std::string& detail, const char* remedy) {
                m_agent.out.control({{message::name, message::finding}, {"req", req}, {"id", id}, {"title", title},
                    {"state", "fail"}, {"detail", detail}, {"remedy", remedy}});
            };
            if (outcome.timedOut)
                tell("timeout", "The check", "It did not end within 60 seconds.",
                    "A file system or a driver of the machine hangs.");
            else if (outcome.startError != 0 && !hasProc())
                tell("proc", "Processes", procMissing, procRemedy);
            else if (outcome.startError != 0)
                tell("doctor", "The check", "It cannot be started: " + errorText(outcome.startError) + ".",
                    "End some processes of this account, or let it have more (ulimit -u).");
            m_agent.out.control({{message::name, message::doctorDone}, {"req", req}});
        });
    }

    void remove(const json& request, std::string_view)
    {
        const std::int64_t req = numberOf(request, "req", -1);
        if (flagOf(request, "all"))
            m_removal.removeAll(req);
        else
            m_removal.removeTrials(req, textsOf(request, "trials"));
    }

    void forget(const json& request, std::string_view)
    {
        for (const std::string& id : textsOf(request, "trials"))
            m_trials.forget(id);
    }

    void ping(const json& request, std::string_view)
    {
        m_agent.out.control({{message::name, message::pong}, {"req", numberOf(request, "req", -1)}, {"time", nowMs()}});
    }

    Agent m_agent;
    Trials m_trials;
    CodeStore m_code;
    Starter m_starter;
    Reads m_reads;
    Removal m_removal;
    Probe m_probe;
    AgentClaim m_claim;
    FrameDecoder m_decoder;
    int m_in;
    bool m_greeted = false;
    bool m_refused = false;
};

} // namespace

int runHost(const char* base)
{
    std::string path(base);
    if (path.empty() || path.find('\n') != std::string::npos) {
        std::fprintf(stderr, "trialkeeper: the folder's name is not usable\n");
        return 2;
    }
    if (path.front() != '/') {
        char* here = ::getcwd(nullptr, 0);
        if (!here)
            return 2;
        path = std::string(here) + '/' + path;
        std::free(here);
    }
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    // What our own starter has left open is not passed on: a keeper would hold it for as long as its trial runs.
    closeOnExecFrom(3);
    // Descriptors below 10 are those of keepers (launch.h): ours stay above, so that handing them over overwrites none.
    for (int fd = 0; fd >= 0 && fd < 9;)
        fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (::chdir("/") != 0)
        return 2;
    AgentServer host(path, 0, 1);
    return host.run();
}

} // namespace trialkeeper
