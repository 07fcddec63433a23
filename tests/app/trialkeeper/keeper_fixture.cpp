// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper_fixture.h"

#include "app/trialkeeper/trial/journal.h"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>

KeeperFixture::KeeperFixture()
    : base(folder.path().toStdString() + "/base")
    , program(TESTED_KEEPER)
{
}

KeeperFixture::~KeeperFixture()
{
    // Whatever a failed test has left running ends with it.
    if (agent) {
        json ids = json::array();
        const json reply = begin();
        for (const json& trial : reply.value("trials", json::array()))
            ids.push_back(trial["id"]);
        if (!ids.empty()) {
            agent->send({{"m", "adopt"}, {"trials", [&] {
                                              json trials = json::array();
                                              for (const json& id : ids)
                                                  trials.push_back({{"id", id}});
                                              return trials;
                                          }()}});
            agent->send({{"m", "cancel"}, {"trials", ids}, {"intent", "sys"}, {"graceMs", 0}});
            for (std::size_t i = 0; i < ids.size(); ++i)
                agent->waitFor([](const AgentMessage& message) { return message.json.value("final", false); }, 5000);
        }
    }
}

KeeperFixture::json KeeperFixture::begin(const json& trials, const std::vector<std::string>& environment)
{
    agent.reset();
    agent = std::make_unique<AgentProcess>(program, base);
    agent->start({}, environment);
    return agent->hello(trials);
}

void KeeperFixture::killAgent()
{
    agent->kill(SIGKILL);
    agent.reset();
}

KeeperFixture::json KeeperFixture::specOf(const std::string& id, const std::string& command)
{
    return {{"id", id}, {"jobId", id}, {"experimentId", "exp"}, {"nniExperimentId", "exp"}, {"sequenceId", 7},
        {"command", command},
        {"parameterCfg",
            R"({"parameter_id": 7, "parameter_source": "algorithm", "parameters": {"lr": 0.10}, "parameter_index": 0})"},
        {"parameters", R"({"lr": 0.10})"}, {"code", {{"kind", "none"}}}, {"platform", "local"}, {"stdoutMode", "none"}};
}

KeeperFixture::json KeeperFixture::start(const json& spec)
{
    agent->send({{"m", "start"}, {"trials", json::array({spec})}});
    const AgentMessage reply = agent->waitForName("started");
    return reply.json.is_object() && reply.json["results"].size() == 1 ? reply.json["results"][0] : json::object();
}

KeeperFixture::json KeeperFixture::waitForEnd(const std::string& id, int timeoutMs)
{
    // It may have passed already, before the reply to something else.
    for (const AgentMessage& message : agent->passed) {
        if (message.name() == "event" && message.json["trial"] == id && message.json.value("final", false))
            return message.json;
    }
    const AgentMessage end = agent->waitFor(
        [&](const AgentMessage& message) {
            return message.name() == "event" && message.json["trial"] == id && message.json.value("final", false);
        },
        timeoutMs);
    return end.json.is_object() ? end.json : json::object();
}

KeeperFixture::json KeeperFixture::run(const json& spec)
{
    const json result = start(spec);
    return result.contains("pid") ? waitForEnd(spec["id"]) : result;
}

KeeperFixture::json KeeperFixture::cancel(const std::string& id, const std::string& intent, int graceMs)
{
    agent->send({{"m", "cancel"}, {"trials", {id}}, {"intent", intent}, {"graceMs", graceMs}});
    const AgentMessage reply = agent->waitForName("cancelled");
    return reply.json.is_object() && reply.json["results"].size() == 1 ? reply.json["results"][0] : json::object();
}

std::string KeeperFixture::streamOf(const std::string& id, const std::string& stream) const
{
    std::string bytes;
    std::int64_t expected = -1;
    for (const AgentMessage& message : agent->passed) {
        if (message.name() != "records" || message.json["trial"] != id || message.json["stream"] != stream)
            continue;
        const std::int64_t offset = message.json["offset"];
        if (stream != "stdout" && expected >= 0 && offset != expected)
            return "offsets do not follow: " + std::to_string(expected) + ", " + std::to_string(offset);
        expected = offset + std::int64_t(message.raw.size());
        bytes += message.raw;
    }
    return bytes;
}

KeeperFixture::json KeeperFixture::eventsOf(const std::string& id) const
{
    json events = json::array();
    for (const AgentMessage& message : agent->passed) {
        if (message.name() == "event" && message.json["trial"] == id)
            events.push_back(message.json);
    }
    return events;
}

std::string KeeperFixture::fileOf(const std::string& id, const std::string& name) const
{
    return readFile(trialPath(id) + '/' + name);
}

std::string KeeperFixture::readFile(const std::string& path)
{
    std::string bytes;
    std::FILE* file = std::fopen(path.c_str(), "rb"); // not a stream: files of /proc vanish while they are read
    if (!file)
        return bytes;
    char buffer[65536];
    for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file)) > 0;)
        bytes.append(buffer, got);
    std::fclose(file);
    return bytes;
}

void KeeperFixture::writeFile(const std::string& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
}

bool KeeperFixture::exists(const std::string& path)
{
    struct stat info
    {
    };
    return ::lstat(path.c_str(), &info) == 0;
}

pid_t KeeperFixture::keeperOf(const std::string& id) const
{
    return std::atoi(fileOf(id, "lock").c_str());
}

pid_t KeeperFixture::wrapperOf(const std::string& id) const
{
    const std::string text = fileOf(id, "journal");
    trialkeeper::JournalReader reader(text);
    trialkeeper::JournalRecord record;
    while (reader.next(record)) {
        const json identity = json::parse(record.json, nullptr, false);
        if (identity.value("type", "") == "identity")
            return identity["pid"];
    }
    return 0;
}

bool KeeperFixture::alive(pid_t pid)
{
    const std::string stat = readFile("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t at = stat.rfind(')');
    return at != std::string::npos && at + 2 < stat.size() && stat[at + 2] != 'Z' && stat[at + 2] != 'X';
}

bool KeeperFixture::eventually(const std::function<bool()>& condition)
{
    return QTest::qWaitFor(condition, 30'000);
}
