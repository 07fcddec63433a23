// SPDX-License-Identifier: GPL-3.0-or-later
#include "children.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace trialkeeper {

struct Children::Running
{
    Job job;
    Outcome outcome;
    std::function<void(const Outcome&)> done;
    Fd output;
    std::string line;
    pid_t pid = 0;
    Loop::Timer timer = 0;
    bool ended = false;
};

Children::Children(Loop& loop)
    : m_loop(loop)
{
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
        sigaddset(&set, signal);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    m_signals = Fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    (void)m_loop.watch(m_signals.get(), EPOLLIN, [this](std::uint32_t) {
        signalfd_siginfo info{};
        bool child = false;
        while (::read(m_signals.get(), &info, sizeof info) == ssize_t(sizeof info)) {
            if (info.ssi_signo == SIGCHLD)
                child = true;
            else if (onTerminate)
                onTerminate();
        }
        if (child)
            reap();
    });
}

Children::~Children() = default;

pid_t Children::start(const std::string& program, const std::vector<std::string>& arguments, const Options& options,
    std::function<void(int status)> ended)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    bool given[3] = {};
    for (const auto& [ours, theirs] : options.descriptors) {
        posix_spawn_file_actions_adddup2(&actions, ours, theirs);
        if (theirs < 3)
            given[theirs] = true;
    }
    // A keeper must not hold our standard error either: it would keep an SSH channel open for as long as the trial
    // runs.
    for (int fd = 0; fd < (options.blockSignals ? 3 : 2); ++fd) {
        if (!given[fd])
            posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", fd == 0 ? O_RDONLY : O_WRONLY, 0);
    }
    sigset_t mask;
    sigset_t defaults;
    options.blockSignals ? sigfillset(&mask) : sigemptyset(&mask);
    sigfillset(&defaults); // whatever a login shell ignores: a trial is not its child
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);

    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, program.c_str(), &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        errno = error;
        return -1;
    }
    m_ended[pid] = std::move(ended);
    return pid;
}

void Children::reap()
{
    int status = 0;
    pid_t pid = 0;
    while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) {
        const auto found = m_ended.find(pid);
        if (found == m_ended.end())
            continue;
        const auto ended = std::move(found->second);
        m_ended.erase(found);
        if (ended)
            ended(status);
    }
}

void Children::run(Job job, std::function<void(const Outcome&)> done)
{
    auto running = std::make_shared<Running>();
    running->job = std::move(job);
    running->done = std::move(done);
    int ends[2] = {-1, -1};
    Fd input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!running->job.input.empty()) {
        input = anonymousFile(running->job.input, "/tmp"); // a file, not a pipe: no writes while it runs
        if (!input || ::lseek(input.get(), 0, SEEK_SET) != 0)
            running->outcome.startError = errno ? errno : EIO;
    }
    if (running->outcome.startError == 0 && ::pipe2(ends, O_CLOEXEC) != 0)
        running->outcome.startError = errno;
    Fd write(ends[1]);
    running->output = Fd(ends[0]);
    if (running->outcome.startError == 0) {
        Options options;
        options.descriptors = {{input.get(), 0}, {write.get(), 1}};
        if (running->job.withErrors)
            options.descriptors.emplace_back(write.get(), 2);
        running->pid = start(running->job.program, running->job.arguments, options, [this, running](int status) {
            running->outcome.status = status;
            running->ended = true;
            finishIfDone(running);
        });
        if (running->pid < 0)
            running->outcome.startError = errno;
    }
    if (running->outcome.startError != 0) {
        // Told later, as every other outcome: the caller's own call is still running.
        m_loop.after(0, [running] { running->done(running->outcome); });
        return;
    }
    m_running.push_back(running);
    ::fcntl(running->output.get(), F_SETFL, O_NONBLOCK);
    (void)m_loop.watch(running->output.get(), EPOLLIN, [this, running](std::uint32_t) { readJob(running); });
    if (running->job.timeoutMs > 0) {
        running->timer = m_loop.after(running->job.timeoutMs, [this, running] {
            running->timer = 0;
            running->outcome.timedOut = true;
            if (!running->ended)
                ::kill(-running->pid, SIGKILL);
            // A process of it in the kernel's hands (a hung driver) may not die: go on without it.
            if (running->output) {
                m_loop.unwatch(running->output.get());
                running->output.reset();
            }
            running->ended = true;
            finishIfDone(running);
        });
    }
}

void Children::readJob(const std::shared_ptr<Running>& running)
{
    char buffer[16384];
    const ssize_t got = ::read(running->output.get(), buffer, sizeof buffer);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        m_loop.unwatch(running->output.get());
        running->output.reset();
        finishIfDone(running);
        return;
    }
    const std::string_view bytes(buffer, std::size_t(got));
    if (!running->job.onLine) {
        running->outcome.output.append(
            bytes.substr(0, running->job.limit - std::min(running->job.limit, running->outcome.output.size())));
        return;
    }
    running->line += bytes;
    for (std::size_t end = 0; (end = running->line.find('\n')) != std::string::npos;) {
        const std::string line = running->line.substr(0, end);
        running->line.erase(0, end + 1);
        running->job.onLine(line);
    }
    if (running->line.size() > running->job.limit)
        running->line.clear();
}

void Children::finishIfDone(const std::shared_ptr<Running>& running)
{
    if (!running->ended || running->output || !running->done)
        return;
    if (running->timer != 0)
        m_loop.cancel(std::exchange(running->timer, 0));
    m_running.erase(std::remove(m_running.begin(), m_running.end(), running), m_running.end());
    const auto done = std::exchange(running->done, nullptr);
    done(running->outcome);
}

void Children::killJobs()
{
    for (const auto& running : m_running) {
        if (!running->ended)
            ::kill(-running->pid, SIGKILL);
    }
}

} // namespace trialkeeper
