// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/wire/frame.h"

#include <nlohmann/json.hpp>

#include <deque>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

/// A message of the agent.
struct AgentMessage
{
    nlohmann::json json;
    std::string raw;
    [[nodiscard]] std::string name() const { return json.is_object() ? json.value("m", std::string()) : std::string(); }
};

/// The service's side of `trialkeeper host DIR` in plain blocking C++, for tests and measurements.
class AgentProcess
{
public:
    AgentProcess(std::string program, std::string base);
    ~AgentProcess();
    AgentProcess(const AgentProcess&) = delete;
    AgentProcess& operator=(const AgentProcess&) = delete;

    /// Starts the program; `wrap` goes before it on the command line.
    bool start(const std::vector<std::string>& wrap = {}, const std::vector<std::string>& environment = {});
    /// hello as service "svc", machine "m1"; the reply, or null.
    nlohmann::json hello(const nlohmann::json& trials = nlohmann::json::array());
    /// start() and hello() while an earlier agent is at work, which has two seconds to end; again where it has not ended in them.
    nlohmann::json takeOver(const nlohmann::json& trials = nlohmann::json::array());
    void send(const nlohmann::json& message, std::string_view raw = {});
    void sendBytes(std::string_view bytes);
    /// The next message; name() is empty after the time is over or at the end of its output.
    AgentMessage next(int timeoutMs = 30'000);
    /// The next message that fits; others are kept in `passed` (events, records …) in order.
    AgentMessage waitFor(const std::function<bool(const AgentMessage&)>& fits, int timeoutMs = 30'000);
    AgentMessage waitForName(const std::string& name, int timeoutMs = 30'000);
    /// Closes its input and waits for its end. The wait status.
    int finish();
    void kill(int signal);

    [[nodiscard]] pid_t pid() const { return m_pid; }
    [[nodiscard]] bool atEnd() const { return m_atEnd; }
    std::vector<AgentMessage> passed;

private:
    void readSome(int timeoutMs);

    std::string m_program;
    std::string m_base;
    pid_t m_pid = -1;
    int m_in = -1; ///< its input
    int m_out = -1;
    bool m_atEnd = false;
    std::string m_pending; ///< not yet written
    std::deque<AgentMessage> m_queue;
    trialkeeper::FrameDecoder m_decoder;
};
