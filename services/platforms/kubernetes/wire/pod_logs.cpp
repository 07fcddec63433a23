// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_logs.h"

#include "services/core/random_text.h"
#include "services/platforms/kubernetes/kube_paths.h"
#include "services/platforms/kubernetes/kube_status.h"
#include "services/transport/http/http_stream.h"
#include "services/wire/pod_frame.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

QByteArray lastTimeStamp(const QByteArray& bytes)
{
    static const QRegularExpression form(
        u"\\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})\\z"_s);
    constexpr qsizetype longest = 40;
    for (qsizetype end = bytes.lastIndexOf('\n'); end > 0; end = bytes.lastIndexOf('\n', end - 1)) {
        const qsizetype before = bytes.lastIndexOf('\n', end - 1);
        const QByteArray head = bytes.mid(before + 1, std::min(longest, end - before - 1));
        QByteArray stamp = head.left(std::max<qsizetype>(0, head.indexOf(' ')));
        if (form.match(QString::fromLatin1(stamp)).hasMatch())
            return stamp;
    }
    return {};
}

/// Whether these bytes of a log end with the frame that a keeper writes last.
static bool endsWithLastFrame(const QByteArray& bytes)
{
    const qsizetype begin = bytes.lastIndexOf(trialkeeper::podFrameMark.data());
    if (begin < 0 || bytes.indexOf('\n', begin) != bytes.size() - 1)
        return false;
    trialkeeper::PodFrame frame;
    return trialkeeper::parsePodFrame({bytes.constData() + begin, size_t(bytes.size() - 1 - begin)}, frame)
        && frame.end;
}

/// The log of one pod. Bytes that were read from the wire stand in `held`, the first of them at `from` of this connection.
struct PodLogs::Follow
{
    LogPod pod;
    QByteArray identity; ///< of the connection
    QByteArray held;
    qint64 from = 0;
    QByteArray since; ///< time stamp from which the next connection goes on; empty: from the beginning
    bool isQueued = false;
    bool isTurnOver = false;
    std::shared_ptr<transport::HttpStream> silent; ///< set while bytes of it are awaited
    qint64 openedAt = 0;                           ///< steady
    bool isOver = false;                           ///< all of it is in `held`
    int failures = 0;
    std::optional<QByteArray> lastOfEnded; ///< `since` at the end of an earlier connection of the ended container
    std::optional<Message> refusal;        ///< of the last connection
    bool isForbidden = false;              ///< by it
    std::stop_source stop;
    std::optional<OneShot<bool>> room; ///< set when some was taken
    std::optional<OneShot<bool>> waking;

    void newIdentity()
    {
        identity = pod.uid.toLatin1() + '/' + randomText(8, "0123456789abcdef");
        held.clear();
        from = 0;
    }
};

PodLogs::PodLogs(KubeClient* client, Clock* clock, QString inNamespace)
    : m_client(client)
    , m_clock(clock)
    , m_namespace(std::move(inNamespace))
{
}

PodLogs::~PodLogs() = default;

Task<> PodLogs::close()
{
    for (const auto& [key, follow] : std::exchange(m_follows, {}))
        end(*follow);
    m_queue.clear();
    m_partQueue.clear();
    m_scope.requestStop();
    auto draining = m_scope.drain();
    co_await draining;
}

void PodLogs::end(Follow& follow)
{
    follow.isOver = true;
    follow.stop.request_stop();
    if (auto room = std::exchange(follow.room, {}))
        room->set(false);
    if (auto waking = std::exchange(follow.waking, {}))
        waking->set(false);
}

void PodLogs::keepOnly(const QSet<Key>& wanted)
{
    for (auto it = m_follows.begin(); it != m_follows.end();) {
        if (wanted.contains(it->first)) {
            ++it;
            continue;
        }
        end(*it->second);
        it = m_follows.erase(it);
    }
    next();
    countTurns();
    lookForProhibition();
}

void PodLogs::lookForProhibition()
{
    Message found;
    for (const auto& [key, follow] : m_follows)
        if (found.isEmpty() && follow->isForbidden && follow->refusal)
            found = *follow->refusal;
    if (std::exchange(m_prohibition, found) != found)
        emit prohibitionChanged();
}

void PodLogs::countTurns()
{
    const bool takesTurns = m_follows.size() > mostStreams;
    if (std::exchange(m_takesTurns, takesTurns) != takesTurns)
        emit takesTurnsChanged();
}

LogPart PodLogs::read(const LogWish& wish, const LogPod& pod)
{
    LogPart part{.trial = wish.trial.trial, .part = wish.part};
    std::shared_ptr<Follow>& slot = m_follows[{wish.trial.trial, wish.part}];
    if (slot && slot->pod.uid != pod.uid) {
        end(*slot);
        slot.reset();
    }
    if (!slot) {
        slot = std::make_shared<Follow>();
        slot->pod = pod;
        slot->newIdentity();
        begin(slot);
    }
    Follow& follow = *slot;
    if (pod.hasEnded && !follow.pod.hasEnded) {
        follow.pod = pod;
        if (auto waking = std::exchange(follow.waking, {}))
            waking->set(true);
        if (follow.isQueued)
            m_queue.push_front(slot); // its other place in the queue is passed over
    }
    if (!wish.identity.isEmpty() && wish.identity != follow.identity) {
        part.state = LogPart::State::another;
        return part;
    }
    if (wish.offset < follow.from || wish.offset > follow.from + follow.held.size()) {
        // What was read is asked for again, which only a new connection has.
        end(follow);
        const LogPod same = follow.pod;
        slot = std::make_shared<Follow>();
        slot->pod = same;
        slot->newIdentity();
        begin(slot);
        part.state = LogPart::State::another;
        return part;
    }
    follow.held.remove(0, wish.offset - follow.from);
    follow.from = wish.offset;
    if (follow.held.size() < holdBytes)
        if (auto room = std::exchange(follow.room, {}))
            room->set(true);
    if (follow.refusal && follow.held.isEmpty()) {
        part.state = LogPart::State::unreadable;
        part.message = *follow.refusal;
        return part;
    }
    part.state = LogPart::State::read;
    part.identity = follow.identity;
    part.bytes = follow.held.left(partBytes);
    part.isEnd = follow.isOver && part.bytes.size() == follow.held.size();
    return part;
}

void PodLogs::begin(const std::shared_ptr<Follow>& follow)
{
    follow->isQueued = true;
    if (follow->pod.hasEnded)
        m_queue.push_front(follow);
    else
        (follow->pod.part.isEmpty() ? m_queue : m_partQueue).push_back(follow);
    next();
}

void PodLogs::next()
{
    while (m_streams < mostStreams && waiting() > 0) {
        auto& queue = m_queue.empty() ? m_partQueue : m_queue;
        const std::shared_ptr<Follow> follow = queue.front().lock();
        queue.pop_front();
        if (!follow || !follow->isQueued || follow->isOver || m_scope.stopToken().stop_requested())
            continue;
        follow->isQueued = false;
        ++m_streams;
        m_scope.spawn([this, follow] { return run(follow); });
    }
    if (waiting() == 0)
        m_turnTimer.reset();
    else if (!m_turnTimer)
        m_turnTimer = m_clock->after(turnMs, [this] { endTurns(); });
}

void PodLogs::endTurns()
{
    m_turnTimer.reset();
    std::vector<std::shared_ptr<Follow>> old;
    for (const auto& [key, follow] : m_follows)
        if (follow->silent && !follow->isTurnOver && m_clock->steadyMs() - follow->openedAt >= turnMs)
            old.push_back(follow);
    std::sort(old.begin(), old.end(), [](const auto& a, const auto& b) { return a->openedAt < b->openedAt; });
    old.resize(std::min(old.size(), waiting()));
    for (const std::shared_ptr<Follow>& follow : old) {
        follow->isTurnOver = true;
        if (const auto log = std::exchange(follow->silent, nullptr))
            log->abort(); // its reader goes on
    }
    next();
}

Task<> PodLogs::pause(std::shared_ptr<Follow> follow, qint64 ms)
{
    if (follow->stop.stop_requested())
        co_return;
    OneShot<bool> shot;
    follow->waking = shot;
    const auto timer = m_clock->after(ms, [follow] {
        if (auto waking = std::exchange(follow->waking, {}))
            waking->set(true);
    });
    co_await shot.wait();
}

Task<> PodLogs::run(std::shared_ptr<Follow> follow)
{
    auto streaming = stream(follow);
    const bool isDone = co_await streaming;
    --m_streams;
    next();
    if (isDone && !follow->isOver) {
        // A frame that the log lacks may stand in the termination message; one that it has is passed over.
        if (!follow->pod.termination.isEmpty())
            follow->held += '\n' + follow->pod.termination + '\n';
        follow->isOver = true;
        emit grew();
    }
    if (isDone || follow->stop.stop_requested())
        co_return;
    if (!std::exchange(follow->isTurnOver, false)) {
        const qint64 delay = std::min<qint64>(10'000, 500 << std::min(follow->failures, 5));
        auto pausing = pause(follow, delay);
        co_await pausing;
    }
    if (!follow->stop.stop_requested())
        begin(follow);
}

Task<bool> PodLogs::stream(std::shared_ptr<Follow> follow)
{
    const auto target = kubePath({podsResource(), m_namespace, follow->pod.name, "log"});
    if (!target)
        co_return true;
    // What is held is taken first: a new connection is another log.
    while (!follow->held.isEmpty() && !follow->stop.stop_requested()) {
        OneShot<bool> room;
        follow->room = room;
        co_await room.wait();
    }
    if (follow->stop.stop_requested())
        co_return true;
    if (follow->from > 0)
        follow->newIdentity();
    transport::HttpRequest request;
    request.target = withParameters(*target,
        {{"container", follow->pod.container}, {"follow", u"true"_s}, {"timestamps", u"true"_s},
            {"sinceTime", QString::fromLatin1(follow->since)}});
    request.silenceMs = 0; // a trial may be silent for days
    const bool isOfEnded = follow->pod.hasEnded;
    auto opening = m_client->stream(std::move(request), follow->stop.get_token());
    const auto opened = co_await opening;
    if (!opened) {
        ++follow->failures;
        co_return false;
    }
    const std::shared_ptr<transport::HttpStream>& log = *opened;
    if (log->status() != 200) {
        auto reading = log->rest();
        const Result<transport::HttpReply> reply = co_await reading;
        log->abort();
        ++follow->failures;
        if (!reply || reply->isOk())
            co_return false;
        const KubeRefusal refused = refusalOf(*reply);
        if (reply->status == 401 || reply->status == 403) {
            follow->refusal = refused.error.message;
            follow->isForbidden = reply->status == 403;
            lookForProhibition();
        }
        // notFound: the pod is gone, and its log with it. A node that has just started and does not know its pods yet says 404, too, which
        // is notServed. 400: the container has not started.
        co_return refused.what == Refusal::notFound;
    }
    follow->failures = 0;
    follow->refusal.reset();
    if (std::exchange(follow->isForbidden, false))
        lookForProhibition();
    follow->openedAt = m_clock->steadyMs();
    QByteArray recent; ///< the end of what came, for its last whole line
    for (;;) {
        follow->silent = log;
        auto reading = log->read();
        const Result<QByteArray> bytes = co_await reading;
        follow->silent.reset();
        if (follow->isTurnOver)
            co_return follow->stop.stop_requested();
        if (!bytes || bytes->isEmpty() || follow->stop.stop_requested()) {
            // The end in order is that of the container, or of the node's patience.
            const bool isEnd = bytes && bytes->isEmpty();
            log->abort();
            if (!isEnd)
                ++follow->failures;
            if (isEnd && !follow->pod.hasEnded) {
                auto pausing = pause(follow, 3'000); // the watch says it soon
                co_await pausing;
            }
            // The API server ends a connection in order, too, where it loses the node. So without the keeper's last frame (it was killed)
            // the log is whole where two connections of the ended container end with the same line.
            bool isWhole = endsWithLastFrame(recent);
            if (isEnd && isOfEnded)
                isWhole |= std::exchange(follow->lastOfEnded, follow->since) == follow->since;
            co_return follow->stop.stop_requested() || (isEnd && follow->pod.hasEnded && isWhole);
        }
        const bool wasEmpty = follow->held.isEmpty();
        follow->held += *bytes;
        recent = (recent + *bytes).right(32 * 1024);
        if (const QByteArray stamp = lastTimeStamp(recent); !stamp.isEmpty())
            follow->since = stamp;
        if (wasEmpty)
            emit grew();
        follow->isTurnOver = waiting() > 0 && m_clock->steadyMs() - follow->openedAt >= turnMs;
        while (!follow->stop.stop_requested() && follow->held.size() >= (follow->isTurnOver ? 1 : holdBytes)) {
            OneShot<bool> room;
            follow->room = room;
            co_await room.wait();
        }
        if (follow->isTurnOver) {
            log->abort();
            co_return false;
        }
    }
}

} // namespace platforms::kubernetes
