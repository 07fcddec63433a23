// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_process.h"

#include "services/wire/protocol.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

std::int64_t steadyNow()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

AgentProcess::AgentProcess(std::string program, std::string base)
    : m_program(std::move(program))
    , m_base(std::move(base))
{
}

AgentProcess::~AgentProcess()
{
    if (m_pid > 0)
        finish();
}

bool AgentProcess::start(const std::vector<std::string>& wrap, const std::vector<std::string>& environment)
{
    ::signal(SIGPIPE, SIG_IGN);
    int in[2];
    int out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
        return false;
    std::vector<std::string> arguments = wrap;
    arguments.insert(arguments.end(), {m_program, "host", m_base});
    std::vector<char*> argv;
    for (std::string& argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    m_pid = ::fork();
    if (m_pid == 0) {
        ::dup2(in[0], 0);
        ::dup2(out[1], 1);
        ::signal(SIGPIPE, SIG_DFL);
        for (const std::string& pair : environment)
            ::putenv(const_cast<char*>(pair.c_str()));
        ::execvp(argv[0], argv.data());
        ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    m_in = in[1];
    m_out = out[0];
    ::fcntl(m_in, F_SETFL, O_NONBLOCK);
    m_atEnd = false;
    m_pending.clear();
    m_queue.clear();
    m_decoder = {};
    return m_pid > 0;
}

nlohmann::json AgentProcess::hello(const nlohmann::json& trials)
{
    send({{"m", "hello"}, {"version", trialkeeper::protocolVersion}, {"serviceId", "svc"}, {"machineId", "m1"},
        {"trials", trials}});
    return waitForName("hello", 60'000).json; // on a busy machine, where it adopts dozens of trials
}

nlohmann::json AgentProcess::takeOver(const nlohmann::json& trials)
{
    constexpr int patienceMs = 2'000; // AgentClaim's
    const std::int64_t giveUpAt = steadyNow() + 60'000;
    nlohmann::json reply;
    std::int64_t begin = 0;
    do {
        finish();
        begin = steadyNow();
        if (start())
            reply = hello(trials);
    } while (!reply.is_object() && steadyNow() - begin >= patienceMs && steadyNow() < giveUpAt);
    return reply;
}

void AgentProcess::send(const nlohmann::json& message, std::string_view raw)
{
    std::string frame;
    if (trialkeeper::appendFrame(frame, message.dump(), raw))
        sendBytes(frame);
}

void AgentProcess::sendBytes(std::string_view bytes)
{
    m_pending += bytes;
    while (!m_pending.empty() && !m_atEnd) {
        const ssize_t written = ::write(m_in, m_pending.data(), m_pending.size());
        if (written > 0)
            m_pending.erase(0, std::size_t(written));
        else if (errno == EAGAIN)
            readSome(100); // it may wait for us to read before it reads on
        else
            return;
    }
}

void AgentProcess::readSome(int timeoutMs)
{
    pollfd fds[2] = {{m_out, POLLIN, 0}, {m_pending.empty() ? -1 : m_in, POLLOUT, 0}};
    if (::poll(fds, 2, timeoutMs) <= 0 || fds[0].revents == 0)
        return;
    static char buffer[262144];
    const ssize_t got = ::read(m_out, buffer, sizeof buffer);
    if (got <= 0) {
        m_atEnd = got == 0 || errno != EINTR;
        return;
    }
    m_decoder.feed({buffer, std::size_t(got)});
    trialkeeper::FrameView view;
    while (m_decoder.next(view) == trialkeeper::FrameDecoder::Status::Frame)
        m_queue.push_back({nlohmann::json::parse(view.json, nullptr, false), std::string(view.raw)});
}

AgentMessage AgentProcess::next(int timeoutMs)
{
    const std::int64_t until = steadyNow() + timeoutMs;
    while (m_queue.empty() && !m_atEnd) {
        const std::int64_t left = until - steadyNow();
        if (left <= 0)
            return {};
        readSome(int(left));
    }
    if (m_queue.empty())
        return {};
    AgentMessage message = std::move(m_queue.front());
    m_queue.pop_front();
    return message;
}

AgentMessage AgentProcess::waitFor(const std::function<bool(const AgentMessage&)>& fits, int timeoutMs)
{
    const std::int64_t until = steadyNow() + timeoutMs;
    for (;;) {
        AgentMessage message = next(int(std::max<std::int64_t>(0, until - steadyNow())));
        if (message.json.is_null() || fits(message))
            return message;
        passed.push_back(std::move(message));
    }
}

AgentMessage AgentProcess::waitForName(const std::string& name, int timeoutMs)
{
    return waitFor([&](const AgentMessage& message) { return message.name() == name; }, timeoutMs);
}

int AgentProcess::finish()
{
    if (m_in >= 0)
        ::close(std::exchange(m_in, -1));
    if (m_out >= 0)
        ::close(std::exchange(m_out, -1));
    int status = -1;
    if (m_pid > 0)
        ::waitpid(std::exchange(m_pid, -1), &status, 0);
    return status;
}

void AgentProcess::kill(int signal)
{
    if (m_pid > 0)
        ::kill(m_pid, signal);
}
