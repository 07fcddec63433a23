// SPDX-License-Identifier: GPL-3.0-or-later
#include "unix_signals.h"

#include <QSocketNotifier>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace app {

namespace {

constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP};
std::atomic<int> pipeEnd = -1; // A signal handler reaches nothing but globals.

void onSignal(int number)
{
    const int saved = errno;
    const char byte = char(number);
    if (const int fd = pipeEnd.load(); fd >= 0) [[maybe_unused]]
        const ssize_t written = ::write(fd, &byte, 1);
    errno = saved;
}

} // namespace

UnixSignals::UnixSignals(QObject* parent)
    : QObject(parent)
{
    Q_ASSERT(pipeEnd == -1);
    if (::pipe2(m_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    m_notifier = std::make_unique<QSocketNotifier>(m_pipe[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &UnixSignals::readPipe);
    pipeEnd = m_pipe[1];
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const int number : handled)
        ::sigaction(number, &action, nullptr);
}

UnixSignals::~UnixSignals()
{
    for (const int number : handled)
        ::signal(number, SIG_DFL);
    pipeEnd = -1;
    m_notifier.reset();
    for (const int fd : m_pipe)
        if (fd >= 0)
            ::close(fd);
}

void UnixSignals::readPipe()
{
    char bytes[16];
    const ssize_t count = ::read(m_pipe[0], bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; ++i)
        emit received(bytes[i]);
}

} // namespace app
