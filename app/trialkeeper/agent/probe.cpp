// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe.h"

#include "app/trialkeeper/base/disk.h"
#include "services/wire/protocol.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr int probeLimitMs = 10000;
constexpr int noneAgainMs = 600000;
/// The load of an idle machine is reported once in so many samples.
constexpr int quietLooks = 6;
constexpr std::uint64_t fullDiskBytes = 1024 * 1024; ///< with less no trial gets far

} // namespace

std::string findNvidiaSmi()
{
    if (const char* given = ::getenv(nvidiaSmiVariable); given && *given)
        return given;
    std::string places = ::getenv("PATH") ? ::getenv("PATH") : "";
    places += ":/usr/bin:/usr/local/bin:/usr/local/nvidia/bin:/opt/bin:/usr/lib/wsl/lib";
    for (std::size_t begin = 0; begin <= places.size();) {
        const std::size_t end = std::min(places.find(':', begin), places.size());
        std::string path = places.substr(begin, end - begin) + "/nvidia-smi";
        if (end > begin && ::access(path.c_str(), X_OK) == 0)
            return path;
        begin = end + 1;
    }
    return {};
}

bool hasNvidiaDriver()
{
    return existsAt(AT_FDCWD, "/proc/driver/nvidia/version") || existsAt(AT_FDCWD, "/dev/nvidiactl");
}

std::pair<std::uint64_t, std::uint64_t> memoryOfMachine()
{
    std::string text;
    if (!readFileAt(AT_FDCWD, "/proc/meminfo", text))
        return {};
    const auto value = [&](const char* name) -> std::uint64_t {
        const std::size_t at = text.find(name);
        return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + std::strlen(name), nullptr, 10) * 1024;
    };
    return {value("MemTotal:"), value("MemAvailable:")};
}

int cpuCount()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    const int count =
        ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : int(::sysconf(_SC_NPROCESSORS_ONLN));
    return std::max(1, count);
}

void Probe::setGpuInterval(int ms)
{
    m_gpuInterval = std::max(0, ms);
    m_toldNone = false;
    m_agent.loop.cancel(std::exchange(m_gpuTimer, 0));
    if (m_gpuInterval > 0 && !m_probing)
        probeGpus();
}

void Probe::tellGpus(const char* state, const std::string& text, std::string_view xml)
{
    nlohmann::json json = {{message::name, message::gpu}, {"time", nowMs()}, {"state", state}};
    if (!text.empty())
        json["message"] = text;
    std::vector<uid_t> unknown;
    nlohmann::json processes = gpuProcesses(xml, m_agent.places.trials(), m_users, unknown);
    do {
        const std::string_view part = xml.substr(0, maxRaw);
        xml.remove_prefix(part.size());
        json["more"] = !xml.empty();
        if (xml.empty() && !processes.empty())
            json["processes"].swap(processes);
        m_agent.out.read(toText(json), part);
    } while (!xml.empty());
    askUsers(unknown);
}

/// Names of a directory service: a static program cannot ask it, getent can. They are there with the next table.
void Probe::askUsers(const std::vector<uid_t>& unknown)
{
    if (unknown.empty() || m_askingUsers)
        return;
    m_askingUsers = true;
    Children::Job job;
    job.program = "getent";
    job.arguments = {"getent", "passwd"};
    for (const uid_t uid : unknown)
        job.arguments.push_back(std::to_string(uid));
    job.timeoutMs = probeLimitMs;
    m_agent.children.run(std::move(job), [this, unknown](const Children::Outcome& outcome) {
        m_askingUsers = false;
        readUsers(outcome.output, m_users);
        for (const uid_t uid : unknown) // no such user: not looked up again
            m_users.emplace(uid, "uid " + std::to_string(uid));
    });
}

void Probe::probeGpus()
{
    m_gpuTimer = 0;
    const auto again = [this](int ms) {
        if (m_gpuInterval > 0)
            m_gpuTimer = m_agent.loop.after(ms, [this] { probeGpus(); });
    };
    const std::string tool = findNvidiaSmi();
    if (tool.empty()) {
        const bool driver = hasNvidiaDriver();
        if (!std::exchange(m_toldNone, true))
            tellGpus(driver ? "toolMissing" : "none",
                driver ? "An NVIDIA driver is loaded, but nvidia-smi is not installed." : "", {});
        again(noneAgainMs);
        return;
    }
    m_toldNone = false;
    m_probing = true;
    Children::Job job;
    job.program = tool;
    job.arguments = {tool, "-q", "-x"};
    job.timeoutMs = probeLimitMs;
    m_agent.children.run(std::move(job), [this, again](const Children::Outcome& outcome) {
        m_probing = false;
        if (m_gpuInterval == 0)
            return;
        if (outcome.timedOut)
            tellGpus("timeout", "nvidia-smi did not answer within 10 seconds.", {});
        else if (outcome.startError != 0)
            tellGpus("toolMissing", "nvidia-smi cannot be started: " + errorText(outcome.startError) + ".", {});
        else if (outcome.status != 0)
            tellGpus("driverError", outcome.output.empty() ? "nvidia-smi failed." : outcome.output.substr(0, 1000), {});
        else
            tellGpus("ok", {}, outcome.output);
        again(m_gpuInterval);
    });
}

void Probe::setHostInterval(int ms)
{
    m_hostInterval = std::max(0, ms);
    m_agent.loop.cancel(std::exchange(m_hostTimer, 0));
    m_told = {};
    if (m_hostInterval > 0)
        tellLoad();
}

bool Probe::isNews(const Load& load, std::uint64_t memoryTotal, std::uint64_t diskTotal) const
{
    const auto far = [](double now, double then, double step) { return std::abs(now - then) >= step; };
    return m_told.percent < 0 || load.diskFull != m_told.diskFull || far(load.percent, m_told.percent, 5)
        || far(load.average, m_told.average, std::max(0.5, 0.1 * m_told.average))
        || far(double(load.memoryUsed), double(m_told.memoryUsed), 0.01 * double(memoryTotal))
        || far(double(load.diskFree), double(m_told.diskFree), 0.01 * double(diskTotal));
}

void Probe::tellLoad()
{
    m_hostTimer = m_agent.loop.after(m_hostInterval, [this] { tellLoad(); });
    std::string text;
    double percent = 0;
    if (readFileAt(AT_FDCWD, "/proc/stat", text, 4 << 20)) {
        unsigned long long user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0;
        std::sscanf(text.c_str(), "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &wait,
            &irq, &soft, &steal);
        const unsigned long long busy = user + nice + system + irq + soft + steal;
        const unsigned long long total = busy + idle + wait;
        if (m_total > 0 && total > m_total)
            percent = 100.0 * double(busy - std::min(busy, m_busy)) / double(total - m_total);
        m_busy = busy;
        m_total = total;
    }
    double average = 0;
    if (readFileAt(AT_FDCWD, "/proc/loadavg", text))
        average = std::atof(text.c_str());
    const auto [memoryTotal, memoryAvailable] = memoryOfMachine();
    struct statvfs disk
    {
    };
    (void)::statvfs(m_agent.places.base.c_str(), &disk);
    const Load load{percent, average, memoryTotal - std::min(memoryTotal, memoryAvailable), freeBytes(disk),
        isFull(disk, fullDiskBytes)};
    const std::uint64_t diskTotal = std::uint64_t(disk.f_blocks) * disk.f_frsize;
    if (++m_untold < quietLooks && !isNews(load, memoryTotal, diskTotal))
        return;
    m_untold = 0;
    m_told = load;
    m_agent.out.control(
        {{message::name, message::load}, {"time", nowMs()}, {"cpuPercent", percent}, {"cpuCount", cpuCount()},
            {"loadAverage", average}, {"memoryTotal", memoryTotal}, {"memoryUsed", load.memoryUsed},
            {"diskTotal", diskTotal}, {"diskFree", load.diskFree}, {"diskFull", load.diskFull}});
}

} // namespace trialkeeper
