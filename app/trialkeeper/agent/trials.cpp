// SPDX-License-Identifier: GPL-3.0-or-later
#include "trials.h"

#include "stream_frames.h"

#include "app/trialkeeper/base/lock.h"
#include "app/trialkeeper/trial/adopt.h"
#include "app/trialkeeper/trial/journal.h"
#include "app/trialkeeper/trial/keeper_start.h"
#include "app/trialkeeper/trial/spec.h"
#include "app/trialkeeper/trial/wrapper.h"
#include "services/wire/names.h"
#include "services/wire/protocol.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trialkeeper {

struct Trials::Trial
{
    std::string id;
    std::string path;
    std::vector<Stream> streams;
    std::vector<Watcher::Id> watches;
    std::uint64_t journalCursor = 0;
    std::string finalEvent;  ///< held back until the streams are empty
    ProcessIdentity wrapper; ///< as its journal named it
    ProcessIdentity keeper;
    pid_t childKeeper = 0; ///< a keeper that is our own child
    Fd pidfd;              ///< of one that is not
    bool stranger = false; ///< a living keeper without pidfd: looked at every second
    bool journalDirty = true;
    bool orphan = false; ///< in m_orphans
    bool queued = false;
    bool started = true;     ///< the token was there: its command ran, or was about to
    bool specUnread = false; ///< its keeper has not written spec.json yet, so `streams` lacks standard output
    std::uint64_t stdoutCursor = 0;
    std::uint32_t streamsDirty = ~0U;
    int revivals = 0;
};

Trials::Trials(Agent& agent)
    : m_agent(agent)
{
    agent.watcher.onLimit = [this](const std::string& why) {
        m_agent.out.stream(toText({{message::name, message::finding}, {"trial", ""},
            {"text", "Files cannot be watched, so metrics are looked for every second (" + why + ")."}}));
    };
}

Trials::~Trials() = default;

const char* word(OnDisk state)
{
    static constexpr const char* words[] = {"unknown", "prepared", "running", "running", "ended"};
    return words[std::size_t(state)];
}

OnDisk Trials::stateOnDisk(const std::string& id) const
{
    const Fd folder = isSafeId(id) ? openFolder(AT_FDCWD, m_agent.places.trial(id).c_str()) : Fd();
    if (folder && existsAt(folder.get(), "exit"))
        return OnDisk::ended;
    if (folder && existsAt(folder.get(), "token"))
        return OnDisk::running;
    // The lock is held until the token is made; looked at before the token is looked for again.
    ProcessIdentity keeper;
    if (folder && keeperLives(folder.get(), keeper))
        return OnDisk::starting;
    if (folder && existsAt(folder.get(), "token"))
        return OnDisk::running;
    if (isSafeId(id) && hasProcesses(id))
        return OnDisk::running; // it has deleted its files
    return folder ? OnDisk::prepared : OnDisk::unknown;
}

bool Trials::hasProcesses(const std::string& id) const
{
    // One look at all processes serves the trials of one message.
    if (steadyMs() - m_inUseAt > 50) {
        m_inUse = metricsFilesOfProcesses();
        m_inUseAt = steadyMs();
    }
    return m_inUse.count(m_agent.places.trial(id) + "/metrics.jsonl") > 0;
}

Trials::Trial* Trials::find(const std::string& id)
{
    const auto found = m_trials.find(id);
    return found == m_trials.end() ? nullptr : found->second.get();
}

namespace {

std::uint64_t baseOf(const std::string& text, const char* stream)
{
    const std::string key = std::string(stream) + ' ';
    const std::size_t at = text.find(key);
    return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + key.size(), nullptr, 10);
}

/// What is left of a file that one trial's process may have replaced by something odd is never waited for.
bool readFrom(int folder, const char* name, std::uint64_t from, std::string& out)
{
    const Fd file(::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat info
    {
    };
    if (!file || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    out.resize(std::size_t(info.st_size) > from ? std::min<std::size_t>(std::size_t(info.st_size) - from, 1 << 20) : 0);
    const ssize_t got = out.empty() ? 0 : ::pread(file.get(), out.data(), out.size(), off_t(from));
    out.resize(std::size_t(std::max<ssize_t>(0, got)));
    return true;
}

/// The wrapper or, where the journal has lost it, the keeper that the lock file names, if it ran before a restart of the machine; else
/// pid 0.
ProcessIdentity fromEarlierBoot(int folder, const ProcessIdentity& wrapper)
{
    ProcessIdentity named = wrapper;
    if (named.pid == 0)
        (void)keeperLives(folder, named);
    return named.pid > 0 && std::strcmp(named.bootId, bootId()) != 0 ? named : ProcessIdentity();
}

} // namespace

OnDisk Trials::adopt(const std::string& id, const Cursors& cursors)
{
    const OnDisk state = stateOnDisk(id);
    if (state == OnDisk::unknown || state == OnDisk::prepared)
        return state;
    pid_t child = 0;
    if (const Trial* old = find(id)) {
        child = old->childKeeper;
        forget(id);
    }
    auto owned = std::make_unique<Trial>();
    Trial& trial = *owned;
    trial.id = id;
    trial.path = m_agent.places.trial(id);
    trial.childKeeper = child;
    trial.started = state != OnDisk::starting;
    const Fd folder = openFolder(AT_FDCWD, trial.path.c_str());
    std::string text;
    if (cursors.journal > 0 && readFileAt(folder.get(), "journal", text, 64 << 20)) {
        trial.journalCursor = resumeAt(text, cursors.journal);
        trial.wrapper = summarize(text).wrapper;
    }
    const bool restarted = fromEarlierBoot(folder.get(), trial.wrapper).pid > 0;
    if (!readFileAt(folder.get(), "streams", text, 4096))
        text.clear();
    trial.streams.emplace_back(stream::nni, ".nni/metrics", Stream::Filter::None)
        .begin(cursors.nni, baseOf(text, stream::nni), restarted);
    trial.streams.emplace_back(stream::file, "metrics.jsonl", Stream::Filter::None)
        .begin(cursors.file, baseOf(text, stream::file), restarted);
    trial.stdoutCursor = cursors.standardOutput;
    trial.specUnread = true;
    if (folder)
        readSpec(trial, folder.get());
    m_trials[id] = std::move(owned);
    readJournal(trial);
    if (trial.finalEvent.empty())
        watchFiles(trial);
    if (trial.finalEvent.empty() && trial.childKeeper == 0)
        watchKeeper(trial);
    ready(trial);
    return state;
}

void Trials::readSpec(Trial& trial, int folder)
{
    std::string text;
    const nlohmann::json spec = readFileAt(folder, "spec.json", text) ? parseMessage(text) : nlohmann::json();
    if (!spec.is_object())
        return; // not there, or not whole
    trial.specUnread = false;
    const StdoutMode mode = stdoutModeOf(spec);
    if (mode == StdoutMode::None)
        return;
    if (!readFileAt(folder, "streams", text, 4096))
        text.clear();
    const bool restarted = fromEarlierBoot(folder, trial.wrapper).pid > 0;
    trial.streams
        .emplace_back(
            stream::standardOutput, "stdout", mode == StdoutMode::Sdk ? Stream::Filter::SdkLines : Stream::Filter::None)
        .begin(trial.stdoutCursor, baseOf(text, stream::standardOutput), restarted);
    if (!trial.watches.empty())
        watchFile(trial, "stdout", 1U << (trial.streams.size() - 1));
}

void Trials::started(const std::string& id, pid_t keeper, StdoutMode mode)
{
    forget(id); // adopted while it was starting
    auto owned = std::make_unique<Trial>();
    Trial& trial = *owned;
    trial.id = id;
    trial.path = m_agent.places.trial(id);
    trial.childKeeper = keeper;
    trial.streams.emplace_back(stream::nni, ".nni/metrics", Stream::Filter::None);
    trial.streams.emplace_back(stream::file, "metrics.jsonl", Stream::Filter::None);
    if (mode != StdoutMode::None)
        trial.streams.emplace_back(stream::standardOutput, "stdout",
            mode == StdoutMode::Sdk ? Stream::Filter::SdkLines : Stream::Filter::None);
    m_trials[id] = std::move(owned);
    readJournal(trial);
    // A trial that has ended by now needs no watches.
    if (trial.finalEvent.empty())
        watchFiles(trial);
    ready(trial);
}

void Trials::watchFile(Trial& trial, const std::string& name, std::uint32_t streamBit)
{
    trial.watches.push_back(m_agent.watcher.add(trial.path + '/' + name, [this, id = trial.id, streamBit] {
        Trial* changed = find(id);
        if (!changed)
            return;
        changed->streamsDirty |= streamBit;
        changed->journalDirty = changed->journalDirty || streamBit == 0;
        ready(*changed);
    }));
    // What was written before the watch stood.
    trial.streamsDirty |= streamBit;
    trial.journalDirty = trial.journalDirty || streamBit == 0;
}

void Trials::watchFiles(Trial& trial)
{
    watchFile(trial, "journal", 0);
    watchFile(trial, ".nni", 1U); // the folder: SDKs make, cut and touch the file in it
    for (std::size_t i = 1; i < trial.streams.size(); ++i)
        watchFile(trial, trial.streams[i].fileName(), 1U << i);
}

void Trials::unwatchFiles(Trial& trial)
{
    for (const Watcher::Id watch : trial.watches)
        m_agent.watcher.remove(watch);
    trial.watches.clear();
    if (trial.pidfd)
        m_agent.loop.unwatch(trial.pidfd.get());
    trial.pidfd.reset();
    trial.stranger = false;
}

void Trials::watchKeeper(Trial& trial)
{
    const Fd folder = openFolder(AT_FDCWD, trial.path.c_str());
    if (!folder || !keeperLives(folder.get(), trial.keeper)) {
        if (!std::exchange(trial.orphan, true))
            m_orphans.push_back(trial.id);
        return;
    }
    const std::string id = trial.id;
    trial.pidfd = Fd(isAlive(trial.keeper) ? openPidfd(trial.keeper.pid) : -1);
    if (trial.pidfd && m_agent.loop.watch(trial.pidfd.get(), EPOLLIN, [this, id](std::uint32_t) {
            Trial* ended = find(id);
            if (!ended)
                return;
            m_agent.loop.unwatch(ended->pidfd.get());
            ended->pidfd.reset();
            keeperEnded(id, 0);
        }))
        return;
    trial.pidfd.reset();
    trial.stranger = true;
    if (m_strangerTimer == 0)
        m_strangerTimer = m_agent.loop.after(1000, [this] { checkStrangers(); });
}

void Trials::checkStrangers()
{
    std::vector<std::string> dead;
    bool any = false;
    for (const auto& [id, trial] : m_trials) {
        if (!trial->stranger)
            continue;
        const Fd folder = openFolder(AT_FDCWD, trial->path.c_str());
        ProcessIdentity keeper;
        if (!folder || !keeperLives(folder.get(), keeper))
            dead.push_back(id);
        else
            any = true;
    }
    m_strangerTimer = any ? m_agent.loop.after(1000, [this] { checkStrangers(); }) : 0;
    for (const std::string& id : dead) {
        m_trials[id]->stranger = false;
        keeperEnded(id, 0);
    }
}

void Trials::keeperEnded(const std::string& id, pid_t keeper)
{
    Trial* trial = find(id);
    if (!trial || trial->childKeeper != keeper)
        return;
    trial->childKeeper = 0;
    readJournal(*trial);
    if (trial->finalEvent.empty()) {
        // Keepers that die again and again are not started in a tight circle.
        if (++trial->revivals > 3)
            reviveLater(id);
        else if (!std::exchange(trial->orphan, true))
            m_orphans.push_back(id);
    }
    ready(*trial);
}

void Trials::forget(const std::string& id)
{
    if (Trial* trial = find(id)) {
        unwatchFiles(*trial);
        m_trials.erase(id);
    }
}

void Trials::ready(Trial& trial)
{
    if (!std::exchange(trial.queued, true))
        m_ready.push_back(trial.id);
}

void Trials::readJournal(Trial& trial)
{
    trial.journalDirty = false;
    const Fd folder = openFolder(AT_FDCWD, trial.path.c_str());
    if (!folder || !readFrom(folder.get(), "journal", trial.journalCursor, m_buffer))
        return;
    JournalReader reader(m_buffer);
    JournalRecord record;
    while (trial.finalEvent.empty() && reader.next(record)) {
        const std::uint64_t offset = trial.journalCursor + record.offset;
        const std::uint64_t next = trial.journalCursor + record.next;
        // The record is an object that one of our keepers wrote; the event is the same object with three members
        // before.
        if (record.json.size() < 3 || record.json.front() != '{')
            continue;
        if (record.json.starts_with("{\"type\":\"identity\"")) {
            trial.wrapper =
                summarize(std::string_view(m_buffer).substr(record.offset, record.next - record.offset)).wrapper;
            continue;
        }
        char head[200];
        const int size = std::snprintf(head, sizeof head,
            "{\"m\":\"event\",\"trial\":\"%s\",\"offset\":%" PRIu64 ",\"next\":%" PRIu64 ",", trial.id.c_str(), offset,
            next);
        std::string event(head, std::size_t(size));
        event.append(record.json.substr(1));
        if (record.json.find("\"final\":true") != std::string_view::npos)
            trial.finalEvent = std::move(event);
        else
            m_agent.out.stream(event);
    }
    trial.journalCursor += reader.validEnd();
    if (!trial.finalEvent.empty())
        trial.streamsDirty = ~0U; // there are no writers: read each to its end, once
}

bool Trials::work(Trial& trial)
{
    if (trial.journalDirty)
        readJournal(trial);
    if (trial.specUnread) {
        // The keeper writes it before the first record of the journal, so this comes before any of its output is lost.
        if (const Fd folder = openFolder(AT_FDCWD, trial.path.c_str()))
            readSpec(trial, folder.get());
    }
    StreamFrames frames(trial.id, m_agent.out);
    if (trial.streamsDirty != 0) {
        const Fd folder = openFolder(AT_FDCWD, trial.path.c_str());
        if (!folder && trial.finalEvent.empty() && trial.childKeeper == 0 && !trial.pidfd && !trial.stranger
            && !std::exchange(trial.orphan, true))
            m_orphans.push_back(trial.id); // its folder was deleted, so no exit file will report its end
        bool cut = false;
        std::uint32_t left = 0;
        for (std::size_t i = 0; folder && i < trial.streams.size(); ++i) {
            if ((trial.streamsDirty >> i & 1U) && trial.streams[i].read(folder.get(), frames))
                left |= 1U << i;
            cut = trial.streams[i].baseChanged() || cut;
        }
        trial.streamsDirty = left;
        if (cut) {
            std::string text;
            for (const Stream& each : trial.streams)
                text += std::string(each.wireName()) + ' ' + std::to_string(each.base()) + '\n';
            (void)replaceFileAt(folder.get(), "streams", text);
        }
    }
    if (trial.streamsDirty != 0 || trial.finalEvent.empty())
        return true;
    for (Stream& each : trial.streams)
        each.finish(frames);
    m_agent.out.stream(trial.finalEvent);
    return false;
}

bool Trials::pump()
{
    if (!m_orphans.empty()) {
        // One a turn: looking for what is left of a trial may mean reading all of /proc.
        const std::string id = std::move(m_orphans.front());
        m_orphans.pop_front();
        resolve(id);
    }
    for (int i = 0; i < 64 && !m_ready.empty() && m_agent.out.mayStream(); ++i) {
        const std::string id = std::move(m_ready.front());
        m_ready.pop_front();
        Trial* trial = find(id);
        if (!trial)
            continue;
        trial->queued = false;
        if (!work(*trial)) {
            forget(id);
            if (onEnded)
                onEnded(id);
        } else if (trial->streamsDirty != 0 || trial->journalDirty) {
            ready(*trial);
        }
    }
    return !m_orphans.empty() || (!m_ready.empty() && m_agent.out.mayStream());
}

void Trials::resolve(const std::string& id)
{
    Trial* trial = find(id);
    if (!trial)
        return;
    trial->orphan = false;
    const Fd folder = openFolder(AT_FDCWD, trial->path.c_str());
    std::string text;
    if (!trial->finalEvent.empty())
        return;
    if (!folder) {
        // Deleted by the trial itself. The wrapper makes it again for the exit file, if nothing else is in its place.
        const bool isGone = errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
        const bool mayCome = !isGone || isAlive(trial->wrapper) || hasProcesses(id);
        if (mayCome || openFolder(AT_FDCWD, trial->path.c_str()))
            reviveLater(id);
        else
            endWithoutFiles(*trial, failureClass::trialFolderLost,
                "Its folder was deleted while it ran, and how it ended is not known.");
        return;
    }
    {
        const ProcessIdentity earlier =
            fromEarlierBoot(folder.get(), trial->wrapper); // the lock will name this process
        KeeperLock lock;
        if (lock.take(folder.get()) == KeeperLock::Result::Busy) {
            watchKeeper(*trial); // another agent was quicker
            if (trial->orphan)
                reviveLater(id);
            return;
        }
        if (!readFileAt(folder.get(), "journal", text, 64 << 20))
            text.clear();
        JournalSummary summary = summarize(text);
        if (summary.wrapper.pid == 0)
            summary.wrapper = earlier.pid > 0 ? earlier : trial->wrapper;
        if (!trial->started && !existsAt(folder.get(), "token") && !existsAt(folder.get(), "exit")
            && !hasProcesses(id)) {
            lock.release();
            endWithoutFiles(*trial, failureClass::startFailed, "Its keeper ended before it started the command.");
            return;
        }
        // What a loss of power, or the trial, took of it is not waited for.
        trial->journalCursor = resumeAt(std::string_view(text).substr(0, summary.validEnd), trial->journalCursor);
        const Fd journal(::openat(folder.get(), "journal", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
        EndState end;
        if (journal && !summary.final && endOfDeadTrial(folder.get(), trial->path, summary, end)) {
            // Nothing lives: no keeper is needed to write the end down.
            if (summary.validEnd < text.size() && ::ftruncate(journal.get(), off_t(summary.validEnd)) != 0) {
                reviveLater(id);
                return;
            }
            const bool recorded = tryRecordEnd(folder.get(), journal.get(), end, summary.oomKills);
            lock.release();
            if (!recorded) {
                reviveLater(id);
                return;
            }
        } else if (!summary.final) {
            lock.release();
            const pid_t keeper = journal ? startAdoptingKeeper(m_agent.children, m_agent.places, trial->path,
                                     [this, id](pid_t pid) { keeperEnded(id, pid); })
                                         : -1;
            if (keeper < 0) {
                reviveLater(id);
                return;
            }
            trial->childKeeper = keeper;
            return;
        }
    }
    readJournal(*trial);
    ready(*trial);
}

void Trials::endWithoutFiles(Trial& trial, const char* failureClass, const char* reason)
{
    trial.finalEvent = toText({{message::name, message::event}, {"trial", trial.id}, {"offset", trial.journalCursor},
        {"next", trial.journalCursor}, {"type", eventType::lost}, {"final", true}, {"time", nowMs()},
        {"reason", reason}, {"failureClass", failureClass}});
    trial.streamsDirty = 0;
    ready(trial);
}

void Trials::reviveLater(const std::string& id)
{
    m_agent.loop.after(1000, [this, id] {
        Trial* trial = find(id);
        if (trial && trial->finalEvent.empty() && trial->childKeeper == 0 && !std::exchange(trial->orphan, true))
            m_orphans.push_back(id);
    });
}

nlohmann::json cancelResult(const std::string& id, const std::string& state, const Failure& failure)
{
    if (!state.empty())
        return {{"trial", id}, {"state", state}};
    return {{"trial", id}, {"state", "failed"}, {"kind", failure.kind}, {"message", failure.message},
        {"detail", failure.detail}};
}

std::string Trials::cancel(const std::string& id, const std::string& intent, int graceMs, Failure& failure)
{
    const OnDisk state = stateOnDisk(id);
    const Trial* trial = find(id);
    if ((state == OnDisk::prepared || state == OnDisk::unknown) && !trial)
        return word(OnDisk::unknown);
    if (state == OnDisk::ended)
        return word(OnDisk::ended);
    Fd folder = openFolder(AT_FDCWD, m_agent.places.trial(id).c_str());
    if (!folder)
        folder = makeFolderAgain(m_agent.places.trial(id)); // it has deleted its own
    if (graceMs == ownGrace) {
        std::string spec;
        (void)readFileAt(folder.get(), "spec.json", spec, 16 << 20);
        graceMs =
            int(std::clamp<std::int64_t>(numberOf(parseMessage(spec), "graceMs", defaultGraceMs), 0, 3600 * 1000));
    }
    char text[64];
    const int size = std::snprintf(text, sizeof text, "%s %d\n", intent.c_str(), graceMs);
    // The first intent stands: a repeat changes nothing that has begun.
    Cancel earlier;
    if (!readCancel(folder.get(), earlier) && !replaceFileAt(folder.get(), "cancel", {text, std::size_t(size)})) {
        failure = {errorKind(errno), "The cancel could not be written down.", errorText(errno)};
        return {};
    }
    if (trial && trial->childKeeper > 0) {
        ::kill(trial->childKeeper, SIGUSR1); // unreaped, so the pid is still its own
    } else {
        ProcessIdentity keeper;
        if (keeperLives(folder.get(), keeper) && isAlive(keeper))
            ::kill(keeper.pid, SIGUSR1);
        else if (trial && isAlive(trial->keeper))
            ::kill(trial->keeper.pid, SIGUSR1);
        else if (!trial)
            adopt(id, {}); // it may have no keeper: adopting it starts one, which finds the cancel
    }
    return "cancelling";
}

} // namespace trialkeeper
