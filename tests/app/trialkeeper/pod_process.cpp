// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_process.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace trialkeeper;

static constexpr int patienceMs = 20'000;

PodProcess::PodProcess(const std::vector<std::string>& words,
    const std::vector<std::pair<std::string, std::string>>& environment, int output)
{
    // Its memory cannot be looked at from outside (PR_SET_DUMPABLE), as the leak sanitizer would.
    std::map<std::string, std::string> values{{"ASAN_OPTIONS", "detect_leaks=0"}, {"HOME", "/"},
        {"PATH", ::getenv("PATH") ? ::getenv("PATH") : "/usr/bin:/bin"}, {"UBSAN_OPTIONS", "halt_on_error=1"}};
    for (const auto& [name, value] : environment)
        values[name] = value;
    std::vector<std::string> variables;
    for (const auto& [name, value] : values)
        variables.push_back(name + '=' + value);
    const auto pointers = [](const std::vector<std::string>& texts) {
        std::vector<char*> all;
        for (const std::string& text : texts)
            all.push_back(const_cast<char*>(text.c_str()));
        all.push_back(nullptr);
        return all;
    };
    int ends[2] = {-1, -1};
    if (output < 0 && ::pipe2(ends, O_CLOEXEC) != 0)
        return;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, output < 0 ? ends[1] : output, 1);
    if (::posix_spawnp(
            &m_pid, words.front().c_str(), &actions, nullptr, pointers(words).data(), pointers(variables).data())
        != 0)
        m_pid = 0;
    ::posix_spawn_file_actions_destroy(&actions);
    if (output < 0) {
        ::close(ends[1]);
        m_output = ends[0];
    }
}

PodProcess::~PodProcess()
{
    closeOutput();
    if (m_pid > 0 && !m_waited) {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
}

void PodProcess::closeOutput()
{
    if (m_output >= 0)
        ::close(m_output);
    m_output = -1;
}

std::string PodProcess::read(std::size_t limit)
{
    pollfd ready{m_output, POLLIN, 0};
    if (m_output < 0 || ::poll(&ready, 1, patienceMs) <= 0)
        return {};
    std::string bytes(limit, '\0');
    const ssize_t got = ::read(m_output, bytes.data(), bytes.size());
    bytes.resize(got > 0 ? std::size_t(got) : 0);
    return bytes;
}

std::string PodProcess::readAll()
{
    std::string all;
    for (std::string part = read(); !part.empty(); part = read())
        all += part;
    return all;
}

std::string PodProcess::readUntil(const std::string& text)
{
    std::string all;
    while (all.find(text) == std::string::npos) {
        const std::string part = read();
        if (part.empty())
            break;
        all += part;
    }
    return all;
}

int PodProcess::wait()
{
    for (int ms = 0; !m_waited && m_pid > 0 && ms < patienceMs; ms += 5) {
        int status = 0;
        if (::waitpid(m_pid, &status, WNOHANG) == m_pid) {
            m_waited = true;
            m_result = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
        } else {
            ::poll(nullptr, 0, 5);
        }
    }
    return m_result;
}

void PodProcess::signal(int number) const
{
    if (m_pid > 0 && !m_waited)
        ::kill(m_pid, number);
}

PodLog::PodLog(const std::string& log, const std::string& id)
{
    PodLogReader reader(id);
    std::vector<PodLogPiece> pieces;
    reader.feed(log, pieces);
    reader.finish(pieces);
    for (PodLogPiece& piece : pieces) {
        switch (piece.kind) {
        case PodLogPiece::Kind::run:
            ++runs;
            break;
        case PodLogPiece::Kind::bytes:
            bytes[piece.stream] += piece.bytes;
            break;
        case PodLogPiece::Kind::event:
            events.push_back(piece.bytes);
            break;
        case PodLogPiece::Kind::end:
            end = piece.bytes;
            break;
        case PodLogPiece::Kind::gap:
            gaps.push_back(piece);
            break;
        case PodLogPiece::Kind::outside:
            outside += piece.bytes + '\n';
            break;
        }
    }
}
