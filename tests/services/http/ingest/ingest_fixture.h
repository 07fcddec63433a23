// SPDX-License-Identifier: GPL-3.0-or-later
// The address for trials over an engine that keeps what was posted, beside an API over a fake one.
#pragma once

#include "services/http/ingest/ingest_server.h"
#include "services/http/server_core.h"
#include "services/trial/ingest_token.h"
#include "tests/services/http/raw_client.h"

#include <QMutex>

#include <boost/asio/post.hpp>

#include <future>
#include <map>
#include <thread>

inline const core::TrialId ingestTrial{QStringLiteral("t00000000000001")};
inline const core::TrialId otherTrial{QStringLiteral("t00000000000002")};
inline const QByteArray ingestKey = "the key of this data directory";

/// Takes posts of two trials as the engine does, on the caller's thread.
class FakePostPort : public api::PostPort
{
public:
    using Done = std::function<void(core::Result<api::PostReply>)>;

    void post(api::PostMetrics metrics, Done done) override
    {
        const QMutexLocker lock(&m_mutex);
        ++m_posts;
        if (m_isHeld) {
            m_held.emplace_back(std::move(metrics), std::move(done));
            return;
        }
        answer(metrics, done);
    }
    void hold()
    {
        const QMutexLocker lock(&m_mutex);
        m_isHeld = true;
    }
    void letGo()
    {
        const QMutexLocker lock(&m_mutex);
        m_isHeld = false;
        for (const auto& [metrics, done] : std::exchange(m_held, {}))
            answer(metrics, done);
    }
    void setVerdict(api::PostReply::Verdict verdict)
    {
        const QMutexLocker lock(&m_mutex);
        m_verdict = verdict;
    }
    void setError(std::optional<core::Error> error)
    {
        const QMutexLocker lock(&m_mutex);
        m_error = std::move(error);
    }
    [[nodiscard]] QList<QByteArray> texts(const core::TrialId& trial) const
    {
        const QMutexLocker lock(&m_mutex);
        const auto found = m_texts.find(trial);
        return found == m_texts.end() ? QList<QByteArray>() : found->second;
    }
    [[nodiscard]] int posts() const
    {
        const QMutexLocker lock(&m_mutex);
        return m_posts;
    }
    [[nodiscard]] qint64 lastRun() const
    {
        const QMutexLocker lock(&m_mutex);
        return m_lastRun;
    }

private:
    void answer(const api::PostMetrics& metrics, const Done& done)
    {
        using enum api::PostReply::Verdict;
        m_lastRun = metrics.run;
        if (m_error)
            return done(tl::unexpected(*m_error));
        if (metrics.trial != ingestTrial && metrics.trial != otherTrial)
            return done(core::fail(core::Kind::not_found, QStringLiteral("There is no such trial any more.")));
        api::PostReply reply{m_verdict, m_next[metrics.trial]};
        if (m_verdict == taken) {
            for (const trial::PostedMetric& posted : *metrics.metrics) {
                if (metrics.hasOffsets && posted.offset > reply.offset) {
                    reply.verdict = gap;
                    break;
                }
                if (metrics.hasOffsets && posted.offset < reply.offset)
                    continue;
                m_texts[metrics.trial].append(posted.metric.data);
                if (metrics.hasOffsets)
                    ++reply.offset;
            }
            m_next[metrics.trial] = reply.offset;
        }
        done(reply);
    }

    mutable QMutex m_mutex;
    bool m_isHeld = false;
    std::vector<std::pair<api::PostMetrics, Done>> m_held;
    api::PostReply::Verdict m_verdict = api::PostReply::Verdict::taken;
    std::optional<core::Error> m_error;
    std::map<core::TrialId, qint64> m_next;
    std::map<core::TrialId, QList<QByteArray>> m_texts;
    int m_posts = 0;
    qint64 m_lastRun = 0;
};

[[nodiscard]] inline QByteArray tokenOf(const core::TrialId& trial)
{
    return trial::ingestToken(ingestKey, trial);
}

/// A post of lines; `extra` are header lines with their ends.
[[nodiscard]] inline QByteArray postText(const core::TrialId& trial, const QByteArray& body, const QByteArray& token,
    const QByteArray& extra = {}, const QByteArray& query = {})
{
    return "POST /ingest/v1/" + trial.value.toLatin1() + query
        + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n" + extra
        + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

[[nodiscard]] inline QByteArray lineOf(qint64 offset, const QByteArray& value)
{
    return "{\"offset\": " + QByteArray::number(offset) + ", \"metric\": " + value + "}\n";
}

class IngestFixture
{
public:
    explicit IngestFixture(http::IngestLimits limits = {})
    {
        http::ApiConfig config;
        config.token = testToken;
        m_api = std::make_unique<http::ApiServer>(config, m_engine);
        const auto url = m_api->start();
        Q_ASSERT(url);
        m_apiPort = url->port();
        auto socket = http::IngestSocket::bind(QStringLiteral("127.0.0.1"), 0);
        Q_ASSERT(socket);
        m_port = socket->port();
        m_ingest = std::make_unique<http::IngestServer>(http::IngestConfig{ingestKey, limits}, *m_api, posts);
        const auto started = m_ingest->start(*std::move(socket));
        Q_ASSERT(started);
    }
    ~IngestFixture() { stop(); }
    void stop()
    {
        m_ingest.reset();
        m_api.reset();
    }
    /// While the http thread is busy: what has come meanwhile is in its queue behind the stop.
    void stopBusy(int busyMs)
    {
        const std::shared_ptr<http::ServerCore> core = m_api->core();
        std::promise<void> begun;
        boost::asio::post(core->io, [&begun, busyMs] {
            begun.set_value();
            std::this_thread::sleep_for(std::chrono::milliseconds(busyMs));
        });
        begun.get_future().wait();
        m_ingest->stop();
    }

    [[nodiscard]] int port() const { return m_port; }
    RawResponse exchange(const QByteArray& text, bool isHead = false) const
    {
        RawClient client(m_port);
        client.send(text);
        return client.response(isHead);
    }
    RawResponse post(const QByteArray& body, const core::TrialId& trial = ingestTrial) const
    {
        return exchange(postText(trial, body, tokenOf(trial)));
    }
    /// From the API beside it.
    RawResponse get(const QByteArray& target) const
    {
        RawClient client(m_apiPort);
        client.send(request("GET", target));
        return client.response();
    }

    FakePostPort posts;

private:
    fakes::FakeEnginePort m_engine;
    std::unique_ptr<http::ApiServer> m_api;
    std::unique_ptr<http::IngestServer> m_ingest;
    int m_port = 0;
    int m_apiPort = 0;
};
