// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

/// The paths to try for argv[0], in order.
std::vector<std::string> candidates(const std::string& program, const Environment& environment)
{
    if (program.find('/') != std::string::npos)
        return {program};
    const auto found = environment.find("PATH");
    std::string_view path =
        found != environment.end() ? std::string_view(found->second) : "/usr/local/bin:/usr/bin:/bin";
    std::vector<std::string> paths;
    for (;;) {
        const std::size_t colon = path.find(':');
        const std::string folder(path.substr(0, colon));
        paths.push_back((folder.empty() ? "." : folder) + '/' + program);
        if (colon == std::string_view::npos)
            return paths;
        path.remove_prefix(colon + 1);
    }
}

std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

[[noreturn]] void becomePodCommand(std::vector<std::string>& paths, char* const* arguments, char* const* environment,
    int code, int out, int err, int report, pid_t parent)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);
    if (::getppid() != parent)
        ::_exit(127); // it died before the line above
    const int input = ::open("/dev/null", O_RDONLY);
    ::close(0);
    if (input > 0)
        ::dup2(input, 0);
    if (::fchdir(code) == 0 && ::dup2(out, 1) >= 0 && ::dup2(err, 2) >= 0) {
        closeOnExecFrom(3);
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        int error = ENOENT;
        for (const std::string& path : paths) {
            ::execve(path.c_str(), arguments, environment);
            // As execvp(): one that is there and may not be run is reported only if none can be.
            if (errno != ENOENT && errno != ENOTDIR)
                error = errno;
            if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
                break;
        }
        errno = error;
    }
    const int error = errno;
    [[maybe_unused]] const ssize_t sent = ::write(report, &error, sizeof error);
    ::_exit(127);
}

} // namespace

const char* podShell()
{
    for (const char* shell : {"/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"}) {
        if (::access(shell, X_OK) == 0)
            return shell;
    }
    return nullptr;
}

PodCommand startPodCommand(const std::vector<std::string>& arguments, const Environment& environment, int code)
{
    PodCommand command;
    std::vector<std::string> words = arguments;
    std::vector<std::string> variables;
    for (const auto& [name, value] : environment)
        variables.push_back(name + '=' + value);
    const std::vector<char*> argv = pointersTo(words);
    const std::vector<char*> envp = pointersTo(variables);
    std::vector<std::string> paths = candidates(words.front(), environment);
    int out[2];
    int err[2];
    int report[2];
    if (::pipe2(out, O_CLOEXEC) != 0) {
        command.error = errno;
        return command;
    }
    command.standardOutput = Fd(out[0]);
    const Fd outEnd(out[1]);
    if (::pipe2(err, O_CLOEXEC) != 0) {
        command.error = errno;
        return command;
    }
    command.standardError = Fd(err[0]);
    const Fd errEnd(err[1]);
    if (::pipe2(report, O_CLOEXEC) != 0) {
        command.error = errno;
        return command;
    }
    const Fd reportRead(report[0]);
    Fd reportEnd(report[1]);
    ::fcntl(out[0], F_SETFL, O_NONBLOCK);
    ::fcntl(err[0], F_SETFL, O_NONBLOCK);
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0)
        becomePodCommand(paths, argv.data(), envp.data(), code, out[1], err[1], report[1], parent);
    if (pid < 0) {
        command.error = errno;
        return command;
    }
    ::setpgid(pid, pid);
    reportEnd.reset();
    int error = 0;
    ssize_t got = 0;
    while ((got = ::read(reportRead.get(), &error, sizeof error)) < 0 && errno == EINTR) { }
    if (got == ssize_t(sizeof error))
        command.error = error; // the caller reaps it
    else
        command.pid = pid;
    return command;
}

} // namespace trialkeeper
