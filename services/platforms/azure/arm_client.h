// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arm_budget.h"

#include "services/transport/http/http_client.h"

#include <array>

namespace platforms::azure {

/// Requests to Azure Resource Manager, which counts them for each account: after a 429, or a 503 with Retry-After, no caller's request of
/// that kind (read, write, delete) is sent before that time has passed, and the fewer Azure says are left, the longer the pauses between
/// them. On the service thread; before it is destroyed, close() must have returned.
class ArmClient
{
public:
    /// Kind::invalid for settings that cannot be used. `tokens` is not owned.
    [[nodiscard]] static Result<std::unique_ptr<ArmClient>> make(
        transport::HttpSettings settings, transport::HttpEnvironment environment, transport::TokenSource* tokens);

    /// As HttpClient::send(): `attempts` counts likewise, but where a request waits its turn.
    [[nodiscard]] Task<Result<transport::HttpReply>> send(transport::HttpRequest request, std::stop_token stop);
    [[nodiscard]] Task<> close();

private:
    ArmClient(std::unique_ptr<transport::HttpClient> client, transport::HttpEnvironment environment);
    [[nodiscard]] qint64& earliestOf(const QByteArray& method);

    std::unique_ptr<transport::HttpClient> m_client;
    transport::HttpEnvironment m_environment;
    ArmBudget m_budget;
    std::array<qint64, 3> m_earliest{}; ///< of the steady clock, for reads, writes and deletes
};

} // namespace platforms::azure
