// SPDX-License-Identifier: GPL-3.0-or-later
// An HttpClient with what it needs: a clock that stands still, a strand, tokens that are counted.
#pragma once

#include "services/core/scope.h"
#include "services/transport/http/http_client.h"
#include "services/transport/http/http_stream.h"
#include "services/transport/http/web_socket.h"

#include "tests/fakes/paced_time.h"
#include "tests/fakes/web/fake_web_server.h"

#include <QCoreApplication>
#include <QTest>

/// `Bearer t1`, `Bearer t2` …, one for each call.
class CountedTokens : public transport::TokenSource
{
public:
    core::Task<core::Result<QByteArray>> authorization(QByteArray rejected, std::stop_token) override
    {
        ++calls;
        rejectedOnes += rejected;
        const core::OneShot<bool> gate = m_gate;
        if (isHeld)
            co_await gate.wait();
        if (!error.isEmpty())
            co_return core::fail(core::Kind::auth, error);
        co_return QByteArray("Bearer t" + QByteArray::number(given ? *given : calls));
    }
    void release() { m_gate.set(true); }

    int calls = 0;
    QByteArrayList rejectedOnes;
    bool isHeld = false; ///< each call waits for release()
    QString error;
    std::optional<int> given; ///< always this one

private:
    core::OneShot<bool> m_gate;
};

/// A task under way.
template <typename T>
class Pending
{
public:
    explicit Pending(core::Task<T> task) { keep(std::move(task), m_value); }
    [[nodiscard]] bool isDone() const { return m_value->has_value(); }
    [[nodiscard]] T& value() const { return **m_value; }

private:
    static core::Task<> keep(core::Task<T> task, std::shared_ptr<std::optional<T>> value)
    {
        T result = co_await task;
        value->emplace(std::move(result));
    }
    std::shared_ptr<std::optional<T>> m_value = std::make_shared<std::optional<T>>();
};

struct ClientSetup
{
    explicit ClientSetup(const QUrl& base, transport::TokenSource* tokens = nullptr)
    {
        settings.base = base;
        make(tokens);
    }
    explicit ClientSetup(transport::HttpSettings given, transport::TokenSource* tokens = nullptr)
        : settings(std::move(given))
    {
        make(tokens);
    }
    ~ClientSetup()
    {
        if (!client)
            return;
        const Pending closing(closed());
        spin([&] { return closing.isDone(); });
        stop.request_stop();
    }

    /// fakes::spin(), with a clock that stands still.
    bool spin(const std::function<bool()>& until) { return fakes::spin(clock, until); }
    template <typename T>
    T wait(core::Task<T> task)
    {
        const Pending<T> pending(std::move(task));
        if (!spin([&] { return pending.isDone(); }))
            qFatal("a task does not end");
        return std::move(pending.value());
    }
    core::Result<transport::HttpReply> send(transport::HttpRequest request)
    {
        return wait(client->send(std::move(request), stop.get_token()));
    }
    core::Result<transport::HttpReply> get(const QByteArray& target, int attempts = 1)
    {
        return send(request(target, attempts));
    }
    static transport::HttpRequest request(const QByteArray& target, int attempts = 1)
    {
        transport::HttpRequest request;
        request.target = target;
        request.attempts = attempts;
        return request;
    }

    fakes::FakeClock clock;
    core::Strand strand{QStringLiteral("http"), 2};
    transport::HttpSettings settings;
    double random = 0; ///< jitter: no back-off at all
    std::stop_source stop;
    core::Error problem; ///< why there is no client
    std::unique_ptr<transport::HttpClient> client;

private:
    void make(transport::TokenSource* tokens)
    {
        auto made = transport::HttpClient::make(settings, {&clock, &strand, [this] { return random; }}, tokens);
        if (made)
            client = std::move(*made);
        else
            problem = made.error();
    }
    core::Task<bool> closed()
    {
        auto closing = client->close();
        co_await closing;
        co_return true;
    }
};

/// `network: sentence`, or the status.
inline QString shown(const core::Result<transport::HttpReply>& result)
{
    return result ? QString::number(result->status)
                  : core::kindName(result.error().kind) + QStringLiteral(": ") + result.error().message.text();
}
