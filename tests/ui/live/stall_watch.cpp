// SPDX-License-Identifier: GPL-3.0-or-later
#include "stall_watch.h"

#include <csignal>
#include <cstdio>
#include <cxxabi.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

namespace {

constexpr int mostFrames = 48;
void* frames[mostFrames];
std::atomic<int> frameCount{0};

qint64 nanoseconds(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

qint64 nowNs()
{
    return nanoseconds(CLOCK_MONOTONIC);
}

/// Nanoseconds that this thread was ready to run and did not.
qint64 delayNs(int schedule)
{
    char text[128] = {};
    const ssize_t length = pread(schedule, text, sizeof text - 1, 0);
    long long ran = 0;
    long long delayed = 0;
    return length > 0 && std::sscanf(text, "%lld %lld", &ran, &delayed) == 2 ? delayed : 0;
}

void takeStack(int)
{
    frameCount = backtrace(frames, mostFrames);
}

QByteArray stackText()
{
    QByteArray out;
    char** names = backtrace_symbols(frames, frameCount);
    for (int i = 2; names && i < frameCount; ++i) { // without the handler itself
        QByteArray name(names[i]);
        const qsizetype from = name.indexOf('(') + 1;
        const qsizetype to = name.indexOf('+', from);
        if (from > 0 && to > from) {
            int status = 0;
            char* plain = abi::__cxa_demangle(name.mid(from, to - from).constData(), nullptr, nullptr, &status);
            if (status == 0)
                name = plain;
            free(plain); // NOLINT(cppcoreguidelines-no-malloc)
        }
        out += "\n  " + name;
    }
    free(names); // NOLINT(cppcoreguidelines-no-malloc)
    return out;
}

} // namespace

StallWatch::StallWatch(int barMs)
    : m_barMs(barMs)
    , m_schedule(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC))
{
    void* warm[2];
    backtrace(warm, 2); // loads what it needs now, not in a signal handler
    struct sigaction action = {};
    action.sa_handler = takeStack;
    action.sa_flags = SA_RESTART;
    sigaction(SIGURG, &action, nullptr);
    m_watcher = std::thread([this, watched = pthread_self()] {
        while (!m_isEnding) {
            usleep(5'000);
            const qint64 begun = m_begun;
            // On a busy machine this is early at times: the event itself is measured by its own time.
            if (begun == 0 || begun == m_caught || nowNs() - begun < m_barMs * 1'000'000LL)
                continue;
            frameCount = 0;
            m_caught = begun;
            pthread_kill(watched, SIGURG);
        }
    });
}

StallWatch::~StallWatch()
{
    m_isEnding = true;
    m_watcher.join();
    close(m_schedule);
}

bool StallWatch::isCaught() const
{
    return m_caught == m_begun && frameCount > 0;
}

void StallWatch::begin()
{
    m_delayed = delayNs(m_schedule);
    m_computed = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    m_begun = nowNs();
}

void StallWatch::end()
{
    const qint64 begun = m_begun.exchange(0);
    ++m_events;
    const double ms = double(nowNs() - begun - (delayNs(m_schedule) - m_delayed)) / 1e6;
    if (ms > m_barMs)
        ++m_overBar;
    if (ms <= m_longestMs)
        return;
    m_longestMs = ms;
    m_longestCpuMs = double(nanoseconds(CLOCK_THREAD_CPUTIME_ID) - m_computed) / 1e6;
    if (ms > m_barMs && frameCount > 0)
        m_culprit = stackText();
}
