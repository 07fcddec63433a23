// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervisor.h"

#include "memory_events.h"
#include "termination.h"
#include "texts.h"

#include "app/trialkeeper/base/proc.h"
#include "app/trialkeeper/trial/tree_signals.h"
#include "app/trialkeeper/trial/wrapper.h"
#include "services/wire/protocol.h"

#include <algorithm>
#include <cstdlib>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr int watchedMetricsMs = 2000; ///< how often metric files are looked at although inotify is silent
constexpr int unwatchedMetricsMs = 250;
constexpr int patientMs = 30'000; ///< how long, after the trial's end, a log that takes nothing is waited for
constexpr int hurriedMs = 2'000;  ///< the same after a signal to end
constexpr int recordMs =
    10'000; ///< how long a full disk is waited for before the end stays unrecorded in the shared folder
constexpr int recordPauseMs = 250;

sigset_t podSignals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
        sigaddset(&set, signal);
    return set;
}

/// What a node of a cluster may be called, and needs no quoting in JSON.
bool isNodeName(std::string_view text)
{
    return !text.empty() && text.size() <= 64
        && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
        == std::string_view::npos;
}

} // namespace

void blockPodSignals()
{
    sigset_t set = podSignals();
    for (const int signal : {SIGPIPE, SIGXFSZ, SIGTSTP, SIGTTIN, SIGTTOU, SIGALRM})
        sigaddset(&set, signal);
    ::sigprocmask(SIG_SETMASK, &set, nullptr);
}

/// What the metric files hold goes out as frames.
class PodSupervisor::MetricSink : public StreamSink
{
public:
    MetricSink(PodSupervisor& keeper, PodStream stream)
        : m_keeper(keeper)
        , m_stream(stream)
    {
    }
    void records(const char*, std::uint64_t offset, std::uint64_t, bool reset, std::string_view raw) override
    {
        m_keeper.m_output.add(m_stream, raw, reset);
        if (m_keeper.m_finals.feed(m_stream, offset, raw, reset))
            m_keeper.newFinalMetric();
    }
    void lineSkipped() override { } // only of standard output

private:
    PodSupervisor& m_keeper;
    PodStream m_stream;
};

PodSupervisor::PodSupervisor(const PodOptions& options, PodFolder& folder, FrameOutput& output)
    : m_options(options)
    , m_folder(folder)
    , m_output(output)
    , m_nni(stream::nni, ".nni/metrics", Stream::Filter::None)
    , m_file(stream::file, "metrics.jsonl", Stream::Filter::None)
    , m_patienceMs(patientMs)
{
    m_nni.begin(0, 0, false);
    m_file.begin(0, 0, false);
}

int PodSupervisor::run(const std::vector<std::string>& arguments, const Environment& environment)
{
    const sigset_t signals = podSignals();
    m_signals = Fd(::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC));
    // What leaves the command's group becomes our child when its parent ends, so its end is seen.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    // A trial of the same user must not write to our standard output by way of /proc.
    ::prctl(PR_SET_DUMPABLE, 0);
    watchMetrics();
    m_oomBefore = oomKillsOfGroup();
    start(arguments, environment);
    while (!isDone()) {
        waitForEvents();
        takeSignals();
        reap();
        endTree();
        readMetrics();
        readPipe(m_command.standardOutput, PodStream::standardOutput, m_folder.standardOutput);
        readPipe(m_command.standardError, PodStream::standardError, m_folder.standardError);
        finish();
        const std::int64_t now = steadyMs();
        if (m_output.write() || m_output.isEmpty() || !m_treeGone)
            m_progressAt = now;
        else if (now - m_progressAt >= m_patienceMs)
            m_output.close();
    }
    linger();
    return m_end.signal != 0 ? 128 + m_end.signal : m_end.code;
}

void PodSupervisor::start(const std::vector<std::string>& arguments, const Environment& environment)
{
    char text[320];
    if (m_folder.journal) {
        const ProcessIdentity self = identityOf(::getpid());
        const int size = std::snprintf(text, sizeof text,
            "{\"type\":\"identity\",\"version\":1,\"time\":%" PRId64 ",\"pid\":%d,\"start\":%" PRIu64
            ",\"bootId\":\"%s\",\"oomKills\":%" PRIu64 "}",
            nowMs(), int(self.pid), self.start, self.bootId, m_oomBefore);
        (void)appendJournal(m_folder.journal.get(), {text, std::size_t(size)});
    }
    m_end.startMs = nowMs();
    m_command = startPodCommand(arguments, environment, m_folder.code.get());
    if (m_command.pid == 0) {
        m_commandEnded = true;
        m_end.code = m_command.error == ENOENT ? 127 : 126;
        m_end.endMs = m_end.startMs;
        finding(("The command cannot be started: " + errorText(m_command.error) + '.').c_str());
        return;
    }
    const char* node = std::getenv("TRIALDECK_NODE");
    const int size =
        std::snprintf(text, sizeof text, "{\"type\":\"running\",\"time\":%" PRId64 ",\"pid\":%d,\"node\":\"%s\"}",
            m_end.startMs, int(m_command.pid), node && isNodeName(node) ? node : "");
    m_output.event({text, std::size_t(size)});
    if (m_folder.journal)
        (void)appendJournal(m_folder.journal.get(), {text, std::size_t(size)});
}

void PodSupervisor::watchMetrics()
{
    m_inotify = Fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    constexpr std::uint32_t changes = IN_MODIFY | IN_CREATE | IN_MOVED_TO;
    if (m_inotify
        && (::inotify_add_watch(m_inotify.get(), (m_folder.path + "/.nni").c_str(), changes) < 0
            || ::inotify_add_watch(m_inotify.get(), (m_folder.path + "/metrics.jsonl").c_str(), changes) < 0))
        m_inotify.reset();
}

int PodSupervisor::timeout() const
{
    std::int64_t at = m_treeGone ? INT64_MAX : m_metricsAt;
    const auto notAfter = [&at](std::int64_t other) { at = other > 0 ? std::min(at, other) : at; };
    if (!m_treeGone) {
        notAfter(m_terminated ? 0 : m_terminateAt);
        notAfter(m_killAt);
    } else if (!m_output.isEmpty()) {
        notAfter(m_progressAt + m_patienceMs);
    }
    notAfter(m_output.retryAt());
    const std::int64_t now = steadyMs();
    if (!m_recorded && !m_finalRecord.empty())
        notAfter(now + recordPauseMs);
    // A tree that does not go although it was killed: again and again.
    const int least = m_killAt > 0 && now >= m_killAt ? killPauseMs : 0;
    return at == INT64_MAX ? -1 : int(std::clamp<std::int64_t>(at - now, least, 3600 * 1000));
}

void PodSupervisor::waitForEvents()
{
    pollfd watched[5];
    nfds_t count = 0;
    const auto watch = [&](int fd, short events, bool wanted = true) {
        if (fd >= 0 && wanted)
            watched[count++] = {fd, events, 0};
    };
    const bool log = m_output.mayAddLog();
    watch(m_signals.get(), POLLIN);
    watch(m_inotify.get(), POLLIN);
    watch(m_command.standardOutput.get(), POLLIN, log);
    watch(m_command.standardError.get(), POLLIN, log);
    watch(STDOUT_FILENO, POLLOUT, m_output.wantsWrite());
    // What is left to do although no descriptor reports it: metrics for which there is room again, pipes of a tree that is gone.
    const bool atOnce = (m_metricsDirty && m_output.mayAddMetrics())
        || (m_treeGone && log && (m_command.standardOutput || m_command.standardError));
    ::poll(watched, count, atOnce ? 0 : timeout());
    if (!m_inotify)
        return;
    alignas(inotify_event) char events[4096];
    while (::read(m_inotify.get(), events, sizeof events) > 0)
        m_metricsDirty = true;
}

void PodSupervisor::takeSignals()
{
    signalfd_siginfo info{};
    while (::read(m_signals.get(), &info, sizeof info) == ssize_t(sizeof info)) {
        const int signal = int(info.ssi_signo);
        if (signal == SIGCHLD)
            continue;
        if (signal != SIGUSR1 && signal != SIGUSR2)
            cancel();
        else if (!m_commandEnded)
            ::kill(-m_command.pid, signal);
    }
}

void PodSupervisor::cancel()
{
    m_patienceMs = hurriedMs;
    // A command that has ended already keeps its own result: WNOWAIT looks without reaping.
    siginfo_t gone{};
    if (m_commandEnded || m_end.cancelled
        || (::waitid(P_PID, id_t(m_command.pid), &gone, WEXITED | WNOHANG | WNOWAIT) == 0
            && gone.si_pid == m_command.pid))
        return;
    m_end.cancelled = true;
    m_terminated = true;
    if (terminateTree() == 0) { // without /proc: the group
        ::kill(-m_command.pid, SIGTERM);
        ::kill(-m_command.pid, SIGCONT);
    }
    m_killAt = steadyMs() + m_options.graceMs;
}

void PodSupervisor::reap()
{
    if (m_treeGone)
        return;
    int status = 0;
    pid_t pid = 0;
    while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid != m_command.pid)
            continue;
        m_commandEnded = true;
        m_end.endMs = nowMs();
        m_end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
        m_end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        if (!m_end.cancelled) {
            m_terminateAt = steadyMs() + settleMs;
            m_killAt = m_terminateAt + leftoverGraceMs;
        }
    }
    if (pid < 0 && errno == ECHILD) {
        m_treeGone = true;
        m_progressAt = steadyMs();
        m_metricsDirty = true;
    }
}

void PodSupervisor::endTree()
{
    if (m_treeGone || m_killAt == 0)
        return;
    const std::int64_t now = steadyMs();
    // Once the command was reaped its group's number may be another's, unless the members of the group keep it.
    const bool group = m_command.pid > 0 && (!m_commandEnded || !hasProc());
    if (now >= m_killAt) {
        killTree();
        if (group)
            ::kill(-m_command.pid, SIGKILL);
        if (::getpid() == 1)
            ::kill(-1, SIGKILL); // all there is in this container's own space of processes
    } else if (m_terminateAt > 0 && now >= m_terminateAt && !m_terminated) {
        m_terminated = true;
        m_end.leftovers = terminateTree();
        if (group)
            ::kill(-m_command.pid, SIGTERM);
    }
}

void PodSupervisor::readPipe(Fd& pipe, PodStream stream, Fd& file)
{
    // One thread, used only here. Escaped it is at most 64 KiB, so log alone never takes the room that metrics have beyond it.
    static char buffer[16 * 1024];
    for (int i = 0; i < 4 && pipe && m_output.mayAddLog(); ++i) {
        const ssize_t got = ::read(pipe.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && !m_treeGone)
            return;
        if (got <= 0) {
            pipe.reset(); // its end, or it is empty and nothing of the tree is left to write
            return;
        }
        const std::string_view bytes(buffer, std::size_t(got));
        const std::uint64_t offset = m_output.size(stream);
        m_output.add(stream, bytes);
        if (m_finals.feed(stream, offset, bytes, false))
            newFinalMetric();
        if (file && !writeAll(file.get(), bytes)) {
            file.reset(); // offsets in the file and in the log are the same, so nothing may be left out in its middle
            finding(stream == PodStream::standardOutput
                    ? "The file stdout in the trial's folder ends early: it could not be written."
                    : "The file stderr in the trial's folder ends early: it could not be written.");
        }
    }
}

void PodSupervisor::readMetrics()
{
    const std::int64_t now = steadyMs();
    if (now >= m_metricsAt)
        m_metricsDirty = true;
    if (!m_metricsDirty || !m_finalRecord.empty())
        return;
    m_metricsAt = now + (m_inotify ? watchedMetricsMs : unwatchedMetricsMs);
    MetricSink nni(*this, PodStream::nni);
    MetricSink file(*this, PodStream::file);
    bool more = true;
    while (more && m_output.mayAddMetrics()) {
        const bool moreNni = m_nni.read(m_folder.folder.get(), nni);
        const bool moreFile = m_file.read(m_folder.folder.get(), file);
        more = moreNni || moreFile;
        if (m_output.wantsWrite())
            (void)m_output.write();
    }
    m_metricsDirty = more;
}

void PodSupervisor::newFinalMetric()
{
    if (!m_options.termination.empty())
        (void)writeTermination(m_options.termination, terminationText(m_output, m_finals.last(), {}));
}

void PodSupervisor::finish()
{
    if (!m_finalRecord.empty()) {
        recordEnd();
        return;
    }
    if (!m_treeGone || m_metricsDirty || m_command.standardOutput || m_command.standardError)
        return;
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    m_end.peakKiB = used.ru_maxrss;
    m_end.userMs = used.ru_utime.tv_sec * 1000 + used.ru_utime.tv_usec / 1000;
    m_end.systemMs = used.ru_stime.tv_sec * 1000 + used.ru_stime.tv_usec / 1000;
    if (m_end.cancelled)
        m_end.endMs = nowMs();
    const bool failed = m_end.code != 0 || m_end.signal != 0;
    char text[1024];
    const int size =
        formatFinalRecord(text, sizeof text, m_end, {}, mayBeOutOfMemory(m_end) && m_oomBefore < oomKillsOfGroup(),
            failed ? fullDiskOf(m_folder.folder.get()) : FullDisk::no);
    m_finalRecord.assign(text, std::size_t(size));
    m_recorded = !m_folder.journal;
    m_recordBefore = steadyMs() + recordMs;
    if (!m_options.termination.empty()
        && !writeTermination(m_options.termination, terminationText(m_output, m_finals.last(), m_finalRecord)))
        finding(("The termination file cannot be written: " + errorText(errno) + '.').c_str());
    m_output.end(m_finalRecord);
    recordEnd();
}

void PodSupervisor::recordEnd()
{
    if (m_recorded)
        return;
    const int at = m_folder.folder.get();
    const bool journal = !m_folder.journal || appendJournal(m_folder.journal.get(), m_finalRecord);
    if (journal)
        m_folder.journal.reset();
    const bool exit = existsAt(at, "exit") || writeExitFile(at, m_end);
    m_recorded = (journal && exit) || steadyMs() >= m_recordBefore;
}

void PodSupervisor::finding(const char* text)
{
    const std::string json =
        "{\"type\":\"finding\",\"time\":" + std::to_string(nowMs()) + ",\"text\":" + jsonString(text) + '}';
    m_output.event(json);
    if (m_folder.journal)
        (void)appendJournal(m_folder.journal.get(), json);
}

bool PodSupervisor::isDone() const
{
    return !m_finalRecord.empty() && m_recorded && m_output.isEmpty();
}

/// Signals stay blocked: the log is deleted together with the container, and must be readable until then.
void PodSupervisor::linger() const
{
    if (m_output.isClosed())
        return; // the reader closed the pipe
    const std::int64_t until = steadyMs() + m_options.lingerMs;
    for (std::int64_t now = steadyMs(); now < until; now = steadyMs())
        ::poll(nullptr, 0, int(until - now));
}

} // namespace trialkeeper
