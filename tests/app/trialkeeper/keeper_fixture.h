// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent_process.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>
#include <utility>
#include <vector>

/// A folder with one agent at work in it, as service "svc" and machine "m1".
class KeeperFixture
{
public:
    using json = nlohmann::json;

    KeeperFixture();
    ~KeeperFixture();

    /// Starts an agent (after ending the one there is by closing its input) and sends hello.
    json begin(const json& trials = json::array(), const std::vector<std::string>& environment = {});
    /// kill -9 of the agent.
    void killAgent();

    static json specOf(const std::string& id, const std::string& command);
    /// Sends one start and gives its result.
    json start(const json& spec);
    /// The trial's final event, having seen what came before in agent->passed.
    json waitForEnd(const std::string& id, int timeoutMs = 60'000);
    json run(const json& spec); ///< start and waitForEnd
    json cancel(const std::string& id, const std::string& intent = "user", int graceMs = 5000);
    /// Raw bytes of one stream of a trial, in order, from what the agent has sent so far; fails the test where
    /// offsets do not follow.
    std::string streamOf(const std::string& id, const std::string& stream) const;
    json eventsOf(const std::string& id) const;

    [[nodiscard]] std::string trialPath(const std::string& id) const { return base + "/svc/m1/trials/" + id; }
    [[nodiscard]] std::string fileOf(const std::string& id, const std::string& name) const;
    static std::string readFile(const std::string& path);
    static void writeFile(const std::string& path, const std::string& bytes);
    static bool exists(const std::string& path);
    /// The pid in a trial's lock file.
    [[nodiscard]] pid_t keeperOf(const std::string& id) const;
    /// The wrapper's pid, from the journal.
    [[nodiscard]] pid_t wrapperOf(const std::string& id) const;
    static bool alive(pid_t pid); ///< and no zombie
    /// Waits until the condition holds; false after 30 seconds.
    static bool eventually(const std::function<bool()>& condition);

    QTemporaryDir folder;
    std::string base;
    std::string program;
    std::unique_ptr<AgentProcess> agent;
};
