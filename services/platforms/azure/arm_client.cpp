// SPDX-License-Identifier: GPL-3.0-or-later
#include "arm_client.h"

#include "services/transport/http/patience.h"
#include "services/transport/http/retry_policy.h"

#include <QRandomGenerator>

#include <algorithm>

namespace platforms::azure {

namespace {

transport::AttemptEnd attemptEnd(const Result<transport::HttpReply>& answer)
{
    transport::AttemptEnd end;
    if (!answer) {
        end.error = answer.error().kind;
        return end;
    }
    end.status = answer->status;
    end.retryAfter = answer->header("Retry-After");
    end.date = answer->header("Date");
    return end;
}

} // namespace

Result<std::unique_ptr<ArmClient>> ArmClient::make(
    transport::HttpSettings settings, transport::HttpEnvironment environment, transport::TokenSource* tokens)
{
    auto client = transport::HttpClient::make(std::move(settings), environment, tokens);
    if (!client)
        return fail(client);
    return std::unique_ptr<ArmClient>(new ArmClient(std::move(*client), std::move(environment)));
}

ArmClient::ArmClient(std::unique_ptr<transport::HttpClient> client, transport::HttpEnvironment environment)
    : m_client(std::move(client))
    , m_environment(std::move(environment))
{
    if (!m_environment.random)
        m_environment.random = [] { return QRandomGenerator::global()->generateDouble(); };
}

qint64& ArmClient::earliestOf(const QByteArray& method)
{
    if (method == "GET" || method == "HEAD")
        return m_earliest[0];
    return m_earliest[method == "DELETE" ? 2 : 1];
}

Task<Result<transport::HttpReply>> ArmClient::send(transport::HttpRequest request, std::stop_token stop)
{
    const bool isRead = request.method == "GET" || request.method == "HEAD";
    const bool repeats = request.isRepeatable.value_or(isRead);
    const int attempts = std::max(1, request.attempts);
    request.attempts = 1;
    for (int failures = 1;; ++failures) {
        for (qint64 left = 1; left > 0;) {
            left = earliestOf(request.method) - m_environment.clock->steadyMs();
            if (left <= 0)
                break;
            auto waiting = transport::pause(m_environment.clock, left, stop);
            const bool goesOn = co_await waiting;
            if (!goesOn)
                co_return tl::unexpected(transport::cancelledError());
        }
        auto sending = m_client->send(request, stop);
        Result<transport::HttpReply> answer = co_await sending;
        const transport::AttemptEnd end = attemptEnd(answer);
        const qint64 now = m_environment.clock->steadyMs();
        qint64& earliest = earliestOf(request.method);
        if (answer) {
            m_budget.see(answer->headers);
            earliest = std::max(earliest, now + m_budget.pauseMs(request.method));
        }
        const qint64 delay =
            transport::retryDelayMs(end, failures, m_environment.random(), m_environment.clock->nowMs());
        const bool isThrottled = end.status == 429 || (end.status == 503 && !end.retryAfter.isEmpty());
        if (isThrottled)
            earliest = std::max(earliest, now + delay);
        if (failures >= attempts || !transport::isWorthRepeating(end, repeats))
            co_return answer;
        if (!isThrottled) {
            auto pausing = transport::pause(m_environment.clock, delay, stop);
            const bool goesOn = co_await pausing;
            if (!goesOn)
                co_return tl::unexpected(transport::cancelledError());
        }
    }
}

Task<> ArmClient::close()
{
    auto closing = m_client->close();
    co_await closing;
}

} // namespace platforms::azure
