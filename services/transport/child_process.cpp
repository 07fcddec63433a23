// SPDX-License-Identifier: GPL-3.0-or-later
#include "child_process.h"

#include <QCoreApplication>
#include <QTimer>

#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <vector>

extern char** environ;

namespace transport {

namespace {

/// What agents, and the trials they start, must not inherit: our secrets, and what a service manager gave to us alone.
bool isOurs(const char* variable)
{
    for (const char* prefix : {"TRIALDECK_SECRET_", "TRIALDECK_TOKEN",
             "NOTIFY_SOCKET=", "LISTEN_FDS=", "LISTEN_PID=", "LISTEN_FDNAMES=", "WATCHDOG_", "CREDENTIALS_DIRECTORY=",
             "INVOCATION_ID=", "JOURNAL_STREAM=", "SYSTEMD_EXEC_PID=", "STATE_DIRECTORY=", "TRIALDECK_AGENT_SOCKET="}) {
        if (std::strncmp(variable, prefix, std::strlen(prefix)) == 0)
            return true;
    }
    return false;
}

} // namespace

QByteArrayList childEnvironment()
{
    QByteArrayList list;
    for (char** variable = environ; *variable; ++variable) {
        if (!isOurs(*variable))
            list += QByteArray(*variable);
    }
    return list;
}

pid_t spawnChild(const QByteArrayList& words, posix_spawn_file_actions_t& actions)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes, &all);

    const QByteArrayList variables = childEnvironment();
    std::vector<char*> environment;
    for (const QByteArray& variable : variables)
        environment.push_back(const_cast<char*>(variable.constData()));
    environment.push_back(nullptr);
    std::vector<char*> arguments;
    for (const QByteArray& word : words)
        arguments.push_back(const_cast<char*>(word.constData()));
    arguments.push_back(nullptr);
    pid_t pid = 0;
    const int error = posix_spawn(&pid, arguments[0], &actions, &attributes, arguments.data(), environment.data());
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? pid : -error;
}

void reapChild(pid_t pid, int delayMs)
{
    if (waitpid(pid, nullptr, WNOHANG) != 0 || !QCoreApplication::instance())
        return;
    // An agent that was told to end may have some work left; the pause grows so that one that hangs costs nothing.
    QTimer::singleShot(
        delayMs, QCoreApplication::instance(), [pid, delayMs] { reapChild(pid, std::min(delayMs * 2, 5'000)); });
}

} // namespace transport
