// SPDX-License-Identifier: GPL-3.0-or-later
#include "object_watch.h"

#include "kube_status.h"
#include "watch_lines.h"

#include "services/core/logging.h"
#include "services/transport/http/http_stream.h"
#include "services/transport/http/patience.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr int listTimeoutMs = 60'000;
constexpr qint64 mostPageBytes = 64 * 1024 * 1024;
constexpr qint64 shortLifeMs = 1'000; ///< of a watch that is no sign of health
constexpr qint64 shortLifePauseMs = 250;
constexpr int leastWatchSeconds = 300;
constexpr int mostRestarts = 2; ///< of a list whose pages expired; then it is asked for as a whole

} // namespace

/// Why a turn did not go well.
struct ObjectWatch::Trouble
{
    Error error;
    transport::AttemptEnd end;
    Refusal what = Refusal::other;
    bool isOfWatch = false;

    [[nodiscard]] static Trouble of(const Error& error)
    {
        Trouble trouble{error, {}, Refusal::other, false};
        trouble.end.error = error.kind;
        return trouble;
    }
    [[nodiscard]] static Trouble of(const KubeRefusal& refusal)
    {
        return {refusal.error, refusal.end, refusal.what, false};
    }
};

/// Lines of a watch, read.
struct ObjectWatch::Batch
{
    struct Step
    {
        WatchEvent::Type type = WatchEvent::Type::other;
        KubeObject object; ///< of a bookmark, its version alone
    };
    std::vector<Step> steps;
    std::optional<Trouble> trouble; ///< after the steps
};

ObjectWatch::ObjectWatch(
    KubeClient* client, transport::HttpEnvironment environment, ObjectQuery query, SlimObject slim, QObject* parent)
    : QObject(parent)
    , m_client(client)
    , m_environment(std::move(environment))
    , m_query(std::move(query))
    , m_slim(std::move(slim))
{
    if (!m_environment.random)
        m_environment.random = [] { return QRandomGenerator::global()->generateDouble(); };
}

ObjectWatch::~ObjectWatch() = default;

void ObjectWatch::start()
{
    const bool isRunning = m_state != State::stopped && m_state != State::refused;
    if (isRunning || m_scope.stopToken().stop_requested())
        return;
    m_state = State::starting;
    m_version.clear();
    m_failures = m_expiries = 0;
    m_pollingReason.reset();
    if (m_scope.running() == 0) // else run() has just said that it was refused, and goes on
        m_scope.spawn([this] { return run(); });
}

void ObjectWatch::refresh()
{
    m_version.clear();
    m_pollingReason.reset();
    std::stop_source turn = m_turn; // run() makes another one inside the call
    turn.request_stop();
}

Task<> ObjectWatch::close()
{
    m_state = State::stopped;
    m_batchTimer.reset();
    m_pending = {};
    auto draining = m_scope.drain();
    co_await draining;
}

void ObjectWatch::noteContact()
{
    m_lastContactMs = m_environment.clock->nowMs();
}

void ObjectWatch::noteServerTime(const QByteArray& date)
{
    if (const std::optional<qint64> server = transport::httpDateMs(date))
        m_serverAheadMs = *server - m_environment.clock->nowMs();
}

void ObjectWatch::deliver(const ObjectChanges& changes)
{
    m_pending.put += changes.put;
    m_pending.gone += changes.gone;
    if (!m_batchTimer)
        flush();
}

void ObjectWatch::flush()
{
    m_batchTimer.reset();
    if (m_pending.isEmpty())
        return;
    m_batchTimer = m_environment.clock->after(batchMs, [this] { flush(); });
    ObjectChanges changes;
    changes.gone = std::exchange(m_pending.gone, {});
    QSet<QString> seen;
    for (const QString& key : std::exchange(m_pending.put, {})) {
        if (seen.contains(key) || !m_objects.contains(key))
            continue;
        seen.insert(key);
        changes.put.append(key);
    }
    if (changes.isEmpty())
        return;
    emit changed(changes);
    // Who wants more of it has it by now: thousands of parsed objects are most of a service's memory.
    for (const QString& key : std::as_const(changes.put))
        if (const auto told = m_objects.find(key); told != m_objects.end())
            told->kept = {};
}

bool ObjectWatch::isListDue() const
{
    return m_version.isEmpty() || m_pollingReason || m_environment.clock->steadyMs() - m_listedMs >= relistAfterMs;
}

Task<> ObjectWatch::run()
{
    const std::stop_token stop = m_scope.stopToken();
    while (!stop.stop_requested()) {
        m_turn = std::stop_source();
        const transport::JoinedStop joined(stop, m_turn.get_token());
        std::optional<Trouble> trouble;
        if (isListDue()) {
            auto listing = list(joined.token());
            trouble = co_await listing;
        } else {
            auto watching = watch(joined.token());
            trouble = co_await watching;
        }
        if (stop.stop_requested())
            break;
        if (joined.token().stop_requested())
            continue; // to be refreshed
        if (trouble && trouble->error.kind == Kind::cancelled) {
            if (m_client->isClosed())
                break;
            continue; // its connection was given up for another one
        }
        const qint64 delay = judge(trouble);
        if (m_state == State::refused || stop.stop_requested())
            break;
        if (delay > 0) {
            auto waiting = transport::pause(m_environment.clock, delay, joined.token());
            co_await waiting;
        }
    }
}

qint64 ObjectWatch::judge(const std::optional<Trouble>& trouble)
{
    if (!trouble) {
        m_failures = 0;
        if (m_pollingReason && m_environment.clock->steadyMs() - m_pollingSinceMs >= relistAfterMs)
            m_pollingReason.reset(); // the right may be there by now: it is watched, or refused once more
        return m_pollingReason ? pollMs() : 0;
    }
    if (trouble->isOfWatch && (trouble->what == Refusal::forbidden || trouble->end.status == 405)) {
        m_pollingReason = trouble->error;
        m_pollingSinceMs = m_environment.clock->steadyMs();
        m_failures = 0;
        return pollMs();
    }
    if (trouble->what == Refusal::expired || trouble->what == Refusal::versionUnknown) {
        m_version.clear();
        if (++m_expiries == 1)
            return 0;
    }
    const Kind kind = trouble->error.kind;
    if (kind == Kind::auth || kind == Kind::invalid || kind == Kind::not_found) {
        m_state = State::refused;
        emit lost(trouble->error);
        return 0;
    }
    m_failures = std::max(m_failures + 1, m_expiries);
    if (m_failures >= failuresUntilLost) {
        m_version.clear(); // also what cannot be read at one version is left behind
        if (std::exchange(m_state, State::lost) != State::lost)
            emit lost(trouble->error);
    }
    return transport::retryDelayMs(trouble->end, m_failures, m_environment.random(), m_environment.clock->nowMs());
}

Result<transport::HttpRequest> ObjectWatch::request(const KubeParameters& parameters) const
{
    const Result<QByteArray> path = kubePath({m_query.resource, m_query.inNamespace, {}, {}});
    if (!path)
        return fail(path);
    transport::HttpRequest request;
    request.target = withParameters(*path,
        KubeParameters{{"labelSelector", m_query.labelSelector}, {"fieldSelector", m_query.fieldSelector}}
            + parameters);
    request.attempts = 1; // run() counts them
    return request;
}

Task<std::optional<ObjectWatch::Trouble>> ObjectWatch::list(std::stop_token stop)
{
    QList<KubeObject> all;
    QString version;
    QString next;
    int restarts = 0;
    do {
        // Its JSON is parsed here, not by the client: what is not kept is freed on the strand, too.
        const QString limit = restarts > mostRestarts ? QString() : QString::number(pageSize);
        Result<transport::HttpRequest> page = request({{"limit", limit}, {"continue", next}});
        if (!page)
            co_return Trouble::of(page.error());
        page->timeoutMs = listTimeoutMs;
        page->maxBytes = mostPageBytes;
        auto sending = m_client->send(*page, stop);
        const Result<transport::HttpReply> reply = co_await sending;
        if (!reply)
            co_return Trouble::of(reply.error());
        if (!reply->isOk()) {
            const KubeRefusal refusal = refusalOf(*reply);
            if (refusal.what != Refusal::expired || next.isEmpty())
                co_return Trouble::of(refusal);
            // The server keeps old pages for some minutes only.
            ++restarts;
            all.clear();
            version.clear();
            next.clear();
            continue;
        }
        noteContact();
        noteServerTime(reply->header("date"));
        const bool isLarge = reply->body.size() > parsedHereBytes;
        Result<ObjectPage> read;
        if (isLarge) {
            auto parsing =
                m_environment.strand->run([body = reply->body, slim = m_slim, all = m_query.inNamespace.isEmpty()] {
                    return readObjectPage(body, slim, all);
                });
            read = co_await parsing;
        } else {
            read = readObjectPage(reply->body, m_slim, m_query.inNamespace.isEmpty());
        }
        if (!read)
            co_return Trouble::of(read.error());
        all.append(std::move(read->objects));
        version = read->version;
        next = read->next;
    } while ((!next.isEmpty() || version.isEmpty()) && !stop.stop_requested());
    if (stop.stop_requested())
        co_return std::nullopt;
    m_version = version;
    m_listedMs = m_environment.clock->steadyMs();
    m_failures = 0;
    replace(std::move(all));
    co_return std::nullopt;
}

void ObjectWatch::replace(QList<KubeObject> all)
{
    ObjectChanges changes;
    QHash<QString, KubeObject> fresh;
    fresh.reserve(all.size());
    for (KubeObject& object : all) {
        const auto old = m_objects.constFind(object.key);
        const bool isThere = old != m_objects.constEnd();
        const QString key = object.key;
        if (isThere && old->uid == object.uid && old->version == object.version) {
            fresh.insert(key, *old);
            continue;
        }
        if (isThere && old->uid != object.uid)
            changes.gone.append(*old);
        changes.put.append(key);
        fresh.emplace(key, std::move(object));
    }
    for (const KubeObject& old : std::as_const(m_objects))
        if (!fresh.contains(old.key))
            changes.gone.append(old);
    m_objects = std::move(fresh);
    const bool wasCurrent = std::exchange(m_state, State::current) == State::current;
    deliver(changes);
    if (!wasCurrent) {
        flush();
        emit synced();
    }
}

Task<std::optional<ObjectWatch::Trouble>> ObjectWatch::watch(std::stop_token stop)
{
    const qint64 began = m_environment.clock->steadyMs();
    const int seconds = leastWatchSeconds + int(m_environment.random() * leastWatchSeconds);
    Result<transport::HttpRequest> asked = request({{"watch", u"1"_s}, {"resourceVersion", m_version},
        {"allowWatchBookmarks", u"true"_s}, {"timeoutSeconds", QString::number(seconds)}});
    if (!asked)
        co_return Trouble::of(asked.error());
    asked->silenceMs = silenceMs;
    auto opening = m_client->stream(*asked, stop);
    const Result<std::shared_ptr<transport::HttpStream>> stream = co_await opening;
    if (!stream)
        co_return Trouble::of(stream.error());
    if ((*stream)->status() != 200) {
        auto reading = (*stream)->rest();
        const Result<transport::HttpReply> rest = co_await reading;
        if (!rest)
            co_return Trouble::of(rest.error());
        Trouble trouble = Trouble::of(refusalOf(*rest));
        trouble.isOfWatch = true;
        co_return trouble;
    }
    noteServerTime((*stream)->header("date"));
    const QString before = m_version;
    auto following = follow(*stream, stop);
    std::optional<Trouble> trouble = co_await following;
    const bool isHealthy = m_version != before || m_environment.clock->steadyMs() - began >= shortLifeMs;
    const bool isBroken = trouble && trouble->end.error && *trouble->end.error != Kind::cancelled;
    if (!isHealthy && !trouble)
        co_return Trouble::of(Error{Kind::network, u"The API server ended the watch at once."_m, {}});
    if (!isHealthy || (trouble && !isBroken))
        co_return trouble;
    // A connection that worked and was cut: on from where it was, but not in a circle without a pause.
    m_failures = 0;
    if (m_environment.clock->steadyMs() - began < shortLifeMs) {
        auto waiting = transport::pause(m_environment.clock, shortLifePauseMs, stop);
        co_await waiting;
    }
    co_return std::nullopt;
}

Task<std::optional<ObjectWatch::Trouble>> ObjectWatch::follow(
    std::shared_ptr<transport::HttpStream> stream, std::stop_token stop)
{
    WatchLines lines;
    for (;;) {
        auto reading = stream->read();
        const Result<QByteArray> bytes = co_await reading;
        if (!bytes)
            co_return Trouble::of(bytes.error());
        if (bytes->isEmpty())
            co_return std::nullopt;
        noteContact();
        lines.push(*bytes);
        QByteArrayList whole;
        qint64 size = 0;
        while (std::optional<QByteArray> line = lines.next()) {
            size += line->size();
            whole.append(*std::move(line));
        }
        if (lines.isTooLong())
            co_return Trouble::of(
                Error{Kind::platform, u"The API server sent an object of more than 8 MiB, which is not read."_m, {}});
        if (whole.isEmpty())
            continue;
        Batch batch;
        if (size > parsedHereBytes) {
            auto parsing = m_environment.strand->run(
                [whole, slim = m_slim, all = m_query.inNamespace.isEmpty()] { return readBatch(whole, slim, all); });
            batch = co_await parsing;
        } else {
            batch = readBatch(whole, m_slim, m_query.inNamespace.isEmpty());
        }
        if (stop.stop_requested())
            co_return std::nullopt;
        if (std::optional<Trouble> trouble = apply(std::move(batch)))
            co_return trouble;
    }
}

ObjectWatch::Batch ObjectWatch::readBatch(const QByteArrayList& lines, const SlimObject& slim, bool allNamespaces)
{
    Batch batch;
    for (const QByteArray& line : lines) {
        const Result<WatchEvent> event = readWatchLine(line);
        if (!event) {
            batch.trouble = Trouble::of(event.error());
            break;
        }
        if (event->type == WatchEvent::Type::error) {
            batch.trouble = Trouble::of(refusalOf(event->object));
            batch.trouble->isOfWatch = true;
            break;
        }
        if (event->type == WatchEvent::Type::bookmark) {
            KubeObject mark;
            mark.version = metadataOf(event->object, "resourceVersion");
            batch.steps.push_back({event->type, std::move(mark)});
        } else if (event->type != WatchEvent::Type::other) {
            if (std::optional<KubeObject> object = readObject(event->object, slim, allNamespaces))
                batch.steps.push_back({event->type, *std::move(object)});
        }
    }
    return batch;
}

std::optional<ObjectWatch::Trouble> ObjectWatch::apply(Batch batch)
{
    ObjectChanges changes;
    for (Batch::Step& step : batch.steps) {
        if (!step.object.version.isEmpty())
            m_version = step.object.version;
        m_expiries = 0;
        if (step.type == WatchEvent::Type::bookmark)
            continue;
        const QString key = step.object.key;
        const auto old = m_objects.constFind(key);
        const bool isThere = old != m_objects.constEnd();
        if (step.type == WatchEvent::Type::deleted) {
            if (isThere)
                changes.gone.append(step.object);
            m_objects.remove(key);
            continue;
        }
        if (isThere && old->uid != step.object.uid)
            changes.gone.append(*old);
        else if (isThere && old->version == step.object.version)
            continue; // known from the list
        m_objects.emplace(key, std::move(step.object));
        changes.put.append(key);
    }
    deliver(changes);
    return batch.trouble;
}

} // namespace platforms::kubernetes
