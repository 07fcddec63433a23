// SPDX-License-Identifier: GPL-3.0-or-later
// Measures trialkeeper alone, through its wire: `keeper_bench TRIALKEEPER [FOLDER]` prints one JSON object a line.
#include "tests/app/trialkeeper/agent_process.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

json specOf(const std::string& id, const std::string& command)
{
    return {{"id", id}, {"jobId", id}, {"experimentId", "e"}, {"sequenceId", 1}, {"command", command},
        {"parameterCfg", "{\"parameter_id\": 1}"}, {"parameters", "{}"}, {"code", {{"kind", "none"}}},
        {"platform", "local"}, {"stdoutMode", "none"}};
}

void tell(const json& figures)
{
    std::printf("%s\n", figures.dump().c_str());
    std::fflush(stdout);
}

double cpuOf(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    text = text.substr(text.rfind(')') + 2);
    std::istringstream words(text);
    std::string word;
    double ticks = 0;
    for (int i = 3; words >> word && i <= 15; ++i) {
        if (i >= 14)
            ticks += std::atof(word.c_str());
    }
    return ticks / double(::sysconf(_SC_CLK_TCK));
}

long proportionalKiB(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/smaps_rollup");
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with("Pss:"))
            return std::atol(line.c_str() + 4);
    }
    return 0;
}

long residentKiB(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with("VmRSS:"))
            return std::atol(line.c_str() + 6);
    }
    return 0;
}

std::vector<pid_t> keepersOf(const std::string& folder, bool wrappers)
{
    std::vector<pid_t> found;
    DIR* proc = ::opendir("/proc");
    while (const dirent* entry = ::readdir(proc)) {
        const pid_t pid = std::atoi(entry->d_name);
        if (pid <= 0)
            continue;
        std::ifstream commandFile("/proc/" + std::to_string(pid) + "/cmdline");
        std::ifstream nameFile("/proc/" + std::to_string(pid) + "/comm");
        std::string command((std::istreambuf_iterator<char>(commandFile)), {});
        std::string name;
        std::getline(nameFile, name);
        if (command.find(folder) != std::string::npos && command.starts_with(std::string("trialkeeper\0run", 15))
            && (name == "trialwrapper") == wrappers)
            found.push_back(pid);
    }
    ::closedir(proc);
    return found;
}

void noOpTrials(const std::string& program, const std::string& folder, int count, int parallel)
{
    AgentProcess agent(program, folder);
    agent.start();
    agent.hello();
    const Clock::time_point begin = Clock::now();
    int started = 0;
    int ended = 0;
    std::vector<double> startTimes;
    std::map<std::string, Clock::time_point> sent;
    const auto startOne = [&] {
        const std::string id = "n" + std::to_string(started++);
        sent[id] = Clock::now();
        agent.send({{"m", "start"}, {"trials", json::array({specOf(id, "true")})}});
    };
    while (started < std::min(parallel, count))
        startOne();
    while (ended < count) {
        const AgentMessage message = agent.next();
        if (message.name().empty())
            break;
        if (message.name() == "started") {
            for (const json& result : message.json["results"])
                startTimes.push_back(secondsSince(sent[result["trial"]]) * 1000);
        }
        if (message.name() == "event" && message.json.value("final", false)) {
            ++ended;
            if (started < count)
                startOne();
        }
    }
    const double seconds = secondsSince(begin);
    std::sort(startTimes.begin(), startTimes.end());
    tell({{"what", "no-op trials a second"}, {"parallel", parallel}, {"trials", ended}, {"perSecond", ended / seconds},
        {"startedP50Ms", startTimes[startTimes.size() / 2]}, {"startedP99Ms", startTimes[startTimes.size() * 99 / 100]},
        {"agentCpuSeconds", cpuOf(agent.pid())}});
}

void waitingTrials(const std::string& program, const std::string& folder, int count)
{
    json ids = json::array();
    {
        AgentProcess agent(program, folder);
        agent.start();
        agent.hello();
        json specs = json::array();
        for (int i = 0; i < count; ++i) {
            specs.push_back(specOf("w" + std::to_string(i), "exec sleep 1000"));
            ids.push_back("w" + std::to_string(i));
        }
        const Clock::time_point begin = Clock::now();
        agent.send({{"m", "start"}, {"trials", specs}});
        int running = 0;
        double worstPing = 0;
        for (int ping = 0; running < count; ++ping) {
            const Clock::time_point asked = Clock::now();
            agent.send({{"m", "ping"}, {"req", ping}});
            AgentMessage message;
            while ((message = agent.next()).name() != "pong") {
                if (message.name().empty())
                    return;
                if (message.name() == "started")
                    running += int(message.json["results"].size());
            }
            worstPing = std::max(worstPing, secondsSince(asked) * 1000);
        }
        tell(
            {{"what", "batch start"}, {"trials", count}, {"seconds", secondsSince(begin)}, {"worstPingMs", worstPing}});

        const double before = cpuOf(agent.pid());
        ::sleep(5);
        long keeperTotal = 0;
        long wrapperTotal = 0;
        const std::vector<pid_t> keepers = keepersOf(folder, false);
        const std::vector<pid_t> wrappers = keepersOf(folder, true);
        for (const pid_t pid : keepers)
            keeperTotal += proportionalKiB(pid);
        for (const pid_t pid : wrappers)
            wrapperTotal += proportionalKiB(pid);
        tell({{"what", "idle"}, {"trials", count}, {"agentCpuSecondsIn5s", cpuOf(agent.pid()) - before},
            {"agentRssKiB", residentKiB(agent.pid())}, {"keepers", keepers.size()},
            {"keeperPssKiB", double(keeperTotal) / double(std::max<std::size_t>(1, keepers.size()))},
            {"wrapperPssKiB", double(wrapperTotal) / double(std::max<std::size_t>(1, wrappers.size()))}});
        agent.kill(SIGKILL);
    }
    AgentProcess agent(program, folder);
    agent.start();
    const Clock::time_point begin = Clock::now();
    json trials = json::array();
    for (const json& id : ids)
        trials.push_back({{"id", id}, {"cursors", json::object()}});
    const json reply = agent.hello(trials);
    const double helloSeconds = secondsSince(begin);
    std::set<std::string> running;
    while (running.size() < std::size_t(count)) {
        const AgentMessage message = agent.next();
        if (message.name().empty())
            break;
        if (message.name() == "event" && message.json["type"] == "running")
            running.insert(message.json["trial"]);
    }
    tell({{"what", "adoption"}, {"trials", running.size()}, {"helloSeconds", helloSeconds},
        {"allEventsSeconds", secondsSince(begin)}});
    const Clock::time_point cancelBegin = Clock::now();
    agent.send({{"m", "cancel"}, {"trials", ids}, {"intent", "user"}});
    int ended = 0;
    while (ended < count) {
        const AgentMessage message = agent.next(30000);
        if (message.name().empty())
            break;
        if (message.name() == "event" && message.json.value("final", false))
            ++ended;
    }
    tell({{"what", "cancel of all"}, {"trials", ended}, {"seconds", secondsSince(cancelBegin)}});
}

void metricLatency(const std::string& program, const std::string& folder)
{
    AgentProcess agent(program, folder);
    agent.start();
    agent.hello();
    agent.send({{"m", "start"}, {"trials", json::array({specOf("lat", "exec sleep 100")})}});
    agent.waitForName("started");
    agent.waitForName("event");
    const int file = ::open((folder + "/svc/m1/trials/lat/metrics.jsonl").c_str(), O_WRONLY | O_APPEND);
    std::vector<double> times;
    for (int i = 0; i < 1000; ++i) {
        ::usleep(1000);
        const Clock::time_point begin = Clock::now();
        (void)!::write(file, "{\"metric\": 0.5}\n", 16);
        const AgentMessage message = agent.waitForName("records");
        times.push_back(secondsSince(begin) * 1000);
    }
    std::sort(times.begin(), times.end());
    tell({{"what", "metric written to records frame"}, {"p50Ms", times[500]}, {"p99Ms", times[990]},
        {"maxMs", times.back()}});
    agent.send({{"m", "cancel"}, {"trials", {"lat"}}, {"intent", "user"}});
    agent.waitFor([](const AgentMessage& message) { return message.json.value("final", false); });
    ::close(file);
}

void metricFlood(const std::string& program, const std::string& folder, int lines, int trials)
{
    AgentProcess agent(program, folder);
    agent.start();
    agent.hello();
    // Each line is one write() of its own, by this small program run again as the trial's command.
    json specs = json::array();
    for (int i = 0; i < trials; ++i)
        specs.push_back(specOf("f" + std::to_string(i),
            "exec '" + std::string(::realpath("/proc/self/exe", nullptr)) + "' --write-lines "
                + std::to_string(lines)));
    const Clock::time_point begin = Clock::now();
    agent.send({{"m", "start"}, {"trials", specs}});
    std::size_t received = 0;
    int ended = 0;
    std::int64_t firstMs = INT64_MAX;
    std::int64_t lastMs = 0;
    while (ended < trials) {
        const AgentMessage message = agent.next();
        if (message.name().empty())
            break;
        if (message.name() == "records")
            received += std::size_t(std::count(message.raw.begin(), message.raw.end(), '\n'));
        if (message.name() == "event") {
            const std::int64_t time = message.json["time"];
            firstMs = std::min(firstMs, time);
            lastMs = std::max(lastMs, time);
            ended += message.json.value("final", false) ? 1 : 0;
        }
    }
    tell({{"what", "metric lines a second, one write each"}, {"trials", trials}, {"lines", received},
        {"expected", std::size_t(lines) * std::size_t(trials)}, {"perSecond", double(received) / secondsSince(begin)},
        {"agentCpuSeconds", cpuOf(agent.pid())}});
}

void writeLines(int lines)
{
    const int file = ::open(std::getenv("TRIALDECK_METRICS_FILE"), O_WRONLY | O_APPEND);
    char line[96];
    for (int i = 0; i < lines; ++i) {
        const int size = std::snprintf(line, sizeof line, "{\"metric\": 0.%06d, \"step\": %d}\n", i % 1000000, i);
        (void)!::write(file, line, std::size_t(size));
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 3 && std::string(argv[1]) == "--write-lines") {
        writeLines(std::atoi(argv[2]));
        return 0;
    }
    if (argc < 2) {
        std::fprintf(stderr, "usage: keeper_bench TRIALKEEPER [FOLDER]\n");
        return 2;
    }
    const std::string program = argv[1];
    std::string folder = argc > 2 ? argv[2] : "/tmp/keeper-bench-XXXXXX";
    if (argc <= 2 && !::mkdtemp(folder.data()))
        return 1;
    noOpTrials(program, folder + "/a", 2000, 8);
    noOpTrials(program, folder + "/b", 300, 1);
    metricLatency(program, folder + "/c");
    metricFlood(program, folder + "/d", 1000000, 1);
    metricFlood(program, folder + "/e", 100000, 10);
    waitingTrials(program, folder + "/f", 100);
    waitingTrials(program, folder + "/g", 1000);
    return std::system(("rm -rf '" + folder + "'").c_str());
}
